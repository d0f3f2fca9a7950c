//! The memory of Arimaa: games in a relational database, every position in an
//! index beside it.
//!
//! | to find | look in |
//! |---|---|
//! | what every store can do; opening one | [`Memory`], [`Place`] |
//! | games and index in files: add games, ask questions | [`Store`] |
//! | the games: SQLite, the source of truth | [`Database`] |
//! | games and positions on a server | [`PostgresStore`] |
//! | what can be asked about a position | [`Kind`], [`Matching`], [`Filter`] |
//! | any pattern at all | [`Pattern`], [`Store::search`] |
//! | games and positions for other programs | [`ParquetExport`] |
//! | a game just played, added | [`remember`] |
//! | what comes back | [`Hit`], [`Answer`], [`TurnStats`] |
//! | the board as the mover sees it | [`Seen`] |

mod answer;
mod backend;
mod cores;
mod database;
pub mod dates;
mod draft;
mod filter;
mod import;
mod index;
mod memory;
mod moves;
mod notable;
mod parquet;
pub mod pattern;
mod postgres;
mod puzzles;
mod remember;
mod search;
mod seen;
mod setups;
mod store;

pub use answer::{Answer, TurnStats};
pub use backend::{Memory, Place};
pub use database::{Database, DatabaseError, NewGame, ResultCount, StoredGame, Totals};
pub use filter::{Filter, Kinds, Pace, Page, move_numbers, termination};
pub use import::{ImportOptions, ImportSummary, Remark};
pub use index::IndexError;
pub use memory::{Hit, Kind, Matching, nearest_trap};
pub use moves::{DamagedMoves, Moves};
pub use parquet::{ExportError, ExportSummary, ParquetExport};
pub use pattern::{Pattern, PatternError};
pub use postgres::{PostgresStore, ServerError, ServerUrl};
pub use puzzles::{PuzzleHit, PuzzleSummary, UnlinkedPuzzle};
pub use remember::{RememberError, remember};
pub use search::{PatternAnswer, PatternHit};
pub use seen::{Seen, SeenTrap};
pub use setups::{SetupStats, Setups};
pub use store::{IndexState, Store, StoreError};
