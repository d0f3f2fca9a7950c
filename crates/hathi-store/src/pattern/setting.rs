//! Where a pattern is compared with something: a position and what is known
//! of its game.

use hathi_rules::{Board, BySide, Ply, Position, Side, Symmetric, Symmetry, Turn};

/// A position in its game. What is not known of the game fulfils no condition
/// on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The position at the start of a turn.
    pub position: Position,
    /// How far into the game that is.
    pub ply: Option<Ply>,
    /// The ratings of the players.
    pub ratings: BySide<Option<u16>>,
    /// Who won in the end.
    pub winner: Option<Side>,
    /// The turn that was played there.
    pub turn: Option<Turn>,
}

impl Setting {
    /// A board of which nothing else is known.
    pub fn of(board: &Board, mover: Side) -> Setting {
        Setting {
            position: Position::composed(*board, mover),
            ply: None,
            ratings: BySide::new(None, None),
            winner: None,
            turn: None,
        }
    }

    /// The board.
    pub(super) fn board(&self) -> &Board {
        self.position.board()
    }

    /// The side to move.
    pub(super) fn mover(&self) -> Side {
        self.position.side_to_move()
    }
}

impl Symmetric for Setting {
    fn under(self, symmetry: Symmetry) -> Setting {
        let BySide { gold, silver } = self.ratings;
        Setting {
            position: symmetry.apply(self.position),
            ply: self.ply,
            ratings: if symmetry.flip {
                BySide::new(silver, gold)
            } else {
                self.ratings
            },
            winner: self.winner.map(|side| symmetry.apply(side)),
            turn: self.turn.map(|turn| symmetry.apply(turn)),
        }
    }
}
