//! Games as they go into a store and come out of it.

use std::fmt;

use bytemuck::{Pod, Zeroable};
use hathi_archive::{ArchivedGame, GameId, GameSource};
use hathi_rules::{Side, Termination};

use crate::moves::Moves;

/// The row of a game in the database: how the store finds it again, and the
/// order in which games were added. Means nothing outside, so it cannot be
/// printed by accident: a game's name is its
/// [id](hathi_archive::GameId).
///
/// ```compile_fail
/// fn tell(game: hathi_store::GameRow) -> String {
///     format!("see game {game}")
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct GameRow(i64);

impl GameRow {
    /// Before every row there is.
    pub(crate) const BEFORE_ALL: GameRow = GameRow(0);
    /// After every row there is.
    pub(crate) const AFTER_ALL: GameRow = GameRow(i64::MAX);

    /// The row with this number: for who counts rows, and for places in a
    /// list that came from [`get`](GameRow::get).
    #[inline]
    pub const fn new(number: i64) -> GameRow {
        GameRow(number)
    }

    /// Its number.
    #[inline]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// A game as it goes into the database.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Who, when, how it ended, and its log; its move list is not looked at.
    pub game: ArchivedGame,
    /// The moves that are kept: all legal.
    pub moves: Moves,
    /// How many takebacks there were.
    pub takebacks: usize,
    /// Why the game was shortened, if it was.
    pub fault: Option<String>,
}

/// A game that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedGame {
    /// Its row.
    pub row: GameRow,
    /// What it is known by: another copy than was asked for, if another game
    /// had that number before.
    pub id: GameId,
}

/// A game as it comes out of the database.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Its row.
    pub row: GameRow,
    /// Who, when, how it ended. The move list is made again from the moves;
    /// [`Games::log`](crate::Games::log) gives the log.
    pub game: ArchivedGame,
    /// The moves.
    pub moves: Moves,
    /// Why it was shortened, if it was.
    pub fault: Option<String>,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// Positions with a turn played from them.
    pub positions: u64,
    /// The newest game.
    pub last_game: GameRow,
    /// Players.
    pub players: u64,
    /// Puzzles that can be played: their game is in the store.
    pub puzzles: u64,
}

/// Games of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceCount {
    /// Where they are from.
    pub source: GameSource,
    /// How many.
    pub games: u64,
    /// Positions of them with a turn played from there.
    pub positions: u64,
    /// Do they count where nobody has chosen sources?
    pub counted: bool,
}

/// Games that ended in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultCount {
    /// Who won.
    pub winner: Option<Side>,
    /// How.
    pub termination: Option<Termination>,
    /// How often.
    pub games: u64,
}

/// What a check of the index has looked at; all of it was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedIndex {
    /// Every byte of the files.
    Checksums,
    /// Rows of a server were counted and compared with the games.
    Compared {
        /// Positions whose facts were worked out once more.
        facts: u64,
        /// Common positions whose statistics were added up once more.
        statistics: u64,
        /// Common positions whose statistics are kept.
        statistics_kept: u64,
    },
}

impl fmt::Display for CheckedIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            CheckedIndex::Checksums => f.write_str("every checksum is right"),
            CheckedIndex::Compared {
                facts,
                statistics,
                statistics_kept,
            } => {
                f.write_str("the positions are those of the games")?;
                if facts > 0 {
                    write!(f, ", the facts of {facts} of them are right")?;
                }
                if statistics_kept > 0 {
                    write!(
                        f,
                        ", and so are the statistics of {statistics} of {statistics_kept} common positions"
                    )?;
                }
                Ok(())
            }
        }
    }
}

/// What the index covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexState {
    /// Games in the file.
    pub indexed_games: u64,
    /// Positions in the file.
    pub indexed_positions: u64,
    /// Games held in memory beside it.
    pub recent_games: u64,
    /// Positions held in memory beside it.
    pub recent_positions: u64,
    /// Size of the file.
    pub bytes: u64,
}
