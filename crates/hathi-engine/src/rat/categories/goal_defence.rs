//! A rabbit of theirs that would reach goal is stopped: its way is blocked, it
//! is frozen, pushed off or taken.

use hathi_rules::{Bitboard, Position};

use crate::rat::candidates::Candidates;
use crate::rat::scene::Scene;
use crate::rat::view::{THEM, US, after_steps};
use crate::rat::walk::walks;

/// Second walks tried after a first that is not enough.
const PAIRS: usize = 400;

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    let Some(goal) = scene.features.their_goal else {
        return;
    };
    // Where it all happens: the squares of their turn and those beside.
    let mut way = Bitboard::EMPTY;
    for step in goal.steps() {
        way |= step.from().bit();
        if let Some(to) = step.to() {
            way |= to.bit();
        }
    }
    let zone = way.grow();
    for walk in scene.all_walks() {
        if zone.contains(walk.to) && holds(&walk.after) {
            found.offer(walk.turn, &walk.after, 0);
        }
    }
    for victim in scene.board().side(THEM) & zone {
        for shove in scene.shoves_of(victim) {
            if holds(&shove.after) {
                found.offer(shove.turn, &shove.after, 0);
            }
        }
    }
    for threat in &scene.features.our_captures {
        let after = after_steps(scene.position(), &threat.turn);
        if holds(&after) {
            found.offer(threat.turn, &after, 0);
        }
    }
    if found.is_empty() {
        two_walks(scene, zone, found);
    }
}

/// Two pieces together stop what one cannot.
fn two_walks(scene: &Scene<'_>, zone: Bitboard, found: &mut Candidates<'_>) {
    let mut tried = 0;
    for first in scene.all_walks() {
        if !zone.contains(first.to) || first.after.steps_left() == 0 {
            continue;
        }
        for from in first.after.board().mobile(US) & zone.grow().grow() {
            if from == first.to {
                continue;
            }
            for second in walks(&first.after, from, 3) {
                if !zone.contains(second.to) {
                    continue;
                }
                tried += 1;
                if tried > PAIRS {
                    return;
                }
                if holds(&second.after) {
                    let mut turn = first.turn;
                    if second
                        .turn
                        .steps()
                        .iter()
                        .all(|&step| turn.push(step).is_ok())
                    {
                        found.offer(turn, &second.after, 0);
                    }
                }
            }
        }
    }
}

fn holds(after: &Position) -> bool {
    after.end_turn().can_goal().is_none()
}
