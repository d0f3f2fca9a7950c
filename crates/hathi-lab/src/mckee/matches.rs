//! A memory bot against an engine without memory: the games, and what they show.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use hathi_arena::{
    Elo, Finished, Openings, PlayerKind, PlayerSpec, Standings, Thinking, Tournament,
    finished_games,
};
use hathi_engine::{EngineSpec, Level};
use hathi_rules::Side;
use hathi_store::Memory;
use serde::Serialize;

use super::bins::Bins;
use super::moves::{self, MatchRecords};
use super::thesis;
use crate::questions::quantile;
use crate::rate::Rate;
use crate::watcher::Watcher;

/// Moves after which pieces are counted.
pub(super) const MAX_MOVES: u32 = 150;

/// Two turns, in steps: as far as the fallback looks if it has the time.
const TWO_TURNS: u32 = 8;

/// What all matches of an experiment have in common.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) drawn_setups: bool,
    pub(super) seed: u64,
    pub(super) concurrency: usize,
}

/// What a match has shown.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Match {
    pub(super) player: String,
    pub(super) opponent: String,
    pub(super) planned: u64,
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) rate: Rate,
    pub(super) elo: Elo,
    /// Games that differ from all others.
    pub(super) distinct: u64,
    /// How games ended: letters of the archive, and how often.
    pub(super) endings: BTreeMap<char, u64>,
    /// Hits by move number.
    pub(super) bins: Bins,
    /// Where the turns of the memory bot came from.
    pub(super) levels: BTreeMap<&'static str, u64>,
    /// Milliseconds of its turns, setups not counted.
    pub(super) time: Times,
    pub(super) opponent_time: Times,
    pub(super) opponent_depth: Depth,
    pub(super) lengths: Lengths,
    /// Wins after each game, in the order of the games.
    pub(super) won: Vec<bool>,
}

/// How long turns took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Times {
    pub(super) turns: usize,
    pub(super) median: f64,
    pub(super) p99: f64,
    pub(super) most: f64,
}

impl Times {
    fn of(times: &[f64]) -> Times {
        Times {
            turns: times.len(),
            median: quantile(times, 0.5),
            p99: quantile(times, 0.99),
            most: quantile(times, 1.0),
        }
    }
}

/// How far the opponent looked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Depth {
    /// The one in the middle, in steps.
    pub(super) median: f64,
    /// How often it came to the end of two turns.
    pub(super) two_turns: f64,
}

/// How long games were, in moves; the setup is the first, as in his rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Lengths {
    pub(super) median: f64,
    /// The part of all games that comes to his last row, moves 46 and later.
    pub(super) to_46: f64,
}

/// Where his last row begins.
const LAST_ROW: f64 = 46.0;

impl Lengths {
    pub(super) fn of(finished: &[Finished]) -> Lengths {
        let moves: Vec<f64> = finished
            .iter()
            .map(|game| 1.0 + game.turns.div_ceil(2) as f64)
            .collect();
        let long = moves.iter().filter(|&&moves| moves >= LAST_ROW).count();
        Lengths {
            median: quantile(&moves, 0.5),
            to_46: long as f64 / moves.len().max(1) as f64,
        }
    }
}

/// A match to be played.
#[derive(Clone, Debug)]
pub(super) struct Fixture<'a> {
    pub(super) player: EngineSpec,
    pub(super) opponent: EngineSpec,
    /// Where the player's memory is.
    pub(super) store: &'a str,
    pub(super) games: u64,
    /// Where it is kept.
    pub(super) place: &'a Path,
}

/// Plays a match to its end, or until somebody says stop, and asks the memory
/// about every position of the memory bot.
pub(super) fn play(
    fixture: &Fixture<'_>,
    memory: &dyn Memory,
    rules: &Rules,
    watcher: &dyn Watcher,
) -> anyhow::Result<Match> {
    let tournament = rules.tournament(fixture);
    let name = fixture.player.to_string();
    let standings = crate::matches::play(&tournament, &name, fixture.place, watcher)?;
    let mut finished = finished_games(fixture.place)?;
    finished.sort_by_key(|game| game.number);
    let records = moves::records(
        fixture.place,
        &finished,
        memory,
        !rules.drawn_setups,
        watcher,
    )?;
    Ok(Match::of(fixture, &standings, &finished, &records, rules))
}

impl Rules {
    fn tournament(&self, fixture: &Fixture<'_>) -> Tournament {
        // Named without its memory, which is the same for all.
        let mut player = PlayerSpec::built_in(fixture.player.clone());
        if let PlayerKind::BuiltIn(spec) = &mut player.kind {
            fixture.store.clone_into(&mut spec.options.store);
        }
        let players = vec![player, PlayerSpec::built_in(fixture.opponent.clone())];
        // A turn is late as it was for him; how long turns take is measured.
        let allowed = Duration::from_secs(thesis::TURN_SECONDS);
        Tournament {
            games: fixture.games,
            openings: if self.drawn_setups {
                Openings::Drawn { turns: 0 }
            } else {
                Openings::Own
            },
            thinking: Thinking {
                time: self.time,
                nodes: self.nodes,
                margin: allowed.saturating_sub(self.time.unwrap_or_default()),
                ..Thinking::default()
            },
            max_moves: MAX_MOVES,
            concurrency: self.concurrency,
            seed: self.seed,
            ..Tournament::new(players)
        }
    }
}

impl Match {
    fn of(
        fixture: &Fixture<'_>,
        standings: &Standings,
        finished: &[Finished],
        records: &MatchRecords,
        rules: &Rules,
    ) -> Match {
        let score = standings.pairings.first().map(|pairing| pairing.score);
        let score = score.unwrap_or_default();
        let mut bins = Bins::default();
        let mut levels = BTreeMap::new();
        let mut times = Vec::new();
        for record in records.games.iter().flat_map(|game| &game.moves) {
            bins.add(record);
            times.push(record.ms);
            let level = record.level.map_or("unknown", Level::name);
            *levels.entry(level).or_default() += 1;
        }
        let (opponent_time, opponent_depth) = opponent(finished, !rules.drawn_setups);
        Match {
            player: fixture.player.to_string(),
            opponent: fixture.opponent.to_string(),
            planned: standings.planned,
            games: standings.games,
            wins: score.wins(),
            rate: Rate::of(score.wins(), standings.games, records.distinct),
            elo: score.elo(),
            distinct: records.distinct,
            endings: standings.terminations.clone(),
            bins,
            levels,
            time: Times::of(&times),
            opponent_time,
            opponent_depth,
            lengths: Lengths::of(finished),
            won: finished
                .iter()
                .map(|game| game.player(game.winner()) == 0)
                .collect(),
        }
    }
}

/// How long the opponent's turns took and how deep it looked, its setups left
/// out.
pub(super) fn opponent(finished: &[Finished], set_up: bool) -> (Times, Depth) {
    let (mut times, mut depths) = (Vec::new(), Vec::new());
    for game in finished {
        let side = if game.player(Side::Gold) == 1 {
            Side::Gold
        } else {
            Side::Silver
        };
        let skip = usize::from(set_up);
        let used = game.used[side.index()].iter().skip(skip);
        times.extend(used.map(|&micros| micros as f64 / 1000.0));
        let searched = game.depths[side.index()].iter().flatten();
        depths.extend(searched.map(|&depth| f64::from(depth)));
    }
    let far = depths.iter().filter(|&&d| d >= f64::from(TWO_TURNS));
    let depth = Depth {
        median: quantile(&depths, 0.5),
        two_turns: far.count() as f64 / depths.len().max(1) as f64,
    };
    (Times::of(&times), depth)
}
