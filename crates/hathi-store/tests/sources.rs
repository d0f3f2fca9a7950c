//! A game is known by source and number; sources are counted, chosen and taken
//! out again. The same on a file and on a server.

mod common;

use common::{TempSchema, TempStore, playout_games};
use hathi_archive::{GameId, GameSource, Puzzle};
use hathi_rules::Side;
use hathi_store::{
    Filter, Kind, Memory, NewGame, PatternQuestion, PositionQuestion, Positions as _, Sources,
    StoredGame, Upkeep as _,
};

/// Runs a test on a file and, if there is one, on a server.
fn on_both(test: impl Fn(&mut dyn Memory)) {
    test(&mut TempStore::new().store);
    if let Some(schema) = TempSchema::new() {
        test(&mut schema.store());
    }
}

fn id(text: &str) -> GameId {
    text.parse().expect("an id")
}

/// Games with these ids, in this order, all of other content.
fn games(ids: &[&str]) -> Vec<NewGame> {
    let mut games = playout_games(ids.len(), 11);
    for (game, text) in games.iter_mut().zip(ids) {
        game.game.id = id(text);
    }
    games
}

fn game_of(store: &dyn Memory, text: &str) -> Option<StoredGame> {
    let row = store.row_of(id(text)).expect("asked")?;
    assert_eq!(store.id_of(row).expect("asked"), Some(id(text)));
    store.game(row).expect("asked")
}

#[test]
fn one_number_in_every_source_is_as_many_games() {
    on_both(|store| {
        let ids = [
            "sample:15",
            "15",
            "play:15",
            "arena:15",
            "synth:15",
            "aei:15",
            "file:15",
        ];
        let games = games(&ids);
        let added = store.insert(&games).expect("inserted");
        for ((text, new), added) in ids.iter().zip(&games).zip(added) {
            assert_eq!(added.expect("new").id, id(text));
            let stored = game_of(store, text).expect("there");
            assert_eq!(stored.game.id.to_string(), *text);
            assert_eq!(stored.moves, new.moves);
            assert_eq!(store.with_moves(&new.moves).expect("asked"), [id(text)]);
            assert_eq!(stored.game.players, new.game.players);
        }
        assert!(
            store
                .insert(&games)
                .expect("again")
                .iter()
                .all(Option::is_none)
        );
        assert!(game_of(store, "16").is_none() && game_of(store, "15~2").is_none());
    });
}

#[test]
fn two_games_with_one_id_are_told_apart() {
    on_both(|store| {
        let games = games(&["15", "15", "15"]);
        let added = store.insert(&games).expect("inserted");
        let ids: Vec<String> = added
            .iter()
            .map(|a| a.expect("new").id.to_string())
            .collect();
        assert_eq!(ids, ["15", "15~2", "15~3"]);
        for (text, new) in ids.iter().zip(&games) {
            assert_eq!(game_of(store, text).expect("there").moves, new.moves);
        }
        // The same again is known, whatever copy it says it is.
        let mut again = games.clone();
        again[0].game.id = id("15~3");
        assert_eq!(store.insert(&again).expect("again"), [None, None, None]);
    });
    // What an export wrote keeps its name in another store, in any order.
    on_both(|store| {
        let games = games(&["15~2", "15"]);
        let added = store.insert(&games).expect("inserted");
        let ids: Vec<GameId> = added.iter().map(|a| a.expect("new").id).collect();
        assert_eq!(ids, [id("15~2"), id("15")]);
    });
}

#[test]
fn what_a_player_and_a_log_say_comes_back() {
    on_both(|store| {
        let mut games = games(&["7", "8"]);
        games[0].game.players.gold.id = Some(1234);
        games[0].game.events = Some(b"1 [x] w player joining\\n2 after 1w, move used:3".to_vec());
        store.insert(&games).expect("inserted");
        let row = |text| store.row_of(id(text)).expect("asked").expect("there");
        let stored = store.game(row("7")).expect("asked").expect("there");
        assert_eq!(stored.game.players.gold.id, Some(1234));
        assert_eq!(stored.game.players.silver.id, None);
        assert_eq!(store.log(row("7")).expect("asked"), games[0].game.events);
        assert_eq!(store.log(row("8")).expect("asked"), None);
    });
}

#[test]
fn samples_count_until_there_are_real_games() {
    on_both(|store| {
        let ids = ["sample:1", "sample:2", "sample:3", "play:9", "1", "2"];
        let games = games(&ids);
        store.insert(&games[..4]).expect("inserted");
        assert_eq!(counts(store, &Filter::default()), (4, 4));
        assert!(store.sources().expect("sources").iter().all(|s| s.counted));
        store.insert(&games[4..]).expect("inserted");
        // Now the samples do not: in lists, results, setups, positions, patterns.
        assert_eq!(counts(store, &Filter::default()), (3, 3));
        for (sources, expected) in [
            ("all", 6),
            ("sample", 3),
            ("sample,play", 4),
            ("arimaa", 2),
            ("arena", 0),
        ] {
            let filter = Filter {
                sources: Some(sources.parse().expect("sources")),
                ..Filter::default()
            };
            assert_eq!(counts(store, &filter), (expected, expected), "{sources}");
        }
        // Another condition does not bring them back.
        let humans = Filter {
            min_rating_both: Some(0),
            ..Filter::default()
        };
        assert_eq!(counts(store, &humans), (3, 3));
        let counted: Vec<_> = store
            .sources()
            .expect("sources")
            .iter()
            .map(|count| (count.source, count.games, count.counted))
            .collect();
        assert_eq!(
            counted,
            [
                (GameSource::Arimaa, 2, true),
                (GameSource::Sample, 3, false),
                (GameSource::Play, 1, true)
            ]
        );
        // Without the real games they count again.
        assert_eq!(store.remove_source(GameSource::Arimaa).expect("removed"), 2);
        assert_eq!(counts(store, &Filter::default()), (4, 4));
    });
}

/// How many games the filter lets through: by the list, which the other
/// questions about games must agree with, and by patterns and positions.
fn counts(store: &dyn Memory, filter: &Filter) -> (u64, u64) {
    let mut listed = Vec::new();
    store
        .visit_filtered(filter, None, &mut |game| {
            listed.push(game);
            std::ops::ControlFlow::Continue(())
        })
        .expect("listed");
    let games = listed.len() as u64;
    assert_eq!(store.count(filter).expect("counted"), games);
    let results = store.results(filter).expect("results");
    assert_eq!(results.iter().map(|r| r.games).sum::<u64>(), games);
    let setups = store
        .setups(Side::Gold, None, true, filter, 10)
        .expect("setups");
    assert_eq!(setups.games, games);
    let anything = PatternQuestion {
        filter: filter.clone(),
        ..PatternQuestion::new("*@board".parse().expect("a pattern"))
    };
    let found = store.search(&anything).expect("searched").games;
    // Every position of every game, asked one by one.
    let mut rows = std::collections::BTreeSet::new();
    for game in &listed {
        let replayed = game.moves.replay(game.game.rules()).expect("legal");
        let mut question = PositionQuestion::new(replayed.positions()[0], Kind::Full);
        question.filter = filter.clone();
        let answer = store.find(&question).expect("found");
        rows.extend(answer.top_rated.iter().copied());
        let best = store.best(&question).expect("asked").expect("itself");
        assert!(listed.iter().any(|game| game.row == best.game));
    }
    assert!(
        rows.iter()
            .all(|row| listed.iter().any(|game| game.row == *row))
    );
    (games, found)
}

#[test]
fn games_and_sources_are_taken_out_again() {
    on_both(|store| {
        let games = games(&["1", "2", "3", "play:1", "play:2", "sample:2"]);
        store.insert(&games).expect("inserted");
        store.build_index(1, &mut |_, _| {}).expect("an index");
        let all = Filter {
            sources: Some(Sources::ALL),
            ..Filter::default()
        };
        let puzzle = puzzle_of(&games[1]);
        let linked = store.import_puzzles(&[puzzle]).expect("imported");
        assert_eq!((linked.linked, linked.without_game), (1, 0));
        let rows: Vec<_> = ["2", "play:1"]
            .iter()
            .map(|text| store.row_of(id(text)).expect("asked").expect("there"))
            .collect();
        assert_eq!(store.remove(&rows).expect("removed"), 2);
        assert_eq!(store.remove(&rows).expect("removed"), 0);
        assert_eq!(counts(store, &all), (4, 4));
        assert!(game_of(store, "2").is_none());
        assert!(game_of(store, "sample:2").is_some());
        let left = store.puzzle_counts().expect("puzzles");
        assert_eq!((left.linked, left.without_game, left.broken), (0, 1, 0));
        assert_eq!(store.totals().expect("totals").puzzles, 0);
        // It comes back, and its puzzle with it.
        store.insert(&games[1..2]).expect("inserted");
        store.link_puzzles().expect("linked");
        assert_eq!(store.puzzle_counts().expect("puzzles").linked, 1);
        assert_eq!(store.remove_source(GameSource::Play).expect("removed"), 1);
        assert_eq!(store.remove_source(GameSource::Play).expect("removed"), 0);
        assert_eq!(counts(store, &all), (4, 4));
        store.prepare(1, &mut |_, _| {}).expect("ready");
        store.check_index().expect("good");
    });
}

/// A turn of a game, as if it won.
fn puzzle_of(new: &NewGame) -> Puzzle {
    let game = new.moves.replay(new.game.rules()).expect("legal");
    Puzzle {
        game: new.game.id,
        label: hathi_rules::Ply::after(0).label(),
        turn: game.turns()[0],
        mark: None,
    }
}

#[test]
fn a_puzzle_belongs_to_the_game_it_names() {
    on_both(|store| {
        let games = games(&["sample:4", "4", "4"]);
        // Silver's second turn is another one in each of them.
        let puzzles: Vec<Puzzle> = games.iter().map(puzzle_of).collect();
        store.import_puzzles(&puzzles).expect("imported");
        store.insert(&games).expect("inserted");
        store.link_puzzles().expect("linked");
        let counts = store.puzzle_counts().expect("counted");
        assert_eq!((counts.linked, counts.broken), (2, 0), "{counts:?}");
        for number in 0..counts.linked {
            let (hit, position) = store.linked_puzzle(number).expect("asked").expect("one");
            let named = game_of(store, &hit.game.to_string()).expect("there");
            let game = named.moves.replay(named.game.rules()).expect("legal");
            assert_eq!(game.positions()[0], position);
            let here = store
                .puzzles_at(&position, hathi_store::Matching::Literal)
                .expect("asked");
            assert!(here.iter().any(|other| other.game == hit.game));
        }
    });
}

/// A store that is open elsewhere notices that games were taken out.
#[test]
fn open_stores_notice() {
    let mut temp = TempStore::new();
    let games = games(&["1", "2", "3"]);
    let rows = temp.insert(&games);
    let mut other = hathi_store::Store::open(temp.path()).expect("opened");
    let replayed = games[1].moves.replay(games[1].game.rules()).expect("legal");
    let last = replayed.positions()[replayed.turns().len() - 1];
    let question = PositionQuestion::new(last, Kind::Full).literal();
    assert_eq!(
        other.best(&question).expect("asked").expect("it").game,
        rows[1]
    );
    temp.store.remove(&rows[1..2]).expect("removed");
    other.catch_up().expect("noticed");
    assert!(other.best(&question).expect("asked").is_none());
    assert!(temp.store.best(&question).expect("asked").is_none());
}
