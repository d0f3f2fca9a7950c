//! What models are trained on: for each lesson the turn played and a sample of
//! the others, as lists of features.

use std::sync::atomic::{AtomicUsize, Ordering};

use hathi_model::features::{Context, OUTLOOK, Outlook, Worths};
use hathi_model::models::{Model, Phases, Unit};
use hathi_model::network::Network;
use hathi_model::phase::PhaseFeatures;
use hathi_model::steps::{Foreseen, StepNetwork};
use hathi_rules::{Reached, Turn, TurnGenerator};

use crate::clustered::ThreeClusters;
use crate::lessons::{Lesson, LessonGame};

/// Turns to choose from, the one played first.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Where its candidates begin and end.
    pub(crate) first: usize,
    pub(crate) end: usize,
    /// How much each phase counts, hard and blended.
    pub(crate) hard: [f32; 3],
    pub(crate) blended: [f32; 3],
    /// What the phase is judged by.
    pub(crate) phase: PhaseFeatures,
    /// Features of the position itself; of turns only.
    pub(crate) scene: Vec<u16>,
    /// How often it is gone through in a round.
    pub(crate) times: u32,
    /// Is it of the games that are emphasized, those the model is for?
    pub(crate) emphasized: bool,
}

/// Samples of many games, kept together.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    pub(crate) choices: Vec<Choice>,
    features: Vec<u16>,
    /// Where the features of each candidate end.
    ends: Vec<usize>,
    /// How many turns each candidate stands for.
    pub(crate) stands_for: Vec<f32>,
    /// How many games.
    pub games: usize,
}

/// How candidates are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// Drawn by chance among all turns.
    pub random: usize,
    /// The best by a model, if there is one: the turns that are hard to tell
    /// from the one played.
    pub best: usize,
    /// The best are looked for among so many drawn by chance; among all if there
    /// are no more.
    pub pool: usize,
    /// List what comes of the turns, too ([`Outlook`]).
    pub outlook: bool,
}

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing {
            random: 150,
            best: 50,
            pool: usize::MAX,
            outlook: false,
        }
    }
}

/// Turns that each is compared with, in its outlook.
const COMPARED: usize = 1000;

/// How games become samples.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Whole turns or single steps.
    pub unit: Unit,
    /// How the other turns are drawn. Of steps all others are taken.
    pub drawing: Drawing,
    /// Every random choice follows from it.
    pub seed: u64,
}

impl Sampling {
    /// The samples of each game apart. The guide knows which turns are hard to
    /// tell from the one played. `tick` is told how many games are done and says
    /// whether to go on; none if not.
    pub fn of_each(
        &self,
        games: &[LessonGame],
        guide: Option<&Model>,
        tick: impl Fn(usize) -> bool + Sync,
    ) -> Option<Vec<Samples>> {
        match self.unit {
            Unit::Turn => Samples::of_each(games, self.drawing, guide, self.seed, tick),
            Unit::Step => {
                let each = games.iter().zip(1..).map(|(game, done)| {
                    let samples = Samples::of_steps(game);
                    tick(done).then_some(samples)
                });
                each.collect()
            }
        }
    }
}

impl Samples {
    /// The samples of many games together.
    pub fn together<'a>(samples: impl IntoIterator<Item = &'a Samples>) -> Samples {
        let mut all = Samples::default();
        for samples in samples {
            all.append(samples);
        }
        all
    }

    /// These, and those that are gone through so many times a round.
    #[must_use]
    pub fn emphasizing(&self, emphasized: &Samples, times: u32) -> Samples {
        let mut both = self.clone();
        both.append(emphasized);
        both.repeat_from(self.len(), times);
        both
    }

    /// The same with clusters of boards in the place of phases.
    pub(crate) fn by_clusters(&self, clusters: &ThreeClusters) -> Samples {
        let mut samples = self.clone();
        for choice in &mut samples.choices {
            choice.hard = clusters.nearest(choice.phase);
            choice.blended = clusters.chances(choice.phase);
        }
        samples
    }

    /// Features of a candidate.
    #[inline]
    pub(crate) fn features(&self, candidate: usize) -> &[u16] {
        let start = match candidate {
            0 => 0,
            n => self.ends[n - 1],
        };
        &self.features[start..self.ends[candidate]]
    }

    /// Does any of them say what comes of a turn?
    pub(crate) fn have_outlook(&self) -> bool {
        self.features.iter().any(|&f| usize::from(f) >= OUTLOOK)
    }

    /// How many turns were played in the games.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Is there nothing to learn?
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// The samples of each game, worked out on all cores: the same whatever their
    /// number. `tick` is told how many are done and says whether to go on; none
    /// if not.
    fn of_each(
        games: &[LessonGame],
        drawing: Drawing,
        guide: Option<&Model>,
        seed: u64,
        tick: impl Fn(usize) -> bool + Sync,
    ) -> Option<Vec<Samples>> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            let mut generator = TurnGenerator::new();
            let mut mine = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(game) = games.get(number) else {
                    return Some(mine);
                };
                let mut random = fastrand::Rng::with_seed(seed ^ game.id);
                let mut samples = Samples::default();
                samples.add_game(game, drawing, guide, &mut random, &mut generator);
                mine.push((number, samples));
                if !tick(done.fetch_add(1, Ordering::Relaxed) + 1) {
                    return None;
                }
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut all = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
            let mut all = Vec::new();
            for worker in workers {
                all.extend(worker.join().ok()??);
            }
            Some(all)
        })?;
        all.sort_unstable_by_key(|(number, _)| *number);
        Some(all.into_iter().map(|(_, samples)| samples).collect())
    }

    /// The choices from this one on are emphasized: gone through so many times a
    /// round.
    fn repeat_from(&mut self, choice: usize, times: u32) {
        for choice in self.choices.iter_mut().skip(choice) {
            choice.times = times;
            choice.emphasized = true;
        }
    }

    /// The choices of a round, not yet shuffled.
    pub(crate) fn round(&self) -> Vec<usize> {
        let choices = self.choices.iter().enumerate();
        choices
            .flat_map(|(number, choice)| std::iter::repeat_n(number, choice.times as usize))
            .collect()
    }

    /// Adds a game: of every turn the one played and a sample of the others.
    pub(crate) fn add_game(
        &mut self,
        game: &LessonGame,
        drawing: Drawing,
        guide: Option<&Model>,
        random: &mut fastrand::Rng,
        generator: &mut TurnGenerator,
    ) {
        self.games += 1;
        for lesson in &game.lessons {
            self.add_lesson(lesson, drawing, guide, random, generator);
        }
    }

    fn add_lesson(
        &mut self,
        lesson: &Lesson,
        drawing: Drawing,
        guide: Option<&Model>,
        random: &mut fastrand::Rng,
        generator: &mut TurnGenerator,
    ) {
        let turns: Vec<Reached<'_>> = generator.generate(&lesson.position).collect();
        let played = turns.iter().position(|turn| *turn.board() == lesson.after);
        let Some(played) = played.filter(|_| turns.len() > 1) else {
            return;
        };
        let context = Context::new(&lesson.position, &lesson.past);
        let network = Network::shipped().ok().filter(|_| drawing.outlook);
        let mut outlook = network.map(|network| {
            let mut worths = Worths::new(network, &lesson.position);
            let every = turns.len().div_ceil(COMPARED);
            let compared = turns.iter().skip(random.usize(..every)).step_by(every);
            let compared = compared.map(|turn| worths.after(turn.board())).collect();
            let mut outlook = Outlook::new(&context, worths.before(), compared);
            if let Ok(steps) = StepNetwork::shipped() {
                let foreseen = Foreseen::new(steps, &lesson.position, &lesson.past);
                outlook = outlook.foreseeing(foreseen, turns.iter().map(Reached::board));
            }
            (worths, outlook)
        });
        let first = self.ends.len();
        let mut add = |turn: usize, stands_for: f32| {
            let turn = &turns[turn];
            context.list_turn(turn.board(), turn.steps_used(), &mut self.features);
            if let Some((worths, outlook)) = &mut outlook {
                let worth = worths.after(turn.board());
                outlook.list(&context, turn.board(), worth, &mut self.features);
            }
            self.ends.push(self.features.len());
            self.stands_for.push(stands_for);
        };
        add(played, 1.0);
        let mut others: Vec<usize> = (0..turns.len()).filter(|&turn| turn != played).collect();
        let all = others.len() as f32;
        let mut best = 0;
        if let Some(guide) = guide {
            if others.len() > drawing.pool {
                random.shuffle(&mut others);
                others.truncate(drawing.pool);
            }
            let ready = guide.ready(&lesson.position, &context);
            let mut features = Vec::new();
            let mut scored: Vec<(usize, f32)> = others
                .iter()
                .map(|&turn| {
                    features.clear();
                    context.list_turn(turns[turn].board(), turns[turn].steps_used(), &mut features);
                    (turn, ready.score(&features))
                })
                .collect();
            best = drawing.best.min(others.len());
            scored.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            others = scored.into_iter().map(|(turn, _)| turn).collect();
        }
        // What each of the pool stands for.
        let each = all / others.len().max(1) as f32;
        for &turn in &others[..best] {
            add(turn, each);
        }
        let rest = &mut others[best..];
        let drawn = drawing.random.min(rest.len());
        let stands_for = each * rest.len() as f32 / drawn.max(1) as f32;
        for place in 0..drawn {
            let pick = random.usize(place..rest.len());
            rest.swap(place, pick);
            add(rest[place], stands_for);
        }
        self.choices.push(Choice {
            first,
            end: self.ends.len(),
            hard: Phases::Hard.shares(&lesson.position),
            blended: Phases::Blended.shares(&lesson.position),
            phase: PhaseFeatures::of(&lesson.position),
            scene: context.scene(),
            times: 1,
            emphasized: false,
        });
    }

    /// The steps of a game.
    pub(crate) fn of_steps(game: &LessonGame) -> Samples {
        let mut samples = Samples::default();
        samples.add_steps(game);
        samples
    }

    /// Adds the steps of a game: each with all the others there were.
    pub(crate) fn add_steps(&mut self, game: &LessonGame) {
        self.games += 1;
        for lesson in &game.lessons {
            let hard = Phases::Hard.shares(&lesson.position);
            let blended = Phases::Blended.shares(&lesson.position);
            let phase = PhaseFeatures::of(&lesson.position);
            let mut position = lesson.position;
            for &played in lesson.turn.iter().flat_map(Turn::steps) {
                let past = lesson
                    .past
                    .inside(lesson.position.board(), position.board());
                let context = Context::at_a_glance(&position, &past);
                let first = self.ends.len();
                let others = position.legal_steps();
                let others = others.iter().filter(|&&step| step != played);
                for &step in std::iter::once(&played).chain(others) {
                    context.list_step(&position, step, &mut self.features);
                    self.ends.push(self.features.len());
                    self.stands_for.push(1.0);
                }
                let end = self.ends.len();
                if end - first > 1 {
                    self.choices.push(Choice {
                        first,
                        end,
                        hard,
                        blended,
                        phase,
                        scene: Vec::new(),
                        times: 1,
                        emphasized: false,
                    });
                }
                position.apply(played);
            }
        }
    }

    /// A choice between turns with one feature each, the first of which was
    /// played.
    #[cfg(test)]
    pub(crate) fn add_choice(&mut self, scene: u16, candidates: &[u16]) {
        let first = self.ends.len();
        for &feature in candidates {
            self.features.push(feature);
            self.ends.push(self.features.len());
            self.stands_for.push(1.0);
        }
        self.choices.push(Choice {
            first,
            end: self.ends.len(),
            hard: [1.0, 0.0, 0.0],
            blended: [1.0, 0.0, 0.0],
            phase: PhaseFeatures {
                fewer_pieces: 16,
                advanced: 0,
                goal_threat: false,
            },
            scene: vec![scene],
            times: 1,
            emphasized: false,
        });
    }

    /// Puts the samples of other games after these.
    pub fn append(&mut self, other: &Samples) {
        let (candidates, features) = (self.ends.len(), self.features.len());
        self.features.extend_from_slice(&other.features);
        self.ends
            .extend(other.ends.iter().map(|end| end + features));
        self.stands_for.extend_from_slice(&other.stands_for);
        self.choices
            .extend(other.choices.iter().map(|choice| Choice {
                first: choice.first + candidates,
                end: choice.end + candidates,
                ..choice.clone()
            }));
        self.games += other.games;
    }
}
