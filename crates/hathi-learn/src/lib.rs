//! What games teach: models that say which turns a strong player would look
//! at first, trained and measured, and phases of the game found in boards.
//!
//! | to find | look in |
//! |---|---|
//! | turns to learn from | [`lessons`], [`samples`] |
//! | from games to a model, the whole way | [`pipeline`] |
//! | training and measuring | [`train`], [`evaluate`] |
//! | games of an engine against itself | [`selfplay`] |
//! | which setups do best | [`setups`] |
//! | the evaluation network, trained and measured | [`network`] |
//! | which steps a search tries first | [`steps`] |
//! | boards by phase features, counted and drawn | [`histogram`], [`heatmap`] |
//! | groups of boards, found in games | [`clusters`] |
//! | models with weights for each of them | [`clustered`] |
//! | groups of points, their number found by itself | [`xmeans`] |

// One call each in `network/forward.rs` and `steps/trainer.rs` needs it: the same code for newer processors.
#![deny(unsafe_code)]

pub mod clustered;
pub mod clusters;
pub mod evaluate;
pub mod heatmap;
pub mod histogram;
pub mod lessons;
pub mod network;
pub mod pipeline;
pub mod samples;
pub mod selfplay;
pub mod setups;
pub mod steps;
pub mod train;
pub mod xmeans;
