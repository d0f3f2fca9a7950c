//! `hathi learn train`, `evaluate` and `features`.

use crate::common::{START, file, folder, hathi, inside, json, refused, stdout};

/// A small archive: the same short game three times, as seen by a reader.
fn archive(name: &str) -> String {
    archive_of(name, 1..=3)
}

/// The same with as many games as there are numbers.
fn archive_of(name: &str, numbers: std::ops::RangeInclusive<u32>) -> String {
    let moves = "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
                 1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\\n\
                 2w Ee2n Ee3n Ee4n Hh2n\\n2b ed7s ed6s ed5s hh7s\\n\
                 3w Hh3w Hg3n Dg2n Ha2n\\n3b hh6s ha7s dg7s me7s\\n\
                 4w Ha3n Md2n Db2n Dg3e\\n4b ha6s db7s cc7w cf7e\\n5w";
    let header = "id\twrating\tbrating\tresult\ttermination\tmovelist\n".to_owned();
    let row = |id: u32| format!("{id}\t2200\t{}\tw\tr\t{moves}\n", 2050 + id * 50);
    let text = numbers.fold(header, |text, id| text + &row(id));
    file(name, text)
}

#[test]
fn a_model_is_trained_measured_and_the_same_each_time() {
    let games = archive("learn-games.txt");
    let folder = folder("learn-train");
    let paths = ["a.json", "b.json"].map(|name| inside(&folder, name));
    for path in &paths {
        let summary = json(&[
            "learn", "train", "--games", &games, "--others", "40", "-o", path, "--json",
        ]);
        assert_eq!(summary["games"], 3);
        assert_eq!(summary["positions"], 18);
    }
    let [a, b] = paths
        .clone()
        .map(|path| std::fs::read(path).expect("the model"));
    assert_eq!(a, b, "the same seed gives the same model");

    let evaluate = |model: &str, more: &[&str]| {
        let mut args = vec![
            "learn", "evaluate", "--model", model, "--games", &games, "--json",
        ];
        args.extend(more);
        json(&args)
    };
    // On what it was trained on it must do well.
    let own = evaluate(&paths[0], &["--protocol", "paper", "--min-rating", "2100"]);
    assert_eq!(own["positions"], 18);
    assert!(own["mean_percentile"].as_f64() > Some(95.0), "{own}");
    for key in ["top_1", "top_5", "top_10", "top_20", "ms_per_position"] {
        assert!(own[key].is_f64(), "{key}");
    }
    // Wu: without move 2, and without the loser's last two.
    let wu = evaluate("shipped", &["--protocol", "wu"]);
    assert_eq!(wu["positions"], 6);
    let strict = evaluate("shipped", &["--min-rating", "2150", "--protocol", "wu"]);
    assert_eq!(strict["games"], 2);
}

#[test]
fn all_methods_make_a_model() {
    let games = archive("learn-methods.txt");
    let folder = folder("learn-methods");
    for method in ["bayes", "logistic", "svm", "bradley-terry"] {
        for phases in ["one", "hard", "blended"] {
            let path = inside(&folder, &format!("{method}-{phases}.json"));
            hathi(&[
                "learn", "train", "--games", &games, "--method", method, "--phases", phases,
                "--others", "10", "--rounds", "1", "-o", &path,
            ])
            .assert()
            .success();
        }
    }
    let [one, other] = ["one.json", "other.json"].map(|name| {
        let path = inside(&folder, name);
        hathi(&[
            "learn", "train", "--games", &games, "--hidden", "--others", "40", "--hard", "20",
            "--rounds", "2", "-o", &path,
        ])
        .assert()
        .success();
        path
    });
    let [text, same] = [&one, &other].map(|path| std::fs::read(path).expect("the model"));
    assert_eq!(text, same, "the same seed gives the same hidden layer");
    let own = json(&[
        "learn", "evaluate", "--games", &games, "--model", &one, "--json",
    ]);
    assert!(own["mean_percentile"].as_f64() > Some(95.0), "{own}");
    // Two of the three games three times: other weights.
    let [plain, emphasized] =
        [("1", "plain.json"), ("3", "emphasized.json")].map(|(times, name)| {
            let path = inside(&folder, name);
            let summary = json(&[
                "learn",
                "train",
                "--games",
                &games,
                "--also",
                &games,
                "--emphasis",
                times,
                "--emphasis-rating",
                "2150",
                "--others",
                "20",
                "--json",
                "-o",
                &path,
            ]);
            assert_eq!(summary["games"], 6);
            assert_eq!(summary["positions"], 36);
            std::fs::read(&path).expect("the model")
        });
    assert_ne!(plain, emphasized);
    let steps = inside(&folder, "steps.json");
    hathi(&[
        "learn", "train", "--games", &games, "--unit", "step", "-o", &steps,
    ])
    .assert()
    .success();
    refused(
        &["learn", "evaluate", "--games", &games, "--model", &steps],
        &["ranks single steps"],
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let games = archive("learn-refused.txt");
    refused(
        &[
            "learn",
            "evaluate",
            "--games",
            &games,
            "--min-rating",
            "2500",
        ],
        &["no game has two players rated 2500 or more"],
    );
    refused(
        &["learn", "evaluate", "--games", &games, "--model", &games],
        &["not a model file"],
    );
    refused(
        &[
            "learn",
            "train",
            "--games",
            &games,
            "--without",
            "nonsense",
            "-o",
            "x.json",
        ],
        &["no group of features \"nonsense\""],
    );
    for (option, value) in [("--unit", "step"), ("--method", "svm")] {
        refused(
            &[
                "learn", "train", "--games", &games, "--hidden", option, value, "-o", "x.json",
            ],
            &["--hidden goes with --method bradley-terry and --unit turn only"],
        );
    }
    for (options, why) in [
        (&["--outlook"][..], "--outlook goes with --unit turn only"),
        (
            &["--selfplay", &games],
            "--selfplay goes with --unit turn only",
        ),
    ] {
        let mut args = vec![
            "learn", "train", "--games", &games, "--unit", "step", "-o", "x.json",
        ];
        args.extend(options);
        refused(&args, &[why]);
    }
    refused(
        &[
            "learn",
            "train",
            "--games",
            &games,
            "--selfplay",
            &games,
            "-o",
            "x.json",
        ],
        &["not a file of self-play"],
    );
}

#[test]
fn what_comes_of_a_turn_can_be_learned() {
    let games = archive("learn-outlook.txt");
    let folder = folder("learn-outlook");
    let path = inside(&folder, "outlook.json");
    hathi(&[
        "learn",
        "train",
        "--games",
        &games,
        "--people",
        &games,
        "--emphasis",
        "2",
        "--hidden",
        "--layers",
        "2",
        "--outlook",
        "--others",
        "30",
        "--hard",
        "20",
        "--pool",
        "200",
        "--rounds",
        "2",
        "-o",
        &path,
    ])
    .assert()
    .success();
    let own = json(&[
        "learn", "evaluate", "--games", &games, "--model", &path, "--json",
    ]);
    assert!(own["mean_percentile"].as_f64() > Some(95.0), "{own}");
}

#[test]
fn features_are_listed() {
    let text = stdout(&["learn", "features"]);
    assert!(text.contains("hanging"), "{text}");
    let rows = json(&["learn", "features", "--json"]);
    let rows = rows.as_array().expect("a list");
    let sum: u64 = rows.iter().filter_map(|row| row["features"].as_u64()).sum();
    assert!(text.replace(',', "").contains(&format!("{sum} features")));
}

#[test]
fn the_paper_on_ordering_goes_on_where_it_stopped() {
    let tested = archive("ordering-tested.txt");
    let also = archive_of("ordering-also.txt", 4..=12);
    let folder = folder("paper-ordering");
    let out = inside(&folder, "out");
    let with = |more: &[&str]| {
        let mut args = vec!["paper", "choksi", "--ordering", &tested, "--also", &also];
        args.extend(["--folds", "2", "--trials", "1", "--every", "3"]);
        args.extend(["--out", &out]);
        args.extend(more);
        args.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |more: &[&str]| {
        let args = with(more);
        json(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let whole = run(&["--concurrency", "2", "--json"]);
    assert_eq!(whole["games"], 3);
    assert_eq!(whole["also"], 9);
    assert_eq!(whole["models"].as_array().expect("models").len(), 20);
    assert_eq!(whole["curves"][0]["points"][0][0], 10);
    let place = folder.join("out").join("ordering");
    let parts = place.join("parts.jsonl");
    let all = std::fs::read_to_string(&parts).expect("what was done");
    assert_eq!(all.lines().count(), 6, "three kinds of models, two parts");

    // As if it had been killed: one part is there, another half, no point.
    let first = all.lines().next().expect("a part");
    let half = &all.lines().nth(1).expect("another")[..20];
    std::fs::write(&parts, format!("{first}\n{half}")).expect("cut");
    std::fs::remove_file(place.join("points.jsonl")).expect("points");
    std::fs::remove_file(place.join("report.md")).expect("a report");
    assert_eq!(run(&["--json"]), whole, "the same as in one go");
    let again = std::fs::read_to_string(&parts).expect("what was done");
    assert!(again.starts_with(&format!("{first}\n")), "kept");
    assert_eq!(again.lines().count(), 6);
    assert!(place.join("report.md").exists());

    let refused_with = |more: &[&str], reason: &str| {
        let args = with(more);
        refused(
            &args.iter().map(String::as_str).collect::<Vec<_>>(),
            &[reason],
        );
    };
    // What was done with another seed is something else, and so is what other
    // models did.
    refused_with(&["--seed", "2"], "another seed");
    let fewer = r#"{"fold":0,"kind":"contestants","ranks":[[]]}"#;
    std::fs::write(&parts, format!("{fewer}\n")).expect("written");
    refused_with(&[], "parts.jsonl holds results of other models");
}

/// A table of scored positions, as `--scored` wants it.
fn table(name: &str) -> String {
    let board = "rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR";
    let line = |place: usize| {
        let mut board = board.to_owned();
        board.replace_range(place..=place, "R");
        board.replace_range(63..64, ".");
        format!("g\t{board}\t{}\ns\t{board}\t-50\n", place * 10)
    };
    let lines: String = (16..48).map(line).collect();
    file(name, format!("side\tboard\tscore\n{lines}"))
}

#[test]
fn a_network_is_played_scored_trained_measured_and_played_by() {
    let table = table("learn-table.tsv");
    let folder = folder("learn-network");
    let [games, scored, network] =
        ["games.hsp", "scored.hsp", "n.net"].map(|name| inside(&folder, name));
    let play = |games_wanted: &str| {
        json(&[
            "learn",
            "selfplay",
            &games,
            "--games",
            games_wanted,
            "--nodes",
            "1500",
            "--longest",
            "30",
            "--engine",
            "hathi:hash=1",
            "--json",
        ])
    };
    let first = play("1");
    assert_eq!(first["games"], 1);
    // The same file goes on where it was.
    let both = play("2");
    assert_eq!(both["games"], 2);
    assert!(both["positions"].as_u64() >= first["positions"].as_u64());
    refused(
        &["learn", "selfplay", &games, "--seed", "9"],
        &["begun with other settings"],
    );

    let score = || {
        json(&[
            "learn",
            "score",
            &table,
            &scored,
            "--engine",
            "hathi:hash=1,depth=4",
            "--first",
            "8",
            "--json",
        ])
    };
    let positions = score();
    // A rabbit alone on a trap is no position.
    assert_eq!(positions["positions"], 6);
    assert_eq!(score(), positions, "nothing is left to do");
    refused(
        &["learn", "score", "no-table.tsv", &scored],
        &["no-table.tsv"],
    );
    let nonsense = file("learn-nonsense.tsv", "neither a table nor games\n");
    refused(
        &["learn", "score", &nonsense, &inside(&folder, "x.hsp")],
        &["learn-nonsense.tsv", "columns"],
    );
    // Positions of games, as they stand and some turns later.
    let near = |more: &[&str]| {
        let (name, all) = (more.join(""), [&["learn", "score", &games][..]].concat());
        let out = inside(&folder, &format!("near{name}.hsp"));
        let engine = ["--engine", "hathi:hash=1,depth=4", "--json"];
        let found = json(&[&all[..], &[&out], more, &engine].concat());
        found["positions"].as_u64().expect("a number")
    };
    let played = both["positions"].as_u64().expect("a number");
    let some = near(&["--first", "3"]);
    assert!(played >= 3, "searches that look far enough: {played}");
    assert_eq!(some, 3);
    assert!(near(&["--first", "3", "--away", "2", "--copies", "3"]) > some);
    // In the middle of a turn: most can be begun.
    assert!(near(&["--first", "3", "--within"]) >= 1);

    let trained = json(&[
        "learn", "network", &games, &scored, "--scored", &table, "--epochs", "1", "--batch", "32",
        "-o", &network, "--json",
    ]);
    let all = both["positions"].as_u64().unwrap_or(0) + 6 + 64;
    assert_eq!(trained["positions"].as_u64(), Some(all));
    let measured = json(&[
        "learn",
        "network",
        "--measure",
        &network,
        "--scored",
        &table,
        "--json",
    ]);
    assert!(
        measured.to_string().contains("rank_correlation"),
        "{measured}"
    );
    // Two that learn further from it, and their mean.
    let further = |name: &str, seed: &str| {
        let path = inside(&folder, name);
        let learned = json(&[
            "learn", "network", &games, "--from", &network, "--hold", "40", "--epochs", "1",
            "--seed", seed, "-o", &path, "--json",
        ]);
        assert!(learned["positions"].as_u64() > Some(0), "{learned}");
        path
    };
    let (one, other) = (further("one.net", "1"), further("other.net", "2"));
    let mean = inside(&folder, "mean.net");
    let made = json(&[
        "learn", "network", "--mean", &one, &other, "--name", "both", "-o", &mean, "--json",
    ]);
    assert_eq!(made["of"], 2);
    let measured = json(&[
        "learn",
        "network",
        "--measure",
        &mean,
        "--scored",
        &table,
        "--json",
    ]);
    let told = measured.to_string();
    assert!(
        told.contains("mean of 2") && told.contains("both"),
        "{told}"
    );
    refused(
        &["learn", "network", "--mean", &one, &network, "-o", &mean],
        &["learned further from the same one"],
    );
    // Which steps to try first, from the same games.
    let steps = inside(&folder, "mine.steps");
    let learned = json(&[
        "learn", "steps", &games, &scored, "--epochs", "1", "--batch", "32", "-o", &steps, "--json",
    ]);
    assert!(learned["points"].as_u64().unwrap_or(0) > 6, "{learned}");
    let measured = json(&["learn", "steps", &games, "--measure", &steps, "--json"]);
    assert_eq!(measured["kept_apart"], measured["points"]);
    assert!(measured["order"]["surprise"].as_f64().unwrap_or(0.0) > 0.1);
    for engine in ["hathi", "fairy", "uct"] {
        let engine = format!("{engine}:ordering={steps}");
        let answer = json(&[
            "analyse", START, "--engine", &engine, "--depth", "4", "--json",
        ]);
        assert_eq!(answer["depth"], 4);
    }
    refused(
        &["learn", "steps", &games, "--measure", &network],
        &["not a network of steps"],
    );
    refused(
        &[
            "learn",
            "steps",
            &network,
            "-o",
            &inside(&folder, "z.steps"),
        ],
        &["not a file of self-play"],
    );
    let engine = format!("hathi:ordering={network}");
    let output = hathi(&["analyse", START, "--engine", &engine, "--depth", "4"])
        .output()
        .expect("the binary runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("neither a network of steps"), "{message}");
    let engine = format!("hathi:network={network}");
    let answer = json(&[
        "analyse", START, "--engine", &engine, "--depth", "4", "--json",
    ]);
    assert_eq!(answer["depth"], 4);
    refused(
        &[
            "learn",
            "network",
            &network,
            "-o",
            &inside(&folder, "y.net"),
        ],
        &["not a file of self-play"],
    );
}

/// A quick `hathi learn margins`.
fn tuning<'a>(rounds: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let quick = ["--games", "2", "--nodes", "60", "--engine", "hathi:hash=1"];
    [&["learn", "margins", rounds][..], more, &quick].concat()
}

#[test]
fn margins_are_tuned_round_by_round_and_tuning_resumes() {
    let folder = folder("learn-margins");
    let rounds = inside(&folder, "rounds.jsonl");
    let knobs = ["--tune", "ahead:65:20:10", "known:1:0"];
    let first = stdout(&tuning(&rounds, &[&knobs[..], &["--rounds", "1"]].concat()));
    let told = [
        "1 round, 2 games, 60 positions a turn",
        "hathi arena new=hathi:hash=1,margins=ahead:",
    ];
    for words in told {
        assert!(first.contains(words), "{first}");
    }
    let three = [&knobs[..], &["--rounds", "3", "--json"]].concat();
    let more = json(&tuning(&rounds, &three));
    assert_eq!((&more["rounds"], &more["games"]), (&3.into(), &6.into()));
    assert_eq!(more["values"][1]["value"], 1.0);
    // Another tuning does not go into the same file, and names are checked.
    for (tune, why) in [
        ("ahead:65:10", "another tuning"),
        ("bread:1:1", "option margins is"),
        ("ahead", "NAME:START:REACH"),
    ] {
        refused(&tuning(&rounds, &["--tune", tune]), &[why]);
    }
}

#[test]
fn setups_meet_each_other_and_their_results_make_a_table() {
    let folder = folder("learn-setups");
    let (games, out) = (inside(&folder, "setups.hsp"), inside(&folder, "out.tsv"));
    let listed = file(
        "learn-setups.tsv",
        "# mine\nRRRDDRRR RHCMECHR\nRRRCCRRR RHDMEDHR\n",
    );
    let run = |games_wanted: &str| {
        json(&[
            "learn",
            "setups",
            &games,
            "--setups",
            &listed,
            "--games",
            games_wanted,
            "--engine",
            "greedy",
            "--nodes",
            "300",
            "-o",
            &out,
            "--json",
        ])
    };
    assert_eq!(run("2")["games"], 2);
    let whole = run("4");
    assert_eq!(whole["games"], 4);
    let written = std::fs::read_to_string(&out).expect("a table");
    assert!(written.starts_with("# back row"), "{written}");
    for row in whole["setups"].as_array().expect("setups") {
        let line = format!(
            "{} {} {} {} {} {}\n",
            row["back"].as_str().expect("a row"),
            row["front"].as_str().expect("a row"),
            row["gold_won"],
            row["gold_games"],
            row["silver_won"],
            row["silver_games"]
        );
        assert!(written.contains(&line), "{line} {written}");
    }
    // What was written can be read again.
    let again = ["learn", "setups", &games, "--setups", &out, "--games", "4"];
    let more = ["--engine", "greedy", "--nodes", "300", "--json"];
    assert_eq!(json(&[&again[..], &more].concat()), whole);
    refused(
        &[
            "learn", "setups", &games, "--setups", &listed, "--games", "4",
        ],
        &["begun with other settings"],
    );
    let bad = file("learn-setups-bad.tsv", "RRRDDRRR RHCMECHX\n");
    refused(&["learn", "setups", &games, "--setups", &bad], &["line 1"]);
}
