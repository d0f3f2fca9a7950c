//! Help, version, colours, pipes: what all commands have in common.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use snapbox::cmd::cargo_bin;

use crate::common::{START, file, hathi, refused, stdout};

const COMMANDS: [&str; 16] = [
    "show",
    "turns",
    "goal",
    "replay",
    "import",
    "stats",
    "setups",
    "find",
    "explore",
    "games",
    "export",
    "index",
    "synth",
    "bench",
    "completions",
    "man",
];

#[test]
fn version() {
    hathi(&["--version"]).assert().success().stdout_eq(concat!(
        "hathi ",
        env!("CARGO_PKG_VERSION"),
        "\n"
    ));
}

#[test]
fn every_command_has_help_with_examples() {
    let all = stdout(&["--help"]);
    for command in COMMANDS {
        assert!(all.contains(command));
        let help = stdout(&[command, "--help"]);
        assert!(help.contains("Examples:"), "{command}: {help}");
        assert_eq!(help, stdout(&["help", command]));
    }
}

#[test]
fn bad_usage_is_exit_code_2() {
    refused(&["dance"], &["dance"]);
    refused(&["show"], &["POSITION|FILE"]);
    refused(&["turns"], &["POSITION|FILE"]);
    refused(&["turns", "--count", "--list", START], &["--list"]);
    refused(
        &["turns", "--list", "--positions", "x.tsv"],
        &["--positions"],
    );
    refused(&["goal", START, "--positions", "x.tsv"], &["--positions"]);
    refused(&["show", START, "--side", "x"], &["g, s"]);
    refused(&["replay", "x", "--at", "twelve"], &["twelve", "12g"]);
    refused(&["bench", "rules", "--seconds", "-1"], &["--seconds"]);
    refused(&["bench", "rules", "--seconds", "NaN"], &["0.01"]);
    refused(&["completions", "tcsh"], &["bash"]);
    refused(&["--color", "purple", "show", START], &["always"]);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn manual_pages() {
    assert!(stdout(&["man"]).contains(".TH hathi 1"));
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man/man1");
    let text = directory.to_str().expect("UTF-8");
    hathi(&["man", "--out", text])
        .assert()
        .success()
        .stdout_eq("");
    for command in COMMANDS {
        let page = directory.join(format!("hathi-{command}.1"));
        let page = std::fs::read_to_string(page).expect("a page for each command");
        assert!(page.contains("Examples:"), "{command}");
    }
    let in_the_way = file("in-the-way", "");
    hathi(&["man", "--out", &in_the_way]).assert().code(1);
}

#[test]
fn colours_only_when_asked_for_or_on_a_terminal() {
    let coloured = |args: &[&str]| stdout(args).contains('\x1b');
    assert!(!coloured(&["show", START]));
    assert!(!coloured(&["show", START, "--color", "never"]));
    assert!(coloured(&["show", START, "--color", "always"]));
    assert!(coloured(&["--colour=always", "show", START]));
    assert!(coloured(&["--color", "always", "--help"]));
    assert!(!coloured(&["--help"]));
    // Asking for colours wins over the environment.
    let output = hathi(&["show", START, "--color", "always"])
        .env("NO_COLOR", "1")
        .output();
    assert!(output.expect("runs").stdout.contains(&0x1b));
    let plain = stdout(&["show", START]);
    let styled = stdout(&["show", START, "--color", "always"]);
    assert_eq!(anstream::adapter::strip_str(&styled).to_string(), plain);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = std::process::Command::new(cargo_bin!("hathi"))
        .args(["turns", "--list", START])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line");
    drop(reader);
    let output = child.wait_with_output().expect("it ends");
    assert!(line.contains('\t'));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    for args in [
        &["show", START] as &[&str],
        &["turns", START],
        &["turns", "--list", START],
        &["goal", "--json", START],
        &["man"],
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("/dev/full");
        let output = std::process::Command::new(cargo_bin!("hathi"))
            .args(args)
            .stdout(full)
            .output()
            .expect("the binary runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {message}");
        assert!(
            message.contains("cannot write the result"),
            "{args:?}: {message}"
        );
    }
}
