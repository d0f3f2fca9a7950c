//! The real binary, as a user runs it: what it prints, and how it ends.

// `SNAPSHOTS=overwrite cargo test` writes snapshots with hashes.
#![allow(clippy::needless_raw_string_hashes)]

mod aei;
mod analyse;
mod arena;
mod bench;
#[cfg(unix)]
mod cluster;
mod common;
mod conversation;
mod data;
mod dpg;
mod explore;
mod export;
mod find;
mod fixture;
mod games;
mod general;
mod goal;
mod import;
mod index;
mod kill;
mod learn;
mod paper;
mod patterns;
mod phase;
mod plans;
mod play;
mod postgres;
mod real_store;
mod replay;
mod serve;
mod setups;
mod show;
mod solve;
mod sources;
mod sql;
mod stats;
mod store;
mod study;
mod synth;
mod turns;
