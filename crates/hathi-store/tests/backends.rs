//! The same games in a file and on a server: every question has the same
//! answer, down to the order of equals.

mod common;

use common::{Dice, TempCluster, TempSchema, TempStore, playout_games};
use hathi_archive::{ArchivedGame, GameId, GameSource, Puzzle};
use hathi_rules::{Position, Role, Setup, Side, Square, Symmetry, Termination};
use hathi_store::{
    CheckedIndex, Filter, GameRow, Games, Kind, Kinds, Matching, Memory, NewGame, Pace, Page,
    Pattern, PatternQuestion, PositionQuestion, Positions, PostgresStore, Puzzles, Sources,
    StoredGame, Upkeep,
};
use std::ops::ControlFlow;

/// Games with everything that filters ask about.
fn games() -> Vec<NewGame> {
    let mut dice = Dice::new(77);
    let mut games = playout_games(60, 23);
    for new in &mut games {
        let game = &mut new.game;
        game.event = String::from(["Casual", "World League 100%", "ÉTÉ open"][dice.roll(3)]);
        game.rated = dice.roll(2) == 0;
        game.time_control = String::from(["0:15/1/1", "2/2/100", "1d/30d", "?"][dice.roll(4)]);
        game.termination = [Some(Termination::Goal), Some(Termination::Time), None][dice.roll(3)];
        for side in Side::ALL {
            let player = &mut game.players[side];
            if dice.roll(5) == 0 {
                player.rating = None;
            }
            if dice.roll(3) == 0 {
                player.kind = hathi_archive::PlayerKind::Bot;
            }
        }
        if dice.roll(8) == 0 {
            game.start = None;
        }
    }
    games
}

fn filters() -> Vec<Filter> {
    let none = Filter::default;
    vec![
        none(),
        Filter {
            min_rating_both: Some(1700),
            ..none()
        },
        Filter {
            min_rating_either: Some(2000),
            ..none()
        },
        Filter {
            numbers: Some(3..=12),
            ..none()
        },
        Filter {
            numbers: Some(20..=u64::MAX),
            rated: Some(true),
            ..none()
        },
        Filter {
            max_rating_both: Some(1900),
            ..none()
        },
        Filter {
            player: Some(("ANN1".to_owned(), None)),
            ..none()
        },
        Filter {
            player: Some(("bob2".to_owned(), Some(Side::Silver))),
            ..none()
        },
        Filter {
            player: Some(("bob2".to_owned(), Some(Side::Gold))),
            ..none()
        },
        Filter {
            kinds: Some(Kinds::Humans),
            ..none()
        },
        Filter {
            kinds: Some(Kinds::Bots),
            ..none()
        },
        Filter {
            kinds: Some(Kinds::Mixed),
            ..none()
        },
        Filter {
            event: Some("league 100%".to_owned()),
            ..none()
        },
        Filter {
            event: Some("ÉTÉ".to_owned()),
            ..none()
        },
        Filter {
            event: Some("été".to_owned()),
            ..none()
        },
        Filter {
            rated: Some(true),
            ..none()
        },
        Filter {
            started: Some(1_700_000_010..=1_700_000_030),
            ..none()
        },
        Filter {
            pace: Some(Pace::Lightning),
            ..none()
        },
        Filter {
            result: Some(Side::Silver),
            ..none()
        },
        Filter {
            termination: Some(Termination::Goal),
            ..none()
        },
        Filter {
            move_numbers: Some(2..=4),
            ..none()
        },
        Filter {
            move_numbers: Some(3..=u32::MAX),
            rated: Some(false),
            ..none()
        },
    ]
}

fn positions(games: &[NewGame]) -> Vec<Position> {
    let mut all = Vec::new();
    for (i, game) in games.iter().enumerate() {
        let replayed = game.moves.replay(game.game.rules()).expect("legal");
        let some = replayed.positions().iter().skip(i % 5).step_by(5);
        all.extend(some.map(|position| Symmetry::ALL[i % 4].apply(*position)));
    }
    all
}

#[test]
fn both_give_the_same_answers() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let games = games();
    let mut file = TempStore::new();
    let mut server = schema.store();
    // In two parts, the second of which the index file does not know.
    let mut rows = file.insert(&games[..40]);
    file.store.build_index(2, &mut |_, _| {}).expect("built");
    rows.extend(file.insert(&games[40..]));
    let mut others = server.insert(&games[..40]).expect("inserted");
    others.extend(server.insert(&games[40..]).expect("inserted"));
    let others: Vec<_> = others.iter().map(|added| added.expect("new").row).collect();
    assert_eq!(rows, others);
    let (file, server): (&dyn Memory, &dyn Memory) = (&file.store, &server);

    assert_eq!(
        file.totals().expect("totals"),
        server.totals().expect("totals")
    );
    let filters = filters();
    for filter in &filters {
        games_are_the_same(file, server, filter);
    }
    for (seed, position) in positions(&games).iter().enumerate() {
        let (trap, piece) = (Square::TRAPS[seed % 4], Role::ALL[seed % 6]);
        for kind in [
            Kind::Full,
            Kind::Half,
            Kind::Area { trap },
            Kind::AreaByPiece { trap, piece },
        ] {
            for matching in [Matching::Literal, Matching::Symmetric] {
                let context = format!("{kind:?} {matching:?} {position}");
                let all = PositionQuestion::new(*position, kind).matching(matching);
                let filter = &filters[seed % filters.len()];
                let of_some = all.clone().of_games(filter.clone());
                for question in [&all, &of_some] {
                    assert_eq!(
                        file.best(question).expect("an answer"),
                        server.best(question).expect("an answer"),
                        "{context} {filter:?}"
                    );
                    assert_eq!(
                        file.first(question).expect("an answer"),
                        server.first(question).expect("an answer"),
                        "{context} {filter:?}"
                    );
                }
                let some = |store: &dyn Memory| {
                    let answer = store
                        .find(&of_some.clone().best_hits(7))
                        .expect("an answer");
                    assert!(answer.hits <= 7);
                    format!("{:?}", (answer.hits, answer.games, answer.turns))
                };
                assert_eq!(some(file), some(server), "{context}");
                let one = file.find(&of_some).expect("an answer");
                let other = server.find(&of_some).expect("an answer");
                assert_eq!(
                    format!("{one:?}"),
                    format!("{other:?}"),
                    "{context} {filter:?}"
                );
            }
        }
    }
}

/// Asked of the file, of one server, and of one with the tables of a cluster.
#[test]
fn six_hundred_and_fifty_questions() {
    let (Some(schema), Some(cluster)) = (TempSchema::new(), TempCluster::new()) else {
        return;
    };
    let mut games = games();
    // Some are samples, which do not count beside real games.
    for new in games.iter_mut().step_by(7) {
        let number = new.game.id.number();
        new.game.id = GameId::of(GameSource::Sample, number).expect("an id");
    }
    let (mut file, mut server, mut shards) = (TempStore::new(), schema.store(), cluster.store());
    let rows = file.insert(&games);
    file.store.build_index(2, &mut |_, _| {}).expect("built");
    for store in [&mut server, &mut shards] {
        // The last games come after statistics are kept, and are added to them.
        let mut added = store.insert(&games[..45]).expect("inserted");
        keep(store);
        added.extend(store.insert(&games[45..]).expect("inserted"));
        let added: Vec<_> = added.iter().map(|added| added.expect("new").row).collect();
        assert_eq!(rows, added);
        store.check_index().expect("whole");
    }
    let stores: [&dyn Memory; 3] = [&file.store, &server, &shards];
    let (positions, filters) = (positions(&games), filters());
    let patterns = [
        "Ee3",
        "E@trap(c3) g to move",
        "2+R@rank(3..5)",
        "3..5r@rank(7) !_d2",
        "_c3 s to move",
        "frozen(R) or threatens(2+*)",
        "captures(S in c6) not phase opening",
        "strongest(f3) = G material >= 0 rating >= 1600",
        "Ee3 gold won move 3..6",
        "plays E@rank(3..5) not gives up a piece",
        "hostage(* by E) or framed or blockade or opponent goal in 4 or captures *",
        "frozen(R) then within 3 turns plays E@board",
        "E@rank(3) then never captures(*) until E@rank(4..8)",
        "material 0 for 3 turns",
    ];
    let mut dice = Dice::new(650);
    let mut found = 0;
    for number in 0..650 {
        let filter = match dice.roll(3) {
            0 => filters[dice.roll(filters.len())].clone(),
            1 => Filter {
                sources: Some(Sources::ALL),
                ..Filter::default()
            },
            _ => Filter::default(),
        };
        let matching = [Matching::Literal, Matching::Symmetric][dice.roll(2)];
        let limit = [usize::MAX, 3, 0][dice.roll(3)];
        let answers: Vec<String> = if dice.roll(5) == 0 {
            let pattern = patterns[dice.roll(patterns.len())]
                .parse()
                .expect("a pattern");
            let question = PatternQuestion {
                pattern,
                matching,
                filter,
                limit,
                one_per_game: dice.roll(2) == 0,
            };
            let ask = |store: &&dyn Memory| {
                let answer = store.search(&question).expect("an answer");
                let games: Vec<String> = named(*store, answer.best.iter().map(|hit| hit.game));
                format!("{question:?} {answer:?} {games:?}")
            };
            stores.iter().map(ask).collect()
        } else {
            let (trap, piece) = (Square::TRAPS[dice.roll(4)], Role::ALL[dice.roll(6)]);
            let kind = Kind::all(hathi_store::Focus { trap, piece })[dice.roll(4)];
            let position = positions[dice.roll(positions.len())];
            let mut question = PositionQuestion::new(position, kind)
                .matching(matching)
                .of_games(filter)
                .limit(limit);
            if dice.roll(4) == 0 {
                question = question.best_hits(1 + dice.roll(9));
            }
            let ask = |store: &&dyn Memory| {
                let best = store.best(&question).expect("an answer");
                let first = store.first(&question).expect("an answer");
                let mut answer = store.find(&question).expect("an answer");
                if question.best_hits.is_some() {
                    // Of the best hits alone a file names the best games of both players.
                    answer.top_rated.clear();
                    answer.most_recent.clear();
                }
                let games = answer.turns.iter().flat_map(|turn| &turn.samples);
                let games = named(*store, games.map(|sample| sample.0));
                format!("{question:?} {best:?} {first:?} {answer:?} {games:?}")
            };
            stores.iter().map(ask).collect()
        };
        found += usize::from(!answers[0].contains("hits: 0"));
        assert_eq!(answers[0], answers[1], "{number}");
        assert_eq!(
            answers[0], answers[2],
            "{number}, with the tables of a cluster"
        );
    }
    assert!(found > 300, "{found} found something");
    // What is taken out is gone from every table.
    let gone = &rows[10..20];
    file.store.remove(gone).expect("removed");
    for store in [&mut server, &mut shards] {
        assert_eq!(store.remove(gone).expect("removed"), 10);
        store.check_index().expect("whole");
        assert_eq!(
            store.totals().expect("totals"),
            file.store.totals().expect("totals")
        );
    }
}

/// What comes up twenty times is kept.
fn keep(store: &mut PostgresStore) {
    store
        .keep_statistics(20, &mut |_, _| ControlFlow::Continue(()))
        .expect("kept");
}

/// Every question about positions without a filter.
fn statistics(store: &dyn Memory, games: &[NewGame]) -> Vec<String> {
    let mut answers = Vec::new();
    for (seed, position) in positions(games).into_iter().enumerate() {
        let (trap, piece) = (Square::TRAPS[seed % 4], Role::ALL[seed % 6]);
        for kind in Kind::all(hathi_store::Focus { trap, piece }) {
            for matching in [Matching::Literal, Matching::Symmetric] {
                let question = PositionQuestion::new(position, kind).matching(matching);
                let answer = store.find(&question).expect("an answer");
                answers.push(format!("{kind:?} {matching:?} {position} {answer:?}"));
            }
        }
    }
    answers
}

/// Kept when games were there, added to by others, taken out in part, chosen
/// anew: the answers are always those of a file.
#[test]
fn statistics_that_are_kept_are_those_of_the_games() {
    let Some(mut schema) = TempSchema::new() else {
        return;
    };
    let mut games = games();
    games[22].game.start = Some(1_800_000_000);
    let (mut file, mut server) = (TempStore::new(), schema.store());
    let mut rows = file.insert(&games[..30]);
    server.insert(&games[..30]).expect("inserted");
    let kept = "SELECT count(*) FROM kept_shapes WHERE ready";
    assert_eq!(schema.number(kept), 0);
    keep(&mut server);
    let shapes = schema.number(kept);
    assert!(shapes > 20, "{shapes} shapes");
    assert_eq!(statistics(&file.store, &games), statistics(&server, &games));
    // One by one, by another writer.
    let mut other = schema.store();
    for game in &games[30..40] {
        let game = std::slice::from_ref(game);
        rows.extend(file.insert(game));
        other.insert(game).expect("inserted");
    }
    let expected = statistics(&file.store, &games);
    assert_eq!(expected, statistics(&server, &games));
    // They are what is told, not counted again.
    schema.execute("UPDATE kept_games SET games = games + 1");
    let differ = expected
        .iter()
        .zip(statistics(&server, &games))
        .filter(|(one, other)| *one != other)
        .count();
    assert!(
        differ > expected.len() / 10,
        "{differ} of {}",
        expected.len()
    );
    // Nor is it right, and a check says so.
    let damaged = server.check_index().expect_err("damaged");
    assert!(damaged.to_string().contains("statistics"), "{damaged}");
    schema.execute("UPDATE kept_games SET games = games - 1");
    let checked = server.check_index().expect("right");
    let all = shapes.cast_unsigned();
    let wanted = CheckedIndex::Compared {
        facts: server.totals().expect("totals").positions,
        statistics: all,
        statistics_kept: all,
    };
    assert_eq!(checked, wanted);
    // Games that go: the newest, the strongest, any. The others are kept.
    // The last one stays: a file would give its row to the next.
    let newest = (0..39).max_by_key(|&i| games[i].game.start);
    assert_eq!(newest, Some(22));
    let strength = |i: &usize| {
        let players = &games[*i].game.players;
        players.gold.rating.max(players.silver.rating)
    };
    let strongest = (0..39).max_by_key(strength);
    let mut gone: Vec<usize> = [3, 4, 33]
        .into_iter()
        .chain(newest)
        .chain(strongest)
        .collect();
    gone.sort_unstable();
    gone.dedup();
    for (i, &game) in gone.iter().enumerate() {
        file.store.remove(&rows[game..=game]).expect("removed");
        server.remove(&rows[game..=game]).expect("removed");
        assert_eq!(schema.number(kept), shapes);
        server.check_index().expect("right");
        if i % 2 == 0 {
            assert_eq!(statistics(&file.store, &games), statistics(&server, &games));
        }
    }
    let some: Vec<GameRow> = (10..20).map(|i| rows[i]).collect();
    file.store.remove(&some).expect("removed");
    server.remove(&some).expect("removed");
    assert_eq!(schema.number(kept), shapes);
    server.check_index().expect("right");
    assert_eq!(statistics(&file.store, &games), statistics(&server, &games));
    keep(&mut server);
    assert!(schema.number(kept) > 20);
    file.insert(&games[40..]);
    other.insert(&games[40..]).expect("inserted");
    assert_eq!(statistics(&file.store, &games), statistics(&server, &games));
    // Stopped in the middle, nothing is told that is not complete.
    let mut steps = 0;
    let stopped = server.keep_statistics(20, &mut |_, _| {
        steps += 1;
        if steps < 3 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert!(stopped.is_err());
    assert_eq!(statistics(&file.store, &games), statistics(&server, &games));
    // What cannot be read is said to be damaged.
    keep(&mut server);
    schema.execute("UPDATE kept_turns SET turns = substring(turns FROM 1 FOR 5)");
    let question = PositionQuestion::new(positions(&games)[0], Kind::Half);
    let error = server.find(&question).expect_err("damaged");
    assert!(error.to_string().contains("statistics"), "{error}");
}

/// Archives of real games, or made-up ones where the shared data is not there.
fn archives(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let shared = std::env::var_os("HATHI_SHARED").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into(),
        std::path::PathBuf::from,
    );
    let real = ["allgames2002.txt", "allgames201111-part.txt"].map(|name| shared.join(name));
    if real.iter().all(|path| path.is_file()) {
        return real.into();
    }
    let path = folder.join("games.txt");
    let file = std::fs::File::create(&path).expect("a file");
    let mut writer = hathi_archive::ArchiveWriter::new(file).expect("an archive");
    hathi_archive::Synth::new(9)
        .with_games(120)
        .write(&mut writer, 0, |_| {})
        .expect("written");
    writer.finish().expect("finished");
    vec![path]
}

/// A question, with its whole answer as text.
type Ask = Box<dyn Fn(&dyn Memory) -> String>;

/// What there is to ask about.
#[derive(Default)]
struct Known {
    positions: Vec<Position>,
    games: Vec<ArchivedGame>,
    setups: Vec<Setup>,
}

impl Known {
    fn of(store: &dyn Memory) -> Known {
        let mut known = Known::default();
        let mut take = |stored: StoredGame| {
            let game = stored.moves.replay(stored.game.rules()).expect("legal");
            known.positions.extend_from_slice(game.positions());
            known.setups.push(stored.moves.gold);
            known.games.push(stored.game);
            ControlFlow::Continue(())
        };
        store
            .visit_filtered(&Filter::default(), None, &mut take)
            .expect("read");
        known
    }

    fn position(&self, dice: &mut Dice) -> Position {
        // Early positions are the ones that come up again.
        let mut pick = dice.roll(self.positions.len());
        if dice.roll(2) == 0 {
            pick -= pick % 40;
        }
        Symmetry::ALL[dice.roll(4)].apply(self.positions[pick])
    }

    /// A filter by nothing, by one condition or by two, of every sort there is.
    fn filter(&self, dice: &mut Dice) -> Filter {
        let mut filter = Filter::default();
        for _ in 0..dice.roll(3) {
            self.add_condition(dice, &mut filter);
        }
        filter
    }

    fn add_condition(&self, dice: &mut Dice, filter: &mut Filter) {
        let game = &self.games[dice.roll(self.games.len())];
        let side = Side::ALL[dice.roll(2)];
        match dice.roll(14) {
            0 => filter.min_rating_both = Some(1400 + 100 * dice.roll(4) as i32),
            1 => filter.min_rating_either = Some(1500 + 100 * dice.roll(6) as i32),
            2 => filter.max_rating_both = Some(1500 + 100 * dice.roll(6) as i32),
            3 => {
                let colour = [None, Some(side), Some(side.opponent())][dice.roll(3)];
                filter.player = Some((game.players[side].name.to_uppercase(), colour));
            }
            4 => filter.kinds = Some([Kinds::Humans, Kinds::Bots, Kinds::Mixed][dice.roll(3)]),
            5 => filter.event = Some(game.event.chars().skip(1).take(6).collect()),
            6 => filter.rated = Some(dice.roll(2) == 0),
            7 => {
                let start = game.start.unwrap_or(0);
                filter.started = Some([start..=i64::MAX, i64::MIN..=start][dice.roll(2)].clone());
            }
            8 => filter.pace = Some([Pace::Blitz, Pace::Fast, Pace::Standard][dice.roll(3)]),
            9 => filter.result = Some(side),
            10 => filter.termination = game.termination,
            11 => filter.move_numbers = Some(2..=4 + dice.roll(20) as u32),
            12 => filter.numbers = Some(game.id.number()..=u64::MAX),
            _ => {
                let sources = ["all", "arimaa", "sample", "play,arena"][dice.roll(4)];
                filter.sources = Some(sources.parse().expect("sources"));
            }
        }
    }

    /// A question of any sort, by its number.
    fn question(&self, sort: usize, dice: &mut Dice) -> Ask {
        let matching = [Matching::Literal, Matching::Symmetric][dice.roll(2)];
        let filter = self.filter(dice);
        match sort {
            0..6 => self.about_position(matching, filter, dice),
            6..9 => {
                let text = PATTERNS[dice.roll(PATTERNS.len())];
                let question = PatternQuestion {
                    pattern: text.parse().expect("a pattern"),
                    matching,
                    filter,
                    limit: [0, 1, 10, usize::MAX][dice.roll(4)],
                    one_per_game: dice.roll(2) == 0,
                };
                Box::new(move |store| {
                    let answer = store.search(&question).expect("an answer");
                    let games = named(store, answer.best.iter().map(|hit| hit.game));
                    format!("{question:?} {answer:?} {games:?}")
                })
            }
            9 => {
                let (side, merge) = (Side::ALL[dice.roll(2)], dice.roll(2) == 0);
                let reply = (side == Side::Silver && dice.roll(2) == 0)
                    .then(|| self.setups[dice.roll(self.setups.len())]);
                Box::new(move |store| {
                    let setups = store.setups(side, reply.as_ref(), merge, &filter, 20);
                    format!("{side} {merge} {filter:?} {:?}", setups.expect("setups"))
                })
            }
            10 => {
                let newest_first = dice.roll(2) == 0;
                Box::new(move |store| {
                    let mut results: Vec<String> = (store.results(&filter).expect("counted"))
                        .iter()
                        .map(|count| format!("{count:?}"))
                        .collect();
                    results.sort();
                    let games = store.count(&filter).expect("counted");
                    let listed = paged(store, &filter, newest_first);
                    format!("{filter:?} {games} games, {results:?} {listed:?}")
                })
            }
            _ => {
                let game = &self.games[dice.roll(self.games.len())];
                let id = game.id;
                let part: String = game.players.gold.name.chars().take(2).collect();
                Box::new(move |store| {
                    let row = store.row_of(id).expect("asked").expect("there");
                    let same = &store.game(row).expect("read").expect("there").moves;
                    let same = store.with_moves(same).expect("asked");
                    let names = store.player_names(&part, 9).expect("names");
                    format!("{id} {row:?} {same:?} {part} {names:?}")
                })
            }
        }
    }

    fn about_position(&self, matching: Matching, filter: Filter, dice: &mut Dice) -> Ask {
        let (trap, piece) = (Square::TRAPS[dice.roll(4)], Role::ALL[dice.roll(6)]);
        let kind = Kind::all(hathi_store::Focus { trap, piece })[dice.roll(4)];
        let question = PositionQuestion::new(self.position(dice), kind)
            .matching(matching)
            .of_games(filter)
            .limit([usize::MAX, 5, 0][dice.roll(3)]);
        let some = (dice.roll(4) == 0).then(|| question.clone().best_hits(1 + dice.roll(9)));
        Box::new(move |store| {
            let best = store.best(&question).expect("an answer");
            let first = store.first(&question).expect("an answer");
            let answer = store.find(&question).expect("an answer");
            let games = answer.turns.iter().flat_map(|turn| &turn.samples);
            let games = named(store, games.map(|sample| sample.0));
            // Of the best hits alone a file names the best games of both players.
            let some = some.as_ref().map(|some| {
                let some = store.find(some).expect("an answer");
                (some.hits, some.games, some.turns)
            });
            format!("{question:?} {best:?} {first:?} {answer:?} {games:?} {some:?}")
        })
    }
}

/// Every sort of question with every sort of filter about real games, the whole
/// answer each time.
#[test]
fn six_hundred_and_fifty_questions_about_real_games() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let archives = archives(folder.path());
    let (mut file, mut server) = (TempStore::new(), schema.store());
    let stores: [&mut dyn Memory; 2] = [&mut file.store, &mut server];
    for store in stores {
        let reader = hathi_archive::ArchiveReader::open(&archives).expect("archives");
        let options = hathi_store::ImportOptions::default();
        let summary = store
            .import(reader, options, &mut |_| {}, &mut |_| true)
            .expect("imported");
        assert!(summary.stored > 70, "{summary:?}");
        store.build_index(1, &mut |_, _| {}).expect("built");
    }
    keep(&mut server);
    let known = Known::of(&file.store);
    let stores: [&dyn Memory; 2] = [&file.store, &server];
    let mut dice = Dice::new(650);
    let mut found = 0;
    for number in 0..650 {
        let [one, other] = stores.map(known.question(number % 12, &mut dice));
        found += usize::from(!one.contains("hits: 0"));
        assert_eq!(one, other, "{number}");
    }
    assert!(found > 300, "{found} found something");
    // How often named things happen, and how they score.
    for motif in hathi_store::Motif::shipped() {
        let [one, other] = stores.map(|store| {
            let stats = motif.ask(store, &Filter::default(), 3).expect("an answer");
            format!("{} {stats:?}", motif.id)
        });
        assert_eq!(one, other);
    }
}

/// Of the board alone, with facts, and one thing after the other.
const PATTERNS: [&str; 16] = [
    "goal in 4 or opponent goal in 3",
    "threatens(hc6) or fork not phase end",
    "strongest(c3) = E and guards(c3) >= 2 and material +1",
    "gives up a piece or captures r in f6",
    "plays H@trap(c6) mover won",
    "2+*@near(f6) frozen(0*) silver rating < 1600 or blockade(e)",
    "framed(c) or hostage(2+* by M)",
    "hostage then never captures(*) until gold goal in 4",
    "move >= 8 captures * then within 4 turns captures *",
    "Ed4",
    "E@near(c6) h@trap(c6) _c6 g to move",
    "2+R@rank(3..5) !_d2",
    "hostage(m by E)",
    "captures(*)",
    "frozen(G>C) rating >= 1500",
    "Ed4 then within 3 turns captures(*)",
];

/// What games are known by, and who played.
fn named(store: &dyn Memory, rows: impl Iterator<Item = GameRow>) -> Vec<String> {
    rows.map(|row| {
        let game = store.game(row).expect("read").expect("there");
        let id = store.id_of(row).expect("asked");
        format!("{id:?} {} {}", game.game.id, game.game.players.gold.name)
    })
    .collect()
}

/// All games that fit, seven at a time.
fn paged(store: &dyn Memory, filter: &Filter, newest_first: bool) -> Vec<String> {
    let mut games = Vec::new();
    let mut page = Page {
        with_logs: false,
        limit: Some(7),
        newest_first,
        after: None,
    };
    loop {
        let before = games.len();
        store
            .visit_page(filter, page, &mut |game| {
                page.after = Some(game.row);
                games.push(format!("{game:?}"));
                ControlFlow::Continue(())
            })
            .expect("read");
        assert!(games.len() <= before + 7);
        if games.len() == before {
            return games;
        }
    }
}

fn games_are_the_same(file: &dyn Memory, server: &dyn Memory, filter: &Filter) {
    for part in ["", "o", "BOT", "ar", "no such name", "%", "\0"] {
        let names = |store: &dyn Memory| store.player_names(part, 7).expect("names");
        assert_eq!(names(file), names(server), "{part:?}");
    }
    let all = |store: &dyn Memory| {
        let mut games = Vec::new();
        store
            .visit_filtered(filter, None, &mut |game| {
                games.push(format!("{game:?}"));
                ControlFlow::Continue(())
            })
            .expect("read");
        games
    };
    assert_eq!(all(file), all(server), "{filter:?}");
    // Page by page, from either end, they are the same games.
    for newest_first in [false, true] {
        let mut expected = all(file);
        if newest_first {
            expected.reverse();
        }
        for store in [file, server] {
            assert_eq!(paged(store, filter, newest_first), expected, "{filter:?}");
        }
    }
    let count = file.count(filter).expect("counted");
    assert_eq!(count, server.count(filter).expect("counted"), "{filter:?}");
    let results = |store: &dyn Memory| {
        let results = store.results(filter).expect("counted");
        let mut results: Vec<_> = results.iter().map(|count| format!("{count:?}")).collect();
        results.sort();
        results
    };
    assert_eq!(results(file), results(server), "{filter:?}");
    for side in Side::ALL {
        for mirror in [false, true] {
            let setups = |store: &dyn Memory| {
                let setups = store.setups(side, None, mirror, filter, 5);
                format!("{:?}", setups.expect("counted"))
            };
            assert_eq!(setups(file), setups(server), "{filter:?}");
        }
    }
}

#[test]
fn patterns_and_replies_are_the_same() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let games = games();
    let mut file = TempStore::new();
    let mut server = schema.store();
    file.insert(&games);
    server.insert(&games).expect("inserted");
    let (file, server): (&dyn Memory, &dyn Memory) = (&file.store, &server);
    for mirror in [false, true] {
        let replies = |store: &dyn Memory| {
            let gold = Some(&games[3].moves.gold);
            let setups = store.setups(Side::Silver, gold, mirror, &Filter::default(), 9);
            format!("{:?}", setups.expect("counted"))
        };
        assert_eq!(replies(file), replies(server));
    }
    let filters = filters();
    for (seed, text) in [
        "Ee3",
        "E@trap(c3) g to move",
        "S<H@near(c6) _c6",
        "2+R@rank(3..5)",
        "!_d2 *d7 s to move",
        "_a3 _h6 Ra1",
    ]
    .into_iter()
    .enumerate()
    {
        let pattern: Pattern = text.parse().expect(text);
        for matching in [Matching::Literal, Matching::Symmetric] {
            for (limit, one_per_game) in [(usize::MAX, false), (7, false), (7, true), (0, true)] {
                for filter in [&filters[0], &filters[seed + 1]] {
                    let question = PatternQuestion {
                        pattern: pattern.clone(),
                        matching,
                        filter: filter.clone(),
                        limit,
                        one_per_game,
                    };
                    let found = |store: &dyn Memory| {
                        format!("{:?}", store.search(&question).expect("an answer"))
                    };
                    assert_eq!(found(file), found(server), "{text} {matching:?} {filter:?}");
                    let played =
                        |store: &dyn Memory| store.played_at(&question).expect("an answer");
                    assert_eq!(
                        played(file),
                        played(server),
                        "{text} {matching:?} {filter:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn puzzles_are_the_same() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    let games = games();
    let mut file = TempStore::new();
    let mut server = schema.store();
    let mut puzzles = Vec::new();
    let mut positions = Vec::new();
    for (i, new) in games.iter().enumerate().step_by(3) {
        let game = new.moves.replay(new.game.rules()).expect("legal");
        let ply = i % game.turns().len();
        let label = hathi_rules::Ply::after(ply).label();
        let turn = game.turns()[ply];
        // Some of a game that is not there, some of the wrong turn.
        let id = if i % 9 == 0 {
            999_000 + i as u64
        } else {
            new.game.id.number()
        };
        let turn = if i % 4 == 0 {
            game.turns()[(ply + 1) % game.turns().len()]
        } else {
            turn
        };
        puzzles.push(Puzzle {
            game: GameId::new(id).expect("an id"),
            label,
            turn,
            mark: None,
        });
        positions.push(Symmetry::ALL[i % 4].apply(game.positions()[ply]));
    }
    // Puzzles may come before their games.
    file.store.import_puzzles(&puzzles[..5]).expect("imported");
    server.import_puzzles(&puzzles[..5]).expect("imported");
    file.insert(&games);
    server.insert(&games).expect("inserted");
    let one = file.store.import_puzzles(&puzzles).expect("imported");
    let other = server.import_puzzles(&puzzles).expect("imported");
    assert_eq!(one, other);
    assert!(
        one.linked > 3 && one.broken > 0 && one.without_game > 0,
        "{one:?}"
    );
    let (file, server): (&dyn Memory, &dyn Memory) = (&file.store, &server);
    assert_eq!(
        file.broken_puzzles().expect("listed"),
        server.broken_puzzles().expect("listed")
    );
    let mut found = 0;
    for position in &positions {
        for matching in [Matching::Literal, Matching::Symmetric] {
            let hits = file.puzzles_at(position, matching).expect("asked");
            found += hits.len();
            assert_eq!(hits, server.puzzles_at(position, matching).expect("asked"));
        }
    }
    assert!(found > 3);
    for number in 0..=one.linked {
        let (one, other) = (file.linked_puzzle(number), server.linked_puzzle(number));
        assert_eq!(one.expect("asked"), other.expect("asked"));
    }
}
