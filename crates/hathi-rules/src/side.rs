//! The two players, and a pair of values indexed by them.

use std::fmt;
use std::ops::{Index, IndexMut};

use crate::{Bitboard, Direction};

/// One of the two players.
///
/// Gold starts at the bottom of the board and moves first.
///
/// ```
/// use hathi_rules::Side;
/// assert_eq!(Side::Gold.opponent(), Side::Silver);
/// assert_eq!(Side::from_char('w'), Some(Side::Gold)); // old records say w and b
/// assert_eq!(Side::Silver.to_string(), "s");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// Upper-case pieces, ranks 1 and 2.
    Gold = 0,
    /// Lower-case pieces, ranks 7 and 8.
    Silver = 1,
}

impl Side {
    /// Both sides, Gold first.
    pub const ALL: [Side; 2] = [Side::Gold, Side::Silver];

    /// The other player.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Side {
        match self {
            Side::Gold => Side::Silver,
            Side::Silver => Side::Gold,
        }
    }

    /// Position in arrays indexed by side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Reads `g`, `s` and the older `w`, `b`, in either case.
    pub const fn from_char(c: char) -> Option<Side> {
        match c {
            'g' | 'G' | 'w' | 'W' => Some(Side::Gold),
            's' | 'S' | 'b' | 'B' => Some(Side::Silver),
            _ => None,
        }
    }

    /// `g` or `s`.
    pub const fn to_char(self) -> char {
        match self {
            Side::Gold => 'g',
            Side::Silver => 's',
        }
    }

    /// "Gold" or "Silver", for sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Gold => "Gold",
            Side::Silver => "Silver",
        }
    }

    /// The squares of the rank that a rabbit of this side must reach.
    #[inline]
    pub const fn goal(self) -> Bitboard {
        match self {
            Side::Gold => Bitboard::RANK_8,
            Side::Silver => Bitboard::RANK_1,
        }
    }

    /// The two ranks this side sets up on.
    #[inline]
    pub const fn home(self) -> Bitboard {
        match self {
            Side::Gold => Bitboard(0xffff),
            Side::Silver => Bitboard(0xffff << 48),
        }
    }

    /// Towards the goal.
    #[inline]
    pub const fn forward(self) -> Direction {
        match self {
            Side::Gold => Direction::North,
            Side::Silver => Direction::South,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

/// A value for each side, indexed by [`Side`].
///
/// ```
/// use hathi_rules::{BySide, Side};
/// let mut pieces = BySide::new(16, 16);
/// pieces[Side::Silver] -= 1;
/// assert_eq!(pieces, BySide { gold: 16, silver: 15 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySide<T> {
    /// Gold's value.
    pub gold: T,
    /// Silver's value.
    pub silver: T,
}

impl<T> BySide<T> {
    /// Pairs the two values.
    pub const fn new(gold: T, silver: T) -> Self {
        Self { gold, silver }
    }

    /// Applies `f` to both values.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        BySide {
            gold: f(self.gold),
            silver: f(self.silver),
        }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::Gold => &self.gold,
            Side::Silver => &self.silver,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Gold => &mut self.gold,
            Side::Silver => &mut self.silver,
        }
    }
}
