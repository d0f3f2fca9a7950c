//! How likely whole turns are, by how likely their steps are.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use hathi_rules::{Board, Position};

use super::{STEP_ONE, StepNetwork, StepSums, StepView};
use crate::features::Past;

/// Keys are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

type ByHash<T> = HashMap<u64, T, BuildHasherDefault<AsItIs>>;

/// No turn is less likely than this: the logarithm of its chance.
const LEAST: f32 = -40.0;

/// The chances of all turns of a position: a turn is as likely as all orders of
/// its steps together, each step as likely as the network has it.
#[derive(Clone, Debug)]
pub struct Foreseen {
    /// By the hash of the board that is reached.
    chances: ByHash<f64>,
}

impl Foreseen {
    /// The turns of a position.
    pub fn new(network: &StepNetwork, position: &Position, past: &Past) -> Foreseen {
        let mut chances: ByHash<f64> = ByHash::default();
        let mut layer: ByHash<(Position, f64)> = ByHash::default();
        layer.insert(position.hash(), (*position, 1.0));
        let root = StepSums::new(network, position.board());
        let mut sums = root.clone();
        let mut likely = Vec::new();
        while !layer.is_empty() {
            let mut next: ByHash<(Position, f64)> = ByHash::default();
            for (here, chance) in layer.into_values() {
                if here.steps_left() == 0 {
                    *chances.entry(here.board().hash()).or_default() += chance;
                    continue;
                }
                sums.follow(network, &root, here.board());
                let past = past.inside(position.board(), here.board());
                let view = StepView::of(&here, &past, false);
                let units = sums.units(here.side_to_move());
                let steps = here.legal_steps();
                likely.clear();
                likely.extend(steps.iter().map(|&step| network.score(&view, &units, step)));
                let ends = here
                    .can_end_turn()
                    .then(|| network.score_end(&view, &units));
                let Some(top) = likely.iter().copied().chain(ends).max() else {
                    continue;
                };
                let weight = |score: i32| (f64::from(score - top) / f64::from(STEP_ONE)).exp();
                let ends = ends.map_or(0.0, weight);
                let all = likely.iter().fold(ends, |sum, &score| sum + weight(score));
                if ends > 0.0 {
                    *chances.entry(here.board().hash()).or_default() += chance * ends / all;
                }
                for (&step, &score) in steps.iter().zip(&likely) {
                    let there = here.after(step);
                    let entry = next.entry(there.play_hash()).or_insert((there, 0.0));
                    entry.1 += chance * weight(score) / all;
                }
            }
            layer = next;
        }
        Foreseen { chances }
    }

    /// The logarithm of the chance of a turn that ends on this board.
    #[inline]
    pub fn of(&self, board: &Board) -> f32 {
        let chance = self.chances.get(&board.hash());
        chance.map_or(LEAST, |chance| (chance.ln() as f32).max(LEAST))
    }
}
