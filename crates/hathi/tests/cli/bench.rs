//! `hathi bench`: that it runs and says what it should. How fast it is
//! depends on the machine.

use crate::common::{hathi, refused};

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
