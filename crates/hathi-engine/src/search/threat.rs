//! The opponent is about to reach goal, and the turn at hand has to keep it from that.
//!
//! A turn to goal stands on some squares (its [ground](hathi_rules::Turn::ground)). While nothing
//! changes there the opponent can take it, so the last step of a defence changes one of them. What
//! is far from them may as well come after the defence. So of the last two steps of a turn most
//! need not be tried, and it takes far fewer positions to see that there is no defence.

use hathi_rules::{Bitboard, Position, Step};

use super::goals::Goals;

/// What is known of a threat to reach goal inside the turn that has to meet it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Threat {
    /// There was one when the turn began.
    at_start: bool,
    /// The opponent reaches goal if the turn ends here, by a turn that stands on these squares.
    /// Empty: no such turn is known.
    ground: Bitboard,
    /// A push that is not complete has changed some of them.
    touched: bool,
}

impl Threat {
    /// Looks for one where a turn begins.
    #[inline]
    pub(super) fn of(position: &Position, goals: &mut Goals) -> Threat {
        let ground = goals.ground(&position.end_turn());
        Threat {
            at_start: ground.any(),
            ground,
            touched: false,
        }
    }

    /// What is left of it after a step that led to this position.
    #[inline]
    #[must_use]
    pub(super) fn after(mut self, step: Step, next: &Position, goals: &mut Goals) -> Threat {
        if self.ground.any() {
            self.touched |= step.changes().intersects(self.ground);
            if self.touched && !next.is_mid_push() {
                self.ground = goals.ground(&next.end_turn());
                self.touched = false;
            }
        }
        self
    }

    /// The turn has to meet a threat, or had to. Then the order of steps that do not influence each
    /// other matters: one of them may be left out here and tried after the other.
    #[inline]
    pub(super) fn was_there(self) -> bool {
        self.at_start
    }

    /// A step that need not be tried, or the end of the turn (no step): it loses, or whatever it is
    /// good for can be had after the threat is met.
    #[inline]
    pub(super) fn makes_idle(self, position: &Position, step: Option<Step>) -> bool {
        if self.ground.is_empty() || position.is_mid_push() {
            return false;
        }
        let Some(step) = step else {
            return true;
        };
        let relevant = match position.steps_left() {
            1 => self.ground,
            // A step prepares another one at most two squares away, and gets in the way of one
            // at most three squares away.
            2 => self.ground.grow().grow().grow(),
            _ => return false,
        };
        !step.changes().intersects(relevant)
    }
}
