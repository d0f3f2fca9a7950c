//! Patterns and puzzles, over a small made-up archive.

use crate::common::{folder, hathi, inside, json, refused};

#[test]
fn patterns_and_puzzles() {
    let folder = folder("patterns");
    let (archive, store) = (inside(&folder, "games.txt"), inside(&folder, "games.db"));
    hathi(&["synth", "--games", "40", "--seed", "7", "-o", &archive])
        .assert()
        .success();
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    let find = |pattern: &str| json(&["find", "--json", "--store", &store, "--pattern", pattern]);
    // Somebody's elephant stands somewhere in every position of every game
    // (until it is lost); nowhere do two of one side.
    let some = find("E@board");
    let none = find("2+E@board");
    assert!(some["hits"].as_u64() > Some(1000), "{some}");
    assert_eq!(some["games"], 40);
    assert_eq!(none["hits"], 0);
    refused(
        &["find", "--store", &store, "--pattern", "Ez9"],
        &["pattern"],
    );

    let list = inside(&folder, "puzzles.txt");
    let id = json(&["games", "--json", "--limit", "1", "--store", &store]);
    let id = id["games"][0]["id"].as_str().expect("an id");
    std::fs::write(
        &list,
        format!("{id}:2w Ea9n\n99999999:3w Ee2n\n{id}:1w Ee2n\n"),
    )
    .expect("written");
    let summary = json(&["puzzles", "--json", "--store", &store, "--import", &list]);
    assert_eq!(summary["read"], 2);
    assert_eq!(summary["unreadable"], 1);
    assert_eq!(summary["without_game"], 1);
    assert_eq!(summary["broken"], 1);
    assert_eq!(summary["linked"], 0);
}
