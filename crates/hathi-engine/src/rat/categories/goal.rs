//! A rabbit reaches goal.

use crate::rat::candidates::Candidates;
use crate::rat::scene::Scene;
use crate::rat::view::after_steps;

const GOAL: i32 = 100_000;

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    let position = scene.position();
    if let Some(turn) = position.can_goal() {
        let after = after_steps(position, &turn);
        found.offer(turn, &after, GOAL);
    }
}
