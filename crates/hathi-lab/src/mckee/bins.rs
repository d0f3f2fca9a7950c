//! Hit rates by move number, and what follows from them.

use hathi_engine::Level;
use serde::Serialize;

use super::moves::MoveRecord;

/// Rows of his table 12.
pub(super) const BINS: usize = 10;

/// What the rows are called.
pub(super) const NAMES: [&str; BINS] = [
    "1-5", "6-10", "11-15", "16-20", "21-25", "26-30", "31-35", "36-40", "41-45", "46+",
];

/// The four levels of the memory, in the order of his table.
pub(super) const LEVELS: [Level; 4] = [Level::Full, Level::Half, Level::Area, Level::AreaByPiece];

/// The row of a move number. Move 1 is the setup, as in archives.
pub(super) fn bin_of(number: u32) -> usize {
    (number.saturating_sub(1) / 5).min(BINS as u32 - 1) as usize
}

/// Moves that fall into one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Bin {
    /// Moves the memory was asked about.
    pub(super) moves: u64,
    /// Those that each level has an answer to, asked independently.
    pub(super) hits: [u64; 4],
    /// Those for which each level has any result, legal on the board or not.
    pub(super) found: [u64; 4],
    /// Those that any level has an answer to.
    pub(super) any: u64,
    /// Those for which any level has a result.
    pub(super) any_found: u64,
    /// Those that were played from memory.
    pub(super) played: u64,
}

impl Bin {
    pub(super) fn add(&mut self, record: &MoveRecord) {
        let hits = record.hits();
        self.moves += 1;
        for (count, hit) in self.hits.iter_mut().zip(hits) {
            *count += u64::from(hit);
        }
        self.any += u64::from(hits.contains(&true));
        let found = record.found.unwrap_or(hits);
        for (count, found) in self.found.iter_mut().zip(found) {
            *count += u64::from(found);
        }
        self.any_found += u64::from(found.contains(&true));
        self.played += u64::from(record.level.is_some_and(|level| LEVELS.contains(&level)));
    }

    /// A part of the moves, 0 of none.
    pub(super) fn share(&self, part: u64) -> f64 {
        hathi_view::numbers::ratio(part, self.moves)
    }

    pub(super) fn rates(&self) -> Rates {
        Rates(self.hits.map(|hits| self.share(hits)))
    }
}

/// Ten rows and all of them together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Bins {
    pub(super) rows: [Bin; BINS],
    pub(super) all: Bin,
}

impl Bins {
    pub(super) fn add(&mut self, record: &MoveRecord) {
        self.rows[bin_of(record.number)].add(record);
        self.all.add(record);
    }
}

/// How often each of the four levels has an answer, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rates(pub(super) [f64; 4]);

impl Rates {
    /// The chance that the level alone has an answer, if the levels were
    /// independent: his P(Just ...).
    fn only(self, level: usize) -> f64 {
        let others = (0..4).filter(|&other| other != level);
        self.0[level] * others.map(|other| 1.0 - self.0[other]).product::<f64>()
    }

    /// The sum of the four: his formula. It leaves out all cases where two or
    /// more levels have an answer.
    pub(super) fn exactly_one(self) -> f64 {
        (0..4).map(|level| self.only(level)).sum()
    }

    /// The last of the four alone.
    pub(super) fn only_last(self) -> f64 {
        self.only(3)
    }

    /// What stands in his table: the formula in the first row, its last term
    /// in all others.
    pub(super) fn as_printed(self, bin: usize) -> f64 {
        if bin == 0 {
            self.exactly_one()
        } else {
            self.only_last()
        }
    }

    /// The chance that any level has an answer, if they were independent.
    pub(super) fn union(self) -> f64 {
        1.0 - self.0.iter().map(|rate| 1.0 - rate).product::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u32, hits: [bool; 4], level: Level) -> MoveRecord {
        MoveRecord::new(number, hits, Some(level), 1000)
    }

    #[test]
    fn moves_fall_into_his_rows() {
        let of = [1, 2, 5, 6, 10, 11, 45, 46, 150].map(bin_of);
        assert_eq!(of, [0, 0, 0, 1, 1, 2, 8, 9, 9]);
        // A name says where its row begins.
        for (bin, name) in NAMES.iter().enumerate() {
            let first = name.split(['-', '+']).next().expect("a number");
            let first: u32 = first.parse().expect("a number");
            assert_eq!(bin_of(first), bin);
            assert!(bin == 0 || bin_of(first - 1) == bin - 1);
        }
    }

    #[test]
    fn moves_are_counted() {
        let mut bins = Bins::default();
        bins.add(&record(2, [true, true, false, false], Level::Full));
        bins.add(&record(3, [false; 4], Level::Chance));
        bins.add(&record(60, [false, false, false, true], Level::Search));
        let first = bins.rows[0];
        assert_eq!((first.moves, first.any, first.played), (2, 1, 1));
        assert_eq!(first.hits, [1, 1, 0, 0]);
        assert_eq!(bins.rows[9].any, 1);
        assert_eq!(bins.rows[9].played, 0);
        assert_eq!((bins.all.moves, bins.all.any), (3, 2));
    }

    #[test]
    fn formulas_at_their_ends() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        let none = Rates([0.0; 4]);
        close(none.exactly_one(), 0.0);
        close(none.union(), 0.0);
        // When all levels always answer, "exactly one" says never.
        let all = Rates([1.0; 4]);
        close(all.exactly_one(), 0.0);
        close(all.union(), 1.0);
        let halves = Rates([0.5; 4]);
        close(halves.exactly_one(), 0.25);
        close(halves.only_last(), 0.0625);
        close(halves.union(), 0.9375);
        close(Bin::default().rates().union(), 0.0);
    }
}
