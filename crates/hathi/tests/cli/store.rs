//! What holds for all commands that use a store.

use std::path::Path;

use serde_json::Value;
use snapbox::cmd::cargo_bin;

use crate::common::{START, folder, hathi, inside, refused};
use crate::fixture::{self, fixture};

const QUESTIONS: [&[&str]; 8] = [
    &["stats"],
    &["setups"],
    &["find", "--position", START],
    &["explore", START],
    &["games"],
    &["games", "1"],
    &["export", "-o", "-"],
    &["index"],
];

#[test]
fn questions_do_not_make_a_store() {
    let folder = folder("store-missing");
    let store = inside(&folder, "none.db");
    for question in QUESTIONS {
        hathi(&[question, &["--store", &store]].concat())
            .assert()
            .code(1)
            .stdout_eq("")
            .stderr_eq("error: there is no store at [..]none.db yet; `hathi import` makes one\n");
    }
    assert!(!Path::new(&store).exists());
}

#[test]
fn other_files_are_left_alone() {
    let folder = folder("store-foreign");
    let foreign = inside(&folder, "letter.txt");
    let letter = "Dear Anna,\nthis is not a store, but long enough to look like one. ".repeat(90);
    std::fs::write(&foreign, &letter).expect("a file");
    let archive = inside(&folder, "games.txt");
    std::fs::write(&archive, fixture::archive()).expect("a file");
    for question in QUESTIONS
        .into_iter()
        .chain([&["import", &archive] as &[&str]])
    {
        let args = [question, &["--store", &foreign]].concat();
        refused(&args, &["letter.txt", "not a store of Hathi"]);
        assert_eq!(std::fs::read_to_string(&foreign).expect("a file"), letter);
    }
    let text = folder.to_str().expect("UTF-8");
    refused(&["stats", "--store", text], &["is a folder"]);
}

#[test]
fn the_default_store() {
    let folder = folder("store-default");
    let archive = inside(&folder, "games.txt");
    std::fs::write(&archive, fixture::archive()).expect("a file");
    let home = inside(&folder, "data");
    hathi(&["import", &archive])
        .env("XDG_DATA_HOME", &home)
        .assert()
        .success();
    assert!(folder.join("data/hathi/hathi.db").exists());
    let variable = inside(&folder, "data/hathi/hathi.db");
    let output = hathi(&["stats", "--json"])
        .env("HATHI_STORE", &variable)
        .output()
        .expect("runs");
    let stats: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(stats["games"], 5);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let fixture = fixture("store-full-disk");
    for question in QUESTIONS {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let output = std::process::Command::new(cargo_bin!("hathi"))
            .args(fixture.args(question))
            .stdout(full.expect("/dev/full"))
            .output()
            .expect("the binary runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{question:?}: {message}");
        assert!(message.contains("cannot write"), "{question:?}: {message}");
    }
    let args = ["export", "-o", "/dev/full"];
    let output = hathi(&fixture.args(&args)).output().expect("runs");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_empty_name_is_a_mistake_an_empty_variable_is_none() {
    let folder = folder("store-empty-name");
    for command in [
        &["stats", "--store", ""][..],
        &["import", "-", "--store", ""],
        &["arena", "random", "step", "--games", "2", "--store", ""],
        &["serve", "--port", "0", "--store", ""],
    ] {
        refused(command, &["--store is empty"]);
    }
    let output = hathi(&["stats"])
        .env("HATHI_STORE", "")
        .env("XDG_DATA_HOME", inside(&folder, "data"))
        .output()
        .expect("runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("there is no store at"), "{message}");
}
