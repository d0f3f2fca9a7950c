//! One piece goes where two captures are threatened at once.

use hathi_rules::{CaptureThreat, Role};

use crate::rat::candidates::Candidates;
use crate::rat::features::most;
use crate::rat::rating::worth;
use crate::rat::scene::Scene;
use crate::rat::view::{THEM, US};

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    let board = scene.board();
    let strong = scene.ours(Role::Elephant) | scene.ours(Role::Camel) | scene.ours(Role::Horse);
    let before = scene.position().with_side(US).capture_threats().len();
    for walk in scene.walks_of(strong) {
        let Some(piece) = board.piece_at(walk.from) else {
            continue;
        };
        let targets = board.side(THEM) & board.weaker_than(piece.role());
        if !targets.intersects(walk.to.neighbours()) {
            continue;
        }
        let threats = walk.after.with_side(US).capture_threats();
        if CaptureThreat::is_fork(threats.len()) && threats.len() > before {
            // The best will be saved; the next counts.
            let all: i32 = threats.iter().map(|one| worth(one.victim.role())).sum();
            let second = (all - most(&threats)).min(most(&threats));
            found.offer(walk.turn, &walk.after, second / 4);
        }
    }
}
