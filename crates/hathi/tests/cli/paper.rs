//! `hathi paper mckee`, on a store of made-up games.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use snapbox::cmd::cargo_bin;

use crate::common::{folder, hathi, inside, refused};

/// A folder with a store of 200 games.
fn with_store(name: &str) -> (PathBuf, String) {
    let folder = folder(name);
    let (archive, store) = (inside(&folder, "games.txt"), inside(&folder, "games.db"));
    hathi(&["synth", "--games", "200", "--seed", "9", "-o", &archive])
        .assert()
        .success();
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    (folder, store)
}

fn paper<'a>(store: &'a str, out: &'a str, games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "paper", "mckee", "--store", store, "--out", out, "--games", games,
    ];
    args.extend(["--nodes", "60", "--json"]);
    args.extend(more);
    args
}

fn summary(args: &[&str]) -> Value {
    let output = hathi(args).output().expect("the binary runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn read(folder: &str, name: &str) -> String {
    fs::read_to_string(Path::new(folder).join(name)).expect(name)
}

/// What does not depend on the clock.
fn fixed(summary: &Value) -> Vec<Value> {
    let matches = summary["matches"].as_array().expect("matches").iter();
    let memories = summary["memories"].as_array().expect("memories").iter();
    let played = matches.chain(memories.map(|memory| &memory["match"]));
    let keys = ["player", "games", "wins", "distinct", "endings", "bins"];
    let keys = keys.iter().chain(&["levels", "won", "opponent_depth"]);
    let fixed = |played: &Value| keys.clone().map(|&key| played[key].clone()).collect();
    played.map(|played| Value::Array(fixed(played))).collect()
}

#[test]
fn his_and_our_figures_stand_side_by_side() {
    let (folder, store) = with_store("paper-report");
    let out = inside(&folder, "out");
    let more = ["--memory-games", "2", "--sizes", "1/4", "--ratings", "1500"];
    let summary = summary(&paper(&store, &out, "4", &more));
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["queries"].as_array().map(Vec::len), Some(8));
    assert_eq!(summary["queries"][7]["games"], 200);
    assert_eq!(summary["memories"].as_array().map(Vec::len), Some(3));
    let quarter = summary["memories"][0]["games"].as_u64();
    assert!((20..=80).contains(&quarter.expect("games")), "{quarter:?}");
    for (player, name) in ["mimic-2014", "mimic"].into_iter().enumerate() {
        let played = &summary["matches"][player];
        assert_eq!(played["player"], name);
        assert_eq!(played["games"], 4);
        // The lines that are kept say the same as the summary.
        let lines = read(&out, &format!("matches/{name}/moves.jsonl"));
        let games: Vec<Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(games.len(), 4);
        let moves: Vec<&Value> = games
            .iter()
            .flat_map(|game| game["moves"].as_array().expect("moves"))
            .collect();
        let all = &played["bins"]["all"];
        assert_eq!(all["moves"], moves.len());
        let halves = moves.iter().filter(|record| record["half"] == true);
        assert_eq!(all["hits"][1], halves.count());
        let any = moves.iter().filter(|m| {
            ["full", "half", "area", "by_piece"]
                .iter()
                .any(|k| m[k] == true)
        });
        assert_eq!(all["any"], any.count());
        assert!(moves.iter().all(|record| record["level"].is_string()));
        assert!(moves.iter().any(|record| record["move"] == 2));
        assert!(
            moves
                .iter()
                .all(|record| record["move"].as_u64() >= Some(2))
        );
    }
    let (markdown, html) = (read(&out, "report.md"), read(&out, "report.html"));
    for words in [
        "Table 5: the ten most popular setups of Gold",
        "Tables 6 and 8 to 11: time of a question",
        "Table 12, McKee 2014",
        "Table 12, Hathi: ",
        "Figure 8 of the thesis",
        "Figure 11 of the thesis",
        "Figure 12 of the thesis",
        "Time of a turn",
        "Win rate by memory",
        "Where it differs, and why",
        "19,398",
        "15,947,465",
        "30.416 %",
    ] {
        assert!(markdown.contains(words), "{words}:\n{markdown}");
        assert!(html.contains(words), "{words}");
    }
    // His second row as printed, by his formula, its last term, and the union.
    let row =
        "| 6-10 | 0.904 % | 11.06 % | 28.32 % | 34.8 % | 21.99 % | 43.8 % | 22.0 % | 58.8 % |";
    assert!(markdown.contains(row), "{markdown}");
    for number in 8..=12 {
        let svg = read(&out, &format!("figure-{number}.svg"));
        assert!(svg.starts_with("<svg ") && svg.contains("McKee 2014"));
        assert!(markdown.contains(&format!("(figure-{number}.svg)")));
    }
    assert_eq!(html.matches("<svg ").count(), 7);
    assert!(
        !html.contains("http:") || html.matches("http:").count() == 7,
        "only the SVG names"
    );
    // Asked again there is nothing left to do, and a larger number adds games.
    let results = read(&out, "matches/mimic/results.jsonl");
    let summary = self::summary(&paper(&store, &out, "6", &more));
    assert_eq!(summary["matches"][1]["games"], 6);
    assert!(read(&out, "matches/mimic/results.jsonl").starts_with(&results));
}

#[test]
fn killed_and_interrupted_it_goes_on() {
    let (folder, store) = with_store("paper-resume");
    let (out, whole) = (inside(&folder, "out"), inside(&folder, "whole"));
    let more = ["--memory-games", "2", "--sizes", "1/2", "--ratings", "1500"];
    let args = paper(&store, &out, "10", &more);
    let results = Path::new(&out).join("matches/mimic-2014/results.jsonl");
    // Killed without warning.
    let mut child = start(&args);
    wait_for_games(&mut child, &results, 2);
    child.kill().expect("a child");
    child.wait().expect("a child");
    let kept = fs::read_to_string(&results).expect("results");
    // Stopped politely, in another match.
    let second = Path::new(&out).join("matches/mimic/results.jsonl");
    let mut child = start(&args);
    wait_for_games(&mut child, &second, 1);
    let asked = Process::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(asked.expect("kill").success());
    let status = child.wait().expect("a child");
    // It may have been done just before it heard.
    if status.code() == Some(130) {
        assert!(read(&out, "report.md").contains("This experiment was interrupted"));
    }
    let summary = summary(&args);
    assert_eq!(summary["complete"], true);
    assert!(!read(&out, "report.md").contains("This experiment was interrupted"));
    // Nothing was played twice, and it came out as if nothing had happened.
    let complete = kept.rfind('\n').map_or(0, |end| end + 1);
    assert!(complete > 0);
    let now = fs::read_to_string(&results).expect("results");
    assert!(now.starts_with(&kept[..complete]));
    assert_eq!(now.lines().count(), 10);
    let undisturbed = self::summary(&paper(&store, &whole, "10", &more));
    assert_eq!(fixed(&summary), fixed(&undisturbed));
}

fn start(args: &[&str]) -> Child {
    Process::new(cargo_bin!("hathi"))
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs")
}

/// Until so many games are finished, or the program is.
fn wait_for_games(child: &mut Child, results: &Path, games: usize) {
    let started = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        let lines = fs::read_to_string(results).map_or(0, |text| text.lines().count());
        if lines >= games {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(120), "no game ends");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let (folder, store) = with_store("paper-refused");
    let out = inside(&folder, "out");
    refused(&paper(&store, &out, "3", &[]), &["--games 3", "even"]);
    refused(
        &paper(&store, &out, "2", &["--memory-games", "1"]),
        &["--memory-games 1", "even"],
    );
    refused(&paper(&store, &out, "2", &["--sizes", "2"]), &["1/8"]);
    refused(
        &paper(&store, &out, "2", &["--memory-players", "fairy"]),
        &["mimic-2014 or mimic"],
    );
    let args = |seed| paper(&store, &out, "0", &["--memory-games", "0", "--seed", seed]);
    let nothing = summary(&args("1"));
    assert_eq!(nothing["matches"][0]["games"], 0);
    assert!(read(&out, "report.md").contains("No games have been played yet."));
    refused(&args("2"), &["another seed: 1, now 2", "--out"]);
}

/// What 65 % takes, against the weakest opponent alone: all parts of the report, and
/// nothing is played twice.
#[test]
fn what_it_takes_to_win() {
    let (folder, store) = with_store("paper-dose");
    let out = inside(&folder, "out");
    let mut args = vec![
        "paper",
        "mckee",
        "--dose",
        "2",
        "--opponents",
        "1",
        "--json",
    ];
    args.extend(["--concurrency", "2", "--store", &store, "--out", &out]);
    let first = summary(&args);
    assert_eq!(first["complete"], true);
    let oracles = first["oracles"].as_array().expect("oracles");
    let names: Vec<_> = oracles
        .iter()
        .map(|oracle| oracle["name"].as_str())
        .collect();
    assert_eq!(names, ["greedy", "fairy", "hathi"].map(Some));
    for oracle in oracles {
        let cells = oracle["cells"].as_array().expect("cells");
        // So few games leave 65 % open at most chances.
        assert!((2..=10).contains(&cells.len()), "{oracle}");
        let chances: Vec<_> = cells
            .iter()
            .filter_map(|cell| cell["chance"].as_f64())
            .collect();
        assert!(
            chances.is_sorted() && chances.contains(&0.57),
            "{chances:?}"
        );
        for cell in cells {
            assert_eq!(cell["games"], 2);
            let wins = cell["wins"].as_u64().expect("wins");
            assert!(wins <= 2);
        }
    }
    let readings = first["readings"].as_array().expect("readings");
    assert_eq!(readings.len(), 32);
    let letter = &readings[0];
    assert_eq!(letter["readings"], "letter, trap, top, own, random");
    assert_eq!(letter["match"]["opponent"], "random");
    assert!(
        readings
            .iter()
            .all(|reading| reading["match"]["games"] == 2)
    );
    // One source: the memory by size alone.
    assert_eq!(first["memories"].as_array().map(Vec::len), Some(3));
    let report = read(&out, "dose/report.md");
    for words in [
        "What it comes to",
        "The reading that fits all his figures best",
        "Games won by p",
        "The readings nearest to his figures",
        "`replay=square`",
        "1/8 of all games, by chance",
        "(contour.svg)",
    ] {
        assert!(report.contains(words), "{words}:\n{report}");
    }
    assert!(read(&out, "dose/contour.svg").starts_with("<svg "));
    let results =
        Path::new(&out).join("dose/readings/letter-trap-top-own-random-random/results.jsonl");
    let before = fs::read_to_string(&results).expect("results");
    assert_eq!(summary(&args)["oracles"], first["oracles"]);
    assert_eq!(fs::read_to_string(&results).expect("results"), before);
    refused(
        &[
            "paper", "mckee", "--dose", "3", "--store", &store, "--out", &out,
        ],
        &["give an even number"],
    );
}

/// His database gives the answers that ours does, in a file and on a server.
#[test]
fn his_database_is_a_control() {
    let (folder, store) = with_store("paper-control");
    let out = inside(&folder, "out");
    let mut args = vec![
        "paper",
        "mckee",
        "--control",
        "6",
        "--json",
        "--store",
        &store,
    ];
    args.extend(["--out", &out]);
    let server = std::env::var("HATHI_POSTGRES").unwrap_or_default();
    if !server.is_empty() {
        args.extend(["--server", &server]);
    }
    let summary = summary(&args);
    assert_eq!(summary["complete"], true);
    let databases = summary["databases"].as_array().expect("databases").len();
    assert_eq!(databases, 1 + usize::from(!server.is_empty()));
    let questions = summary["questions"].as_array().expect("questions");
    assert_eq!(questions.len(), 6);
    for question in questions {
        assert_eq!(question["different"], 0, "{question}");
        assert_eq!(
            question["sql_seconds"].as_array().map(Vec::len),
            Some(databases)
        );
    }
    let markdown = read(&out, "control/report.md");
    for words in [
        "MySQL 5.5.31",
        "area by piece",
        "20.0 s",
        "6 of 6",
        "SQLite 3.",
    ] {
        let words = words.replace("6 of 6", &format!("{0} of {0}", 6 * databases));
        assert!(markdown.contains(&words), "{words}:\n{markdown}");
    }
    assert!(!Path::new(&out).join("control/his.db").exists());
    refused(
        &[
            "paper",
            "mckee",
            "--control",
            "--server",
            "x.db",
            "--store",
            &store,
        ],
        &["--server takes postgres://"],
    );
}

/// Trippen's paper: every part is in the report, and it is not done twice.
#[test]
fn rats_claims_stand_beside_ours() {
    let folder = folder("paper-rat");
    let out = inside(&folder, "out");
    let args = [
        "paper",
        "rat",
        "--games",
        "0",
        "--games-2",
        "0",
        "--hostages",
        "1",
        "--positions",
        "3",
        "--counted",
        "1",
        "--playouts",
        "20",
        "--out",
        &out,
        "--json",
    ];
    let first = summary(&args);
    assert_eq!(first["complete"], true);
    assert_eq!(first["surveys"].as_array().map(Vec::len), Some(4));
    assert_eq!(first["handicaps"][0]["playouts"], 20);
    let hostages = first["matches"].as_array().expect("matches").iter();
    let games: Vec<_> = hostages
        .filter(|played| played["part"] == "hostages")
        .map(|played| played["games"].as_u64())
        .collect();
    assert_eq!(games, [Some(2); 3]);
    let again = summary(&args);
    for key in ["matches", "branching", "handicaps"] {
        assert_eq!(first[key], again[key], "{key}");
    }
    let markdown = read(&out, "report.md");
    for words in [
        "Candidates of a position",
        "Figure 1 (a): turns possible by move",
        "41,939",
        "Games of `rat`",
        "Games from hostage positions",
        "rat:strict=on",
        "without the flash-kidnapping",
        "is an elephant worth less than a rabbit?",
    ] {
        assert!(markdown.contains(words), "{words}:\n{markdown}");
    }
    refused(&["paper", "rat", "--games", "3"], &["give an even number"]);
    let mut other = args;
    other[11] = "2";
    refused(&other, &["another games counted: 1, now 2"]);
}

/// Carlini's thesis: every part is in the report, from samples, an archive or a store, and it
/// goes on where it stopped.
#[test]
fn carlinis_claims_stand_beside_ours() {
    let (folder, store) = with_store("paper-carlini");
    let out = inside(&folder, "out");
    let args = |games: &'static str| {
        [
            "paper",
            "carlini",
            "--games",
            games,
            "--positions",
            "5",
            "--rounds",
            "1",
            "--json",
            "--out",
        ]
    };
    let samples: Vec<&str> = args("2").into_iter().chain([out.as_str()]).collect();
    let first = summary(&samples);
    assert_eq!(first["complete"], true);
    let games = first["games"].as_str().expect("games");
    assert!(
        games.starts_with("2 games, drawn from 232: the samples"),
        "{games}"
    );
    assert_eq!(first["bytes"]["his"], 96);
    assert_eq!(first["bytes"]["packed"], 32);
    assert_eq!(first["branching"]["games"], 2);
    assert_eq!(first["speed"].as_array().map(Vec::len), Some(3));
    for compared in first["compared"].as_array().expect("functions") {
        let wrong = ["pull", "pullFull"].contains(&compared["function"].as_str().expect("a name"));
        assert!(wrong || compared["differ"] == 0, "{compared}");
    }
    // What was counted stays; a line that was cut off is counted again.
    let lines = Path::new(&out).join("turns.jsonl");
    let whole = fs::read_to_string(&lines).expect("counts");
    fs::write(&lines, &whole[..whole.len() - 3]).expect("cut off");
    assert_eq!(summary(&samples)["branching"], first["branching"]);
    assert_eq!(fs::read_to_string(&lines).expect("counts"), whole);
    let markdown = read(&out, "report.md");
    for words in [
        "the samples that come with Hathi",
        "His drawings",
        "intersects own pieces with enemies",
        "20,000 (assumed)",
        "64,864,800",
        "twelve bitboards: his | 96",
        "four planes: ours on disk | 32",
        "Mailbox and bitboards, in one run",
    ] {
        assert!(markdown.contains(words), "{words}:\n{markdown}");
    }
    assert!(read(&out, "drawings.svg").contains("pushed(GH)"));
    let others: Vec<&str> = args("3").into_iter().chain([out.as_str()]).collect();
    refused(&others, &["another games"]);
    let out = inside(&folder, "out-of-store");
    let stored = args("1")
        .into_iter()
        .chain([out.as_str(), "--store", &store]);
    let stored = summary(&stored.collect::<Vec<_>>());
    let games = stored["games"].as_str().expect("games");
    assert!(games.contains("the store"), "{games}");
    refused(
        &["paper", "carlini", "/nowhere/allgames.txt", "--out", &out],
        &["/nowhere/allgames.txt"],
    );
}
