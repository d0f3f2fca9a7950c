use std::collections::BTreeSet;

use hathi_rules::{Bitboard, Position, Role, Side, Square, Symmetry, TurnGenerator};

use super::context::SideView;
use super::*;
use crate::steps::{Foreseen, StepNetwork};

const MIDDLE: &str = "
    g
     +-----------------+
    8| r . . r r . . r |
    7| . d c . . c d . |
    6| . h x . H x r . |
    5| r . . E . . . . |
    4| . . e . . . h . |
    3| R H x . . M . . |
    2| . D C . m C D R |
    1| R R . R R . R R |
     +-----------------+
       a b c d e f g h";

fn sorted(context: &Context, after: &hathi_rules::Board, steps: u8) -> Vec<u16> {
    let mut list = Vec::new();
    context.list_turn(after, steps, &mut list);
    list.sort_unstable();
    list
}

#[test]
fn groups_follow_each_other() {
    let mut next = 0;
    let names: BTreeSet<&str> = GROUPS.iter().map(|group| group.name).collect();
    assert_eq!(names.len(), GROUPS.len());
    for group in GROUPS {
        assert_eq!(group.start, next);
        next += group.len;
    }
    assert_eq!(FEATURES, next);
    assert!(group_of(FEATURES).is_none());
}

#[test]
fn features_are_the_same_from_all_sides() {
    let position: Position = MIDDLE.parse().expect("a drawn position");
    let mut generator = TurnGenerator::new();
    let past = Past::default();
    let context = Context::new(&position, &past);
    let mut seen = BTreeSet::new();
    let reached: Vec<_> = generator
        .generate(&position)
        .map(|reached| (*reached.board(), reached.steps_used(), reached.turn()))
        .collect();
    for (board, steps, turn) in reached.iter().step_by(7) {
        assert_eq!(usize::from(*steps), turn.steps().len());
        let features = sorted(&context, board, *steps);
        seen.extend(features.iter().copied());
        for symmetry in Symmetry::ALL {
            let turned = symmetry.apply(position);
            let context = Context::new(&turned, &past);
            let after = *turned.after_turn(symmetry.apply(*turn).steps()).board();
            assert_eq!(sorted(&context, &after, *steps), features, "{turn}");
        }
    }
    assert!(seen.iter().all(|&feature| usize::from(feature) < FEATURES));
    for name in ["captured", "trap", "frozen", "hanging", "steps", "room"] {
        let group = GROUPS.iter().find(|group| group.name == name);
        let group = group.expect("a group of that name");
        let any = seen
            .iter()
            .any(|&feature| group_of(feature.into()).is_some_and(|g| g.name == group.name));
        assert!(any, "no turn has a feature of {name}");
    }
}

/// What is known of a board from the one before is what is seen on it.
#[test]
fn views_after_a_turn_are_those_of_the_board() {
    let position: Position = MIDDLE.parse().expect("a drawn position");
    let before = [Side::Gold, Side::Silver].map(|side| SideView::of(position.board(), side));
    let mut seen = 0;
    for reached in TurnGenerator::new().generate(&position) {
        let after = reached.board();
        let changed = position.board().differing(after);
        for (side, before) in [Side::Gold, Side::Silver].into_iter().zip(&before) {
            let view = SideView::of(after, side);
            assert_eq!(SideView::after(after, side, before, changed), view);
            seen += usize::from(view != *before);
        }
    }
    assert!(seen > 10_000, "{seen}");
    // An elephant that is gone has no room.
    let elephant = position.board().side(Side::Gold) & position.board().role(Role::Elephant);
    let mut without = *position.board();
    for square in elephant {
        without.remove(square);
    }
    let view = SideView::after(&without, Side::Gold, &before[0], elephant);
    assert_eq!(view, SideView::of(&without, Side::Gold));
}

/// The guards of traps one by one, as drawn.
#[test]
fn pieces_that_guard_a_trap_alone_are_seen() {
    let position: Position = MIDDLE.parse().expect("a drawn position");
    let view = SideView::of(position.board(), Side::Gold);
    // c3: Hb3 and Cc2; f3: the camel on the trap, Cf2 beside it; c6: nobody; f6: He6.
    assert_eq!(view.guards, [3, 1, 0, 1]);
    // The cat on f2 stands beside the enemy camel; nothing stronger is near He6.
    assert_eq!(
        (view.hanging, view.loose),
        (Square::F2.bit(), Bitboard::EMPTY)
    );
}

#[test]
fn what_comes_of_a_turn_is_the_same_from_all_sides() {
    let network = crate::network::Network::shipped().expect("the network");
    let steps = StepNetwork::shipped().expect("the network");
    let position: Position = MIDDLE.parse().expect("a drawn position");
    let mut generator = TurnGenerator::new();
    let turns: Vec<_> = generator
        .generate(&position)
        .step_by(97)
        .map(|reached| reached.turn())
        .collect();
    let listed = |symmetry: Symmetry| -> Vec<Vec<u16>> {
        let position = symmetry.apply(position);
        let context = Context::new(&position, &Past::default());
        let mut worths = Worths::new(network, &position);
        let after =
            |turn: &hathi_rules::Turn| *position.after_turn(symmetry.apply(*turn).steps()).board();
        let each: Vec<i32> = turns
            .iter()
            .map(|turn| worths.after(&after(turn)))
            .collect();
        let foreseen = Foreseen::new(steps, &position, &Past::default());
        let boards: Vec<_> = turns.iter().map(after).collect();
        let outlook =
            Outlook::new(&context, worths.before(), each.clone()).foreseeing(foreseen, &boards);
        let list = |(turn, &worth): (&hathi_rules::Turn, &i32)| {
            let mut features = Vec::new();
            outlook.list(&context, &after(turn), worth, &mut features);
            features.sort_unstable();
            features
        };
        turns.iter().zip(&each).map(list).collect()
    };
    let here = listed(Symmetry::IDENTITY);
    let all: BTreeSet<u16> = here.iter().flatten().copied().collect();
    assert!(
        all.iter()
            .all(|&f| (OUTLOOK..FEATURES).contains(&usize::from(f)))
    );
    for name in [
        "worth",
        "worth-behind",
        "worth-rank",
        "exposed",
        "attacked",
        "foreseen",
        "foreseen-behind",
        "foreseen-rank",
    ] {
        let seen = |&f: &u16| group_of(f.into()).is_some_and(|group| group.name == name);
        assert!(all.iter().any(seen), "no turn has a feature of {name}");
    }
    for symmetry in Symmetry::ALL {
        // The networks are not quite the same for a mirrored board.
        let threats = |lists: &[Vec<u16>]| -> Vec<Vec<u16>> {
            let threats = ["exposed", "attacked"];
            let is_threat =
                |&&f: &&u16| group_of(f.into()).is_some_and(|g| threats.contains(&g.name));
            lists
                .iter()
                .map(|list| list.iter().filter(is_threat).copied().collect())
                .collect()
        };
        assert_eq!(threats(&listed(symmetry)), threats(&here));
    }
}

#[test]
fn a_position_looks_the_same_from_all_sides() {
    let position: Position = MIDDLE.parse().expect("a drawn position");
    let scene = |position: &Position| {
        let mut scene = Context::new(position, &Past::default()).scene();
        scene.sort_unstable();
        scene
    };
    let here = scene(&position);
    assert!(here.iter().all(|&feature| usize::from(feature) < SCENE));
    for symmetry in Symmetry::ALL {
        assert_eq!(scene(&symmetry.apply(position)), here);
    }
    assert_ne!(scene(&position.with_side(hathi_rules::Side::Silver)), here);
}

#[test]
fn a_single_step_has_the_features_of_the_turn_it_makes() {
    let position: Position = MIDDLE.parse().expect("a drawn position");
    let context = Context::at_a_glance(&position, &Past::default());
    let outside = |feature: &u16| {
        let group = group_of((*feature).into()).expect("a group");
        !["in-turn", "steps"].contains(&group.name)
    };
    for step in position.legal_steps() {
        if step.captures() {
            // A turn counts what falls among the pieces that left, a step does not.
            continue;
        }
        let mut of_step = Vec::new();
        let next = context.list_step(&position, step, &mut of_step);
        of_step.sort_unstable();
        of_step.retain(outside);
        let mut of_turn = sorted(&context, next.board(), 1);
        of_turn.retain(outside);
        assert_eq!(of_step, of_turn, "{step}");
    }
}
