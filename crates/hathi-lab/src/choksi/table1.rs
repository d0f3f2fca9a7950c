//! Table 1: the evaluation by game phase against the plain one.

mod borders;
mod report;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hathi_arena::{Elo, PlayerKind, PlayerSpec, Standings, Thinking, Tournament, finished_games};
use hathi_engine::{EngineKind, EngineSpec, Limits, PhaseUse, SearchStyle, StepOrder};
use hathi_view::numbers;
use serde::Serialize;

use crate::fingerprint;
use crate::folder::{self, Settings};
use crate::matches;
use crate::rate::Rate;
use crate::watcher::Watcher;
use borders::Borders;

/// Steps in a turn; what the paper calls a ply is a turn.
const TURN: u32 = 4;

/// Megabytes of the transposition tables: little is searched.
const HASH: usize = 8;

/// A row of the table: who, how far ahead, and what the paper says.
#[derive(Clone, Copy, Debug)]
struct Row {
    version: PhaseUse,
    plies: u32,
    /// How both look ahead; theirs did so plainly.
    search: SearchStyle,
    /// Per cent won and games played in the paper; they had no smooth version.
    theirs: Option<(f64, u64)>,
}

/// What the paper says of one ply, with goal threats and without.
const GT_1: Row = row(PhaseUse::GoalThreats, 1, Some((88.35, 1914)));
const NGT_1: Row = row(PhaseUse::NoGoalThreats, 1, Some((67.12, 1834)));
const SMOOTH_1: Row = row(PhaseUse::Smooth, 1, None);

/// And of two.
const GT_2: Row = row(PhaseUse::GoalThreats, 2, Some((34.84, 155)));
const NGT_2: Row = row(PhaseUse::NoGoalThreats, 2, Some((33.33, 132)));
const SMOOTH_2: Row = row(PhaseUse::Smooth, 2, None);

const ROWS: [Row; 18] = [
    GT_1,
    NGT_1,
    SMOOTH_1,
    GT_1.with(SearchStyle::Plain),
    NGT_1.with(SearchStyle::Plain),
    SMOOTH_1.with(SearchStyle::Plain),
    // Which part of the plain search is it?
    GT_1.with(SearchStyle::NoGoals),
    NGT_1.with(SearchStyle::NoGoals),
    GT_1.with(SearchStyle::NoQuiescence),
    GT_1.with(SearchStyle::NoReductions),
    GT_1.with(SearchStyle::PlainGoals),
    NGT_1.with(SearchStyle::PlainGoals),
    GT_2,
    NGT_2,
    SMOOTH_2,
    GT_2.with(SearchStyle::Plain),
    NGT_2.with(SearchStyle::Plain),
    SMOOTH_2.with(SearchStyle::Plain),
];

const fn row(version: PhaseUse, plies: u32, theirs: Option<(f64, u64)>) -> Row {
    Row {
        version,
        plies,
        search: SearchStyle::Full,
        theirs,
    }
}

impl Row {
    const fn with(self, search: SearchStyle) -> Row {
        Row { search, ..self }
    }

    /// "gt, 1 ply", or "gt, plain, 1 ply".
    fn name(&self) -> String {
        name(self.version.name(), self.search.name(), self.plies)
    }

    /// The folder of its games.
    fn place(&self) -> String {
        let search = match self.search {
            SearchStyle::Full => String::new(),
            style => format!("{}-", style.name()),
        };
        format!("{search}{}-{}-ply", self.version.name(), self.plies)
    }
}

/// What is usual goes without saying.
fn name(version: &str, search: &str, plies: u32) -> String {
    let search = if search == SearchStyle::Full.name() {
        String::new()
    } else {
        format!(", {search}")
    };
    format!("{version}{search}, {plies} ply")
}

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Request {
    /// Games of each match one turn ahead, and two; even numbers, as colours
    /// change.
    pub games: [u64; 2],
    /// The same for engines that search plainly.
    pub plain_games: [u64; 2],
    /// The same, one turn ahead, for engines that lack one part of our search or
    /// have one beside the plain one.
    pub part_games: u64,
    /// Every random choice follows from it.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// The folder that gets everything.
    pub out: PathBuf,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Summary {
    seed: u64,
    /// Was it done to its end?
    complete: bool,
    matches: Vec<Match>,
    /// What the evaluations do where the phase changes.
    borders: Borders,
}

/// A row as it came out.
#[derive(Debug, Serialize)]
struct Match {
    version: &'static str,
    plies: u32,
    /// How both look ahead.
    search: &'static str,
    planned: u64,
    games: u64,
    wins: u64,
    /// With its 95 % interval, from pairs of games.
    rate: Rate,
    elo: Elo,
    /// How likely the tweaked one is the better one.
    better: f64,
    theirs: Option<Rate>,
    their_games: Option<u64>,
    /// Milliseconds of a turn, on average: tweaked, fairy.
    milliseconds: [f64; 2],
    /// What a turn owes to the phase it leads to, in hundredths of a rabbit, on
    /// average: tweaked, fairy.
    phase_gains: [f64; 2],
    #[serde(skip)]
    won: Vec<bool>,
}

/// Plays what is not played yet in the folder, and writes the report.
pub fn run(request: &Request, watcher: &dyn Watcher) -> anyhow::Result<Summary> {
    let out = &request.out;
    let settings: Settings = [
        ("paper".to_owned(), "choksi".to_owned()),
        ("seed".to_owned(), request.seed.to_string()),
        ("state of the engines".to_owned(), state_of_engines()?),
    ]
    .into();
    let _lock = folder::open(out, &settings)?;
    let mut played = Vec::new();
    let mut borders = Borders::new();
    for row in ROWS {
        let place = out.join("matches").join(row.place());
        let standings = matches::play(&tournament(row, request), &row.name(), &place, watcher)?;
        played.push(Match::of(row, &standings, &place)?);
        borders.add_games(&place.join("games.txt"))?;
    }
    let summary = Summary {
        seed: request.seed,
        complete: !watcher.asked_to_stop(),
        matches: played,
        borders,
    };
    folder::write(&out.join("summary.json"), &summary)?;
    report::document(&summary)
        .save(out)
        .map_err(|error| anyhow::anyhow!("cannot write into {}: {error}", out.display()))?;
    Ok(summary)
}

/// The engine without tweaks, or the tweaked one in a version.
fn engine(version: Option<PhaseUse>, search: SearchStyle) -> EngineSpec {
    let mut spec = EngineSpec::of(match version {
        Some(_) => EngineKind::Tweaked,
        None => EngineKind::Fairy,
    });
    spec.options.hash = HASH;
    // The evaluation is to be compared, and the games are to stay the same
    // when the model of steps learns more.
    spec.options.ordering = StepOrder::None;
    spec.options.search = search;
    if let Some(version) = version {
        spec.options.phase = version;
    }
    spec
}

/// Who plays, as it is at the moment.
fn state_of_engines() -> anyhow::Result<String> {
    let plain = SearchStyle::ALL.map(|search| engine(None, search));
    let one_ply = ROWS.iter().filter(|row| row.plies == 1);
    let tweaked = one_ply.map(|row| engine(Some(row.version), row.search));
    let engines = plain.into_iter().chain(tweaked);
    fingerprint::of_engines(engines, &Limits::depth(TURN))
}

fn tournament(row: Row, request: &Request) -> Tournament {
    let player = |version: Option<PhaseUse>| {
        let spec = engine(version, row.search);
        PlayerSpec {
            name: spec.kind.name().to_owned(),
            kind: PlayerKind::BuiltIn(spec),
        }
    };
    Tournament {
        games: match row.search {
            SearchStyle::Full => request.games[usize::from(row.plies > 1)],
            SearchStyle::Plain => request.plain_games[usize::from(row.plies > 1)],
            SearchStyle::NoGoals
            | SearchStyle::NoQuiescence
            | SearchStyle::NoReductions
            | SearchStyle::PlainGoals => request.part_games,
        },
        thinking: Thinking {
            depth: Some(TURN * row.plies),
            // There is no clock: nobody is late.
            margin: Duration::from_secs(3600),
            ..Thinking::default()
        },
        concurrency: request.concurrency,
        seed: request.seed,
        ..Tournament::new(vec![player(Some(row.version)), player(None)])
    }
}

impl Match {
    fn of(row: Row, standings: &Standings, place: &Path) -> anyhow::Result<Match> {
        let mut finished = finished_games(place)?;
        finished.sort_by_key(|game| game.number);
        let pairing = standings.pairings.first();
        let score = pairing.map(|pairing| pairing.score).unwrap_or_default();
        let elo = score.elo();
        let milliseconds = [0, 1].map(|player| {
            let times = finished.iter().flat_map(|game| {
                let side = usize::from(game.silver == player);
                &game.used[side]
            });
            let count = times.clone().count().max(1) as f64;
            times.sum::<u64>() as f64 / 1000.0 / count
        });
        let won = finished.iter().map(|game| game.player(game.winner()) == 0);
        Ok(Match {
            version: row.version.name(),
            plies: row.plies,
            search: row.search.name(),
            planned: standings.planned,
            games: standings.games,
            wins: score.wins(),
            rate: Rate::of_pairs(&score),
            elo,
            better: pairing.map_or(0.5, |pairing| pairing.los),
            theirs: row.theirs.map(|(percent, games)| {
                let wins = (percent / 100.0 * games as f64).round();
                #[allow(clippy::cast_sign_loss)] // shares of games
                Rate::of(wins as u64, games, games)
            }),
            their_games: row.theirs.map(|(_, games)| games),
            milliseconds,
            phase_gains: borders::gains(&place.join("games.txt"), row.version)?,
            won: won.collect(),
        })
    }

    /// "gt, 1 ply", or "gt, plain, 1 ply".
    fn name(&self) -> String {
        name(self.version, self.search, self.plies)
    }
}

/// `62.5 % (58.1 to 66.7)`.
fn rate_text(rate: Rate) -> String {
    format!(
        "{:.1} % ({:.1} to {:.1})",
        100.0 * rate.value,
        100.0 * rate.low,
        100.0 * rate.high
    )
}

impl Summary {
    /// Was it done to its end?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The win rates, in words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for played in &self.matches {
            let theirs = match played.theirs {
                Some(theirs) => format!("; in the paper {}", rate_text(theirs)),
                None => String::new(),
            };
            if played.games == 0 {
                writeln!(out, "tweaked {}: no games yet{theirs}", played.name())?;
                continue;
            }
            writeln!(
                out,
                "tweaked {} against fairy: {} of {} games won, {}{theirs}",
                played.name(),
                numbers::grouped(played.wins as usize),
                numbers::grouped(played.games as usize),
                rate_text(played.rate),
            )?;
        }
        Ok(())
    }
}
