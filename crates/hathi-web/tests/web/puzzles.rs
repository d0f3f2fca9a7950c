//! How hard puzzles are, what they are about, and their second turn.

use serde_json::{Value, json};

use crate::common::{Site, site, site_in, until};

/// Waits until all puzzles of a kind are measured.
fn measured(site: &Site, kind: &str) -> Value {
    until(|| {
        let list = site.json(&format!("/api/v1/puzzles?kind={kind}&limit=500"));
        (list["unmeasured"] == 0).then_some(list)
    })
}

#[test]
fn difficulty_is_measured_kept_and_asked_for() {
    let site = site();
    let list = measured(&site, "goal");
    let levels = list["levels"].as_array().expect("levels");
    let sum: u64 = levels
        .iter()
        .filter_map(|level| level["puzzles"].as_u64())
        .sum();
    assert_eq!(Some(sum), list["total"].as_u64());
    for puzzle in list["puzzles"].as_array().expect("puzzles") {
        let rating = puzzle["rating"].as_u64().expect("a rating");
        assert!((100..=3500).contains(&rating), "{puzzle}");
        assert!(puzzle["plausible"].as_u64() >= Some(1), "{puzzle}");
        assert_ne!(puzzle["themes"], json!([]), "{puzzle}");
    }
    let level = levels[0]["name"].as_str().expect("a name");
    let next = site.json(&format!("/api/v1/puzzles/next?kind=goal&level={level}"));
    assert_eq!(next["level"], level);
    let theme = list["themes"][0]["name"].as_str().expect("a theme");
    let next = site.json(&format!("/api/v1/puzzles/next?kind=goal&theme={theme}"));
    let themes = next["themes"].as_array().expect("themes");
    assert!(themes.contains(&json!(theme)), "{next}");
    assert_eq!(
        site.get("/api/v1/puzzles/next?kind=goal&level=trivial")
            .refused(400),
        "bad-request"
    );
    assert_eq!(
        site.get("/api/v1/puzzles/next?kind=goal&theme=nothing")
            .refused(404),
        "not-found"
    );
    // What was measured is there after a restart.
    let before = list["puzzles"][0].clone();
    let site = site_in(site.end(), |_| {});
    let id = before["id"].as_str().expect("an id");
    assert_eq!(
        site.json(&format!("/api/v1/puzzles/{id}"))["rating"],
        before["rating"]
    );
}

#[test]
fn the_second_turn_is_played_out_and_first_tries_are_counted() {
    let mut site = site();
    let list = site.json("/api/v1/puzzles?kind=win&limit=1");
    let puzzle = &list["puzzles"][0];
    let path = format!("/api/v1/puzzles/{}", puzzle["id"].as_str().expect("an id"));
    let first = site.json(&format!("{path}/solution"))["turn"].clone();
    let answer = site.post(&format!("{path}/try"), &json!({ "turn": first }));
    site.keep_cookie(&answer);
    let tried = answer.fine();
    assert_eq!(
        (&tried["correct"], &tried["over"]),
        (&json!(true), &json!(false))
    );
    let reply = tried["reply"].as_str().expect("a defence");
    // The defence is legal, and there is a win after it.
    let after = tried["position_after"].as_str().expect("a position");
    let checked = site.json(&format!("/api/v1/check?position={after}&turn={reply}"));
    assert_eq!(checked["legal"], true);
    let then = checked["position_after"].as_str().expect("a position");
    let second = site.json(&format!("/api/v1/solve?position={then}&turns=1"))["turn"].clone();
    let body = json!({"turn": second, "before": [first, reply]});
    let won = site.post(&format!("{path}/try"), &body).fine();
    assert_eq!(
        (&won["correct"], &won["over"]),
        (&json!(true), &json!(true))
    );
    for before in [
        json!([first]),
        json!([first, "Ra1n"]),
        json!([first, "nonsense"]),
    ] {
        let body = json!({"turn": second, "before": before});
        assert_eq!(site.post(&format!("{path}/try"), &body).status, 400);
    }
    // One first try; more of the same client, and its second turn, are none.
    let _ = site.post(&format!("{path}/try"), &json!({ "turn": first }));
    let puzzle = site.json(&path);
    assert_eq!(
        (&puzzle["tries"], &puzzle["solved"]),
        (&json!(1), &json!(1))
    );
    // Who took a hint has not solved it.
    site.forget_cookie();
    let helped = json!({"turn": first, "hints": 1});
    let _ = site.post(&format!("{path}/try"), &helped).fine();
    let puzzle = site.json(&path);
    assert_eq!(
        (&puzzle["tries"], &puzzle["solved"]),
        (&json!(2), &json!(1))
    );
}
