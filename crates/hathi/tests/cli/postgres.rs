//! The same commands on a file and on a PostgreSQL server print the same.

use std::fmt::Write as _;

use serde_json::Value;

use crate::common::{START, folder, hathi, inside, refused, stdout};

/// A schema of its own, gone with the test; `HATHI_POSTGRES`, which `./test`
/// sets, says where. Without it the test says so and ends, but never in CI.
struct Schema {
    admin: postgres::Client,
    name: String,
    url: String,
}

impl Schema {
    fn new(test: &str) -> Option<Schema> {
        let base = std::env::var("HATHI_POSTGRES").unwrap_or_default();
        if base.is_empty() {
            assert!(
                std::env::var_os("CI").is_none_or(|ci| ci.is_empty()),
                "HATHI_POSTGRES is not set: CI needs a PostgreSQL server"
            );
            eprintln!("skipped: HATHI_POSTGRES names no PostgreSQL database (./test starts one)");
            return None;
        }
        let mut admin = postgres::Client::connect(&base, postgres::NoTls).expect("the server");
        let name = format!("cli_{test}_{}", std::process::id());
        admin
            .batch_execute(&format!("CREATE SCHEMA {name}"))
            .expect("a schema");
        let mark = if base.contains('?') { '&' } else { '?' };
        let url = format!("{base}{mark}options=-csearch_path%3D{name}");
        Some(Schema { admin, name, url })
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        let _ = self
            .admin
            .batch_execute(&format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

/// What a command prints, without what is different every time.
fn printed(args: &[&str], store: &str) -> Value {
    let args = [args, &["--store", store]].concat();
    let text = stdout(&args);
    let Ok(mut value) = serde_json::from_str::<Value>(&text) else {
        return Value::String(text);
    };
    if let Some(object) = value.as_object_mut() {
        for key in [
            "store",
            "microseconds",
            "milliseconds",
            "seconds",
            "import_seconds",
            "index_seconds",
            "database_bytes",
            "index",
        ] {
            object.remove(key);
        }
    }
    value
}

#[test]
fn files_and_servers_answer_alike() {
    let Some(schema) = Schema::new("alike") else {
        return;
    };
    let folder = folder("postgres-alike");
    let (store, archive) = (inside(&folder, "hathi.db"), inside(&folder, "games.txt"));
    hathi(&["synth", "--games", "400", "--seed", "5", "-o", &archive])
        .assert()
        .success();
    let games = std::fs::read_to_string(&archive).expect("an archive");
    let id = games
        .lines()
        .nth(7)
        .and_then(|line| line.split('\t').next())
        .expect("a game");
    let puzzles = inside(&folder, "puzzles.txt");
    std::fs::write(&puzzles, format!("{id}:3w Ee2n\n999999:26b re5s re4e\n")).expect("a file");
    let commands: &[&[&str]] = &[
        &["import", &archive, "--json"],
        // Again: nothing is added.
        &["import", &archive, "--json", "--no-index"],
        &["stats", "--json"],
        &["setups", "--json"],
        &[
            "setups",
            "--side",
            "s",
            "--literal",
            "--limit",
            "0",
            "--json",
        ],
        &["setups", "--min-rating", "1600"],
        &["games", "--json", "--limit", "50"],
        &["games", "--humans", "--limit", "0"],
        &["games", id],
        &["games", "123456789"],
        &["export", "-o", "-"],
        &["export", "-o", "-", "--min-rating", "1700"],
        &["explore", START, "--json"],
        &["explore", START, "--literal", "--humans", "--json"],
        &["find", "--position", START, "--json"],
        &["find", "--kind", "half", "--position", START, "--json"],
        &[
            "find",
            "--kind",
            "half",
            "--position",
            START,
            "--json",
            "--literal",
            "--moves",
            "2-3",
        ],
        &[
            "find",
            "--kind",
            "area",
            "--trap",
            "f3",
            "--position",
            START,
            "--json",
        ],
        &[
            "find",
            "--kind",
            "area-by-piece",
            "--trap",
            "c3",
            "--piece",
            "H",
            "--position",
            START,
            "--json",
            "--rated",
        ],
        &[
            "find",
            "--pattern",
            "E@near(c6) h@trap(c6) g to move",
            "--json",
        ],
        &[
            "find",
            "--pattern",
            "Ee4 ed5",
            "--json",
            "--one-per-game",
            "--limit",
            "5",
        ],
        &["puzzles", "--import", &puzzles, "--json"],
        &["puzzles", "--json"],
        &["puzzles", START, "--json"],
    ];
    for command in commands {
        let (file, server) = (printed(command, &store), printed(command, &schema.url));
        assert_eq!(file, server, "{command:?}");
    }
    // Something was there to compare.
    let found = printed(
        &["find", "--kind", "half", "--position", START, "--json"],
        &store,
    );
    assert!(found["hits"].as_u64() >= Some(400), "{found}");
    hathi(&["index", "--check", "--store", &schema.url])
        .assert()
        .success();
    // A URL may come from the environment, and the password stays out of sight.
    let stats = hathi(&["stats"])
        .env("HATHI_STORE", format!("{}&password=secret", schema.url))
        .output()
        .expect("it runs");
    assert!(stats.status.success());
    let text = String::from_utf8(stats.stdout).expect("UTF-8");
    assert!(
        text.contains("postgres://") && !text.contains("secret"),
        "{text}"
    );
}

#[test]
fn a_reader_makes_no_store() {
    let Some(schema) = Schema::new("reader") else {
        return;
    };
    let output = hathi(&["stats", "--store", &schema.url])
        .output()
        .expect("it runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("hathi import"), "{message}");
}

#[test]
fn bad_urls_are_refused() {
    for (url, words) in [
        ("postgres://ann:secret@x@y/z", &["%40"] as &[&str]),
        ("postgresql:///x", &["names no host"]),
        (
            "postgres://ann:secret@h/x?sslmode=maybe",
            &["sslmode", "verify-full"],
        ),
    ] {
        refused(&["stats", "--store", url], words);
        let output = hathi(&["stats", "--store", url]).output().expect("it runs");
        assert!(
            !String::from_utf8_lossy(&output.stderr).contains("secret"),
            "{url}"
        );
    }
    let nobody = "postgres://ann:secret@127.0.0.1:1/x";
    let output = hathi(&["stats", "--store", nobody])
        .output()
        .expect("it runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("cannot reach") && !message.contains("secret"),
        "{message}"
    );
}

/// A service file has all that a URL leaves out, named by the URL or by a
/// variable.
#[test]
fn a_service_leads_to_a_store() {
    let Some(schema) = Schema::new("service") else {
        return;
    };
    let base = std::env::var("HATHI_POSTGRES").unwrap_or_default();
    let config: postgres::Config = base.parse().expect("a URL");
    let host = match &config.get_hosts()[0] {
        postgres::config::Host::Tcp(name) => name.clone(),
        postgres::config::Host::Unix(folder) => folder.display().to_string(),
    };
    let mut service = format!("[other]\nhost=nowhere\n\n[games]\nhost={host}\n");
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(service, "{name}={value}");
        }
    };
    add("port", config.get_ports().first().map(u16::to_string));
    add("user", config.get_user().map(str::to_owned));
    let password = config.get_password().map(String::from_utf8_lossy);
    add("password", password.map(String::from));
    add("dbname", config.get_dbname().map(str::to_owned));
    add("options", Some(format!("-csearch_path={}", schema.name)));
    let folder = folder("postgres-service");
    let (file, archive) = (inside(&folder, "services"), inside(&folder, "games.txt"));
    std::fs::write(&file, service).expect("a file");
    hathi(&["synth", "--games", "3", "-o", &archive])
        .assert()
        .success();
    hathi(&["import", &archive, "--store", "postgres:///?service=games"])
        .env("PGSERVICEFILE", &file)
        .assert()
        .success();
    let counted = |url: &str, service: &str| {
        let output = hathi(&["stats", "--json", "--store", url])
            .env("PGSERVICEFILE", &file)
            .env("PGSERVICE", service)
            .output()
            .expect("it runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{message}");
        let stats: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        stats["games"].clone()
    };
    assert_eq!(counted("postgres:///", "games"), 3);
    // The URL comes first.
    assert_eq!(counted("postgres:///?service=games", "other"), 3);
}
