//! A real store: all shared archives, the samples that a first start brings,
//! the list of puzzles. Every game opened from every list, on the command line
//! and through the API, is the right one, and counts agree.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Child;

use hathi_archive::{ArchiveReader, GameSource, Replayer};
use hathi_rules::{Game, GameRecord, Position, RuleSet, Setup, Symmetry};
use serde_json::Value;

use crate::common::{folder, hathi, inside, json, stdout};
use crate::data::shared;
use crate::serve::{end, get, serve};

/// What the files say about a game: players, and moves as far as legal.
#[derive(PartialEq, Eq, Debug)]
struct Truth {
    gold: String,
    silver: String,
    moves: Vec<String>,
}

struct RealStore {
    truth: BTreeMap<String, Truth>,
    store: String,
    server: Option<Child>,
    address: String,
}

impl Drop for RealStore {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            end(server, "-TERM");
        }
    }
}

impl RealStore {
    fn new(name: &str) -> Option<RealStore> {
        let archives = [
            "allgames2002.txt",
            "allgames201111-part.txt",
            "allgames202602-part.txt",
            "allgames-sharp.txt",
        ];
        let archives: Vec<String> = archives.map(shared).into_iter().collect::<Option<_>>()?;
        let puzzles = shared("puzzles.txt")?;
        let mut truth = BTreeMap::new();
        let samples =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../hathi-web/samples/games.txt.zst");
        read(&samples, Some(GameSource::Sample), &mut truth);
        for archive in &archives {
            read(Path::new(archive), None, &mut truth);
        }
        let folder = folder(name);
        let (store, data) = (inside(&folder, "games.db"), inside(&folder, "data"));
        // A first start, then an import beside the running server.
        let (server, address) = serve(&["serve", "--port", "0", "--store", &store], &data);
        let mut import = vec!["import", "--store", &store];
        import.extend(archives.iter().map(String::as_str));
        hathi(&import).assert().success();
        let list = ["puzzles", "--json", "--store", &store, "--import", &puzzles];
        let summary = json(&list);
        // What the list calls by numbers that the samples have too is of the
        // archive: the few that are broken are so in the files (takebacks).
        assert!(summary["broken"].as_u64() < Some(10), "{summary}");
        let real = RealStore {
            truth,
            store,
            server: Some(server),
            address,
        };
        // The server looks for new games every two seconds.
        let everywhere = "/api/v1/search?pattern=*@board&limit=0";
        for _ in 0..300 {
            if real.api(everywhere)["games"] == real.counted() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        assert_eq!(real.api(everywhere)["games"], real.counted());
        assert_eq!(real.api("/api/v1/games?limit=0")["total"], real.counted());
        Some(real)
    }

    /// Games that are no samples.
    fn counted(&self) -> usize {
        let ids = self.truth.keys();
        ids.filter(|id| !id.starts_with("sample:")).count()
    }

    fn api(&self, path: &str) -> Value {
        let path = path
            .replace(' ', "%20")
            .replace('[', "%5B")
            .replace(']', "%5D");
        let answer = get(&self.address, &path);
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}\n{body}");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error} in {body}"))
    }

    fn cli(&self, args: &[&str]) -> Value {
        json(&[args, &["--json", "--store", &self.store]].concat())
    }

    /// A row of a list is the game that opens: by the API, if not said
    /// otherwise, and by what the files say.
    fn check(&self, row: &Value) -> String {
        let id = row["id"].as_str().expect("an id").to_owned();
        let truth = &self.truth[&id];
        let opened = self.api(&format!("/api/v1/games/{id}"));
        for game in [row, &opened] {
            assert_eq!(game["id"], id.as_str());
            assert_eq!(game["gold"]["name"], truth.gold.as_str(), "{id}");
            assert_eq!(game["silver"]["name"], truth.silver.as_str(), "{id}");
        }
        let moves = opened["moves"].as_array().expect("moves").iter();
        let moves: Vec<String> = moves.map(labelled).collect();
        assert_eq!(moves, truth.moves, "{id}");
        id
    }

    /// The game as it was played.
    fn game(&self, id: &str) -> Game {
        let text = self.truth[id].moves.join("\n");
        let record = GameRecord::parse(text.as_bytes()).expect("moves");
        // What was kept of a broken game is legal by the rules of its time.
        let replay = |rules| record.replay(rules);
        replay(RuleSet::Modern)
            .or_else(|_| replay(RuleSet::Before2008))
            .expect("legal")
            .game
    }
}

fn labelled(row: &Value) -> String {
    let text = |key: &str| row[key].as_str().expect("text");
    format!("{} {}", text("label"), text("turn"))
}

fn read(path: &Path, source: Option<GameSource>, truth: &mut BTreeMap<String, Truth>) {
    let mut replayer = Replayer::new();
    let reader = ArchiveReader::open([path]).expect("an archive");
    let _ = reader.for_each(|row| {
        let row = row.expect("a row");
        let id = source.map_or(row.id(), |source| row.id().in_source(source));
        let about = row.to_game();
        let record = GameRecord::of_game(replayer.replay(&row).game);
        let moves = record.moves.iter();
        let game = Truth {
            gold: about.players.gold.name,
            silver: about.players.silver.name,
            moves: moves
                .map(|(label, action)| format!("{label} {action}"))
                .collect(),
        };
        assert!(truth.insert(id.to_string(), game).is_none(), "{id} twice");
        ControlFlow::<()>::Continue(())
    });
}

#[test]
fn every_game_of_every_list_is_the_right_one() {
    let Some(real) = RealStore::new("real-store-lists") else {
        return;
    };
    // All games, by the API: those that count, and all.
    let mut seen = 0;
    for (query, expected) in [("", real.counted()), ("&source=all", real.truth.len())] {
        let mut after = String::new();
        seen = 0;
        loop {
            let page = real.api(&format!("/api/v1/games?limit=500{query}{after}"));
            for row in page["games"].as_array().expect("games") {
                real.check(row);
                seen += 1;
            }
            let Some(next) = page["next"].as_i64() else {
                break;
            };
            after = format!("&after={next}");
        }
        assert_eq!(seen, expected);
    }
    // The same on the command line.
    let listed = real.cli(&["games", "--limit", "0", "--source", "all"]);
    let listed = listed["games"].as_array().expect("games");
    assert_eq!(listed.len(), seen);
    for row in listed {
        let id = row["id"].as_str().expect("an id");
        let truth = &real.truth[id];
        assert_eq!(row["gold"]["name"], truth.gold.as_str());
        let opened = real.cli(&["games", id]);
        assert_eq!(opened["id"], id);
        let moves: Vec<&str> = truth.moves.iter().map(String::as_str).collect();
        assert_eq!(opened["moves"], Value::from(moves), "{id}");
    }
    let plain = stdout(&["games", "15", "--store", &real.store]);
    assert!(
        plain.contains("# Gold       omar") && plain.contains("# Silver     clauchau"),
        "{plain}"
    );
    let sample = stdout(&["games", "sample:15", "--store", &real.store]);
    assert!(sample.contains("# Gold       fairy"), "{sample}");
}

#[test]
fn games_behind_positions_patterns_and_puzzles_are_the_right_ones() {
    let Some(real) = RealStore::new("real-store-hits") else {
        return;
    };
    // Positions along some games of every source, as Explore shows them.
    let ids: Vec<String> = real.truth.keys().step_by(37).cloned().collect();
    for id in &ids {
        let game = real.game(id);
        let ply = game.turns().len() / 3;
        let position = game.positions()[ply];
        let source = if id.starts_with("sample") {
            "&source=all"
        } else {
            ""
        };
        let path = format!("/api/v1/explore?position={position}&kind=full&limit=50{source}");
        let found = real.api(&path);
        assert!(found["games"].as_u64() > Some(0), "{id}: {found}");
        for list in ["top_rated", "most_recent"] {
            for row in found[list].as_array().expect("games") {
                let id = real.check(row);
                assert!(holds(&real.game(&id), &position), "{id} in {list}");
            }
        }
        for turn in found["turns"].as_array().expect("turns") {
            for sample in turn["samples"].as_array().expect("samples") {
                let id = sample["game"].as_str().expect("an id");
                let there = real.game(id);
                let at = sample["ply"].as_u64().expect("a ply") as usize;
                assert!(same(&there.positions()[at], &position), "{id} at {at}");
            }
        }
        // The command line says the same of it.
        let text = position.to_string();
        let mut args = vec!["find", "--position", &text];
        if !source.is_empty() {
            args.extend(["--source", "all"]);
        }
        let cli = real.cli(&args);
        assert_eq!(
            (&cli["hits"], &cli["games"]),
            (&found["hits"], &found["games"])
        );
        let best = cli["best"]["game"].as_str().expect("a game");
        let label = cli["best"]["move"].as_str().expect("a move");
        let there = real.game(best);
        let at = (0..there.turns().len())
            .find(|&ply| hathi_rules::Ply::after(ply).label().to_string() == label)
            .expect("its move");
        assert!(same(&there.positions()[at], &position), "{best} {label}");
    }
    // Patterns.
    for query in ["Ed5 e@edge", "2-R@board", "M@trap(c6) g to move"] {
        let found =
            real.api(&format!("/api/v1/search?pattern={query}&limit=60").replace('+', "%2B"));
        for hit in found["best"].as_array().expect("hits") {
            let id = real.check(&hit["game"]);
            let at = hit["ply"].as_u64().expect("a ply") as usize;
            let shown: Position = hit["position"].as_str().expect("one").parse().expect("one");
            assert!(
                same(&real.game(&id).positions()[at], &shown),
                "{id} at {at}"
            );
        }
        let cli = real.cli(&["find", "--pattern", query, "--limit", "60"]);
        assert_eq!(cli["hits"], found["hits"], "{query}");
        assert_eq!(cli["games"], found["games"], "{query}");
    }
    // Puzzles: those that can be played, counted the same everywhere.
    let first = real.api("/api/v1/puzzles?limit=500");
    let total = first["total"].as_u64().expect("a number");
    let stats = real.cli(&["stats"]);
    let status = real.api("/api/v1/status");
    assert_eq!(stats["puzzles"], total);
    assert_eq!(status["store"]["puzzles"], total);
    assert!((60..500).contains(&total), "{total}");
    for puzzle in first["puzzles"].as_array().expect("puzzles") {
        let id = puzzle["game"].as_str().expect("a game");
        let game = real.game(id);
        let position: Position = puzzle["position"]
            .as_str()
            .expect("one")
            .parse()
            .expect("one");
        let label = puzzle["move"].as_str().expect("a move");
        let at = (0..=game.turns().len())
            .find(|&ply| hathi_rules::Ply::after(ply).label().to_string() == label)
            .expect("its move");
        assert_eq!(game.positions()[at], position, "{id} {label}");
        let truth = &real.truth[id];
        let players = format!("{} – {}", truth.gold, truth.silver);
        assert_eq!(puzzle["players"], players.as_str());
    }
    // Games and positions count the same everywhere.
    assert_eq!(stats["games"], real.counted());
    assert_eq!(status["store"]["games"], real.counted());
    assert_eq!(stats["positions"], status["store"]["positions"]);
    assert_eq!(stats["sources"], status["store"]["sources"]);
    assert_eq!(real.cli(&["sources"])["games"], real.counted());
}

/// The same board, in a mirror or with colours exchanged too.
fn same(one: &Position, other: &Position) -> bool {
    Symmetry::ALL
        .into_iter()
        .any(|symmetry| symmetry.apply(*one) == *other)
}

fn holds(game: &Game, position: &Position) -> bool {
    game.positions().iter().any(|there| same(there, position))
}

/// Setups and Explore count the same games, mirror images with them or not, on
/// the command line and through the API.
#[test]
fn one_count_everywhere() {
    let Some(real) = RealStore::new("real-store-counts") else {
        return;
    };
    let mut compared = 0;
    for literal in [false, true] {
        let (flag, query) = if literal {
            (&["--literal"][..], "&literal=true")
        } else {
            (&[][..], "")
        };
        let golds = real.api(&format!("/api/v1/setups?limit=12{query}"));
        let cli = real.cli(&[&["setups", "--limit", "12"], flag].concat());
        assert_eq!(cli["setups"], golds["setups"]);
        assert_eq!(cli["games"], real.counted());
        for gold in golds["setups"].as_array().expect("setups") {
            let text = gold["setup"].as_str().expect("a setup");
            let replies = real.api(&format!("/api/v1/setups?reply_to={text}&limit=5{query}"));
            assert_eq!(replies["games"], gold["games"], "{text}");
            let cli = real.cli(&[&["setups", "--reply-to", text, "--limit", "5"], flag].concat());
            assert_eq!(cli["setups"], replies["setups"]);
            for reply in replies["setups"].as_array().expect("setups") {
                let mut game = Game::new(RuleSet::Modern);
                for setup in [text, reply["setup"].as_str().expect("a setup")] {
                    let setup: Setup = setup.parse().expect("a setup");
                    game.set_up(&setup).expect("legal");
                }
                let position = game.position().to_string();
                let found = real.api(&format!(
                    "/api/v1/explore?position={position}&kind=full{query}"
                ));
                assert_eq!(found["games"], reply["games"], "{position} {query}");
                let cli = real.cli(&[&["find", "--position", &position], flag].concat());
                assert_eq!(cli["games"], reply["games"], "{position} {query}");
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "{compared}");
}
