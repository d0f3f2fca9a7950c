//! Models with a set of weights for each cluster of boards that X-means has
//! found, in the place of phases with borders drawn by hand: Choksi and others,
//! sections 5.2 and 5.3.

use hathi_model::features::FEATURES;
use hathi_model::models::{Model, Phases, Training, Weights};
use hathi_model::phase::PhaseFeatures;
use hathi_rules::Position;

use crate::clusters::Clusters;
use crate::samples::Samples;
use crate::train::Recipe;

/// Clusters that take the place of the three phases.
#[derive(Clone, Debug)]
pub struct ThreeClusters(Clusters);

impl ThreeClusters {
    /// Those that are shipped, which the paper's number was asked of, too.
    pub fn shipped() -> Option<ThreeClusters> {
        Clusters::shipped().and_then(ThreeClusters::new)
    }

    /// None if there are more or fewer.
    pub fn new(clusters: Clusters) -> Option<ThreeClusters> {
        (clusters.all().len() == 3).then_some(ThreeClusters(clusters))
    }

    /// What they are.
    pub fn clusters(&self) -> &Clusters {
        &self.0
    }

    /// All of the one that is nearest.
    pub(crate) fn nearest(&self, features: PhaseFeatures) -> [f32; 3] {
        let mut shares = [0.0; 3];
        shares[self.0.nearest(features)] = 1.0;
        shares
    }

    /// By how likely each is.
    pub(crate) fn chances(&self, features: PhaseFeatures) -> [f32; 3] {
        let chances = self.0.chances(features);
        [0, 1, 2].map(|cluster: usize| chances.get(cluster).map_or(0.0, |&chance| chance as f32))
    }
}

/// A trained model with a set of weights for each cluster.
#[derive(Clone, Debug)]
pub struct Clustered {
    model: Model,
    clusters: ThreeClusters,
}

impl Clustered {
    /// Trains one: hard or blended as the recipe says of phases.
    pub fn train(recipe: &Recipe, samples: &Samples, clusters: &ThreeClusters) -> Clustered {
        let samples = samples.by_clusters(clusters);
        Clustered {
            model: recipe.train(&samples, &mut |_| {}),
            clusters: clusters.clone(),
        }
    }

    /// The model for a position: the weights of its cluster, or their mixture.
    pub fn at(&self, position: &Position) -> Model {
        let features = PhaseFeatures::of(position);
        let shares = match self.model.training.phases {
            Phases::One => [1.0, 0.0, 0.0],
            Phases::Hard => self.clusters.nearest(features),
            Phases::Blended => self.clusters.chances(features),
        };
        let mut mixed: Box<Weights> = Box::new([0.0; FEATURES]);
        for (set, share) in self.model.sets().zip(shares) {
            if share > 0.0 {
                for (mixed, weight) in mixed.iter_mut().zip(set.iter()) {
                    *mixed += share * weight;
                }
            }
        }
        let training = Training {
            phases: Phases::One,
            ..self.model.training.clone()
        };
        Model::new(training, vec![mixed], Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use hathi_model::models::Method;
    use hathi_rules::{Game, RuleSet};

    use super::*;
    use crate::evaluate::{Protocol, Ranker};
    use crate::lessons::LessonGame;
    use crate::samples::{Drawing, Sampling};

    #[test]
    fn every_method_learns_from_clusters_what_it_is_shown() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let mut game = Game::from_position(RuleSet::Modern, start.parse().expect("a position"));
        for turn in [
            "Ee2n Ee3n Ee4n Hh2n",
            "ed7s ed6s ed5s ha7s",
            "Ha2n Ha3n Dg2n Md2n",
        ] {
            game.play(&turn.parse().expect("a turn")).expect("legal");
        }
        let game = LessonGame::new(1, &game, None);
        let sampling = Sampling {
            unit: hathi_model::models::Unit::Turn,
            drawing: Drawing {
                random: 200,
                best: 0,
                ..Drawing::default()
            },
            seed: 1,
        };
        let samples = sampling
            .of_each(std::slice::from_ref(&game), None, |_| true)
            .expect("not stopped");
        let clusters = ThreeClusters::shipped().expect("three");
        let mut ranker = Ranker::default();
        for method in Method::ALL {
            for phases in [Phases::Hard, Phases::Blended] {
                let recipe = Recipe::new(method, phases);
                let model = Clustered::train(&recipe, &samples[0], &clusters);
                for lesson in &game.lessons {
                    let at = model.at(&lesson.position);
                    let rank = ranker.rank(&at, lesson).expect("a legal turn");
                    let percentile = rank.percentile(Protocol::Paper);
                    // Counting three turns says less than going through them.
                    let least = if method == Method::Bayes { 85.0 } else { 97.0 };
                    assert!(percentile > least, "{method:?} {phases:?}: {percentile}");
                }
            }
        }
    }

    #[test]
    fn shares_of_clusters_add_up() {
        let clusters = ThreeClusters::shipped().expect("three");
        for (fewer_pieces, advanced, goal_threat) in
            [(16, 0, false), (12, 5, false), (8, 6, true), (3, 0, false)]
        {
            let features = PhaseFeatures {
                fewer_pieces,
                advanced,
                goal_threat,
            };
            for shares in [clusters.nearest(features), clusters.chances(features)] {
                assert!(
                    (shares.iter().sum::<f32>() - 1.0).abs() < 1e-5,
                    "{shares:?}"
                );
            }
        }
    }
}
