//! One file a command: its arguments, and what it does.

pub(crate) mod aei;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod find;
pub(crate) mod games;
pub(crate) mod goal;
pub(crate) mod import;
pub(crate) mod index;
pub(crate) mod man;
pub(crate) mod paper;
pub(crate) mod play;
pub(crate) mod puzzles;
pub(crate) mod replay;
pub(crate) mod serve;
pub(crate) mod setups;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod synth;
pub(crate) mod turns;
