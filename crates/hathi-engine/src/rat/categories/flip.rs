//! An enemy piece is pulled and pushed past the one who moves it, who is back
//! in its place and bars the way.

use crate::rat::candidates::Candidates;
use crate::rat::rating::worth;
use crate::rat::scene::{Scene, in_reach};
use crate::rat::view::{US, rank};

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    let board = scene.board();
    for victim in in_reach(board, board.side(US), 1) {
        for shove in scene.shoves_of(victim) {
            if let Some(to) = shove.to
                && shove.turn.steps().len() == 4
                && shove.by_to == shove.by_from
                && rank(to) < rank(victim)
            {
                let lower = (rank(victim) - rank(to)) as i32;
                found.offer(
                    shove.turn,
                    &shove.after,
                    lower * worth(shove.victim.role()) / 20,
                );
            }
        }
    }
}
