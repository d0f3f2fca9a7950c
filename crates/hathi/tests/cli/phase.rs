//! `hathi phase` and `hathi learn cluster`.

use snapbox::str;

use crate::common::{
    DRAWN, GOAL_IN_TWO, START, file, folder, hathi, inside, json, refused, stdout,
};
use crate::fixture;

const GAME: &str = "\
1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2w Ee2n Ee3n
2b ed7s ed6s
3w
";

#[test]
fn the_start_is_the_opening() {
    hathi(&["phase", START])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
phase     opening, score 16
features  16 pieces of the side with fewer, 0 advanced, no goal threat
chances   opening 88 %, middle 12 %, end 0 %
cluster   early (early [..])

"#]]);
}

#[test]
fn a_goal_threat_is_the_end_game_unless_left_out() {
    let with = json(&["phase", "--json", GOAL_IN_TWO]);
    assert_eq!(with["phase"], "end");
    assert_eq!(with["features"]["goal_threat"], true);
    assert_eq!(with["probabilities"]["end"], 1.0);
    let without = json(&["phase", "--json", "--no-goal-threats", GOAL_IN_TWO]);
    assert_eq!(without["features"]["goal_threat"], false);
    assert_eq!(without["score"], with["score"]);
    assert_ne!(without["probabilities"]["end"], 1.0);
}

#[test]
fn a_drawn_position_in_a_file_is_no_game() {
    let path = file("phase-drawn.txt", DRAWN);
    let shown = json(&["phase", "--json", &path]);
    assert!(
        shown["position"]
            .as_str()
            .is_some_and(|p| p.starts_with("s ["))
    );
    refused(
        &["phase", &path, "--svg", "x.svg"],
        &["--svg draws a game, this is a position"],
    );
}

#[test]
fn a_game_is_a_strip_of_phases() {
    let path = file("phase-game.txt", GAME);
    hathi(&["phase", &path, "--ascii"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
Game

 opening |###|
  middle |   |
     end |   |
          1s

after 3 moves: opening 3, middle 0, end 0

"#]]);
    let folder = folder("phase-svg");
    let svg = inside(&folder, "strip.svg");
    let shown = json(&["phase", &path, "--json", "--svg", &svg]);
    let moves = shown["moves"].as_array().expect("moves");
    let labels: Vec<_> = moves.iter().map(|m| m["move"].as_str()).collect();
    assert_eq!(labels, [Some("1s"), Some("2g"), Some("2s")]);
    let drawing = std::fs::read_to_string(svg).expect("a drawing");
    assert!(drawing.contains(">opening<") && drawing.ends_with("</svg>\n"));
}

#[test]
fn a_broken_game_is_shown_up_to_the_break() {
    let path = file(
        "phase-broken.txt",
        GAME.replace("ed7s ed6s", "ed7s ed6n ed7n"),
    );
    let output = hathi(&["phase", &path]).output().expect("runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Broken there"), "{text}");
}

#[test]
fn a_game_of_an_archive_must_be_picked() {
    let path = file("phase-archive.txt", fixture::archive());
    refused(&["phase", &path], &["pick one with --game"]);
    refused(
        &["phase", &path, "--game", "999"],
        &["there is no such game"],
    );
    let shown = json(&["phase", &path, "--game", "2", "--json"]);
    assert_eq!(shown["gold"], "bot_One");
    assert_eq!(shown["moves"].as_array().map(Vec::len), Some(4));
    let text = stdout(&["phase", &path, "--game", "#1"]);
    assert!(text.starts_with("Game 1: Anna against Bert\n"), "{text}");
    refused(
        &["phase", START, "--clusters", &path],
        &["this is no cluster file"],
    );
}

#[test]
fn clusters_are_found_saved_drawn_and_used() {
    let folder = folder("phase-clusters");
    let archive = inside(&folder, "games.txt");
    hathi(&["synth", "--games", "60", "--seed", "4", "-o", &archive])
        .assert()
        .success();
    let saved = inside(&folder, "clusters.json");
    let run = |least: &str| {
        let maps = inside(&folder, "maps");
        json(&[
            "learn",
            "cluster",
            &archive,
            "--min-rating",
            "0",
            "--min-clusters",
            least,
            "--max-clusters",
            "3",
            "-o",
            &saved,
            "--heatmaps",
            &maps,
            "--json",
        ])
    };
    let three = run("3");
    assert_eq!(three, run("3"), "the same seed, the same clusters");
    let clusters = three["clusters"].as_array().expect("clusters");
    assert_eq!(clusters.len(), 3);
    let shares: f64 = clusters.iter().filter_map(|c| c["share"].as_f64()).sum();
    assert!((shares - 1.0).abs() < 1e-6);
    for name in ["maps/figure-4.svg", "maps/figure-5.svg"] {
        let drawing = std::fs::read_to_string(folder.join(name)).expect(name);
        assert!(drawing.contains("class=\"cell\""), "{name}");
    }
    let shown = json(&["phase", START, "--clusters", &saved, "--json"]);
    assert_eq!(shown["cluster"], clusters[0]["name"]);
    // The store has the same games.
    let store = inside(&folder, "games.db");
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    let stored = json(&[
        "learn",
        "cluster",
        "--store",
        &store,
        "--min-rating",
        "0",
        "--min-clusters",
        "3",
        "--max-clusters",
        "3",
        "--json",
    ]);
    assert_eq!(stored, three);
    refused(
        &["learn", "cluster", &archive, "--min-rating", "9000"],
        &["no game has two players rated above 9000"],
    );
}

#[test]
fn table_1_is_played_goes_on_and_is_reported() {
    let folder = folder("paper-choksi");
    let out = inside(&folder, "out");
    let run = |one: &str| {
        json(&[
            "paper",
            "choksi",
            "--table",
            "1",
            "--games-1",
            one,
            "--games-2",
            "0",
            "--plain-games-1",
            one,
            "--plain-games-2",
            "0",
            "--part-games",
            "2",
            "--out",
            &out,
            "--json",
        ])
    };
    let first = run("2");
    assert_eq!(first["complete"], true);
    let matches = first["matches"].as_array().expect("matches");
    let kinds: Vec<_> = matches
        .iter()
        .map(|m| {
            let word = |name: &str| m[name].as_str().expect("a word");
            (word("version"), word("search"))
        })
        .collect();
    let whole = |search| ["gt", "ngt", "smooth"].map(|version| (version, search));
    let twice = [whole("full"), whole("plain")].concat();
    let parts = [
        ("gt", "no-goals"),
        ("ngt", "no-goals"),
        ("gt", "no-quiescence"),
        ("gt", "no-reductions"),
        ("gt", "plain-goals"),
        ("ngt", "plain-goals"),
    ];
    assert_eq!(kinds, [&twice[..], &parts, &twice].concat());
    assert_eq!(matches[0]["games"], 2);
    let theirs = matches[0]["theirs"]["value"].as_f64().expect("theirs");
    assert!((theirs - 0.8835).abs() < 0.0005);
    for (played, place) in matches.iter().zip(0..) {
        let gains = played["phase_gains"].as_array().expect("gains");
        let any = gains.iter().any(|gain| gain.as_f64() != Some(0.0));
        assert_eq!(gains.len(), 2);
        assert_eq!(any, place < 12, "only from games: {played}");
    }
    let more = run("4");
    assert_eq!(more["matches"][0]["games"], 4);
    assert!(more["matches"][0]["wins"].as_u64() >= matches[0]["wins"].as_u64());
    for (name, part) in [
        (
            "report.md",
            "| `ngt` | `plain` | 1 | 67.1 % (64.9 to 69.2) | 1,834 |",
        ),
        (
            "report.html",
            "<td class=\"number\">88.3 % (86.8 to 89.7)</td>",
        ),
    ] {
        let text = std::fs::read_to_string(folder.join("out").join(name)).expect(name);
        assert!(text.contains(part), "{name}: {text}");
    }
    refused(
        &["paper", "choksi", "--games-1", "3", "--out", &out],
        &["--games-1 3: give an even number"],
    );
    refused(
        &["paper", "choksi", "--seed", "2", "--out", &out],
        &["another seed"],
    );
    // Games of engines that searched another number of positions are of another kind.
    let settings = folder.join("out").join("experiment.json");
    let text = std::fs::read_to_string(&settings).expect("the settings");
    let other = text.replacen("engines\": \"", "engines\": \"1", 1);
    assert_ne!(text, other);
    std::fs::write(&settings, other).expect("written");
    refused(
        &["paper", "choksi", "--out", &out],
        &["another state of the engines"],
    );
}
