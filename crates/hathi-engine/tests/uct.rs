//! The Monte-Carlo tree search: legal whatever the limits, limits obeyed, proofs
//! true, and the same again with the same seed.

use hathi_engine::{
    AnalysisRequest, Choice, Decision, EngineSpec, Limits, Solution, Stop, Thought, solve,
};
use hathi_rules::{Game, Outcome, Position, RuleSet, Turn, TurnGenerator};

/// A score beyond this is a win in some number of turns.
const SURE: i32 = 99_000;
const WIN: i32 = 100_000;

/// Games of random turns, as they stand after every few of them.
fn games(seed: u64, count: usize) -> Vec<Game> {
    let start: Position = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]"
        .parse()
        .expect("a position");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut generator = TurnGenerator::new();
    let mut found = Vec::new();
    while found.len() < count {
        let mut game = Game::from_position(RuleSet::Modern, start);
        for ply in 1.. {
            let reached = generator.generate(&game.position());
            let pick = random.usize(..reached.len().max(1));
            let Some(turn) = { reached }.nth(pick).map(|reached| reached.turn()) else {
                break;
            };
            if game.play(&turn).is_err() || game.outcome().is_some() {
                break;
            }
            if ply % 9 == 0 {
                found.push(game.clone());
            }
        }
    }
    found.truncate(count);
    found
}

/// A few pieces anywhere: what follows can be looked through to its end.
fn sparse(seed: u64, count: usize) -> Vec<Game> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut squares = ['.'; 64];
        for piece in "RRrr".chars() {
            squares[random.usize(8..56)] = piece;
        }
        let board: String = squares.iter().collect();
        let Ok(position) = format!("g [{board}]").parse() else {
            continue;
        };
        let game = Game::from_position(RuleSet::Modern, position);
        if game.outcome().is_none() && game.has_legal_turn() {
            found.push(game);
        }
    }
    found
}

fn decide(spec: &str, game: &Game, limits: &Limits) -> (Decision, Vec<Thought>) {
    let spec: EngineSpec = spec.parse().expect("an engine");
    let mut engine = spec.build().expect("it can be made");
    engine.new_game(1);
    let mut heard = Vec::new();
    let decision = engine
        .decide(game, limits, &mut |thought| heard.push(thought.clone()))
        .expect("a decision");
    (decision, heard)
}

fn turn_of(decision: &Decision) -> Turn {
    match decision.choice {
        Choice::Play(turn) => turn,
        Choice::SetUp(_) => panic!("a setup"),
    }
}

#[test]
fn every_answer_is_legal_and_no_limit_is_passed() {
    for (number, game) in (0..).zip(games(1, 60)) {
        let nodes = [1, 2, 30, 400][number % 4];
        let spec = [
            "uct:hash=2",
            "uct:hash=2,playouts=random",
            "uct:hash=1,ordering=none",
            "uct:hash=2,leaf=2",
        ][number / 4 % 4];
        let depth = [None, Some(1), Some(5)][number % 3];
        let limits = Limits {
            depth,
            ..Limits::nodes(nodes)
        };
        let (decision, heard) = decide(spec, &game, &limits);
        let mut after = game.clone();
        after.play(&turn_of(&decision)).expect("a legal turn");
        let thought = decision.thought.clone().expect("a thought");
        // A leaf's captures are played out before anybody looks at the limit, and a
        // playout goes to its end.
        let beyond = if spec.contains("random") { 1_000 } else { 30 };
        assert!(thought.nodes <= nodes + beyond, "{spec}: {}", thought.nodes);
        let turn = turn_of(&decision).steps().len() as u32;
        if let Some(depth) = depth {
            // A turn is played whole, and a goal is a goal.
            let reached = thought.depth.max(turn);
            assert!(reached <= depth.max(4), "{spec} depth={depth}: {thought:?}");
        }
        for thought in heard {
            let mut line = game.clone();
            for (place, turn) in thought.line.iter().enumerate() {
                let whole = place + 1 < thought.line.len() || place == 0;
                let played = line.play(turn);
                assert!(played.is_ok() || !whole, "{spec}: {turn} of {thought:?}");
            }
        }
    }
}

#[test]
fn a_stop_and_a_time_end_it() {
    let game = &games(2, 2)[1];
    let stop = Stop::default();
    stop.now();
    let (decision, _) = decide("uct", game, &Limits::none().with_stop(stop));
    game.check_turn(&turn_of(&decision)).expect("legal");
    let most = std::time::Duration::from_millis(30);
    let (decision, heard) = decide("uct", game, &Limits::time(most));
    game.check_turn(&turn_of(&decision)).expect("legal");
    assert!(!heard.is_empty());
    // Without any limit the memory it may take ends it.
    let (decision, _) = decide("uct:hash=1,ordering=none", game, &Limits::none());
    let thought = decision.thought.expect("a thought");
    assert!(
        thought.nodes > 500 && thought.nodes < 200_000,
        "{thought:?}"
    );
}

#[test]
fn what_is_said_to_be_won_is_won() {
    let (mut wins, mut later, mut losses) = (0, 0, 0);
    for game in games(3, 80).into_iter().chain(sparse(3, 60)) {
        let position = game.position();
        let (decision, _) = decide("uct:hash=4", &game, &Limits::nodes(3_000));
        let thought = decision.thought.clone().expect("a thought");
        let after = position.after_turn(turn_of(&decision).steps());
        if position.can_goal().is_some() {
            wins += 1;
            assert_eq!(thought.score, WIN - 1, "{position}");
            let mut game = game.clone();
            let outcome = game.play(&turn_of(&decision)).expect("legal");
            assert_eq!(
                outcome.expect("over").winner,
                Some(position.side_to_move()),
                "{position}"
            );
        } else if thought.score == WIN - 3 {
            later += 1;
            let solution = solve(&position, 2, &Limits::none());
            assert!(
                matches!(
                    solution,
                    Solution::WinInTwo { .. } | Solution::WinNow { .. }
                ),
                "{position}"
            );
        } else if thought.score < -SURE {
            losses += 1;
            // Lost next turn: whatever is played, the opponent wins at once.
            if thought.score == 2 - WIN {
                let them = after.side_to_move();
                let mut generator = TurnGenerator::new();
                let wins = generator.generate(&after).any(|reached| {
                    Outcome::on_board(reached.board(), them, RuleSet::Modern)
                        .is_some_and(|outcome| outcome.winner == Some(them))
                });
                assert!(wins, "{position}");
            }
        } else if after.can_goal().is_some() {
            // It allows a goal only if nothing could be done.
            let mut generator = TurnGenerator::new();
            let holds = generator
                .generate(&position)
                .any(|reached| reached.position().can_goal().is_none());
            assert!(!holds, "{position}: {}", turn_of(&decision));
        }
    }
    assert!(wins > 5 && later > 0, "{wins} {later} {losses}");
}

#[test]
fn several_lines_are_different_turns_and_a_given_one_is_valued() {
    for game in games(4, 12) {
        let spec: EngineSpec = "uct:hash=4".parse().expect("an engine");
        let mut engine = spec.build().expect("it can be made");
        engine.new_game(1);
        let position = game.position();
        let mut generator = TurnGenerator::new();
        let some = generator.generate(&position).next().expect("a turn").turn();
        let request = AnalysisRequest {
            lines: 3,
            also: &[some],
            ..AnalysisRequest::of(&game)
        };
        let analysis = engine
            .analyse(&request, &Limits::nodes(3_000), &mut |_| {})
            .expect("an analysis");
        assert_eq!(analysis.lines.len(), 3, "{position}");
        let mut reached: Vec<_> = analysis
            .lines
            .iter()
            .map(|line| *position.after_turn(line.line[0].steps()).board())
            .collect();
        reached.sort_by_key(hathi_rules::Board::hash);
        reached.dedup();
        assert_eq!(reached.len(), 3, "{position}");
        assert_eq!(analysis.also.len(), 1);
        assert_eq!(
            position
                .after_turn(analysis.also[0].line[0].steps())
                .board(),
            position.after_turn(some.steps()).board()
        );

        // With a step taken already every line begins with it.
        let step = position.legal_steps()[0];
        let begun = Turn::from_steps([step]).expect("a turn");
        let request = AnalysisRequest {
            begun,
            lines: 2,
            ..AnalysisRequest::of(&game)
        };
        match engine.analyse(&request, &Limits::nodes(500), &mut |_| {}) {
            Ok(analysis) => {
                for line in &analysis.lines {
                    assert_eq!(line.line[0].steps()[0].bare(), step.bare());
                    game.check_turn(&line.line[0]).expect("legal");
                }
            }
            Err(error) => panic!("{position} {step}: {error}"),
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_turn() {
    for spec in ["uct:hash=2", "uct:hash=2,playouts=random"] {
        for game in games(5, 4) {
            let turn = || turn_of(&decide(spec, &game, &Limits::nodes(2_000)).0);
            assert_eq!(turn(), turn(), "{spec}");
        }
    }
}
