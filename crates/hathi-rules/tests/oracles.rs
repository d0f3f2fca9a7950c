//! Real positions and games, counted and judged by others.

mod common;

use hathi_rules::{Position, Replay, RuleSet, Side, TurnGenerator};

/// The rows of a tab-separated file as (side and position, last column).
fn rows(name: &str, position: usize) -> Option<Vec<(Position, String)>> {
    let text = std::fs::read_to_string(common::data_dir()?.join(name)).expect("the file");
    Some(
        text.lines()
            .skip(1)
            .map(|row| {
                let fields: Vec<&str> = row.split('\t').collect();
                let side = Side::from_char(fields[position - 1].chars().next().expect("a side"));
                let position = Position::parse_with_side(fields[position], side).expect(row);
                (position, fields[fields.len() - 1].to_owned())
            })
            .collect(),
    )
}

#[test]
fn turn_counts() {
    let Some(rows) = rows("turn-counts.tsv", 3) else {
        return;
    };
    assert_eq!(rows.len(), 290);
    let mut generator = TurnGenerator::new();
    for (position, count) in rows {
        assert_eq!(generator.count(&position).to_string(), count, "{position}");
    }
}

#[test]
fn goals() {
    let Some(rows) = rows("goals.tsv", 1) else {
        return;
    };
    assert_eq!(rows.len(), 243);
    let mut found = 0;
    for (position, expected) in rows {
        let turn = position.can_goal();
        assert_eq!(u8::from(turn.is_some()).to_string(), expected, "{position}");
        if let Some(turn) = turn {
            let (_, after) = position.check_turn(&turn).expect("a legal turn");
            assert!(after.board().on_goal()[position.side_to_move()]);
            found += 1;
        }
    }
    assert!(found > 50, "only {found} goals: is the file what it was?");
}

/// The three games of 2002 that break the rules, by the judgement of two
/// independent programs; the server of those days did not check everything.
const BROKEN: [(&str, &str); 3] = [
    (
        "32",
        "move 15g: step 4 of 4, `Dd4n`: the dog on d4 is frozen by the horse on c4",
    ),
    ("46", "move 22g: the game is over: Silver wins by goal"),
    (
        "55",
        "move 22g: step 2 of 4, `Cg3n`: the cat on g3 is frozen by the dog on h3",
    ),
];

#[test]
fn real_games_replay_to_their_recorded_result() {
    let Some(games) = common::games(|_| true) else {
        return;
    };
    assert_eq!(games.len(), 64 + 12 + 98 + 388);
    let mut replay = Replay::new(RuleSet::Modern);
    let mut broken = Vec::new();
    let mut on_board = 0;
    for game in games {
        if let Err(error) = replay.read(&game.moves, game.rules) {
            broken.push((game.id, error.to_string()));
            continue;
        }
        let outcome = replay.game.outcome();
        match game.termination {
            Some(letter @ ('g' | 'e' | 'm')) => {
                let outcome = outcome.unwrap_or_else(|| panic!("game {} has not ended", game.id));
                assert_eq!(outcome.winner, game.result, "game {}", game.id);
                assert_eq!(outcome.termination.to_char(), letter, "game {}", game.id);
                on_board += 1;
            }
            _ => assert_eq!(outcome, None, "game {} ended on the board", game.id),
        }
    }
    broken.sort();
    let expected: Vec<(String, String)> = BROKEN
        .iter()
        .map(|(id, error)| ((*id).to_owned(), (*error).to_owned()))
        .collect();
    assert_eq!(broken, expected);
    assert!(on_board > 400, "only {on_board} games ended on the board");
}

/// Goal search against listing every turn, on positions of real games.
#[test]
fn goal_search_agrees_with_all_turns_in_real_games() {
    let Some(games) = common::games(|name| name.contains("2026")) else {
        return;
    };
    let mut generator = TurnGenerator::new();
    let mut replay = Replay::new(RuleSet::Modern);
    for game in games {
        let _ = replay.read(&game.moves, game.rules);
        // The end of a game is where the goals are.
        for position in replay.game.positions().iter().rev().skip(1).take(8) {
            let side = position.side_to_move();
            let shortest = generator
                .generate(position)
                .find(|reached| reached.board().on_goal()[side])
                .map(|reached| reached.turn().len());
            let found = position.can_goal().map(|turn| turn.len());
            assert_eq!(found, shortest, "game {}\n{position:?}", game.id);
            assert_eq!(position.reaches_goal(), found.is_some(), "{position:?}");
        }
    }
}
