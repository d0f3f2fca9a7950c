//! What is written about games and kept beside them: reviews and studies.
//! What stands in them is for others to read; here it is text.

use crate::error::StoreError;
use crate::model::GameRow;

/// A review of a game, and how it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReview {
    /// The engine, with its options.
    pub engine: String,
    /// Positions looked at for a turn; 0 if time was the limit.
    pub nodes: u64,
    /// The version of the engine.
    pub version: String,
    /// When: seconds since 1970.
    pub made: i64,
    /// The review.
    pub body: String,
}

/// A study: a game or a position with comments and variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptStudy {
    /// What it is known by.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// When it was last changed: seconds since 1970.
    pub changed: i64,
    /// The study.
    pub body: String,
}

/// What is written about games.
pub trait Notes {
    /// The review of the game in this row, if one is kept.
    fn review(&self, game: GameRow) -> Result<Option<KeptReview>, StoreError>;

    /// Keeps a review, in the place of the one before. It goes when its game
    /// does.
    fn keep_review(&mut self, game: GameRow, review: &KeptReview) -> Result<(), StoreError>;

    /// A study by its id.
    fn study(&self, id: &str) -> Result<Option<KeptStudy>, StoreError>;

    /// The studies there are, the last changed first.
    fn studies(&self, limit: u64) -> Result<Vec<KeptStudy>, StoreError>;

    /// Keeps a study, in the place of the one with its id.
    fn keep_study(&mut self, study: &KeptStudy) -> Result<(), StoreError>;

    /// Takes a study away. Says whether there was one.
    fn remove_study(&mut self, id: &str) -> Result<bool, StoreError>;
}
