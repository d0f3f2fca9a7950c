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

/// Questions are answered from a folder that cannot be written, by a user who
/// may only read, with a word about it.
#[test]
#[cfg(target_os = "linux")]
fn a_store_that_cannot_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let folder = std::env::temp_dir().join(format!("hathi-read-only-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (archive, store) = (folder.join("games.txt"), folder.join("games.db"));
    std::fs::write(&archive, fixture::archive()).expect("a file");
    let store = store.to_str().expect("UTF-8");
    hathi(&["import", archive.to_str().expect("UTF-8"), "--store", store])
        .assert()
        .success();
    let expected = crate::common::json(&["stats", "--json", "--store", store]);
    let mode = |path: &Path, mode: u32| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, permissions).expect("permissions");
    };
    for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
        mode(&entry.path(), 0o444);
    }
    mode(&folder, 0o555);
    // Nothing is forbidden to root, so it is nobody who asks.
    let root = std::fs::metadata("/proc/self")
        .is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let ask = |args: &[&str]| {
        let mut command = std::process::Command::new(cargo_bin!("hathi"));
        command.args(args).args(["--store", store]).current_dir("/");
        if root {
            command.uid(65534).gid(65534);
        }
        command.output()
    };
    let Ok(output) = ask(&["stats", "--json"]) else {
        crate::common::skip("nobody may not run the program here");
        return;
    };
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(
        message.contains("cannot be written: reading it"),
        "{message}"
    );
    let stats: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(stats["games"], expected["games"]);
    let found = ask(&["find", "--kind", "half", "--json", "--position", START]).expect("it runs");
    let message = String::from_utf8_lossy(&found.stderr);
    assert!(
        found.status.code().is_some_and(|code| code <= 1) && !message.contains("error"),
        "{message}"
    );
    mode(&folder, 0o755);
    std::fs::remove_dir_all(&folder).expect("removed");
}
