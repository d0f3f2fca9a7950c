//! Positions drawn for every plan and category: where it fires, and where it
//! must not.

mod categories;
mod figure_two;
mod games;
mod graphs;

use hathi_rules::{Position, Symmetry, Turn};

use super::evaluate::evaluate;
use super::plan::{Plan, PlanKind};
use super::scene::Scene;
use super::{Knowledge, categories::generate};
use crate::EngineOptions;

/// The knowledge shipped.
fn knowledge() -> Knowledge {
    Knowledge::of(&EngineOptions::default()).expect("what is shipped is in order")
}

fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

/// The plans of a kind that a position calls for.
fn plans(position: &Position, kind: PlanKind) -> Vec<Plan> {
    let knowledge = knowledge();
    let scene = Scene::new(position, &knowledge);
    let queue = evaluate(&scene, &[], 0);
    queue
        .plans()
        .iter()
        .filter(|plan| plan.kind == kind)
        .copied()
        .collect()
}

/// The candidates of all plans of a kind, each checked for legality.
fn turns(position: &Position, kind: PlanKind) -> Vec<Turn> {
    let knowledge = knowledge();
    let scene = Scene::new(position, &knowledge);
    let mut found = Vec::new();
    for plan in plans(position, kind) {
        for candidate in generate(&scene, &plan, 100) {
            let turn = scene.view.real(candidate.turn);
            let (checked, after) = position.check_turn(&turn).expect("a legal turn");
            assert_eq!(checked, turn, "removals are filled in");
            assert_eq!(after.board(), scene.view.real(candidate.after).board());
            found.push(turn);
        }
    }
    found
}

/// The plan fires here with a turn that does what is asked, for both colours
/// and on both wings alike.
fn fires(text: &str, kind: PlanKind, does: impl Fn(&Turn) -> bool) {
    let drawn = position(text);
    for symmetry in Symmetry::ALL {
        let seen = symmetry.apply(drawn);
        let found = turns(&seen, kind);
        assert!(
            found.iter().any(|turn| does(&symmetry.apply(*turn))),
            "{} under {symmetry:?}: {:?}",
            kind.name(),
            found
                .iter()
                .map(|turn| symmetry.apply(*turn).to_string())
                .collect::<Vec<_>>()
        );
    }
}

/// The plan does not fire here, or finds nothing to do.
fn rests(text: &str, kind: PlanKind) {
    let drawn = position(text);
    for symmetry in Symmetry::ALL {
        let found = turns(&symmetry.apply(drawn), kind);
        assert!(
            found.is_empty(),
            "{} under {symmetry:?}: {found:?}",
            kind.name()
        );
    }
}
