//! An import killed without warning, again and again, and an index damaged
//! under the feet of the next command.

use std::process::{Command as Process, Stdio};
use std::time::Duration;

use serde_json::Value;
use snapbox::cmd::cargo_bin;

use crate::common::{folder, hathi, inside, json};

#[test]
fn an_import_killed_at_any_moment_goes_on() {
    let folder = folder("kill");
    let (archive, store) = (inside(&folder, "games.txt"), inside(&folder, "games.db"));
    hathi(&["synth", "--games", "1500", "--seed", "5", "-o", &archive])
        .assert()
        .success();
    let import = ["import", &archive, "--store", &store];
    let mut known = 0;
    let mut killed = 0;
    for round in 0..20u64 {
        let mut child = Process::new(cargo_bin!("hathi"))
            .args(import)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        // Different moments: while reading, adding, building the index.
        std::thread::sleep(Duration::from_millis(5 + round * round * 3));
        killed += u32::from(child.try_wait().expect("a child").is_none());
        let _ = child.kill(); // SIGKILL
        child.wait().expect("a child");
        if !std::path::Path::new(&store).exists() {
            continue;
        }
        // It opens, tells the truth, and has lost nothing.
        let stats = json(&["stats", "--json", "--store", &store]);
        let games = stats["games"].as_u64().expect("a number");
        assert!(
            games >= known,
            "round {round}: {games} games, there were {known}"
        );
        known = games;
    }
    assert!(
        killed > 5,
        "only {killed} imports were still running when killed"
    );
    hathi(&import).assert().success();
    let whole = inside(&folder, "whole.db");
    hathi(&["import", &archive, "--store", &whole])
        .assert()
        .success();
    let stats = |store: &str| {
        let mut stats = json(&["stats", "--json", "--store", store]);
        for key in ["store", "database_bytes"] {
            stats[key] = Value::Null;
        }
        stats
    };
    assert_eq!(stats(&store), stats(&whole));
    assert_eq!(stats(&store)["games"], 1500);
    hathi(&["index", "--check", "--store", &store])
        .assert()
        .success();
}

#[test]
fn a_damaged_index_is_mended_by_the_next_question() {
    let folder = folder("damaged");
    let (archive, store) = (inside(&folder, "games.txt"), inside(&folder, "games.db"));
    hathi(&["synth", "--games", "300", "--seed", "6", "-o", &archive])
        .assert()
        .success();
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    let index = format!("{store}.index");
    let find = [
        "find",
        "--kind",
        "half",
        "--json",
        "--store",
        &store,
        "--position",
        crate::common::START,
    ];
    let before = json(&find);
    assert!(before["hits"].as_u64() > Some(0), "{before}");
    // Every byte of the contents but the header is bent.
    let mut bytes = std::fs::read(&index).expect("the index");
    for byte in bytes.iter_mut().skip(4096) {
        *byte ^= 0x55;
    }
    std::fs::write(&index, &bytes).expect("written");
    let output = hathi(&find).output().expect("the binary runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("damaged"), "{message}");
    let after: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(after["hits"], before["hits"]);
    assert_eq!(after["turns"], before["turns"]);
    // And it stays mended.
    hathi(&["index", "--check", "--store", &store])
        .assert()
        .success();
}
