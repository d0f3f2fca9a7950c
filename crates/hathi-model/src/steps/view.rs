//! A position as the order of steps sees it: which numbers count for a step.

use hathi_rules::{Bitboard, Position, Side, Square, Step};

use super::{BESIDE, CONTENTS, KINDS, MEETS, RECENT_ENTRIES, StepPlaces};
use crate::features::Past;
use crate::network::inputs::Scene;

/// The rim of the board: what stands beyond it, and the place that stands for all squares there.
const RIM: u8 = 13;
const BEYOND: usize = 64;

/// A position, made ready for questions about its steps.
#[derive(Clone, Debug)]
pub struct StepView {
    /// What stands where as the mover sees the board, and on the rim.
    contents: [u8; 2 * BEYOND],
    /// What turns the number of a square into that of its image.
    turned: usize,
    flip: bool,
    mirror: bool,
    /// 0 to 3: one to four steps left.
    pub(super) left: usize,
    /// Squares within 0, 1 and 2 steps of the opponent's last turn.
    opponent: [Bitboard; 3],
    /// Squares within 0 and 1 steps of what this turn has changed.
    turn: [Bitboard; 2],
    past: Past,
}

/// For each square and direction (north, south, east, west, as the mover sees them) the squares
/// beside such a step: ahead of where it goes, left and right of that; behind where it comes
/// from, left and right of that.
static AROUND: [[[u8; BESIDE]; 4]; 64] = {
    // North, south, east, west as files and ranks, and what is to the left of each.
    const AHEAD: [[i8; 2]; 4] = [[0, 1], [0, -1], [1, 0], [-1, 0]];
    const LEFT_OF: [[i8; 2]; 4] = [[-1, 0], [1, 0], [0, 1], [0, -1]];
    let mut around = [[[BEYOND as u8; BESIDE]; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (ahead, left) = (AHEAD[direction], LEFT_OF[direction]);
            let mut index = 0;
            while index < BESIDE {
                // How far ahead, and how far to the left.
                let (on, to_left) = [(2, 0), (1, 1), (1, -1), (-1, 0), (0, 1), (0, -1)][index];
                let file = (square % 8) as i8 + on * ahead[0] + to_left * left[0];
                let rank = (square / 8) as i8 + on * ahead[1] + to_left * left[1];
                if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                    around[square][direction][index] = (8 * rank + file).cast_unsigned();
                }
                index += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    around
};

impl StepView {
    /// Looks at a position, mirrored or not.
    pub fn of(position: &Position, past: &Past, mirror: bool) -> StepView {
        StepView::at(&Scene::of(position.board()), position, past, mirror)
    }

    /// The same with what stands where worked out before.
    #[inline]
    pub(crate) fn at(scene: &Scene, position: &Position, past: &Past, mirror: bool) -> StepView {
        let flip = position.side_to_move() == Side::Silver;
        let mut contents = [RIM; 2 * BEYOND];
        let (ranks, _) = contents.as_chunks_mut::<8>();
        let (seen, _) = scene.contents().as_chunks::<8>();
        for (rank, to) in ranks.iter_mut().take(8).enumerate() {
            let mut squares = u64::from_le_bytes(seen[if flip { 7 - rank } else { rank }]);
            if flip {
                squares = sides_exchanged(squares);
            }
            if mirror {
                squares = squares.swap_bytes();
            }
            *to = squares.to_le_bytes();
        }
        let near = past.opponent.grow();
        StepView {
            contents,
            turned: turned(flip, mirror),
            flip,
            mirror,
            left: usize::from(position.steps_left()).clamp(1, 4) - 1,
            opponent: [past.opponent, near, near.grow()],
            turn: [past.turn, past.turn.grow()],
            past: *past,
        }
    }

    /// The place of the steps left among one to four.
    #[inline]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Where a step is found.
    #[inline]
    pub fn places(&self, step: Step) -> StepPlaces {
        let from = step.from();
        let to = step.to().unwrap_or(from);
        // North and south are exchanged, or east and west.
        let direction = step.direction().index();
        let (along, across) = (direction < 2, direction >= 2);
        let direction =
            direction ^ usize::from(self.flip & along) ^ usize::from(self.mirror & across);
        let square = (from.index() ^ self.turned) % 64;
        let kind = usize::from(self.contents[square])
            .saturating_sub(1)
            .min(KINDS - 1);
        let around =
            AROUND[square][direction % 4].map(|at| self.contents[usize::from(at) % (2 * BEYOND)]);
        let first = (kind * 4 + direction) * BESIDE;
        let beside = std::array::from_fn(|index| {
            ((first + index) * CONTENTS + usize::from(around[index])) as u16
        });
        let [there @ .., _, _, _] = around;
        let [_, _, _, here @ ..] = around;
        let meets = meets(kind, there) * MEETS + meets(kind, here);
        let lately = |square: Square, sets: &[Bitboard]| -> usize {
            let place = square.index();
            sets.iter().map(|set| (!set.0 >> place & 1) as usize).sum()
        };
        let mut recent = lately(from, &self.opponent) * 4 + lately(to, &self.opponent);
        recent = (recent * 3 + lately(from, &self.turn)) * 3 + lately(to, &self.turn);
        recent = recent * 2 + usize::from(self.past.entered.contains(from));
        recent = recent * 2 + usize::from(self.past.left.contains(to));
        StepPlaces {
            row: ((kind * 64 + square) * 4 + direction) as u16,
            beside,
            meets: (kind * MEETS * MEETS + meets) as u16,
            recent: (kind * (RECENT_ENTRIES / KINDS) + recent) as u16,
        }
    }
}

/// Eight squares as the other side sees them: own pieces (1 to 6) are the enemy's (7 to 12).
#[inline]
const fn sides_exchanged(squares: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // No square has a number beyond 12, so nothing is carried over to the next.
    let some = (squares + 127 * EACH) >> 7 & EACH;
    let enemy = (squares + 121 * EACH) >> 7 & EACH;
    squares + 6 * some - 12 * enemy
}

/// What turns the number of a square into that of its image.
#[inline]
const fn turned(flip: bool, mirror: bool) -> usize {
    (if flip { 0b11_1000 } else { 0 }) + (if mirror { 0b111 } else { 0 })
}

/// What a piece meets on a square with these neighbours.
#[inline]
fn meets(kind: usize, neighbours: [u8; 3]) -> usize {
    let met: usize = neighbours
        .into_iter()
        .map(|content| usize::from(MET[kind % 16][usize::from(content) % 16]))
        .sum();
    usize::from(MEETING[met % 64])
}

/// What stands beside a piece of each kind: 1 for a friend, 4 for a weaker enemy, 16 for a stronger
/// one. Three of these can be added up.
static MET: [[u8; 16]; 16] = {
    let mut met = [[0; 16]; 16];
    let mut kind = 0;
    while kind < KINDS {
        let mut content = 1;
        while content < RIM as usize {
            let other = content - 1;
            met[kind][content] = if kind / 6 == other / 6 {
                1
            } else if other % 6 < kind % 6 {
                4
            } else if other % 6 > kind % 6 {
                16
            } else {
                0
            };
            content += 1;
        }
        kind += 1;
    }
    met
};

/// Three of these added up, as what is met: a stronger enemy or not, a weaker one or not, no, one
/// or several friends.
static MEETING: [u8; 64] = {
    let mut meeting = [0; 64];
    let mut sum = 0;
    while sum < 64 {
        let (friends, weaker, stronger) = (sum % 4, sum / 4 % 4, sum / 16);
        let held = if friends < 2 { friends } else { 2 };
        meeting[sum] = (((stronger > 0) as usize * 2 + (weaker > 0) as usize) * 3 + held) as u8;
        sum += 1;
    }
    meeting
};
