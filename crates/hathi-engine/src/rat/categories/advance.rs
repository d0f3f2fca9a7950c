//! Rabbits move up, on the wings first.

use hathi_rules::Role;

use crate::rat::candidates::Candidates;
use crate::rat::scene::Scene;
use crate::rat::view::{THEM, rank};

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    for walk in scene.walks_of(scene.ours(Role::Rabbit)) {
        let board = walk.after.board();
        let forward = rank(walk.to) as i32 - rank(walk.from) as i32;
        let enemies = board.side(THEM) - board.role(Role::Rabbit);
        // One step at a time, and not into their arms.
        if forward == 1 && walk.turn.steps().len() == 1 && !enemies.intersects(walk.to.bit().grow())
        {
            found.offer(walk.turn, &walk.after, 0);
        }
    }
}
