//! An enemy piece on a trap is shut in: it must be guarded for ever.

use crate::rat::candidates::Candidates;
use crate::rat::plan::Plan;
use crate::rat::rating::worth;
use crate::rat::scene::Scene;
use crate::rat::view::THEM;

pub(super) fn turns(scene: &Scene<'_>, plan: &Plan, found: &mut Candidates<'_>) {
    let Some((piece, trap)) = plan.about else {
        return;
    };
    let around = trap.neighbours();
    let board = scene.board();
    let framers = scene.stronger(trap);
    let shut_before = (framers & around).len();
    for walk in scene.walks_of(framers - around) {
        if around.contains(walk.to) {
            let framers = walk.after.board().side(hathi_rules::Side::Gold)
                & walk.after.board().stronger_than(piece.role());
            let shut = (framers & around).len();
            if shut > shut_before {
                found.offer(walk.turn, &walk.after, 10 + 8 * shut as i32);
            }
        }
    }
    // Moving a guard away leaves one fewer to hold it.
    for guard in board.side(THEM) & around {
        for shove in scene.shoves_of(guard) {
            if shove.to.is_some_and(|to| !around.contains(to))
                && shove.after.board().piece_at(trap) == Some(piece)
            {
                found.offer(shove.turn, &shove.after, 10 + worth(piece.role()) / 20);
            }
        }
    }
}
