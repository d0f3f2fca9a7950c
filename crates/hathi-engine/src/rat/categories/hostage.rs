//! A camel or horse of theirs is brought near a trap of ours and held there.

use hathi_rules::{Position, Role, Square};

use crate::rat::candidates::Candidates;
use crate::rat::evaluate::prey;
use crate::rat::rating::worth;
use crate::rat::scene::Scene;
use crate::rat::view::{THEM, from_home_trap};

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    let strong = scene.theirs(Role::Camel) | scene.theirs(Role::Horse);
    let hunters = scene.ours(Role::Elephant) | scene.ours(Role::Camel);
    for victim in prey(scene) & strong {
        for shove in scene.shoves_of(victim) {
            if let Some(to) = shove.to
                && shove.by.role() >= Role::Camel
                && is_held(&shove.after, to)
                && from_home_trap(to) < from_home_trap(victim)
            {
                let near = 12 - 4 * from_home_trap(to) as i32;
                found.offer(
                    shove.turn,
                    &shove.after,
                    worth(shove.victim.role()) / 8 + near,
                );
            }
        }
        // It may be near enough already, and only wants holding.
        if from_home_trap(victim) <= 2 {
            for walk in scene.walks_of(hunters & scene.stronger(victim)) {
                if victim.neighbours().contains(walk.to) && is_held(&walk.after, victim) {
                    let piece = scene.board().piece_at(victim);
                    let bonus = piece.map_or(0, |piece| worth(piece.role()) / 8);
                    found.offer(walk.turn, &walk.after, bonus);
                }
            }
        }
    }
}

fn is_held(after: &Position, square: Square) -> bool {
    after.board().hostages(THEM).contains(square)
}
