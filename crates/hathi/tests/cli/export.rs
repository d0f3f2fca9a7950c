//! `hathi export`.

use std::collections::HashSet;
use std::ops::ControlFlow;

use hathi_archive::{ArchiveReader, Replayer};
use hathi_rules::Side;
use serde_json::Value;

use crate::common::{folder, hathi, inside, json, python, refused};
use crate::fixture::fixture;

#[test]
fn an_export_can_be_imported() {
    let fixture = fixture("store-export");
    let second = fixture.inside("second.db");
    for name in ["all.txt", "all.txt.gz", "all.txt.zst"] {
        let all = fixture.inside(name);
        fixture
            .assert(&["export", "-o", &all])
            .success()
            .stdout_eq("5 games written.\n");
        let _ = std::fs::remove_file(&second);
        let _ = std::fs::remove_file(format!("{second}.index"));
        let summary = json(&["import", &all, "--store", &second, "--json"]);
        // What was broken had been left out already.
        assert_eq!(
            (&summary["stored"], &summary["shortened"]),
            (&5.into(), &0.into())
        );
        let (one, other) = (
            fixture.json(&["stats"]),
            json(&["stats", "--store", &second, "--json"]),
        );
        for key in ["games", "positions", "players", "results"] {
            assert_eq!(one[key], other[key], "{key}");
        }
    }
    let some = fixture.stdout(&["export", "--player", "bot_one", "-o", "-"]);
    assert_eq!(some.lines().count(), 3);
    let again = hathi(&["import", "-", "--json", "--store", &second])
        .stdin(some)
        .output()
        .expect("runs");
    let again: Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(again["duplicates"], 2);
    fixture.assert(&["export", "--bots", "-o", "-"]).code(1);
    refused(
        &fixture.args(&["export", "-o", &fixture.store]),
        &["the store itself"],
    );
    assert_eq!(fixture.json(&["stats"])["games"], 5);
}

/// Every row against the archive itself, replayed here; read by DuckDB, which
/// knows nothing of us.
#[test]
fn parquet_is_read_by_duckdb() {
    let folder = folder("export-duckdb");
    let path = |name| inside(&folder, name);
    let (archive, store) = (path("games.txt"), path("hathi.db"));
    let (games, positions) = (path("games.parquet"), path("positions.parquet"));
    hathi(&["synth", "--games", "150", "--seed", "3", "-o", &archive])
        .assert()
        .success();
    hathi(&["import", "--no-index", &archive, "--store", &store])
        .assert()
        .success();
    let written = json(&[
        "export",
        "-o",
        &games,
        "--positions",
        &positions,
        "--store",
        &store,
        "--json",
    ]);
    assert_eq!(written["games"], 150);
    let Some(text) = python("duckdb", "positions.py", &[&games, &positions]) else {
        return;
    };
    let mut rows = text.lines();
    let counts: Vec<u64> = rows
        .next()
        .expect("counts")
        .split('\t')
        .map(|count| count.parse().expect("a number"))
        .collect();
    let (mut number, mut steps) = (0, 0);
    let mut boards = HashSet::new();
    let mut replayer = Replayer::new();
    let reader = ArchiveReader::open([&archive]).expect("an archive");
    let end: ControlFlow<()> = reader.for_each(|row| {
        let row = row.expect("a row");
        let game = row.to_game();
        let replayed = replayer.replay(&row);
        let turns = replayed.game.turns();
        let positions = replayed.game.positions();
        for (ply, turn) in turns.iter().enumerate() {
            let rating = |side| {
                game.players[side]
                    .rating
                    .map_or("-".to_owned(), |r| r.to_string())
            };
            let board = positions[ply].board().short_form().replace(' ', "-");
            // Gold's setup is 1, so is Silver's.
            let all_of_mover = 1 + (turns.len() + 1 - ply % 2) / 2;
            let expected = [
                game.id.number().to_string(),
                (ply / 2 + 2).to_string(),
                ["g", "s"][ply % 2].to_owned(),
                rating(Side::Silver),
                rating(Side::Gold),
                game.result
                    .map_or("-".to_owned(), |side| side.to_char().to_string()),
                board[1..65].to_owned(),
                turn.to_string(),
                all_of_mover.to_string(),
            ];
            assert_eq!(rows.next(), Some(expected.join("\t").as_str()));
            boards.insert(board);
            number += 1;
            steps += turn.len() as u64;
        }
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(rows.next(), None);
    let different = boards.len() as u64;
    assert_eq!(
        counts,
        [
            number, 150, steps, different, different, 32, 32, 150, number, number
        ]
    );
    assert_eq!(written["positions"], number);
}

/// The same patterns have the same counts in folders by year, where DuckDB
/// compares characters of boards, and in the store.
#[test]
fn parquet_by_year_answers_as_the_store_does() {
    let folder = folder("export-years");
    let path = |name| inside(&folder, name);
    let (archive, store) = (path("games.txt"), path("hathi.db"));
    let (games, positions) = (path("games"), path("positions"));
    hathi(&["synth", "--games", "300", "--seed", "5", "-o", &archive])
        .assert()
        .success();
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    let export = [
        "export",
        "--by-year",
        "-o",
        &games,
        "--positions",
        &positions,
        "--store",
        &store,
        "--json",
    ];
    let written = json(&export);
    assert_eq!(written["games"], 300);
    // What is there already would be read as well.
    refused(&export, &["not empty"]);
    let by_year = ["--by-year", "--store", &store];
    for (args, words) in [
        (
            vec!["export", "-o", "x", "--format", "archive"],
            "Parquet only",
        ),
        (vec!["export", "-o", "/nowhere/at/all"], "cannot write"),
    ] {
        refused(&[args.as_slice(), &by_year].concat(), &[words]);
    }
    let years = std::fs::read_dir(&games).expect("a folder").count();
    assert!(years > 5, "{years} years");
    let patterns = ["Ee4 g", "Ed4 rc6 s", "Hb3 Mg3 g", "ea4 Ea5 s", "ee8 g"];
    let args = [&[positions.as_str()], &patterns[..]].concat();
    let Some(text) = python("duckdb", "years.py", &args) else {
        return;
    };
    let mut lines = text.lines();
    let mut rows = 0;
    for line in lines.by_ref().take(years) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[2], "True", "{line}");
        rows += words[1].parse::<u64>().expect("a number");
    }
    assert_eq!(written["positions"], rows);
    // The smallest board by bytes says nothing.
    assert_eq!(lines.next(), Some("board"));
    let mut found = 0;
    for (pattern, line) in patterns.iter().zip(lines) {
        let counts: Vec<u64> = line
            .split(' ')
            .take(2)
            .map(|count| count.parse().expect("a number"))
            .collect();
        let pattern = format!("{pattern} to move");
        let ask = |matching: &[&str]| {
            let args = ["find", "--pattern", &pattern, "--store", &store, "--json"];
            json(&[&args, matching].concat())["hits"].clone()
        };
        assert_eq!(ask(&["--literal"]), counts[0], "{pattern}");
        assert_eq!(ask(&[]), counts[1], "{pattern}");
        found += counts[1];
    }
    assert!(found > 100, "{found} found");
}

#[test]
fn parquet_of_some_games() {
    let fixture = fixture("export-parquet");
    let (games, positions) = (fixture.inside("some.parquet"), fixture.inside("p.parquet"));
    fixture
        .assert(&[
            "export",
            "-o",
            &games,
            "--positions",
            &positions,
            "--player",
            "bot_one",
        ])
        .success()
        .stdout_eq("2 games and 5 positions written.\n");
    for file in [&games, &positions] {
        let bytes = std::fs::read(file).expect("a file");
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    }
    // No games are a table without rows.
    fixture
        .assert(&["export", "--format", "parquet", "-o", &games, "--bots"])
        .code(1)
        .stdout_eq("0 games written.\n");
    let left: Vec<_> = std::fs::read_dir(&fixture.folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().ends_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let store = fixture.store.as_str();
    for (args, words) in [
        (vec!["-o", "-", "--format", "parquet"], "needs a file"),
        (
            vec!["-o", "x.txt", "--positions", "p.parquet"],
            "Parquet only",
        ),
        (vec!["-o", &games, "--positions", &games], "the same file"),
        (vec!["-o", &games, "--positions", store], "the store itself"),
        (vec!["-o", "/nowhere/at/all.parquet"], "cannot write"),
        (vec!["-o", "/dev/null", "--format", "parquet"], "not a file"),
    ] {
        refused(
            &fixture.args(&[&["export"], args.as_slice()].concat()),
            &[words],
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_export_that_fails_leaves_nothing_behind() {
    let folder = crate::common::folder("export-fails");
    let (archive, store) = (inside(&folder, "many.txt"), inside(&folder, "games.db"));
    hathi(&["synth", "--games", "200", "--seed", "8", "-o", &archive])
        .assert()
        .success();
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    let folder = crate::common::folder("export-fails-out");
    let output = inside(&folder, "games.txt");
    std::fs::write(&output, "what was there before").expect("a file");
    // A file may have 40 kilobytes, enough for what SQLite keeps beside a store:
    // the disk is full soon.
    let run = |limit: &str| {
        let args = ["export", "-o", &output, "--store", &store];
        std::process::Command::new("sh")
            .args([
                "-c",
                &format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\""),
            ])
            .arg(snapbox::cmd::cargo_bin!("hathi"))
            .args(args)
            .output()
            .expect("sh runs")
    };
    let failed = run("80");
    let message = String::from_utf8_lossy(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1), "{message}");
    assert!(
        message.contains("cannot write") && message.contains("games.txt"),
        "{message}"
    );
    let names: Vec<_> = std::fs::read_dir(&folder)
        .expect("a folder")
        .flatten()
        .map(|file| file.file_name())
        .collect();
    assert_eq!(names, ["games.txt"]);
    assert_eq!(
        std::fs::read_to_string(&output).expect("a file"),
        "what was there before"
    );
    assert_eq!(run("unlimited").status.code(), Some(0));
    assert!(
        std::fs::read_to_string(&output)
            .expect("a file")
            .contains("movelist")
    );
}
