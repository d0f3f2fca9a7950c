//! `hathi solve` and `hathi bench engine`.

use crate::common::{GOAL_IN_TWO, START, file, hathi, json, refused, stdout};

/// Two rabbits run, and one cat cannot stop both.
const OVERLOADED: &str = "g
     +-----------------+
    8| . . . . c . . . |
    7| . . . . . . . . |
    6| . . x . . x . . |
    5| . . . . . . . . |
    4| . . . . . . . . |
    3| R . x . . x . R |
    2| . . . . . E . r |
    1| . . . . . . . E |
     +-----------------+
       a b c d e f g h
";

#[test]
fn a_goal_is_a_win_at_once() {
    let text = stdout(&["solve", GOAL_IN_TWO]);
    assert!(text.starts_with("wins at once: Re6n Re7n\n"), "{text}");
    assert_eq!(json(&["solve", "--json", GOAL_IN_TWO])["turns"], 1);
}

#[test]
fn a_win_in_two_comes_with_the_replies_that_fail() {
    let path = file("solve-overloaded.txt", OVERLOADED);
    let solved = json(&["solve", "--json", &path]);
    assert_eq!(solved["answer"], "win");
    assert_eq!(solved["turns"], 2);
    assert!(solved["replies"].as_u64() > Some(10));
    assert!(!solved["lines"].as_array().expect("lines").is_empty());
    hathi(&["solve", &path]).assert().code(0);
    // In one turn there is none.
    let solved = json(&["solve", "--turns", "1", "--json", &path]);
    assert_eq!(solved["answer"], "no win");
}

#[test]
fn no_win_is_the_answer_no_and_no_time_is_not_known() {
    let output = hathi(&["solve", START]).assert().code(1);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.starts_with("no win: "), "{text}");
    let unknown = json(&["solve", "--time", "0.001", "--json", START]);
    assert_eq!(unknown["answer"], "unknown");
}

#[test]
fn bad_usage_is_refused() {
    refused(&["solve"], &["POSITION"]);
    refused(&["solve", "--turns", "3", START], &["3"]);
    refused(&["solve", "--time", "soon", START], &["expected seconds"]);
    refused(
        &["bench", "engine", "--engine", "nobody"],
        &["nobody", "fairy"],
    );
}

#[test]
fn the_fixed_count_is_the_same_every_time() {
    let args = [
        "bench", "engine", "--depth", "2", "--time", "0.001", "--json",
    ];
    let (one, other) = (json(&args), json(&args));
    assert!(one["fixed"]["nodes"].as_u64() > Some(1000), "{one}");
    assert_eq!(one["fixed"]["nodes"], other["fixed"]["nodes"]);
    assert_eq!(one["fixed"]["depth"], 2);
}
