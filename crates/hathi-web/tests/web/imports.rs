//! Files of games through the page into the memory.

use std::time::Duration;

use hathi_web::{Access, Limits, Password};
use serde_json::{Value, json};

use crate::common::{GOLD, SILVER, Site, site, site_with};

fn begin(site: &Site, name: &str, bytes: usize) -> Value {
    let answer = site.post("/api/v1/imports", &json!({"name": name, "bytes": bytes}));
    assert_eq!(answer.status, 201, "{}", answer.text());
    serde_json::from_slice(&answer.body).expect("JSON")
}

fn send(site: &Site, id: &str, from: usize, piece: &str) -> crate::common::Answer {
    site.send(
        "PUT",
        &format!("/api/v1/imports/{id}/bytes?from={from}"),
        &[("Content-Type", "application/octet-stream")],
        piece,
    )
}

/// Sends a text in pieces and waits for the end.
fn import(site: &Site, name: &str, text: &str, piece: usize) -> Value {
    let begun = begin(site, name, text.len());
    let id = begun["id"].as_str().expect("an id").to_owned();
    let mut from = 0;
    while from < text.len() {
        let to = (from + piece).min(text.len());
        send(site, &id, from, &text[from..to]).fine();
        from = to;
    }
    for _ in 0..600 {
        let now = site.json(&format!("/api/v1/imports/{id}"));
        if ["finished", "stopped", "failed"].contains(&now["state"].as_str().unwrap_or_default()) {
            return now;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it does not end");
}

#[test]
fn games_are_added_once_and_faults_are_named_as_by_the_command() {
    let site = site();
    let good = format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n Ee3n\n2s ra7s");
    // Its second turn moves a rabbit that is not there.
    let done = import(&site, "mine.txt", &good, 20);
    assert_eq!(done["state"], "finished", "{done}");
    assert_eq!(done["read"], 1);
    assert_eq!(done["stored"], 1);
    assert_eq!(done["shortened"], 1);
    assert_eq!(done["reasons"][0]["reason"], "the piece was not there");
    let remark = done["remarks"][0].as_str().expect("a remark");
    assert!(remark.contains("2s"), "{remark}");
    let sources = site.json("/api/v1/sources");
    let file = sources["sources"]
        .as_array()
        .expect("sources")
        .iter()
        .find(|source| source["source"] == "file")
        .expect("the source of move lists")
        .clone();
    assert_eq!(file["games"], 1);
    // The same again adds nothing.
    let again = import(&site, "mine.txt", &good, 1000);
    assert_eq!(
        (&again["stored"], &again["duplicates"]),
        (&json!(0), &json!(1))
    );
    // It can be taken out.
    let removed = site.send("DELETE", "/api/v1/sources/file", &[], "").fine();
    assert_eq!(removed["games"], 1);
    let list = site.json("/api/v1/imports");
    assert_eq!(list["imports"].as_array().expect("imports").len(), 2);
    // What is no game says so, with the name of the file and not of ours.
    let nothing = import(&site, "shopping.txt", "milk, bread and cheese", 1000);
    assert_eq!(nothing["stored"], 0);
    let words = nothing["remarks"][0].as_str().expect("a remark");
    assert!(words.starts_with("shopping.txt"), "{words}");
    assert!(!words.contains("imports"), "{words}");
}

#[test]
fn an_archive_of_many_games_is_found_by_questions() {
    let site = site();
    let mut writer = hathi_archive::ArchiveWriter::new(Vec::new()).expect("a writer");
    let synth = hathi_archive::Synth::new(3).with_games(600);
    synth.write(&mut writer, 0, |_| ()).expect("an archive");
    let text = writer.finish().expect("all of it");
    let text = String::from_utf8(text).expect("text");
    let done = import(&site, "games.txt", &text, 300_000);
    assert_eq!(done["state"], "finished", "{done}");
    assert_eq!(done["stored"], 600);
    let list = site.json("/api/v1/games?source=synth&limit=0");
    assert_eq!(list["total"], 600);
    let setups = site.json("/api/v1/setups?source=synth");
    assert_eq!(setups["games"], 600);
}

#[test]
fn pieces_must_fit_and_one_import_comes_after_the_other() {
    let site = site();
    let id = begin(&site, "a", 10)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let other = site.post("/api/v1/imports", &json!({"name": "b", "bytes": 10}));
    assert_eq!(other.refused(429), "too-many");
    assert_eq!(send(&site, &id, 3, "abc").refused(409), "conflict");
    assert_eq!(send(&site, &id, 0, "").refused(400), "bad-request");
    assert_eq!(
        send(&site, &id, 0, "more than ten").refused(400),
        "bad-request"
    );
    assert_eq!(send(&site, "x", 0, "abc").refused(404), "not-found");
    let now = send(&site, &id, 0, "abc").fine();
    assert_eq!(
        (&now["received"], &now["state"]),
        (&json!(3), &json!("receiving"))
    );
    let stopped = site
        .post(&format!("/api/v1/imports/{id}/stop"), &json!({}))
        .fine();
    assert_eq!(stopped["state"], "stopped");
    let twice = site.post(&format!("/api/v1/imports/{id}/stop"), &json!({}));
    assert_eq!(twice.refused(409), "conflict");
    for (name, bytes, status) in [("empty", 0_u64, 400), ("huge", 1 << 40, 413)] {
        let answer = site.post("/api/v1/imports", &json!({"name": name, "bytes": bytes}));
        assert_eq!(answer.status, status, "{name}");
    }
}

#[test]
fn strangers_need_the_password_and_see_only_their_own() {
    let site = site_with(|config| {
        config.access = Access::Public(Password::new("correct-horse-battery").expect("long"));
        config.limits = Limits::public();
        config.behind_proxy = true;
    });
    let body = json!({"name": "a", "bytes": 3}).to_string();
    let plain = [("Content-Type", "application/json")];
    let refused = site.send("POST", "/api/v1/imports", &plain, &body);
    assert_eq!(refused.refused(401), "password");
    let refused = site.send("PUT", "/api/v1/imports/x/bytes?from=0", &[], "abc");
    assert_eq!(refused.refused(401), "password");
    let allowed = [
        ("Content-Type", "application/json"),
        ("Authorization", "Bearer correct-horse-battery"),
    ];
    let begun = site.send("POST", "/api/v1/imports", &allowed, &body);
    assert_eq!(begun.status, 201);
    let id: Value = serde_json::from_slice(&begun.body).expect("JSON");
    let id = id["id"].as_str().expect("an id");
    // Without its cookie it is somebody else's.
    assert_eq!(site.get(&format!("/api/v1/imports/{id}")).status, 404);
    assert_eq!(site.json("/api/v1/imports")["imports"], json!([]));
}
