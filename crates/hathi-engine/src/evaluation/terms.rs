//! What the weighted evaluation looks at, beside material: a list of terms,
//! each a number with a weight. The same code adds them up when playing and
//! lists them when weights are tuned.

use hathi_rules::{Bitboard, Board, Role, Side, Square};

use crate::setups::own_half;

/// A group of terms with consecutive numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Its name in weight files.
    pub(crate) name: &'static str,
    /// The number of its first term.
    pub(crate) start: usize,
    /// How many there are.
    pub(crate) len: usize,
}

macro_rules! groups {
    ($($(#[$about:meta])* $constant:ident = $name:literal: $len:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($constant),* }
        const LENGTHS: &[usize] = &[$($len),*];
        $($(#[$about])* pub(crate) const $constant: Group = Group {
            name: $name,
            start: start_of(Order::$constant as usize),
            len: $len,
        };)*
        /// All groups, in the order of their numbers.
        pub(crate) const GROUPS: &[Group] = &[$($constant),*];
    };
}

const fn start_of(group: usize) -> usize {
    let mut start = 0;
    let mut i = 0;
    while i < group {
        start += LENGTHS[i];
        i += 1;
    }
    start
}

groups! {
    /// Where a piece stands: role, then square of the left half of the board
    /// as its owner sees it, a1 to d8.
    PLACE = "place": 6 * 32;
    /// Frozen: role, in the enemy's half.
    FROZEN = "frozen": 6 * 2;
    /// Beside a stronger enemy, kept free by a friend: role, in the enemy's half.
    HELD_FREE = "held-free": 6 * 2;
    /// Steps to the nearest stronger enemy (1, 2, 3, more): cat to camel, in
    /// the enemy's half.
    DISTANCE = "distance": 4 * 2 * 4;
    /// A trap: at home or away, own pieces beside it, enemy pieces beside it
    /// (0 to 3, four count as three).
    TRAP = "trap": 2 * 4 * 4;
    /// The strongest piece beside a trap is ours: at home or away.
    STRONGEST = "strongest": 2;
    /// Our elephant is beside a trap: at home or away.
    ELEPHANT = "elephant": 2;
    /// Beside a trap, next to a stronger enemy, and nobody else guards the
    /// trap: role, at home or away.
    HANGING = "hanging": 6 * 2;
    /// On a trap, kept alive by just one friend: role.
    ON_TRAP = "on-trap": 6;
    /// Squares the elephant can go to (0 to 4), pushes not counted.
    ELEPHANT_ROOM = "elephant-room": 5;
    /// A rabbit by rank as its owner sees it, and the three files before it:
    /// no enemy there, an enemy there, an enemy right before it.
    RABBIT_PATH = "rabbit-path": 8 * 3;
    /// A piece other than a rabbit within two steps of a rabbit on rank 6 or
    /// 7 of its own side: helps it along.
    ESCORT = "escort": 1;
    /// Pieces that have an empty square to go to and are not frozen.
    MOBILE = "mobile": 1;
    /// A frozen piece two steps from an away trap or closer: role.
    NEAR_AWAY_TRAP = "near-away-trap": 6;
}

/// How many terms there are.
pub(crate) const TERMS: usize = MOBILE.start + MOBILE.len + NEAR_AWAY_TRAP.len;

/// Takes the terms of a board.
pub(crate) trait Sink {
    /// `count` more of a term.
    fn add(&mut self, term: usize, count: i32);
}

/// Lists all terms, Gold's counted up and Silver's down.
#[inline]
pub(crate) fn list(board: &Board, sink: &mut impl Sink) {
    for (side, sign) in [(Side::Gold, 1), (Side::Silver, -1)] {
        list_side(board, side, sign, sink);
    }
}

/// The number of a square among the 32 of the left half, seen by `side`.
#[inline]
fn half_square(side: Side, square: Square) -> usize {
    let index = match side {
        Side::Gold => square.index(),
        Side::Silver => square.flip().index(),
    };
    let file = index % 8;
    let file = if file > 3 { 7 - file } else { file };
    index / 8 * 4 + file
}

#[inline]
fn list_side(board: &Board, side: Side, sign: i32, sink: &mut impl Sink) {
    let own = board.side(side);
    let enemy = board.side(side.opponent());
    let empty = board.empty();
    let home = own_half(side);
    let dominated = board.dominated(side);
    let frozen = dominated - own.near();
    let held = dominated & own.near();

    let mut count = |term: usize, set: Bitboard| {
        let len = set.len() as i32;
        if len != 0 {
            sink.add(term, sign * len);
        }
    };

    let away_traps = Bitboard::TRAPS - home;
    let near_away = away_traps.grow().grow();
    for role in Role::ALL {
        let pieces = own & board.role(role);
        let r = role.index();
        for (group, set) in [(FROZEN, frozen & pieces), (HELD_FREE, held & pieces)] {
            count(group.start + 2 * r, set & home);
            count(group.start + 2 * r + 1, set - home);
        }
        count(NEAR_AWAY_TRAP.start + r, pieces & frozen & near_away);
        for square in pieces {
            count(
                PLACE.start + 32 * r + half_square(side, square),
                square.bit(),
            );
        }
    }

    for (i, role) in [Role::Cat, Role::Dog, Role::Horse, Role::Camel]
        .into_iter()
        .enumerate()
    {
        let mut pieces = own & board.role(role);
        let mut reach = enemy & board.stronger_than(role);
        for steps in 0..4 {
            reach = reach.grow();
            let within = if steps == 3 { pieces } else { pieces & reach };
            count(DISTANCE.start + 8 * i + steps, within & home);
            count(DISTANCE.start + 8 * i + 4 + steps, within - home);
            pieces = pieces - within;
        }
    }

    for trap in Square::TRAPS {
        let beside = trap.neighbours();
        let own_beside = own & beside;
        let enemy_beside = enemy & beside;
        let away = usize::from(!home.contains(trap));
        let friends = own_beside.len().min(3) as usize;
        let foes = enemy_beside.len().min(3) as usize;
        count(TRAP.start + 16 * away + 4 * friends + foes, trap.bit());
        if own_beside.any() {
            let mut all = own_beside | enemy_beside;
            for role in Role::ALL.into_iter().rev() {
                let of_role = all & board.role(role);
                if of_role.any() {
                    all = of_role;
                    break;
                }
            }
            if all.is_subset(own) {
                count(STRONGEST.start + away, trap.bit());
            }
            if (own_beside & board.role(Role::Elephant)).any() {
                count(ELEPHANT.start + away, trap.bit());
            }
            if own_beside.len() == 1 {
                let lonely = own_beside & dominated;
                if let Some(piece) = lonely.first().and_then(|at| board.piece_at(at)) {
                    count(HANGING.start + 2 * piece.role().index() + away, lonely);
                }
                let on_trap = own & trap.bit();
                if on_trap.any()
                    && let Some(piece) = board.piece_at(trap)
                {
                    count(ON_TRAP.start + piece.role().index(), on_trap);
                }
            }
        }
    }

    let elephant = own & board.role(Role::Elephant);
    if let Some(square) = elephant.first() {
        let room = (square.neighbours() & empty).len().min(4) as usize;
        count(ELEPHANT_ROOM.start + room, elephant);
    }

    let mut far = Bitboard::EMPTY;
    for square in board.rabbits(side) {
        let rank = match side {
            Side::Gold => square.index() / 8,
            Side::Silver => 7 - square.index() / 8,
        };
        let bit = square.bit();
        let ahead = bit.shift(side.forward());
        let state = if enemy.intersects(ahead) {
            2
        } else {
            usize::from(enemy.intersects(path(side, square)))
        };
        count(RABBIT_PATH.start + 3 * rank + state, bit);
        if rank >= 5 {
            far |= bit;
        }
    }
    if far.any() {
        let helpers = (far.grow().grow() & own) - board.role(Role::Rabbit);
        count(ESCORT.start, helpers);
    }
    count(MOBILE.start, own & empty.near() & !frozen);
}

/// The three files before a rabbit, up to the goal.
///
/// ```text
/// . * * * .
/// . * * * .
/// . . R . .
/// ```
#[inline]
fn path(side: Side, square: Square) -> Bitboard {
    let bit = square.bit();
    let row = bit | bit.east() | bit.west();
    let mut column = row;
    for _ in 0..7 {
        column |= column.shift(side.forward());
    }
    column - row
}
