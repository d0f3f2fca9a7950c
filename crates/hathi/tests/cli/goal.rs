//! `hathi goal`.

use crate::common::{GOAL_IN_TWO, START, file, hathi, json, refused};

#[test]
fn there_is_one() {
    hathi(&["goal", GOAL_IN_TWO])
        .assert()
        .code(0)
        .stderr_eq("")
        .stdout_eq("Re6n Re7n\n");
    let found = json(&["goal", "--json", GOAL_IN_TWO]);
    assert_eq!(found["can_goal"], true);
    assert_eq!(found["steps"], 2);
    assert_eq!(found["turn"], "Re6n Re7n");
}

#[test]
fn there_is_none() {
    hathi(&["goal", START])
        .assert()
        .code(1)
        .stderr_eq("")
        .stdout_eq("Gold cannot reach goal this turn.\n");
    hathi(&["goal", "--json", START]).assert().code(1);
    let found = json(&["goal", "--json", START]);
    assert_eq!(found["can_goal"], false);
    assert_eq!(found["turn"], serde_json::Value::Null);
}

#[test]
fn a_game_that_is_over_is_noted() {
    let over = format!("s [R{}r{}e]", ".".repeat(30), ".".repeat(31));
    let output = hathi(&["goal", &over]).output().expect("runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(message, "note: the game is over here: Gold wins by goal\n");
}

#[test]
fn tables_get_two_columns() {
    let row = |position: &str, label: u8| {
        let (side, board) = position.split_once(' ').expect("a side");
        format!("{side}\t{board}\t{label}")
    };
    let (yes, no) = (row(GOAL_IN_TWO, 1), row(START, 0));
    let header = "side\tposition\tcan_goal";
    let path = file("goal.tsv", format!("{header}\n{yes}\n{no}\n"));
    hathi(&["goal", "--positions", &path])
        .assert()
        .code(0)
        .stdout_eq(format!(
            "{header}\tcan_goal\tturn\n{yes}\t1\tRe6n Re7n\n{no}\t0\t\n"
        ));
    let output = hathi(&["goal", "--json", "--positions", &path])
        .output()
        .expect("runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let second: serde_json::Value =
        serde_json::from_str(text.lines().nth(1).expect("two lines")).expect("JSON");
    assert_eq!(second["can_goal"], false);
    assert_eq!(second["row"]["can_goal"], "0");
}

#[test]
fn bad_input_is_not_a_no() {
    refused(&["goal", "g [oops]"], &["64 squares"]);
    refused(&["goal", "no-such-file"], &["no-such-file"]);
}
