//! The engines there are.

use crate::engines::{RandomSteps, RandomTurns};
use crate::{Engine, EngineError, EngineSpec};

/// An engine by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// Any legal turn, all equally likely.
    Random,
    /// Random steps.
    Step,
}

impl EngineKind {
    /// All of them, weakest first.
    pub const ALL: [EngineKind; 2] = [EngineKind::Step, EngineKind::Random];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Random => "random",
            EngineKind::Step => "step",
        }
    }

    /// What it does, in a sentence.
    pub const fn about(self) -> &'static str {
        match self {
            EngineKind::Random => "plays any legal turn, all equally likely",
            EngineKind::Step => "plays random steps, one to four of them",
        }
    }

    /// The engine of this name.
    pub fn by_name(name: &str) -> Option<EngineKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// All names, for messages.
    pub(crate) fn list() -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|kind| kind.name()).collect();
        names.join(", ")
    }
}

impl EngineSpec {
    /// An engine with its options as they come.
    pub fn of(kind: EngineKind) -> EngineSpec {
        EngineSpec {
            kind,
            options: crate::EngineOptions::default(),
        }
    }

    /// Makes the engine, ready to play.
    pub fn build(&self) -> Result<Box<dyn Engine>, EngineError> {
        Ok(match self.kind {
            EngineKind::Random => Box::new(RandomTurns::default()),
            EngineKind::Step => Box::new(RandomSteps::default()),
        })
    }
}
