//! The turns, or parts of turns, that a category has found.

use hathi_rules::{Position, Turn};

use super::rating;
use super::view::US;

/// A part of a turn, in the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) turn: Turn,
    /// In the middle of the turn.
    pub(crate) after: Position,
    pub(crate) rating: i32,
}

/// A list that keeps the best of what is offered.
pub(crate) struct Candidates<'a> {
    before: &'a Position,
    list: Vec<Candidate>,
}

impl<'a> Candidates<'a> {
    pub(crate) fn new(before: &'a Position) -> Candidates<'a> {
        Candidates {
            before,
            list: Vec::new(),
        }
    }

    /// Adds a part of a turn with a bonus on top of where its pieces end up.
    /// Of several that lead to the same board the best stays.
    pub(crate) fn offer(&mut self, turn: Turn, after: &Position, bonus: i32) {
        if turn.steps().is_empty()
            || after.is_mid_push()
            || after.board() == self.before.board()
            || after.board().side(US).len() < self.before.board().side(US).len()
        {
            return;
        }
        // A step saved is worth a little.
        let rating = bonus + rating::gain(self.before.board(), after.board(), US)
            - turn.steps().len() as i32;
        let candidate = Candidate {
            turn,
            after: *after,
            rating,
        };
        let same = self
            .list
            .iter_mut()
            .find(|other| other.after.board() == after.board());
        match same {
            Some(other) if other.rating < rating => *other = candidate,
            Some(_) => {}
            None => self.list.push(candidate),
        }
    }

    /// How good moving there is, before it is offered.
    pub(crate) fn gain(&self, after: &Position) -> i32 {
        rating::gain(self.before.board(), after.board(), US)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The best few, best first.
    pub(crate) fn best(mut self, keep: usize) -> Vec<Candidate> {
        // Stable, so that the same position gives the same list.
        self.list
            .sort_by_key(|candidate| std::cmp::Reverse(candidate.rating));
        self.list.truncate(keep);
        self.list
    }
}
