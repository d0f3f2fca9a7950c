//! The engines that remember: McKee's as he wrote it, and ours.

mod candidates;
mod faithful;
mod ours;

pub(crate) use faithful::Mimic2014;
pub(crate) use ours::Mimic;
