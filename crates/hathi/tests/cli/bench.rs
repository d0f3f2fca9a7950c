//! `hathi bench`: that it runs and says what it should. How fast it is
//! depends on the machine.

use crate::common::{folder, hathi, inside, json, refused};

#[test]
fn the_rules_are_measured() {
    let args = ["bench", "rules", "--seconds", "0.05", "--json"];
    let output = hathi(&args).output().expect("runs");
    assert_eq!(output.status.code(), Some(0));
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(results["corpus"]["source"], "playouts");
    let measures = results["measures"].as_array().expect("a list");
    let names: Vec<_> = measures
        .iter()
        .filter_map(|measure| measure["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "distinct turns",
            "single steps",
            "can goal",
            "captures",
            "replay"
        ]
    );
    for measure in measures {
        assert!(
            measure["value"].as_f64().is_some_and(|value| value > 0.0),
            "{measure}"
        );
    }
}

/// What a search looks at is the same on every machine and in every run. It
/// changes when the search, its order of steps, its evaluation or the positions
/// do: then look at whether that was meant, and write the new count here.
#[test]
fn a_search_to_a_fixed_depth_looks_at_the_same_positions() {
    let args = [
        "bench",
        "engine",
        "--engine",
        "fairy:hash=16",
        "--depth",
        "4",
        "--time",
        "0.001",
        "--json",
    ];
    let results = json(&args);
    assert_eq!(results["corpus"]["source"], "playouts");
    assert_eq!(results["fixed"]["depth"], 4);
    assert_eq!(results["fixed"]["nodes"], PINNED_NODES, "{results}");

    let by_network = args.map(|arg| {
        if arg.starts_with("fairy") {
            "hathi:hash=16"
        } else {
            arg
        }
    });
    let leaf = &results["leaf"];
    assert!(leaf["evaluations"].as_u64() > Some(1_000), "{results}");
    assert!(leaf["nanoseconds"].as_f64() > Some(1.0), "{results}");
    let evaluations = leaf["evaluations"].clone();
    let results = json(&by_network);
    assert_eq!(
        results["leaf"]["evaluations"], evaluations,
        "the same boards"
    );
    assert_eq!(
        results["fixed"]["nodes"],
        hathi_engine::PINNED_POSITIONS,
        "kept reviews are older now: write the new number in review.rs; {results}"
    );
}

/// Positions that `fairy` looks at, in the start and 20 middle games.
const PINNED_NODES: u64 = 112_950;

#[test]
fn without_an_evaluation_a_leaf_costs_nothing() {
    let args = ["bench", "engine", "--engine", "random", "--depth", "0"];
    let args = [&args[..], &["--time", "0.001", "--json"]].concat();
    assert!(json(&args)["leaf"].is_null());
    let words = hathi(&[
        "bench", "engine", "--engine", "greedy", "--depth", "0", "--time", "0.001",
    ])
    .output()
    .expect("runs");
    let words = String::from_utf8_lossy(&words.stdout).into_owned();
    assert!(words.contains("ns for a static evaluation"), "{words}");
}

#[test]
fn learned_ordering_is_measured() {
    let results = json(&["bench", "learn", "--seconds", "0.05", "--json"]);
    assert_eq!(results["corpus"]["source"], "playouts");
    let number = |key: &str| results[key].as_f64().expect(key);
    assert!(number("ms_per_position") > 0.0, "{results}");
    assert!(number("listing_ms_per_position") > 0.0, "{results}");
    assert!(number("ns_per_step") > 0.0, "{results}");
    assert!(number("turns_per_position") > number("steps_per_position"));
}

#[test]
fn choices_are_compared() {
    let args = [
        "bench",
        "choices",
        "fairy:hash=1",
        "fairy:hash=1",
        "random",
        "--positions",
        "24",
        "--nodes",
        "3000",
        "--judge-nodes",
        "3000",
        "--json",
    ];
    let results = json(&args);
    assert_eq!(results["positions"], 24);
    let engines = results["engines"].as_array().expect("a list");
    let number = |row: usize, key: &str| engines[row][key].as_f64().expect(key);
    // An engine is as good as itself; chance turns are worse.
    assert!(number(1, "difference").abs() < 1e-9, "{results}");
    assert!(number(1, "same") > 99.9, "{results}");
    assert!(
        number(2, "difference") + number(2, "error") < 0.0,
        "{results}"
    );
    assert_eq!(json(&args)["engines"][2]["chance"], engines[2]["chance"]);

    let silent = ["bench", "choices", "greedy", "--judge", "random"];
    refused(&silent, &["take another judge"]);
}

#[test]
fn forced_wins_that_are_seen_are_counted() {
    let folder = folder("bench-forced");
    let table = inside(&folder, "scored.tsv");
    // A goal at once and one not decided are passed over; then a rabbit that runs and cannot be met in
    // time, the same a turn later, and one that a dog can meet, whatever the table says.
    let rows = [
        "side\tboard\tscore",
        "g\t........R......r................................................\t999996",
        "g\t...............r................................R...............\t300",
        "g\t...............r........................R.......................\t999988",
        "s\t...............rR...............................................\t-999992",
        "s\t.........d.....rR...............................................\t-999992",
        "g\t........R.....................................................r.\t-2147483648",
        "g\t........R.....................................................r.\t1000001",
    ];
    std::fs::write(&table, rows.join("\n")).expect("written");
    let results = json(&[
        "bench",
        "forced",
        &table,
        "hathi:hash=1",
        "random",
        "--nodes",
        "20000",
        "--json",
    ]);
    assert_eq!(results["positions"], 7);
    let row = |won: bool, steps: u64, positions: u64, seen: u64| serde_json::json!({"won": won, "steps": steps, "positions": positions, "seen": [seen, 0]});
    let rows = serde_json::json!([row(true, 12, 1, 1), row(false, 8, 2, 1)]);
    assert_eq!(results["rows"], rows, "{results}");
    let words = hathi(&["bench", "forced", &table, "--nodes", "500"])
        .output()
        .expect("runs");
    let words = String::from_utf8_lossy(&words.stdout).into_owned();
    assert!(
        words.contains("3 of 7 positions") && words.contains("lost in 8 steps"),
        "{words}"
    );

    let nothing = inside(&folder, "nothing.tsv");
    std::fs::write(&nothing, "side\tboard\tscore\n").expect("written");
    refused(&["bench", "forced", &nothing], &["is decided"]);
    refused(
        &["bench", "forced", &inside(&folder, "missing.tsv")],
        &["missing.tsv"],
    );
}

#[test]
fn scores_are_compared_by_results() {
    let folder = folder("bench-outcomes");
    let table = inside(&folder, "scored.tsv");
    // A goal at once and a result nobody knows are passed over. A rabbit that runs and cannot be met
    // in time is won for table and engine; then one that the opponent's cannot be kept from, which the
    // table does not know and the player got away with; then boards with a camel more.
    let ahead = "rrrrrrrrhdce.cdh................................HDCMECDHRRRRRRRR";
    let rows = [
        "side\tboard\tscore\twon\tgame".to_owned(),
        "g\t........R......r................................................\t999996\t1\t1"
            .to_owned(),
        format!("g\t{ahead}\t500\t\t1"),
        "g\t...............r........................R.......................\t999988\t1\t1"
            .to_owned(),
        "s\t...............rR...............................................\t-300\t1\t1"
            .to_owned(),
        format!("g\t{ahead}\t500\t1\t1"),
        format!("s\t{ahead}\t-500\t0\t2"),
        format!("s\t{ahead}\t-400\t1\t2"),
    ];
    std::fs::write(&table, rows.join("\n")).expect("written");
    let args = [
        "bench",
        "outcomes",
        &table,
        "hathi:hash=1",
        "--nodes",
        "2000",
    ];
    let args = [&args[..], &["--json"]].concat();
    let results = json(&args);
    let counts = ["positions", "left_out", "looked_at", "compared", "games"];
    let counts = counts.map(|key| results[key].as_u64().expect(key));
    assert_eq!(counts, [7, 2, 5, 3, 2], "{results}");
    let (own, engine) = (&results["scorers"][0], &results["scorers"][1]);
    assert_eq!(own["scorer"], "table");
    assert_eq!(own["won"], serde_json::json!({"calls": 1, "right": 1}));
    assert_eq!(engine["won"], own["won"], "{results}");
    assert_eq!(engine["lost"], serde_json::json!({"calls": 1, "right": 0}));
    let beside = serde_json::json!({"both": 1, "opposite": 0, "only_table": 0, "only_engine": 1});
    assert_eq!(engine["beside_table"], beside);
    assert!(own["difference"].is_null() && engine["error"].is_number());
    let loss = |row: &serde_json::Value| row["log_loss"].as_f64().expect("a loss");
    assert!((0.0..0.7).contains(&loss(own)), "{results}");
    let again = json(&args);
    assert_eq!(again["scorers"][1]["log_loss"], engine["log_loss"]);
    assert_eq!(again["scorers"][1]["error"], engine["error"]);

    let words = [
        "bench", "outcomes", &table, "--every", "2", "--nodes", "500",
    ];
    let words = hathi(&words).output().expect("runs");
    let words = String::from_utf8_lossy(&words.stdout).into_owned();
    assert!(
        words.contains("looked at 3 of 7 positions") && words.contains("one in 2; 1 left out"),
        "{words}"
    );
    assert!(words.contains("log loss of the 2 in 2 games"), "{words}");
}

#[test]
fn scores_without_results_are_refused() {
    let folder = folder("bench-outcomes-refused");
    let write = |name: &str, text: &str| {
        let path = inside(&folder, name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let row = "g\t...............r........................R.......................\t300";
    let bare = write("bare.tsv", &format!("side\tboard\tscore\n{row}\n"));
    refused(
        &["bench", "outcomes", &bare],
        &["bare.tsv", "a column named won"],
    );
    let odd = write("odd.tsv", &format!("side\tboard\tscore\twon\n{row}\tw\n"));
    refused(&["bench", "outcomes", &odd], &["line 2", "not a result"]);
    let empty = write("empty.tsv", "side\tboard\tscore\twon\n");
    refused(&["bench", "outcomes", &empty], &["no position to look at"]);
    let missing = inside(&folder, "missing.tsv");
    refused(&["bench", "outcomes", &missing], &["missing.tsv"]);
    let good = write("good.tsv", &format!("side\tboard\tscore\twon\n{row}\t1\n"));
    refused(
        &["bench", "outcomes", &good, "random"],
        &["random says nothing", "that search"],
    );
    refused(&["bench", "outcomes", &good, "--every", "0"], &["--every"]);
}

#[test]
fn the_store_is_measured() {
    let folder = folder("bench-store");
    let plot = inside(&folder, "scale.svg");
    let report = json(&[
        "bench", "store", "--games", "160", "--plot", &plot, "--json",
    ]);
    let lines = report["lines"].as_array().expect("lines");
    for what in [
        "index built",
        "best hit, area by piece: median",
        "any pattern",
        "one finished game added",
        "and found by the next question",
        "setups",
    ] {
        let found = lines.iter().any(|line| {
            line["what"]
                .as_str()
                .is_some_and(|text| text.contains(what))
        });
        assert!(found, "{what} is missing in {report}");
    }
    // An SQLite file whose log was not written back yet has a single page.
    let sizes = lines
        .iter()
        .find(|line| line["what"] == "database and index");
    let sizes = sizes.and_then(|line| line["hathi"].as_str());
    assert!(
        sizes.is_some_and(|text| !text.starts_with("4.1 KB")),
        "{report}"
    );
    let eighths = report["eighths"].as_array().expect("eighths");
    let games: Vec<_> = eighths
        .iter()
        .map(|eighth| eighth["games"].as_u64())
        .collect();
    assert_eq!(games, [20, 40, 60, 80, 100, 120, 140, 160].map(Some));
    for eighth in eighths {
        let times = eighth["seconds"].as_array().expect("times");
        assert!(
            times
                .iter()
                .all(|time| time.as_f64().is_some_and(|t| t > 0.0))
        );
    }
    assert_eq!(eighths[7]["mckee"][4], 20.03);
    let drawing = std::fs::read_to_string(plot).expect("a drawing");
    assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"));
    assert_eq!(drawing.matches("<polyline").count(), 10);
    assert_eq!(
        drawing.matches("<text").count(),
        drawing.matches("</text>").count()
    );
}

#[test]
fn data_must_be_there() {
    refused(
        &["bench", "rules", "--data", "no-such-directory"],
        &["no-such-directory"],
    );
    let empty = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-archives");
    std::fs::create_dir_all(&empty).expect("a directory");
    let empty = empty.to_str().expect("UTF-8");
    refused(&["bench", "rules", "--data", empty], &["allgames*.txt"]);
}
