//! The two symmetries of the game: left-right mirror and colour flip.
//!
//! The rules do not know left from right, nor Gold from Silver once the board
//! is turned round. One game therefore teaches four.

use crate::position::PushPull;
use crate::{
    Bitboard, Board, Direction, Outcome, Piece, Position, Setup, Side, Square, Step, Turn,
};

/// A symmetry: mirrored or not, colours flipped or not.
///
/// ```
/// use hathi_rules::{Square, Step, Symmetry};
/// let step: Step = "Ha2e".parse()?;
/// assert_eq!(Symmetry::MIRROR.apply(step).to_string(), "Hh2w");
/// assert_eq!(Symmetry::FLIP.apply(step).to_string(), "ha7e");
/// # Ok::<(), hathi_rules::ParseStepError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Left and right change places.
    pub mirror: bool,
    /// Gold and Silver change places and the board is turned accordingly.
    pub flip: bool,
}

impl Symmetry {
    /// Everything stays.
    pub const IDENTITY: Symmetry = Symmetry {
        mirror: false,
        flip: false,
    };
    /// Left-right mirror.
    pub const MIRROR: Symmetry = Symmetry {
        mirror: true,
        flip: false,
    };
    /// Colour flip.
    pub const FLIP: Symmetry = Symmetry {
        mirror: false,
        flip: true,
    };
    /// Both.
    pub const BOTH: Symmetry = Symmetry {
        mirror: true,
        flip: true,
    };
    /// All four.
    pub const ALL: [Symmetry; 4] = [Self::IDENTITY, Self::MIRROR, Self::FLIP, Self::BOTH];

    /// The image of a thing. Each symmetry is its own inverse: applying it
    /// again gives the thing back.
    #[inline]
    pub fn apply<T: Symmetric>(self, thing: T) -> T {
        thing.under(self)
    }
}

/// Something that has an image under the symmetries of the game.
pub trait Symmetric: Sized {
    /// The image.
    #[must_use]
    fn under(self, symmetry: Symmetry) -> Self;
}

impl Symmetric for Square {
    #[inline]
    fn under(self, symmetry: Symmetry) -> Square {
        let square = if symmetry.mirror { self.mirror() } else { self };
        if symmetry.flip { square.flip() } else { square }
    }
}

impl Symmetric for Bitboard {
    #[inline]
    fn under(self, symmetry: Symmetry) -> Bitboard {
        let set = if symmetry.mirror { self.mirror() } else { self };
        if symmetry.flip { set.flip() } else { set }
    }
}

impl Symmetric for Direction {
    #[inline]
    fn under(self, symmetry: Symmetry) -> Direction {
        let direction = if symmetry.mirror { self.mirror() } else { self };
        if symmetry.flip {
            direction.flip()
        } else {
            direction
        }
    }
}

impl Symmetric for Side {
    #[inline]
    fn under(self, symmetry: Symmetry) -> Side {
        if symmetry.flip { self.opponent() } else { self }
    }
}

impl Symmetric for Piece {
    #[inline]
    fn under(self, symmetry: Symmetry) -> Piece {
        if symmetry.flip { self.flip() } else { self }
    }
}

impl Symmetric for Step {
    #[inline]
    fn under(self, symmetry: Symmetry) -> Step {
        let removed = self.removed().map(|removal| removal.piece.role());
        Step::new(
            self.piece().under(symmetry),
            self.from().under(symmetry),
            self.direction().under(symmetry),
        )
        .removing(removed)
    }
}

impl Symmetric for Turn {
    fn under(self, symmetry: Symmetry) -> Turn {
        self.map(|step| step.under(symmetry))
    }
}

impl Symmetric for Board {
    fn under(self, symmetry: Symmetry) -> Board {
        if symmetry == Symmetry::IDENTITY {
            return self;
        }
        self.transformed(|set| set.under(symmetry), symmetry.flip)
    }
}

impl Symmetric for PushPull {
    fn under(self, symmetry: Symmetry) -> PushPull {
        match self {
            PushPull::Free => PushPull::Free,
            PushPull::MayPull { into, puller } => PushPull::MayPull {
                into: into.under(symmetry),
                puller,
            },
            PushPull::MustPush { into, pushed } => PushPull::MustPush {
                into: into.under(symmetry),
                pushed,
            },
        }
    }
}

impl Symmetric for Position {
    fn under(self, symmetry: Symmetry) -> Position {
        Position::from_parts(
            self.board().under(symmetry),
            self.side_to_move().under(symmetry),
            self.steps_left(),
            self.push_pull().under(symmetry),
        )
    }
}

impl Symmetric for Setup {
    fn under(self, symmetry: Symmetry) -> Setup {
        let mut board = Board::EMPTY;
        self.place_on(&mut board);
        let side = self.side().under(symmetry);
        // The image of a setup is a setup, so the fallback is never taken.
        Setup::of_board(&board.under(symmetry), side).unwrap_or(self)
    }
}

impl Symmetric for Outcome {
    fn under(self, symmetry: Symmetry) -> Outcome {
        Outcome {
            winner: self.winner.map(|side| side.under(symmetry)),
            ..self
        }
    }
}
