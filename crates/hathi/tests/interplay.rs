//! Hathi's engines with the real tools of the field, the Python package `aei`: its
//! tournament program plays whole games with them, its analysis asks them
//! about a position. No warnings, no illegal moves, nobody out of time.
//!
//! `HATHI_PYTHON` is a Python that can import pyrimaa; `./test` sets it.
//! Without one the tests are skipped, unless `CI` is set.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use snapbox::cmd::cargo_bin;

fn python() -> Option<String> {
    let python = std::env::var("HATHI_PYTHON").ok();
    if python.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "HATHI_PYTHON is not set; ./test sets it"
        );
        eprintln!("skipped: HATHI_PYTHON is not set (./test sets it)");
    }
    python
}

fn hathi(engine: &str) -> String {
    format!("'{}' aei --engine {engine}", cargo_bin!("hathi").display())
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn run(python: &str, folder: &Path, args: &[&str]) -> (Output, String) {
    let output = Command::new(python)
        .arg("-m")
        .args(args)
        .current_dir(folder)
        // Nobody's real store is to be asked.
        .env("HATHI_STORE", folder.join("none.db"))
        .output()
        .expect("Python runs");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    (output, text)
}

/// Nothing a user would have to worry about.
fn assert_calm(text: &str) {
    for word in [
        "Warning",
        "Error",
        "Traceback",
        "Illegal",
        "WARNING",
        "Unexpected",
    ] {
        assert!(!text.contains(word), "{word}:\n{text}");
    }
}

#[test]
fn their_tournament_plays_whole_games() {
    let Some(python) = python() else { return };
    let folder = folder("roundrobin");
    let config = format!(
        "[global]\nrounds = 2\ntimecontrol = 2s/2s/100/10s/0/8s\nstrict_setup = true\n\
         loglevel = INFO\nbots = fairy greedy random simple\n\
         [fairy]\ncmdline = {}\nbot_hash = 8\nbot_depth = 4\n\
         [greedy]\ncmdline = {}\n\
         [random]\ncmdline = {}\nbot_seed = 3\n\
         [simple]\ncmdline = '{python}' -m pyrimaa.simple_engine\n",
        hathi("fairy"),
        hathi("greedy"),
        hathi("random"),
    );
    std::fs::write(folder.join("games.cfg"), config).expect("a file");
    let args = ["pyrimaa.roundrobin", "--config", "games.cfg"];
    let (output, text) = run(&python, &folder, &args);
    assert!(output.status.success(), "{text}");
    assert_calm(&text);
    let games: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(" beat "))
        .collect();
    assert_eq!(games.len(), 12, "{text}");
    for game in games {
        let on_board = ["of g ", "of e ", "of m "];
        assert!(on_board.iter().any(|end| game.contains(end)), "{game}");
        let weaker = game.starts_with("random beat fairy") || game.starts_with("simple beat fairy");
        assert!(!weaker, "{game}");
    }
    assert!(text.contains("After round 2"), "{text}");
    for name in ["fairy", "greedy", "random"] {
        let line = text
            .lines()
            .rfind(|line| line.starts_with(&format!("{name} has")));
        assert!(
            line.is_some_and(|line| line.contains("0 timeouts")),
            "{line:?}"
        );
    }
}

/// At two seconds a turn an engine without any other limit has to watch the
/// clock itself.
#[test]
fn the_clock_is_watched() {
    let Some(python) = python() else { return };
    let folder = folder("clock");
    let config = format!(
        "[global]\nrounds = 1\ntimecontrol = 2s/0/0/0/5t\nstrict_setup = true\n\
         bots = one two\n[one]\ncmdline = {0}\n[two]\ncmdline = {0}\n",
        hathi("fairy"),
    );
    std::fs::write(folder.join("games.cfg"), config).expect("a file");
    let args = ["pyrimaa.roundrobin", "--config", "games.cfg"];
    let (_, text) = run(&python, &folder, &args);
    // Its limit in turns trips over itself when nobody is ahead in pieces;
    // by then ten moves were in time.
    let known = text.contains("limit_winner");
    assert!(known || text.contains("because of s"), "{text}");
    assert!(!text.contains("because of t"), "{text}");
}

#[test]
fn their_analysis_asks_about_a_position() {
    let Some(python) = python() else { return };
    let folder = folder("analyze");
    let config = format!(
        "[global]\ndefault_engine = fairy\nstrict_checks = true\n\
         [fairy]\ncmdline = {}\nbot_depth = 5\npost_pos_moveused = 0\n",
        hathi("fairy"),
    );
    std::fs::write(folder.join("analyze.cfg"), config).expect("a file");
    let position = "12g\n +-----------------+\n8| . . . r . . . r |\n7| r . d . . . . . |\n\
                    6| . M r . . x . . |\n5| . . h E . h . . |\n4| . e . . . H . R |\n\
                    3| . D x . . x r . |\n2| R . C . . . . . |\n1| . C . . R . . . |\n \
                    +-----------------+\n   a b c d e f g h\n";
    std::fs::write(folder.join("position.txt"), position).expect("a file");
    let moves = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                 1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n\
                 2g Ee2n Ee3n Ee4n\n";
    std::fs::write(folder.join("game.txt"), moves).expect("a file");
    for file in ["position.txt", "game.txt"] {
        let (output, text) = run(&python, &folder, &["pyrimaa.analyze", file]);
        assert!(output.status.success(), "{text}");
        assert_calm(&text);
        for line in ["depth 5", "score ", "nodes ", "pv ", "time ", "bestmove: "] {
            assert!(text.lines().any(|l| l.starts_with(line)), "{line}:\n{text}");
        }
    }
}
