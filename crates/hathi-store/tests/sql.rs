//! Questions in SQL: McKee's table in both stores is what the rules say, and his
//! questions find what ours do.

mod common;

use std::ops::ControlFlow;

use common::{Dice, TempSchema, TempStore, playout_games};
use hathi_rules::{Position, Role, Side, Square};
use hathi_store::sql::{HisDatabase, HisQuestion, SqlValue};
use hathi_store::{
    Filter, Games, Kind, Matching, Memory, MoveRow, NewGame, Place, PositionQuestion, SqlAnswer,
    StoreError, Upkeep,
};

/// Games of which some lack ratings or a winner.
fn games() -> Vec<NewGame> {
    let mut dice = Dice::new(5);
    let mut games = playout_games(40, 31);
    for new in &mut games {
        for side in Side::ALL {
            if dice.roll(4) == 0 {
                new.game.players[side].rating = None;
            }
        }
        if dice.roll(6) == 0 {
            new.game.result = None;
        }
    }
    games
}

/// What the rules make of the games.
fn expected(memory: &dyn Memory) -> Vec<MoveRow> {
    let mut rows = Vec::new();
    memory
        .visit_filtered(&Filter::default(), None, &mut |stored| {
            rows.extend(MoveRow::of_game(&stored).expect("sound moves"));
            ControlFlow::Continue(())
        })
        .expect("games");
    rows.sort_by_key(|row| row.id);
    rows
}

fn of_table(values: &[SqlValue]) -> MoveRow {
    let number = |column: usize| values[column].as_integer().expect("a number");
    let text = |column: usize| values[column].as_text().expect("text").to_owned();
    let side = |column: usize| {
        let text = values[column].as_text()?;
        Side::from_char(text.chars().next()?)
    };
    let small = |column| i32::try_from(number(column)).expect("small");
    MoveRow {
        id: number(0),
        game_id: number(1),
        turn: small(2).cast_unsigned(),
        side: side(3).expect("a side"),
        brating: small(4),
        wrating: small(5),
        winner: side(6),
        boardstatus: text(7),
        next_move: text(8),
        maxturns: small(9).cast_unsigned(),
    }
}

const HIS_COLUMNS: [&str; 10] = [
    "id",
    "game_id",
    "turn",
    "side",
    "brating",
    "wrating",
    "winner",
    "boardstatus",
    "next_move",
    "maxturns",
];

fn check_view(memory: &dyn Memory, place: &Place) {
    let answer = place
        .ask_sql("SELECT * FROM moves ORDER BY id;", usize::MAX)
        .expect("an answer");
    assert_eq!(answer.columns[..10], HIS_COLUMNS);
    assert!(!answer.more);
    let found: Vec<MoveRow> = answer.rows.iter().map(|row| of_table(row)).collect();
    let expected = expected(memory);
    assert!(
        expected.iter().any(|row| row.next_move.contains('x')),
        "nothing was captured"
    );
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
}

/// Positions from games here and there, with every kind of question.
fn asked(memory: &dyn Memory) -> Vec<(Position, Kind)> {
    let mut asked = Vec::new();
    let mut number = 0;
    memory
        .visit_filtered(&Filter::default(), Some(6), &mut |stored| {
            let game = stored.moves.replay(stored.game.rules()).expect("sound");
            for position in game.positions().iter().take(game.turns().len()).step_by(9) {
                number += 1;
                let (trap, piece) = (Square::TRAPS[number % 4], Role::ALL[number % 6]);
                for kind in [
                    Kind::Full,
                    Kind::Half,
                    Kind::Area { trap },
                    Kind::AreaByPiece { trap, piece },
                ] {
                    asked.push((*position, kind));
                }
            }
            ControlFlow::Continue(())
        })
        .expect("games");
    assert!(asked.len() > 40);
    asked
}

/// His questions have as many rows as ours have hits, and the first is as good
/// as our first.
fn check_questions(
    memory: &dyn Memory,
    asked: &[(Position, Kind)],
    mut ask: impl FnMut(&str) -> SqlAnswer,
) {
    for (position, kind) in asked {
        let his = HisQuestion::Played {
            position: *position,
            kind: *kind,
        };
        let rows = ask(&his.to_string()).rows;
        let question = PositionQuestion::new(*position, *kind).matching(Matching::Literal);
        let ours = memory.find(&question).expect("an answer");
        assert_eq!(rows.len() as u64, ours.hits, "{his}");
        let first = memory.first(&question).expect("an answer").expect("itself");
        let expected = [i64::from(first.won), first.rating.unwrap_or(0).into()];
        let his_first = [0, 1].map(|column| rows[0][column].as_integer());
        assert_eq!(his_first, expected.map(Some), "{his}");
    }
    // Setups: all of Gold's, and Silver's to one of them.
    let counted = ask(&HisQuestion::Setups.to_string());
    let all = Filter::default();
    let setups = memory
        .setups(Side::Gold, None, false, &all, usize::MAX)
        .expect("setups");
    assert_eq!(counted.rows.len() as u64, setups.kinds);
    let gold = setups.top[0].setup;
    let same = counted
        .rows
        .iter()
        .find(|row| row[1].as_text() == Some(&gold.to_string()));
    assert_eq!(
        same.and_then(|row| row[0].as_integer()),
        Some(setups.top[0].games.cast_signed())
    );
    let replies = HisQuestion::Replies { gold, within: None };
    let replies = ask(&replies.to_string());
    assert_eq!(replies.rows.len() as u64, setups.top[0].games);
}

#[test]
fn his_table_and_his_questions_in_a_file() {
    let mut store = TempStore::new();
    store.insert(&games());
    let place = Place::File(store.path().to_owned());
    check_view(&store.store, &place);
    let some: Vec<_> = asked(&store.store).into_iter().step_by(5).collect();
    check_questions(&store.store, &some, |sql| {
        place.ask_sql(sql, usize::MAX).expect("an answer")
    });
}

#[test]
fn his_table_and_his_questions_on_a_server() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let mut store = schema.store();
    store.insert(&games()).expect("inserted");
    let place = Place::Server(schema.url());
    check_view(&store, &place);
    let some: Vec<_> = asked(&store).into_iter().step_by(5).collect();
    check_questions(&store, &some, |sql| {
        place.ask_sql(sql, usize::MAX).expect("an answer")
    });
    let mut his = HisDatabase::make(&place).expect("a table");
    assert!(his.name().expect("a version").starts_with("PostgreSQL "));
    check_control(&store, &mut his);
}

/// His own database answers the same.
#[test]
fn his_database_in_a_file() {
    let mut store = TempStore::new();
    store.insert(&games());
    let folder = tempfile::tempdir().expect("a folder");
    let path = Place::File(folder.path().join("his.db"));
    let mut his = HisDatabase::make(&path).expect("a table");
    assert!(his.name().expect("a version").starts_with("SQLite 3."));
    check_control(&store.store, &mut his);
    assert!(HisDatabase::make(&path).is_err(), "it is there already");
}

fn check_control(memory: &dyn Memory, his: &mut HisDatabase) {
    his.add(&expected(memory)).expect("rows");
    his.make_index().expect("an index");
    check_questions(memory, &asked(memory), |sql| {
        his.ask(sql).expect("an answer")
    });
    // Only a span of games is asked (section 3.1).
    let all = Filter::default();
    let setups = memory
        .setups(Side::Gold, None, false, &all, 1)
        .expect("setups");
    let gold = setups.top[0].setup;
    let last = memory.totals().expect("totals").last_game.get();
    let mut within = |rows| {
        let within = Some(rows);
        let question = HisQuestion::Replies { gold, within };
        his.ask(&question.to_string())
            .expect("an answer")
            .rows
            .len() as u64
    };
    let middle = (last / 2) * 100_000;
    let halves = within(0..=middle) + within(middle + 1..=(last + 1) * 100_000);
    assert_eq!(halves, setups.top[0].games);
}

#[test]
fn nothing_is_changed_and_mistakes_are_said() {
    let mut store = TempStore::new();
    store.insert(&games());
    let mut places = vec![Place::File(store.path().to_owned())];
    let schema = TempSchema::new();
    if let Some(schema) = &schema {
        schema.store();
        places.push(Place::Server(schema.url()));
    }
    for place in places {
        for sql in [
            "DELETE FROM games",
            "SELECT 1; DELETE FROM games",
            "PRAGMA query_only = OFF",
            "DROP VIEW moves",
            "SELECT nothing FROM moves",
            "SELECT 'a",
            "",
            "SELECT 'x' REGEXP '('",
        ] {
            let answer = place.ask_sql(sql, 10);
            assert!(
                matches!(answer, Err(StoreError::Sql(_))),
                "{sql}: {answer:?}"
            );
        }
        let some = place.ask_sql("SELECT id FROM games ORDER BY id", 3);
        let some = some.expect("an answer");
        assert_eq!(
            (some.rows.len(), some.more),
            (
                if place.file().is_some() { 3 } else { 0 },
                place.file().is_some()
            )
        );
        let like = place.ask_sql("SELECT CASE WHEN 'r' LIKE 'R' THEN 1 ELSE 0 END AS same", 1);
        assert_eq!(like.expect("an answer").rows, [[SqlValue::Integer(0)]]);
    }
    assert_eq!(store.store.totals().expect("totals").games, 40);
}
