//! One file a command: its arguments, and what it does.

pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod goal;
pub(crate) mod man;
pub(crate) mod replay;
pub(crate) mod show;
pub(crate) mod turns;
pub(crate) mod welcome;
