//! From samples to models.

mod bayes;
mod gradient;
mod hidden;

use hathi_model::features::{FEATURES, GROUPS};
use hathi_model::models::{Method, Model, Phases, Training, Unit, Weights};

use crate::samples::{Choice, Samples};

/// A weight: the common part, then one for each phase.
type Parts = [f32; 4];

/// What to train.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// How weights are found.
    pub method: Method,
    /// One set of weights or one a phase.
    pub phases: Phases,
    /// Whole turns or single steps: what the samples are of.
    pub unit: Unit,
    /// How many hidden layers to add, each trained from a random seed of its
    /// own; only for Bradley-Terry on whole turns.
    pub layers: u32,
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
            layers: 0,
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

    /// How much each part of a weight counts.
    fn parts(&self, choice: &Choice) -> Parts {
        let [a, b, c] = match self.phases {
            Phases::One => [0.0; 3],
            _ => self.shares(choice),
        };
        [1.0, a, b, c]
    }

    /// Sets of weights from their parts.
    fn sets(&self, parts: &[Parts]) -> Vec<Box<Weights>> {
        let set = |phase: usize| {
            let mut weights = Box::new([0.0; FEATURES]);
            for (weight, parts) in weights.iter_mut().zip(parts) {
                *weight = match self.phases {
                    Phases::One => parts[0],
                    _ => parts[0] + parts[phase + 1],
                };
            }
            weights
        };
        (0..self.phases.count()).map(set).collect()
    }

    /// Trains a model. `tick` is called now and then, with the share that is
    /// done.
    pub fn train(&self, samples: &Samples, tick: &mut dyn FnMut(f64)) -> Model {
        let (sets, layers) = match self.method {
            Method::Bayes => (bayes::train(self, samples), Vec::new()),
            Method::BradleyTerry if self.layers > 0 => hidden::train_several(self, samples, tick),
            Method::Logistic | Method::Svm | Method::BradleyTerry => {
                (gradient::train(self, samples, tick), Vec::new())
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
        Model::new(training, sets, layers)
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

    fn samples_of(game: &LessonGame) -> Samples {
        let mut samples = Samples::default();
        let mut random = fastrand::Rng::with_seed(1);
        let drawing = Drawing {
            random: 200,
            best: 0,
            ..Drawing::default()
        };
        let mut generator = TurnGenerator::new();
        samples.add_game(game, drawing, None, &mut random, &mut generator);
        samples
    }

    #[test]
    fn every_method_learns_what_it_is_shown() {
        let game = game();
        let samples = samples_of(&game);
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
    fn a_hidden_layer_learns_that_it_depends() {
        let mut samples = Samples::default();
        for _ in 0..500 {
            samples.add_choice(3, &[10, 20]);
            samples.add_choice(4, &[20, 10]);
        }
        let mut recipe = Recipe::new(Method::BradleyTerry, Phases::One);
        let plain = recipe.train(&samples, &mut |_| {});
        assert_eq!(plain.cells(), 0);
        let weights: Vec<&Weights> = plain.sets().collect();
        assert!((weights[0][10] - weights[0][20]).abs() < 0.5);

        recipe.layers = 1;
        let (sets, layer) = hidden::train(&recipe, &samples, &mut |_| {});
        let score = |scene: u16, feature: u16| {
            let hidden = layer.score(&layer.start(&[scene]), &[feature]);
            sets[0][usize::from(feature)] + hidden
        };
        assert!(score(3, 10) > score(3, 20) + 1.0);
        assert!(score(4, 20) > score(4, 10) + 1.0);
    }

    #[test]
    fn a_hidden_layer_scores_real_turns_and_survives_its_file() {
        let game = game();
        let samples = samples_of(&game);
        let mut recipe = Recipe::new(Method::BradleyTerry, Phases::Blended);
        recipe.layers = 1;
        let model = recipe.train(&samples, &mut |_| {});
        let again = Model::from_text(&model.to_text().expect("written")).expect("read");
        assert_eq!(again.cells(), model.cells());
        assert!(model.cells() > 0);
        assert!(!model.has_outlook(), "nothing of the kind was sampled");
        let mut ranker = Ranker::default();
        for lesson in &game.lessons {
            let rank = ranker.rank(&model, lesson).expect("a legal turn");
            assert!(rank.percentile(crate::evaluate::Protocol::Paper) > 97.0);
            let both = ranker.rank_all(&[&model, &again], lesson);
            let both = both.expect("a legal turn");
            assert_eq!(both[0], rank);
            assert!(both[1].higher.abs_diff(rank.higher) < 10);
        }
        let text = model.to_text().expect("written");
        let short = text.replacen("\"out\":[", "\"out\":[1,", 1);
        let error = Model::from_text(&short).expect_err("a cell too many");
        assert!(error.to_string().contains("33 hidden cells"), "{error}");
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
        let (_, layer) = hidden::train(&recipe, &samples_of(&game()), &mut |_| {});
        let nothing =
            |row: &hathi_model::models::hidden::Cells| row.0.iter().all(|&cell| cell == 0);
        assert!(layer.features()[..source.len].iter().all(nothing));
        assert!(!layer.features()[source.len..].iter().all(nothing));
    }
}
