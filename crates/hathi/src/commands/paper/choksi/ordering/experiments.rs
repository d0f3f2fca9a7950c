//! Cross-validation, learning curves, and what each group of features is good
//! for.

use hathi_learn::evaluate::{Measures, Protocol, Rank, Ranker};
use hathi_learn::features::GROUPS;
use hathi_learn::lessons::{Lesson, LessonGame};
use hathi_learn::models::{Method, Model, Phases};
use hathi_learn::samples::{Drawing, Samples};
use hathi_learn::train::Recipe;
use serde::Serialize;

use super::{Games, OrderingArgs};
use crate::commands::learn::evaluate::won_in_two;
use crate::progress::CountBar;
use crate::stop;

/// Other turns drawn for each that was played.
const OTHERS: usize = 150;

/// For the hidden layer, how many of the others are those a first model likes
/// best.
const HARD: usize = 100;

/// How often the games of the kind that is tested are gone through for once
/// through the others.
const EMPHASIS: u32 = 5;

/// The paper's learning curves end there.
const MOST_GAMES: usize = 150;

/// All that was measured.
#[derive(Serialize)]
pub(super) struct Results {
    pub(super) games: usize,
    pub(super) also: usize,
    pub(super) folds: u8,
    pub(super) seed: u64,
    pub(super) models: Vec<Line>,
    /// The best model without a group of features.
    pub(super) ablation: Vec<Line>,
    pub(super) curves: Vec<Curve>,
    pub(super) by_move: Vec<ByMove>,
}

/// A model and how it did, by both protocols.
#[derive(Serialize)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) trained_on: &'static str,
    pub(super) wu: Measures,
    pub(super) paper: Measures,
}

/// A learning curve.
#[derive(Serialize)]
pub(super) struct Curve {
    pub(super) name: String,
    /// Games, mean percentile in training, mean percentile in testing.
    pub(super) points: Vec<(usize, f64, f64)>,
}

/// Percentiles by the number of the move.
#[derive(Serialize)]
pub(super) struct ByMove {
    pub(super) name: String,
    /// First move of ten, turns, share of them ranked in the top 10 %, mean percentile.
    pub(super) tens: Vec<(u32, usize, f64, f64)>,
}

/// A turn and whether it counts for Wu.
struct Asked<'a> {
    lesson: &'a Lesson,
    for_wu: bool,
}

/// A model by name.
struct Named {
    name: String,
    trained_on: &'static str,
    recipe: Recipe,
}

impl Named {
    fn new(name: &str, recipe: Recipe) -> Named {
        Named {
            name: name.to_owned(),
            trained_on: "the same",
            recipe,
        }
    }
}

/// The models of the table.
fn contestants(seed: u64) -> Vec<Named> {
    let recipe = |method, phases| {
        let mut recipe = Recipe::new(method, phases);
        recipe.seed = seed;
        recipe
    };
    let paper = |phases| recipe(Method::Bayes, phases).with_paper_features();
    vec![
        Named::new("Naive Bayes, features of the paper", paper(Phases::One)),
        Named::new(
            "Multiple Naive Bayes, features of the paper",
            paper(Phases::Hard),
        ),
        Named::new(
            "Blended Naive Bayes, features of the paper",
            paper(Phases::Blended),
        ),
        Named::new("Naive Bayes", recipe(Method::Bayes, Phases::One)),
        Named::new("Multiple Naive Bayes", recipe(Method::Bayes, Phases::Hard)),
        Named::new("Logistic regression", recipe(Method::Logistic, Phases::One)),
        Named::new(
            "Multiple logistic regression",
            recipe(Method::Logistic, Phases::Hard),
        ),
        Named::new("Linear SVM", recipe(Method::Svm, Phases::One)),
        Named::new("Multiple linear SVM", recipe(Method::Svm, Phases::Hard)),
        Named::new("Bradley-Terry", recipe(Method::BradleyTerry, Phases::One)),
        Named::new(
            "Blended Bradley-Terry",
            recipe(Method::BradleyTerry, Phases::Blended),
        ),
    ]
}

/// None if it was stopped.
pub(super) fn run(args: &OrderingArgs, games: &Games, seed: u64) -> Option<Results> {
    let samples = sample("games to be tested looked at", &games.tested, None, seed)?;
    let also = sample("other games looked at", &games.also, None, seed)?;
    let (models, ablation, by_move) = cross_validate(args, games, &samples, &also, seed)?;
    let curves = curves(args, games, &samples, &also, seed)?;
    Some(Results {
        games: games.tested.len(),
        also: games.also.len(),
        folds: args.folds,
        seed,
        models,
        ablation,
        curves,
        by_move,
    })
}

/// Samples of each game apart.
fn sample(
    what: &str,
    games: &[LessonGame],
    guide: Option<&Model>,
    seed: u64,
) -> Option<Vec<Samples>> {
    let bar = CountBar::new(what, games.len() as u64);
    let drawing = Drawing {
        random: OTHERS,
        best: HARD,
    };
    let show = |done: usize| {
        bar.show(done as u64);
        !stop::asked()
    };
    let all = Samples::of_each(games, drawing, guide, seed, show);
    bar.finish();
    all
}

fn together<'a>(samples: impl IntoIterator<Item = &'a Samples>) -> Samples {
    let mut all = Samples::default();
    for samples in samples {
        all.append(samples);
    }
    all
}

fn train(recipe: &Recipe, samples: &Samples) -> Model {
    recipe.train(samples, &mut |_| {})
}

/// The best linear model with a hidden layer.
fn with_hidden_layer(best: &Recipe) -> Recipe {
    Recipe {
        hidden: true,
        rounds: 2,
        restraint: 300.0,
        ..best.clone()
    }
}

/// Trained on other games, and what is needed to add those of the kind that is
/// tested: samples against the turns that are hard to tell from the one played.
struct Others {
    samples: Samples,
    /// Sees none of the games tested, so it is trained once.
    model: Model,
    hard: Samples,
    hard_tested: Vec<Samples>,
}

impl Others {
    fn new(best: &Recipe, games: &Games, also: &[Samples], seed: u64) -> Option<Others> {
        let samples = together(also);
        let model = train(best, &samples);
        let guide = Some(&model);
        let hard = sample("other games, hard turns", &games.also, guide, seed)?;
        let hard_tested = sample("games to be tested, hard turns", &games.tested, guide, seed)?;
        Some(Others {
            hard: together(&hard),
            hard_tested,
            samples,
            model,
        })
    }

    /// Models of these games and the others.
    fn models(&self, best: &Recipe, training: &Samples, seen: &[usize]) -> [Model; 4] {
        let both = |others: &Samples, same: &Samples, times: u32| {
            let mut both = others.clone();
            both.append(same);
            both.repeat_from(others.len(), times);
            both
        };
        let hard = together(seen.iter().map(|&i| &self.hard_tested[i]));
        let emphasized = both(&self.hard, &hard, EMPHASIS);
        [
            self.model.clone(),
            train(best, &both(&self.samples, training, 1)),
            train(best, &emphasized),
            train(&with_hidden_layer(best), &emphasized),
        ]
    }

    /// Their names, and what they were trained on.
    const NAMES: [(&str, &str); 4] = [
        ("Blended Bradley-Terry", "other games only"),
        ("Blended Bradley-Terry", "the same and others"),
        ("Blended Bradley-Terry", "the same (5x), others; hard"),
        ("With a hidden layer", "the same (5x), others; hard"),
    ];
}

type Tables = (Vec<Line>, Vec<Line>, Vec<ByMove>);

fn cross_validate(
    args: &OrderingArgs,
    games: &Games,
    samples: &[Samples],
    also: &[Samples],
    seed: u64,
) -> Option<Tables> {
    let contestants = contestants(seed);
    let best = &contestants[contestants.len() - 1].recipe;
    let others = match also {
        [] => None,
        also => Some(Others::new(best, games, also, seed)?),
    };
    let mut ranks: Vec<Vec<(Rank, bool)>> = Vec::new();
    let mut without: Vec<Vec<(Rank, bool)>> = Vec::new();
    let folds = usize::from(args.folds);
    let bar = CountBar::new("parts tested", u64::from(args.folds));
    for fold in 0..folds {
        let seen = |number: &usize| number % folds != fold;
        let trained_on: Vec<usize> = (0..samples.len()).filter(seen).collect();
        let training = together(trained_on.iter().map(|&i| &samples[i]));
        let mut models: Vec<Model> = contestants
            .iter()
            .map(|named| train(&named.recipe, &training))
            .collect();
        if let Some(others) = &others {
            models.extend(others.models(best, &training, &trained_on));
        }
        let ablated: Vec<Model> = GROUPS
            .iter()
            .filter(|group| group.name != "in-turn")
            .map(|group| {
                let mut recipe = best.clone();
                recipe.without = vec![group.name.to_owned()];
                train(&recipe, &training)
            })
            .collect();
        let unseen = (0..games.tested.len()).filter(|number| !seen(number));
        let asked = asked(unseen.map(|i| &games.tested[i]), args.every);
        let together: Vec<&Model> = models.iter().chain(&ablated).collect();
        let (of_models, of_ablated) = {
            let mut all = rank(&together, &asked)?;
            let rest = all.split_off(models.len());
            (all, rest)
        };
        extend(&mut ranks, of_models);
        extend(&mut without, of_ablated);
        bar.show(fold as u64 + 1);
    }
    bar.finish();
    let mut names: Vec<(String, &'static str)> = contestants
        .iter()
        .map(|named| (named.name.clone(), named.trained_on))
        .collect();
    if others.is_some() {
        names.extend(Others::NAMES.map(|(name, trained_on)| (name.to_owned(), trained_on)));
    }
    let models: Vec<Line> = names
        .into_iter()
        .zip(&ranks)
        .map(|((name, trained_on), ranks)| line(name, trained_on, ranks))
        .collect();
    let groups = GROUPS.iter().filter(|group| group.name != "in-turn");
    let ablation = groups
        .zip(&without)
        .map(|(group, ranks)| line(group.name.to_owned(), "the same", ranks))
        .collect();
    let by_move = [0, 1, contestants.len() - 1]
        .into_iter()
        .map(|number| by_move(&contestants[number].name, &ranks[number]))
        .collect();
    Some((models, ablation, by_move))
}

fn extend<T>(all: &mut Vec<Vec<T>>, more: Vec<Vec<T>>) {
    if all.is_empty() {
        *all = more;
    } else {
        for (all, more) in all.iter_mut().zip(more) {
            all.extend(more);
        }
    }
}

fn line(name: String, trained_on: &'static str, ranks: &[(Rank, bool)]) -> Line {
    let all: Vec<Rank> = ranks.iter().map(|(rank, _)| *rank).collect();
    let wu: Vec<Rank> = ranks
        .iter()
        .filter(|(_, for_wu)| *for_wu)
        .map(|(rank, _)| *rank)
        .collect();
    Line {
        name,
        trained_on,
        wu: Measures::of(&wu, Protocol::Wu),
        paper: Measures::of(&all, Protocol::Paper),
    }
}

fn by_move(name: &str, ranks: &[(Rank, bool)]) -> ByMove {
    let last = ranks.iter().map(|(rank, _)| rank.number).max().unwrap_or(0);
    let tens = (0..=last / 10).filter_map(|ten| {
        let first = ten * 10 + 1;
        let of: Vec<Rank> = ranks
            .iter()
            .map(|(rank, _)| *rank)
            .filter(|rank| (first..first + 10).contains(&rank.number))
            .collect();
        let measures = Measures::of(&of, Protocol::Paper);
        (!of.is_empty()).then_some((first, of.len(), measures.top_10, measures.mean_percentile))
    });
    ByMove {
        name: name.to_owned(),
        tens: tens.collect(),
    }
}

/// The turns of games that are asked about, each marked whether it counts for
/// Wu.
fn asked<'a>(games: impl Iterator<Item = &'a LessonGame>, every: u32) -> Vec<Asked<'a>> {
    games
        .flat_map(|game| &game.lessons)
        .step_by(every as usize)
        .map(|lesson| Asked {
            lesson,
            for_wu: Protocol::Wu.counts(lesson, won_in_two),
        })
        .collect()
}

/// For each model the ranks of all turns; none if stopped.
fn rank(models: &[&Model], asked: &[Asked<'_>]) -> Option<Vec<Vec<(Rank, bool)>>> {
    let mut ranker = Ranker::default();
    let mut all = vec![Vec::new(); models.len()];
    for asked in asked {
        if stop::asked() {
            return None;
        }
        if let Some(ranks) = ranker.rank_all(models, asked.lesson) {
            for (all, rank) in all.iter_mut().zip(ranks) {
                all.push((rank, asked.for_wu));
            }
        }
    }
    Some(all)
}

/// Figures 6 and 7: trained on 70 % of 10 to 150 games, tested on the other 30.
fn curves(
    args: &OrderingArgs,
    games: &Games,
    samples: &[Samples],
    also: &[Samples],
    seed: u64,
) -> Option<Vec<Curve>> {
    let contestants = contestants(seed);
    let chosen = [0, 1, contestants.len() - 1].map(|number| &contestants[number]);
    let all: Vec<(&LessonGame, &Samples)> = games
        .tested
        .iter()
        .zip(samples)
        .chain(games.also.iter().zip(also))
        .collect();
    let sizes: Vec<usize> = (10..=MOST_GAMES.min(all.len())).step_by(10).collect();
    let mut curves: Vec<Curve> = chosen
        .iter()
        .map(|named| Curve {
            name: named.name.clone(),
            points: Vec::new(),
        })
        .collect();
    let bar = CountBar::new("points of learning curves", sizes.len() as u64);
    for (number, &size) in sizes.iter().enumerate() {
        let mut sums = vec![(0.0, 0.0); chosen.len()];
        for trial in 0..args.trials {
            let mut random = fastrand::Rng::with_seed(seed + u64::from(trial) * 1000 + size as u64);
            let picked = random.choose_multiple(all.iter(), size);
            let (training, testing) = picked.split_at(size * 7 / 10);
            let samples = together(training.iter().map(|(_, samples)| *samples));
            let models: Vec<Model> = chosen
                .iter()
                .map(|named| train(&named.recipe, &samples))
                .collect();
            let models: Vec<&Model> = models.iter().collect();
            let mean = |games: &[&(&LessonGame, &Samples)], random: &mut fastrand::Rng| {
                let lessons: Vec<Asked<'_>> = games
                    .iter()
                    .flat_map(|(game, _)| &game.lessons)
                    .map(|lesson| Asked {
                        lesson,
                        for_wu: false,
                    })
                    .collect();
                // A hundred turns say enough for a point of a curve.
                let some = random.choose_multiple(lessons, 100);
                let ranks = rank(&models, &some)?;
                let means = ranks.iter().map(|ranks| line(String::new(), "", ranks));
                Some(
                    means
                        .map(|line| line.paper.mean_percentile)
                        .collect::<Vec<f64>>(),
                )
            };
            let of_training = mean(training, &mut random)?;
            let of_testing = mean(testing, &mut random)?;
            for ((sum, training), testing) in sums.iter_mut().zip(of_training).zip(of_testing) {
                sum.0 += training;
                sum.1 += testing;
            }
        }
        let trials = f64::from(args.trials.max(1));
        for (curve, (training, testing)) in curves.iter_mut().zip(sums) {
            curve
                .points
                .push((size, training / trials, testing / trials));
        }
        bar.show(number as u64 + 1);
    }
    bar.finish();
    Some(curves)
}
