//! The first layer's sums of a board, kept up to date as pieces move.

use hathi_rules::{Board, Side};

use super::inputs::{self, FAR, RowList, Scene, Seen};
use super::wide;
use super::{
    DIRECT_ONE, HIDDEN, LEFT, Network, ONE, OUT_ONE, SECOND_FULL, SECOND_OUT_ONE, UNIT, bucket,
};

/// The first layer's sums of one board, as each side sees it.
#[derive(Clone, Debug)]
pub struct Accumulator {
    scene: Scene,
    /// Gold's view, then Silver's.
    sums: [[i16; HIDDEN]; 2],
    /// What the rows add to the score directly: Gold's less Silver's.
    direct: i32,
}

impl Accumulator {
    /// From nothing.
    pub fn new(network: &Network, board: &Board) -> Accumulator {
        let mut accumulator = Accumulator {
            scene: Scene::of(board),
            sums: [network.bias; 2],
            direct: 0,
        };
        let mut direct = 0;
        let sums = &mut accumulator.sums;
        inputs::list(&accumulator.scene, |row| {
            direct += network.direct_of(row);
            for (sums, row) in sums.iter_mut().zip(row) {
                for (sum, weight) in sums.iter_mut().zip(&network.rows[row as usize]) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
        });
        accumulator.direct = direct;
        accumulator
    }

    /// The board it is of.
    #[inline]
    pub fn board(&self) -> &Board {
        self.scene.board()
    }

    /// Becomes that of another board, from where it stands or from `other`, whichever is nearer.
    #[inline]
    pub fn follow(&mut self, network: &Network, other: &Accumulator, board: &Board) {
        let here = self.board().differing(board).len();
        if here == 0 {
            return;
        }
        let there = other.board().differing(board).len();
        if here.min(there) > FAR {
            *self = Accumulator::new(network, board);
        } else if there < here {
            self.correct(network, other, board);
        } else {
            let from = self.clone();
            self.correct(network, &from, board);
        }
    }

    #[inline]
    fn correct(&mut self, network: &Network, near: &Accumulator, board: &Board) {
        let scene = near.scene.after(board);
        let mut come = RowList::new();
        let mut go = RowList::new();
        let mut direct = near.direct;
        let mut fits = true;
        inputs::changed(&near.scene, &scene, |row, comes| {
            if comes {
                direct += network.direct_of(row);
                fits &= come.push(row);
            } else {
                direct -= network.direct_of(row);
                fits &= go.push(row);
            }
        });
        if !fits {
            *self = Accumulator::new(network, board);
            return;
        }
        self.scene = scene;
        self.direct = direct;
        wide::apply(
            &network.rows,
            &near.sums,
            &mut self.sums,
            come.seen(),
            go.seen(),
        );
    }

    /// What the board is worth to a side that has so many steps left of its
    /// turn, in hundredths of a rabbit; none left means that the other is about
    /// to begin.
    #[inline]
    pub fn worth(&self, network: &Network, side: Side, left: u8) -> i32 {
        if left == 0 {
            return -self.worth_on_move(network, side.opponent(), LEFT - 1);
        }
        self.worth_on_move(network, side, usize::from(left).min(LEFT) - 1)
    }

    /// The same to the side on move; `place` is that of the steps left among one to four.
    #[inline]
    fn worth_on_move(&self, network: &Network, side: Side, place: usize) -> i32 {
        let [gold, silver] = &self.sums;
        let (own, other, direct) = match side {
            Side::Gold => (gold, silver, self.direct),
            Side::Silver => (silver, gold, -self.direct),
        };
        let weighed = wide::weigh(network, own, other, bucket(self.board()), place);
        in_hundredths(weighed.first)
            + second_in_hundredths(weighed.lasting)
            + second_in_hundredths(weighed.gained)
            + direct / DIRECT_ONE
            + network.tempo[place]
    }
}

/// A sum over the hidden layer, in hundredths of a rabbit.
#[inline]
fn in_hundredths(sum: i64) -> i32 {
    let whole = i64::from(ONE) * i64::from(ONE) * i64::from(OUT_ONE);
    (sum * i64::from(UNIT) / whole) as i32
}

/// Two thousand rabbits.
const MOST_SAID: i64 = 200_000;

/// A sum over the second layer, in hundredths of a rabbit.
#[inline]
fn second_in_hundredths(sum: i64) -> i32 {
    let whole = i64::from(SECOND_FULL) * i64::from(SECOND_OUT_ONE);
    // No network that was trained says more.
    (sum * i64::from(UNIT) / whole).clamp(-MOST_SAID, MOST_SAID) as i32
}

impl Network {
    #[inline]
    fn direct_of(&self, row: Seen) -> i32 {
        self.direct[row[0] as usize] - self.direct[row[1] as usize]
    }
}
