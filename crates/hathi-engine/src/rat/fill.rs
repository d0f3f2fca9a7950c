//! Steps that no plan wanted: they strengthen the traps at home, if that does
//! no harm.
//!
//! Done after the main line is settled, so that the many ways to spend a
//! spare step do not widen the tree.

use super::candidates::Candidates;
use super::local::Purpose;
use super::plan::{Plan, PlanKind};
use super::scene::Scene;
use super::search::{Found, Search, moves};
use super::view::HOME_TRAPS;

/// Ways tried.
const WAYS: usize = 4;

impl Search<'_> {
    /// The turn with its spare steps used, if there is a use for them.
    pub(crate) fn fill(&mut self, mut found: Found) -> Found {
        if found.mid.steps_left() == 0 {
            return found;
        }
        let scene = Scene::new(&found.mid, self.knowledge);
        let mut ways = Candidates::new(scene.position());
        for trap in HOME_TRAPS {
            let patterns = &self.knowledge.patterns;
            for (turn, after, better) in patterns.reach(&scene, Purpose::Protect, trap) {
                ways.offer(turn, &after, better);
            }
        }
        for way in ways.best(WAYS) {
            let mut turn = found.turn;
            let rest = scene.view.real(way.turn);
            if way.rating <= 0
                || moves(&rest, found.in_place)
                || rest.steps().iter().any(|&step| turn.push(step).is_err())
            {
                continue;
            }
            let mid = scene.view.real(way.after);
            let score = self.value(&mid, found.score - 1);
            if self.stopped {
                break;
            }
            if score.is_some_and(|score| score >= found.score) {
                found.turn = turn;
                found.mid = mid;
                found.plans.push(Plan::new(PlanKind::TrapDefence));
                break;
            }
        }
        found
    }
}
