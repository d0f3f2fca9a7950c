//! Who can reach goal from where, worked out before.
//!
//! The question is asked at every turn's start and at most ends of lines, and the same boards come
//! again and again: by other orders of steps, in the next round, in the next turn of the game. The
//! answer takes a few hundred nanoseconds, a look here a few.

use hathi_rules::{Bitboard, Position};

/// Answers kept.
const ANSWERS: usize = 1 << 15;

/// Grounds of turns to goal kept.
const GROUNDS: usize = 1 << 12;

/// In every answer, so that a place never written to holds none.
const WRITTEN: u64 = 2;

/// What is known of turns to goal, of positions where a turn begins.
pub(super) struct Goals {
    /// The hash of a position but for its last two bits: [`WRITTEN`], and whether there is a goal.
    answers: Vec<u64>,
    /// The hash of a position with a goal, and what a shortest turn to goal stands on.
    grounds: Vec<(u64, Bitboard)>,
}

impl Goals {
    pub(super) fn new() -> Goals {
        Goals {
            answers: vec![0; ANSWERS],
            grounds: vec![(0, Bitboard::EMPTY); GROUNDS],
        }
    }

    /// Does the side whose turn begins here reach goal with it?
    #[inline]
    pub(super) fn reaches(&mut self, position: &Position) -> bool {
        let hash = position.hash();
        let known = &mut self.answers[(hash >> 20) as usize % ANSWERS];
        let key = hash & !3 | WRITTEN;
        if *known & !1 == key {
            return *known & 1 != 0;
        }
        let reaches = position.reaches_goal();
        *known = key | u64::from(reaches);
        reaches
    }

    /// What a shortest turn to goal of the side whose turn begins here stands on; empty if there is
    /// none.
    #[inline]
    pub(super) fn ground(&mut self, position: &Position) -> Bitboard {
        if !self.reaches(position) {
            return Bitboard::EMPTY;
        }
        let hash = position.hash();
        let known = &mut self.grounds[(hash >> 20) as usize % GROUNDS];
        if known.0 != hash || known.1.is_empty() {
            let turn = position.can_goal();
            *known = (hash, turn.map_or(Bitboard::EMPTY, |turn| turn.ground()));
        }
        known.1
    }
}
