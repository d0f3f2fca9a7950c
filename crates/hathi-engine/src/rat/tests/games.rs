//! Whole games: never an illegal turn, never a goal missed, never a piece left
//! that could be taken for nothing.

use hathi_rules::{Game, RuleSet};

use crate::{Choice, EngineKind, EngineSpec, Limits};

/// Games in every test; `HATHI_RAT_GAMES` asks for more.
const GAMES: u64 = 12;

#[test]
fn rat_plays_by_the_rules_and_misses_nothing_it_can_see() {
    let games = std::env::var("HATHI_RAT_GAMES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(GAMES);
    let opponents = [EngineKind::Random, EngineKind::Greedy, EngineKind::Rat];
    let mut turns = 0;
    for number in 0..games {
        let kind = opponents[(number / 2 % 3) as usize];
        let mut other = EngineSpec::of(kind);
        other.options.nodes = 800;
        other.options.hash = 1;
        let rat = EngineSpec::of(EngineKind::Rat);
        let mut players = [rat.build().expect("rat"), other.build().expect("another")];
        for (player, seed) in players.iter_mut().zip(1..) {
            player.new_game(number * 10 + seed);
        }
        let first = (number % 2) as usize;
        let mut game = Game::new(RuleSet::Modern);
        for ply in 0..200 {
            if game.outcome().is_some() {
                break;
            }
            let who = (first + ply) % 2;
            let decision = players[who]
                .decide(&game, &Limits::none(), &mut |_| {})
                .expect("a decision");
            let turn = match decision.choice {
                Choice::SetUp(setup) => {
                    game.set_up(&setup).expect("a setup");
                    continue;
                }
                Choice::Play(turn) => turn,
            };
            let before = game.position();
            let outcome = game
                .play(&turn)
                .unwrap_or_else(|error| panic!("game {number}: {turn}: {error}"));
            if who == 0 || kind == EngineKind::Rat {
                turns += 1;
                let won = outcome.is_some_and(|one| one.winner == Some(before.side_to_move()));
                assert!(
                    before.can_goal().is_none() || won,
                    "game {number}: a goal is missed\n{before:?}"
                );
                misses_no_capture(&before, &turn, &game);
            }
        }
    }
    assert!(turns > 10 * games);
}

#[test]
fn a_bird_in_the_hand() {
    // The camel on c8 looks as if it could be had; the cat on a6 can.
    let position: hathi_rules::Position = "
        g
        8| . . m . h . . d |
        7| r . . . . . . . |
        6| c H x E . x . d |
        5| . r . . . . . . |
        4| . H . . . . . . |
        3| . . x . M x . e |
        2| R . D . . D . R |
        1| R R R C C R R R |"
        .parse()
        .expect("a position");
    let game = Game::from_position(RuleSet::Modern, position);
    let mut rat = EngineSpec::of(EngineKind::Rat).build().expect("rat");
    let decision = rat
        .decide(&game, &Limits::none(), &mut |_| {})
        .expect("a decision");
    let Choice::Play(turn) = decision.choice else {
        panic!("no setup is asked for");
    };
    assert!(turn.to_string().contains("cc6x"), "{turn}");
}

/// A capture after which they can neither take something nor reach goal is
/// not left alone, unless something as good was done.
fn misses_no_capture(before: &hathi_rules::Position, turn: &hathi_rules::Turn, game: &Game) {
    let took = turn.steps().iter().any(|step| {
        step.removed()
            .is_some_and(|one| one.piece.side() != before.side_to_move())
    });
    if took || game.outcome().is_some() {
        return;
    }
    let defended = before.with_side(before.side_to_move().opponent());
    if defended.can_capture() || defended.can_goal().is_some() {
        return;
    }
    for threat in before.capture_threats() {
        let after = before.after_turn(threat.turn.steps());
        let safe = !after.can_capture() && after.can_goal().is_none();
        // What we threaten instead may be worth more.
        let bigger = game
            .position()
            .with_side(before.side_to_move())
            .capture_threats()
            .iter()
            .any(|other| other.victim.role() >= threat.victim.role());
        let goal = game
            .position()
            .with_side(before.side_to_move())
            .can_goal()
            .is_some();
        assert!(
            !safe || bigger || goal,
            "{turn} leaves {}\n{before:?}",
            threat.turn
        );
    }
}
