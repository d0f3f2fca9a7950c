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
    // The place is marked, and a word suggested.
    refused(
        &["find", "--store", &store, "--pattern", "Ed4 frozn(Hb3)"],
        &[
            "character 5",
            "did you mean `frozen`",
            "Ed4 frozn(Hb3)\n      ^",
        ],
    );
    // Facts, and one thing after the other: the stretch comes turn by turn.
    assert!(find("frozen(*)")["hits"].as_u64() > Some(0));
    let then = find("move 2 g to move then within 3 turns move 3");
    // With the colours exchanged the second move is Silver's, and the third begins a turn later.
    let mut seen = [0, 0];
    for hit in then["best"].as_array().expect("hits") {
        let turns = hit["turns"].as_array().expect("turns");
        let labels: Vec<_> = turns
            .iter()
            .filter_map(|turn| turn["move"].as_str())
            .collect();
        assert_eq!(turns[0]["position"], hit["position"]);
        assert_eq!(turns[0]["turn"], hit["turn"]);
        if hit["move"] == "2g" {
            assert_eq!(labels, ["2g", "2s", "3g"]);
            seen[0] += 1;
        } else {
            assert_eq!(labels, ["2s", "3g"]);
            seen[1] += 1;
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{then}");
    let motifs = json(&[
        "motifs",
        "--json",
        "--store",
        &store,
        "--folder",
        &inside(&folder, "none"),
    ]);
    assert_eq!(motifs.as_array().map(Vec::len), Some(12), "{motifs}");
    let game = some["best"][0]["game"].as_str().expect("a game");
    let found = hathi(&["motifs", "--game", game, "--store", &store])
        .output()
        .expect("run");
    assert!(found.status.code() < Some(2), "{found:?}");
    refused(
        &["motifs", "no-such-motif", "--store", &store],
        &["there is no motif", "camel-hostage"],
    );

    // The same question in one line, alone or in an address.
    let words =
        |question: &str| json(&["find", "--json", "--store", &store, "--question", question]);
    let by_options = json(&[
        "find",
        "--json",
        "--store",
        &store,
        "--pattern",
        "E@board g to move",
        "--moves",
        "5-9",
        "--limit",
        "3",
        "--one-per-game",
    ]);
    let line = "pattern=E%40board+g+to+move&moves=5-9&limit=3&one_per_game=true";
    for text in [line, &format!("http://127.0.0.1:8765/api/v1/search?{line}")] {
        let found = words(text);
        assert_eq!(found["hits"], by_options["hits"], "{text}");
        assert_eq!(found["best"], by_options["best"], "{text}");
        assert_eq!(found["best"].as_array().map(Vec::len), Some(3), "{text}");
    }
    let position = by_options["best"][0]["position"]
        .as_str()
        .expect("a position");
    let about = words(&format!("position={position}&kind=half"));
    assert!(about["hits"].as_u64() > Some(0), "{about}");
    assert_eq!(about["kind"], "half");
    refused(
        &[
            "find",
            "--store",
            &store,
            "--question",
            "pattern=E@board&colour=red",
        ],
        &["`colour`"],
    );
    refused(
        &["find", "--store", &store, "--question", line, "--literal"],
        &["--literal"],
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
