//! The engines, one file each.

mod random;

pub(crate) use random::{RandomSteps, RandomTurns};
