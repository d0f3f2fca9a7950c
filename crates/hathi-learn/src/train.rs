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

#[cfg(test)]
mod tests {
    use hathi_rules::{Game, RuleSet, TurnGenerator};

    use super::*;
    use crate::evaluate::Ranker;
    use crate::lessons::LessonGame;
    use crate::samples::Drawing;

    /// Both elephants walk to the centre.
    fn game() -> LessonGame {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let start = start.parse().expect("a position");
        let mut game = Game::from_position(RuleSet::Modern, start);
        for turn in [
            "Ee2n Ee3n Ee4n Hh2n",
            "ed7s ed6s ed5s ha7s",
            "Ha2n Ha3n Dg2n Md2n",
        ] {
            game.play(&turn.parse().expect("a turn")).expect("legal");
        }
        LessonGame::new(1, &game, None)
    }

    #[test]
    fn every_method_learns_what_it_is_shown() {
        let game = game();
        let mut samples = Samples::default();
        let mut random = fastrand::Rng::with_seed(1);
        let drawing = Drawing {
            random: 200,
            best: 0,
        };
        let mut generator = TurnGenerator::new();
        samples.add_game(&game, drawing, None, &mut random, &mut generator);
        assert_eq!(samples.len(), 3);
        let mut ranker = Ranker::default();
        for method in Method::ALL {
            for phases in Phases::ALL {
                let model = Recipe::new(method, phases).train(&samples, &mut |_| {});
                for lesson in &game.lessons {
                    let rank = ranker.rank(&model, lesson).expect("a legal turn");
                    let percentile = rank.percentile(crate::evaluate::Protocol::Paper);
                    // Counting three turns says less than going through them.
                    let least = if method == Method::Bayes { 85.0 } else { 97.0 };
                    let names = (method.name(), phases.name());
                    assert!(percentile > least, "{names:?} {percentile}");
                }
            }
        }
    }

    #[test]
    fn groups_left_out_have_no_weight() {
        let mut samples = Samples::default();
        samples.add_steps(&game());
        assert_eq!(samples.len(), 12);
        let mut recipe = Recipe::new(Method::BradleyTerry, Phases::Blended);
        recipe.without = vec!["source".to_owned()];
        let model = recipe.train(&samples, &mut |_| {});
        let source = GROUPS.iter().find(|group| group.name == "source");
        let source = source.expect("a group of that name");
        for weights in model.sets() {
            assert!(weights[..source.len].iter().all(|&weight| weight == 0.0));
            assert!(weights[source.len..].iter().any(|&weight| weight != 0.0));
        }
    }

    #[test]
    fn the_shipped_models_can_be_read() {
        let turns = Model::shipped().expect("the model of turns");
        assert_eq!(turns.training.unit, Unit::Turn);
        let steps = Model::shipped_steps().expect("the model of steps");
        assert_eq!(steps.training.unit, Unit::Step);
    }
}
