//! An enemy piece falls into a trap.

use crate::rat::candidates::Candidates;
use crate::rat::rating::worth;
use crate::rat::scene::Scene;
use crate::rat::view::after_steps;

/// A capture is worth more than any place on the board.
const CAPTURE: i32 = 5;

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    for threat in &scene.features.our_captures {
        let bonus = CAPTURE * worth(threat.victim.role());
        let after = after_steps(scene.position(), &threat.turn);
        found.offer(threat.turn, &after, bonus);
        // The same capture by other ways, that leave the pieces elsewhere.
        for shove in scene.shoves_of(threat.square) {
            if shove.to.is_none() {
                found.offer(shove.turn, &shove.after, bonus);
            }
        }
    }
}
