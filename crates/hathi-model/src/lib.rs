//! What engines need of learning: phases of the game, features of turns, and
//! models that score them. Nothing here trains; `hathi-learn` does.
//!
//! | to find | look in |
//! |---|---|
//! | opening, middle game, end game | [`phase`] |
//! | what a turn looks like to a model | [`features`] |
//! | models and their files | [`models`] |
//! | what a board is worth | [`network`] |
//! | which steps are likely | [`steps`] |
//! | what drawings share | [`drawing`] |

// Only where the processor's wide registers are asked for.
#![deny(unsafe_code)]

pub mod drawing;
pub mod features;
pub mod models;
pub mod network;
pub mod phase;
pub mod steps;
