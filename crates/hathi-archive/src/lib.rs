//! Archives of Arimaa games: reading every year's files, replaying them,
//! writing, puzzles, and synthetic archives of any size.
//!
//! | to find | look in |
//! |---|---|
//! | reading files, folders and streams | [`ArchiveReader`], [`Source`], [`Limits`] |
//! | a row while reading | [`RawRow`], [`Column`] |
//! | a game on its own | [`ArchivedGame`], [`Player`], [`GameId`], [`GameSource`] |
//! | a game just played, as a row | [`FinishedGame`], [`GameId::own`] |
//! | what can be wrong, and where | [`ArchiveError`], [`Place`] |
//! | plain move lists, read and written | [`plain`] |
//! | writing | [`ArchiveWriter`], [`ArchivedGame::with_game`] |
//! | win-in-two puzzles | [`PuzzleReader`], [`Puzzle::link`] |
//! | synthetic archives | [`Synth`] |
//! | games played over by the rules | [`Replayer`], [`Replayed`], [`Fault`], [`Agreement`] |

#![forbid(unsafe_code)]

mod blocks;
mod column;
pub mod dates;
mod error;
mod finished;
mod game_id;
mod model;
mod parallel;
pub mod plain;
mod puzzles;
mod read;
mod replay;
mod row;
mod source;
mod synth;
mod text;
mod unpack;
mod write;

pub use column::{Column, Columns};
pub use error::{ArchiveError, ArchiveFault, Format, Place};
pub use finished::{FinishedGame, Occasion, unix_time};
pub use game_id::{GameId, GameSource, ParseGameIdError, ParseGameSourceError};
pub use model::{ArchivedGame, Player, PlayerKind};
pub use puzzles::{
    LinkFault, LinkedPuzzle, Puzzle, PuzzleError, PuzzleFault, PuzzlePlace, PuzzleReader,
};
pub use read::{ArchiveReader, Progress};
pub use replay::{Agreement, Fault, Replayed, ReplayedGame, Replayer};
pub use row::RawRow;
pub use source::Source;
pub use synth::Synth;
pub use unpack::Limits;
pub use write::{ArchiveWriter, PackedFile};
