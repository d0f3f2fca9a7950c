//! The weighted evaluation summed up by theme, so that a game phase can turn
//! each theme up or down without touching the weights below it.

use hathi_rules::{Bitboard, Board, Role, Side};

use super::terms::{self, Group, Sink, TERMS};
use super::{Weights, material};

/// How many themes there are.
pub const KNOBS: usize = 14;

/// Their names in files, in the order of their numbers.
pub(crate) const KNOB_NAMES: [&str; KNOBS] = [
    "material",
    "traps",
    "rabbits",
    "cats",
    "dogs",
    "horses",
    "camel",
    "elephant",
    "frozen",
    "near-stronger",
    "in-danger",
    "room",
    "advanced-minor",
    "framed",
];

pub(super) const MATERIAL: usize = 0;
pub(super) const TRAPS: usize = 1;
pub(super) const RABBITS: usize = 2;
const PLACES: usize = RABBITS;
const FROZEN: usize = 8;
const NEAR_STRONGER: usize = 9;
const IN_DANGER: usize = 10;
const ROOM: usize = 11;
/// Advanced cats and dogs, a hundred each. The weighted evaluation knows them
/// by their squares only, so as it stands this counts nothing.
pub(super) const ADVANCED_MINOR: usize = 12;
/// What framed pieces cost by being held, as a gain: turned up it is forgiven.
/// As it stands it counts nothing, either.
pub(super) const FRAMED: usize = 13;

/// The theme of every term.
const KNOB_OF: [u8; TERMS] = {
    let mut of = [ROOM as u8; TERMS];
    let mut role = 0;
    while role < 6 {
        let own = Group {
            start: terms::PLACE.start + 32 * role,
            len: 32,
            ..terms::PLACE
        };
        of = paint(of, own, PLACES + role);
        role += 1;
    }
    of = paint(of, terms::TRAP, TRAPS);
    of = paint(of, terms::STRONGEST, TRAPS);
    of = paint(of, terms::ELEPHANT, TRAPS);
    of = paint(of, terms::RABBIT_PATH, RABBITS);
    of = paint(of, terms::ESCORT, RABBITS);
    of = paint(of, terms::FROZEN, FROZEN);
    of = paint(of, terms::NEAR_AWAY_TRAP, FROZEN);
    of = paint(of, terms::HELD_FREE, NEAR_STRONGER);
    of = paint(of, terms::DISTANCE, NEAR_STRONGER);
    of = paint(of, terms::HANGING, IN_DANGER);
    paint(of, terms::ON_TRAP, IN_DANGER)
};

const fn paint(mut of: [u8; TERMS], group: Group, knob: usize) -> [u8; TERMS] {
    let mut term = group.start;
    while term < group.start + group.len {
        of[term] = knob as u8;
        term += 1;
    }
    of
}

/// What a board is worth to Gold by theme, in hundredths of a rabbit.
///
/// The themes up to `room` add up to the weighted evaluation. The last two are
/// what the paper on game phases adds.
pub fn knobs(weights: &Weights, board: &Board) -> [i32; KNOBS] {
    struct Sums<'a> {
        weights: &'a Weights,
        by_knob: [i32; KNOBS],
    }
    impl Sink for Sums<'_> {
        #[inline]
        fn add(&mut self, term: usize, count: i32) {
            self.by_knob[KNOB_OF[term] as usize] += i32::from(self.weights.get(term)) * count;
        }
    }
    let mut sums = Sums {
        weights,
        by_knob: [0; KNOBS],
    };
    terms::list(board, &mut sums);
    let mut by_knob = sums.by_knob;
    by_knob[MATERIAL] = material::balance(board);
    for (side, sign) in [(Side::Gold, 1), (Side::Silver, -1)] {
        let minor = board.role(Role::Cat) | board.role(Role::Dog);
        let advanced = (board.side(side) & minor) - hathi_model::phase::not_advanced(side);
        by_knob[ADVANCED_MINOR] += 100 * sign * advanced.len() as i32;
        by_knob[FRAMED] += sign * held_cost(weights, board, side);
    }
    by_knob
}

/// What the framed pieces of a side cost it by being held.
fn held_cost(weights: &Weights, board: &Board, side: Side) -> i32 {
    let mut cost = 0;
    for square in board.framed(side) {
        let Some(piece) = board.piece_at(square) else {
            continue;
        };
        let r = piece.role().index();
        let away = usize::from(!crate::setups::own_half(side).contains(square));
        let mut add = |term: usize| cost += i32::from(-weights.get(term).min(0));
        add(terms::HELD_FREE.start + 2 * r + away);
        if (1..5).contains(&r) {
            add(terms::DISTANCE.start + 8 * (r - 1) + 4 * away);
        }
        if Bitboard::TRAPS.contains(square) {
            add(terms::ON_TRAP.start + r);
        }
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Evaluate, Weighted};
    use hathi_rules::{Position, Square};

    const FRAME: &str = "
        g
         +-----------------+
        8| r . r r c r r r |
        7| . h d . . . . . |
        6| r . x . M x . . |
        5| . . . . . . . r |
        4| . . C E . h . . |
        3| . H x . e D m . |
        2| R D . . . C . R |
        1| R R R . . R R R |
         +-----------------+
           a b c d e f g h";

    #[test]
    fn themes_add_up_to_the_evaluation() {
        let position: Position = FRAME.parse().expect("a position");
        let by_knob = knobs(&Weights::shipped(), position.board());
        let sum: i32 = by_knob[..ADVANCED_MINOR].iter().sum();
        let whole = Weighted::shipped().evaluate(position.board(), Side::Gold);
        assert_eq!(sum, whole);
    }

    #[test]
    fn every_theme_of_the_weights_has_terms() {
        let names = KNOB_NAMES.iter().enumerate();
        for (knob, name) in names.take(ADVANCED_MINOR).skip(TRAPS) {
            assert!(KNOB_OF.contains(&(knob as u8)), "{name}");
        }
    }

    #[test]
    fn a_framed_dog_and_an_advanced_cat() {
        let position: Position = FRAME.parse().expect("a position");
        let board = position.board();
        let f3: Square = "f3".parse().expect("a square");
        assert_eq!(board.framed(Side::Gold), f3.bit());
        assert_eq!(board.framed(Side::Silver), Bitboard::EMPTY);
        let by_knob = knobs(&Weights::shipped(), board);
        assert_eq!(by_knob[ADVANCED_MINOR], 100, "the cat on c4");
        assert!(by_knob[FRAMED] > 0);
        // Two friends are no frame.
        let mut freed = *board;
        freed.remove("g3".parse().expect("a square"));
        assert_eq!(freed.framed(Side::Gold), Bitboard::EMPTY);
    }
}
