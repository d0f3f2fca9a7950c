//! What could be taken is saved: it walks away, the trap gets a guard, or the
//! attacker is moved.

use hathi_rules::{Bitboard, Position};

use crate::rat::candidates::Candidates;
use crate::rat::features::most;
use crate::rat::local::Purpose;
use crate::rat::rating::worth;
use crate::rat::scene::Scene;
use crate::rat::view::THEM;

pub(super) fn turns(scene: &Scene<'_>, found: &mut Candidates<'_>) {
    let threats = &scene.features.their_captures;
    let now = total(scene.position());
    let mut try_it = |turn, after: &Position| {
        let saved = now - total(after);
        if saved > 0 {
            found.offer(turn, after, 2 * saved);
        }
    };
    let mut attackers = Bitboard::EMPTY;
    for threat in threats {
        attackers |= threat
            .turn
            .steps()
            .iter()
            .filter(|step| step.side() == THEM)
            .fold(Bitboard::EMPTY, |set, step| set | step.from().bit());
        let guards = threat.trap.neighbours();
        let beside = threat.square.neighbours();
        for walk in scene.all_walks() {
            let runs = walk.from == threat.square;
            let helps = (guards | beside).contains(walk.to);
            if runs || helps {
                try_it(walk.turn, &walk.after);
            }
        }
        for (turn, after, _) in scene
            .knowledge
            .patterns
            .reach(scene, Purpose::Protect, threat.trap)
        {
            try_it(turn, &after);
        }
    }
    for victim in attackers & scene.board().side(THEM) {
        for shove in scene.shoves_of(victim) {
            try_it(shove.turn, &shove.after);
        }
    }
}

/// What they could take after this: the strongest in full, the others in part.
fn total(after: &Position) -> i32 {
    let threats = after.with_side(THEM).capture_threats();
    let sum: i32 = threats
        .iter()
        .map(|threat| worth(threat.victim.role()))
        .sum();
    most(&threats) + sum / 4
}
