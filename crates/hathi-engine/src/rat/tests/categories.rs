//! Every plan: where it fires, and where it must not.

use hathi_rules::{Outcome, RuleSet, Side, Square, Turn};

use super::{fires, plans, position, rests, turns};
use crate::rat::plan::{Flag, PlanKind};

fn is(text: &str) -> impl Fn(&Turn) -> bool {
    let text = text.to_owned();
    move |turn: &Turn| turn.to_string() == text
}

/// Does the turn bring a piece, by its letter, to a square?
fn brings(piece: char, square: Square) -> impl Fn(&Turn) -> bool {
    move |turn: &Turn| {
        turn.steps()
            .iter()
            .any(|step| step.piece().to_char() == piece && step.to() == Some(square))
    }
}

/// Nothing happens here: nobody is near anybody.
const CALM: &str = "
    g
    8| r r r r r r r r |
    7| h d c e m c d h |
    6| . . x . . x . . |
    5| . . . . . . . . |
    4| . . . . . . . . |
    3| . . x . . x . . |
    2| H D C M E C D H |
    1| R R R R R R R R |";

/// The elephants have come out; all else is at home.
const OUT: &str = "
    g
    8| r r r r r r r r |
    7| h d c . m c d h |
    6| . . x . . x . . |
    5| . . . . . . e . |
    4| . . . E . . . . |
    3| . . x . . x . . |
    2| H D C M . C D H |
    1| R R R R R R R R |";

#[test]
fn goal() {
    let near = "
        g
        8| r r r r . r r r |
        7| . . . . . . . . |
        6| . . x . R x . . |
        5| . . . . . . . e |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| R . . E . . . . |";
    fires(near, PlanKind::Goal, |turn| {
        let after = position(near).after_turn(turn.steps());
        Outcome::on_board(after.board(), Side::Gold, RuleSet::Modern)
            .is_some_and(|outcome| outcome.winner == Some(Side::Gold))
    });
    rests(CALM, PlanKind::Goal);
    // Near enough, but the way is barred.
    rests(
        "
        g
        8| r r r r r r r r |
        7| . . . . . . . . |
        6| . . x . R x . . |
        5| . . . . . . . e |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| R . . E . . . . |",
        PlanKind::Goal,
    );
}

#[test]
fn goal_defence() {
    let danger = "
        g
        8| . . . . . r r r |
        7| . . . . . . . e |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . r . . . . . . |
        3| . . x . . x . . |
        2| . . . D . . . . |
        1| . . R E . . R R |";
    fires(danger, PlanKind::GoalDefence, |turn| {
        position(danger)
            .after_turn(turn.steps())
            .can_goal()
            .is_none()
    });
    for turn in turns(&position(danger), PlanKind::GoalDefence) {
        let after = position(danger).after_turn(turn.steps());
        assert!(after.can_goal().is_none(), "{turn} stops it");
    }
    rests(CALM, PlanKind::GoalDefence);
}

#[test]
fn capture() {
    let open = "
        g
        8| r . . . . . . r |
        7| . . . . . . . e |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . h . . . . . |
        3| . E x . . x . . |
        2| . . . . . . . . |
        1| R . . . . . . R |";
    fires(open, PlanKind::Capture, is("Eb3n hc4s hc3x Eb4e"));
    // A friend beside the trap keeps it alive.
    rests(
        "
        g
        8| r . . . . . . r |
        7| . . . . . . . e |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . h . . . . . |
        3| . E x m . x . . |
        2| . . c . . . . . |
        1| R . . . . . . R |",
        PlanKind::Capture,
    );
    rests(CALM, PlanKind::Capture);
}

#[test]
fn defences_come_first_when_they_could_take_more() {
    // We can take a rabbit in f3, they a horse in c6.
    let both = "
        g
        8| r . . . . . . r |
        7| . . . . . . . . |
        6| . H x . . x . . |
        5| e . . . . . . . |
        4| . . . . . r . . |
        3| . . x . . x . . |
        2| . . . . E . . . |
        1| R . . . . . . R |";
    let captures = plans(&position(both), PlanKind::Capture);
    let defences = plans(&position(both), PlanKind::Defence);
    assert_eq!(captures[0].lowered, Some(Flag::TheyTakeMore));
    assert!(defences[0].priority() < captures[0].priority());
    fires(both, PlanKind::Defence, |turn| {
        let threats = position(both).after_turn(turn.steps()).capture_threats();
        threats.iter().all(|one| one.victim.to_char() != 'H')
    });
    // Without their elephant near, there is nothing to defend.
    let calm = both
        .replace("5| e", "5| .")
        .replace("7| . . . . . . . .", "7| . . . . . . . e");
    rests(&calm, PlanKind::Defence);
    assert_eq!(plans(&position(&calm), PlanKind::Capture)[0].lowered, None);
}

#[test]
fn frame() {
    let framed = "
        g
        8| r . . . . . . r |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| R M e . . . . . |
        3| . . h E . x . . |
        2| . . . H . . . . |
        1| R . D . . . . R |";
    fires(framed, PlanKind::Frame, brings('M', Square::B3));
    rests(CALM, PlanKind::Frame);
    // Nobody on a trap.
    rests(&framed.replace("3| . . h E", "3| . . x E"), PlanKind::Frame);
}

#[test]
fn hostage() {
    let camel = "
        g
        8| r r r r r r r r |
        7| h d c . . c d h |
        6| . . x . . x . . |
        5| . m E . . . e . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| H D C M . C D H |
        1| R R R R R R R R |";
    fires(camel, PlanKind::Hostage, |turn| {
        brings('m', Square::B4)(turn)
            || brings('m', Square::C4)(turn)
            || brings('m', Square::B3)(turn)
    });
    rests(CALM, PlanKind::Hostage);
    rests(OUT, PlanKind::Hostage);
}

#[test]
fn fork() {
    let two = "
        g
        8| r . . . . . . r |
        7| . . . . . . . e |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . c . . d . . |
        3| . . x . . x . . |
        2| . . . E . . . . |
        1| R . . . . . . R |";
    fires(two, PlanKind::Fork, |turn| {
        let after = position(two).after_turn(turn.steps());
        after.with_side(Side::Gold).capture_threats().len() >= 2
    });
    rests(CALM, PlanKind::Fork);
    rests(
        &two.replace("d . . |\n        3", ". . . |\n        3"),
        PlanKind::Fork,
    );
}

#[test]
fn camel_hunt() {
    let out = "
        g
        8| r r r r r r r r |
        7| h d c e . c d h |
        6| . . x . . x . . |
        5| . . . . . . . m |
        4| . . . E . . . . |
        3| . . x . . x . . |
        2| H D C M . C D H |
        1| R R R R R R R R |";
    fires(out, PlanKind::CamelHunt, brings('E', Square::G5));
    // At home it is safe.
    rests(OUT, PlanKind::CamelHunt);
}

#[test]
fn retreat() {
    let exposed = "
        g
        8| r r r r r r r r |
        7| h d c . m c d h |
        6| . . x . . x . . |
        5| . . e . . . . . |
        4| . . H D . . . . |
        3| . . x . . x . . |
        2| . D C M E C . H |
        1| R R R R R R R R |";
    fires(exposed, PlanKind::Retreat, |turn| {
        turn.steps()
            .first()
            .is_some_and(|step| step.from() == Square::C4)
    });
    rests(CALM, PlanKind::Retreat);
    rests(OUT, PlanKind::Retreat);
}

#[test]
fn trap_defence() {
    let attacked = "
        g
        8| r r r r r r r r |
        7| . d c . m c d h |
        6| . . x . . x . . |
        5| . . . . E . . . |
        4| . h . . . . . . |
        3| . e x . . x . . |
        2| . . C M . C D H |
        1| R R R R R R R R |";
    fires(attacked, PlanKind::TrapDefence, |turn| {
        let board = position(attacked).after_turn(turn.steps());
        (board.board().side(Side::Gold) & Square::C3.neighbours()).len() >= 2
    });
    rests(CALM, PlanKind::TrapDefence);
}

#[test]
fn goal_preparation() {
    let end = "
        g
        8| r . r . . . . . |
        7| . . . . . . c . |
        6| . . x . . x . . |
        5| . . e . . . . . |
        4| . . . . . . R . |
        3| . . x . . x . . |
        2| . . E . . . . . |
        1| R . . . . . . . |";
    fires(end, PlanKind::GoalPreparation, |turn| {
        turn.steps()
            .iter()
            .any(|step| step.piece().to_char() == 'R')
    });
    rests(CALM, PlanKind::GoalPreparation);
    rests(OUT, PlanKind::GoalPreparation);
}

#[test]
fn kidnap() {
    let victim = "
        g
        8| r r r r . r r r |
        7| h . c . m c d h |
        6| . . x d . x . . |
        5| . . . E . . . . |
        4| . . . . . . . e |
        3| . . x . . x . . |
        2| H D C M . C D H |
        1| R R R R R R R R |";
    fires(victim, PlanKind::Kidnap, |turn| {
        brings('d', Square::D4)(turn) || brings('d', Square::C5)(turn)
    });
    rests(CALM, PlanKind::Kidnap);
    rests(OUT, PlanKind::Kidnap);
}

#[test]
fn flip() {
    let beside = "
        g
        8| r r r r . r r r |
        7| h . c d m c d h |
        6| . . x E . x . . |
        5| . . . . . . . . |
        4| . . . . . . . e |
        3| . . x . . x . . |
        2| H D C M . C . H |
        1| R R R R R R R R |";
    fires(beside, PlanKind::Flip, |turn| {
        brings('d', Square::D5)(turn)
            && turn.steps().last().and_then(|step| step.to()) == Some(Square::D6)
    });
    rests(CALM, PlanKind::Flip);
    rests(OUT, PlanKind::Flip);
}

#[test]
fn attack() {
    fires(OUT, PlanKind::Attack, brings('E', Square::D6));
    assert!(
        plans(&position(CALM), PlanKind::Attack)
            .iter()
            .all(|plan| plan.lowered == Some(Flag::ElephantAtHome)),
        "with the elephant at home it is no time to attack"
    );
    // All who could attack are there already.
    let there = "
        g
        8| r r r r . r r r |
        7| . . C . . . d h |
        6| . H x E . x . . |
        5| . . R . . . . . |
        4| . . . . . . . e |
        3| . . x . . x . . |
        2| . D C M . . D . |
        1| R R R R R R R . |";
    let traps: Vec<_> = plans(&position(there), PlanKind::Attack)
        .iter()
        .filter_map(|plan| plan.trap)
        .collect();
    assert_eq!(traps, [Square::F6]);
}

#[test]
fn clear_trap() {
    let on_trap = "
        g
        8| r r r r r r r r |
        7| h d c . m c d h |
        6| . . x . . x . . |
        5| . . . . . . e . |
        4| . . . E . . . . |
        3| . . C D . x . . |
        2| H . . M . C D H |
        1| R R R R R R R R |";
    fires(on_trap, PlanKind::ClearTrap, |turn| {
        turn.steps()
            .iter()
            .any(|step| step.from() == Square::C3 && step.piece().to_char() == 'C')
    });
    rests(OUT, PlanKind::ClearTrap);
}

#[test]
fn centralise() {
    fires(CALM, PlanKind::Centralise, brings('E', Square::E4));
    rests(OUT, PlanKind::Centralise);
    // It holds a camel near our trap, and stays.
    rests(
        "
        g
        8| r r r r r r r r |
        7| h d c . . c d h |
        6| . . x . . x . . |
        5| . . . . . . e . |
        4| . E . . . . . . |
        3| . m x . . x . . |
        2| H . C M . C D H |
        1| R R R R R R R R |",
        PlanKind::Centralise,
    );
}

#[test]
fn advance() {
    fires(OUT, PlanKind::Advance, |_| true);
    fires(
        "
        g
        8| r . . . . . . r |
        7| . . . . . . . e |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| R . . E . . . . |
        1| . . . . . . . . |",
        PlanKind::Advance,
        is("Ra2n"),
    );
    rests(
        "
        g
        8| r . . . . . . r |
        7| . . . . . . . e |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| d . . . . . . . |
        3| . . x . . x . . |
        2| R . . E . . . . |
        1| . . . . . . . . |",
        PlanKind::Advance,
    );
}

#[test]
fn pattern() {
    // Their elephant holds the horse, our camel is not at home yet.
    let hostage = "
        g
        8| r r d . r r r r |
        7| r . c . . . c m |
        6| H e x E . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . D x H . x . . |
        2| . . C . M C D . |
        1| R R R . . R R R |";
    fires(hostage, PlanKind::Pattern, brings('M', Square::G3));
    rests(
        "
        g
        8| . . . . . . . r |
        7| . . . . . . . e |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . E . . . . |
        1| R . . . . . . . |",
        PlanKind::Pattern,
    );
}
