//! A fragment of a game for every graph shipped.

use hathi_rules::{Game, Piece, Position, RuleSet, Square, Symmetry};

use super::position;
use crate::dpg::{Graph, SHIPPED};
use crate::{Choice, EngineKind, EngineSpec, Limits, plans_of};

fn graph(name: &str) -> Graph {
    let file = SHIPPED
        .iter()
        .find(|(file, _)| *file == format!("{name}.dpg"));
    Graph::parse(file.expect("a file").1).expect("a graph")
}

/// The commands that a graph gives, as text, for every symmetry alike.
fn commands(name: &str, text: &str) -> Vec<String> {
    let graph = graph(name);
    let drawn = position(text);
    let of = |seen: &Position| -> Vec<String> {
        let found = graph.matches(seen);
        found
            .iter()
            .map(|one| graph.nodes()[one.command].to_string())
            .collect()
    };
    let mut all = of(&drawn);
    all.sort();
    for symmetry in Symmetry::ALL {
        let mut other = of(&symmetry.apply(drawn));
        other.sort();
        assert_eq!(all, other, "{name} under {symmetry:?}");
    }
    all
}

fn gives(name: &str, text: &str, command: &str) {
    let all = commands(name, text);
    assert!(all.iter().any(|one| one == command), "{name}: {all:?}");
}

/// Rat's turn with only this graph to go by, on the real engine.
fn played(name: &str, text: &str) -> Position {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("one.dpg");
    let shipped = SHIPPED
        .iter()
        .find(|(file, _)| *file == format!("{name}.dpg"));
    std::fs::write(&file, shipped.expect("a file").1).expect("written");
    let mut spec = EngineSpec::of(EngineKind::Rat);
    spec.options.dpg = file.display().to_string();
    let mut engine = spec.build().expect("an engine");
    engine.new_game(1);
    let mut game = Game::from_position(RuleSet::Modern, position(text));
    let decision = engine
        .decide(&game, &Limits::none(), &mut |_| {})
        .expect("a decision");
    // The graph has its say in what the engine wants.
    let (_, plans) = plans_of(&game.position(), &spec.options).expect("plans");
    assert!(
        plans.iter().any(|plan| plan.reason.contains(name)),
        "{plans:?}"
    );
    let Choice::Play(turn) = decision.choice else {
        panic!("no turn");
    };
    game.play(&turn).expect("legal");
    game.position()
}

const CALM: &str = "
    g
    8| r r r r . r r r |
    7| h d c . m c d h |
    6| . . x . . x . . |
    5| . . . . . . e . |
    4| . . . E . . . . |
    3| . . x . . x . . |
    2| H D C M . C D H |
    1| R R R . R R R R |";

#[test]
fn eh_attack() {
    // Their elephant is on the east wing: ours and a horse go west.
    let start = "
        g
        8| r r r r . r r . |
        7| h d c . m c d h |
        6| . . x . . x . . |
        5| . . . . . . e r |
        4| . H . E . . . R |
        3| . D x . . x D . |
        2| . . C M . C . H |
        1| R R R . R R R . |";
    gives("eh-attack", start, "(go E d6)");
    let after = played("eh-attack", start);
    assert_eq!(
        after.board().piece_at(Square::D6),
        Some(Piece::GoldElephant)
    );
    // The elephant is there: now the horse.
    let next = start
        .replace("6| . . x . .", "6| . . x E .")
        .replace("4| . H . E", "4| . H . .");
    gives("eh-attack", &next, "(go H b6)");
    // Their elephant is on that wing: no attack there.
    let met = position(&start.replace("5| . . . . . . e r", "5| . e . . . . . r"));
    assert!(
        graph("eh-attack")
            .matches(&met)
            .iter()
            .all(|one| one.mirrored)
    );
}

#[test]
fn eh_defence() {
    let attacked = "
        g
        8| r r r r . r r r |
        7| . d c . m c d h |
        6| . . x . . x . . |
        5| . E . . . . . . |
        4| . . . . . . . . |
        3| . h x e . x . . |
        2| H D C M . C D H |
        1| R R R . R R R R |";
    gives("eh-defence", attacked, "(plan trap-defence)");
    gives(
        "eh-defence",
        attacked,
        "(bring h b3 {a3,b2,b4} with E {b3,a3,b4})",
    );
    played("eh-defence", attacked);
    assert!(commands("eh-defence", CALM).is_empty());
}

#[test]
fn camel_hostage() {
    let camel = "
        g
        8| r r r r . r r r |
        7| h d c . . c d h |
        6| . . x . . x e . |
        5| . . E . . . . . |
        4| . . m . . . . . |
        3| . . x . . x . . |
        2| H D C M . C D H |
        1| R R R . R R R R |";
    gives(
        "camel-hostage",
        camel,
        "(bring m c4 {b3,b4} with E board)"
            .replace("{b3,b4}", "{b4,b3}")
            .as_str(),
    );
    let held = camel
        .replace("5| . . E", "5| . . .")
        .replace("4| . . m", "4| . E .")
        .replace("3| . . x . .", "3| . m x . .");
    gives("camel-hostage", &held, "(go H d3)");
    played("camel-hostage", camel);
    assert!(commands("camel-hostage", CALM).is_empty());
}

#[test]
fn horse_frame() {
    let framed = "
        g
        8| r r r r . r r r |
        7| . d c . m c d h |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . M e . . . . . |
        3| . . h E . x . . |
        2| H D C . . C D H |
        1| R R R . R R R R |";
    gives(
        "horse-frame",
        framed,
        "(go HM b3)".replace("HM", "MH").as_str(),
    );
    played("horse-frame", framed);
    assert!(commands("horse-frame", CALM).is_empty());
}

#[test]
fn blockade() {
    let closing = "
        g
        8| r r r r . r r r |
        7| r E d . m c d h |
        6| . . x . . x . . |
        5| . . . . . . e . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| H D C M . C D H |
        1| R R R . R R R R |";
    gives("blockade", closing, "(near E d5)");
    let after = played("blockade", closing);
    assert_eq!(after.board().piece_at(Square::B7), None, "it has left");
    let shut_in = "
        g
        8| r . . . . r r r |
        7| r r r . m c d h |
        6| E c r r . x . . |
        5| r r r d . . e . |
        4| r . . . . . . . |
        3| . . x . . x . . |
        2| H D C M . C D H |
        1| R R R . R R R R |";
    gives("blockade", shut_in, "(plan flip)");
    assert!(commands("blockade", CALM).is_empty());
    let start = "
        g
        8| r r r r r r r r |
        7| d h c e m c h d |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| D H C M E C H D |
        1| R R R R R R R R |";
    assert!(commands("blockade", start).is_empty(), "among friends");
}

#[test]
fn opening() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let commands = commands("opening", start);
    assert!(
        commands.contains(&"(go E {d4,e4,d5,e5})".to_owned()),
        "{commands:?}"
    );
    let after = played("opening", start);
    let elephant = after.board().pieces(Piece::GoldElephant).first();
    assert!(elephant.is_some_and(|square| square.index() / 8 >= 3));
    let late = "
        g
        8| r . . . . . . r |
        7| . . . . . . . e |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| R . . E . . . . |
        1| . . . . . . . . |";
    assert!(self::commands("opening", late).is_empty());
}

#[test]
fn rabbit_goal() {
    let end = "
        g
        8| . . . . . r . r |
        7| . . . . . . c . |
        6| . . x . . x . . |
        5| . . . . . e . . |
        4| . . . . . . . . |
        3| R . x . . x . . |
        2| . . . E . . . . |
        1| . . . . . . . . |";
    gives("rabbit-goal", end, "(go R a5-c7)");
    let after = played("rabbit-goal", end);
    let rabbit = after.board().pieces(Piece::GoldRabbit).first();
    assert!(
        rabbit.is_some_and(|square| square.index() / 8 >= 5),
        "{after:?}"
    );
    assert!(commands("rabbit-goal", CALM).is_empty());
}

#[test]
fn flash_kidnapping_needs_a_hostage() {
    assert!(commands("flash-kidnapping", CALM).is_empty());
    let free = "
        g
        8| r r d h r r . . |
        7| r . c . . . c m |
        6| . e x E . x . . |
        5| . . . . . . . . |
        4| H . . . . . . . |
        3| . D x H . x M . |
        2| . . C . . C D . |
        1| R R R . . R R R |";
    assert!(
        commands("flash-kidnapping", free).is_empty(),
        "the horse is free"
    );
}
