//! An exposed piece goes back to where it is safe.

use crate::rat::candidates::Candidates;
use crate::rat::rating::worth;
use crate::rat::scene::Scene;
use crate::rat::view::{THEM, rank};

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    for walk in scene.walks_of(scene.features.exposed) {
        let board = walk.after.board();
        let Some(piece) = board.piece_at(walk.to) else {
            continue;
        };
        let hunters = board.side(THEM) & board.stronger_than(piece.role());
        let around = walk.to.bit().grow();
        if hunters.intersects(around) {
            continue;
        }
        let mut bonus = worth(piece.role()) / 10;
        if !hunters.intersects(around.grow()) {
            bonus += worth(piece.role()) / 20;
        }
        if rank(walk.to) < rank(walk.from) {
            bonus += 4 * (rank(walk.from) - rank(walk.to)) as i32;
        }
        found.offer(walk.turn, &walk.after, bonus);
    }
}
