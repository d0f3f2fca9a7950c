//! Pieces by what is left that is stronger.

use hathi_rules::{Board, Piece, Role, Side};

use super::KINDS;

/// The kind of every piece, relative to the enemies left: 0 to 7 for the side
/// to move, 8 to 15 for the other.
///
/// | kind | piece |
/// |---|---|
/// | 0, 1, 2, 3, 4 | not a rabbit; 0, 1, 2, 3-4, 5+ stronger enemies are left |
/// | 5, 6, 7 | a rabbit; 7-8, 5-6, 0-4 stronger enemies are left |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds([u8; 12]);

impl Kinds {
    /// The kinds on a board, seen from `mover`.
    pub fn of(board: &Board, mover: Side) -> Kinds {
        let mut kinds = [0; 12];
        for piece in Piece::ALL {
            let enemies = board.side(piece.side().opponent());
            let stronger = (board.stronger_than(piece.role()) & enemies).len();
            let kind = if piece.role() == Role::Rabbit {
                match stronger {
                    0..=4 => 7,
                    5..=6 => 6,
                    _ => 5,
                }
            } else {
                match stronger {
                    0..=2 => stronger as u8,
                    3..=4 => 3,
                    _ => 4,
                }
            };
            let offset = if piece.side() == mover {
                0
            } else {
                KINDS as u8
            };
            kinds[piece.index()] = kind + offset;
        }
        Kinds(kinds)
    }

    /// The kind of a piece, 0 to 15.
    #[inline]
    pub fn kind(&self, piece: Piece) -> usize {
        usize::from(self.0[piece.index()]) & 15
    }
}
