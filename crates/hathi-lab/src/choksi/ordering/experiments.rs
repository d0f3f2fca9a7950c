//! Cross-validation, learning curves, and what each group of features is good
//! for.

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use hathi_learn::clustered::{Clustered, ThreeClusters};
use hathi_learn::evaluate::{Measures, Protocol, Rank, Ranker, won_in_two};
use hathi_learn::lessons::{Lesson, LessonGame};
use hathi_learn::samples::{Drawing, Samples, Sampling};
use hathi_learn::train::Recipe;
use hathi_model::features::GROUPS;
use hathi_model::models::{Method, Model, Phases, Unit};
use hathi_rules::Position;
use serde::{Deserialize, Serialize};

use super::{Games, Request};
use crate::failure::BadInput;
use crate::folder;
use crate::watcher::Watcher;

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
pub struct Results {
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
    /// Games, mean percentile in training, mean percentile in testing, and how
    /// sure these two are (95 %, from the trials; 0 of one trial).
    pub(super) points: Vec<(usize, f64, f64, f64, f64)>,
}

/// Percentiles by the number of the move.
#[derive(Serialize)]
pub(super) struct ByMove {
    pub(super) name: String,
    /// First move of ten, turns, share of them ranked in the top 10 %, mean percentile.
    pub(super) tens: Vec<(u32, usize, f64, f64)>,
    /// For the same tens the shares of turns in ten groups of percentiles, the
    /// lowest first: figures 8 and 9.
    pub(super) groups: Vec<[f64; 10]>,
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
    /// Its phases are clusters of boards, not drawn by hand.
    on_clusters: bool,
}

/// A trained model.
enum Trained {
    ByPhase(Model),
    ByCluster(Clustered),
}

impl Trained {
    /// As it is in a position.
    fn at(&self, position: &Position) -> Cow<'_, Model> {
        match self {
            Trained::ByPhase(model) => Cow::Borrowed(model),
            Trained::ByCluster(clustered) => Cow::Owned(clustered.at(position)),
        }
    }
}

impl Named {
    fn train(&self, samples: &Samples, clusters: &ThreeClusters) -> Trained {
        if self.on_clusters {
            Trained::ByCluster(Clustered::train(&self.recipe, samples, clusters))
        } else {
            Trained::ByPhase(train(&self.recipe, samples))
        }
    }

    fn on_clusters(name: &str, recipe: Recipe) -> Named {
        Named {
            on_clusters: true,
            ..Named::new(name, recipe)
        }
    }

    fn new(name: &str, recipe: Recipe) -> Named {
        Named {
            name: name.to_owned(),
            trained_on: "the same",
            recipe,
            on_clusters: false,
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
        Named::on_clusters(
            "Multiple Naive Bayes on X-means clusters, features of the paper",
            paper(Phases::Hard),
        ),
        Named::new(
            "Blended Naive Bayes, features of the paper",
            paper(Phases::Blended),
        ),
        Named::on_clusters(
            "Blended Naive Bayes on X-means clusters, features of the paper",
            paper(Phases::Blended),
        ),
        Named::new("Naive Bayes", recipe(Method::Bayes, Phases::One)),
        Named::new("Multiple Naive Bayes", recipe(Method::Bayes, Phases::Hard)),
        Named::new("Logistic regression", recipe(Method::Logistic, Phases::One)),
        Named::new(
            "Multiple logistic regression",
            recipe(Method::Logistic, Phases::Hard),
        ),
        Named::on_clusters(
            "Multiple logistic regression on X-means clusters",
            recipe(Method::Logistic, Phases::Hard),
        ),
        Named::new("Linear SVM", recipe(Method::Svm, Phases::One)),
        Named::new("Multiple linear SVM", recipe(Method::Svm, Phases::Hard)),
        Named::on_clusters(
            "Multiple linear SVM on X-means clusters",
            recipe(Method::Svm, Phases::Hard),
        ),
        Named::new("Bradley-Terry", recipe(Method::BradleyTerry, Phases::One)),
        Named::on_clusters(
            "Blended Bradley-Terry on X-means clusters",
            recipe(Method::BradleyTerry, Phases::Blended),
        ),
        Named::new(
            "Blended Bradley-Terry",
            recipe(Method::BradleyTerry, Phases::Blended),
        ),
    ]
}

/// Those of the figures: the paper's two, the latter with phases by hand and on
/// clusters, as it had them, and the best.
fn of_figures(contestants: &[Named]) -> [usize; 4] {
    [0, 1, 2, contestants.len() - 1]
}

/// What of the cross-validation was done: models of one kind, tested on one
/// part of the games.
#[derive(Serialize, Deserialize)]
struct Part {
    fold: usize,
    kind: Kind,
    /// For each model the ranks of all turns, and whether they count for Wu.
    ranks: Vec<Vec<(Rank, bool)>>,
}

/// Models that are trained and tested together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// Those of the table.
    Contestants,
    /// Those that see other games as well.
    Others,
    /// The best one without a group of features.
    Ablation,
}

/// A point of the learning curves: means in training and in testing of each
/// model, trial by trial.
#[derive(Serialize, Deserialize)]
struct Point {
    size: usize,
    /// For each trial the means of each model.
    trials: Vec<Vec<(f64, f64)>>,
}

/// Does what is not done yet, and keeps it in the folder as it comes. None if it
/// was stopped.
pub(super) fn run(
    request: &Request,
    games: &Games,
    watcher: &dyn Watcher,
) -> anyhow::Result<Option<Results>> {
    let seed = request.seed;
    let sample = |what: &str, games: &[LessonGame]| sample(what, games, None, seed, watcher);
    let Some(samples) = sample("games to be tested looked at", &games.tested) else {
        return Ok(None);
    };
    let Some(also) = sample("other games looked at", &games.also) else {
        return Ok(None);
    };
    let clusters = ThreeClusters::shipped()
        .ok_or_else(|| anyhow::anyhow!("the clusters that are shipped are not three"))?;
    let experiment = Experiment {
        request,
        clusters: &clusters,
        games,
        samples: &samples,
        also: &also,
        watcher,
    };
    let Some((models, ablation, by_move)) = experiment.cross_validate()? else {
        return Ok(None);
    };
    let Some(curves) = experiment.curves()? else {
        return Ok(None);
    };
    Ok(Some(Results {
        games: games.tested.len(),
        also: games.also.len(),
        folds: request.folds,
        seed,
        models,
        ablation,
        curves,
        by_move,
    }))
}

/// Work on several cores, what comes of it handled one by one as it comes. False
/// if it was stopped before the end.
fn in_parallel<J: Sync, R: Send>(
    jobs: &[J],
    workers: usize,
    watcher: &dyn Watcher,
    work: impl Fn(&J) -> Option<R> + Sync,
    mut done: impl FnMut(R) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, jobs.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while !watcher.asked_to_stop()
                    && let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                    && let Some(result) = work(job)
                    && sender.send(result).is_ok()
                {}
            });
        }
        drop(sender);
        let mut count = 0;
        for result in receiver {
            done(result)?;
            count += 1;
        }
        Ok(count == jobs.len())
    })
}

/// Samples of each game apart.
fn sample(
    what: &str,
    games: &[LessonGame],
    guide: Option<&Model>,
    seed: u64,
    watcher: &dyn Watcher,
) -> Option<Vec<Samples>> {
    let bar = watcher.count(what, games.len() as u64);
    let sampling = Sampling {
        unit: Unit::Turn,
        drawing: Drawing {
            random: OTHERS,
            best: HARD,
            ..Drawing::default()
        },
        seed,
    };
    sampling.of_each(games, guide, |done| {
        bar(done as u64);
        !watcher.asked_to_stop()
    })
}

fn train(recipe: &Recipe, samples: &Samples) -> Model {
    recipe.train(samples, &mut |_| {})
}

/// The best linear model with a hidden layer.
fn with_hidden_layer(best: &Recipe) -> Recipe {
    Recipe {
        layers: 1,
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
    fn new(experiment: &Experiment<'_>, best: &Recipe) -> Option<Others> {
        let Experiment { games, watcher, .. } = *experiment;
        let samples = Samples::together(experiment.also);
        let model = train(best, &samples);
        let guide = Some(&model);
        let sample = |what: &str, games: &[LessonGame]| {
            sample(what, games, guide, experiment.request.seed, watcher)
        };
        let hard = sample("other games, hard turns", &games.also)?;
        let hard_tested = sample("games to be tested, hard turns", &games.tested)?;
        Some(Others {
            hard: Samples::together(&hard),
            hard_tested,
            samples,
            model,
        })
    }

    /// Models of these games and the others.
    fn models(&self, best: &Recipe, training: &Samples, seen: &[usize]) -> [Model; 4] {
        let hard = Samples::together(seen.iter().map(|&i| &self.hard_tested[i]));
        let emphasized = Samples::emphasizing(&self.hard, &hard, EMPHASIS);
        [
            self.model.clone(),
            train(best, &Samples::emphasizing(&self.samples, training, 1)),
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

/// What all parts of it need.
struct Experiment<'a> {
    request: &'a Request,
    clusters: &'a ThreeClusters,
    games: &'a Games,
    /// Of the games tested, one by one.
    samples: &'a [Samples],
    /// Of the others.
    also: &'a [Samples],
    watcher: &'a dyn Watcher,
}

impl Experiment<'_> {
    fn cross_validate(&self) -> anyhow::Result<Option<Tables>> {
        let contestants = contestants(self.request.seed);
        let best = &contestants[contestants.len() - 1].recipe;
        let folds = usize::from(self.request.folds);
        let path = self.request.out.join("parts.jsonl");
        let mut parts: Vec<Part> = folder::read_lines(&path)?;
        let models_of = |kind: Kind| match kind {
            Kind::Contestants => contestants.len(),
            Kind::Others => Others::NAMES.len(),
            Kind::Ablation => ablated_groups().count(),
        };
        let fits = |part: &Part| part.fold < folds && part.ranks.len() == models_of(part.kind);
        if !parts.iter().all(fits) {
            return Err(of_another_kind(&path));
        }
        let mut missing = Vec::new();
        // What takes longest first.
        for kind in [Kind::Others, Kind::Ablation, Kind::Contestants] {
            for fold in 0..folds {
                let known = |part: &Part| (part.fold, part.kind) == (fold, kind);
                if !parts.iter().any(known) && (kind != Kind::Others || !self.also.is_empty()) {
                    missing.push((fold, kind));
                }
            }
        }
        let others = if missing.iter().any(|(_, kind)| *kind == Kind::Others) {
            match Others::new(self, best) {
                Some(others) => Some(others),
                None => return Ok(None),
            }
        } else {
            None
        };
        let planned = (parts.len() + missing.len()) as u64;
        let bar = self.watcher.count("parts trained and tested", planned);
        bar(parts.len() as u64);
        let work = |&(fold, kind): &(usize, Kind)| {
            let seen = |number: &usize| number % folds != fold;
            let trained_on: Vec<usize> = (0..self.samples.len()).filter(seen).collect();
            let training = Samples::together(trained_on.iter().map(|&i| &self.samples[i]));
            let models: Vec<Trained> = match kind {
                Kind::Contestants => {
                    let named = contestants.iter();
                    named
                        .map(|named| named.train(&training, self.clusters))
                        .collect()
                }
                Kind::Others => {
                    let models = others.as_ref()?.models(best, &training, &trained_on);
                    models.map(Trained::ByPhase).into()
                }
                Kind::Ablation => ablated_groups()
                    .map(|group| {
                        let mut recipe = best.clone();
                        recipe.without = vec![group.to_owned()];
                        Trained::ByPhase(train(&recipe, &training))
                    })
                    .collect(),
            };
            let unseen = (0..self.games.tested.len()).filter(|number| !seen(number));
            let asked = asked(unseen.map(|i| &self.games.tested[i]), self.request.every);
            let ranks = rank(&models, &asked, self.watcher)?;
            Some(Part { fold, kind, ranks })
        };
        let finished = in_parallel(
            &missing,
            self.request.concurrency,
            self.watcher,
            work,
            |part| {
                folder::append(&path, &part)?;
                parts.push(part);
                bar(parts.len() as u64);
                Ok(())
            },
        )?;
        drop(bar);
        if !finished {
            return Ok(None);
        }
        parts.sort_by_key(|part| part.fold);
        let ranks_of = |kind: Kind| {
            let mut all: Vec<Vec<(Rank, bool)>> = Vec::new();
            for part in parts.iter().filter(|part| part.kind == kind) {
                all.resize(part.ranks.len(), Vec::new());
                for (all, more) in all.iter_mut().zip(&part.ranks) {
                    all.extend(more);
                }
            }
            all
        };
        let ranks = ranks_of(Kind::Contestants);
        let named = contestants.iter().zip(&ranks);
        let mut models: Vec<Line> = named
            .map(|(named, ranks)| line(named.name.clone(), named.trained_on, ranks))
            .collect();
        let of_others = ranks_of(Kind::Others);
        models.extend(
            Others::NAMES
                .iter()
                .zip(&of_others)
                .map(|((name, trained_on), ranks)| line((*name).to_owned(), trained_on, ranks)),
        );
        let ablation = ablated_groups()
            .zip(&ranks_of(Kind::Ablation))
            .map(|(group, ranks)| line(group.to_owned(), "the same", ranks))
            .collect();
        let by_move = of_figures(&contestants)
            .into_iter()
            .map(|number| by_move(&contestants[number].name, &ranks[number]))
            .collect();
        Ok(Some((models, ablation, by_move)))
    }
}

fn of_another_kind(path: &Path) -> anyhow::Error {
    BadInput::error(format!(
        "{} holds results of other models than this version has; remove it, it is made again",
        path.display()
    ))
}

/// Groups of features that turns have.
fn ablated_groups() -> impl Iterator<Item = &'static str> {
    let names = GROUPS.iter().map(|group| group.name);
    names.filter(|name| *name != "in-turn")
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
        let ten = (first, of.len(), measures.top_10, measures.mean_percentile);
        (!of.is_empty()).then(|| (ten, groups_of(&of)))
    });
    let (tens, groups) = tens.unzip();
    ByMove {
        name: name.to_owned(),
        tens,
        groups,
    }
}

/// Shares of turns by percentile, in ten groups.
fn groups_of(ranks: &[Rank]) -> [f64; 10] {
    let mut groups = [0.0; 10];
    for rank in ranks {
        let percentile = rank.percentile(Protocol::Paper);
        #[allow(clippy::cast_sign_loss)] // 0 to 100
        let group = ((percentile / 10.0) as usize).min(9);
        groups[group] += 1.0 / ranks.len() as f64;
    }
    groups
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
fn rank(
    models: &[Trained],
    asked: &[Asked<'_>],
    watcher: &dyn Watcher,
) -> Option<Vec<Vec<(Rank, bool)>>> {
    let mut ranker = Ranker::default();
    let mut all = vec![Vec::new(); models.len()];
    for asked in asked {
        if watcher.asked_to_stop() {
            return None;
        }
        let here: Vec<Cow<'_, Model>> = models
            .iter()
            .map(|model| model.at(&asked.lesson.position))
            .collect();
        let here: Vec<&Model> = here.iter().map(|model| &**model).collect();
        if let Some(ranks) = ranker.rank_all(&here, asked.lesson) {
            for (all, rank) in all.iter_mut().zip(ranks) {
                all.push((rank, asked.for_wu));
            }
        }
    }
    Some(all)
}

impl Experiment<'_> {
    /// Figures 6 and 7: trained on 70 % of 10 to 150 games, tested on the other
    /// 30.
    fn curves(&self) -> anyhow::Result<Option<Vec<Curve>>> {
        let contestants = contestants(self.request.seed);
        let chosen = of_figures(&contestants).map(|number| &contestants[number]);
        let also = self.games.also.iter().zip(self.also);
        let all: Vec<(&LessonGame, &Samples)> = self
            .games
            .tested
            .iter()
            .zip(self.samples)
            .chain(also)
            .collect();
        let path = self.request.out.join("points.jsonl");
        let mut points: Vec<Point> = folder::read_lines(&path)?;
        let fits = |means: &Vec<_>| means.len() == chosen.len();
        if !points.iter().flat_map(|point| &point.trials).all(fits) {
            return Err(of_another_kind(&path));
        }
        let sizes = (10..=MOST_GAMES.min(all.len())).step_by(10);
        let missing: Vec<usize> = sizes
            .filter(|size| !points.iter().any(|point| point.size == *size))
            .collect();
        let planned = (points.len() + missing.len()) as u64;
        let bar = self.watcher.count("points of learning curves", planned);
        bar(points.len() as u64);
        let work = |&size: &usize| self.point(&chosen, &all, size);
        let finished = in_parallel(
            &missing,
            self.request.concurrency,
            self.watcher,
            work,
            |point| {
                folder::append(&path, &point)?;
                points.push(point);
                bar(points.len() as u64);
                Ok(())
            },
        )?;
        drop(bar);
        if !finished {
            return Ok(None);
        }
        points.sort_by_key(|point| point.size);
        let curves = chosen.iter().enumerate().map(|(number, named)| {
            let of = |point: &Point| {
                let of_trials = |which: fn(&(f64, f64)) -> f64| {
                    let trials = point.trials.iter();
                    mean_and_margin(
                        &trials
                            .map(|means| which(&means[number]))
                            .collect::<Vec<_>>(),
                    )
                };
                let (training, of_training) = of_trials(|means| means.0);
                let (testing, of_testing) = of_trials(|means| means.1);
                (point.size, training, testing, of_training, of_testing)
            };
            Curve {
                name: named.name.clone(),
                points: points.iter().map(of).collect(),
            }
        });
        Ok(Some(curves.collect()))
    }

    fn point(
        &self,
        chosen: &[&Named],
        all: &[(&LessonGame, &Samples)],
        size: usize,
    ) -> Option<Point> {
        let mut trials = Vec::new();
        for trial in 0..self.request.trials {
            let trial = u64::from(trial) * 1000 + size as u64;
            let seed = self.request.seed.wrapping_add(trial);
            let mut random = fastrand::Rng::with_seed(seed);
            let picked = random.choose_multiple(all.iter(), size);
            let (training, testing) = picked.split_at(size * 7 / 10);
            let samples = Samples::together(training.iter().map(|(_, samples)| *samples));
            let models: Vec<Trained> = chosen
                .iter()
                .map(|named| named.train(&samples, self.clusters))
                .collect();
            let of_training = mean_percentiles(&models, training, &mut random, self.watcher)?;
            let of_testing = mean_percentiles(&models, testing, &mut random, self.watcher)?;
            trials.push(of_training.into_iter().zip(of_testing).collect());
        }
        Some(Point { size, trials })
    }
}

/// The mean of trials, and half of its 95 % interval.
fn mean_and_margin(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    if values.len() < 2 {
        return (mean, 0.0);
    }
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0) / count).sqrt())
}

/// Of each model on some turns of games: a hundred say enough for a point of a
/// curve.
fn mean_percentiles(
    models: &[Trained],
    games: &[&(&LessonGame, &Samples)],
    random: &mut fastrand::Rng,
    watcher: &dyn Watcher,
) -> Option<Vec<f64>> {
    let lessons = games.iter().flat_map(|(game, _)| &game.lessons);
    let lessons: Vec<Asked<'_>> = lessons
        .map(|lesson| Asked {
            lesson,
            for_wu: false,
        })
        .collect();
    let some = random.choose_multiple(lessons, 100);
    let ranks = rank(models, &some, watcher)?;
    let lines = ranks.iter().map(|ranks| line(String::new(), "", ranks));
    Some(lines.map(|line| line.paper.mean_percentile).collect())
}
