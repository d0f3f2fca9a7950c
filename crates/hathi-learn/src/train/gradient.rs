//! Weights by descent: Bradley-Terry, logistic regression, support vectors.
//!
//! All three go through the choices in an order drawn by chance, and move the
//! weights of the features at hand a little towards a better score of the turn
//! played, in steps that become smaller the more a weight has moved (Adagrad).
//!
//! With phases every weight is a common part and a part for each phase. Both
//! are drawn to zero, so that a feature seldom seen in a phase keeps what it is
//! worth in the others.

use hathi_model::features::FEATURES;
use hathi_model::models::{Method, Weights};

use super::{Parts, Recipe};
use crate::samples::{Choice, Samples};

/// The first step of a weight.
const RATE: f32 = 0.1;

struct Descent<'a> {
    recipe: &'a Recipe,
    samples: &'a Samples,
    used: Box<[bool; FEATURES]>,
    weights: Vec<Parts>,
    /// Squares of all changes so far.
    moved: Vec<Parts>,
    /// What is added to every score, for methods that tell yes from no.
    bias: f32,
    /// Changes of the choice at hand.
    changes: Vec<f32>,
    touched: Vec<u16>,
    scores: Vec<f32>,
    decay: f32,
}

pub(super) fn train(
    recipe: &Recipe,
    samples: &Samples,
    tick: &mut dyn FnMut(f64),
) -> Vec<Box<Weights>> {
    let mut descent = Descent {
        recipe,
        samples,
        used: recipe.used(),
        weights: vec![[0.0; 4]; FEATURES],
        moved: vec![[1e-4; 4]; FEATURES],
        bias: 0.0,
        changes: vec![0.0; FEATURES],
        touched: Vec::new(),
        scores: Vec::new(),
        decay: recipe.restraint / samples.len().max(1) as f32,
    };
    let mut random = fastrand::Rng::with_seed(recipe.seed);
    let mut order = samples.round();
    for round in 0..recipe.rounds {
        random.shuffle(&mut order);
        for (number, &choice) in order.iter().enumerate() {
            descent.learn(&samples.choices[choice]);
            if number % 256 == 0 {
                let part = number as f64 / order.len() as f64;
                tick((f64::from(round) + part) / f64::from(recipe.rounds));
            }
        }
    }
    recipe.sets(&descent.weights)
}

impl Descent<'_> {
    fn learn(&mut self, choice: &Choice) {
        let parts = self.recipe.parts(choice);
        self.scores.clear();
        for candidate in choice.first..choice.end {
            let mut sum: Parts = [0.0; 4];
            for &feature in self.samples.features(candidate) {
                let weights = &self.weights[usize::from(feature)];
                for (sum, weight) in sum.iter_mut().zip(weights) {
                    *sum += weight;
                }
            }
            let score = sum.iter().zip(parts).map(|(sum, part)| sum * part).sum();
            self.scores.push(score);
        }
        self.pulls(choice);
        for (number, candidate) in (choice.first..choice.end).enumerate() {
            let pull = self.scores[number];
            if pull == 0.0 {
                continue;
            }
            for &feature in self.samples.features(candidate) {
                let index = usize::from(feature);
                if self.used[index] {
                    if self.changes[index] == 0.0 {
                        self.touched.push(feature);
                    }
                    self.changes[index] += pull;
                }
            }
        }
        for feature in self.touched.drain(..) {
            let index = usize::from(feature);
            // Zero in between, it may be listed twice: the second time nothing is left.
            let change = std::mem::take(&mut self.changes[index]);
            if change == 0.0 {
                continue;
            }
            let weights = &mut self.weights[index];
            let moved = &mut self.moved[index];
            for ((weight, moved), part) in weights.iter_mut().zip(moved).zip(parts) {
                let change = change * part - self.decay * *weight;
                *moved += change * change;
                *weight += RATE * change / moved.sqrt();
            }
        }
    }

    /// Turns the scores of candidates into how much each should rise.
    fn pulls(&mut self, choice: &Choice) {
        let stands_for = &self.samples.stands_for[choice.first..choice.end];
        let total: f32 = stands_for[1..].iter().sum();
        match self.recipe.method {
            Method::Logistic | Method::Svm => {
                // Those not played count together as much as the one played.
                let mut bias = 0.0;
                for (number, score) in self.scores.iter_mut().enumerate() {
                    let (sign, weight) = match number {
                        0 => (1.0, 1.0),
                        _ => (-1.0, stands_for[number] / total),
                    };
                    let margin = sign * (*score + self.bias);
                    let pull = if self.recipe.method == Method::Svm {
                        f32::from(margin < 1.0)
                    } else {
                        1.0 / (1.0 + margin.exp())
                    };
                    *score = sign * weight * pull;
                    bias += *score;
                }
                self.bias += 0.01 * bias;
            }
            Method::Bayes | Method::BradleyTerry => {
                competition(&mut self.scores, stands_for);
            }
        }
    }
}

/// How much each score should rise, if the first has won a competition in which
/// each stands for so many: one less its chance, the others less theirs.
pub(super) fn competition(scores: &mut [f32], stands_for: &[f32]) {
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (score, stands_for) in scores.iter_mut().zip(stands_for) {
        *score = (*score - highest).exp() * stands_for;
        sum += *score;
    }
    for score in &mut *scores {
        *score = -*score / sum;
    }
    scores[0] += 1.0;
}
