//! From samples to models.

mod bayes;
mod gradient;

use crate::features::{FEATURES, GROUPS};
use crate::models::{Method, Model, Phases, Training, Unit, Weights};
use crate::samples::{Choice, Samples};

/// What to train.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// How weights are found.
    pub method: Method,
    /// One set of weights or one a phase.
    pub phases: Phases,
    /// Whole turns or single steps: what the samples are of.
    pub unit: Unit,
    /// Groups of features not to use.
    pub without: Vec<String>,
    /// Times through all samples, for methods that go round.
    pub rounds: u32,
    /// How strongly weights are drawn to zero: large for few games.
    pub restraint: f32,
    /// What the dice start with.
    pub seed: u64,
    /// What the samples are of, in words.
    pub games: String,
}

impl Recipe {
    /// A recipe with settings that work for some hundred games.
    pub fn new(method: Method, phases: Phases) -> Recipe {
        Recipe {
            method,
            phases,
            unit: Unit::Turn,
            without: Vec::new(),
            rounds: 12,
            restraint: 2.0,
            seed: 1,
            games: String::new(),
        }
    }

    /// Only the features the paper had.
    #[must_use]
    pub fn with_paper_features(mut self) -> Recipe {
        let others = GROUPS.iter().filter(|group| !group.in_paper);
        self.without = others.map(|group| group.name.to_owned()).collect();
        self
    }

    /// Which features count.
    fn used(&self) -> Box<[bool; FEATURES]> {
        let mut used = Box::new([true; FEATURES]);
        for group in &GROUPS {
            if self.without.iter().any(|name| name == group.name) {
                used[group.start..group.start + group.len].fill(false);
            }
        }
        used
    }

    fn shares(&self, choice: &Choice) -> [f32; 3] {
        match self.phases {
            Phases::One => [1.0, 0.0, 0.0],
            Phases::Hard => choice.hard,
            Phases::Blended => choice.blended,
        }
    }

    /// Trains a model. `tick` is called now and then, with the share that is
    /// done.
    pub fn train(&self, samples: &Samples, tick: &mut dyn FnMut(f64)) -> Model {
        let sets: Vec<Box<Weights>> = match self.method {
            Method::Bayes => bayes::train(self, samples),
            Method::Logistic | Method::Svm | Method::BradleyTerry => {
                gradient::train(self, samples, tick)
            }
        };
        let training = Training {
            method: self.method,
            phases: self.phases,
            unit: self.unit,
            games: self.games.clone(),
            game_count: samples.games,
            positions: samples.len(),
            seed: self.seed,
            without: self.without.clone(),
        };
        Model::new(training, sets)
    }
}
