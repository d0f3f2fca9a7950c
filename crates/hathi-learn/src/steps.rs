//! The order of steps, learned from the turns that searches chose: what
//! [`StepNetwork`](hathi_model::steps::StepNetwork) knows.

mod lesson;
mod measure;
mod trainer;

pub use lesson::StepLesson;
pub use measure::{Foresight, by_model, by_network};
pub use trainer::{StepEpoch, StepProgress, StepSettings, StepTrainer};
