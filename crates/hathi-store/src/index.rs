//! The position index: derived from the games, disposable, memory-mapped.
//!
//! | file | holds |
//! |---|---|
//! | `format.rs` | the file: what stands where, checksums |
//! | `guarded_map.rs` | the file in memory, also when somebody cuts it |
//! | `build.rs` | building it from all games |
//! | `postings.rs` | finding the postings of a part of the board |
//! | `delta.rs` | games that the file does not know yet |
//! | `find.rs` | all hits of a question, best first |
//! | `columns.rs`, `facts.rs` | what a scan of boards cannot see, worked out once; its files |
//! | `scan.rs` | all positions compared with a pattern |
//! | `sequence.rs` | all games searched for one thing after the other |
//! | `allowed.rs` | the games a filter lets through |

mod allowed;
mod build;
mod columns;
mod delta;
mod facts;
mod find;
mod format;
mod guarded_map;
mod postings;
mod scan;
mod sequence;

pub(crate) use allowed::AllowedGames;
pub(crate) use build::{BuildGame, Gathered, build, rank_of};
#[cfg(test)]
pub(crate) use columns::ColumnFamilies;
#[cfg(feature = "postgres")]
pub(crate) use columns::packed_facts;
pub(crate) use columns::{Family, OneBoard, StoredPositions};
pub(crate) use delta::Delta;
pub use facts::FactsInWork;
pub(crate) use facts::{FactColumns, FactsPlace};
pub(crate) use find::{for_each_hit, tally_hits};
pub use format::IndexError;
pub(crate) use format::{BOARDS, IndexFile, IndexedGame, IndexedMove, MOVES, PostingKind};
pub(crate) use postings::posting_hash;
use postings::{postings_of, split};
pub(crate) use scan::{Indexed, search};
pub(crate) use sequence::GatheredSearch;
#[cfg(feature = "postgres")]
pub(crate) use sequence::{FoundInGames, TurnWord};

use format::GAMES;

impl IndexFile {
    /// The board of a position.
    #[inline]
    pub(crate) fn board(&self, number: u32) -> Result<[u64; 4], IndexError> {
        self.value(BOARDS, number as usize)
    }

    /// What was played there.
    #[inline]
    pub(crate) fn played(&self, number: u32) -> Result<IndexedMove, IndexError> {
        self.value(MOVES, number as usize)
    }

    /// A game by its number within the index.
    #[inline]
    pub(crate) fn game(&self, number: u32) -> Result<IndexedGame, IndexError> {
        self.value(GAMES, number as usize)
    }
}
