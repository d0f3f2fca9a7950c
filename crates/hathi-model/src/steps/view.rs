//! A position as the order of steps sees it: which numbers count for a step.

use hathi_rules::{Bitboard, Direction, Position, Side, Square, Step};

use super::{BESIDE, CONTENTS, KINDS, MEETS, RECENT_ENTRIES, StepPlaces};
use crate::features::Past;

/// The rim of the board.
const RIM: u8 = 13;

/// A position, made ready for questions about its steps.
#[derive(Clone, Debug)]
pub struct StepView {
    /// What stands where as the mover sees the board, with a rim: ten squares a rank.
    contents: [u8; 120],
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

/// Steps in the board with a rim, as the mover sees it: north, south, east, west.
const AHEAD: [isize; 4] = [10, -10, 1, -1];
/// To the left of each.
const LEFT_OF: [isize; 4] = [-1, 1, 10, -10];

/// The place of a square in the board with a rim.
#[inline]
const fn place(square: usize) -> usize {
    21 + square + 2 * (square / 8)
}

impl StepView {
    /// Looks at a position, mirrored or not.
    #[inline]
    pub fn of(position: &Position, past: &Past, mirror: bool) -> StepView {
        let flip = position.side_to_move() == Side::Silver;
        let mut contents = EMPTY_BOARD;
        let turned = turned(flip, mirror);
        for (square, piece) in position.board().iter() {
            let own = piece.side() == position.side_to_move();
            let kind = piece.role().index() + if own { 1 } else { 7 };
            contents[place(square.index() ^ turned)] = kind as u8;
        }
        let near = past.opponent.grow();
        StepView {
            contents,
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
        let (from, mut direction) = (step.from(), step.direction());
        let to = step.to().unwrap_or(from);
        if self.flip {
            direction = direction.flip();
        }
        if self.mirror {
            direction = Direction::mirror(direction);
        }
        let direction = direction.index();
        let square = from.index() ^ turned(self.flip, self.mirror);
        let here = place(square);
        let kind = usize::from(self.contents[here]).wrapping_sub(1) % KINDS;
        let at = |place: isize| self.contents[(place.cast_unsigned()) % 120];
        let (ahead, left) = (AHEAD[direction], LEFT_OF[direction]);
        let here = here.cast_signed();
        let there = here + ahead;
        let near_there = [at(there + ahead), at(there + left), at(there - left)];
        let near_here = [at(here - ahead), at(here + left), at(here - left)];
        let mut beside = [0; BESIDE];
        let first = (kind * 4 + direction) * BESIDE;
        for (index, &content) in near_there.iter().chain(&near_here).enumerate() {
            beside[index] = ((first + index) * CONTENTS + usize::from(content)) as u16;
        }
        let meets = meets(kind, near_there) * MEETS + meets(kind, near_here);
        let lately = |square: Square, sets: &[Bitboard]| {
            let bit = square.bit();
            sets.iter().filter(|set| !set.intersects(bit)).count()
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

/// What turns the number of a square into that of its image.
#[inline]
const fn turned(flip: bool, mirror: bool) -> usize {
    (if flip { 0b11_1000 } else { 0 }) + (if mirror { 0b111 } else { 0 })
}

/// What a piece meets on a square with these neighbours.
#[inline]
fn meets(kind: usize, neighbours: [u8; 3]) -> usize {
    // Strength from 1, and where its friends and its enemies begin.
    let (strength, friends, enemies) = if kind < 6 {
        (kind + 1, 1, 7)
    } else {
        (kind - 5, 7, 1)
    };
    let (mut stronger, mut weaker, mut held) = (0, 0, 0);
    for content in neighbours {
        let content = usize::from(content);
        let friend = content.wrapping_sub(friends) < 6;
        let enemy = content.wrapping_sub(enemies) < 6;
        let other = content.wrapping_sub(enemies).wrapping_add(1);
        held += usize::from(friend);
        stronger |= usize::from(enemy && other > strength);
        weaker |= usize::from(enemy && other < strength);
    }
    (stronger * 2 + weaker) * 3 + held.min(2)
}

/// A board with a rim and nothing on it.
const EMPTY_BOARD: [u8; 120] = {
    let mut contents = [RIM; 120];
    let mut square = 0;
    while square < 64 {
        contents[place(square)] = 0;
        square += 1;
    }
    contents
};
