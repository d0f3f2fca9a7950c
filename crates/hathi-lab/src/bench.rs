//! How fast this machine is, how well engines choose.

// Counts and rates are far below the limits of an f64, and never negative.
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]

pub mod choices;
mod corpus;
pub mod engine;
pub mod forced;
pub mod learn;
mod measure;
pub mod outcomes;
mod playout;
pub mod review;
pub mod rules;
mod scorer;
pub mod store;

pub(crate) use corpus::archived;
pub use corpus::{About, Corpus};
