//! What the columns beside an index say of one position, in a few numbers: as
//! a row of a table has it.
//!
//! They are taken from the columns of its block, so that both say the same. A
//! bit of a word of a family is a bit of a number here, at the place of its
//! word; squares of a list are a set of squares. What the turn played does is
//! about pieces that may have stood elsewhere, so these are listed with their
//! codes.

use hathi_rules::Square;

use super::block::{BlockColumns, CountWords, trap_number};
use crate::index::Family;

/// The facts of a position in the view of its mover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackedFacts {
    /// Goals, forks, blockades and what can be counted: see [`OnBoard`].
    pub(crate) on_board: u64,
    /// What the game says: [`GameWords`](super::block::GameWords), a bit for each word.
    pub(crate) of_game: u64,
    /// What the turn played does: see [`OfTurn`].
    pub(crate) of_turn: u64,
    pub(crate) frozen: u64,
    pub(crate) hostages: u64,
    pub(crate) framed: u64,
    /// What could be captured, for each trap in the order of [`Square::TRAPS`].
    pub(crate) victims: [u64; 4],
}

/// The bits of [`PackedFacts::on_board`].
pub(crate) struct OnBoard;

impl OnBoard {
    pub(crate) const GOALS: usize = 0;
    pub(crate) const FORKS: usize = 8;
    pub(crate) const BLOCKADES: usize = 10;
    pub(crate) const COUNTS: usize = 12;
}

const _: () = assert!(OnBoard::COUNTS + CountWords::COUNT <= 63);

/// The bits of [`PackedFacts::of_turn`]: four pieces that the turn moves, then
/// four that fall. None where the code is 0.
pub(crate) struct OfTurn;

impl OfTurn {
    /// As many as a turn has steps.
    pub(crate) const MOST: usize = 4;
    /// A piece that is moved: its square, then its code.
    pub(crate) const ARRIVAL_BITS: usize = 10;
    /// Where those that fall begin.
    pub(crate) const FALLEN: usize = Self::MOST * Self::ARRIVAL_BITS;
    /// One of these: the number of its trap, then its code.
    pub(crate) const FALLEN_BITS: usize = 6;

    pub(crate) const fn arrival(number: usize) -> usize {
        number * Self::ARRIVAL_BITS
    }

    pub(crate) const fn fallen(number: usize) -> usize {
        Self::FALLEN + number * Self::FALLEN_BITS
    }
}

const _: () = assert!(OfTurn::fallen(OfTurn::MOST) <= 64);

impl PackedFacts {
    /// Grows whenever what these numbers mean changes: with the layout here, or
    /// with what a family of columns says.
    pub(crate) const VERSION: i64 = {
        const LAYOUT: i64 = 1;
        let mut version = LAYOUT;
        let mut i = 0;
        while i < Family::ALL.len() {
            version = version * 100 + Family::ALL[i].version() as i64;
            i += 1;
        }
        version
    };

    /// Those of the positions of a block, of which there are so many.
    pub(crate) fn of_block(columns: &BlockColumns<'_>, count: usize) -> Vec<PackedFacts> {
        let mut all = vec![PackedFacts::default(); count];
        for (words, from) in [
            (columns.goals, OnBoard::GOALS),
            (columns.forks, OnBoard::FORKS),
            (columns.blockades, OnBoard::BLOCKADES),
            (columns.counts, OnBoard::COUNTS),
        ] {
            for (i, facts) in all.iter_mut().enumerate() {
                facts.on_board |= bits_of(words, i) << from;
            }
        }
        for (i, facts) in all.iter_mut().enumerate() {
            facts.of_game = bits_of(columns.games, i);
        }
        each(columns.frozen, &mut all, |facts, square, _| {
            facts.frozen |= 1 << square;
        });
        each(columns.hostages, &mut all, |facts, square, _| {
            facts.hostages |= 1 << square;
        });
        each(columns.framed, &mut all, |facts, square, _| {
            facts.framed |= 1 << square;
        });
        for (trap, victims) in columns.victims.iter().enumerate() {
            each(victims, &mut all, |facts, square, _| {
                facts.victims[trap] |= 1 << square;
            });
        }
        each(columns.arrivals, &mut all, |facts, square, code| {
            let entry = u64::from(square) | u64::from(code) << 6;
            facts.add_to_turn(entry, OfTurn::arrival, OfTurn::ARRIVAL_BITS);
        });
        each(columns.fallen, &mut all, |facts, square, code| {
            let trap = Square::from_index(usize::from(square)).map_or(0, trap_number);
            let entry = trap as u64 | u64::from(code) << 2;
            facts.add_to_turn(entry, OfTurn::fallen, OfTurn::FALLEN_BITS);
        });
        all
    }

    /// Into the first of four places that is free.
    fn add_to_turn(&mut self, entry: u64, place: fn(usize) -> usize, bits: usize) {
        let free = |number: &usize| self.of_turn >> place(*number) & ((1 << bits) - 1) == 0;
        if let Some(number) = (0..OfTurn::MOST).find(free) {
            self.of_turn |= entry << place(number);
        }
    }
}

/// A bit of each word, of one position.
fn bits_of(words: &[u64], position: usize) -> u64 {
    let bits = words.iter().enumerate();
    bits.fold(0, |all, (i, word)| all | (word >> position & 1) << i)
}

/// Visits the entries of a list with their square and the code of the piece.
fn each(
    entries: &[u16],
    all: &mut [PackedFacts],
    mut visit: impl FnMut(&mut PackedFacts, u16, u16),
) {
    for &entry in entries {
        if let Some(facts) = all.get_mut(usize::from(entry & 63)) {
            visit(facts, entry >> 6 & 63, entry >> 12);
        }
    }
}
