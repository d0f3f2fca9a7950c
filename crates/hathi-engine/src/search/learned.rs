//! Which steps strong players would take: scores of a model trained on games,
//! looked up step by step.

use hathi_model::features::{Context, Past, Sum};
use hathi_model::models::{Model, Weights};
use hathi_rules::{Board, Game, Position, Step};

use super::order::Scored;

/// What a point of the model is worth beside the merits steps earn in the
/// search: so much that these decide only between steps about as likely.
const SCALE: f32 = 4_000.0;

/// Ending the turn early, against the likeliest step: models know only steps.
pub(super) const PASS: f32 = -3.0;

/// No position has more steps than this scored; those beyond count as average.
const MOST: usize = 128;

/// A model of steps, made ready for one search: its weights are those of the
/// phase at the root.
pub(super) struct Learned {
    weights: Box<Weights>,
}

impl Learned {
    pub(super) fn new(model: &Model, root: &Position) -> Learned {
        Learned {
            weights: model.weights(root),
        }
    }

    /// Ready to score the steps of a position.
    #[inline]
    pub(super) fn at<'a>(&'a self, position: &'a Position, trail: &Trail) -> Scorer<'a> {
        let past = trail.past.inside(&trail.start, position.board());
        Scorer {
            weights: &self.weights,
            position,
            context: Context::at_a_glance(position, &past),
        }
    }
}

/// Scores the steps of one position.
pub(super) struct Scorer<'a> {
    weights: &'a Weights,
    position: &'a Position,
    context: Context,
}

impl Scorer<'_> {
    /// How likely a step is, beside the others: the logarithm of its chance, but
    /// for what all of them have in common.
    pub(super) fn score(&self, step: Step) -> f32 {
        let mut sum = Sum::new(self.weights);
        self.context.list_step(self.position, step, &mut sum);
        sum.total
    }

    /// Moves steps down the order, the further the less likely they are.
    pub(super) fn order(&self, steps: &mut [Scored]) {
        let mut scores = [0.0; MOST];
        let mut top = f32::MIN;
        for (score, step) in scores.iter_mut().zip(steps.iter()) {
            if let Some(step) = step.as_step() {
                *score = self.score(step);
                top = top.max(*score);
            }
        }
        for (score, step) in scores.iter().zip(steps.iter_mut()) {
            let likely = match step.as_step() {
                Some(_) => score - top,
                None => PASS,
            };
            step.lower((-likely * SCALE) as i32);
        }
    }
}

/// How the turn at hand began.
#[derive(Clone, Copy)]
pub(super) struct Trail {
    /// The board at its start.
    pub(super) start: Board,
    /// The board at the start of the turn before.
    before: Board,
    past: Past,
    /// It is the turn at the root.
    pub(super) at_root: bool,
}

impl Trail {
    /// At the root.
    pub(super) fn of(game: &Game) -> Trail {
        let now = game.position();
        let positions = game.positions();
        let before = match positions {
            [.., before, _] => before,
            _ => &now,
        };
        Trail {
            start: *now.board(),
            before: *before.board(),
            past: Past::of(positions),
            at_root: true,
        }
    }

    /// A new turn begins at this position.
    #[inline]
    pub(super) fn next(&self, position: &Position) -> Trail {
        Trail {
            start: *position.board(),
            before: self.start,
            past: Past::between(&self.before, &self.start, position),
            at_root: false,
        }
    }
}
