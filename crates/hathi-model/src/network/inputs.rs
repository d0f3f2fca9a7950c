//! What the network is told about a board: a set of rows of its first layer,
//! some sixty of them, out of 23,872.
//!
//! A board is seen by each side as its own: squares as that side counts them
//! from its first rank, pieces as own and enemy. Three kinds of rows say it:
//!
//! | rows | say |
//! |---|---|
//! | pieces | which piece stands where, and whether it is free, held by a friend, or frozen |
//! | pairs | which two pieces stand side by side, and where |
//! | traps | for each trap how many of each side are beside it, and the strongest of each |
//!
//! All of them are local, so a step changes a handful, which [`changed`] lists.

use hathi_rules::{Bitboard, Board, PackedBoard, Side, Square};

/// Kinds of pieces as a side sees them: six of its own, six of the enemy's.
const KINDS: usize = 12;
/// Free, held, frozen.
const STATES: usize = 3;
/// The first row about pairs.
const PAIRS: usize = KINDS * STATES * 64;
/// Pairs beside each other in a rank, then above each other in a file, by
/// their lower or left square.
const PAIR_ROWS: usize = 2 * 64 * KINDS * KINDS;
/// The first row about traps.
const TRAPS: usize = PAIRS + PAIR_ROWS;
/// Strongest own and enemy piece beside a trap (none, rabbit, ... elephant),
/// own and enemy pieces beside it (none to three and more).
const TRAP_ROWS: usize = 7 * 7 * 4 * 4;
/// All rows.
pub const ROWS: usize = TRAPS + 4 * TRAP_ROWS;

/// A square of the other side's board: its rank counted from the other end.
const FLIP: usize = 0b11_1000;

/// A row of the first layer.
pub type Row = u16;

const _: () = assert!(ROWS <= u16::MAX as usize);

/// A board with what its rows are made from.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    board: Board,
    /// What stands on each square: 0 for nothing, else its kind as Gold sees it, plus one.
    contents: [u8; 64],
    /// Beside a stronger enemy and no friend.
    frozen: Bitboard,
    /// Beside a stronger enemy and a friend.
    held: Bitboard,
}

impl Scene {
    /// Looks at a board.
    pub fn of(board: &Board) -> Scene {
        let mut contents = [0; 64];
        for square in board.occupied() {
            contents[square.index()] = content(board, square);
        }
        Scene::with(board, contents)
    }

    /// Looks at a board that differs from this one on a few squares.
    #[inline]
    #[must_use]
    pub fn after(&self, board: &Board) -> Scene {
        let mut contents = self.contents;
        for square in self.board.differing(board) {
            contents[square.index()] = content(board, square);
        }
        Scene::with(board, contents)
    }

    #[inline]
    fn with(board: &Board, contents: [u8; 64]) -> Scene {
        let gold = board.dominated(Side::Gold);
        let silver = board.dominated(Side::Silver);
        let near_gold = board.side(Side::Gold).near();
        let near_silver = board.side(Side::Silver).near();
        Scene {
            board: *board,
            contents,
            frozen: (gold - near_gold) | (silver - near_silver),
            held: (gold & near_gold) | (silver & near_silver),
        }
    }

    /// What stands on each square: 0 for nothing, 1 to 6 for Gold's rabbit to elephant, 7 to 12 for
    /// Silver's.
    #[inline]
    pub fn contents(&self) -> &[u8; 64] {
        &self.contents
    }

    /// The kind of the piece on a square as Gold sees it, if there is one.
    #[inline]
    fn kind(&self, square: usize) -> Option<usize> {
        usize::from(self.contents[square % 64]).checked_sub(1)
    }

    /// The same where one is known to stand.
    #[inline]
    fn some_kind(&self, square: usize) -> usize {
        usize::from(self.contents[square % 64]).saturating_sub(1)
    }

    /// The board looked at.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    #[inline]
    fn state(&self, square: usize) -> usize {
        let held = self.held.0 >> square & 1;
        let frozen = self.frozen.0 >> square & 1;
        (held + 2 * frozen) as usize
    }
}

/// What stands on a square, as [`Scene::contents`] has it.
#[inline]
fn content(board: &Board, square: Square) -> u8 {
    board.piece_at(square).map_or(0, |piece| {
        6 * (piece.side() as u8) + piece.role().index() as u8 + 1
    })
}

/// The same kind as the other side sees it.
#[inline]
const fn turned(kind: usize) -> usize {
    if kind < 6 { kind + 6 } else { kind - 6 }
}

/// A row as each side sees it: Gold first.
pub type Seen = [Row; 2];

#[inline]
fn piece_row(kind: usize, state: usize, square: usize) -> Seen {
    let gold = (kind * STATES + state) * 64 + square;
    let silver = (turned(kind) * STATES + state) * 64 + (square ^ FLIP);
    [gold as Row, silver as Row]
}

/// Two pieces in a rank, the left one on `square`.
#[inline]
fn beside_row(left: usize, right: usize, square: usize) -> Seen {
    let row = |left: usize, right: usize, square: usize| {
        (PAIRS + (square * KINDS + left) * KINDS + right) as Row
    };
    [
        row(left, right, square),
        row(turned(left), turned(right), square ^ FLIP),
    ]
}

/// Two pieces in a file, the lower one on `square`.
#[inline]
fn above_row(lower: usize, upper: usize, square: usize) -> Seen {
    let row = |lower: usize, upper: usize, square: usize| {
        (PAIRS + ((64 + square) * KINDS + lower) * KINDS + upper) as Row
    };
    [
        row(lower, upper, square),
        row(turned(upper), turned(lower), (square + 8) ^ FLIP),
    ]
}

/// The strongest of a set of pieces: 0 for none, 1 for a rabbit, and so on.
#[inline]
fn strongest(planes: &[u64; 4], set: u64) -> usize {
    let mut left = set;
    let mut strength = 0;
    for plane in [2, 1, 0] {
        let with = left & planes[plane];
        if with != 0 {
            strength |= 1 << plane;
            left = with;
        }
    }
    strength
}

#[inline]
fn trap_row(board: &Board, planes: &[u64; 4], trap: usize) -> Seen {
    let square = Square::TRAPS[trap];
    let beside = square.neighbours();
    let gold = board.side(Side::Gold) & beside;
    let silver = board.side(Side::Silver) & beside;
    let (best_gold, best_silver) = (strongest(planes, gold.0), strongest(planes, silver.0));
    let (golds, silvers) = (gold.len().min(3) as usize, silver.len().min(3) as usize);
    let row = |trap: usize, best: usize, other: usize, own: usize, enemies: usize| {
        (TRAPS + trap * TRAP_ROWS + ((best * 7 + other) * 4 + own) * 4 + enemies) as Row
    };
    let other = OTHER_TRAP[trap];
    [
        row(trap, best_gold, best_silver, golds, silvers),
        row(other, best_silver, best_gold, silvers, golds),
    ]
}

/// For each trap the one on the same file on the other side.
const OTHER_TRAP: [usize; 4] = {
    let mut other = [0; 4];
    let mut trap = 0;
    while trap < 4 {
        let mut candidate = 0;
        while candidate < 4 {
            if Square::TRAPS[candidate].index() == Square::TRAPS[trap].index() ^ FLIP {
                other[trap] = candidate;
            }
            candidate += 1;
        }
        trap += 1;
    }
    other
};

const FILE_H: u64 = 0x8080_8080_8080_8080;

/// Squares that have a right neighbour in a set, or are in it and have one.
#[inline]
const fn lefts(set: u64) -> u64 {
    (set | set >> 1) & !FILE_H
}

/// Squares that have an upper neighbour in a set, or are in it and have one.
#[inline]
const fn lowers(set: u64) -> u64 {
    (set | set >> 8) & (u64::MAX >> 8)
}

/// All rows of a board.
pub fn list(scene: &Scene, mut add: impl FnMut(Seen)) {
    let board = &scene.board;
    let occupied = board.occupied();
    for_each(occupied.0, |square| {
        add(piece_row(
            scene.some_kind(square),
            scene.state(square),
            square,
        ));
    });
    scene.for_each_pair(u64::MAX, &mut add);
    let planes = PackedBoard::from(board).planes();
    for trap in 0..4 {
        add(trap_row(board, &planes, trap));
    }
}

impl Scene {
    /// The rows of pairs of which at least one piece stands on one of these squares.
    #[inline]
    fn for_each_pair(&self, squares: u64, mut what: impl FnMut(Seen)) {
        let occupied = self.board.occupied().0;
        let beside = occupied & occupied >> 1 & lefts(squares);
        for_each(beside, |square| {
            what(beside_row(
                self.some_kind(square),
                self.some_kind(square + 1),
                square,
            ));
        });
        let above = occupied & occupied >> 8 & lowers(squares);
        for_each(above, |square| {
            what(above_row(
                self.some_kind(square),
                self.some_kind(square + 8),
                square,
            ));
        });
    }
}

/// The rows that one board has and another has not, and the other way round:
/// `change(row, true)` for those that come, `change(row, false)` for those that go.
#[inline]
pub fn changed(old: &Scene, new: &Scene, mut change: impl FnMut(Seen, bool)) {
    let pieces = old.board.differing(&new.board).0;
    let states = pieces | (old.frozen.0 ^ new.frozen.0) | (old.held.0 ^ new.held.0);
    for_each(states, |square| {
        if let Some(kind) = old.kind(square) {
            change(piece_row(kind, old.state(square), square), false);
        }
        if let Some(kind) = new.kind(square) {
            change(piece_row(kind, new.state(square), square), true);
        }
    });
    old.for_each_pair(pieces, |row| change(row, false));
    new.for_each_pair(pieces, |row| change(row, true));
    let near = Bitboard(pieces).near() & Bitboard::TRAPS;
    if near.any() {
        let old_planes = PackedBoard::from(&old.board).planes();
        let new_planes = PackedBoard::from(&new.board).planes();
        for (trap, square) in Square::TRAPS.into_iter().enumerate() {
            if near.contains(square) {
                let before = trap_row(&old.board, &old_planes, trap);
                let after = trap_row(&new.board, &new_planes, trap);
                if before != after {
                    change(before, false);
                    change(after, true);
                }
            }
        }
    }
}

/// Boards further apart than this are worked out from nothing.
pub(crate) const FAR: u32 = 12;

/// Rows that come or go at the most in one correction.
const MOST: usize = 128;

/// Rows that come and go.
pub(crate) struct RowList {
    len: usize,
    rows: [Seen; MOST],
}

impl RowList {
    pub(crate) const fn new() -> RowList {
        RowList {
            len: 0,
            rows: [[0; 2]; MOST],
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, row: Seen) -> bool {
        let room = self.len < MOST;
        if room {
            self.rows[self.len] = row;
            self.len += 1;
        }
        room
    }

    #[inline]
    pub(crate) fn seen(&self) -> &[Seen] {
        &self.rows[..self.len]
    }
}

#[inline]
fn for_each(mut set: u64, mut what: impl FnMut(usize)) {
    while set != 0 {
        what(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// What a row is about, for training: coarser things that many rows share, so
/// that what is learned of one is known of those like it.
pub fn kin(row: usize) -> [Option<usize>; 2] {
    if row < PAIRS {
        let square = row % 64;
        let state = row / 64 % STATES;
        let kind = row / 64 / STATES;
        [
            Some(kind * 64 + square),
            Some(KINDS * 64 + kind * STATES + state),
        ]
    } else if row < TRAPS {
        let pair = (row - PAIRS) % (KINDS * KINDS);
        let square = (row - PAIRS) / (KINDS * KINDS);
        let up = square / 64;
        let rank = square % 64 / 8;
        let by_way = KINDS * 64 + KINDS * STATES;
        let by_rank = by_way + 2 * KINDS * KINDS;
        [
            Some(by_way + up * KINDS * KINDS + pair),
            Some(by_rank + (rank * 2 + up) * KINDS * KINDS + pair),
        ]
    } else {
        let trap = (row - TRAPS) / TRAP_ROWS;
        let facts = (row - TRAPS) % TRAP_ROWS;
        let (best, counts) = (facts / 16, facts % 16);
        let home = usize::from(Square::TRAPS[trap].index() < 32);
        let first = KINDS * 64 + KINDS * STATES + 18 * KINDS * KINDS;
        [
            Some(first + home * 49 + best),
            Some(first + 98 + home * 16 + counts),
        ]
    }
}

/// How many things [`kin`] knows.
pub const KIN: usize = KINDS * 64 + KINDS * STATES + 18 * KINDS * KINDS + 98 + 32;
