//! What the memory knew at every move of a match: the games are replayed and
//! every level is asked, whether those above have an answer or not.
//!
//! | file | holds |
//! |---|---|
//! | `moves.jsonl` | a line a game: its number, the memory bot's side and whether it won, and for each of its turns the move number, where the turn came from, which levels have an answer, milliseconds |

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use hathi_archive::{ArchiveReader, ArchivedGame, Replayer};
use hathi_arena::Finished;
use hathi_engine::{Level, LevelHits, ask_all_levels};
use hathi_rules::{Game, Side};
use hathi_store::Memory;
use hathi_view::numbers::rounded;
use serde::{Deserialize, Serialize};

use crate::folder;
use crate::watcher::Watcher;

/// The turns of the memory bot in one game.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct GameRecord {
    /// Its number in the match, from 0.
    pub(super) game: u64,
    /// The memory bot's side: g or s.
    pub(super) side: char,
    /// Did the memory bot win?
    pub(super) won: bool,
    pub(super) moves: Vec<MoveRecord>,
}

/// One turn of the memory bot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // four levels, each with an answer or not
pub(super) struct MoveRecord {
    /// As in the notation: 2 is the first turn after the setups.
    #[serde(rename = "move")]
    pub(super) number: u32,
    /// Where the turn came from.
    pub(super) level: Option<Level>,
    full: bool,
    half: bool,
    area: bool,
    by_piece: bool,
    /// Which levels have any result at all, legal here or not; not there in
    /// records of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<[bool; 4]>,
    pub(super) ms: f64,
}

impl MoveRecord {
    pub(super) fn new(
        number: u32,
        [full, half, area, by_piece]: [bool; 4],
        level: Option<Level>,
        micros: u64,
    ) -> MoveRecord {
        MoveRecord {
            number,
            level,
            full,
            half,
            area,
            by_piece,
            found: None,
            ms: rounded(micros as f64 / 1000.0, 3),
        }
    }

    /// Which levels have an answer.
    pub(super) fn hits(&self) -> [bool; 4] {
        [self.full, self.half, self.area, self.by_piece]
    }
}

/// All that is known about the games of a match.
#[derive(Debug, Default)]
pub(super) struct MatchRecords {
    /// In the order of their numbers.
    pub(super) games: Vec<GameRecord>,
    /// How many of them differ from all others.
    pub(super) distinct: u64,
}

/// Reads what is known, and asks the memory about the games that are not.
/// The memory bot is the first player of the match; `set_up` says that the
/// players chose their setups, which then is the first of their turns.
pub(super) fn records(
    place: &Path,
    finished: &[Finished],
    memory: &dyn Memory,
    set_up: bool,
    watcher: &dyn Watcher,
) -> anyhow::Result<MatchRecords> {
    let path = place.join("moves.jsonl");
    let mut known: HashMap<u64, GameRecord> = folder::read_lines(&path)?
        .into_iter()
        .map(|record: GameRecord| (record.game, record))
        .collect();
    let by_number: HashMap<u64, &Finished> = finished.iter().map(|f| (f.number, f)).collect();
    let bar = watcher.count("asking every level", finished.len() as u64);
    let mut replayer = Replayer::new();
    let mut distinct = HashSet::new();
    let mut seen = 0;
    let reader = ArchiveReader::open([place.join("games.txt")])?;
    let ended = reader.for_each(|row| {
        if watcher.asked_to_stop() {
            return ControlFlow::Break(Ok(()));
        }
        let add = || -> anyhow::Result<()> {
            let row = row?;
            let game = row.to_game();
            distinct.insert(game.movelist.clone());
            seen += 1;
            bar(seen);
            let number = row.id().number().saturating_sub(1);
            let (Some(finished), false) = (by_number.get(&number), known.contains_key(&number))
            else {
                return Ok(());
            };
            let record = ask(&mut replayer, &game, finished, memory, set_up)?;
            folder::append(&path, &record)?;
            known.insert(number, record);
            Ok(())
        };
        match add() {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    });
    drop(bar);
    if let ControlFlow::Break(Err(error)) = ended {
        return Err(error);
    }
    let mut games: Vec<GameRecord> = known.into_values().collect();
    games.sort_by_key(|record| record.game);
    Ok(MatchRecords {
        games,
        distinct: distinct.len() as u64,
    })
}

/// Replays a game and asks about each turn of the memory bot.
fn ask(
    replayer: &mut Replayer,
    archived: &ArchivedGame,
    finished: &Finished,
    memory: &dyn Memory,
    set_up: bool,
) -> anyhow::Result<GameRecord> {
    let side = if finished.gold == 0 {
        Side::Gold
    } else {
        Side::Silver
    };
    let (used, levels) = (&finished.used[side.index()], &finished.levels[side.index()]);
    let replayed = replayer.replay_game(archived).game;
    let mut game = Game::new(replayed.rules());
    let (gold, silver) = replayed.setups();
    for setup in [gold, silver].into_iter().flatten() {
        game.set_up(setup)?;
    }
    let mut decision = usize::from(set_up);
    let mut moves = Vec::new();
    for turn in replayed.turns() {
        if game.side_to_move() == side {
            let hits = ask_all_levels(memory, &game)?;
            moves.push(MoveRecord {
                found: Some(hits.found),
                ..MoveRecord::new(
                    game.next_label().number,
                    which(&hits),
                    levels.get(decision).copied().flatten(),
                    used.get(decision).copied().unwrap_or(0),
                )
            });
            decision += 1;
        }
        game.play(turn)?;
    }
    Ok(GameRecord {
        game: finished.number,
        side: side.to_char(),
        won: finished.winner() == side,
        moves,
    })
}

fn which(hits: &LevelHits) -> [bool; 4] {
    [hits.full, hits.half, hits.area, hits.by_piece].map(|hit| hit.is_some())
}
