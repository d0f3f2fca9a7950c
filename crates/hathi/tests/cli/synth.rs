//! `hathi synth`.

use crate::common::{folder, hathi, inside, json};

#[test]
fn made_up_games() {
    let folder = folder("store-synth");
    let (one, other) = (inside(&folder, "one.txt"), inside(&folder, "other.txt"));
    for (file, threads) in [(&one, "1"), (&other, "2")] {
        let args = [
            "synth",
            "--games",
            "40",
            "--seed",
            "7",
            "--threads",
            threads,
        ];
        hathi(&[&args[..], &["-o", file]].concat())
            .assert()
            .success();
    }
    let text = std::fs::read(&one).expect("an archive");
    assert!(text == std::fs::read(&other).expect("an archive"));
    let store = inside(&folder, "hathi.db");
    let summary = json(&["import", &one, "--store", &store, "--json"]);
    assert_eq!(
        (&summary["stored"], &summary["rejected"]),
        (&40.into(), &0.into())
    );
}
