//! What players have names for: hostages, framed pieces, shut-in elephants,
//! forks. Not rules, but decided by the rules alone, and said in one place:
//! engines go by these definitions and the memory is asked in them.

use crate::{Bitboard, Board, CaptureThreat, Piece, Role, Side, Square};

impl Side {
    /// The traps on this side's half: c3 and f3 for Gold.
    pub const fn home_traps(self) -> [Square; 2] {
        match self {
            Side::Gold => [Square::C3, Square::F3],
            Side::Silver => [Square::C6, Square::F6],
        }
    }
}

impl Board {
    /// Camels and horses of `side` that are hostages: frozen within two
    /// squares of a trap on the other side's half.
    ///
    /// ```
    /// use hathi_rules::{Position, Side, Square};
    /// let position: Position = "
    ///     s
    ///     8| . . . . . . . . |
    ///     7| . . . . . . . . |
    ///     6| . . x . . x . . |
    ///     5| . . . . . . . . |
    ///     4| . m . . . . h . |
    ///     3| . E x . . x M . |
    ///     2| . . . . . . . . |
    ///     1| r . . . . . . R |".parse()?;
    /// let board = position.board();
    /// assert_eq!(board.hostages(Side::Silver), Square::B4.bit() | Square::G4.bit());
    /// # Ok::<(), hathi_rules::ParsePositionError>(())
    /// ```
    pub fn hostages(&self, side: Side) -> Bitboard {
        let strong = self.role(Role::Camel) | self.role(Role::Horse);
        let [left, right] = side.opponent().home_traps();
        let near = left.bit() | right.bit();
        strong & self.frozen(side) & near.grow().grow()
    }

    /// Pieces of `side` that are framed: three stronger enemies and one friend
    /// beside them.
    ///
    /// ```
    /// use hathi_rules::{Position, Side, Square};
    /// let position: Position = "
    ///     g
    ///     8| . . . . . . . . |
    ///     7| . . . . . . . . |
    ///     6| . . x . . x . . |
    ///     5| . . . . . . . . |
    ///     4| . . . . . h . . |
    ///     3| . . x . e D m . |
    ///     2| . . . . . C . . |
    ///     1| r . . . . . . R |".parse()?;
    /// assert_eq!(position.board().framed(Side::Gold), Square::F3.bit());
    /// # Ok::<(), hathi_rules::ParsePositionError>(())
    /// ```
    pub fn framed(&self, side: Side) -> Bitboard {
        let own = self.side(side);
        let enemy = self.side(side.opponent());
        // Cheap and nearly always empty: pressed by somebody, kept by somebody.
        let candidates = self.dominated(side) & own.near();
        let held = |square: &Square| {
            let beside = square.neighbours();
            let Some(piece) = self.piece_at(*square) else {
                return false;
            };
            let pressed = (beside & enemy & self.stronger_than(piece.role())).len() == 3;
            pressed && (beside & own).len() == 1
        };
        candidates.iter().filter(held).collect()
    }

    /// Is the elephant of `side` blockaded: does a piece of the other side
    /// keep it from stepping or pushing its way to more than one square? One
    /// that only its own pieces stand round, as in most setups, is not.
    ///
    /// ```
    /// use hathi_rules::{Position, Side};
    /// let position: Position = "
    ///     g
    ///     8| r . . . . r r r |
    ///     7| r r r . m c d h |
    ///     6| E c r r . x . . |
    ///     5| r r r d . . e . |
    ///     4| r . . . . . . . |
    ///     3| . . x . . x . . |
    ///     2| H D C M . C D H |
    ///     1| R R R . R R R R |".parse()?;
    /// assert!(position.board().is_blockaded(Side::Gold));
    /// assert!(!position.board().is_blockaded(Side::Silver));
    /// # Ok::<(), hathi_rules::ParsePositionError>(())
    /// ```
    pub fn is_blockaded(&self, side: Side) -> bool {
        let elephant = Piece::new(side, Role::Elephant);
        let around = self.pieces(elephant).near();
        if !around.intersects(self.side(side.opponent())) {
            return false;
        }
        self.step_targets(elephant).len() + self.pushable(elephant).len() <= 1
    }
}

impl CaptureThreat {
    /// Are so many pieces that can be captured in one turn a fork? The best
    /// will be saved; with two of them one is lost.
    pub const fn is_fork(victims: usize) -> bool {
        victims >= 2
    }
}
