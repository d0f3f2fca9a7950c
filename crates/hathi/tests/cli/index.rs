//! `hathi index`.

use serde_json::Value;
use snapbox::str;

use crate::common::{START, folder, hathi, inside, json};
use crate::fixture::{self, fixture};

#[test]
fn index() {
    let fixture = fixture("store-index");
    fixture
        .assert(&["index", "--check"])
        .success()
        .stdout_eq(str![[r#"
index       5 games, 11 positions, [..]
checked     every checksum is right

"#]]);
    let index = format!("{}.index", fixture.store);
    // Without it the same is found, and said so.
    let found = fixture.json(&["find", "--position", START]);
    std::fs::remove_file(&index).expect("an index");
    let output = hathi(&fixture.args(&["find", "--position", START, "--json"]))
        .output()
        .expect("runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("is missing; `hathi index --rebuild`"),
        "{message}"
    );
    let without: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(without["turns"], found["turns"]);
    fixture
        .assert(&["index"])
        .code(1)
        .stdout_eq("index       missing\nbeside it   5 games, 11 positions in memory\n");
    fixture.assert(&["index", "--rebuild", "--check"]).success();
    // Damaged.
    let mut bytes = std::fs::read(&index).expect("an index");
    let middle = bytes.len() / 2;
    bytes.truncate(middle);
    std::fs::write(&index, bytes).expect("a file");
    fixture.assert(&["index", "--check"]).code(1);
    assert_eq!(
        fixture.json(&["find", "--position", START])["turns"],
        found["turns"]
    );
    // Importing again mends it.
    assert_eq!(fixture.json(&["import", &fixture.archive])["indexed"], true);
    fixture.assert(&["index", "--check"]).success();
}

#[test]
fn an_index_can_wait() {
    let folder = folder("store-wait");
    let (store, archive) = (inside(&folder, "h.db"), inside(&folder, "games.txt"));
    std::fs::write(&archive, fixture::archive()).expect("a file");
    let summary = json(&[
        "import",
        &archive,
        "--no-index",
        "--store",
        &store,
        "--json",
    ]);
    assert_eq!(summary["indexed"], false);
    let stats = json(&["stats", "--store", &store, "--json"]);
    assert_eq!(stats["index"]["trouble"], "missing");
    assert_eq!(stats["index"]["recent_games"], 5);
}
