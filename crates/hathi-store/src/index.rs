//! The position index: derived from the games, disposable, memory-mapped.

mod build;
mod format;
mod postings;

pub(crate) use build::{BuildGame, Gathered, build, rank_of};
pub use format::IndexError;
pub(crate) use format::{BOARDS, IndexFile, IndexedGame, IndexedMove, MOVES, PostingKind};
pub(crate) use postings::{posting_hash, postings_of, split};

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
