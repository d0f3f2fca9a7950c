//! `hathi arena`.

use snapbox::cmd::cargo_bin;

use crate::common::{folder, hathi, inside, json, refused, stdout};

#[test]
fn a_match_is_reported() {
    let text = stdout(&["arena", "greedy", "step", "--games", "4", "--nodes", "100"]);
    for words in [
        "4 games in ",
        "greedy against step: 4 - 0 (100.0 %)",
        "LOS: ",
        "Pairs lost, shared, won: 0, 0, 2",
        "Ends: ",
        "crashes",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
}

#[test]
fn a_table_and_json() {
    let args = [
        "arena", "greedy", "random", "step", "--games", "2", "--depth", "2",
    ];
    let text = stdout(&args);
    assert!(text.contains("player") && text.contains("2-0"), "{text}");
    let value = json(&[&args[..], &["--json"]].concat());
    assert_eq!(value["games"], 6);
    assert_eq!(value["players"][0]["name"], "greedy");
    assert!(value["pairings"][0]["elo"]["value"].is_number(), "{value}");
}

#[test]
fn our_own_engine_as_a_program_is_never_late_or_wrong() {
    let program = format!(
        "aei=cmd:'{}' aei --engine fairy",
        cargo_bin!("hathi").display()
    );
    let args = [
        "arena",
        &program,
        "greedy",
        "--games",
        "2",
        "--time",
        "0.4",
        "--max-moves",
        "9",
        "--json",
    ];
    let value = json(&args);
    for player in 0..2 {
        for fault in ["crashes", "illegal", "timeouts"] {
            assert_eq!(value["players"][player][fault], 0, "{value}");
        }
    }
    assert_eq!(value["games"], 2, "{value}");
}

#[test]
fn games_are_kept_and_gone_on_with() {
    let folder = folder("arena");
    let (out, store) = (inside(&folder, "out"), inside(&folder, "games.db"));
    let args = |games: &'static str, seed: &'static str| {
        vec![
            "arena", "random", "step", "--games", games, "--nodes", "1", "--seed", seed,
        ]
    };
    let mut first = args("2", "1");
    first.extend(["--out", &out, "--learn", "--store", &store]);
    hathi(&first).assert().success();
    let mut more = args("4", "1");
    more.extend(["--out", &out, "--json"]);
    assert_eq!(json(&more)["games"], 4);
    let mut other = args("4", "2");
    other.extend(["--out", &out]);
    refused(&other, &["another seed: 1, now 2", "another folder"]);
    let replayed = stdout(&["replay", &inside(&folder.join("out"), "games.txt")]);
    assert!(replayed.contains('4'), "{replayed}");
    let stats = stdout(&["stats", "--store", &store]);
    assert!(stats.contains("games       2\n"), "{stats}");
}

#[test]
fn mistakes_are_explained() {
    refused(&["arena", "fairy"], &["PLAYER"]);
    refused(
        &["arena", "nobody", "fairy"],
        &["there is no engine", "fairy"],
    );
    refused(&["arena", "step", "step"], &["called `step`", "other=step"]);
    refused(
        &["arena", "step", "random", "--games", "3"],
        &["even number"],
    );
    refused(&["arena", "step", "x=cmd:"], &["names no command"]);
    refused(
        &["arena", "step", "random", "--sprt", "5,5"],
        &["lower one first"],
    );
    refused(&["arena", "step", "random", "--time", "-1"], &[""]);
}

#[test]
fn nobody_plays_against_who_is_not_there() {
    let folder = folder("arena-absent");
    let out = inside(&folder, "out");
    refused(
        &[
            "arena",
            "random",
            "ghost=cmd:/nowhere/engine",
            "--games",
            "2",
            "--out",
            &out,
        ],
        &["ghost cannot play", "/nowhere/engine"],
    );
    let broken = inside(&folder, "letter.db");
    std::fs::write(
        &broken,
        "a letter, no database, and long enough to be looked at",
    )
    .expect("a file");
    refused(
        &[
            "arena", "random", "mimic", "--games", "2", "--store", &broken,
        ],
        &["mimic cannot play"],
    );
}

#[test]
fn mimic_without_a_store_plays_and_says_so() {
    let folder = folder("arena-empty-memory");
    let store = inside(&folder, "none.db");
    let args = [
        "arena",
        "random",
        "mimic:nodes=300",
        "--games",
        "2",
        "--max-moves",
        "3",
        "--json",
        "--store",
        &store,
    ];
    let output = hathi(&args).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("mimic plays with an empty memory"), "{said}");
    let standings: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(standings["games"], 2);
    assert_eq!(standings["players"][1]["crashes"], 0);
    assert!(
        !std::path::Path::new(&store).exists(),
        "a question made a store"
    );
}

/// A file of start positions: both colours from each, errors by line.
#[test]
fn games_start_from_the_positions_of_a_file() {
    let folder = folder("arena-positions");
    let file = inside(&folder, "positions.txt");
    let out = inside(&folder, "out");
    // Whoever is on move wins at once, so each player wins one game of a pair.
    let race = format!("g [r{}R{}]", " ".repeat(14), " ".repeat(48));
    let other = format!("s [{}r{}R]", " ".repeat(48), " ".repeat(14));
    std::fs::write(&file, format!("# two races\n\n{race}\n{other}\n")).expect("written");
    let args = [
        "arena",
        "greedy",
        "fallback",
        "--positions",
        &file,
        "--nodes",
        "200",
        "--out",
        &out,
        "--json",
    ];
    let value = json(&args);
    assert_eq!(value["games"], 4, "{value}");
    let shared = serde_json::json!([0, 2, 0]);
    assert_eq!(value["pairings"][0]["score"]["pairs"], shared, "{value}");
    let kept = std::fs::read_to_string(inside(&folder.join("out"), "positions.txt"));
    assert_eq!(kept.expect("kept"), format!("{race}\n{other}\n"));
    // A program is told the position, too.
    let program = format!(
        "aei=cmd:'{}' aei --engine greedy",
        cargo_bin!("hathi").display()
    );
    let value = json(&[
        "arena",
        &program,
        "greedy",
        "--positions",
        &file,
        "--nodes",
        "200",
        "--json",
    ]);
    assert_eq!(value["pairings"][0]["score"]["pairs"], shared, "{value}");
    assert_eq!(value["players"][0]["illegal"], 0, "{value}");

    std::fs::write(&file, format!("{race}\nnonsense\n")).expect("written");
    refused(
        &["arena", "greedy", "step", "--positions", &file],
        &["positions.txt: line 2: "],
    );
    let learns = ["arena", "greedy:learn=true", "step", "--positions", &file];
    std::fs::write(&file, &race).expect("written");
    refused(&learns, &["cannot be added to the store"]);
    refused(
        &["arena", "greedy", "step", "--positions", "/no/such/file"],
        &["cannot read /no/such/file"],
    );
}
