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
/// for Gold. In memory its low three bits are the strength (1 rabbit to 6
/// elephant) and bit 3 the side, as on the [`Board`](crate::Board).
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
    GoldRabbit = 1,
    GoldCat = 2,
    GoldDog = 3,
    GoldHorse = 4,
    GoldCamel = 5,
    GoldElephant = 6,
    SilverRabbit = 9,
    SilverCat = 10,
    SilverDog = 11,
    SilverHorse = 12,
    SilverCamel = 13,
    SilverElephant = 14,
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
        Piece::from_trusted_code((side as usize) << 3 | (role as usize + 1))
    }

    /// Whose it is.
    #[inline]
    pub const fn side(self) -> Side {
        if self as u8 & 8 == 0 {
            Side::Gold
        } else {
            Side::Silver
        }
    }

    /// What animal it is.
    #[inline]
    pub const fn role(self) -> Role {
        ROLE_OF_CODE[self as usize & 7]
    }

    /// Position in arrays indexed by piece, 0 to 11.
    #[inline]
    pub const fn index(self) -> usize {
        self.side().index() * 6 + self.role().index()
    }

    /// Strength in the low three bits, side in bit 3.
    #[inline]
    pub(crate) const fn code(self) -> usize {
        self as usize & 15
    }

    /// The piece with this code; none for an empty square.
    #[inline]
    pub(crate) const fn from_code(code: usize) -> Option<Piece> {
        PIECE_OF_CODE[code & 15]
    }

    /// The piece with a code that came from [`Piece::code`].
    #[inline]
    pub(crate) const fn from_trusted_code(code: usize) -> Piece {
        SOME_PIECE_OF_CODE[code & 15]
    }

    /// Reads `RCDHME` and `rcdhme`.
    #[inline]
    pub const fn from_char(c: char) -> Option<Piece> {
        if (c as u32) < 128 {
            BY_LETTER[c as usize]
        } else {
            None
        }
    }

    /// The letter.
    pub const fn to_char(self) -> char {
        b" RCDHME  rcdhme "[self as usize] as char
    }

    /// The same animal of the other side.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Piece {
        Piece::new(self.side().opponent(), self.role())
    }
}

/// What the four bits of a square mean. Strength 7 and "a silver nothing"
/// never occur.
static PIECE_OF_CODE: [Option<Piece>; 16] = {
    let mut table = [None; 16];
    let mut i = 0;
    while i < 12 {
        table[Piece::ALL[i] as usize] = Some(Piece::ALL[i]);
        i += 1;
    }
    table
};

/// As [`PIECE_OF_CODE`], with a rabbit in the places that mean nothing.
static SOME_PIECE_OF_CODE: [Piece; 16] = {
    let mut table = [Piece::GoldRabbit; 16];
    let mut i = 0;
    while i < 12 {
        table[Piece::ALL[i] as usize] = Piece::ALL[i];
        i += 1;
    }
    table
};

/// The role of each strength, with a rabbit for 0 and 7.
static ROLE_OF_CODE: [Role; 8] = [
    Role::Rabbit,
    Role::Rabbit,
    Role::Cat,
    Role::Dog,
    Role::Horse,
    Role::Camel,
    Role::Elephant,
    Role::Rabbit,
];

/// Letters of move lists are read by the million: a table, no comparisons.
static BY_LETTER: [Option<Piece>; 128] = {
    let mut table = [None; 128];
    let mut i = 0;
    while i < 12 {
        table[Piece::ALL[i].to_char() as usize] = Some(Piece::ALL[i]);
        i += 1;
    }
    table
};

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
            assert_eq!(Piece::ALL[piece.index()], piece);
            assert_eq!(Piece::from_code(piece.code()), Some(piece));
        }
        assert_eq!(Piece::from_char('x'), None);
    }
}
