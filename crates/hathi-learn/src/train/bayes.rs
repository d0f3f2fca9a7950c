//! Naive Bayes with the multivariate Bernoulli model: for each feature how
//! often it holds in turns that were played and in those that were not, one
//! added to each count (Laplace).
//!
//! The score is the logarithm of the posterior odds. A feature that does not
//! hold counts as well, log((1-p)/(1-q)); the sum of these over all features
//! is the same for every turn and is taken off the weight of those that hold.

use hathi_model::features::FEATURES;
use hathi_model::models::Weights;

use super::Recipe;
use crate::samples::Samples;

/// How often something was seen.
#[derive(Clone)]
struct Counts {
    features: Vec<f64>,
    turns: f64,
}

impl Counts {
    fn new() -> Counts {
        Counts {
            features: vec![0.0; FEATURES],
            turns: 0.0,
        }
    }

    fn share(&self, feature: usize) -> f64 {
        (self.features[feature] + 1.0) / (self.turns + 2.0)
    }
}

pub(super) fn train(recipe: &Recipe, samples: &Samples) -> Vec<Box<Weights>> {
    let used = recipe.used();
    let sets = recipe.phases.count();
    let mut played = vec![Counts::new(); sets];
    let mut others = vec![Counts::new(); sets];
    let mut distinct = Vec::new();
    for choice in &samples.choices {
        let shares = recipe.shares(choice);
        let times = choice.times as f32;
        for candidate in choice.first..choice.end {
            let counts = if candidate == choice.first {
                &mut played
            } else {
                &mut others
            };
            distinct.clear();
            distinct.extend_from_slice(samples.features(candidate));
            distinct.sort_unstable();
            distinct.dedup();
            for (counts, share) in counts.iter_mut().zip(shares) {
                let weight = f64::from(samples.stands_for[candidate] * share * times);
                if weight > 0.0 {
                    counts.turns += weight;
                    for &feature in &distinct {
                        counts.features[usize::from(feature)] += weight;
                    }
                }
            }
        }
    }
    let weights = |played: &Counts, others: &Counts| {
        let mut weights = Box::new([0.0; FEATURES]);
        for (feature, weight) in weights.iter_mut().enumerate() {
            if used[feature] {
                let (p, q) = (played.share(feature), others.share(feature));
                *weight = ((p / q).ln() - ((1.0 - p) / (1.0 - q)).ln()) as f32;
            }
        }
        weights
    };
    let pairs = played.iter().zip(&others);
    pairs
        .map(|(played, others)| weights(played, others))
        .collect()
}
