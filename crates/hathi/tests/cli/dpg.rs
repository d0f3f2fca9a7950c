//! `hathi dpg`.

use crate::common::{START, file, folder, hathi, inside, json, refused, stdout};

/// Their elephant holds our horse; a horse of theirs is within reach.
const HOSTAGE: &str = "g
8| r r d h r r . . |
7| r . c . . . c m |
6| H e x E . x . . |
5| . . . . . . . . |
4| . . . . . . . . |
3| . D x H . x M . |
2| . . C . . C D . |
1| R R R . . R R R |
";

#[test]
fn the_graphs_that_come_along_are_in_order() {
    let text = stdout(&["dpg", "check"]);
    assert_eq!(text.lines().count(), 8, "{text}");
    assert!(text.contains("flash-kidnapping: 115 nodes"), "{text}");
    let one = json(&["dpg", "check", "--json", "opening"]);
    assert_eq!(one["name"], "opening");
    assert!(one["errors"].as_array().expect("a list").is_empty());
}

#[test]
fn errors_name_their_lines() {
    let path = file(
        "dpg-bad.dpg",
        "graph bad\nstart -> Ed6 -> nowhere\nstart -> Ra8 -> (fly M g3)\n",
    );
    let output = hathi(&["dpg", "check", &path]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("dpg-bad.dpg: line 2: there is no node \"nowhere\""),
        "{text}"
    );
    assert!(
        text.contains("dpg-bad.dpg: line 3: \"fly M g3\" is no command"),
        "{text}"
    );
    refused(&["dpg", "draw", &path], &["line 2: there is no node"]);
    refused(
        &["dpg", "check", "no-such.dpg"],
        &["no-such.dpg", "flash-kidnapping"],
    );
    let bytes = file("dpg-bytes.dpg", [0xff, 0xfe, 0x00]);
    refused(&["dpg", "check", &bytes], &["not a graph"]);
}

#[test]
fn a_graph_is_drawn() {
    let svg = inside(&folder("dpg-draw"), "flash.svg");
    hathi(&["dpg", "draw", "flash-kidnapping", "-o", &svg])
        .assert()
        .code(0);
    let text = std::fs::read_to_string(&svg).expect("a drawing");
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    assert_eq!(text.matches("<g>").count(), 115);
    assert!(text.contains("class=\"command\""));
    assert_eq!(stdout(&["dpg", "draw", "flash-kidnapping"]), text);
    // In a position the way to what fires is lit.
    assert!(!text.contains("class=\"way\""));
    let path = file("dpg-lit.txt", HOSTAGE);
    let lit = stdout(&["dpg", "draw", "flash-kidnapping", "--position", &path]);
    assert!(lit.contains("<g class=\"way\"><title>line") && lit.contains("class=\"lit\""));
}

#[test]
fn a_trace_says_what_matched_and_what_is_played() {
    let path = file("dpg-hostage.txt", HOSTAGE);
    let text = stdout(&["dpg", "trace", "flash-kidnapping", &path]);
    for part in [
        "matched as written: eb6  Ed6  ",
        "matched mirrored: nothing",
        "(bring mhdcr d8 d7 with E d6) at depth ",
        "  turn Ed6n Ed7s hd8s",
        "rat plays Ed6n Ed7s hd8s",
        "because flash-kidnapping drags",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    let trace = json(&["dpg", "trace", "--json", "flash-kidnapping", &path]);
    assert_eq!(trace["graph"], "flash-kidnapping");
    assert_eq!(trace["commands"][0]["mirrored"], false);
    // Nothing of the kind at the start of a game.
    hathi(&["dpg", "trace", "flash-kidnapping", START])
        .assert()
        .code(1);
}

#[test]
fn an_empty_file_is_explained() {
    for text in ["", "\n\n", "# nothing but a remark\n"] {
        let path = crate::common::file("dpg-empty.dpg", text);
        let output = hathi(&["dpg", "check", &path]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{text:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            said.contains("line 1: there is nothing in this file"),
            "{text:?}: {said}"
        );
    }
}
