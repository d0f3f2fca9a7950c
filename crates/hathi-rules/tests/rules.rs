//! The tricky corners of the rules, drawn.

use hathi_rules::{
    Game, IllegalStep, IllegalTurn, Outcome, Position, RuleSet, Side, Termination, Turn,
};

fn position(text: &str) -> Position {
    text.parse().expect("a drawn position")
}

fn turn(text: &str) -> Turn {
    text.parse().expect("a turn")
}

/// Plays the turn and gives back its full notation, or what is wrong with it.
fn play(position: &Position, text: &str) -> Result<String, String> {
    position
        .check_turn(&turn(text))
        .map(|(turn, _)| turn.to_string())
        .map_err(|error| error.to_string())
}

fn reason(position: &Position, text: &str) -> IllegalStep {
    match position.check_turn(&turn(text)) {
        Err(IllegalTurn::Step { reason, .. }) => reason,
        other => panic!("{text}: {other:?}"),
    }
}

/// The outcome after `text` is played from the position.
fn outcome(position: &Position, text: &str, rules: RuleSet) -> Option<String> {
    let mut game = Game::from_position(rules, *position);
    let outcome = game.play(&turn(text)).expect("a legal turn");
    outcome.map(|outcome| outcome.to_string())
}

#[test]
fn a_pull_is_legal_though_the_puller_died() {
    let position = position(
        "g
        8| . . c . . . . . |
        7| . . E . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| R . . . . . . . |",
    );
    assert_eq!(
        play(&position, "Ec7s cc8s").as_deref(),
        Ok("Ec7s Ec6x cc8s")
    );
    assert_eq!(
        play(&position, "Ec7s Ec6x cc8s").as_deref(),
        Ok("Ec7s Ec6x cc8s")
    );
}

#[test]
fn a_pull_is_legal_though_the_puller_is_frozen_by_then() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . m . . . . |
        4| . . . . . . . . |
        3| . r D . . . . . |
        2| . . . . . . . . |
        1| R . . . . . . . |",
    );
    // c3 is a trap and the dog alone on it: composed with a rabbit beside.
    let position = {
        let mut board = *position.board();
        board.place(hathi_rules::Square::C2, hathi_rules::Piece::GoldRabbit);
        Position::new(board, Side::Gold).expect("supported now")
    };
    assert_eq!(
        play(&position, "Dc3e rb3e rc3x").as_deref(),
        Ok("Dc3e rb3e rc3x")
    );
    assert_eq!(
        play(&position, "Dc3n Dc4e Dd4s").unwrap_err(),
        "step 3 of 4, `Dd4s`: the dog on d4 is frozen by the camel on d5"
    );
}

#[test]
fn nothing_may_come_between_the_two_steps_of_a_push() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x d E x . . |
        2| . . . . . . . H |
        1| R . . . . . . . |",
    );
    assert_eq!(play(&position, "dd3n Ee3w").as_deref(), Ok("dd3n Ee3w"));
    assert_eq!(
        play(&position, "dd3n Hh2n Ee3w").unwrap_err(),
        "step 2 of 4, `Hh2n`: the push must be completed: a piece stronger than a dog must step into d3"
    );
    assert_eq!(
        play(&position, "Hh2n Hh3n Hh4n dd3n").unwrap_err(),
        "step 4 of 4, `dd3n`: a push needs two steps and only one is left"
    );
    assert_eq!(
        play(&position, "dd3n").unwrap_err(),
        "the turn ends before the push is completed: a piece stronger than a dog must step into d3"
    );
    // Into the trap: the removal stands before the step that completes it.
    assert_eq!(
        play(&position, "dd3w Ee3w").as_deref(),
        Ok("dd3w dc3x Ee3w")
    );
}

#[test]
fn who_completes_a_push_cannot_pull_with_that_step() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . c . . . |
        3| . . x d E x . . |
        2| . . . . . . . . |
        1| R . . . . . . . |",
    );
    // The elephant pushes west and leaves e3; the cat may not follow as a
    // pull, and nobody else is there to push it.
    assert_eq!(
        reason(&position, "dd3n Ee3w ce4s"),
        IllegalStep::NoPusher {
            enemy: hathi_rules::Role::Cat
        }
    );
    // A plain step may be followed by a pull.
    assert_eq!(play(&position, "Ee3s ce4s").as_deref(), Ok("Ee3s ce4s"));
}

#[test]
fn an_enemy_stepping_into_a_square_just_left_is_a_pull_if_it_can_be() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . M h . . . |
        3| . . x R C x . . |
        2| . . . . . . . . |
        1| R . . . . . . . |",
    );
    // The camel leaves d4 and the horse follows: a pull, complete.
    assert_eq!(play(&position, "Md4n he4w").as_deref(), Ok("Md4n he4w"));
    // The cat leaves e3 and the horse follows: the cat is too weak to pull,
    // so it is the start of a push that the camel must complete.
    assert_eq!(
        play(&position, "Ce3s he4s").unwrap_err(),
        "the turn ends before the push is completed: a piece stronger than a horse must step into e4"
    );
    assert_eq!(
        play(&position, "Ce3s he4s Md4e").as_deref(),
        Ok("Ce3s he4s Md4e")
    );
}

#[test]
fn frozen_pieces_still_support_and_freeze() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . e . . . |
        4| . . . . H . . . |
        3| . . x h R x . . |
        2| . . . . . . . . |
        1| . . . . . . . . |",
    );
    // The horse stands beside the elephant, but the rabbit is its friend; the
    // rabbit stands beside a horse, but the horse is its friend.
    assert!(position.board().frozen(Side::Gold).is_empty());
    assert_eq!(play(&position, "Re3e").as_deref(), Ok("Re3e Rf3x"));
    // Once the rabbit is gone the horse is frozen.
    assert_eq!(
        play(&position, "Re3e He4s").unwrap_err(),
        "step 2 of 4, `He4s`: the horse on e4 is frozen by the elephant on e5"
    );
}

#[test]
fn rabbits_go_backward_only_when_pushed() {
    let position = position(
        "s
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . R . . . . |
        3| . . . h r x . . |
        2| . . . . . . . . |
        1| . . . . . . . . |",
    );
    assert_eq!(reason(&position, "re3n"), IllegalStep::RabbitBackward);
    let gold = position.with_side(Side::Gold);
    assert_eq!(
        play(&gold, "Rd4s").unwrap_err(),
        "step 1 of 4, `Rd4s`: d3 is occupied by the Silver horse"
    );
    assert_eq!(play(&position, "hd3s Rd4s").as_deref(), Ok("hd3s Rd4s"));
}

#[test]
fn the_movers_goal_comes_first() {
    // Gold brings a rabbit home although Silver's stands on goal too: rule 1
    // before rule 2.
    let position = position(
        "g
        8| . . . . . . . h |
        7| . R . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . r E |
        1| . . . . . . . . |",
    );
    let both = "rg2s Eh2w Rb7n";
    assert_eq!(
        outcome(&position, both, RuleSet::Modern).as_deref(),
        Some("Gold wins by goal")
    );
    // A rabbit moved onto its goal by the enemy wins for its owner.
    assert_eq!(
        outcome(&position, "rg2s Eh2w", RuleSet::Modern).as_deref(),
        Some("Silver wins by goal")
    );
    // On goal in mid-turn and away again is no goal (a pull brings it back).
    assert_eq!(
        outcome(&position, "rg2s Eh2w Eg2w rg1n", RuleSet::Modern),
        None
    );
}

#[test]
fn losing_the_last_rabbit() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . E . e |
        3| . . x D r . . . |
        2| . . . R . . . . |
        1| . . . . . . . . |",
    );
    // Silver's last rabbit falls: rule 3.
    assert_eq!(
        outcome(&position, "re3e Dd3e", RuleSet::Modern).as_deref(),
        Some("Gold wins by elimination of all rabbits")
    );
    // Before 2008 that did not end the game.
    assert_eq!(outcome(&position, "re3e Dd3e", RuleSet::Before2008), None);
}

#[test]
fn both_lose_their_last_rabbit_in_one_turn() {
    // The dog steps aside and the rabbit on c3 falls; then the silver one is
    // pushed into f3. Both are gone: the mover wins (rule 3 before rule 4),
    // and before 2008 it was a draw.
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . D . . . . e |
        3| . . R E r . . . |
        2| . . . . . . . . |
        1| . . . . . . . . |",
    );
    let turn = "re3e Ed3e Dc4n";
    let (full, _) = position.check_turn(&turn.parse().unwrap()).unwrap();
    assert_eq!(full.to_string(), "re3e rf3x Ed3e Dc4n Rc3x");
    assert_eq!(
        outcome(&position, turn, RuleSet::Modern).as_deref(),
        Some("Gold wins by elimination of all rabbits")
    );
    assert_eq!(
        outcome(&position, turn, RuleSet::Before2008).as_deref(),
        Some("draw as neither side has rabbits")
    );
}

#[test]
fn giving_up_ones_own_last_rabbit() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . D . . . . e |
        3| . . R . . . . r |
        2| . . . . . . . . |
        1| . . . . . . . . |",
    );
    assert_eq!(
        outcome(&position, "Dc4n", RuleSet::Modern).as_deref(),
        Some("Silver wins by elimination of all rabbits")
    );
}

#[test]
fn no_step_at_all_loses() {
    // The rabbit on a8 is frozen once the elephant stands beside it.
    let position = position(
        "g
        8| r . . . . . . . |
        7| . . E . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . . R |",
    );
    assert_eq!(
        outcome(&position, "Ec7w Eb7w", RuleSet::Modern).as_deref(),
        Some("Gold wins by immobilisation")
    );
}

#[test]
fn a_third_repetition_is_illegal_now_and_lost_before_2008() {
    let start = position(
        "g
        8| . . . r . . . . |
        7| e . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| E . . . . . . . |
        1| . . . . R . . . |",
    );
    let there = ["Ea2e", "ea7e", "Eb2w", "eb7w"];
    for rules in [RuleSet::Modern, RuleSet::Before2008] {
        let mut game = Game::from_position(rules, start);
        for text in there.iter().cycle().take(7) {
            assert_eq!(game.play(&turn(text)), Ok(None), "{text}");
        }
        // Silver's next move brings the first position for the third time.
        let third = game.play(&turn("eb7w"));
        match rules {
            RuleSet::Modern => assert_eq!(third, Err(IllegalTurn::ThirdRepetition)),
            RuleSet::Before2008 => assert_eq!(
                third,
                Ok(Some(Outcome::win(Side::Gold, Termination::Repetition)))
            ),
        }
    }
}

#[test]
fn only_illegal_turns_left_loses() {
    // Silver's rabbit is frozen and shut in. The cat can go to h8 and back,
    // and push or pull nothing: cats stand all round it.
    let start = position(
        "g
        8| . . . . . . C . |
        7| . . . . . . C c |
        6| . . x . . x D C |
        5| . . . . . . . r |
        4| . . . . . . . E |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| R . . . . . . . |",
    );
    let mut game = Game::from_position(RuleSet::Modern, start);
    let moves = ["Ra1e", "ch7n", "Rb1w", "ch8s"];
    for text in moves.iter().cycle().take(6) {
        assert_eq!(game.play(&turn(text)), Ok(None), "{text}");
    }
    assert_eq!(game.side_to_move(), Side::Gold);
    // After Rb1w the cat stands on h8; its only step leads to the start
    // position with Gold to move, which has stood twice.
    let end = game.play(&turn("Rb1w"));
    assert_eq!(
        end,
        Ok(Some(Outcome::win(Side::Gold, Termination::Immobilised)))
    );
}

#[test]
fn a_turn_must_change_something() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . E . . . . |
        3| . . x r . x . . |
        2| . . . . . . . . |
        1| R . . . . . . . |",
    );
    assert_eq!(
        position.check_turn(&turn("Ed4n Ed5s")).unwrap_err(),
        IllegalTurn::NoChange
    );
    // Pull the rabbit up and push it back: nothing has changed either.
    assert_eq!(
        position
            .check_turn(&turn("Ed4n rd3n rd4s Ed5s"))
            .unwrap_err(),
        IllegalTurn::NoChange
    );
    assert_eq!(
        position.check_turn(&turn("")).unwrap_err(),
        IllegalTurn::Empty
    );
}

#[test]
fn a_finished_game_takes_no_more_turns() {
    let position = position(
        "g
        8| . . . . . . . . |
        7| R . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . r |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . . . |",
    );
    let mut game = Game::from_position(RuleSet::Modern, position);
    game.play(&turn("Ra7n")).unwrap();
    assert_eq!(
        game.play(&turn("rh5w")).unwrap_err().to_string(),
        "the game is over: Gold wins by goal"
    );
    assert!(game.take_back());
    assert_eq!(game.outcome(), None);
}

/// Captures that begin with the end of a pull, far from the trap.
#[test]
fn a_pull_may_free_the_piece_that_captures() {
    for (text, before, victim) in [
        (
            "g [                                           Cr      h       E    ]",
            "Ed1w",
            "e3",
        ),
        (
            "s [R       h           rDRd     c       R M C     h                ]",
            "dh6s",
            "f4",
        ),
    ] {
        let position = position(text);
        let step = position.check_step(before.parse().unwrap()).unwrap();
        let threats = position.after(step).capture_threats();
        assert!(
            threats
                .iter()
                .any(|threat| threat.square.to_string() == victim),
            "{text}: {threats:?}"
        );
    }
}

/// A game without captures may be long; looking for repetitions must not get
/// slower and slower.
#[test]
fn long_games_without_captures() {
    let start = position(
        "g
        8| . . . . . . . r |
        7| e . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| E . . . . . . . |
        1| R . . . . . . . |",
    );
    let mut game = Game::from_position(RuleSet::Modern, start);
    let mut generator = hathi_rules::TurnGenerator::new();
    let mut turns = 0;
    // Always the first turn that repeats nothing: thousands of positions.
    while turns < 3000 {
        let now = game.position();
        let next = generator
            .generate(&now)
            // Only the elephants move: no capture, no goal.
            .filter(|reached| {
                let rabbits = |board: &hathi_rules::Board| board.role(hathi_rules::Role::Rabbit);
                rabbits(reached.board()) == rabbits(now.board())
                    && reached.board().count() == now.board().count()
            })
            .find(|reached| game.occurrences(&reached.position()) == 0)
            .map(|reached| reached.turn());
        let Some(next) = next else { break };
        if game.play(&next) != Ok(None) {
            break;
        }
        turns += 1;
    }
    assert!(turns > 300, "only {turns}");
    // Counting by hand gives the same.
    for position in game.positions().iter().step_by(97) {
        let plain = game
            .positions()
            .iter()
            .filter(|other| *other == position)
            .count();
        assert_eq!(game.occurrences(position), plain);
    }
    // And it can all be taken back.
    while game.take_back() {}
    assert_eq!(game.positions().len(), 1);
    assert_eq!(game.occurrences(&start), 1);
}
