//! A place in a game, counted in turns, and what it is called there.

use crate::{Label, Side};

/// How many turns were made before: 0 is the position after both setups, in
/// which Gold makes the first turn.
///
/// Moves are labelled from the setups on (`1g`, `1s`), turns from `2g`. Only
/// this type knows the difference.
///
/// ```
/// use hathi_rules::{Ply, Side};
/// let ply = Ply::from(21u16);
/// assert_eq!((ply.label().to_string(), ply.side()), ("12s".to_owned(), Side::Silver));
/// assert_eq!(Ply::of_label(ply.label()), Some(ply));
/// assert_eq!(Ply::of_label("1s".parse()?), None);
/// # Ok::<(), hathi_rules::ParseLabelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Ply(u32);

/// Moves of a record before the first turn: the setups.
const SETUPS: usize = 2;

impl Ply {
    /// After so many turns.
    #[inline]
    pub const fn after(turns: usize) -> Ply {
        // No game is that long.
        Ply(turns as u32)
    }

    /// The turn with this label; none for setups, and for move number 0.
    pub const fn of_label(label: Label) -> Option<Ply> {
        match label.index() {
            Some(index) if index >= SETUPS => Some(Ply::after(index - SETUPS)),
            _ => None,
        }
    }

    /// Gold's turn with this move number; the first for the numbers of
    /// setups.
    pub const fn first_of(move_number: u32) -> Ply {
        Ply(move_number.saturating_sub(2).saturating_mul(2))
    }

    /// Turns before.
    #[inline]
    pub const fn turns(self) -> usize {
        self.0 as usize
    }

    /// The same, as tables and files have it.
    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Who moves, in a game that began with setups.
    #[inline]
    pub const fn side(self) -> Side {
        if self.0.is_multiple_of(2) {
            Side::Gold
        } else {
            Side::Silver
        }
    }

    /// The number of the move: 2 for the first turn of either side.
    #[inline]
    pub const fn move_number(self) -> u32 {
        self.0 / 2 + 2
    }

    /// What the turn is called, in a game that began with setups.
    pub const fn label(self) -> Label {
        Label::at_index(SETUPS + self.turns())
    }
}

impl From<u16> for Ply {
    fn from(turns: u16) -> Ply {
        Ply(u32::from(turns))
    }
}

impl From<u32> for Ply {
    fn from(turns: u32) -> Ply {
        Ply(turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_numbers_agree() {
        for turns in 0..9u32 {
            let ply = Ply::from(turns);
            let label = ply.label();
            assert_eq!((label.number, label.side), (ply.move_number(), ply.side()));
            assert_eq!(Ply::of_label(label), Some(ply));
        }
        assert_eq!(Ply::default().label().to_string(), "2g");
        for setup in ["0g", "1g", "1s"] {
            assert_eq!(Ply::of_label(setup.parse().unwrap()), None, "{setup}");
        }
    }
}
