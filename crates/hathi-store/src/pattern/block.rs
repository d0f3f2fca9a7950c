//! Sixty-four stored positions and what is known of them.
//!
//! What is dear to work out stands in columns beside the index: a word of bits
//! for each yes or no ("the mover can goal within three steps"), numbers as
//! some words, a bit of each in every one, and lists of squares (frozen pieces,
//! hostages, what can be captured). All of it is in the view of the mover, who
//! plays Gold there.

use hathi_rules::{Piece, Side, Square};

use super::condition::strength;
use crate::index::{Family, IndexedMove};

/// Boards looked at together: as many as a word has bits.
pub(crate) const BLOCK: usize = 64;

/// Which columns a pattern looks at, a bit for each family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs(u8);

impl Needs {
    pub(crate) const ALL: Needs = Needs((1 << Family::ALL.len()) - 1);

    pub(crate) const fn of(family: Family) -> Needs {
        Needs(1 << family as u8)
    }

    pub(crate) const fn and(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }

    pub(crate) const fn contains(self, family: Family) -> bool {
        self.0 & Needs::of(family).0 != 0
    }
}

/// A block. Fewer positions at the end of all: the rest of the boards is empty
/// then.
pub(crate) struct FactBlock<'a> {
    pub(crate) boards: &'a [[u64; 4]; BLOCK],
    /// One bit for each position that there is.
    pub(crate) real: u64,
    /// What was played there, or nothing if that is not known.
    pub(crate) moves: &'a [IndexedMove],
    pub(crate) columns: BlockColumns<'a>,
}

impl FactBlock<'_> {
    /// The positions in which Silver moves.
    pub(crate) fn silver_moves(&self) -> u64 {
        let mut silver = 0;
        for (i, played) in self.moves.iter().enumerate() {
            silver |= u64::from(played.turns_before & 1) << i;
        }
        silver
    }
}

/// The columns of a block; those that nobody needs may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockColumns<'a> {
    /// The mover could goal within 1, 2, 3, 4 steps; then the opponent.
    pub(crate) goals: &'a [u64],
    /// Forks of the mover, of the opponent.
    pub(crate) forks: &'a [u64],
    /// The mover's elephant is blockaded, the opponent's.
    pub(crate) blockades: &'a [u64],
    /// See [`CountWords`].
    pub(crate) counts: &'a [u64],
    /// See [`GameWords`].
    pub(crate) games: &'a [u64],
    /// What could be captured, for each trap in the order of [`Square::TRAPS`].
    pub(crate) victims: [&'a [u16]; 4],
    pub(crate) frozen: &'a [u16],
    pub(crate) hostages: &'a [u16],
    pub(crate) framed: &'a [u16],
    /// The mover's pieces that the turn played has moved, where it leaves them.
    pub(crate) arrivals: &'a [u16],
    /// Pieces of either side that fall with the turn played, and where.
    pub(crate) fallen: &'a [u16],
}

/// What can be counted on a board, as words: which of them say what.
pub(crate) struct CountWords;

impl CountWords {
    /// The mover's pieces less the opponent's, and [`Self::EVEN`].
    pub(crate) const MATERIAL: std::ops::Range<usize> = 0..8;
    /// Added to a difference of pieces, so that it is no less than nothing.
    pub(crate) const EVEN: i64 = 64;
    /// It would be the opening, the middle game, if nobody threatened to reach
    /// goal.
    pub(crate) const OPENING: usize = 8;
    pub(crate) const MIDDLE: usize = 9;
    const TRAPS: usize = 10;
    const A_TRAP: usize = 5;
    /// How many there are.
    pub(crate) const COUNT: usize = Self::TRAPS + 4 * Self::A_TRAP;

    /// How strong the strongest pieces beside a trap are, 0 for none: three
    /// words. Behind them: are all of them the mover's, are all the opponent's?
    pub(crate) const fn strongest(trap: usize) -> std::ops::Range<usize> {
        let from = Self::TRAPS + Self::A_TRAP * trap;
        from..from + 3
    }

    pub(crate) const fn strongest_are_of(trap: usize, opponent: bool) -> usize {
        Self::strongest(trap).end + opponent as usize
    }
}

/// What the game says of a position, as words: which of them say what. Nothing
/// is known where all of them are 0.
pub(crate) struct GameWords;

impl GameWords {
    pub(crate) const MOVE_NUMBER: std::ops::Range<usize> = 2..18;
    /// How many there are.
    pub(crate) const COUNT: usize = 50;

    /// Did the mover win, or the opponent?
    pub(crate) const fn won(opponent: bool) -> usize {
        opponent as usize
    }

    /// The rating of the mover, or of the opponent; 0 if it is not known.
    pub(crate) const fn rating(opponent: bool) -> std::ops::Range<usize> {
        let from = Self::MOVE_NUMBER.end + 16 * opponent as usize;
        from..from + 16
    }
}

/// A piece on a square in a list: position within the block, square, and the
/// code of the piece.
pub(crate) const fn entry(position: usize, square: Square, code: u16) -> u16 {
    (position & 63) as u16 | (square.index() as u16) << 6 | code << 12
}

/// The code of a piece, as the planes of a board have it: strength, then the
/// side.
pub(crate) fn piece_code(piece: Piece) -> u16 {
    u16::from(strength(piece.role())) | u16::from(piece.side() == Side::Silver) << 3
}

/// The same of what stands on a square of a stored board.
pub(crate) const fn code_on(board: &[u64; 4], square: u32) -> u16 {
    let [p0, p1, p2, enemies] = *board;
    (p0 >> square & 1) as u16
        | ((p1 >> square & 1) as u16) << 1
        | ((p2 >> square & 1) as u16) << 2
        | ((enemies >> square & 1) as u16) << 3
}

/// The number of a trap, in the order of [`Square::TRAPS`].
pub(crate) fn trap_number(trap: Square) -> usize {
    let found = Square::TRAPS.iter().position(|&other| other == trap);
    found.unwrap_or(0)
}
