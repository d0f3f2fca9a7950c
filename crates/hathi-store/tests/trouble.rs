//! Index files cut, bent and gone; databases locked or not ours. Each ends in
//! a right answer or a clear error, and nothing that was stored is missing.

mod common;

use std::fs;

use common::{Dice, TempStore, playout_games};
use hathi_store::{
    DatabaseError, GameRow, Games, IndexError, Kind, NewGame, PositionQuestion, Positions, Store,
    StoreError, Upkeep,
};

/// How often each position of the games is found, by the whole board.
fn answers(store: &Store, games: &[NewGame]) -> Result<Vec<u64>, StoreError> {
    let mut hits = Vec::new();
    for game in games {
        let replayed = game.moves.replay(game.game.rules()).expect("legal");
        for position in replayed.positions().iter().take(replayed.turns().len()) {
            let answer = store.find(&PositionQuestion::new(*position, Kind::Full))?;
            hits.push(answer.hits);
        }
    }
    Ok(hits)
}

#[test]
fn a_damaged_index_is_found_out() {
    let games = playout_games(60, 3);
    let mut temp = TempStore::new();
    temp.insert(&games);
    let expected = answers(&temp.store, &games).expect("answers from memory");
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    assert_eq!(answers(&temp.store, &games).expect("answers"), expected);
    let whole = fs::read(temp.index_path()).expect("the index file");

    let mut dice = Dice::new(9);
    for round in 0..200 {
        let mut bytes = whole.clone();
        if round % 4 == 0 {
            bytes.truncate(dice.roll(whole.len()));
        } else {
            let at = dice.roll(whole.len());
            bytes[at] ^= 1 << dice.roll(8);
        }
        fs::write(temp.index_path(), &bytes).expect("written");
        let mut store = Store::open(temp.path()).expect("the games are fine");
        // Noticed when opened (then the games are answered from memory), or
        // when the damaged part is read, or not at all if it never is.
        match answers(&store, &games) {
            Ok(found) => assert_eq!(found, expected, "round {round}"),
            Err(StoreError::Index(IndexError::Damaged(_))) => {}
            Err(other) => panic!("round {round}: {other}"),
        }
        let unused = store.index_trouble().is_some();
        let checked = store.check_index();
        assert!(
            unused || checked.is_err() || bytes == whole,
            "round {round}"
        );
        if round % 50 == 0 {
            store.build_index(1, &mut |_, _| {}).expect("built again");
            assert_eq!(answers(&store, &games).expect("answers"), expected);
        }
    }
}

#[test]
fn an_index_of_other_games_is_not_used() {
    let games = playout_games(20, 1);
    let mut one = TempStore::new();
    one.insert(&games);
    one.store.build_index(1, &mut |_, _| {}).expect("built");
    let mut two = TempStore::new();
    two.insert(&games[..10]);
    fs::copy(one.index_path(), two.index_path()).expect("copied");
    let store = Store::open(two.path()).expect("opened");
    assert!(matches!(store.index_trouble(), Some(IndexError::Stale)));
    assert_eq!(store.index_state().recent_games, 10);
}

#[test]
fn a_missing_index_is_said_and_built() {
    let games = playout_games(20, 2);
    let mut temp = TempStore::new();
    temp.insert(&games);
    assert!(matches!(
        temp.store.index_trouble(),
        Some(IndexError::Missing)
    ));
    temp.store.build_index(1, &mut |_, _| {}).expect("built");
    assert!(temp.store.index_trouble().is_none());
    fs::remove_file(temp.index_path()).expect("removed");
    let store = Store::open(temp.path()).expect("opened");
    assert!(matches!(store.index_trouble(), Some(IndexError::Missing)));
    assert_eq!(store.totals().expect("totals").games, 20);
}

#[test]
fn the_same_games_are_added_once() {
    let games = playout_games(12, 4);
    let mut temp = TempStore::new();
    temp.insert(&games);
    let again = temp.store.insert(&games).expect("inserted");
    assert!(again.iter().all(Option::is_none));
    let totals = temp.store.totals().expect("totals");
    let turns: usize = games.iter().map(|game| game.moves.turns.len()).sum();
    assert_eq!((totals.games, totals.positions), (12, turns as u64));
}

#[test]
fn games_come_back_as_they_went_in() {
    let games = playout_games(5, 8);
    let mut temp = TempStore::new();
    let rows = temp.insert(&games);
    for (game, row) in games.iter().zip(rows) {
        let stored = temp.store.game(row).expect("read").expect("there");
        assert_eq!(stored.moves, game.moves);
        assert_eq!(stored.game.players, game.game.players);
        assert_eq!(stored.game.result, game.game.result);
        assert_eq!(stored.game.start, game.game.start);
    }
    assert!(temp.store.game(GameRow::new(999)).expect("read").is_none());
}

#[test]
fn a_second_writer_is_told() {
    let games = playout_games(2, 6);
    let mut temp = TempStore::new();
    temp.insert(&games[..1]);
    let lock = rusqlite::Connection::open(temp.path()).expect("opened");
    lock.execute_batch("BEGIN IMMEDIATE").expect("locked");
    let refused = temp.store.insert(&games[1..]);
    assert!(
        matches!(refused, Err(StoreError::Database(DatabaseError::Busy(_)))),
        "{refused:?}"
    );
    // Reading goes on meanwhile.
    assert_eq!(
        Store::open(temp.path())
            .expect("opened")
            .totals()
            .expect("totals")
            .games,
        1
    );
    lock.execute_batch("ROLLBACK").expect("unlocked");
    assert_eq!(temp.insert(&games[1..]).len(), 1);
}

#[test]
fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("notes.txt");
    fs::write(&text, "dear diary, ".repeat(200)).expect("written");
    assert!(matches!(
        Store::open(&text),
        Err(StoreError::Database(DatabaseError::Foreign(_)))
    ));
    assert_eq!(
        fs::read_to_string(&text).expect("read"),
        "dear diary, ".repeat(200)
    );

    let other = folder.path().join("other.db");
    let connection = rusqlite::Connection::open(&other).expect("opened");
    connection
        .execute_batch("CREATE TABLE recipes(name TEXT)")
        .expect("made");
    drop(connection);
    assert!(matches!(
        Store::open(&other),
        Err(StoreError::Database(DatabaseError::Foreign(_)))
    ));
}

/// As when somebody copies a shorter file over it: every page that is gone is
/// noticed, and nobody is killed by it.
#[test]
#[cfg(unix)]
fn an_index_cut_while_it_is_used_is_an_error() {
    let games = playout_games(60, 4);
    let mut temp = TempStore::new();
    temp.insert(&games);
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    let expected = answers(&temp.store, &games).expect("answers");
    let whole = fs::read(temp.index_path()).expect("the index file");
    let mut dice = Dice::new(10);
    let mut noticed = 0;
    for round in 0..60 {
        fs::write(temp.index_path(), &whole).expect("written");
        let store = Store::open(temp.path()).expect("a store");
        assert!(store.index_trouble().is_none());
        if round % 2 == 0 {
            // All blocks are known to be right already.
            assert_eq!(answers(&store, &games).expect("answers"), expected);
        }
        let file = fs::File::options().write(true).open(temp.index_path());
        let length = dice.roll(whole.len()) as u64;
        file.expect("the index file").set_len(length).expect("cut");
        for _ in 0..2 {
            match answers(&store, &games) {
                Ok(found) => assert_eq!(found, expected, "round {round}"),
                Err(StoreError::Index(IndexError::Damaged(_))) => noticed += 1,
                Err(other) => panic!("round {round}: {other}"),
            }
        }
        assert!(store.check_index().is_err(), "round {round}");
    }
    assert!(noticed > 20, "{noticed} times noticed");
}
