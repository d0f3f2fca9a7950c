//! Shared by the tests: the binary, positions, files.

use std::io::Write;
use std::path::{Path, PathBuf};

use snapbox::cmd::{Command, cargo_bin};

/// Both sides set up, Gold to move.
pub(crate) const START: &str =
    "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";

/// Gold's rabbit on e6 needs two steps.
pub(crate) const GOAL_IN_TWO: &str =
    "g [...r.rrr..rC.d..rh.eR.m.....R...........................R..EH...]";

/// Something to see: a piece on a trap, frozen pieces, captures, a goal.
pub(crate) const DRAWN: &str = "\
12s
 +-----------------+
8| . . . r . . . r |
7| r . d . . . . . |
6| . M r . . x . . |
5| . . h E . h . . |
4| . e . . . H . R |
3| . D x . . x r . |
2| R . C . . . . . |
1| . C . . R . . . |
 +-----------------+
   a b c d e f g h
";

/// The binary, away from the settings of whoever runs the tests.
pub(crate) fn hathi(args: &[&str]) -> Command {
    Command::new(cargo_bin!("hathi"))
        .args(args)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("HATHI_DATA")
        .env_remove("HATHI_STORE")
        // Nobody's real store is to be touched.
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
}

/// What it prints on standard output, whatever the exit code.
pub(crate) fn stdout(args: &[&str]) -> String {
    let output = hathi(args).output().expect("the binary runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Its output as JSON.
pub(crate) fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(args)).expect("JSON")
}

/// Writes a file for a test; the name must be the test's own.
pub(crate) fn file(name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("a temporary file");
    path.into_os_string().into_string().expect("UTF-8")
}

/// An empty folder for a test; the name must be the test's own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a temporary folder");
    path
}

/// A path in a folder, as an argument.
pub(crate) fn inside(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    path.into_os_string().into_string().expect("UTF-8")
}

/// Fails with exit code 2, says nothing on standard output and all of `words`
/// on standard error, without a panic.
pub(crate) fn refused(args: &[&str], words: &[&str]) {
    let output = hathi(args).output().expect("the binary runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{args:?}");
    for word in words {
        assert!(
            message.contains(word),
            "{args:?}: `{word}` is not in: {message}"
        );
    }
}

/// Past the test harness, which would swallow what a passing test prints.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Nothing to compare with: a line that says so, but a failure in continuous
/// integration.
pub(crate) fn skip(reason: &str) {
    let in_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    assert!(!in_ci, "{reason}");
    say(&format!("skipped: {reason}"));
}

/// What one of our scripts prints, run by a Python (`HATHI_PYTHON`) that has
/// this module. None, with a word of explanation, where there is no such.
pub(crate) fn python(module: &str, script: &str, args: &[&str]) -> Option<String> {
    let Some(python) = std::env::var_os("HATHI_PYTHON").filter(|python| !python.is_empty()) else {
        skip(&format!(
            "HATHI_PYTHON is not set to a Python with {module}"
        ));
        return None;
    };
    let import = std::process::Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .output();
    if !import.is_ok_and(|import| import.status.success()) {
        let python = python.to_string_lossy();
        skip(&format!("{python} cannot import {module}"));
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(script);
    let output = std::process::Command::new(&python)
        .arg(script)
        .args(args)
        .output()
        .expect("Python runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}
