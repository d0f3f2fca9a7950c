//! The end of the line: captures are played out, then the board is valued.

use hathi_rules::Position;

use super::GoalsBy;
use super::worker::Worker;
use crate::evaluation::Evaluate;

impl<E: Evaluate> Worker<'_, E> {
    /// The value of a position where the search ends and whose board is worth `seen`.
    pub(super) fn leaf(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: i32,
        beta: i32,
        seen: i32,
    ) -> i32 {
        if self.settings.quiescence {
            let rounds = self.settings.margins.captures;
            self.quiet(position, ply, alpha, beta, seen, rounds)
        } else {
            seen
        }
    }

    fn quiet(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        seen: i32,
        rounds: i32,
    ) -> i32 {
        let mut best = seen + self.settings.margins.tempo * i32::from(position.steps_left());
        let sees_goals = self.settings.goals == GoalsBy::Search;
        if sees_goals && position.at_turn_start() && self.kept.goals.reaches(&position.end_turn()) {
            best -= self.settings.margins.goal_threat;
        }
        if best >= beta || rounds <= 0 || position.steps_left() < 2 {
            return best;
        }
        alpha = alpha.max(best);
        for threat in position
            .capture_threats()
            .iter()
            .take(self.settings.margins.victims.max(0).cast_unsigned() as usize)
        {
            self.nodes += 1;
            let next = position.after_turn(threat.turn.steps());
            let score = if sees_goals && self.kept.goals.reaches(&next) {
                continue;
            } else {
                let seen = self.worth(&next, ply + 1);
                -self.quiet(&next, ply + 1, -beta, -alpha, seen, rounds - 1)
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
