//! What models are trained on: for each lesson the turn played and a sample of
//! the others, as lists of features.

use hathi_rules::{Board, TurnGenerator};

use crate::features::{Context, Sum};
use crate::lessons::{Lesson, LessonGame};
use crate::models::{Model, Phases};

/// Turns to choose from, the one played first.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Where its candidates begin and end.
    pub(crate) first: usize,
    pub(crate) end: usize,
    /// How much each phase counts, hard and blended.
    pub(crate) hard: [f32; 3],
    pub(crate) blended: [f32; 3],
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
}

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing {
            random: 150,
            best: 50,
        }
    }
}

impl Samples {
    /// Features of a candidate.
    #[inline]
    pub(crate) fn features(&self, candidate: usize) -> &[u16] {
        let start = match candidate {
            0 => 0,
            n => self.ends[n - 1],
        };
        &self.features[start..self.ends[candidate]]
    }

    /// How many turns were played in the games.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Is there nothing to learn?
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Adds a game: of every turn the one played and a sample of the others.
    pub fn add_game(
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
        let context = Context::new(&lesson.position, &lesson.past);
        let weights = guide.map(|guide| guide.weights(&lesson.position));
        let mut others: Vec<(Board, u8, f32)> = Vec::new();
        let mut played = None;
        for reached in generator.generate(&lesson.position) {
            let (board, steps) = (*reached.board(), reached.steps_used());
            if board == lesson.after {
                played = Some((board, steps));
                continue;
            }
            let score = weights.as_ref().map_or(0.0, |weights| {
                let mut sum = Sum::new(weights);
                context.list_turn(&board, steps, &mut sum);
                sum.total
            });
            others.push((board, steps, score));
        }
        let Some((board, steps)) = played else { return };
        if others.is_empty() {
            return;
        }
        let first = self.ends.len();
        let mut add = |board: &Board, steps: u8, stands_for: f32| {
            context.list_turn(board, steps, &mut self.features);
            self.ends.push(self.features.len());
            self.stands_for.push(stands_for);
        };
        add(&board, steps, 1.0);
        let best = match guide {
            Some(_) => drawing.best.min(others.len()),
            None => 0,
        };
        if best > 0 && best < others.len() {
            others.select_nth_unstable_by(best, |a, b| b.2.total_cmp(&a.2));
        }
        for (board, steps, _) in &others[..best] {
            add(board, *steps, 1.0);
        }
        let rest = &mut others[best..];
        let drawn = drawing.random.min(rest.len());
        let stands_for = rest.len() as f32 / drawn.max(1) as f32;
        for place in 0..drawn {
            let pick = random.usize(place..rest.len());
            rest.swap(place, pick);
            let (board, steps, _) = &rest[place];
            add(board, *steps, stands_for);
        }
        self.choices.push(Choice {
            first,
            end: self.ends.len(),
            hard: Phases::Hard.shares(&lesson.position),
            blended: Phases::Blended.shares(&lesson.position),
        });
    }

    /// Adds the steps of a game: each with all the others there were.
    pub fn add_steps(&mut self, game: &LessonGame) {
        self.games += 1;
        for lesson in &game.lessons {
            let hard = Phases::Hard.shares(&lesson.position);
            let blended = Phases::Blended.shares(&lesson.position);
            let mut position = lesson.position;
            for &played in lesson.turn.steps() {
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
                    });
                }
                position.apply(played);
            }
        }
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
