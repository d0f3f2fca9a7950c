//! The board as the side to move sees it.
//!
//! Plans, categories and patterns are written once, for Gold. When Silver is
//! to move the board is turned round and the colours change places; what comes
//! out is turned back.

use hathi_rules::{Position, Side, Square, Symmetric, Symmetry, Turn};

/// A position with Gold to move, and how to get back to the real one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) position: Position,
    symmetry: Symmetry,
}

impl View {
    pub(crate) fn new(real: &Position) -> View {
        let symmetry = match real.side_to_move() {
            Side::Gold => Symmetry::IDENTITY,
            Side::Silver => Symmetry::FLIP,
        };
        View {
            position: symmetry.apply(*real),
            symmetry,
        }
    }

    /// What something in the view is in reality, and the other way round.
    pub(crate) fn real<T: Symmetric>(&self, thing: T) -> T {
        self.symmetry.apply(thing)
    }

    pub(crate) fn is_flipped(&self) -> bool {
        self.symmetry.flip
    }
}

/// The position after some steps of a turn, in the middle of it.
pub(crate) fn after_steps(position: &Position, turn: &Turn) -> Position {
    let mut mid = *position;
    for &step in turn.steps() {
        mid.apply(step);
    }
    mid
}

/// The traps on our side of the view.
pub(crate) const HOME_TRAPS: [Square; 2] = [Square::C3, Square::F3];
/// The traps on theirs.
pub(crate) const FAR_TRAPS: [Square; 2] = [Square::C6, Square::F6];

/// The rank of a square, 0 for our first.
pub(crate) const fn rank(square: Square) -> usize {
    square.index() / 8
}

/// The distance to the nearest of our own traps.
pub(crate) fn from_home_trap(square: Square) -> u32 {
    HOME_TRAPS
        .into_iter()
        .map(|trap| trap.distance(square))
        .min()
        .unwrap_or(0)
}

/// Gold, who is always "us" in a view.
pub(crate) const US: Side = Side::Gold;
/// Silver.
pub(crate) const THEM: Side = Side::Silver;
