//! Models that give a turn a score, and the files they are kept in.
//!
//! They have a weight for each feature, added up. They differ in how the weights
//! came about ([`Method`]), in whether there is one set of weights or one for
//! each phase of the game ([`Phases`]), and in whether a [hidden](Model::cells)
//! layer or several are added to that.

mod file;
pub mod hidden;

pub use file::{ModelError, Training, Unit};

use hathi_rules::{Position, Reached, TurnGenerator};

use crate::features::{Context, FEATURES, FORESEEN, OUTLOOK, Outlook, Past, Sum, Worths};
use crate::network::Network;
use crate::phase::PhaseFeatures;
use crate::steps::{Foreseen, StepNetwork};
use hidden::{CELLS, Cells, Hidden};

/// How weights are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Naive Bayes: features are counted in expert turns and in all others,
    /// as if they had nothing to do with each other.
    Bayes,
    /// Logistic regression: expert turn or not.
    Logistic,
    /// A linear support vector machine.
    Svm,
    /// Bradley-Terry: the expert turn won a competition against all others.
    BradleyTerry,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 4] = [
        Method::Bayes,
        Method::Logistic,
        Method::Svm,
        Method::BradleyTerry,
    ];

    /// Its name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Bayes => "bayes",
            Method::Logistic => "logistic",
            Method::Svm => "svm",
            Method::BradleyTerry => "bradley-terry",
        }
    }
}

/// One set of weights, or one for each phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phases {
    /// The same weights throughout.
    One,
    /// Those of the phase a position is in.
    Hard,
    /// A mixture, by how likely each phase is.
    Blended,
}

impl Phases {
    /// All of them.
    pub const ALL: [Phases; 3] = [Phases::One, Phases::Hard, Phases::Blended];

    /// Its name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Phases::One => "one",
            Phases::Hard => "hard",
            Phases::Blended => "blended",
        }
    }

    /// Sets of weights.
    pub const fn count(self) -> usize {
        match self {
            Phases::One => 1,
            Phases::Hard | Phases::Blended => 3,
        }
    }

    /// How much each set counts in a position.
    pub fn shares(self, position: &Position) -> [f32; 3] {
        match self {
            Phases::One => [1.0, 0.0, 0.0],
            Phases::Hard => {
                let mut shares = [0.0; 3];
                shares[PhaseFeatures::of(position).heuristic().index()] = 1.0;
                shares
            }
            Phases::Blended => {
                let chances = PhaseFeatures::of(position).probabilities();
                chances.0.map(|chance| chance as f32)
            }
        }
    }
}

/// The weights of all features.
pub type Weights = [f32; FEATURES];

/// A trained model.
#[derive(Clone, Debug)]
pub struct Model {
    /// How it was trained.
    pub training: Training,
    /// One set of weights or three.
    sets: Vec<Box<Weights>>,
    /// Hidden layers; what they count is added.
    layers: Vec<Hidden>,
    has_outlook: bool,
    foresees: bool,
}

/// A model made ready for the turns of one position.
#[derive(Debug)]
pub struct Ready<'a> {
    weights: Box<Weights>,
    /// The layers, each with its cells before the turn.
    layers: Vec<(&'a Hidden, Cells)>,
}

impl Model {
    /// A model of these weights, as many sets as its phases need.
    ///
    /// # Panics
    ///
    /// If there are more or fewer sets than that.
    pub fn new(training: Training, sets: Vec<Box<Weights>>, layers: Vec<Hidden>) -> Model {
        assert_eq!(sets.len(), training.phases.count());
        let uses = |first: usize| {
            let weighs = |set: &Weights| set[first..].iter().any(|&weight| weight != 0.0);
            sets.iter().any(|set| weighs(set)) || layers.iter().any(|layer| layer.uses(first))
        };
        let (has_outlook, foresees) = (uses(OUTLOOK), uses(FORESEEN));
        Model {
            training,
            sets,
            layers,
            has_outlook,
            foresees,
        }
    }

    /// Does it look at what comes of a turn ([`Outlook`])?
    pub fn has_outlook(&self) -> bool {
        self.has_outlook
    }

    /// How many cells its hidden layers have; none if it has no such layer.
    pub fn cells(&self) -> usize {
        self.layers.len() * CELLS
    }

    /// Ready for the turns of a position.
    pub fn ready(&self, position: &Position, context: &Context) -> Ready<'_> {
        Ready {
            weights: self.weights(position),
            layers: {
                let scene = context.scene();
                let layers = self.layers.iter();
                layers.map(|layer| (layer, layer.start(&scene))).collect()
            },
        }
    }

    /// The model of whole turns that comes with Hathi.
    pub fn shipped() -> Result<Model, ModelError> {
        Model::from_text(include_str!("../models/turns.json"))
    }

    /// The model of single steps that comes with Hathi: what orders steps in
    /// a search.
    pub fn shipped_steps() -> Result<Model, ModelError> {
        Model::from_text(include_str!("../models/steps.json"))
    }

    /// The weights for a position: those of its phase. With a hidden layer they
    /// are not all there is; [`Model::ready`] scores with it.
    pub fn weights(&self, position: &Position) -> Box<Weights> {
        let mut mixed = self.sets[0].clone();
        if self.sets.len() > 1 {
            let shares = self.training.phases.shares(position);
            mixed.fill(0.0);
            for (set, share) in self.sets.iter().zip(shares) {
                if share > 0.0 {
                    for (mixed, weight) in mixed.iter_mut().zip(set.iter()) {
                        *mixed += share * weight;
                    }
                }
            }
        }
        mixed
    }

    /// Scores every distinct turn of a position, in the order of the
    /// generator.
    pub fn score_turns(
        &self,
        position: &Position,
        past: &Past,
        generator: &mut TurnGenerator,
        scores: &mut Vec<f32>,
    ) {
        let context = Context::new(position, past);
        let ready = self.ready(position, &context);
        let mut features = Vec::new();
        scores.clear();
        let turns = generator.generate(position);
        if let Some(network) = Network::shipped().ok().filter(|_| self.has_outlook) {
            let turns: Vec<Reached<'_>> = turns.collect();
            let mut worths = Worths::new(network, position);
            let each: Vec<i32> = turns
                .iter()
                .map(|turn| worths.after(turn.board()))
                .collect();
            let mut outlook = Outlook::new(&context, worths.before(), each.clone());
            if let Some(steps) = StepNetwork::shipped().ok().filter(|_| self.foresees) {
                let foreseen = Foreseen::new(steps, position, past);
                outlook = outlook.foreseeing(foreseen, turns.iter().map(Reached::board));
            }
            let mut score = |turn: usize, captures: bool| {
                let (turn, worth) = (&turns[turn], each[turn]);
                features.clear();
                context.list_turn(turn.board(), turn.steps_used(), &mut features);
                outlook.list_worth(worth, &mut features);
                outlook.list_foreseen(turn.board(), &mut features);
                if captures {
                    outlook.list_captures(&context, turn.board(), &mut features);
                }
                ready.score(&features)
            };
            scores.extend((0..turns.len()).map(|turn| score(turn, false)));
            refine(scores, |turn| score(turn, true));
            return;
        }
        scores.extend(turns.map(|reached| {
            let (board, steps) = (reached.board(), reached.steps_used());
            if ready.layers.is_empty() {
                let mut sum = Sum::new(&ready.weights);
                context.list_turn(board, steps, &mut sum);
                return sum.total;
            }
            features.clear();
            context.list_turn(board, steps, &mut features);
            ready.score(&features)
        }));
    }

    /// The sets of weights, one or one for each phase.
    pub fn sets(&self) -> impl Iterator<Item = &Weights> {
        self.sets.iter().map(|set| &**set)
    }
}

/// The part of all turns, those scored highest, that is looked at more closely.
const CLOSELY: usize = 4;

/// Scores the best part of all turns anew; the others stay behind these, in
/// their order.
fn refine(scores: &mut [f32], mut closely: impl FnMut(usize) -> f32) {
    let Some(place) = scores.len().checked_sub(1).map(|last| last / CLOSELY) else {
        return;
    };
    let mut sorted = scores.to_vec();
    let (_, &mut border, _) = sorted.select_nth_unstable_by(place, |a, b| b.total_cmp(a));
    let mut lowest = f32::INFINITY;
    let best: Vec<usize> = (0..scores.len())
        .filter(|&turn| scores[turn] >= border)
        .collect();
    for score in scores.iter_mut() {
        *score -= border;
    }
    for &turn in &best {
        scores[turn] = closely(turn);
        lowest = lowest.min(scores[turn]);
    }
    let mut best = best.into_iter().peekable();
    for (turn, score) in scores.iter_mut().enumerate() {
        if best.next_if_eq(&turn).is_none() {
            *score += lowest;
        }
    }
}

impl Ready<'_> {
    /// The score of a turn with these features.
    #[inline]
    pub fn score(&self, features: &[u16]) -> f32 {
        let weights = features.iter().map(|&f| self.weights[usize::from(f)]);
        let hidden = self.layers.iter();
        let hidden = hidden.map(|(layer, start)| layer.score(start, features));
        weights.sum::<f32>() + hidden.sum::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_best_quarter_is_looked_at_closely() {
        let mut scores = [5.0, 1.0, 4.0, 0.0, 3.0, 2.0, -1.0, -2.0];
        // The second best is worth much less than it seemed.
        refine(&mut scores, |turn| [9.0, 0.0, -7.0][turn]);
        let whole = scores.map(|score| score as i32);
        assert_eq!(whole, [9, -10, -7, -11, -8, -9, -12, -13]);
        let mut none: [f32; 0] = [];
        refine(&mut none, |_| 1.0);
        let mut one = [2.0];
        refine(&mut one, |_| 3.0);
        assert!((one[0] - 3.0).abs() < 1e-6);
    }
}
