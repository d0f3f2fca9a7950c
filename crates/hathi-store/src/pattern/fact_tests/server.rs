//! Formulas as conditions in SQL against the compiled form: a server decides
//! the same of positions of games and of boards by chance.

use hathi_rules::{Position, Symmetry};
use postgres::types::ToSql;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::compiled::stored;
use super::{Setting, a_board, a_formula, played, readable};
use crate::Matching;
use crate::index::{IndexedMove, StoredPositions, packed_facts};
use crate::pattern::Told;

const FORMULAS: usize = 220;

/// Positions of all kinds, those of games and boards by chance among them.
fn settings(runner: &mut TestRunner) -> Vec<Setting> {
    let games = played();
    let mut settings: Vec<Setting> = games.iter().step_by(11).copied().collect();
    for i in 0..60 {
        let board = a_board(26).new_tree(runner).expect("a board").current();
        let base = games[(i * 37) % games.len()];
        let mover = base.position.side_to_move();
        settings.push(Setting {
            position: Position::composed(board, mover),
            ..base
        });
    }
    settings
}

#[test]
fn a_server_decides_the_same() {
    let Some(url) = std::env::var("HATHI_POSTGRES")
        .ok()
        .filter(|url| !url.is_empty())
    else {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci.is_empty()),
            "HATHI_POSTGRES is not set: CI needs a PostgreSQL server"
        );
        return;
    };
    let mut runner = TestRunner::deterministic();
    let settings = settings(&mut runner);
    let (mut boards, mut moves, mut games) = (Vec::new(), Vec::new(), Vec::new());
    for (i, setting) in settings.iter().enumerate() {
        let (board, played, game) = stored(setting);
        boards.push(board);
        moves.push(IndexedMove {
            game: i as u32,
            ..played
        });
        games.push(game);
    }
    let facts = packed_facts(StoredPositions {
        boards: &boards,
        moves: &moves,
        games: &games,
    });
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("the server");
    client
        .batch_execute(
            "CREATE TEMPORARY TABLE facts (number integer, place bigint, plane_0 bigint,
                 plane_1 bigint, plane_2 bigint, enemies bigint, on_board bigint, of_game bigint,
                 of_turn bigint, frozen bigint, hostages bigint, framed bigint, victims_0 bigint,
                 victims_1 bigint, victims_2 bigint, victims_3 bigint)",
        )
        .expect("a table");
    for (i, facts) in facts.iter().enumerate() {
        let planes = boards[i].map(u64::cast_signed);
        let always = [facts.on_board, facts.of_game, facts.of_turn].map(u64::cast_signed);
        let [v0, v1, v2, v3] = facts.victims;
        let sets = [facts.frozen, facts.hostages, facts.framed, v0, v1, v2, v3]
            .map(|set| (set != 0).then_some(set.cast_signed()));
        let (number, place) = (i as i32, i64::from(moves[i].turns_before & 1));
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&number, &place];
        values.extend(planes.iter().map(|value| -> &(dyn ToSql + Sync) { value }));
        values.extend(always.iter().map(|value| -> &(dyn ToSql + Sync) { value }));
        values.extend(sets.iter().map(|value| -> &(dyn ToSql + Sync) { value }));
        let places: Vec<String> = (1..=values.len()).map(|i| format!("${i}")).collect();
        let sql = format!("INSERT INTO facts VALUES ({})", places.join(", "));
        client.execute(&sql, &values).expect("a row");
    }
    let (mut asked, mut held) = (0, 0);
    while asked < FORMULAS {
        let text = a_formula().new_tree(&mut runner).expect("text").current();
        let Some(pattern) = readable(&text) else {
            continue;
        };
        asked += 1;
        for matching in [Matching::Literal, Matching::Symmetric] {
            let compiled = pattern.compile(matching);
            let exact = compiled.to_exact_sql(Told::Facts).expect("all is told");
            let ways = compiled.asked_ways();
            let sql = format!("SELECT {exact}, {} FROM facts ORDER BY number", ways.bits());
            let rows = client
                .query(&sql, &[])
                .unwrap_or_else(|error| panic!("{text}: {sql}: {error:?}"));
            assert_eq!(rows.len(), settings.len());
            for (i, row) in rows.iter().enumerate() {
                let expected: Option<Symmetry> =
                    compiled.matches_stored(&boards[i], &moves[i], &games[i]);
                let decided: Option<bool> = row.get(0);
                assert_eq!(
                    decided,
                    Some(expected.is_some()),
                    "{text} {matching:?} {sql}"
                );
                let bits: i32 = row.get(1);
                let found = ways.found(|number| u64::from(bits >> number & 1 != 0));
                let turned = compiled.turned(&found, 0, moves[i].mover());
                assert_eq!(turned, expected, "{text} {matching:?} {sql}");
                held += usize::from(expected.is_some());
            }
        }
    }
    assert!(held > 1000, "{held}");
}
