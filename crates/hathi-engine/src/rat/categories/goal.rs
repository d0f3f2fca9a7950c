//! A rabbit reaches goal.

use crate::rat::candidates::Candidates;
use crate::rat::scene::Scene;

const GOAL: i32 = 100_000;

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    let position = scene.position();
    if let Some(turn) = position.can_goal() {
        let mut after = *position;
        for &step in turn.steps() {
            after.apply(step);
        }
        found.offer(turn, &after, GOAL);
    }
}
