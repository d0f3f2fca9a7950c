//! The end of the line: captures are played out, then material counts.

use hathi_rules::Position;

use super::search::{Search, balance};
use super::view::after_steps;
use crate::search::WIN;

/// Captures in a row.
const ROUNDS: u32 = 2;

/// Victims tried at each.
const VICTIMS: usize = 3;

impl Search<'_> {
    /// The value of a position for the side to move, at the start of its turn.
    pub(super) fn quiet(&mut self, position: &Position, alpha: i32, beta: i32) -> i32 {
        if position.can_goal().is_some() {
            return WIN - 3;
        }
        self.captures(position, alpha, beta, ROUNDS)
    }

    fn captures(&mut self, position: &Position, mut alpha: i32, beta: i32, rounds: u32) -> i32 {
        self.count_node();
        let side = position.side_to_move();
        let mut best = balance(position, side);
        if best >= beta || rounds == 0 || self.stopped {
            return best;
        }
        for threat in position.capture_threats().iter().take(VICTIMS) {
            alpha = alpha.max(best);
            let mut mid = after_steps(position, &threat.turn);
            // Two pieces in one turn.
            if mid.steps_left() >= 2
                && let Some(second) = mid.capture_threats().first()
            {
                for &step in second.turn.steps() {
                    mid.apply(step);
                }
            }
            let after = mid.end_turn();
            if after.can_goal().is_some() {
                continue;
            }
            let score = -self.captures(&after, -beta, -alpha, rounds - 1);
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        best
    }
}
