//! An enemy piece is dragged towards our traps.

use crate::rat::candidates::Candidates;
use crate::rat::evaluate::prey;
use crate::rat::rating::worth;
use crate::rat::scene::Scene;
use crate::rat::view::{THEM, US, from_home_trap};

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    for victim in prey(scene) {
        for shove in scene.shoves_of(victim) {
            let Some(to) = shove.to else { continue };
            let nearer = from_home_trap(victim) as i32 - from_home_trap(to) as i32;
            if nearer <= 0 {
                continue;
            }
            let board = shove.after.board();
            let worth = worth(shove.victim.role());
            let held = if board.frozen(THEM).contains(to) {
                worth / 20
            } else {
                0
            };
            // Who drags must not be dragged himself.
            let caught = if board.frozen(US).contains(shove.by_to) {
                worth
            } else {
                0
            };
            found.offer(
                shove.turn,
                &shove.after,
                nearer * worth / 20 + held - caught,
            );
        }
    }
}
