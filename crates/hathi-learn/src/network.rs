//! Training the evaluation network of `hathi-model` on positions with scores.
//!
//! Floating point here, integers in play: [`Trainer::network`] rounds. Rows of
//! the first layer that are alike share what they learn through their
//! [`kin`](hathi_model::network::inputs::kin); what is shared is added into the
//! rows when the network is written, and costs nothing in play.

mod adam;
mod curve;
mod forward;
mod lesson;
mod measure;
mod trainer;

pub(crate) use adam::{Adam, Home};
pub use curve::ResultCurve;
pub use lesson::{
    Lesson, LessonError, ScoredPosition, chance_of, read_scored, read_scored_positions,
};
pub use measure::{Agreement, agreement};
pub use trainer::{Epoch, Progress, Settings, Trainer};
