//! Facts and sequences asked of whole stores: the index with its columns, the
//! games beside it, and a server, against asking every position of every game.
#![allow(missing_docs)]

mod common;

use std::fs;

use common::{TempCluster, TempSchema, TempStore, playout_games};
use hathi_rules::{BySide, Ply, Side, Symmetry};
use hathi_store::{
    CheckedIndex, FactsNeeded, Filter, GameRow, Matching, Memory, NewGame, Pattern,
    PatternQuestion, Positions, PostgresStore, Setting, Store, Upkeep,
};

/// The games as rows of settings.
fn settings(games: &[NewGame]) -> Vec<Vec<Setting>> {
    games
        .iter()
        .map(|new| {
            let game = new.moves.replay(new.game.rules()).expect("legal");
            let rating = |side: Side| {
                let rating = new.game.players[side].rating;
                rating.and_then(|rating| u16::try_from(rating).ok())
            };
            let positions = game.positions().iter().zip(game.turns());
            positions
                .enumerate()
                .map(|(ply, (&position, &turn))| Setting {
                    position,
                    ply: Some(Ply::after(ply)),
                    ratings: BySide::new(rating(Side::Gold), rating(Side::Silver)),
                    winner: new.game.result,
                    turn: Some(turn),
                })
                .collect()
        })
        .collect()
}

const FACTS: [&str; 16] = [
    "frozen(R)",
    "frozen(G>C) g to move",
    "threatens(r)",
    "captures(S) not fork",
    "threatens(*@home(g) in c3) or threatens(*@home(s) in f6)",
    "strongest(c3) = G and guards(c3) >= 2",
    "phase opening s to move",
    "phase middle or phase end",
    "material +1",
    "move 3..6 Ee3",
    "gold rating >= 1900 gold won",
    "opponent won not frozen(*)",
    "plays E",
    "captures *",
    "gives up a piece",
    "opponent goal in 4 or hostage or framed or blockade",
];

fn changes(matching: Matching) -> &'static [Symmetry] {
    match matching {
        Matching::Literal => &Symmetry::ALL[..1],
        Matching::Symmetric => &Symmetry::ALL[..],
    }
}

fn question(text: &str, matching: Matching) -> PatternQuestion {
    let text = if text == "plays E" {
        "plays E@board"
    } else {
        text
    };
    PatternQuestion {
        matching,
        ..PatternQuestion::new(
            text.parse()
                .unwrap_or_else(|error| panic!("{text}: {error}")),
        )
    }
}

fn finds_facts(store: &dyn Memory, games: &[NewGame], rows: &[GameRow]) {
    let all = settings(games);
    for text in FACTS {
        for matching in [Matching::Literal, Matching::Symmetric] {
            let question = question(text, matching);
            let mut wanted: Vec<(GameRow, Ply)> = Vec::new();
            for (game, &row) in all.iter().zip(rows) {
                for setting in game {
                    let holds =
                        |change: &Symmetry| question.pattern.holds_in(&change.apply(*setting));
                    if changes(matching).iter().any(holds) {
                        wanted.push((row, setting.ply.expect("of a game")));
                    }
                }
            }
            let answer = store.search(&question).expect("an answer");
            let mut found: Vec<(GameRow, Ply)> =
                answer.best.iter().map(|hit| (hit.game, hit.ply)).collect();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{text} {matching:?}");
            assert_eq!(answer.hits, wanted.len() as u64);
            let few = PatternQuestion {
                limit: 2,
                one_per_game: true,
                ..question
            };
            let some = store.search(&few).expect("an answer");
            assert_eq!((some.hits, some.games), (answer.hits, answer.games));
        }
    }
}

/// Two formulas, and how the second has to follow the first: at which distance
/// from it, in turns.
struct Followed {
    text: &'static str,
    first: &'static str,
    /// So many turns one after the other.
    lasting: usize,
    second: &'static str,
    within: usize,
    /// Which must not hold in between.
    never: Option<&'static str>,
}

const SEQUENCES: [Followed; 6] = [
    Followed {
        text: "frozen(R) then captures *",
        first: "frozen(R)",
        lasting: 1,
        second: "captures *",
        within: usize::MAX,
        never: None,
    },
    Followed {
        text: "E@rank(3..4) then within 3 turns M@rank(3..4) e@away",
        first: "E@rank(3..4)",
        lasting: 1,
        second: "M@rank(3..4) e@away",
        within: 3,
        never: None,
    },
    Followed {
        text: "Ee3 for 3 turns then within 2 turns not Ee3",
        first: "Ee3",
        lasting: 3,
        second: "not Ee3",
        within: 2,
        never: None,
    },
    Followed {
        text: "g to move plays E@rank(3..5) then within 1 turn plays e@board",
        first: "g to move plays E@rank(3..5)",
        lasting: 1,
        second: "plays e@board",
        within: 1,
        never: None,
    },
    Followed {
        text: "E@rank(3) then never frozen(*) until E@rank(4..8)",
        first: "E@rank(3)",
        lasting: 1,
        second: "E@rank(4..8)",
        within: usize::MAX,
        never: Some("frozen(*)"),
    },
    Followed {
        text: "move >= 4 then within 5 turns never material +1 until h@rank(1..6)",
        first: "move >= 4",
        lasting: 1,
        second: "h@rank(1..6)",
        within: 5,
        never: Some("material +1"),
    },
];

/// Where such a sequence begins in a game, and the first end it comes to.
fn follows(game: &[Setting], followed: &Followed, change: Symmetry) -> Vec<(usize, usize)> {
    let holds = |text: &str, ply: usize| {
        let pattern: Pattern = text.parse().expect("a pattern");
        pattern.holds_in(&change.apply(game[ply]))
    };
    let mut found = Vec::new();
    for start in 0..game.len() {
        let end = start + followed.lasting;
        if end > game.len() || !(start..end).all(|ply| holds(followed.first, ply)) {
            continue;
        }
        for last in end..game.len().min(end.saturating_add(followed.within)) {
            if holds(followed.second, last) {
                found.push((start, last));
                break;
            }
            if followed.never.is_some_and(|never| holds(never, last)) {
                break;
            }
        }
    }
    found
}

fn finds_sequences(store: &dyn Memory, games: &[NewGame], rows: &[GameRow]) {
    let all = settings(games);
    let mut met = 0;
    for followed in &SEQUENCES {
        for matching in [Matching::Literal, Matching::Symmetric] {
            let mut wanted: Vec<(GameRow, Ply, Ply)> = Vec::new();
            for (game, &row) in all.iter().zip(rows) {
                let mut starts = Vec::new();
                for &change in changes(matching) {
                    for (first, last) in follows(game, followed, change) {
                        if !starts.contains(&first) {
                            starts.push(first);
                            wanted.push((row, Ply::after(first), Ply::after(last)));
                        }
                    }
                }
            }
            let question = question(followed.text, matching);
            let answer = store.search(&question).expect("an answer");
            let mut found: Vec<(GameRow, Ply, Ply)> = (answer.best.iter())
                .map(|hit| (hit.game, hit.ply, hit.last))
                .collect();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{} {matching:?}", followed.text);
            assert_eq!(answer.hits, wanted.len() as u64);
            met += wanted.len();
            for hit in &answer.best {
                assert!(hit.position.check_turn(&hit.turn).is_ok());
            }
            let few = PatternQuestion {
                limit: 2,
                one_per_game: true,
                ..question
            };
            let some = store.search(&few).expect("an answer");
            assert_eq!((some.hits, some.games), (answer.hits, answer.games));
            assert!(some.best.len() <= 2);
        }
    }
    assert!(met > 50, "{met}");
}

#[test]
fn facts_and_sequences_are_found_in_the_index_and_beside_it() {
    let games = playout_games(90, 5);
    let mut temp = TempStore::new();
    let mut rows = temp.insert(&games[..70]);
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    rows.extend(temp.insert(&games[70..]));
    finds_facts(&temp.store, &games, &rows);
    finds_sequences(&temp.store, &games, &rows);
    // Once more from the files that the first questions have made.
    let again = Store::open(temp.path()).expect("opened");
    finds_facts(&again, &games, &rows);
    finds_sequences(&again, &games, &rows);
}

#[test]
fn facts_and_sequences_are_found_on_a_server() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(40, 5);
    let mut store = schema.store();
    let rows = store.insert(&games).expect("inserted");
    let rows: Vec<GameRow> = rows.into_iter().map(|row| row.expect("new").row).collect();
    finds_facts(&store, &games, &rows);
    finds_sequences(&store, &games, &rows);
}

#[test]
fn facts_and_sequences_are_found_over_several_servers() {
    let Some(mut cluster) = TempCluster::new() else {
        return;
    };
    let games = playout_games(30, 5);
    let mut store = cluster.store();
    let rows = inserted(&mut store, &games);
    finds_facts(&store, &games, &rows);
    finds_sequences(&store, &games, &rows);
    // From before there were facts: the rows of the games come again.
    cluster.execute(
        "UPDATE positions SET on_board = NULL, of_game = NULL, of_turn = NULL;
         UPDATE hathi_meta SET facts_done = 0, facts_last = (SELECT max(id) FROM games)",
    );
    finds_facts(&store, &games, &rows);
    let go_on = &mut |_: &str, _: f64| std::ops::ControlFlow::Continue(());
    assert!(
        store
            .build_facts(FactsNeeded::ALL, 0, go_on)
            .expect("built")
    );
    assert!(facts_checked(&store) > 100);
    finds_facts(&store, &games, &rows);
    finds_sequences(&store, &games, &rows);
}

fn inserted(store: &mut PostgresStore, games: &[NewGame]) -> Vec<GameRow> {
    let rows = store.insert(games).expect("inserted");
    rows.into_iter().map(|row| row.expect("new").row).collect()
}

/// Of how many positions a check of the index has worked out the facts.
fn facts_checked(store: &PostgresStore) -> u64 {
    match store.check_index().expect("right") {
        CheckedIndex::Compared { facts, .. } => facts,
        CheckedIndex::Checksums => 0,
    }
}

/// A store from before there were facts is migrated, filled in parts and asked
/// all the time: by another one of its games, its facts are taken out, changed,
/// of another version. The answers are always right, and the facts that are
/// kept are what is asked once they are complete.
#[test]
fn a_server_is_filled_in_parts() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let games = playout_games(36, 5);
    let mut store = schema.store();
    let mut rows = inserted(&mut store, &games[..24]);
    drop(store);
    schema.execute(
        "DROP TABLE facts; ALTER TABLE hathi_meta DROP COLUMN facts_version,
             DROP COLUMN facts_done, DROP COLUMN facts_last;
         UPDATE hathi_meta SET version = 7",
    );
    let mut store = schema.store();
    assert!(store.index_is_behind().expect("asked"));
    assert_eq!(facts_checked(&store), 0);
    finds_facts(&store, &games[..24], &rows);
    // Those who add games write their facts, though others are missing.
    rows.extend(inserted(&mut store, &games[24..30]));
    let turns = |games: &[NewGame]| games.iter().map(|new| new.moves.turns.len() as i64).sum();
    let facts = "SELECT count(*) FROM facts";
    let written: i64 = turns(&games[24..30]);
    assert_eq!(schema.number(facts), written);
    finds_facts(&store, &games[..30], &rows);
    // Stopped at once, then filled.
    let stop = &mut |_: &str, _: f64| std::ops::ControlFlow::Break(());
    let go_on = &mut |_: &str, _: f64| std::ops::ControlFlow::Continue(());
    assert!(store.build_facts(FactsNeeded::ALL, 0, stop).is_err());
    assert!(
        store
            .build_facts(FactsNeeded::ALL, 0, go_on)
            .expect("built")
    );
    assert!(
        !store
            .build_facts(FactsNeeded::ALL, 0, go_on)
            .expect("built")
    );
    let all: i64 = turns(&games[..30]);
    assert_eq!(schema.number(facts), all);
    assert_eq!(facts_checked(&store), all.cast_unsigned());
    // Half of the games have theirs.
    let half = rows[15].get();
    schema.execute(&format!(
        "DELETE FROM facts WHERE (place >> 1 & 17179869183) > {half};
         UPDATE hathi_meta SET facts_done = {half}, facts_last = (SELECT max(id) FROM games)"
    ));
    rows.extend(inserted(&mut store, &games[30..]));
    finds_facts(&store, &games, &rows);
    finds_sequences(&store, &games, &rows);
    assert!(store.index_is_behind().expect("asked"));
    store.build_index(0, &mut |_, _| {}).expect("built");
    assert!(!store.index_is_behind().expect("asked"));
    let all: i64 = turns(&games);
    assert_eq!(facts_checked(&store), all.cast_unsigned());
    finds_facts(&store, &games, &rows);
    finds_sequences(&store, &games, &rows);
    // They are what is asked.
    let asked = question("phase opening", Matching::Symmetric);
    let right = store.search(&asked).expect("an answer").hits;
    assert!(right > 0);
    schema.execute("UPDATE facts SET on_board = 0");
    assert_eq!(store.search(&asked).expect("an answer").hits, 0);
    let damaged = store.check_index().expect_err("damaged").to_string();
    assert!(damaged.contains("facts"), "{damaged}");
    // But not if they mean something else; nor are others added to them.
    schema.execute("UPDATE hathi_meta SET facts_version = 5");
    assert_eq!(store.search(&asked).expect("an answer").hits, right);
    finds_sequences(&store, &games, &rows);
    let more = playout_games(37, 5);
    rows.extend(inserted(&mut store, &more[36..]));
    assert_eq!(schema.number("SELECT facts_version FROM hathi_meta"), 0);
    assert_eq!(schema.number(facts), all);
    finds_facts(&store, &more, &rows);
    assert!(
        store
            .build_facts(FactsNeeded::ALL, 0, go_on)
            .expect("built")
    );
    assert_eq!(facts_checked(&store), turns(&more).cast_unsigned());
    finds_facts(&store, &more, &rows);
    // What goes is gone from here as well, and what is made anew is the same.
    store.remove(&rows[3..9]).expect("removed");
    let mut left = more.clone();
    left.drain(3..9);
    rows.drain(3..9);
    assert_eq!(facts_checked(&store), turns(&left).cast_unsigned());
    finds_facts(&store, &left, &rows);
    store.build_index(0, &mut |_, _| {}).expect("built");
    finds_facts(&store, &left, &rows);
}

#[test]
fn recent_games_are_known_as_they_come() {
    let games = playout_games(40, 9);
    let mut temp = TempStore::new();
    let mut rows = Vec::new();
    // Blocks of positions fill up from one question to the next.
    for part in games.chunks(7) {
        rows.extend(temp.insert(part));
        let known = &games[..rows.len()];
        finds_facts(&temp.store, known, &rows);
    }
}

/// The files of columns beside an index.
fn files(temp: &TempStore) -> Vec<std::path::PathBuf> {
    ["goals", "captures", "shapes", "counts", "games", "turns"]
        .map(|name| {
            let mut path = temp.index_path().into_os_string();
            path.push(".");
            path.push(name);
            path.into()
        })
        .into()
}

/// Something that happens to the bytes of a file.
type Harm = fn(&mut Vec<u8>);

#[test]
fn columns_are_made_once_and_again_when_they_are_of_no_use() {
    let games = playout_games(60, 3);
    let mut temp = TempStore::new();
    let rows = temp.insert(&games);
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    let go_on = &mut |_: &str, _: f64| std::ops::ControlFlow::Continue(());
    let build = |store: &mut Store,
                 go_on: &mut dyn FnMut(&str, f64) -> std::ops::ControlFlow<()>| {
        store
            .build_facts(FactsNeeded::ALL, 2, go_on)
            .expect("built")
    };
    assert!(files(&temp).iter().all(|path| !path.exists()));
    assert!(build(&mut temp.store, go_on));
    assert!(!build(&mut temp.store, go_on), "they are there");
    let made: Vec<Vec<u8>> = files(&temp)
        .iter()
        .map(|path| fs::read(path).expect("a file"))
        .collect();

    // Whatever is wrong with one of them, it alone is made again.
    let harms: [Harm; 4] = [
        |bytes| bytes.truncate(5000),
        |bytes| bytes[8] ^= 1,
        |bytes| bytes[24] ^= 1,
        Vec::clear,
    ];
    for (i, path) in files(&temp).iter().enumerate() {
        for harm in harms {
            let mut bytes = made[i].clone();
            harm(&mut bytes);
            // As somebody would: another file under the same name.
            fs::remove_file(path).expect("removed");
            fs::write(path, &bytes).expect("written");
            let mut store = Store::open(temp.path()).expect("opened");
            finds_facts(&store, &games, &rows);
            assert!(!build(&mut store, go_on));
            assert_eq!(fs::read(path).expect("a file"), made[i]);
        }
        // A killed writer leaves a draft, and nothing else.
        fs::remove_file(path).expect("removed");
        let mut store = Store::open(temp.path()).expect("opened");
        let stop = &mut |_: &str, _: f64| std::ops::ControlFlow::Break(());
        assert!(store.build_facts(FactsNeeded::ALL, 2, stop).is_err());
        assert!(!path.exists());
        assert!(build(&mut store, go_on));
        assert_eq!(fs::read(path).expect("a file"), made[i]);
    }

    // A new index has new positions: columns of the old one do not fit.
    let more = playout_games(80, 3);
    let rows: Vec<GameRow> = {
        let mut rows = rows;
        rows.extend(temp.insert(&more[60..]));
        rows
    };
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    finds_facts(&temp.store, &more, &rows);
    finds_sequences(&temp.store, &more, &rows);
}

#[test]
fn who_asks_while_columns_are_made_can_know_how_far_they_are() {
    let games = playout_games(60, 3);
    let mut temp = TempStore::new();
    temp.insert(&games);
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    let other = Store::open(temp.path()).expect("opened");
    assert_eq!(other.facts_in_work(FactsNeeded::ALL), None);
    let mut told = Vec::new();
    temp.store
        .build_facts(FactsNeeded::ALL, 2, &mut |_, _| {
            told.push(other.facts_in_work(FactsNeeded::ALL));
            std::ops::ControlFlow::Continue(())
        })
        .expect("built");
    let positions = temp.store.index_state().indexed_positions;
    let shares: Vec<f64> = told
        .iter()
        .map(|work| {
            let work = work.expect("somebody is at it");
            assert_eq!(work.positions, positions);
            work.share
        })
        .collect();
    assert!(shares.len() > 3, "{shares:?}");
    assert!(shares.is_sorted(), "{shares:?}");
    assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
    assert_eq!(other.facts_in_work(FactsNeeded::ALL), None);
    // Nor if it was given up.
    for path in files(&temp) {
        fs::remove_file(path).expect("removed");
    }
    let mut store = Store::open(temp.path()).expect("opened");
    let stop = &mut |_: &str, _: f64| std::ops::ControlFlow::Break(());
    assert!(store.build_facts(FactsNeeded::ALL, 2, stop).is_err());
    assert_eq!(store.facts_in_work(FactsNeeded::ALL), None);
}

#[test]
fn a_damaged_block_of_columns_is_an_error_and_no_answer() {
    let games = playout_games(200, 3);
    let mut temp = TempStore::new();
    temp.insert(&games);
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    let go_on = &mut |_: &str, _: f64| std::ops::ControlFlow::Continue(());
    temp.store
        .build_facts(FactsNeeded::ALL, 2, go_on)
        .expect("built");
    let path = &files(&temp)[2];
    let mut bytes = fs::read(path).expect("a file");
    bytes[4096] ^= 1;
    fs::remove_file(path).expect("removed");
    fs::write(path, &bytes).expect("written");
    let store = Store::open(temp.path()).expect("opened");
    assert!(
        store
            .search(&question("frozen(R)", Matching::Symmetric))
            .is_err()
    );
    assert!(store.check_index().is_err());
    assert!(
        store
            .search(&question("goal in 4", Matching::Symmetric))
            .is_ok()
    );
}

#[test]
fn filters_hold_for_sequences() {
    let games = playout_games(40, 11);
    let mut temp = TempStore::new();
    temp.insert(&games[..30]);
    temp.store.build_index(2, &mut |_, _| {}).expect("built");
    temp.insert(&games[30..]);
    let all = question("E@rank(3..4) then plays M@board", Matching::Symmetric);
    let count = |filter: Filter| {
        let question = PatternQuestion {
            filter,
            ..all.clone()
        };
        temp.store.search(&question).expect("an answer")
    };
    let whole = count(Filter::default());
    let early = count(Filter {
        move_numbers: Some(2..=4),
        ..Filter::default()
    });
    assert!(early.hits < whole.hits && early.hits > 0);
    assert!(early.best.iter().all(|hit| hit.ply.move_number() <= 4));
    let strong = count(Filter {
        min_rating_both: Some(1900),
        ..Filter::default()
    });
    assert!(strong.games < whole.games);
}
