//! Rat's candidates as advice for an engine that searches every step.

use std::collections::HashMap;

use hathi_rules::{Position, Step};

use super::Knowledge;
use super::categories::generate;
use super::evaluate::evaluate;
use super::scene::Scene;

/// Candidates of each plan that are worth a look.
const KEEP: usize = 3;

impl Knowledge {
    /// The steps of all candidates, by the hash of the position in which they
    /// would be taken.
    pub(crate) fn suggestions(&self, position: &Position) -> HashMap<u64, Vec<Step>> {
        let scene = Scene::new(position, self);
        let queue = evaluate(&scene, &[], 0);
        let mut steps: HashMap<u64, Vec<Step>> = HashMap::new();
        for plan in queue.plans() {
            for candidate in generate(&scene, plan, KEEP) {
                let mut mid = *position;
                for &step in scene.view.real(candidate.turn).steps() {
                    let known = steps.entry(mid.hash()).or_default();
                    if !known.contains(&step) {
                        known.push(step);
                    }
                    mid.apply(step);
                }
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineOptions;

    #[test]
    fn every_suggestion_is_legal_where_it_is_made() {
        let position: Position =
            "s [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
                .parse()
                .expect("a position");
        let rat = Knowledge::of(&EngineOptions::default()).expect("in order");
        let suggested = rat.suggestions(&position);
        let first = &suggested[&position.hash()];
        assert!(!first.is_empty());
        let legal = position.legal_steps();
        assert!(first.iter().all(|step| legal.contains(step)));
        assert!(
            suggested.len() > 2,
            "whole turns, not only their first steps"
        );
    }
}
