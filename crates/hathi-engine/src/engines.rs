//! The engines, one file each.

mod leveled;
#[cfg(feature = "memory")]
pub(crate) mod mimic;
mod mix;
mod random;
#[cfg(feature = "memory")]
mod remembering;
pub(crate) mod searcher;
mod uct;

pub(crate) use leveled::Leveled;
#[cfg(feature = "memory")]
pub(crate) use mimic::{Mimic, Mimic2014};
pub(crate) use mix::Mix;
pub(crate) use random::{RandomSteps, RandomTurns};
#[cfg(feature = "memory")]
pub(crate) use remembering::Remembering;
pub(crate) use searcher::Searcher;
pub(crate) use uct::Uct;
