//! The search against plain minimax.

use hathi_rules::{
    Bitboard, Board, Game, Outcome, Piece, Position, Role, RuleSet, Side, Square, Turn,
    TurnGenerator,
};

use super::goals::Goals;
use super::margins::Margins;
use super::{GoalsBy, SURE, Search, Settings, WIN};
use crate::evaluation::{Evaluate, Phased, Plain, Weighted, Weights};
use crate::{Analysis, AnalysisRequest, Limits, PhaseAt, PhasePruning, PhaseUse, Tweaks};

const BLUNT: Settings = Settings {
    quiescence: false,
    selective: false,
    margins: Margins::BY_HAND,
    by_what_follows: false,
    goals: GoalsBy::Search,
    phase_pruning: PhasePruning::Off,
};

const SHARP: Settings = Settings {
    quiescence: true,
    selective: true,
    margins: Margins::BY_HAND,
    by_what_follows: false,
    goals: GoalsBy::Search,
    phase_pruning: PhasePruning::Off,
};

/// A board with few pieces: rabbits apart from goal, the rest anywhere.
fn small_position(random: &mut fastrand::Rng, rabbits: usize) -> Position {
    loop {
        let mut board = Board::EMPTY;
        for side in [Side::Gold, Side::Silver] {
            let rabbits = std::iter::repeat_n(Role::Rabbit, rabbits);
            for role in rabbits.chain([Role::ALL[random.usize(1..6)]]) {
                let square = Bitboard::ALL
                    .iter()
                    .nth(random.usize(16..48))
                    .unwrap_or(Square::D4);
                if board.piece_at(square).is_none() {
                    board.place(square, Piece::new(side, role));
                }
            }
        }
        let side = if random.bool() {
            Side::Gold
        } else {
            Side::Silver
        };
        if let Ok(position) = Position::new(board, side)
            && board.rabbits(Side::Gold).any()
            && board.rabbits(Side::Silver).any()
            && board.can_move(side)
        {
            return position;
        }
    }
}

/// What the position is worth to the side to move, all turns looked at; a
/// win is a win, however many steps it takes.
fn minimax(position: &Position, turns: u32) -> i32 {
    let side = position.side_to_move();
    if position.can_goal().is_some() {
        return WIN;
    }
    if turns == 0 {
        return Plain.evaluate(position.board(), side);
    }
    let mut best = -WIN;
    for reached in TurnGenerator::new().generate(position) {
        let after = reached.position();
        let value = match Outcome::on_board(after.board(), side, RuleSet::Modern) {
            Some(outcome) if outcome.winner == Some(side) => WIN,
            Some(_) => -WIN,
            None => -minimax(&after, turns - 1),
        };
        best = best.max(value);
        if best == WIN {
            break;
        }
    }
    best
}

fn search_value(position: &Position, depth: u32) -> i32 {
    value_by(BLUNT, position, depth)
}

fn value_by(settings: Settings, position: &Position, depth: u32) -> i32 {
    let game = Game::from_position(RuleSet::Modern, *position);
    let mut search = Search::new(Plain, settings, 16);
    let found = search
        .run(&game, &Limits::depth(depth), depth, &mut |_| {})
        .expect("a turn");
    match found.thought.score {
        score if score > SURE => WIN,
        score if score < -SURE => -WIN,
        score => score,
    }
}

#[test]
fn one_turn_ahead_is_plain_minimax() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..40 {
        let position = small_position(&mut random, 2);
        let value = minimax(&position, 1);
        assert_eq!(search_value(&position, 4), value, "{position:?}");
    }
}

#[test]
fn two_turns_ahead_is_plain_minimax() {
    let mut random = fastrand::Rng::with_seed(12);
    for _ in 0..4 {
        let position = small_position(&mut random, 1);
        let value = minimax(&position, 2);
        assert_eq!(search_value(&position, 8), value, "{position:?}");
    }
}

/// Steps that have nothing to do with a threat to reach goal are left out where they come last, and
/// no value changes by that.
#[test]
fn leaving_out_what_does_not_meet_a_threat_changes_no_value() {
    let settings = Settings {
        margins: Margins {
            ground: 1,
            ..Margins::BY_HAND
        },
        ..BLUNT
    };
    let mut random = fastrand::Rng::with_seed(19);
    let (mut held, mut lost, mut deep) = (0, 0, 0);
    while held + lost < 150 {
        let position = small_position(&mut random, 3);
        if position.can_goal().is_some() || position.end_turn().can_goal().is_none() {
            continue;
        }
        let value = value_by(settings, &position, 5);
        // One step into the opponent's turn, so that it reaches goal if it can.
        assert_eq!(value, search_value(&position, 5), "{position:?}");
        *(if value == -WIN { &mut lost } else { &mut held }) += 1;
        if deep < 3 && value != -WIN {
            deep += 1;
            let value = value_by(settings, &position, 8);
            assert_eq!(value, search_value(&position, 8), "{position:?}");
        }
    }
    assert!(held > 40 && lost > 5, "{held}, {lost}");
}

/// Asked twice, so that the second answers are remembered ones, others between.
#[test]
fn goals_that_are_remembered_are_those_of_the_rules() {
    let mut random = fastrand::Rng::with_seed(20);
    let positions: Vec<Position> = (0..20_000)
        .map(|_| small_position(&mut random, 3))
        .collect();
    let mut goals = Goals::new();
    let mut reached = 0;
    for _ in 0..2 {
        for position in &positions {
            let turn = position.can_goal();
            assert_eq!(goals.reaches(position), turn.is_some(), "{position:?}");
            let ground = turn.map_or(Bitboard::EMPTY, |turn| turn.ground());
            assert_eq!(goals.ground(position), ground, "{position:?}");
            reached += usize::from(turn.is_some());
        }
    }
    assert!(reached > 1000, "{reached} goals");
}

#[test]
fn a_full_board_one_turn_ahead_is_plain_minimax() {
    let position: Position = "
        g
         +-----------------+
        8| r . r r c r r r |
        7| . h d . . . h . |
        6| r . x . M x . . |
        5| . . e . . . . r |
        4| . . . E . . H . |
        3| . H x m . x . . |
        2| R D C . . C D R |
        1| R R R . . R R R |
         +-----------------+
           a b c d e f g h"
        .parse()
        .expect("a position");
    let value = minimax(&position, 1);
    assert_eq!(search_value(&position, 4), value);
}

#[test]
fn limits_are_kept_and_the_answer_is_legal() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let game = Game::from_position(RuleSet::Modern, start.parse().expect("a position"));
    let mut search = Search::new(Weighted::shipped(), SHARP, 16);
    for nodes in [1, 10, 1000, 20_000] {
        let found = search
            .run(&game, &Limits::nodes(nodes), 100, &mut |_| {})
            .expect("a turn");
        assert!(game.position().check_turn(&found.turn).is_ok());
        // Captures at the leaves are counted, but do not look at the limit.
        assert!(
            found.thought.nodes < nodes + 1000,
            "{}",
            found.thought.nodes
        );
    }
    let limits = Limits::none();
    limits.stop.now();
    let found = search
        .run(&game, &limits, 100, &mut |_| {})
        .expect("a turn");
    assert!(game.position().check_turn(&found.turn).is_ok());
}

#[test]
fn the_same_search_twice_is_the_same() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let game = Game::from_position(RuleSet::Modern, start.parse().expect("a position"));
    let mut search = Search::new(Weighted::shipped(), SHARP, 16);
    let mut run = || {
        search.new_game();
        search
            .run(&game, &Limits::nodes(30_000), 100, &mut |_| {})
            .expect("a turn")
    };
    let (one, other) = (run(), run());
    assert_eq!(one.turn, other.turn);
    assert_eq!(one.thought.nodes, other.thought.nodes);
}

#[test]
fn a_threat_to_goal_is_met() {
    // Silver threatens to run down the h file; the horse can stop it.
    let position: Position = "
        g
        8| r r r . . r r . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . e . . . . |
        4| . . . . . . . r |
        3| . . x . E x . . |
        2| . . . . . H . . |
        1| R R R . . . . . |"
        .parse()
        .expect("a position");
    assert!(position.end_turn().can_goal().is_some());
    let game = Game::from_position(RuleSet::Modern, position);
    let mut search = Search::new(Weighted::shipped(), SHARP, 16);
    let found = search
        .run(&game, &Limits::nodes(60_000), 100, &mut |_| {})
        .expect("a turn");
    let (_, after) = position.check_turn(&found.turn).expect("legal");
    assert!(after.can_goal().is_none(), "{}", found.turn);
    assert!(found.thought.score > -SURE);
}

/// However selective it is, a search leaves out no defence: if any turn keeps the opponent
/// from goal, it plays one.
#[test]
fn the_most_selective_search_finds_a_defence_if_there_is_one() {
    let settings = Settings {
        margins: Margins::NETWORK,
        ..SHARP
    };
    let mut random = fastrand::Rng::with_seed(17);
    let (mut held, mut narrowly, mut lost) = (0, 0, 0);
    while held + lost < 120 {
        let position = small_position(&mut random, 3);
        if position.can_goal().is_some() || position.end_turn().can_goal().is_none() {
            continue;
        }
        let side = position.side_to_move();
        let holds = |after: &Position| match Outcome::on_board(after.board(), side, RuleSet::Modern)
        {
            Some(outcome) => outcome.winner == Some(side),
            None => after.can_goal().is_none(),
        };
        let mut generator = TurnGenerator::new();
        let all = generator.generate(&position).count();
        let saving = generator
            .generate(&position)
            .filter(|reached| holds(&reached.position()))
            .count();
        let game = Game::from_position(RuleSet::Modern, position);
        let mut search = Search::new(Weighted::shipped(), settings, 1);
        let found = search
            .run(&game, &Limits::depth(6), 100, &mut |_| {})
            .expect("a turn");
        let (_, after) = position.check_turn(&found.turn).expect("legal");
        assert_eq!(holds(&after), saving > 0, "{position:?} {}", found.turn);
        held += usize::from(saving > 0);
        narrowly += usize::from((1..all / 50).contains(&saving));
        lost += usize::from(saving == 0);
    }
    assert!(held > 40 && narrowly > 5, "{held}, {narrowly}, {lost}");
}

#[test]
fn without_goal_search_goals_are_found_by_the_steps_to_them() {
    let score = |text: &str, depth| {
        let position: Position = text.parse().expect("a position");
        let game = Game::from_position(RuleSet::Modern, position);
        // Whether captures are played out makes no difference to it.
        let [blunt, quiet] = [false, true].map(|quiescence| {
            let settings = Settings {
                goals: GoalsBy::Steps,
                quiescence,
                ..BLUNT
            };
            let mut search = Search::new(Plain, settings, 1);
            let found = search.run(&game, &Limits::depth(depth), 100, &mut |_| {});
            found.expect("a turn").thought.score
        });
        assert_eq!(blunt > SURE, quiet > SURE, "{text}");
        assert_eq!(blunt < -SURE, quiet < -SURE, "{text}");
        blunt
    };
    // Gold reaches goal in three steps.
    let own = "
        g
        8| . . . . . . . e |
        7| . . . . . . . r |
        6| . . x . . x . . |
        5| R . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . E . . . . |
        1| . . . . . . . R |";
    assert!(score(own, 2) < SURE);
    assert!(score(own, 4) > SURE);
    // Silver threatens to, and nobody is near: seen only where its turn is searched.
    let theirs = "
        g
        8| . . . . . . . E |
        7| e . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| r . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . R |
        1| . . . . . . . . |";
    assert!(score(theirs, 4) > -SURE);
    assert!(score(theirs, 8) < -SURE);
}

#[test]
fn lines_back_toward_the_opening_are_searched_less() {
    // Gold's pieces have gone forward, so many turns lead back.
    let forward = "
        g
        8| r r r r r r r r |
        7| d c h . m h c d |
        6| . . x . e x . . |
        5| . H D . . C H . |
        4| . . M E . . D . |
        3| . . x . . x . . |
        2| . C . . . . . . |
        1| R R R R R R R R |";
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let nodes = |text: &str, phase_pruning| {
        let position: Position = text.parse().expect("a position");
        let game = Game::from_position(RuleSet::Modern, position);
        let settings = Settings {
            phase_pruning,
            ..SHARP
        };
        let mut search = Search::new(Weighted::shipped(), settings, 4);
        let found = search.run(&game, &Limits::depth(6), 100, &mut |_| {});
        found.expect("a turn").thought.nodes
    };
    let [off, reduce, cut] = PhasePruning::ALL.map(|how| nodes(forward, how));
    assert!(cut < off && reduce < off, "{off}, {reduce}, {cut}");
    // Nothing is earlier than the start.
    let [off, reduce, cut] = PhasePruning::ALL.map(|how| nodes(start, how));
    assert_eq!([off, off], [reduce, cut]);
}

#[test]
fn what_was_found_by_another_measure_is_forgotten() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let bare = "g [rrr  rrr   e                E                  RRR  RRR         ]";
    let kept_after = |at: PhaseAt| {
        let phased = Phased::new(
            Weights::shipped(),
            &Tweaks::by_the_paper(),
            PhaseUse::Smooth,
        );
        let mut search = Search::new(phased.asking_at(at), SHARP, 1);
        let mut run = |text: &str| {
            let position: Position = text.parse().expect("a position");
            let game = Game::from_position(RuleSet::Modern, position);
            let _ = search.run(&game, &Limits::nodes(2_000), 100, &mut |_| {});
            position.hash()
        };
        let first = run(start);
        run(bare);
        search.table.shared().get(first).is_some()
    };
    assert!(kept_after(PhaseAt::Leaf), "one measure for all");
    assert!(!kept_after(PhaseAt::Root), "each root its own measure");
}

/// With no time at all, a turn is still the best that can be seen at a glance:
/// at least as good as every single step.
#[test]
fn a_turn_without_time_is_no_worse_than_any_one_step() {
    let mut random = fastrand::Rng::with_seed(31);
    let mut search = Search::new(Plain, SHARP, 1);
    let (mut tried, mut longer) = (0, 0);
    for _ in 0..2_000 {
        let position = small_position(&mut random, 5);
        if position.can_goal().is_some() {
            continue;
        }
        let game = Game::from_position(RuleSet::Modern, position);
        let side = position.side_to_move();
        let value = |after: &Position| match after.can_goal() {
            Some(_) => -WIN,
            None => Plain.evaluate(after.board(), side),
        };
        search.new_game();
        let found = search
            .run(&game, &Limits::nodes(1), 100, &mut |_| {})
            .expect("there is a turn");
        let (_, after) = game.check_turn(&found.turn).expect("a legal turn");
        for step in position.legal_steps() {
            let next = position.after(step);
            if !next.is_mid_push() {
                assert!(value(&next.end_turn()) <= value(&after), "{position:?}");
            }
        }
        tried += 1;
        longer += usize::from(found.turn.steps().len() > 1);
    }
    assert!(tried > 50 && longer > 0, "{longer} of {tried}");
}

/// Positions told apart by what follows only give the same values: with every
/// step looked at to the same depth, nothing else can differ.
#[test]
fn the_last_step_does_not_change_what_a_position_is_worth() {
    let mut random = fastrand::Rng::with_seed(77);
    for round in 0..40 {
        let position = small_position(&mut random, 3);
        let game = Game::from_position(RuleSet::Modern, position);
        for depth in [4, 6, 8] {
            let score = |by_what_follows| {
                let settings = Settings {
                    by_what_follows,
                    ..BLUNT
                };
                let mut search = Search::new(Plain, settings, 1);
                search
                    .run(&game, &Limits::depth(depth), 100, &mut |_| {})
                    .expect("there is a turn")
                    .thought
                    .score
            };
            let (plain, short) = (score(false), score(true));
            if plain.abs() < SURE && short.abs() < SURE {
                assert_eq!(plain, short, "round {round}, depth {depth}: {position:?}");
            } else {
                assert_eq!(
                    plain.signum(),
                    short.signum(),
                    "round {round}: {position:?}"
                );
            }
        }
    }
}

/// What every distinct turn is worth, by looking at all of them: the best
/// first.
fn all_values(position: &Position, turns: u32) -> Vec<i32> {
    let side = position.side_to_move();
    let mut values: Vec<i32> = TurnGenerator::new()
        .generate(position)
        .map(|reached| {
            let after = reached.position();
            match Outcome::on_board(after.board(), side, RuleSet::Modern) {
                Some(outcome) if outcome.winner == Some(side) => WIN,
                Some(_) => -WIN,
                None => -minimax(&after, turns - 1),
            }
        })
        .collect();
    values.sort_unstable_by_key(|value| std::cmp::Reverse(*value));
    values
}

fn blunt_lines(game: &Game, begun: &str, lines: usize, depth: u32) -> Analysis {
    let request = AnalysisRequest {
        begun: begun.parse().unwrap_or(Turn::EMPTY),
        lines,
        ..AnalysisRequest::of(game)
    };
    Search::new(Plain, BLUNT, 16)
        .analyse(&request, &Limits::depth(depth), depth, &mut |_| {})
        .expect("a turn")
}

/// Legal, different, in order.
fn check_lines(game: &Game, analysis: &Analysis) {
    let mut reached = Vec::new();
    for (rank, line) in (0..).zip(&analysis.lines) {
        let (_, after) = game.check_turn(&line.line[0]).expect("a legal turn");
        assert!(!reached.contains(&after), "{} again", line.line[0]);
        reached.push(after);
        assert_eq!(line.rank, rank);
    }
    assert!(analysis.lines.is_sorted_by_key(|line| -line.score));
}

/// A win is a win, however many steps it takes.
fn plain_score(score: i32) -> i32 {
    match score {
        score if score > SURE => WIN,
        score if score < -SURE => -WIN,
        score => score,
    }
}

#[test]
fn several_lines_are_the_best_turns_of_all() {
    let mut random = fastrand::Rng::with_seed(21);
    for _ in 0..25 {
        let position = small_position(&mut random, 2);
        let game = Game::from_position(RuleSet::Modern, position);
        let analysis = blunt_lines(&game, "", 5, 4);
        check_lines(&game, &analysis);
        let scores: Vec<i32> = analysis
            .lines
            .iter()
            .map(|l| plain_score(l.score))
            .collect();
        let mut values = all_values(&position, 1);
        values.truncate(5);
        assert_eq!(scores, values, "{position:?}");
    }
}

#[test]
fn several_lines_two_turns_ahead_are_the_best_turns_of_all() {
    let mut random = fastrand::Rng::with_seed(22);
    for _ in 0..2 {
        let position = small_position(&mut random, 1);
        let game = Game::from_position(RuleSet::Modern, position);
        let analysis = blunt_lines(&game, "", 3, 8);
        check_lines(&game, &analysis);
        let scores: Vec<i32> = analysis
            .lines
            .iter()
            .map(|l| plain_score(l.score))
            .collect();
        let mut values = all_values(&position, 2);
        values.truncate(3);
        assert_eq!(scores, values, "{position:?}");
    }
}

#[test]
fn lines_go_on_from_the_steps_already_taken() {
    let mut random = fastrand::Rng::with_seed(23);
    for _ in 0..25 {
        let position = small_position(&mut random, 2);
        let game = Game::from_position(RuleSet::Modern, position);
        let steps: Vec<_> = position.legal_steps().into_iter().collect();
        let step = steps[random.usize(..steps.len())];
        let begun = step.to_string();
        let after_one = position.after(step);
        if after_one.can_goal().is_some() {
            continue;
        }
        let analysis = blunt_lines(&game, &begun, 3, 3);
        check_lines(&game, &analysis);
        // All turns that begin so, by the position they lead to.
        let mut values = std::collections::HashMap::new();
        let _ = position.for_each_turn(|turn, after| {
            if turn.steps()[0] == step {
                let side = position.side_to_move();
                let value = match Outcome::on_board(after.board(), side, RuleSet::Modern) {
                    Some(outcome) if outcome.winner == Some(side) => WIN,
                    Some(_) => -WIN,
                    None if after.can_goal().is_some() => -WIN,
                    None => -Plain.evaluate(after.board(), after.side_to_move()),
                };
                values.insert(after.hash(), value);
            }
            std::ops::ControlFlow::Continue(())
        });
        let mut values: Vec<i32> = values.into_values().collect();
        values.sort_unstable_by_key(|value| std::cmp::Reverse(*value));
        values.truncate(3);
        let scores: Vec<i32> = analysis
            .lines
            .iter()
            .map(|l| plain_score(l.score))
            .collect();
        assert_eq!(scores, values, "{position:?} after {begun}");
        for line in &analysis.lines {
            assert_eq!(line.line[0].steps()[0], step);
        }
    }
}

#[test]
fn a_turn_in_mind_is_valued_by_the_same_search() {
    let mut random = fastrand::Rng::with_seed(24);
    for _ in 0..15 {
        let position = small_position(&mut random, 2);
        let game = Game::from_position(RuleSet::Modern, position);
        let mut turns = Vec::new();
        for reached in TurnGenerator::new().generate(&position) {
            turns.push((reached.turn(), reached.position()));
        }
        let (turn, after) = turns[random.usize(..turns.len())];
        let request = AnalysisRequest {
            also: &[turn],
            ..AnalysisRequest::of(&game)
        };
        let analysis = Search::new(Plain, BLUNT, 16)
            .analyse(&request, &Limits::depth(4), 4, &mut |_| {})
            .expect("a turn");
        let also = &analysis.also[0];
        let side = position.side_to_move();
        let value = match Outcome::on_board(after.board(), side, RuleSet::Modern) {
            Some(outcome) if outcome.winner == Some(side) => WIN,
            Some(_) => -WIN,
            None => -minimax(&after, 0),
        };
        assert_eq!(plain_score(also.score), value, "{position:?} {turn}");
        assert!(also.score <= analysis.lines[0].score);
        let (_, reached) = game.check_turn(&also.line[0]).expect("legal");
        assert_eq!(reached, after);
    }
}

#[test]
fn one_line_is_what_a_single_search_finds() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let game = Game::from_position(RuleSet::Modern, start.parse().expect("a position"));
    let alone = Search::new(Weighted::shipped(), SHARP, 16)
        .run(&game, &Limits::depth(9), 100, &mut |_| {})
        .expect("a turn");
    let analyse = |lines| {
        let request = AnalysisRequest {
            lines,
            ..AnalysisRequest::of(&game)
        };
        Search::new(Weighted::shipped(), SHARP, 16)
            .analyse(&request, &Limits::depth(9), 100, &mut |_| {})
            .expect("a turn")
    };
    let one = &analyse(1).lines[0];
    assert_eq!(one.line, alone.thought.line);
    assert_eq!(
        (one.score, one.nodes),
        (alone.thought.score, alone.thought.nodes)
    );
    let several = analyse(3);
    check_lines(&game, &several);
    assert_eq!(several.lines.len(), 3);
    // Each turn alone is worth about what its line says: the search is
    // selective, so not exactly.
    for line in &several.lines {
        assert_eq!(line.depth, 9);
        let request = AnalysisRequest {
            also: &line.line[..1],
            ..AnalysisRequest::of(&game)
        };
        let value = Search::new(Weighted::shipped(), SHARP, 16)
            .analyse(&request, &Limits::depth(9), 100, &mut |_| {})
            .and_then(|analysis| analysis.also.into_iter().next())
            .expect("a value");
        assert!((value.score - line.score).abs() <= 40, "{value:?} {line:?}");
    }
}

#[test]
fn an_analysis_keeps_its_limits_and_says_something_legal() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let game = Game::from_position(RuleSet::Modern, start.parse().expect("a position"));
    let mut search = Search::new(Weighted::shipped(), SHARP, 16);
    for nodes in [1, 10, 1000, 20_000] {
        let request = AnalysisRequest {
            begun: "Ha2n".parse().expect("a step"),
            lines: 5,
            ..AnalysisRequest::of(&game)
        };
        let mut heard = 0;
        let analysis = search
            .analyse(&request, &Limits::nodes(nodes), 100, &mut |_| heard += 1)
            .expect("a turn");
        check_lines(&game, &analysis);
        assert!(analysis.lines[0].nodes < nodes + 1000);
        assert!(nodes < 1000 || heard > 0);
        for line in &analysis.lines {
            assert!(
                line.line[0].to_string().starts_with("Ha2n"),
                "{:?}",
                line.line
            );
        }
    }
}

/// Without a word from the memory nothing changes; with one, a turn is tried first
/// and its results count: exactly as much as they say.
#[test]
fn what_is_recalled_orders_and_weighs_turns() {
    let mut random = fastrand::Rng::with_seed(8);
    let (mut changed, mut kept) = (0, 0);
    for _ in 0..400 {
        let position = small_position(&mut random, 1);
        if position.can_goal().is_some() {
            continue;
        }
        let game = Game::from_position(RuleSet::Modern, position);
        let run = |recalled: Option<super::recalled::Recalled>| {
            let mut search = Search::new(Plain, BLUNT, 1);
            search.recall(recalled);
            let found = search.run(&game, &Limits::none(), 4, &mut |_| {});
            let found = found.expect("a turn");
            (found.thought.score, position.after_turn(found.turn.steps()))
        };
        let (score, _) = run(None);
        // Every turn of one's own, and what it is worth to a search of one turn.
        let mut turns = Vec::new();
        for reached in TurnGenerator::new().generate(&position) {
            turns.push((reached.turn(), reached.position()));
        }
        let (turn, after) = turns[random.usize(..turns.len())];
        let over = Outcome::on_board(after.board(), position.side_to_move(), RuleSet::Modern);
        if after.can_goal().is_some() || over.is_some() {
            continue;
        }
        let mut order = super::recalled::Recalled::default();
        order.suggest(&position, &turn);
        assert_eq!(run(Some(order)).0, score, "order changes no value");
        let mut weighed = super::recalled::Recalled::default();
        weighed.weigh(&after, 100);
        let plain = Plain.evaluate(after.board(), position.side_to_move());
        let (with, reached) = run(Some(weighed));
        assert_eq!(with, score.max(plain + 100), "{position} {turn}");
        if plain + 100 > score {
            assert_eq!(reached, after);
            changed += 1;
        } else {
            kept += 1;
        }
    }
    assert!(changed > 2 && kept > 2, "{changed} changed, {kept} kept");
}
