//! The first layer's sums of a board, kept up to date as pieces move.

use hathi_rules::{Board, Position, Side};

use super::{STEP_FIRST_ONE, STEP_HIDDEN, STEP_UNITS, StepNetwork, StepView, wide};
use crate::features::Past;
use crate::network::inputs::{self, FAR, RowList, Scene};

/// Units of the first layer as rows of steps weigh them, the mover's view first.
pub type StepUnits = [u8; STEP_UNITS];

/// The first layer's sums of one board, as each side sees it.
#[derive(Clone, Debug)]
pub struct StepSums {
    scene: Scene,
    /// Gold's view, then Silver's.
    sums: [[i16; STEP_HIDDEN]; 2],
}

impl StepSums {
    /// From nothing.
    pub fn new(network: &StepNetwork, board: &Board) -> StepSums {
        let mut sums = StepSums {
            scene: Scene::of(board),
            sums: [network.first_bias; 2],
        };
        let (scene, views) = (&sums.scene, &mut sums.sums);
        inputs::list(scene, |row| {
            for (sums, row) in views.iter_mut().zip(row) {
                for (sum, weight) in sums.iter_mut().zip(&network.first[row as usize]) {
                    *sum = sum.wrapping_add(i16::from(*weight));
                }
            }
        });
        sums
    }

    /// The board they are of.
    #[inline]
    pub fn board(&self) -> &Board {
        self.scene.board()
    }

    /// A position on this board, made ready for questions about its steps.
    #[inline]
    pub fn view(&self, position: &Position, past: &Past) -> StepView {
        StepView::at(&self.scene, position, past, false)
    }

    /// Becomes those of another board, from where they stand or from `other`, whichever is nearer.
    #[inline]
    pub fn follow(&mut self, network: &StepNetwork, other: &StepSums, board: &Board) {
        let here = self.board().differing(board).len();
        if here == 0 {
            return;
        }
        let there = other.board().differing(board).len();
        if here.min(there) > FAR {
            *self = StepSums::new(network, board);
        } else if there < here {
            self.correct(network, other, board);
        } else {
            let from = self.clone();
            self.correct(network, &from, board);
        }
    }

    #[inline]
    fn correct(&mut self, network: &StepNetwork, near: &StepSums, board: &Board) {
        let scene = near.scene.after(board);
        let mut come = RowList::new();
        let mut go = RowList::new();
        let mut fits = true;
        inputs::changed(&near.scene, &scene, |row, comes| {
            fits &= if comes { come.push(row) } else { go.push(row) };
        });
        if !fits {
            *self = StepSums::new(network, board);
            return;
        }
        self.scene = scene;
        wide::apply(
            &network.first,
            &near.sums,
            &mut self.sums,
            come.seen(),
            go.seen(),
        );
    }

    /// What the rows of steps weigh.
    #[inline]
    pub fn units(&self, mover: Side) -> StepUnits {
        let [gold, silver] = &self.sums;
        let (own, other) = match mover {
            Side::Gold => (gold, silver),
            Side::Silver => (silver, gold),
        };
        let mut units = [0; STEP_UNITS];
        let (first, second) = units.split_at_mut(STEP_HIDDEN);
        for (units, sums) in [(first, own), (second, other)] {
            for (unit, sum) in units.iter_mut().zip(sums) {
                let clamped = (*sum).clamp(0, STEP_FIRST_ONE);
                // At most 127 times 127: fits.
                *unit = ((clamped * clamped) >> 7).cast_unsigned() as u8;
            }
        }
        units
    }
}
