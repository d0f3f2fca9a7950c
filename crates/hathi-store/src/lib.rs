//! The memory of Arimaa: games in a relational database, every position in an
//! index beside it.
//!
//! | to find | look in |
//! |---|---|
//! | what every store can do | [`Memory`]: [`Games`], [`Positions`], [`Puzzles`], [`Upkeep`] |
//! | where a store is; opening one | [`Place`] |
//! | what can be asked | [`PositionQuestion`], [`PatternQuestion`], [`Kind`], [`Filter`]; as one line of text [`Question`] |
//! | what comes back | [`Answer`], [`TurnStats`], [`Hit`], [`PatternAnswer`] |
//! | games and index in files | [`Store`] |
//! | games and positions on a server | [`PostgresStore`] |
//! | any pattern at all | [`Pattern`] |
//! | games and positions for other programs | [`ParquetExport`], [`YearlyExport`] |
//! | reviews and studies | [`Notes`], [`KeptReview`], [`KeptStudy`] |
//! | a game just played, added | [`remember`] |
//! | the board as the mover sees it | [`Seen`] |
//! | questions in SQL, McKee's table of moves | [`sql`] |

// What speaks to a server, and what fills tables, is dead where they are left out.
#![cfg_attr(not(all(feature = "parquet", feature = "postgres")), allow(dead_code))]

mod answer;
mod cores;
mod draft;
mod error;
mod filter;
mod hits;
mod import;
mod index;
mod log;
mod memory;
mod model;
mod motif;
mod moves;
mod notable;
mod notes;
#[cfg(feature = "parquet")]
mod parquet;
pub mod pattern;
mod place;
#[cfg(feature = "postgres")]
mod postgres;
mod puzzles;
mod question;
mod remember;
mod rows;
mod seen;
mod setups;
pub mod sql;
mod sqlite;

pub use answer::{Answer, TurnStats};
pub use error::StoreError;
pub use filter::{Filter, Kinds, Pace, Page, Sources, game_numbers, move_numbers, termination};
pub use hathi_archive::dates;
pub use hits::Hit;
pub use import::{ImportOptions, ImportSummary, Reason, Remark};
pub use index::{FactsInWork, IndexError};
pub use memory::{Games, Memory, Positions, Puzzles, Upkeep};
pub use model::{
    AddedGame, CheckedIndex, GameRow, IndexState, NewGame, ResultCount, SourceCount, StoredGame,
    Totals,
};
pub use motif::{BAND, Motif, MotifError, MotifScore, MotifStats, MotifStretch};
pub use moves::{DamagedMoves, Moves};
pub use notes::{KeptReview, KeptStudy, Notes};
#[cfg(feature = "parquet")]
pub use parquet::{
    ColumnValues, ExportError, ExportSummary, ExportTable, ParquetExport, Values, YearlyExport,
};
pub use pattern::{
    FactsNeeded, Pattern, PatternAnswer, PatternError, PatternHit, PatternPlay, PlayedAt, Score,
    Setting,
};
pub use place::Place;
#[cfg(feature = "postgres")]
pub use postgres::{PostgresStore, ServerError, ServerUrl};
pub use puzzles::{PuzzleHit, PuzzleSummary, UnlinkedPuzzle};
pub use question::{
    Focus, Kind, KindError, KindWords, Matching, PatternQuestion, PositionQuestion, Question,
    QuestionError, area, nearest_trap,
};
pub use remember::{RememberError, remember};
pub use seen::{Seen, SeenTrap};
pub use setups::{SetupStats, Setups};
pub use sql::{MoveRow, SqlAnswer};
pub use sqlite::{DatabaseError, OpenMode, Store};
