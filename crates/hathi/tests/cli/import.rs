//! `hathi import`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use snapbox::cmd::cargo_bin;
use snapbox::str;

use crate::common::{folder, hathi, inside, json, refused};
use crate::fixture::{self, GOLD, HEADER, SILVER, archive, fixture, row};

#[test]
fn an_import_is_summed_up() {
    let folder = folder("store-import");
    let archive = inside(&folder, "games.txt");
    let report = inside(&folder, "report.tsv");
    std::fs::write(&archive, fixture::archive()).expect("a file");
    let store = inside(&folder, "deep/er/hathi.db");
    hathi(&["import", &archive, "--store", &store, "--report", &report])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
read        6
stored      5, 1 of them only up to their last legal turn
duplicates  0
rejected    1
reasons     1  no complete setup
            1  the square was occupied
positions   11
seconds     [..]

"#]]);
    snapbox::assert_data_eq!(
        std::fs::read_to_string(report).expect("a report"),
        str![[r#"
game	kept	reason
5	kept	game 5, move 2s: step 1 of 4, `ed7n`: d8 is occupied by the Silver rabbit
6	rejected	[..]games.txt, line 7, game 6: [..]

"#]]
    );
}

#[test]
fn importing_again_adds_nothing() {
    let fixture = fixture("store-again");
    let before = fixture.json(&["stats"]);
    let again = fixture.json(&["import", &fixture.archive]);
    assert_eq!(again["stored"], 0);
    assert_eq!(again["duplicates"], 5);
    assert_eq!(again["indexed"], false);
    let after = fixture.json(&["stats"]);
    for key in ["games", "positions", "players", "results", "index"] {
        assert_eq!(before[key], after[key], "{key}");
    }
}

#[test]
fn strict_leaves_broken_games_out() {
    let folder = folder("store-strict");
    let archive = inside(&folder, "games.txt");
    std::fs::write(&archive, fixture::archive()).expect("a file");
    let store = inside(&folder, "hathi.db");
    let summary = json(&["import", &archive, "--store", &store, "--strict", "--json"]);
    assert_eq!(summary["stored"], 4);
    assert_eq!(summary["shortened"], 0);
    assert_eq!(summary["rejected"], 2);
}

#[test]
fn standard_input_and_folders() {
    let folder = folder("store-sources");
    let store = inside(&folder, "hathi.db");
    hathi(&["import", "-", "--store", &store])
        .stdin(archive())
        .assert()
        .success();
    std::fs::create_dir(folder.join("archives")).expect("a folder");
    std::fs::write(folder.join("archives/a.txt"), archive()).expect("a file");
    let archives = inside(&folder, "archives");
    let summary = json(&["import", &archives, "--store", &store, "--json"]);
    assert_eq!(summary["duplicates"], 5);
}

#[test]
#[cfg(unix)]
fn ctrl_c_stops_and_the_same_command_goes_on() {
    const GAMES: u32 = 9000;
    let folder = folder("store-stop");
    let store = inside(&folder, "hathi.db");
    let moves = format!("1w {GOLD}\\n1b {SILVER}\\n2w Ee2n\\n2b");
    let rows =
        (1..=GAMES).map(|id| row(id, "Anna\tBert\t1800\t1900\th\th", "", "b\tr\t1", &moves) + "\n");
    let archive = format!("{HEADER}\n{}", rows.collect::<String>());

    let mut child = std::process::Command::new(cargo_bin!("hathi"))
        .args(["import", "-", "--store", &store])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // Nobody listens before the store is made.
    while !Path::new(&store).exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let signal = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(signal.expect("kill runs").success());
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let first = messages.next().expect("a line").expect("text");
    assert!(first.contains("stopping"), "{first}");
    // It stops listening before it has read all of that.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(archive.as_bytes());
    let second = messages.next().expect("a line").expect("text");
    assert!(second.contains("the same command goes on"), "{second}");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));

    let stored = json(&["stats", "--store", &store, "--json"])["games"].as_u64();
    let stored = stored.expect("a number");
    assert!(0 < stored && stored < GAMES.into(), "{stored}");
    let output = hathi(&["import", "-", "--json", "--store", &store])
        .stdin(archive)
        .output()
        .expect("runs");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["duplicates"], stored);
    assert_eq!(summary["stored"], u64::from(GAMES) - stored);
}

#[test]
fn what_is_no_archive() {
    let folder = folder("store-no-archive");
    let store = inside(&folder, "hathi.db");
    let letter = inside(&folder, "letter.txt");
    std::fs::write(&letter, "Dear Anna,\n").expect("a file");
    refused(
        &["import", "no-such-file", "--store", &store],
        &["no-such-file"],
    );
    refused(&["import", "--store", &store], &["FILE|FOLDER"]);
    assert!(!Path::new(&store).exists());
    let output = hathi(&["import", &letter, "--store", &store]).output();
    let output = output.expect("runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("letter.txt"), "{message}");
}
