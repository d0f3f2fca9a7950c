//! Every statement that Hathi sends, by all commands and all routes, where the
//! tables are shared out over several servers: none of a form that Citus
//! refuses, and each with its shard or the reason why it must see them all
//! (`docs/cluster-statements.md`, which `STATEMENTS=overwrite` writes anew).
//!
//! There is no Citus here: what stands for it are functions of the same names
//! that do nothing but write down what they were asked for.

mod forms;
mod recorder;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::time::Duration;

use hathi_rules::{Position, Role, Square};
use hathi_store::{
    Filter, Games as _, Kind, Matching, PositionQuestion, Positions as _, Upkeep as _,
};
use postgres::{Client, NoTls};
use serde_json::Value;

use crate::common::{START, folder, hathi, inside, json};
use crate::serve::{end, get, serve};
use forms::{COORDINATOR, DISTRIBUTED, destination, normal, refused};
use recorder::Recorder;

const FAKE: &str = include_str!("../../../hathi-store/tests/common/citus.sql");

/// A database that looks like a coordinator of Citus; gone with the test.
struct Cluster {
    admin: Client,
    name: String,
    config: postgres::Config,
}

impl Cluster {
    fn new() -> Option<Cluster> {
        let base = std::env::var("HATHI_POSTGRES").unwrap_or_default();
        if base.is_empty() {
            crate::common::skip("HATHI_POSTGRES names no PostgreSQL database (./test starts one)");
            return None;
        }
        let mut admin = Client::connect(&base, NoTls).expect("the server");
        let name = format!("cluster_{}", std::process::id());
        let make = format!("CREATE DATABASE {name} TEMPLATE template0");
        admin.batch_execute(&make).expect("a database");
        let mut config: postgres::Config = base.parse().expect("a URL");
        config.dbname(&name);
        let cluster = Cluster {
            admin,
            name,
            config,
        };
        cluster.client().batch_execute(FAKE).expect("a superuser");
        Some(cluster)
    }

    fn client(&self) -> Client {
        self.config.connect(NoTls).expect("the database")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let _ = self.admin.batch_execute(&drop);
    }
}

#[test]
fn every_statement_is_one_that_citus_takes() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    let recorder = Recorder::new(&cluster.config);
    let user = cluster.config.get_user().unwrap_or("postgres");
    let (address, name) = (recorder.address, &cluster.name);
    let url = format!("postgres://{user}@{address}/{name}?sslmode=disable");
    commands(&url, &recorder);
    questions(&url);
    games_that_go(&url);
    routes(&url, &recorder);
    constraints(&cluster);
    opening(&cluster);

    let mut listed = BTreeMap::new();
    for statement in recorder.statements() {
        let statement = normal(&statement);
        assert_eq!(refused(&statement), None, "{statement}");
        let Some(to) = destination(&statement) else {
            panic!("say in forms.rs why this must see all shards: {statement}");
        };
        listed.insert(statement, to);
    }
    assert!(listed.len() > 60, "{} statements", listed.len());
    document(&listed);
}

/// Opening a store and saying how much is in it needs no worker.
fn opening(cluster: &Cluster) {
    let recorder = Recorder::new(&cluster.config);
    let user = cluster.config.get_user().unwrap_or("postgres");
    let (address, name) = (recorder.address, &cluster.name);
    let url = format!("postgres://{user}@{address}/{name}?sslmode=disable");
    let output = hathi(&["sources", "--store", &url])
        .output()
        .expect("it runs");
    assert!(output.status.success());
    let statements = recorder.statements();
    assert!(statements.len() > 3);
    for statement in statements {
        let statement = normal(&statement);
        assert_eq!(destination(&statement), Some(COORDINATOR), "{statement}");
    }
}

/// Every command that has to do with a store, so that nobody forgets a new one.
fn commands(url: &str, recorder: &Recorder) {
    let folder = folder("cluster");
    let archive = inside(&folder, "games.txt");
    let run = |args: &[&str]| {
        let output = hathi(args).output().expect("it runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(0 | 1)) && !message.contains("cannot"),
            "{args:?}: {message}"
        );
    };
    run(&["synth", "--games", "60", "--seed", "3", "-o", &archive]);
    let games = std::fs::read_to_string(&archive).expect("an archive");
    let ids: Vec<&str> = games
        .lines()
        .skip(5)
        .filter_map(|line| line.split('\t').next())
        .collect();
    let puzzles = inside(&folder, "puzzles.txt");
    let text = format!(
        "{}:3w Ee2n\n{}:2w Ee2n\n999999:26b re5s re4e\n",
        ids[0], ids[1]
    );
    std::fs::write(&puzzles, text).expect("a file");
    let (tables, positions) = (inside(&folder, "g.parquet"), inside(&folder, "p.parquet"));
    let area = [
        "find",
        "--kind",
        "area",
        "--trap",
        "f3",
        "--position",
        START,
    ];
    let by_piece = [
        "find",
        "--kind",
        "area-by-piece",
        "--trap",
        "c3",
        "--position",
        START,
    ];
    let strong = [
        "--min-rating",
        "1500",
        "--humans",
        "--event",
        "a",
        "--player",
        "x",
        "--rated",
    ];
    let arena = [
        "arena", "mimic", "random", "--games", "2", "--nodes", "2000", "--seed", "3", "--learn",
    ];
    let all: &[&[&str]] = &[
        &["import", &archive, "--json"],
        &["import", &archive],
        &["puzzles", "--import", &puzzles],
        &["puzzles"],
        &["puzzles", START],
        &["stats", "--json"],
        &["sources"],
        &["setups"],
        &["setups", "--side", "s", "--min-rating", "1500"],
        &["games"],
        &["games", ids[2]],
        &["games", "--humans", "--limit", "3"],
        &["export", "-o", "-"],
        &["export", "-o", &tables, "--positions", &positions],
        &["explore", START],
        &["find", "--position", START],
        &[
            "find",
            "--kind",
            "half",
            "--position",
            START,
            "--literal",
            "--moves",
            "2-3",
        ],
        &area,
        &by_piece,
        &[
            &["find", "--kind", "half", "--position", START][..],
            &strong,
        ]
        .concat(),
        &[
            "find",
            "--pattern",
            "E@near(c6) h@trap(c6) g to move",
            "--one-per-game",
        ],
        &[
            "find",
            "--pattern",
            "2+R@rank(3..5)",
            "--min-rating",
            "1500",
        ],
        &["index"],
        &["index", "--check"],
        &["index", "--rebuild"],
        &["solve", START],
        &["review", &archive, "--game", ids[3], "--nodes", "200"],
        &["study", "list"],
        &["motifs"],
        &arena,
        &["sources", "--remove", "arena"],
    ];
    for (number, args) in all.iter().enumerate() {
        run(&[args, &["--store", url][..]].concat());
        if number == 0 {
            // Adds games, then makes indexes: a worker would be asked as often for
            // every shard.
            let connections = recorder.connections();
            assert!(connections <= 4, "{connections} connections to import");
            // A store of many games does so when its index is built.
            let url = url.parse().expect("a URL");
            let mut store = hathi_store::PostgresStore::open(&url).expect("a store");
            store
                .keep_statistics(20, &mut |_, _| ControlFlow::Continue(()))
                .expect("kept");
        }
    }
    let again = json(&["puzzles", "--import", &puzzles, "--json", "--store", url]);
    assert_eq!(again["added"], 0, "{again}");
    let help = crate::common::stdout(&["--help"]);
    let (_, rest) = help.split_once("Commands:\n").expect("commands");
    let (names, _) = rest.split_once("\n\n").expect("an end");
    for name in names
        .lines()
        .filter_map(|line| line.split_whitespace().next())
    {
        let tried = name == "serve" || all.iter().any(|args| args[0] == name);
        assert!(
            tried || OTHER_COMMANDS.contains(&name),
            "`hathi {name}`: try it here, or say that it asks no store"
        );
    }
}

/// Every question about a position in every way it can be asked, so that whatever
/// an engine with a memory happens to ask has been sent: the statements depend on
/// the kind, the way round, and on whether the board is its own mirror image.
fn questions(url: &str) {
    let url = url.parse().expect("a URL");
    let store = hathi_store::PostgresStore::open_existing(&url).expect("a store");
    let mut positions: Vec<Position> = vec![START.parse().expect("a position")];
    let first = &mut |stored: hathi_store::StoredGame| {
        let game = stored.moves.replay(stored.game.rules()).expect("legal");
        positions.extend(game.positions().iter().skip(9).take(1));
        ControlFlow::Break(())
    };
    let all = Filter::default();
    store.visit_filtered(&all, None, first).expect("read");
    assert_eq!(positions.len(), 2);
    let filters = [
        Filter::default(),
        Filter {
            min_rating_both: Some(1500),
            move_numbers: Some(2..=9),
            ..Filter::default()
        },
    ];
    for (position, trap) in positions.iter().flat_map(|position| {
        let traps = Square::TRAPS.iter();
        traps.map(move |trap| (position, *trap))
    }) {
        let mut kinds = vec![Kind::Full, Kind::Half, Kind::Area { trap }];
        kinds.extend(Role::ALL.map(|piece| Kind::AreaByPiece { trap, piece }));
        for (kind, filter) in kinds
            .iter()
            .flat_map(|kind| filters.iter().map(move |filter| (*kind, filter)))
        {
            for matching in [Matching::Literal, Matching::Symmetric] {
                let question = PositionQuestion::new(*position, kind)
                    .matching(matching)
                    .of_games(filter.clone());
                store.best(&question).expect("an answer");
                store.first(&question).expect("an answer");
                store.find(&question).expect("an answer");
                let some = question.best_hits(7);
                store.find(&some).expect("an answer");
            }
        }
    }
}

/// Games that are taken out of the statistics that are kept: all that has to be
/// asked then, whichever kind of board it is about.
fn games_that_go(url: &str) {
    let folder = folder("cluster-gone");
    let archive = inside(&folder, "games.txt");
    let made = hathi(&["synth", "--games", "1", "--seed", "8", "-o", &archive]).output();
    assert!(made.expect("it runs").status.success());
    let text = std::fs::read_to_string(&archive).expect("an archive");
    let (header, game) = text.split_once('\n').expect("a header");
    let (_, rest) = game.split_once('\t').expect("a number");
    // The same game eight times: every turn was played more often than it has
    // examples.
    let numbers: Vec<u32> = (20_500_001..20_500_009).collect();
    let mut same = format!("{header}\n");
    for number in &numbers {
        let _ = write!(same, "{number}\t{rest}");
    }
    std::fs::write(&archive, same).expect("written");
    let imported = json(&["import", &archive, "--json", "--store", url]);
    assert_eq!(imported["stored"], numbers.len(), "{imported}");
    let url = url.parse().expect("a URL");
    let mut store = hathi_store::PostgresStore::open(&url).expect("a store");
    let go_on = &mut |_: &str, _: f64| ControlFlow::Continue(());
    store.keep_statistics(5, go_on).expect("kept");
    let remove = |store: &mut hathi_store::PostgresStore, number: &u32| {
        let id = format!("synth:{number}").parse().expect("an id");
        let row = store.row_of(id).expect("asked").expect("there");
        assert_eq!(store.remove(&[row]).expect("removed"), 1);
        store.check_index().expect("right");
    };
    for number in &numbers[..6] {
        remove(&mut store, number);
    }
    // And from some that are not complete.
    let mut steps = 0;
    let stopped = store.keep_statistics(5, &mut |_, _| {
        steps += 1;
        match steps {
            1..3 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    assert!(stopped.is_err());
    remove(&mut store, &numbers[6]);
}

/// Ask no store, or what others ask: engines with a memory ask as `arena` does,
/// and who plays with one adds the game as it does. What `sql` asks is its user's.
const OTHER_COMMANDS: &[&str] = &[
    "sql",
    "show",
    "turns",
    "goal",
    "analyse",
    "phase",
    "replay",
    "synth",
    "play",
    "plans",
    "dpg",
    "aei",
    "learn",
    "bench",
    "paper",
    "completions",
    "man",
    "help",
];

/// Every route that the server describes.
fn routes(url: &str, recorder: &Recorder) {
    let data = inside(&folder("cluster-serve"), "data");
    let (child, address) = serve(&["serve", "--port", "0", "--store", url], &data);
    let described = get(&address, "/api/v1/openapi.json");
    let (_, body) = described.split_once("\r\n\r\n").expect("a body");
    let described: Value = serde_json::from_str(body).expect("JSON");
    let games = get(&address, "/api/v1/games?limit=3");
    let (_, body) = games.split_once("\r\n\r\n").expect("a body");
    let games: Value = serde_json::from_str(body).expect("JSON");
    let id = games["games"][0]["id"]
        .as_str()
        .map_or_else(|| games["games"][0]["id"].to_string(), ToOwned::to_owned);
    for (path, methods) in described["paths"].as_object().expect("paths") {
        for (method, about) in methods.as_object().expect("methods") {
            let mut target = path.clone();
            let mut query = Vec::new();
            for parameter in about["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().expect("a name");
                let example = match &parameter["example"] {
                    Value::String(text) => text.clone(),
                    Value::Null if name == "id" => "1".to_owned(),
                    other => other.to_string(),
                };
                let example = if path.starts_with("/api/v1/games/{id}") && name == "id" {
                    id.clone()
                } else {
                    example
                };
                if parameter["in"] == "path" {
                    target = target.replace(&format!("{{{name}}}"), &escaped(&example));
                } else if parameter["required"] == true {
                    query.push(format!("{name}={}", escaped(&example)));
                }
            }
            if !query.is_empty() {
                target = format!("{target}?{}", query.join("&"));
            }
            let body = if method == "post" { "{}" } else { "" };
            let status = send(&address, &method.to_uppercase(), &target, body);
            assert!(status < 500 || status == 503, "{method} {target}: {status}");
        }
    }
    for target in [
        "/api/v1/explore?position=g%20[rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]&kind=half",
        "/api/v1/search?pattern=Ee3&one_per_game=true&min_rating=1500",
    ] {
        assert_eq!(send(&address, "GET", target, ""), 200, "{target}");
    }
    // A server that is away is waited for.
    let filter = "/api/v1/games?min_rating=1200&limit=";
    assert_eq!(send(&address, "GET", &format!("{filter}1"), ""), 200);
    recorder.set_away(true);
    assert_eq!(send(&address, "GET", &format!("{filter}2"), ""), 503);
    recorder.set_away(false);
    assert_eq!(send(&address, "GET", &format!("{filter}3"), ""), 200);
    end(child, "-TERM");
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte.into());
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The status of the answer; streams are left after a second.
fn send(address: &str, method: &str, target: &str, body: &str) -> u16 {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let about = if body.is_empty() {
        String::new()
    } else {
        format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        )
    };
    let request = format!(
        "{method} {target} HTTP/1.1\r\nHost: {address}\r\n{about}Connection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut head = [0; 12];
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .expect("a timeout");
    stream.read_exact(&mut head).expect("an answer");
    let status = String::from_utf8_lossy(&head[9..])
        .parse()
        .expect("a status");
    stream
        .set_read_timeout(Some(Duration::from_secs(1)))
        .expect("a timeout");
    let _ = stream.read_to_end(&mut Vec::new());
    status
}

/// What is shared out has no keys to other tables, and whatever is unique is
/// so within the column by which it is.
fn constraints(cluster: &Cluster) {
    let mut client = cluster.client();
    let placed = client
        .query(
            "SELECT name, key FROM fake.placed WHERE key IS NOT NULL ORDER BY name",
            &[],
        )
        .expect("placed");
    let mut placed: Vec<(String, String)> =
        placed.iter().map(|row| (row.get(0), row.get(1))).collect();
    placed.sort();
    let mut expected = DISTRIBUTED.map(|(table, key)| (table.to_owned(), key.to_owned()));
    expected.sort();
    assert_eq!(placed, expected);
    for (table, key) in placed {
        let foreign = "SELECT count(*) FROM pg_constraint
            WHERE contype = 'f' AND conrelid = $1::text::regclass";
        let foreign: i64 = client.query_one(foreign, &[&table]).expect("asked").get(0);
        assert_eq!(foreign, 0, "{table} refers to another table");
        let unique = "SELECT indexrelid::regclass::text,
                EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = indrelid
                    AND attnum = ANY(indkey) AND attname = $2)
            FROM pg_index WHERE indrelid = $1::text::regclass AND indisunique";
        for row in client.query(unique, &[&table, &key]).expect("asked") {
            let index: String = row.get(0);
            assert!(row.get::<_, bool>(1), "{index} is unique without {key}");
        }
    }
}

/// The list as the document has it.
fn document(listed: &BTreeMap<String, &'static str>) {
    let mut text = String::from(
        "# Statements on a cluster\n\n\
         Every statement that Hathi sends to PostgreSQL with Citus, recorded while all commands and all\n\
         routes of the server are tried, and where it goes. Written by the test `cluster` of the command\n\
         line (`STATEMENTS=overwrite cargo test -p hathi --test cli cluster`), which fails when this list\n\
         is not true or a statement is of a form that Citus refuses; `#` stands for a number.\n\n\
         | statement | where |\n|---|---|\n",
    );
    for (statement, to) in listed {
        if statement.is_empty() || statement.starts_with("--") {
            // Migrations stand in their files.
            continue;
        }
        let statement = statement.replace('|', "\\|");
        let _ = writeln!(text, "| `{statement}` | {to} |");
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/cluster-statements.md"
    );
    if std::env::var_os("STATEMENTS").is_some_and(|what| what == "overwrite") {
        std::fs::write(path, text).expect("the document");
        return;
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let (expected, sent): (BTreeSet<&str>, BTreeSet<&str>) =
        (written.lines().collect(), text.lines().collect());
    // What a stream asks may not be asked before it is left, so something that is
    // listed may be missing.
    let new: Vec<_> = sent.difference(&expected).collect();
    assert!(
        new.is_empty(),
        "not in docs/cluster-statements.md (STATEMENTS=overwrite writes it anew): {new:#?}"
    );
}
