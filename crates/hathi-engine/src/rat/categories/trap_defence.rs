//! A trap of ours gets guards, as the local patterns have it.

use crate::rat::candidates::Candidates;
use crate::rat::local::Purpose;
use crate::rat::plan::Plan;
use crate::rat::scene::Scene;

pub(super) fn turns(scene: &Scene<'_>, plan: &Plan, found: &mut Candidates<'_>) {
    let Some(trap) = plan.trap else { return };
    let patterns = &scene.knowledge.patterns;
    for (turn, after, better) in patterns.reach(scene, Purpose::Protect, trap) {
        found.offer(turn, &after, better);
    }
}
