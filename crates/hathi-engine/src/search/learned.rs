//! Which steps are likely: what a model or a network that learned from games
//! says of them, looked up step by step.

use hathi_model::features::{Context, Past, Sum};
use hathi_model::models::{Model, Weights};
use hathi_model::steps::{STEP_ONE, StepNetwork, StepSums, StepUnits, StepView};
use hathi_rules::{Bitboard, Board, Game, Position, Step};

use super::DEEPEST;
use super::order::Scored;
use super::threat::Threat;

/// What a point of the model is worth beside the merits steps earn in the
/// search: so much that these decide only between steps about as likely.
const SCALE: f32 = 4_000.0;

/// The same in the measure of the network of steps.
const SCALE_IN_ONES: i32 = SCALE as i32 / 4;
const QUARTER: i32 = STEP_ONE / 4;

/// No network that was trained says more; so none makes a step loud.
const MOST_SAID: i32 = 60 * STEP_ONE;

/// Ending the turn early, against the likeliest step: models know only steps.
const PASS: f32 = -3.0;

/// No position has more steps than this scored; those beyond count as average.
const MOST: usize = 128;

/// What steps are ordered by.
pub(crate) enum StepModel {
    /// Weights of features.
    Weighted(Model),
    /// The network that is shipped.
    Shipped(&'static StepNetwork),
    /// One of the user's own.
    Own(Box<StepNetwork>),
}

/// The same, made ready for one search.
pub(super) enum Learned<'a> {
    /// Weights of the phase at the root.
    Weighted(Box<Weights>),
    Network(&'a StepNetwork),
}

impl Learned<'_> {
    pub(super) fn new<'a>(model: &'a StepModel, root: &Position) -> Learned<'a> {
        match model {
            StepModel::Weighted(model) => Learned::Weighted(model.weights(root)),
            StepModel::Shipped(network) => Learned::Network(network),
            StepModel::Own(network) => Learned::Network(network),
        }
    }

    /// Room for what is kept of the boards on the way.
    pub(super) fn track(&self) -> Vec<StepSums> {
        match self {
            Learned::Weighted(_) => Vec::new(),
            Learned::Network(network) => {
                vec![StepSums::new(network, &Board::EMPTY); DEEPEST + 1]
            }
        }
    }

    /// Ready to score the steps of a position at this place of the line that is searched.
    #[inline]
    pub(super) fn at<'a>(
        &'a self,
        position: &'a Position,
        trail: &Trail,
        track: &mut [StepSums],
        ply: usize,
    ) -> Scorer<'a> {
        let past = trail.past.inside(&trail.start, position.board());
        match self {
            Learned::Weighted(weights) => Scorer::Weighted {
                weights,
                position,
                context: Context::at_a_glance(position, &past),
            },
            Learned::Network(network) => {
                let (before, rest) = track.split_at_mut(ply.clamp(1, DEEPEST));
                let sums = &mut rest[0];
                sums.follow(network, &before[before.len() - 1], position.board());
                Scorer::Network {
                    network,
                    view: sums.view(position, &past),
                    units: sums.units(position.side_to_move()),
                }
            }
        }
    }
}

/// Scores the steps of one position.
#[allow(clippy::large_enum_variant)] // on the stack, for a moment
pub(super) enum Scorer<'a> {
    Weighted {
        weights: &'a Weights,
        position: &'a Position,
        context: Context,
    },
    Network {
        network: &'a StepNetwork,
        view: StepView,
        units: StepUnits,
    },
}

impl Scorer<'_> {
    /// How likely a step is, beside the others: the logarithm of its chance, but
    /// for what all of them have in common.
    pub(super) fn score(&self, step: Step) -> f32 {
        match self {
            Scorer::Weighted {
                weights,
                position,
                context,
            } => {
                let mut sum = Sum::new(weights);
                context.list_step(position, step, &mut sum);
                sum.total
            }
            Scorer::Network {
                network,
                view,
                units,
            } => network.score(view, units, step) as f32 / STEP_ONE as f32,
        }
    }

    /// The same for ending the turn early, beside steps of which the likeliest has this score.
    pub(super) fn score_end(&self, top: f32) -> f32 {
        match self {
            Scorer::Weighted { .. } => top + PASS,
            Scorer::Network {
                network,
                view,
                units,
            } => network.score_end(view, units) as f32 / STEP_ONE as f32,
        }
    }

    /// Moves steps down the order, the further the less likely they are.
    pub(super) fn order(&self, steps: &mut [Scored]) {
        if let Scorer::Network {
            network,
            view,
            units,
        } = self
        {
            for scored in steps {
                let likely = match scored.as_step() {
                    Some(step) => network.score(view, units, step),
                    None => network.score_end(view, units),
                };
                let likely = likely.clamp(-MOST_SAID, MOST_SAID);
                scored.lower(-likely * SCALE_IN_ONES / QUARTER);
            }
            return;
        }
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
    /// The opponent's threat to reach goal, which it has to meet.
    pub(super) threat: Threat,
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
            threat: Threat::default(),
        }
    }

    /// Squares the turn before has changed.
    pub(super) fn changed_before(&self) -> Bitboard {
        self.before.differing(&self.start)
    }

    /// A new turn begins at this position.
    #[inline]
    pub(super) fn next(&self, position: &Position) -> Trail {
        Trail {
            start: *position.board(),
            before: self.start,
            past: Past::between(&self.before, &self.start, position),
            at_root: false,
            threat: Threat::default(),
        }
    }
}
