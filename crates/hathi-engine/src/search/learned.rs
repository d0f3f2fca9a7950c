//! Which steps strong players would take: scores of a model trained on games,
//! looked up step by step.

use hathi_learn::features::{Context, Past, Sum};
use hathi_learn::models::{Model, Weights};
use hathi_rules::{Board, Game, Position, Step};

pub(super) struct Params {
    pub scale: f32,
    pub depth: i32,
    pub pass: f32,
    pub lmr: f64,
    pub mid: f64,
}
pub(super) static PARAMS: std::sync::LazyLock<Params> = std::sync::LazyLock::new(|| {
    let get = |n: &str, d: f64| {
        std::env::var(n)
            .ok()
            .and_then(|v| v.parse().ok())
            .unwrap_or(d)
    };
    Params {
        scale: get("HL_SCALE", 150.0) as f32,
        depth: get("HL_DEPTH", 3.0) as i32,
        pass: get("HL_PASS", -3.0) as f32,
        lmr: get("HL_LMR", 0.0),
        mid: get("HL_MID", 3.0),
    }
});

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

    /// Ready to score the steps of a position, if that pays.
    #[inline]
    pub(super) fn at<'a>(
        &'a self,
        position: &'a Position,
        trail: &Trail,
        depth: i32,
    ) -> Option<Scorer<'a>> {
        if depth < PARAMS.depth {
            return None;
        }
        let past = trail.past.inside(&trail.start, position.board());
        Some(Scorer {
            weights: &self.weights,
            position,
            context: Context::at_a_glance(position, &past),
        })
    }
}

/// Scores the steps of one position.
pub(super) struct Scorer<'a> {
    weights: &'a Weights,
    position: &'a Position,
    context: Context,
}

impl Scorer<'_> {
    #[inline]
    pub(super) fn score(&self, step: Step) -> f32 {
        let mut sum = Sum::new(self.weights);
        self.context.list_step(self.position, step, &mut sum);
        sum.total
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
        }
    }

    /// A new turn begins at this position.
    #[inline]
    pub(super) fn next(&self, position: &Position) -> Trail {
        Trail {
            start: *position.board(),
            before: self.start,
            past: Past::between(&self.before, &self.start, position),
        }
    }
}
