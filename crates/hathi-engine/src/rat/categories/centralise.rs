//! The elephant goes towards the centre.

use hathi_rules::{Role, Square};

use crate::rat::candidates::Candidates;
use crate::rat::evaluate::CENTRE;
use crate::rat::scene::Scene;

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    for walk in scene.walks_of(scene.ours(Role::Elephant)) {
        let nearer = away(walk.from) - away(walk.to);
        if nearer > 0 {
            found.offer(walk.turn, &walk.after, 6 * nearer);
        }
    }
}

fn away(square: Square) -> i32 {
    CENTRE
        .into_iter()
        .map(|centre| centre.distance(square) as i32)
        .min()
        .unwrap_or(0)
}
