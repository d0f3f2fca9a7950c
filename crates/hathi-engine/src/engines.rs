//! The engines, one file each.

mod random;
pub(crate) mod searcher;

pub(crate) use random::{RandomSteps, RandomTurns};
pub(crate) use searcher::Searcher;
