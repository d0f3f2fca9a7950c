//! `hathi plans`.

use crate::common::{DRAWN, START, file, folder, json, refused, stdout};

#[test]
fn the_queue_is_shown_with_candidates() {
    let path = file("plans-drawn.txt", DRAWN);
    let text = stdout(&["plans", "--ascii", &path]);
    assert!(
        text.contains("goal: a rabbit is near enough to goal"),
        "{text}"
    );
    assert!(text.contains("rg3s rg2s"), "{text}");
    let plans = json(&["plans", "--json", &path]);
    let list = plans["plans"].as_array().expect("plans");
    assert_eq!(list[0]["plan"], "goal");
    assert!(list.len() > 3);
    let priorities: Vec<u64> = list
        .iter()
        .filter_map(|plan| plan["priority"].as_u64())
        .collect();
    assert!(priorities.is_sorted(), "{priorities:?}");
}

#[test]
fn options_change_what_is_considered() {
    let candidates = |engine: &str| {
        let plans = json(&["plans", "--json", "--engine", engine, START]);
        let list = plans["plans"].as_array().expect("plans").clone();
        let turns = list.iter().filter_map(|plan| plan["turns"].as_array());
        (list.len(), turns.map(Vec::len).sum::<usize>())
    };
    let (all, many) = candidates("rat");
    assert!(candidates("rat:keep=1").1 < many);
    assert!(candidates("rat:dpg=off").0 < all, "the opening has a graph");
    refused(
        &["plans", "--engine", "fairy", START],
        &["only rat has plans, not fairy"],
    );
}

#[test]
fn a_survey_needs_games() {
    let empty = folder("plans-empty").display().to_string();
    refused(&["plans", "--survey", &empty], &["allgames*.txt"]);
    refused(&["plans"], &["POSITION"]);
}
