//! The engines, one file each.

#[cfg(feature = "memory")]
pub(crate) mod mimic;
mod random;
pub(crate) mod searcher;

#[cfg(feature = "memory")]
pub(crate) use mimic::{Mimic, Mimic2014};
pub(crate) use random::{RandomSteps, RandomTurns};
pub(crate) use searcher::Searcher;
