//! Sets of squares, one bit each: the data structure everything stands on.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::{Direction, File, Rank, Square};

/// A set of squares. Bit 0 is `a1`, bit 7 `h1`, bit 63 `h8`.
///
/// ```
/// use hathi_rules::{Bitboard, Square};
/// let corner = Square::A1.bit();
/// assert_eq!(corner.near().iter().map(|s| s.to_string()).collect::<Vec<_>>(), ["b1", "a2"]);
/// assert_eq!(Bitboard::TRAPS.len(), 4);
/// assert_eq!(Bitboard::TRAPS.to_string(), "\
/// 8 . . . . . . . .
/// 7 . . . . . . . .
/// 6 . . # . . # . .
/// 5 . . . . . . . .
/// 4 . . . . . . . .
/// 3 . . # . . # . .
/// 2 . . . . . . . .
/// 1 . . . . . . . .
///   a b c d e f g h");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// c3, f3, c6, f6.
    pub const TRAPS: Bitboard =
        Bitboard(Square::C3.bit().0 | Square::F3.bit().0 | Square::C6.bit().0 | Square::F6.bit().0);
    /// The leftmost file.
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    /// The rightmost file.
    pub const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
    /// Gold's first rank, Silver's goal.
    pub const RANK_1: Bitboard = Bitboard(0xff);
    /// Silver's first rank, Gold's goal.
    pub const RANK_8: Bitboard = Bitboard(0xff << 56);

    /// The squares of a file.
    pub const fn file(file: File) -> Bitboard {
        Bitboard(Self::FILE_A.0 << file.index())
    }

    /// The squares of a rank.
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(Self::RANK_1.0 << (8 * rank.index()))
    }

    /// Is the square in the set?
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Is there no square in it?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is there a square in it?
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Number of squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros()))
        }
    }

    /// Do the sets share a square?
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// Is every square of this set in the other?
    #[inline]
    pub const fn is_subset(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// One square to the north; rank 8 falls off.
    #[inline]
    #[must_use]
    pub const fn north(self) -> Bitboard {
        Bitboard(self.0 << 8)
    }

    /// One square to the south; rank 1 falls off.
    #[inline]
    #[must_use]
    pub const fn south(self) -> Bitboard {
        Bitboard(self.0 >> 8)
    }

    /// One square to the east; file h falls off instead of wrapping to a.
    #[inline]
    #[must_use]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_H.0) << 1)
    }

    /// One square to the west; file a falls off instead of wrapping to h.
    #[inline]
    #[must_use]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_A.0) >> 1)
    }

    /// The whole set moved one square.
    #[inline]
    #[must_use]
    pub const fn shift(self, direction: Direction) -> Bitboard {
        match direction {
            Direction::North => self.north(),
            Direction::South => self.south(),
            Direction::East => self.east(),
            Direction::West => self.west(),
        }
    }

    /// Carlini's `near`: the squares next to any square of the set (a square
    /// of the set is in it only if it has a neighbour in the set).
    ///
    /// ```text
    /// . . . .      . * . .
    /// . # . .  ->  * . * .
    /// . . . .      . * . .
    /// ```
    #[inline]
    #[must_use]
    pub const fn near(self) -> Bitboard {
        Bitboard(self.north().0 | self.south().0 | self.east().0 | self.west().0)
    }

    /// The set with its neighbours: everything within one step.
    #[inline]
    #[must_use]
    pub const fn grow(self) -> Bitboard {
        Bitboard(self.0 | self.near().0)
    }

    /// Left-right mirror image: the bits of each byte (rank) reversed.
    #[inline]
    #[must_use]
    pub const fn mirror(self) -> Bitboard {
        Bitboard(self.0.swap_bytes().reverse_bits())
    }

    /// Turned to the other side of the table: ranks in reverse order, files
    /// as they were.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// The squares, lowest first.
    #[inline]
    pub const fn iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | square.bit())
    }
}

/// Iterator over the squares of a [`Bitboard`].
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

macro_rules! bit_operator {
    ($trait:ident, $method:ident, $op:tt, $assign_trait:ident, $assign:ident) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    };
}

bit_operator!(BitAnd, bitand, &, BitAndAssign, bitand_assign);
bit_operator!(BitOr, bitor, |, BitOrAssign, bitor_assign);
bit_operator!(BitXor, bitxor, ^, BitXorAssign, bitxor_assign);

impl Sub for Bitboard {
    type Output = Bitboard;
    /// Set difference.
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// A drawing, rank 8 on top, `#` for a member.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank}")?;
            for file in File::ALL {
                let member = self.contains(Square::new(file, rank));
                f.write_str(if member { " #" } else { " ." })?;
            }
            writeln!(f)?;
        }
        f.write_str("  a b c d e f g h")
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_do_not_wrap() {
        for square in Square::all() {
            for direction in Direction::ALL {
                let moved = square.bit().shift(direction);
                assert_eq!(moved.first(), square.step(direction));
                assert!(moved.len() <= 1);
            }
        }
    }

    #[test]
    fn mirror_and_flip_agree_with_squares() {
        for square in Square::all() {
            assert_eq!(square.bit().mirror(), square.mirror().bit());
            assert_eq!(square.bit().flip(), square.flip().bit());
        }
    }

    #[test]
    fn iteration_gives_back_the_set() {
        let set = Bitboard(0x8001_4002_2004_1008);
        assert_eq!(set.iter().collect::<Bitboard>(), set);
        assert_eq!(set.iter().len(), set.len() as usize);
    }
}
