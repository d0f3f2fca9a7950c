//! The twelve kinds of piece.

use std::fmt;

use crate::Side;

/// What animal a piece is, weakest first, so that `>` means "stronger than".
///
/// ```
/// use hathi_rules::Role;
/// assert!(Role::Camel > Role::Horse);
/// assert_eq!(Role::Camel.to_char(), 'm');
/// assert_eq!(Role::Rabbit.count_at_start(), 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Role {
    Rabbit = 0,
    Cat = 1,
    Dog = 2,
    Horse = 3,
    Camel = 4,
    Elephant = 5,
}

impl Role {
    /// All roles, weakest first.
    pub const ALL: [Role; 6] = [
        Role::Rabbit,
        Role::Cat,
        Role::Dog,
        Role::Horse,
        Role::Camel,
        Role::Elephant,
    ];

    /// Position in arrays indexed by role.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many of them a side starts with.
    pub const fn count_at_start(self) -> u32 {
        match self {
            Role::Rabbit => 8,
            Role::Cat | Role::Dog | Role::Horse => 2,
            Role::Camel | Role::Elephant => 1,
        }
    }

    /// The letter in lower case: `r c d h m e`.
    pub const fn to_char(self) -> char {
        ['r', 'c', 'd', 'h', 'm', 'e'][self as usize]
    }

    /// Reads the letter, in either case.
    pub const fn from_char(c: char) -> Option<Role> {
        match Piece::from_char(c) {
            Some(piece) => Some(piece.role()),
            None => None,
        }
    }

    /// "rabbit", "cat", ... for sentences.
    pub const fn name(self) -> &'static str {
        ["rabbit", "cat", "dog", "horse", "camel", "elephant"][self as usize]
    }

    #[inline]
    pub(crate) const fn from_index(index: usize) -> Option<Role> {
        if index < 6 {
            Some(Self::ALL[index])
        } else {
            None
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece: an animal of one of the sides. Prints as its letter, upper case
/// for Gold.
///
/// ```
/// use hathi_rules::{Piece, Role, Side};
/// let piece = Piece::from_char('h').unwrap();
/// assert_eq!((piece.side(), piece.role()), (Side::Silver, Role::Horse));
/// assert_eq!(Piece::new(Side::Gold, Role::Camel).to_string(), "M");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    GoldRabbit = 0,
    GoldCat = 1,
    GoldDog = 2,
    GoldHorse = 3,
    GoldCamel = 4,
    GoldElephant = 5,
    SilverRabbit = 6,
    SilverCat = 7,
    SilverDog = 8,
    SilverHorse = 9,
    SilverCamel = 10,
    SilverElephant = 11,
}

impl Piece {
    /// All pieces, Gold's first, weakest first.
    pub const ALL: [Piece; 12] = [
        Piece::GoldRabbit,
        Piece::GoldCat,
        Piece::GoldDog,
        Piece::GoldHorse,
        Piece::GoldCamel,
        Piece::GoldElephant,
        Piece::SilverRabbit,
        Piece::SilverCat,
        Piece::SilverDog,
        Piece::SilverHorse,
        Piece::SilverCamel,
        Piece::SilverElephant,
    ];

    /// That animal of that side.
    #[inline]
    pub const fn new(side: Side, role: Role) -> Piece {
        Self::ALL[side as usize * 6 + role as usize]
    }

    /// Whose it is.
    #[inline]
    pub const fn side(self) -> Side {
        if (self as u8) < 6 {
            Side::Gold
        } else {
            Side::Silver
        }
    }

    /// What animal it is.
    #[inline]
    pub const fn role(self) -> Role {
        let index = self as usize;
        Role::ALL[if index < 6 { index } else { index - 6 }]
    }

    /// Position in arrays indexed by piece.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Reads `RCDHME` and `rcdhme`.
    #[inline]
    pub const fn from_char(c: char) -> Option<Piece> {
        Some(match c {
            'R' => Piece::GoldRabbit,
            'C' => Piece::GoldCat,
            'D' => Piece::GoldDog,
            'H' => Piece::GoldHorse,
            'M' => Piece::GoldCamel,
            'E' => Piece::GoldElephant,
            'r' => Piece::SilverRabbit,
            'c' => Piece::SilverCat,
            'd' => Piece::SilverDog,
            'h' => Piece::SilverHorse,
            'm' => Piece::SilverCamel,
            'e' => Piece::SilverElephant,
            _ => return None,
        })
    }

    /// The letter.
    pub const fn to_char(self) -> char {
        b"RCDHMErcdhme"[self as usize] as char
    }

    /// The same animal of the other side.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Piece {
        Piece::new(self.side().opponent(), self.role())
    }

    #[inline]
    pub(crate) const fn from_index(index: usize) -> Option<Piece> {
        if index < 12 {
            Some(Self::ALL[index])
        } else {
            None
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for piece in Piece::ALL {
            assert_eq!(Piece::from_char(piece.to_char()), Some(piece));
            assert_eq!(Piece::new(piece.side(), piece.role()), piece);
            assert_eq!(piece.flip().flip(), piece);
            assert_eq!(Piece::from_index(piece.index()), Some(piece));
        }
        assert_eq!(Piece::from_char('x'), None);
    }
}
