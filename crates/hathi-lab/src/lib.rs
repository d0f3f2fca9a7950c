//! The laboratory: experiments of papers done again, benches, and the reports
//! they write. Uses all of Hathi; only the command line uses it.
//!
//! | to find | look in |
//! |---|---|
//! | McKee's thesis of 2014: a memory bot | [`mckee`] |
//! | Choksi, Ebrahim-Zadeh and Mohan, 2013: game phase, move ordering | [`choksi`] |
//! | Carlini, 2008: bitboards, drawings, sizes, branching | [`carlini`] |
//! | Trippen, 2009: plans, patterns and move categories | [`rat`] |
//! | how fast rules, engines, models and the memory are | [`mod@bench`] |
//! | how selective rat is | [`survey`] |
//! | who watches an experiment and may stop it | [`Watcher`] |

#![forbid(unsafe_code)]

pub mod bench;
mod branching;
pub mod carlini;
pub mod choksi;
mod document;
mod eighths;
mod failure;
mod fingerprint;
mod folder;
mod grid;
mod matches;
pub mod mckee;
mod questions;
pub mod rat;
mod rate;
pub mod survey;
mod watcher;

pub use failure::BadInput;
pub use watcher::{Counting, Indexing, Playing, Watcher};
