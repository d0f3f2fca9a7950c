//! Stores of the first schema, which knew no sources, become stores of today.

use hathi_archive::GameSource;
use hathi_rules::{Game, RuleSet};
use rusqlite::{Connection, params};

use super::Store;
use crate::memory::{Games, Positions, Puzzles, Upkeep};
use crate::moves::{Moves, encode_setup};
use crate::question::{Kind, PositionQuestion};

const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

/// A game of these turns.
fn game(turns: &[&str]) -> Game {
    let mut game = Game::new(RuleSet::Modern);
    for setup in [GOLD, SILVER] {
        game.set_up(&setup.parse().expect("a setup"))
            .expect("legal");
    }
    for turn in turns {
        game.play(&turn.parse().expect("a turn")).expect("legal");
    }
    game
}

/// A row of the first schema: number, event, site, start and turns.
type OldGame<'a> = (i64, &'a str, &'a str, i64, &'a [&'a str]);

fn old_store(path: &std::path::Path, games: &[OldGame<'_>], puzzles: &[(i64, &str, &str, bool)]) {
    let connection = Connection::open(path).expect("a file");
    connection
        .execute_batch(include_str!("1-games.sql"))
        .expect("the first schema");
    connection
        .execute_batch(&format!(
            "PRAGMA user_version = 1; PRAGMA application_id = {};
             INSERT INTO players(id, name) VALUES (1, 'ann'), (2, 'bob');",
            super::database::APPLICATION_ID
        ))
        .expect("ours");
    for (number, &(archive_id, event, site, started, turns)) in games.iter().enumerate() {
        let moves = Moves::of_game(&game(turns)).expect("set up");
        let setup = |setup| i64::from_le_bytes(encode_setup(setup));
        connection
            .execute(
                "INSERT INTO events(name) VALUES (?1) ON CONFLICT DO NOTHING",
                [event],
            )
            .expect("an event");
        connection
            .execute(
                "INSERT INTO games SELECT NULL, ?1, ?2, 1, 2, 1500, 1500, 'h', 'h', '', '', '', '',
                    NULL, NULL, events.id, ?4, '', NULL, 0, ?5, NULL, 'g', 'g', 'IGS', 0, 0, ?6, 0,
                    NULL, ?7, ?8, ?9 FROM events WHERE name = ?3",
                params![
                    archive_id,
                    number as i64,
                    event,
                    site,
                    started,
                    turns.len() as i64,
                    setup(&moves.gold),
                    setup(&moves.silver),
                    moves.encode(),
                ],
            )
            .expect("a game");
    }
    for &(archive_id, label, turn, linked) in puzzles {
        let (game, fault) = if linked {
            let row: i64 = connection
                .query_row(
                    "SELECT min(id) FROM games WHERE archive_id = ?1",
                    [archive_id],
                    |row| row.get(0),
                )
                .expect("its game");
            (Some(row), None)
        } else {
            (None, Some("the turn is not legal at move 2g"))
        };
        connection
            .execute(
                "INSERT INTO puzzles(archive_id, label, turn, game_id, ply, board, side, fault)
                 VALUES (?1, ?2, ?3, ?4, 0, x'00', 'g', ?5)",
                params![archive_id, label, turn, game, fault],
            )
            .expect("a puzzle");
    }
}

#[test]
fn an_old_store_learns_its_sources() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.db");
    let in_samples = 1_794_805_000;
    let games: &[OldGame<'_>] = &[
        (15, "Hathi arena", "local", in_samples, &["Ee2n"]),
        (16, "Hathi arena", "local", in_samples, &["Ee2n Ee3n"]),
        (15, "Casual game", "Over the Net", 1_037_900_000, &["Md2n"]),
        // The same number once more, in another file: other content.
        (
            15,
            "Casual game",
            "Over the Net",
            1_037_900_001,
            &["Md2n Md3n"],
        ),
        // A match that was read from its file, with numbers like the samples'.
        (15, "Hathi arena", "Hathi", 1_800_000_000, &["Hh2n"]),
        (
            180_000_000_012_345,
            "Hathi play",
            "Hathi",
            1_800_000_000,
            &["Ha2n"],
        ),
        (
            180_000_000_012_346,
            "Hathi AEI",
            "Hathi",
            1_800_000_000,
            &["Db2n"],
        ),
        (
            20_000_001,
            "Casual game",
            "Over the Net",
            1_100_000_000,
            &["Dg2n"],
        ),
    ];
    let puzzles: Vec<(i64, String, &str, bool)> = (2..46)
        // As many as the samples have: all of the sample game 16.
        .map(|number| (16, format!("{number}g"), "Ee2n", true))
        // The list of the archive came later: taken for a sample's, or broken.
        .chain([
            (15, "2g".to_owned(), "Ee2n", true),
            (15, "2s".to_owned(), "ed7s", false),
            (16, "2s".to_owned(), "ed7s", false),
        ])
        .collect();
    let puzzles: Vec<(i64, &str, &str, bool)> = puzzles
        .iter()
        .map(|(game, label, turn, linked)| (*game, label.as_str(), *turn, *linked))
        .collect();
    old_store(&path, games, &puzzles);
    let mut store = Store::open(&path).expect("migrated");
    let wanted = [
        "sample:15",
        "sample:16",
        "15",
        "15~2",
        "arena:15",
        "play:180000000012345",
        "aei:180000000012346",
        "synth:20000001",
    ];
    for (number, (text, old)) in wanted.iter().zip(games).enumerate() {
        let id = text.parse().expect("an id");
        let row = store.row_of(id).expect("asked").expect(text);
        // Rows stay, and so does an index of them.
        assert_eq!(row.get(), number as i64 + 1);
        let stored = store.game(row).expect("asked").expect("there");
        assert_eq!(stored.game.id, id);
        assert_eq!(stored.moves, Moves::of_game(&game(old.4)).expect("set up"));
    }
    let counts: Vec<_> = store.sources().expect("sources");
    assert!(
        counts
            .iter()
            .all(|count| count.counted == (count.source != GameSource::Sample))
    );
    let puzzles = store.puzzle_counts().expect("puzzles");
    // Those of the samples stay; of the archive's, both of game 15 have found
    // it now, and game 16 is not there.
    assert_eq!(
        (puzzles.linked, puzzles.broken, puzzles.without_game),
        (46, 0, 1)
    );
    let question = PositionQuestion::new(game(&[]).position(), Kind::Full).literal();
    assert_eq!(store.find(&question).expect("found").hits, 6);
    store.build_index(1, &mut |_, _| {}).expect("an index");
    drop(store);
    // Once, and for good.
    let store = Store::open(&path).expect("opened");
    assert!(store.index_trouble().is_none());
    assert_eq!(store.find(&question).expect("found").hits, 6);
}

#[test]
fn an_index_stays_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.db");
    old_store(
        &path,
        &[(1, "Casual game", "Over the Net", 1, &["Ee2n"])],
        &[],
    );
    {
        // What the program before wrote: an index over the same rows.
        let mut store = Store::open(&path).expect("migrated");
        store.build_index(1, &mut |_, _| {}).expect("an index");
    }
    let index = folder.path().join("old.db.index");
    let kept = std::fs::read(&index).expect("an index");
    let again = folder.path().join("again.db");
    old_store(
        &again,
        &[(1, "Casual game", "Over the Net", 1, &["Ee2n"])],
        &[],
    );
    // The same name for both databases, since the index says which it is of.
    let id: i64 = Connection::open(&path)
        .and_then(|file| file.query_row("SELECT store_id FROM meta", [], |row| row.get(0)))
        .expect("its name");
    Connection::open(&again)
        .and_then(|file| file.execute("UPDATE meta SET store_id = ?1", [id]))
        .expect("named");
    std::fs::write(folder.path().join("again.db.index"), kept).expect("written");
    let store = Store::open(&again).expect("migrated");
    assert!(store.index_trouble().is_none());
    assert_eq!(store.index_state().indexed_games, 1);
}
