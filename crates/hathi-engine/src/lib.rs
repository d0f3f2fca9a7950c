//! Engines: everything that chooses a turn.
//!
//! | to find | look in |
//! |---|---|
//! | what an engine is | [`Engine`], [`Decision`], [`Thought`] |
//! | how long it may think | [`Limits`], [`Stop`] |
//! | engines by name and option | [`EngineKind`], [`EngineSpec`], [`EngineOptions`] |

mod engine;
mod engines;
mod kinds;
mod limits;
mod options;
mod setups;

pub use engine::{Choice, Decision, Engine, EngineError, Thought};
pub use kinds::EngineKind;
pub use limits::{Limits, Stop};
pub use options::{EngineOptions, EngineSpec, OPTIONS, OptionError, OptionInfo, SpecError};
