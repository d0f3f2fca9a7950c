//! The real binary, as a user runs it: what it prints, and how it ends.

// `SNAPSHOTS=overwrite cargo test` writes snapshots with hashes.
#![allow(clippy::needless_raw_string_hashes)]

mod aei;
mod arena;
mod bench;
mod common;
mod data;
mod general;
mod goal;
mod kill;
mod paper;
mod patterns;
mod play;
mod replay;
mod show;
mod store;
mod turns;
