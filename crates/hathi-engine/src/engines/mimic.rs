//! The engines that remember: McKee's as he wrote it, and ours.

pub(super) mod candidates;
mod faithful;
mod ours;

pub(crate) use faithful::Mimic2014;
pub(crate) use ours::Mimic;
