//! A piece of ours leaves a trap.

use hathi_rules::Bitboard;

use crate::rat::candidates::Candidates;
use crate::rat::scene::Scene;
use crate::rat::view::US;

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    for walk in scene.walks_of(scene.board().side(US) & Bitboard::TRAPS) {
        if !walk.to.is_trap() {
            // One step is enough, as a rule.
            found.offer(
                walk.turn,
                &walk.after,
                12 - 4 * walk.turn.steps().len() as i32,
            );
        }
    }
}
