//! His functions by the letter, on twelve bitboards.

use hathi_rules::{Bitboard, Board, Piece, Position, Role, Side, Square};
use serde::Serialize;

/// His twelve bitboards, Gold's first, each from the rabbit to the elephant. The lowest
/// bit is h1 and the highest a8, as his `FILE_H` and `FILE_A` have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct HisBoard([[u64; 6]; 2]);

pub(super) const FILE_H: u64 = 0x0101_0101_0101_0101;
pub(super) const FILE_A: u64 = FILE_H << 7;

/// His bit of a square.
fn bit(square: Square) -> u64 {
    1 << (square.rank().index() * 8 + 7 - square.file().index())
}

/// His set of squares as ours.
pub(super) fn ours(set: u64) -> Bitboard {
    Square::all()
        .filter(|&square| set & bit(square) != 0)
        .collect()
}

/// East and west are exchanged in his comments; the set is the same.
pub(super) fn near(set: u64) -> u64 {
    ((set << 1) & !FILE_H) | (set << 8) | ((set >> 1) & !FILE_A) | (set >> 8)
}

fn joined(layers: &[u64]) -> u64 {
    layers.iter().fold(0, |all, layer| all | layer)
}

impl HisBoard {
    pub(super) fn of(board: &Board) -> HisBoard {
        let mut his = HisBoard([[0; 6]; 2]);
        for (square, piece) in board.iter() {
            his.0[piece.side().index()][piece.role().index()] |= bit(square);
        }
        his
    }

    /// `GOLD`, or the same for Silver.
    pub(super) fn side(&self, side: Side) -> u64 {
        joined(&self.0[side.index()])
    }

    /// `EMPTY`.
    pub(super) fn empty(&self) -> u64 {
        !(self.side(Side::Gold) | self.side(Side::Silver))
    }

    /// `GC`, `GH` and so on.
    pub(super) fn pieces(&self, piece: Piece) -> u64 {
        self.0[piece.side().index()][piece.role().index()]
    }

    /// `STRONG_SILVER`, which he writes out for a cat: enemies stronger than the piece.
    pub(super) fn strong(&self, piece: Piece) -> u64 {
        joined(&self.0[piece.side().opponent().index()][piece.role().index() + 1..])
    }

    /// `WEAK_SILVER`, which he writes out for a horse: enemies weaker than the piece.
    pub(super) fn weak(&self, piece: Piece) -> u64 {
        joined(&self.0[piece.side().opponent().index()][..piece.role().index()])
    }

    /// `strongEnemyNear`.
    pub(super) fn strong_enemy_near(&self, piece: Piece) -> u64 {
        near(self.strong(piece)) & self.pieces(piece)
    }

    /// `friendNear`.
    pub(super) fn friend_near(&self, piece: Piece) -> u64 {
        near(self.side(piece.side())) & self.pieces(piece)
    }

    pub(super) fn frozen(&self, piece: Piece) -> u64 {
        self.strong_enemy_near(piece) & !self.friend_near(piece)
    }

    /// A function of his that he uses and never writes; a variable of `move` has this value.
    pub(super) fn not_frozen(&self, piece: Piece) -> u64 {
        self.pieces(piece) & !self.frozen(piece)
    }

    /// `move`; a rabbit needs another `near`, which he does not give.
    pub(super) fn moves(&self, piece: Piece) -> u64 {
        self.empty() & near(self.not_frozen(piece))
    }

    /// `pushFull`.
    pub(super) fn push_full(&self, piece: Piece) -> u64 {
        near(near(self.weak(piece)) & self.empty()) & self.weak(piece)
    }

    pub(super) fn push(&self, piece: Piece) -> u64 {
        near(self.not_frozen(piece)) & self.push_full(piece)
    }

    /// With the `return` that he left out.
    pub(super) fn pushed(&self, piece: Piece) -> u64 {
        near(self.push(piece)) & self.empty()
    }

    /// `pullFull`.
    pub(super) fn pull_full(&self, piece: Piece) -> u64 {
        near(self.not_frozen(piece)) & self.weak(piece)
    }

    /// As it is printed: own pieces that are enemies at the same time.
    pub(super) fn pull(&self, piece: Piece) -> u64 {
        near(self.not_frozen(piece) & self.pull_full(piece)) & self.empty()
    }

    /// As it must have been meant: own pieces beside a weaker enemy.
    pub(super) fn pull_mended(&self, piece: Piece) -> u64 {
        near(self.not_frozen(piece) & near(self.weak(piece))) & self.empty()
    }
}

/// A function of his beside the rules, over many positions.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Compared {
    pub(super) function: &'static str,
    /// Kinds of pieces that stand on the board, in all positions.
    pub(super) cases: usize,
    pub(super) differ: usize,
}

type Ours = fn(&Board, Piece) -> Bitboard;
type His = fn(&HisBoard, Piece) -> u64;

/// His function, and the one of the rules that answers the same question.
const FUNCTIONS: [(&str, His, Ours); 9] = [
    (
        "near",
        |his, piece| near(his.pieces(piece)),
        |board, piece| board.pieces(piece).near(),
    ),
    ("frozen", HisBoard::frozen, |board, piece| {
        board.frozen(piece.side()) & board.pieces(piece)
    }),
    ("move", HisBoard::moves, Board::step_targets),
    ("pushFull", HisBoard::push_full, Board::loose_enemies),
    ("push", HisBoard::push, Board::pushable),
    ("pushed", HisBoard::pushed, Board::push_targets),
    ("pullFull", HisBoard::pull_full, Board::pullable),
    ("pull", HisBoard::pull, Board::pull_targets),
    ("pull, mended", HisBoard::pull_mended, Board::pull_targets),
];

/// Every function on every kind of piece on every board; rabbits, for which he says
/// that `near` must be another, are left out.
pub(super) fn compare(positions: &[Position]) -> Vec<Compared> {
    let kinds = || {
        Piece::ALL
            .into_iter()
            .filter(|piece| piece.role() != Role::Rabbit)
    };
    let mut compared = FUNCTIONS.map(|(function, _, _)| Compared {
        function,
        cases: 0,
        differ: 0,
    });
    for position in positions {
        let board = position.board();
        let his = HisBoard::of(board);
        for kind in kinds().filter(|kind| board.pieces(*kind).any()) {
            for (counts, (_, theirs, own)) in compared.iter_mut().zip(FUNCTIONS) {
                counts.cases += 1;
                counts.differ += usize::from(ours(theirs(&his, kind)) != own(board, kind));
            }
        }
    }
    compared.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(text: &str) -> Vec<&'static str> {
        let position: Position = text.parse().expect("a position");
        let differing = compare(&[position]).into_iter().filter(|of| of.differ > 0);
        differing.map(|of| of.function).collect()
    }

    #[test]
    fn pull_is_wrong_as_printed_and_right_as_meant() {
        let text = "
            g
            8| . . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . H r . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . . . . . |
            1| . . . . . . . . |";
        assert_eq!(differences(text), ["pull"]);
    }

    #[test]
    fn a_puller_without_room_is_forgotten() {
        let text = "
            g
            8| . . . . . . r H |
            7| . . . . . . . R |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . . . . . |
            1| . . . . . . . . |";
        assert_eq!(differences(text), ["pullFull"]);
    }

    #[test]
    fn the_edges_of_his_board_are_ours() {
        assert_eq!(ours(FILE_A), Bitboard::FILE_A);
        assert_eq!(ours(FILE_H), Bitboard::FILE_H);
        for square in Square::all() {
            assert_eq!(ours(near(bit(square))), square.bit().near(), "{square}");
        }
    }
}
