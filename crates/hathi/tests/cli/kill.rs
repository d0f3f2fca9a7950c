//! An import killed without warning, again and again, and an index damaged
//! under the feet of the next command.

use std::io::Write as _;
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
    // It opens, tells the truth, and has lost nothing.
    let mut known = 0;
    let mut look = |when: &str| {
        if !std::path::Path::new(&store).exists() {
            return;
        }
        let stats = json(&["stats", "--json", "--store", &store]);
        let games = stats["games"].as_u64().expect("a number");
        assert!(games >= known, "{when}: {games} games, there were {known}");
        known = games;
    };
    let spawn = |source: &str, input: Stdio| {
        Process::new(cargo_bin!("hathi"))
            .args(["import", source, "--store", &store])
            .stdin(input)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs")
    };
    // While it reads: it has a part of the archive and waits for more, so that
    // it is there to be killed however slow or fast the machine is.
    let text = std::fs::read(&archive).expect("the archive");
    for part in 0..8 {
        let mut child = spawn("-", Stdio::piped());
        let mut input = child.stdin.take().expect("its input");
        input
            .write_all(&text[..text.len() * part / 8])
            .expect("it reads");
        input.flush().expect("it reads");
        let running = child.try_wait().expect("a child").is_none();
        assert!(running, "part {part}: it did not wait for the rest");
        child.kill().expect("killed"); // SIGKILL
        child.wait().expect("a child");
        look(&format!("part {part}"));
    }
    // At any moment: while adding, while building the index, perhaps after all
    // is done.
    for round in 0..12u64 {
        let mut child = spawn(&archive, Stdio::null());
        std::thread::sleep(Duration::from_millis(5 + round * round * 8));
        let _ = child.kill();
        child.wait().expect("a child");
        look(&format!("round {round}"));
    }
    let import = ["import", &archive, "--store", &store];
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
