//! The end of the line: captures are played out, then the board is valued.

use hathi_rules::Position;

use super::worker::Worker;
use crate::evaluation::Evaluate;

/// What having steps left is worth.
const TEMPO: i32 = 6;

/// The opponent can reach goal next turn, and a whole turn is left to stop it.
const GOAL_THREAT: i32 = 120;

/// Captures in a row that are looked at.
const ROUNDS: u32 = 2;

/// Victims tried at each.
const VICTIMS: usize = 3;

impl<E: Evaluate> Worker<'_, E> {
    /// The value of a position where the search ends.
    pub(super) fn leaf(&mut self, position: &Position, alpha: i32, beta: i32) -> i32 {
        if self.settings.quiescence {
            self.quiet(position, alpha, beta, ROUNDS)
        } else {
            self.evaluation
                .evaluate(position.board(), position.side_to_move())
        }
    }

    fn quiet(&mut self, position: &Position, mut alpha: i32, beta: i32, rounds: u32) -> i32 {
        let side = position.side_to_move();
        let mut best = self.evaluation.evaluate(position.board(), side)
            + TEMPO * i32::from(position.steps_left());
        if position.at_turn_start() && position.end_turn().can_goal().is_some() {
            best -= GOAL_THREAT;
        }
        if best >= beta || rounds == 0 || position.steps_left() < 2 {
            return best;
        }
        alpha = alpha.max(best);
        for threat in position.capture_threats().iter().take(VICTIMS) {
            self.nodes += 1;
            let next = position.after_turn(threat.turn.steps());
            let score = if next.can_goal().is_some() {
                continue;
            } else {
                -self.quiet(&next, -beta, -alpha, rounds - 1)
            };
            if score > best {
                best = score;
                alpha = alpha.max(best);
                if best >= beta {
                    break;
                }
            }
        }
        best
    }
}
