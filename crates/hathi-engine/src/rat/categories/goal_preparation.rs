//! Rabbits come near goal, and what stands in their way is moved.

use hathi_rules::{Bitboard, Position, Role};

use crate::rat::candidates::Candidates;
use crate::rat::scene::Scene;
use crate::rat::view::{THEM, US, rank};

/// They must answer, or lose.
const THREAT: i32 = 120;

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    let rabbits = scene.ours(Role::Rabbit);
    for walk in scene.walks_of(rabbits) {
        let forward = rank(walk.to) as i32 - rank(walk.from) as i32;
        if forward > 0 {
            let bonus = 6 * forward + openness(&walk.after, walk.to) + threat(&walk.after);
            found.offer(walk.turn, &walk.after, bonus);
        }
    }
    // The most advanced rabbits' surroundings: friends come, enemies go.
    let front = rabbits
        .into_iter()
        .filter(|&square| rank(square) >= 4)
        .fold(Bitboard::EMPTY, |set, square| set | square.bit());
    let zone = front.grow().grow();
    for walk in scene.walks_of(scene.board().side(US) - rabbits) {
        if zone.contains(walk.to) && !zone.contains(walk.from) {
            found.offer(walk.turn, &walk.after, 2 + threat(&walk.after));
        }
    }
    for victim in scene.board().side(THEM) & zone {
        for shove in scene.shoves_of(victim) {
            let threat = threat(&shove.after);
            if threat > 0 || shove.to.is_some_and(|to| !zone.contains(to)) {
                found.offer(shove.turn, &shove.after, threat);
            }
        }
    }
}

fn threat(after: &Position) -> i32 {
    if after.with_side(US).can_goal().is_some() {
        THREAT
    } else {
        0
    }
}

/// How few enemies stand between a rabbit and goal.
fn openness(after: &Position, square: hathi_rules::Square) -> i32 {
    let mut cone = square.bit();
    let mut way = Bitboard::EMPTY;
    for _ in rank(square)..7 {
        cone = cone.north() | cone.north().east() | cone.north().west();
        way |= cone;
    }
    12 - 3 * (way & after.board().side(THEM)).len() as i32
}
