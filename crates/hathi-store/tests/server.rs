//! Servers that are not there, not ours, busy, started anew. Each ends in a
//! right answer or a clear error that does not tell the password.

mod common;

use std::ops::ControlFlow;

use common::{TempSchema, TempStore, playout_games, postgres_url};
use hathi_rules::{Position, Role, Square};
use hathi_store::{
    Games, IndexError, Kind, NewGame, PositionQuestion, Positions, PostgresStore, ServerError,
    StoreError, Upkeep,
};

fn refusal(url: &str) -> ServerError {
    let url = url.parse().expect("a URL");
    match PostgresStore::open(&url) {
        Err(StoreError::Server(error)) => {
            assert!(!error.to_string().contains("secret"), "{error}");
            assert!(!format!("{error:?}").contains("secret"), "{error:?}");
            error
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was opened"),
    }
}

#[test]
fn nobody_there() {
    let error = refusal("postgres://ann:secret@127.0.0.1:1/arimaa");
    assert!(matches!(error, ServerError::Unreachable { .. }), "{error}");
    let error = refusal("postgres://ann:secret@127.0.0.1:1/arimaa?sslmode=require");
    assert!(matches!(error, ServerError::Unreachable { .. }), "{error}");
}

#[test]
fn wrong_names() {
    let Some(url) = postgres_url() else {
        return;
    };
    let (server, query) = url.split_once('?').unwrap_or((&url, ""));
    let base = server.rsplit_once('/').expect("a database").0;
    let error = refusal(&format!("{base}/no_such_database?password=secret&{query}"));
    assert!(matches!(error, ServerError::NoDatabase { .. }), "{error}");
    let mark = if query.is_empty() { '?' } else { '&' };
    let error = refusal(&format!("{url}{mark}user=nobody_here&password=secret"));
    assert!(matches!(error, ServerError::Denied { .. }), "{error}");
}

#[test]
fn other_tables_are_left_alone() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    schema.execute("CREATE TABLE recipes (name text)");
    let error = refusal(&schema.text);
    assert!(matches!(error, ServerError::Foreign(_)), "{error}");
    schema.execute("INSERT INTO recipes VALUES ('cake'); DROP TABLE recipes");
    // Now it is empty: a reader does not make a store, a writer does.
    let existing = PostgresStore::open_existing(&schema.url());
    assert!(matches!(
        existing.err(),
        Some(StoreError::Server(ServerError::Empty(_)))
    ));
    schema.store();
    PostgresStore::open_existing(&schema.url()).expect("there");
    schema.execute("UPDATE hathi_meta SET version = 99");
    let error = refusal(&schema.text);
    assert!(
        matches!(error, ServerError::Newer { found: 99, .. }),
        "{error}"
    );
}

#[test]
fn the_same_games_are_added_once() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let mut games = playout_games(12, 4);
    games.push(games[3].clone());
    let mut store = schema.store();
    let rows = store.insert(&games).expect("inserted");
    assert_eq!(rows.iter().flatten().count(), 12);
    // By another process too, whatever is remembered here.
    let again = schema.store().insert(&games).expect("inserted");
    assert!(again.iter().all(Option::is_none));
    let totals = store.totals().expect("totals");
    let turns: usize = games[..12].iter().map(|game| game.moves.turns.len()).sum();
    assert_eq!((totals.games, totals.positions), (12, turns as u64));
    store.check_index().expect("right");
}

/// The one character that the server has no place for.
#[test]
fn a_zero_byte_does_not_stop_an_import() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let mut games = playout_games(1, 4);
    games[0].game.players.gold.name = String::from("a\0b");
    games[0].game.site = String::from("\0");
    let mut store = schema.store();
    let row = store.insert(&games).expect("inserted")[0].expect("new").row;
    let stored = store.game(row).expect("read").expect("there");
    assert_eq!(stored.game.players.gold.name, "a\u{fffd}b");
    assert_eq!(store.insert(&games).expect("inserted"), [None]);
}

#[test]
fn a_second_writer_is_told() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(2, 6);
    let mut store = schema.store();
    store.insert(&games[..1]).expect("inserted");
    let lock = "1215588457, 'games'::regclass::oid::integer";
    schema.execute(&format!("SELECT pg_advisory_lock({lock})"));
    let refused = store.insert(&games[1..]);
    assert!(
        matches!(refused, Err(StoreError::Server(ServerError::Busy(_)))),
        "{refused:?}"
    );
    // Reading goes on meanwhile.
    assert_eq!(store.totals().expect("totals").games, 1);
    schema.execute(&format!("SELECT pg_advisory_unlock({lock})"));
    assert!(store.insert(&games[1..]).expect("inserted")[0].is_some());
}

#[test]
fn a_batch_is_whole_or_not_at_all() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(30, 9);
    let mut store = schema.store();
    // The last of its positions is refused, after all games were sent.
    schema.execute("ALTER TABLE positions ADD CHECK (ply < 12)");
    let refused = store.insert(&games);
    assert!(
        matches!(refused, Err(StoreError::Server(ServerError::Said { .. }))),
        "{refused:?}"
    );
    let totals = store.totals().expect("totals");
    assert_eq!((totals.games, totals.players), (0, 0));
    schema.execute("ALTER TABLE positions DROP CONSTRAINT positions_ply_check");
    let rows = store.insert(&games).expect("inserted");
    assert_eq!(rows.iter().flatten().count(), 30);
}

#[test]
fn a_lost_connection_is_made_again() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(10, 2);
    let mut url = schema.text.clone();
    url.push_str("&application_name=to_be_ended");
    let mut store = PostgresStore::open(&url.parse().expect("a URL")).expect("opened");
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE application_name = 'to_be_ended'";
    schema.execute(end);
    store.insert(&games).expect("inserted");
    let start = games[0]
        .moves
        .replay(games[0].game.rules())
        .expect("legal")
        .positions()[0];
    let ask = |store: &PostgresStore| {
        let answer = store.find(&PositionQuestion::new(start, Kind::Half));
        answer.expect("an answer").hits
    };
    let before = ask(&store);
    assert!(before > 0);
    schema.execute(end);
    assert_eq!(ask(&store), before);
}

/// What a worker of a cluster says comes with its name. The context of such an error
/// ends with "while executing command on" and the worker; here a function has that
/// name.
#[test]
fn messages_name_the_worker() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let mut store = schema.store();
    let games = playout_games(1, 3);
    for (code, unreachable) in [("08006", true), ("53100", false)] {
        schema.execute(&format!(
            "CREATE OR REPLACE FUNCTION \"while executing command on worker-2:5432\"()
                 RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE 'no room\tleft' USING ERRCODE = '{code}'; END $$;
             CREATE OR REPLACE TRIGGER worker BEFORE INSERT ON games
                 EXECUTE FUNCTION \"while executing command on worker-2:5432\"()"
        ));
        let Err(StoreError::Server(error)) = store.insert(&games) else {
            panic!("it was added");
        };
        let told = matches!(error, ServerError::Unreachable { .. });
        assert_eq!(told, unreachable, "{error:?}");
        let message = error.to_string();
        assert!(message.contains("worker-2:5432"), "{message}");
        assert!(!message.contains(['\t', '\n']), "{message}");
    }
    schema.execute("DROP TRIGGER worker ON games");
    assert!(store.insert(&games).expect("inserted")[0].is_some());
}

#[test]
fn missing_indexes_are_said_and_made() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let mut store = schema.store();
    assert!(matches!(store.index_trouble(), Some(IndexError::Missing)));
    store.insert(&playout_games(5, 1)).expect("inserted");
    assert!(store.index_trouble().is_none());
    schema.execute("DROP INDEX positions_by_area_2");
    let mut store = schema.store();
    assert!(matches!(store.index_trouble(), Some(IndexError::Missing)));
    let mut stages = 0;
    store
        .build_index(0, &mut |_, share| {
            stages += 1;
            assert!((0.0..=1.0).contains(&share));
        })
        .expect("built");
    assert!(stages > 10 && store.index_trouble().is_none());
    assert_eq!(store.index_state().indexed_games, 5);
    schema.execute("DELETE FROM positions WHERE ply = 3");
    assert!(matches!(
        store.check_index(),
        Err(StoreError::Index(IndexError::Damaged(_)))
    ));
}

/// Takes a store back to the fourth schema, which kept no statistics and had boards
/// nowhere but in positions.
const NOTHING_KEPT: &str = "DROP VIEW moves; DROP FUNCTION hathi_played(bytea);
    DROP FUNCTION \"if\"(boolean, anyelement, anyelement);
    DROP TABLE boards, facts;
    DROP TABLE kept_shapes, kept_turns, kept_games;
    DROP SEQUENCE kept_rows;
    ALTER TABLE hathi_meta DROP COLUMN kept_games, DROP COLUMN facts_version, DROP COLUMN facts_done,
        DROP COLUMN facts_last;
    UPDATE hathi_meta SET version = 4";

/// A store of the first schema, which knew no sources, becomes one of today.
#[test]
fn a_store_without_sources_gets_them() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(6, 8);
    schema.store().insert(&games).expect("inserted");
    // Back to how it was.
    schema.execute(NOTHING_KEPT);
    schema.execute(
        "DROP TABLE logs, reviews, studies;
         DROP TABLE hathi_counts;
         DROP SEQUENCE game_rows, name_rows;
         ALTER TABLE positions DROP COLUMN other_rating, DROP COLUMN sample;
         ALTER TABLE games DROP COLUMN source, DROP COLUMN copy, DROP COLUMN gold_number,
             DROP COLUMN silver_number;
         ALTER TABLE games ADD UNIQUE (archive_id, fingerprint);
         CREATE INDEX games_by_setup ON games
             (gold_setup, silver_setup, result, gold_rating, silver_rating);
         ALTER TABLE puzzles DROP CONSTRAINT puzzles_pkey;
         ALTER TABLE puzzles DROP COLUMN source;
         ALTER TABLE puzzles ADD PRIMARY KEY (archive_id, label);
         DELETE FROM positions;
         INSERT INTO events VALUES (901, 'Hathi arena'), (902, 'Hathi play') ON CONFLICT DO NOTHING;
         UPDATE games SET archive_id = 15, event_id = 901, site = 'local', started = 1794805000
             WHERE id = (SELECT min(id) FROM games);
         UPDATE games SET archive_id = 15, event_id = NULL, started = 1000000000
             WHERE id = (SELECT min(id) + 1 FROM games);
         UPDATE games SET archive_id = 15, event_id = NULL, started = 1000000001
             WHERE id = (SELECT min(id) + 2 FROM games);
         UPDATE games SET event_id = 902 WHERE id = (SELECT min(id) + 3 FROM games);
         UPDATE games SET event_id = 901, site = 'elsewhere' WHERE id = (SELECT min(id) + 4 FROM games);
         INSERT INTO puzzles (id, archive_id, label, turn, game_id)
             VALUES (90, 15, '2g', 'Ra2n', (SELECT min(id) FROM games));
         UPDATE hathi_meta SET version = 1",
    );
    let store = PostgresStore::open_existing(&schema.url()).expect("migrated");
    let mut sources: Vec<(&str, u64)> = Vec::new();
    let found = store.sources().expect("sources");
    for source in &found {
        sources.push((source.source.name(), source.games));
    }
    sources.sort_unstable();
    assert_eq!(sources[..2], [("arena", 1), ("arimaa", 3)]);
    assert_eq!(sources[2..], [("play", 1), ("sample", 1)]);
    for (id, wanted) in [("15", 1), ("15~2", 1), ("sample:15", 1), ("arena:15", 0)] {
        let id = id.parse().expect("an id");
        let found = store.row_of(id).expect("asked");
        assert_eq!(usize::from(found.is_some()), wanted, "{id}");
    }
    // The puzzle of number 15 was taken for the sample's: it is the real game's.
    drop(store);
    schema.execute(
        "DO $$ BEGIN ASSERT (SELECT source = 'arimaa'
                AND game_id IS DISTINCT FROM (SELECT id FROM games WHERE source = 'sample')
             FROM puzzles); END $$",
    );
    PostgresStore::open(&schema.url()).expect("once is enough");
}

/// A store of the third schema keeps its positions; only their indexes are
/// made anew.
#[test]
fn a_store_whose_positions_knew_little_learns_more() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let mut games = playout_games(30, 5);
    games[3].game.id = "sample:7".parse().expect("an id");
    let mut store = schema.store();
    store.insert(&games).expect("inserted");
    let start = games[0]
        .moves
        .replay(games[0].game.rules())
        .expect("legal")
        .positions()[0];
    let ask = |store: &PostgresStore| {
        let answer = store.find(&PositionQuestion::new(start, Kind::Half));
        format!("{:?}", answer.expect("an answer"))
    };
    let (before, totals) = (ask(&store), store.totals().expect("totals"));
    drop(store);
    schema.execute(NOTHING_KEPT);
    schema.execute(
        "DROP TABLE hathi_counts;
         DROP SEQUENCE game_rows, name_rows;
         ALTER TABLE positions DROP COLUMN other_rating, DROP COLUMN sample;
         UPDATE hathi_meta SET version = 3",
    );
    let mut store = PostgresStore::open_existing(&schema.url()).expect("migrated");
    assert_eq!(ask(&store), before);
    assert_eq!(store.totals().expect("totals"), totals);
    assert!(store.index_trouble().is_some());
    store.build_index(0, &mut |_, _| {}).expect("built");
    store.check_index().expect("right");
    assert_eq!(ask(&store), before);
    assert!(store.insert(&playout_games(1, 77)).expect("inserted")[0].is_some());
}

/// A store whose positions do not say which pieces stand round a trap answers as
/// before; games that come later say it.
#[test]
fn positions_of_before_are_found_by_piece() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(60, 12);
    let mut file = TempStore::new();
    file.insert(&games[..30]);
    let mut store = schema.store();
    store.insert(&games[..30]).expect("inserted");
    drop(store);
    schema.execute(
        "ALTER TABLE positions DROP COLUMN pieces_0, DROP COLUMN pieces_1,
             DROP COLUMN pieces_2, DROP COLUMN pieces_3;
         CREATE INDEX positions_by_sides_0 ON positions (sides_0, place);
         CREATE INDEX positions_by_sides_1 ON positions (sides_1, place);
         CREATE INDEX positions_by_sides_2 ON positions (sides_2, place);
         CREATE INDEX positions_by_sides_3 ON positions (sides_3, place);
         UPDATE hathi_meta SET version = version - 1",
    );
    let mut store = PostgresStore::open_existing(&schema.url()).expect("migrated");
    assert!(store.index_trouble().is_none());
    let unsaid = "SELECT count(*) FROM positions WHERE pieces_2 IS NULL";
    let before = schema.number(unsaid);
    assert!(before > 100, "{before}");
    by_piece_as_in(&file, &store, &games);
    file.insert(&games[30..]);
    store.insert(&games[30..]).expect("inserted");
    assert_eq!(schema.number(unsaid), before);
    by_piece_as_in(&file, &store, &games);
    store.build_index(0, &mut |_, _| {}).expect("built");
    by_piece_as_in(&file, &store, &games);
    store.check_index().expect("right");
}

/// The same answers by every piece round every trap.
fn by_piece_as_in(file: &TempStore, server: &PostgresStore, games: &[NewGame]) {
    for (number, new) in games.iter().enumerate() {
        let game = new.moves.replay(new.game.rules()).expect("legal");
        let position = game.positions()[number % game.turns().len()];
        for (trap, piece) in Square::TRAPS.into_iter().zip(Role::ALL) {
            let kind = Kind::AreaByPiece { trap, piece };
            let question = PositionQuestion::new(position, kind);
            let one = (file.store.best(&question), file.store.find(&question));
            let other = (server.best(&question), server.find(&question));
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{kind:?}");
        }
    }
}

/// Several add different games at the same time, with names in common, while
/// somebody chooses which statistics are kept: none is lost, none is counted
/// twice.
#[test]
fn several_importers_at_once() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    schema.store();
    let url = schema.url();
    let mut all = playout_games(120, 31);
    // The last of each share is the same game: one of them adds it.
    let same = all[0].clone();
    std::thread::scope(|scope| {
        for share in all.chunks_mut(40) {
            let (url, same) = (&url, &same);
            scope.spawn(move || {
                let mut store = PostgresStore::open(url).expect("opened");
                share[39] = same.clone();
                for batch in share.chunks(10) {
                    store.insert_for_index(batch).expect("inserted");
                }
            });
        }
        let url = &url;
        scope.spawn(move || {
            let mut store = PostgresStore::open(url).expect("opened");
            for _ in 0..3 {
                store
                    .keep_statistics(5, &mut |_, _| ControlFlow::Continue(()))
                    .expect("kept");
            }
        });
    });
    let mut store = schema.store();
    assert_eq!(store.totals().expect("totals").games, 117);
    store.build_index(0, &mut |_, _| {}).expect("built");
    store.check_index().expect("right");
    let mut positions = Vec::new();
    for new in all.iter().step_by(10) {
        let game = new.moves.replay(new.game.rules()).expect("legal");
        positions.extend(game.positions().iter().take(4).copied());
    }
    let ask = || -> Vec<String> {
        let half = |position: &Position| {
            let answer = store.find(&PositionQuestion::new(*position, Kind::Half));
            format!("{:?}", answer.expect("an answer"))
        };
        positions.iter().map(half).collect()
    };
    let kept = ask();
    schema.execute("UPDATE kept_shapes SET ready = FALSE");
    assert_eq!(ask(), kept);
}
