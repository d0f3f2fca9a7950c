//! Which steps to try first.

use std::sync::LazyLock;

use hathi_rules::{Bitboard, Position, Step};

use super::margins::Margins;
use super::table::Best;

/// The score of what is tried before all else.
pub(super) const FIRST: i32 = i32::MAX;

const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const SUICIDE: i32 = -(1 << 24);

/// A step, or the end of the turn, with its place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    step: Option<Step>,
    score: i32,
}

impl Scored {
    pub(super) const fn step(step: Step, score: i32) -> Scored {
        Scored {
            step: Some(step),
            score,
        }
    }

    pub(super) const fn pass(score: i32) -> Scored {
        Scored { step: None, score }
    }

    /// The step, unless it is the end of the turn.
    pub(super) const fn as_step(self) -> Option<Step> {
        self.step
    }

    /// Moves it down the order, unless it is loud.
    pub(super) fn lower(&mut self, by: i32) {
        if !self.is_loud() {
            self.score -= by;
        }
    }

    /// Moves it up the order, before steps that were good enough elsewhere and
    /// after captures, unless it stands there already.
    pub(super) fn raise(&mut self, by: i32) {
        self.score = self.score.max(2 * KILLER + by);
    }

    /// A step that has something to show for itself: the best known, a
    /// capture, one that was good enough before.
    pub(super) fn is_loud(self) -> bool {
        self.score >= KILLER
    }

    pub(super) fn best(self) -> Best {
        self.step.map_or(Best::Pass, Best::Step)
    }
}

/// Brings the best of the rest to `index` and returns it.
pub(super) fn pick(steps: &mut [Scored], index: usize) -> Scored {
    let rest = &mut steps[index..];
    let (mut best, mut top) = (0, i32::MIN);
    for (place, step) in rest.iter().enumerate() {
        // The first of equals.
        if step.score > top {
            (best, top) = (place, step.score);
        }
    }
    rest.swap(0, best);
    rest[0]
}

/// How much less deeply a late step is searched: the later and the deeper,
/// the more.
pub(super) fn reduction(step: Scored, tried: usize, depth: i32, margins: &Margins) -> i32 {
    if step.is_loud() || step.step.is_none() {
        return 0;
    }
    let ln = |number: usize| LN[number.min(LN.len() - 1)];
    let late = ln(depth.max(1).cast_unsigned() as usize) * ln(tried);
    (f64::from(margins.reduction) / 100.0
        + late * 100.0 / f64::from(margins.reduction_scale.max(1))) as i32
}

/// Natural logarithms of small numbers, worked out once; no step has a place of 0
/// that is reduced.
static LN: LazyLock<[f64; 256]> =
    LazyLock::new(|| std::array::from_fn(|number| (number.max(1) as f64).ln()));

/// What earlier nodes have taught about steps.
pub(super) struct Ordering {
    /// Steps that were good enough at this ply.
    killers: Vec<[Option<Step>; 2]>,
    /// How often a step was good enough, by its bits without removal.
    history: Vec<i32>,
}

impl Ordering {
    pub(super) fn new() -> Ordering {
        Ordering {
            killers: vec![[None; 2]; super::DEEPEST + 1],
            history: vec![0; 1 << 12],
        }
    }

    /// Old merits fade.
    pub(super) fn next_search(&mut self) {
        self.killers.fill([None; 2]);
        for merit in &mut self.history {
            *merit /= 4;
        }
    }

    #[inline]
    pub(super) fn score(
        &self,
        position: &Position,
        step: Step,
        ply: usize,
        first: Best,
        last: Option<Step>,
    ) -> i32 {
        if first == Best::Step(step) {
            return FIRST;
        }
        let mover = position.side_to_move();
        if let Some(removal) = step.removed() {
            let worth = removal.piece.role() as i32 + 1;
            return if removal.piece.side() == mover {
                SUICIDE - worth
            } else {
                CAPTURE + worth
            };
        }
        let mut score = self.history[step.bare().to_bits() as usize];
        if self.killers[ply].contains(&Some(step)) {
            score += KILLER;
        }
        if let Some(last) = last
            && last.to() == Some(step.from())
        {
            // Going on with the same piece.
            score += 40;
        }
        if step.side() != mover {
            score += 60;
            if step
                .to()
                .is_some_and(|to| Bitboard::TRAPS.grow().contains(to))
            {
                score += 200;
            }
        }
        score
    }

    /// A step was good enough: it is tried earlier next time, and those tried
    /// in vain before it later.
    pub(super) fn reward(&mut self, ply: usize, best: Best, depth: i32, tried: &[Scored]) {
        let Best::Step(step) = best else {
            return;
        };
        if !step.captures() {
            let killers = &mut self.killers[ply];
            if killers[0] != Some(step) {
                killers[1] = killers[0];
                killers[0] = Some(step);
            }
        }
        let merit = (depth * depth).min(400);
        self.change(step, merit);
        for other in tried {
            if let Some(other) = other.step
                && other != step
            {
                self.change(other, -merit / 4);
            }
        }
    }

    fn change(&mut self, step: Step, by: i32) {
        const MOST: i32 = 1 << 16;
        let merit = &mut self.history[step.bare().to_bits() as usize];
        // The nearer to the limit, the smaller the change.
        *merit += by - *merit * by.abs() / MOST;
    }
}
