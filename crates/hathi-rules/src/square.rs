//! Squares, files, ranks and the four directions.

use std::fmt;
use std::str::FromStr;

use crate::Bitboard;

/// A column of the board, `a` to `h` from Gold's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files, `a` first.
    pub const ALL: [File; 8] = [
        File::A,
        File::B,
        File::C,
        File::D,
        File::E,
        File::F,
        File::G,
        File::H,
    ];

    /// 0 for `a` to 7 for `h`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Reads `a` to `h` (either case).
    pub const fn from_char(c: char) -> Option<File> {
        match c {
            'a'..='h' => Some(Self::ALL[c as usize - 'a' as usize]),
            'A'..='H' => Some(Self::ALL[c as usize - 'A' as usize]),
            _ => None,
        }
    }

    /// `a` to `h`.
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file on the other wing.
    #[must_use]
    pub const fn mirror(self) -> File {
        Self::ALL[7 - self as usize]
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

/// A row of the board, 1 to 8 from Gold's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks, the first first.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// 0 for rank 1 to 7 for rank 8.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Reads `1` to `8`.
    pub const fn from_char(c: char) -> Option<Rank> {
        match c {
            '1'..='8' => Some(Self::ALL[c as usize - '1' as usize]),
            _ => None,
        }
    }

    /// `1` to `8`.
    pub const fn to_char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank as the other side counts it.
    #[must_use]
    pub const fn flip(self) -> Rank {
        Self::ALL[7 - self as usize]
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

/// One of the 64 squares, `a1` = 0, `b1` = 1, ... `h8` = 63.
///
/// ```
/// use hathi_rules::{Direction, Square};
/// let square: Square = "c3".parse()?;
/// assert!(square.is_trap());
/// assert_eq!(square.step(Direction::North).unwrap().to_string(), "c4");
/// assert_eq!("a5".parse::<Square>()?.step(Direction::West), None);
/// # Ok::<(), hathi_rules::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

macro_rules! name_squares {
    ($($name:ident = $index:expr),* $(,)?) => {
        #[allow(missing_docs)]
        impl Square { $(pub const $name: Square = Square($index);)* }
    };
}

#[rustfmt::skip]
name_squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// The four traps.
    pub const TRAPS: [Square; 4] = [Square::C3, Square::F3, Square::C6, Square::F6];

    /// The square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square(rank as u8 * 8 + file as u8)
    }

    /// The square with this number, if it is below 64.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 {
            Some(Square(index as u8))
        } else {
            None
        }
    }

    /// The square whose number is the low six bits of `bits`; for decoders
    /// that have already masked or checked their input.
    #[inline]
    pub(crate) const fn from_low_bits(bits: u32) -> Square {
        Square((bits & 63) as u8)
    }

    /// Every square, `a1` first, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }

    /// 0 for `a1` to 63 for `h8`.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the type already promises, and
        // spares a bounds check in every table of 64.
        (self.0 & 63) as usize
    }

    /// The column.
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self.index() & 7]
    }

    /// The row.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self.index() >> 3]
    }

    /// The set that holds only this square.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }

    /// Is this c3, f3, c6 or f6?
    #[inline]
    pub const fn is_trap(self) -> bool {
        Bitboard::TRAPS.contains(self)
    }

    /// The neighbour in that direction, unless it is off the board.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Square> {
        // No branch on the direction, which nobody could foresee.
        if INSIDE[direction as usize] >> self.0 & 1 != 0 {
            Some(self.step_unchecked(direction))
        } else {
            None
        }
    }

    /// The neighbour in that direction, known to be on the board. Off the
    /// board the answer is some other square, not undefined behaviour.
    #[inline]
    pub(crate) const fn step_unchecked(self, direction: Direction) -> Square {
        Square(self.0.wrapping_add(OFFSETS[direction as usize]) & 63)
    }

    /// The squares next to this one: two, three or four of them.
    #[inline]
    pub const fn neighbours(self) -> Bitboard {
        NEIGHBOURS[self.index()]
    }

    /// The trap this square is next to, if any. No square is next to two.
    #[inline]
    pub const fn adjacent_trap(self) -> Option<Square> {
        Bitboard(self.neighbours().0 & Bitboard::TRAPS.0).first()
    }

    /// The square on the other wing: `b3` for `g3`.
    #[inline]
    #[must_use]
    pub const fn mirror(self) -> Square {
        Square(self.0 ^ 0b111)
    }

    /// The square as seen from the other side: `b6` for `b3`.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 0b11_1000)
    }

    /// Steps from here to there on an empty board.
    ///
    /// ```
    /// use hathi_rules::Square;
    /// assert_eq!(Square::A1.distance(Square::C4), 5);
    /// ```
    pub const fn distance(self, other: Square) -> u32 {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 3).abs_diff(other.0 >> 3);
        (files + ranks) as u32
    }

    /// Reads two ASCII bytes such as `b"c3"`.
    #[inline]
    pub(crate) const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        let (file, rank) = ((file | 0x20).wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        if file < 8 && rank < 8 {
            Some(Square(rank * 8 + file))
        } else {
            None
        }
    }
}

/// For each direction the squares from which a step that way stays on the board.
const INSIDE: [u64; 4] = [
    u64::MAX >> 8,
    u64::MAX << 8,
    !0x8080_8080_8080_8080,
    !0x0101_0101_0101_0101,
];

/// What to add to the number of a square for a step: 8, -8, 1, -1, modulo 64.
const OFFSETS: [u8; 4] = [8, 56, 1, 63];

/// `near` of each single square.
static NEIGHBOURS: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = Bitboard(1 << i).near();
        i += 1;
    }
    table
};

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a square: expected a file a-h and a rank 1-8, such as `c3`")]
pub struct ParseSquareError(pub(crate) String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.as_bytes() {
            [file, rank] => Square::from_ascii(file, rank),
            _ => None,
        }
        .ok_or_else(|| ParseSquareError(crate::shorten(text)))
    }
}

/// A direction of a step, as Gold sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards rank 8.
    North = 0,
    /// Towards rank 1.
    South = 1,
    /// Towards file h.
    East = 2,
    /// Towards file a.
    West = 3,
}

impl Direction {
    /// North, south, east, west.
    pub const ALL: [Direction; 4] = [
        Direction::North,
        Direction::South,
        Direction::East,
        Direction::West,
    ];

    /// Position in arrays indexed by direction.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Reads `n`, `s`, `e` or `w`.
    pub const fn from_char(c: char) -> Option<Direction> {
        if (c as u32) < 128 {
            BY_LETTER[c as usize]
        } else {
            None
        }
    }

    /// `n`, `s`, `e` or `w`.
    pub const fn to_char(self) -> char {
        match self {
            Direction::North => 'n',
            Direction::South => 's',
            Direction::East => 'e',
            Direction::West => 'w',
        }
    }

    /// Back the way it came.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Self::ALL[self as usize ^ 1]
    }

    /// The direction after a left-right mirror.
    #[inline]
    #[must_use]
    pub const fn mirror(self) -> Direction {
        match self {
            Direction::East => Direction::West,
            Direction::West => Direction::East,
            other => other,
        }
    }

    /// The direction seen from the other side of the table.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Direction {
        match self {
            Direction::North => Direction::South,
            Direction::South => Direction::North,
            other => other,
        }
    }

    #[inline]
    pub(crate) const fn from_low_bits(bits: u32) -> Direction {
        Self::ALL[(bits & 3) as usize]
    }
}

/// Letters of move lists are read by the million: a table, no comparisons.
static BY_LETTER: [Option<Direction>; 128] = {
    let mut table = [None; 128];
    let mut i = 0;
    while i < 4 {
        table[Direction::ALL[i].to_char() as usize] = Some(Direction::ALL[i]);
        i += 1;
    }
    table
};

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_what_it_prints() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        for bad in ["", "a", "i1", "a9", "a0", "a10", "é1", "1a"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn stepping_there_and_back() {
        for square in Square::all() {
            for direction in Direction::ALL {
                if let Some(next) = square.step(direction) {
                    assert_eq!(next.step(direction.opposite()), Some(square));
                    assert_eq!(square.distance(next), 1);
                    assert!(square.neighbours().contains(next));
                }
            }
        }
    }

    #[test]
    fn no_square_is_next_to_two_traps() {
        for square in Square::all() {
            assert!((square.neighbours() & Bitboard::TRAPS).len() <= 1);
        }
    }
}
