//! Pieces advance on a trap of theirs, as the local patterns have it; what is
//! too far away to take its place this turn comes nearer.

use hathi_rules::Role;

use crate::rat::candidates::Candidates;
use crate::rat::local::Purpose;
use crate::rat::plan::Plan;
use crate::rat::scene::Scene;

/// Who comes along.
const NEAR: u32 = 6;

pub(super) fn turns(scene: &Scene<'_>, plan: &Plan, found: &mut Candidates<'_>) {
    let Some(trap) = plan.trap else { return };
    let patterns = &scene.knowledge.patterns;
    for (turn, after, better) in patterns.reach(scene, Purpose::Attack, trap) {
        found.offer(turn, &after, better);
    }
    let strong = scene.ours(Role::Elephant) | scene.ours(Role::Horse);
    for walk in scene.walks_of(strong) {
        let (was, is) = (walk.from.distance(trap), walk.to.distance(trap));
        if is < was && was <= NEAR && is >= 1 && found.gain(&walk.after) > 0 {
            found.offer(walk.turn, &walk.after, (was - is) as i32);
        }
    }
}
