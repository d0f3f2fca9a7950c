//! The elephant goes after the camel: beside it, behind it, and drags it home.

use hathi_rules::Role;

use crate::rat::candidates::Candidates;
use crate::rat::plan::Plan;
use crate::rat::scene::Scene;
use crate::rat::view::{THEM, from_home_trap, rank};

pub(super) fn turns(scene: &Scene<'_>, plan: &Plan, found: &mut Candidates<'_>) {
    let Some((_, camel)) = plan.about else {
        return;
    };
    let elephant = scene.ours(Role::Elephant);
    let Some(now) = scene.features.our_elephant else {
        return;
    };
    for walk in scene.walks_of(elephant) {
        let distance = walk.to.distance(camel);
        if distance < now.distance(camel) {
            // Behind it there is no way back for it.
            let behind = if rank(walk.to) > rank(camel) { 12 } else { 0 };
            let frozen = walk.after.board().frozen(THEM).contains(camel);
            let bonus = 24 - 6 * distance as i32 + behind + if frozen { 20 } else { 0 };
            found.offer(walk.turn, &walk.after, bonus);
        }
    }
    for shove in scene.shoves_of(camel) {
        if let Some(to) = shove.to
            && from_home_trap(to) < from_home_trap(camel)
        {
            let nearer = from_home_trap(camel) as i32 - from_home_trap(to) as i32;
            found.offer(shove.turn, &shove.after, 30 + 15 * nearer);
        }
    }
}
