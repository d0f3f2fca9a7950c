//! Learn, as a client meets it: lessons, tries, answers.

use serde_json::json;

use crate::common::site;

#[test]
fn lessons_are_listed_told_and_judged() {
    let site = site();
    let list = site.json("/api/v1/lessons");
    let lessons = list["lessons"].as_array().expect("lessons");
    assert_eq!(lessons.len(), 16);
    assert_eq!(lessons[0]["id"], "goal");
    assert_eq!(lessons[0]["part"], "basics");
    for (i, line) in lessons.iter().enumerate() {
        let id = line["id"].as_str().expect("an id");
        let lesson = site.json(&format!("/api/v1/lessons/{id}"));
        let tasks = lesson["tasks"].as_array().expect("tasks");
        assert_eq!(line["tasks"], tasks.len());
        assert_eq!(
            lesson["next"],
            lessons
                .get(i + 1)
                .map_or(json!(null), |next| next["id"].clone())
        );
        for number in 1..=tasks.len() {
            // The answer given is a try that is right.
            let task = format!("/api/v1/lessons/{id}/{number}");
            let answer = site.json(&format!("{task}/answer"));
            let tried = site.post(&format!("{task}/try"), &answer).fine();
            assert_eq!(tried["right"], true, "{task}: {tried}");
        }
    }
    let ends = |id: &str| site.json(&format!("/api/v1/lessons/{id}"))["last_of_part"].clone();
    assert_eq!(ends("notation"), true);
    assert_eq!(ends("goal-defence"), true);
    assert_eq!(ends("traps"), false);
}

#[test]
fn a_wrong_try_is_answered_with_the_reason() {
    let site = site();
    let tried = site
        .post("/api/v1/lessons/goal/1/try", &json!({"turn": "Rd7e"}))
        .fine();
    assert_eq!(tried["right"], false);
    assert!(
        tried["words"]
            .as_str()
            .is_some_and(|words| words.contains("top row"))
    );
    let illegal = site
        .post("/api/v1/lessons/goal/1/try", &json!({"turn": "Rd7s"}))
        .fine();
    assert_eq!(illegal["right"], false);
    assert!(
        illegal["words"]
            .as_str()
            .is_some_and(|words| words.contains("not legal"))
    );
}

#[test]
fn nonsense_is_refused() {
    let site = site();
    let send = |path: &str, body: &str| {
        let json = [("Content-Type", "application/json")];
        site.send("POST", path, &json, body)
    };
    let task = "/api/v1/lessons/goal/1/try";
    for body in [
        "{}",
        r#"{"turn": "nonsense"}"#,
        r#"{"squares": ["z9"]}"#,
        r#"{"squares": ["a1"]}"#,
        r#"{"choice": 0}"#,
        r#"{"setup": "Ra1"}"#,
    ] {
        send(task, body).refused(400);
    }
    send("/api/v1/lessons/goal/9/try", r#"{"turn": "Rd7n"}"#).refused(404);
    send("/api/v1/lessons/goal/0/try", r#"{"turn": "Rd7n"}"#).refused(404);
    site.get("/api/v1/lessons/goal/99999999999999999999/answer")
        .refused(404);
    site.get("/api/v1/lessons/nothing").refused(404);
}
