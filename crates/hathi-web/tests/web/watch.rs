//! Tournaments and reports.

use std::fs;

use serde_json::json;

use crate::common::{Site, site, site_in, until};

fn state(site: &Site, id: &str, wanted: &str) -> serde_json::Value {
    until(|| {
        let arena = site.json(&format!("/api/v1/arenas/{id}"));
        (arena["state"] == wanted).then_some(arena)
    })
}

#[test]
fn a_tournament_is_played_paused_and_gone_on_with() {
    let site = site();
    let settings =
        json!({"players": ["greedy:depth=1", "random"], "games": 40, "max_moves": 15, "depth": 1});
    let arena = site.post("/api/v1/arenas", &settings).fine();
    let id = arena["id"].as_str().expect("a name").to_owned();
    assert_eq!(arena["state"], "running");
    assert_eq!(
        site.post("/api/v1/arenas", &settings).refused(429),
        "too-many"
    );
    until(|| {
        let arena = site.json(&format!("/api/v1/arenas/{id}"));
        (arena["standings"]["games"].as_u64() >= Some(2)).then_some(arena)
    });
    site.post(&format!("/api/v1/arenas/{id}/pause"), &json!({}))
        .fine();
    let paused = state(&site, &id, "paused");
    let events = site.events(&format!("/api/v1/arenas/{id}/events"));
    assert_eq!(
        events
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>(),
        ["arena", "done"]
    );

    // It survives a restart and goes on.
    let site = site_in(site.end(), |_| {});
    assert_eq!(site.json("/api/v1/arenas")["arenas"][0]["id"], id.as_str());
    site.post(&format!("/api/v1/arenas/{id}/resume"), &json!({}))
        .fine();
    let events = site.events(&format!("/api/v1/arenas/{id}/events"));
    let names: Vec<_> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        names.contains(&"moved") && names.contains(&"finished"),
        "{names:?}"
    );
    assert_eq!(names.last(), Some(&"done"));
    let finished = state(&site, &id, "finished");
    let standings = &finished["standings"];
    assert_eq!(standings["games"], 40);
    assert!(standings["games"].as_u64() > paused["standings"]["games"].as_u64());
    assert!(standings["players"][0]["elo"].is_object());
    let games = site.json(&format!("/api/v1/arenas/{id}/games"));
    assert_eq!(games["games"].as_array().map(Vec::len), Some(40));
    assert_eq!(games["total"], 40);
    let page = site.json(&format!("/api/v1/arenas/{id}/games?limit=3&offset=38"));
    assert_eq!(
        page["games"],
        json!(games["games"].as_array().expect("games")[38..])
    );
    let last = site.json(&format!("/api/v1/arenas/{id}/games?limit=1&order=newest"));
    assert_eq!(last["games"][0], games["games"][39]);
    let game = site.json(&format!("/api/v1/arenas/{id}/games/1"));
    assert!(
        game["moves"]
            .as_array()
            .is_some_and(|moves| moves.len() > 2)
    );
    assert!(game["moves"][2]["seconds"].is_number());
    assert_eq!(
        site.get(&format!("/api/v1/arenas/{id}/games/99"))
            .refused(404),
        "not-found"
    );
    assert_eq!(
        site.post(&format!("/api/v1/arenas/{id}/stop"), &json!({}))
            .refused(409),
        "conflict"
    );
}

#[test]
fn tournaments_run_nothing_but_our_engines() {
    let site = site();
    for players in [
        json!(["greedy", "evil=cmd:touch /tmp/evil"]),
        json!(["greedy", "fairy:weights=/etc/passwd"]),
        json!(["greedy", "mimic:store=/etc/passwd"]),
        json!(["greedy", "greedy"]),
        json!(["greedy"]),
        json!([]),
        json!("greedy"),
    ] {
        let refused = site.post("/api/v1/arenas", &json!({ "players": players }));
        assert_eq!(refused.refused(400), "bad-request", "{players}");
    }
    for (key, value) in [
        ("games", json!(3)),
        ("games", json!(1_000_000)),
        ("concurrency", json!(1000)),
        ("seconds", json!(1e9)),
        ("control", json!("soon")),
        ("max_moves", json!(0)),
        ("random_turns", json!(1000)),
    ] {
        let mut settings = json!({"players": ["greedy", "random"]});
        settings[key] = value;
        assert_eq!(
            site.post("/api/v1/arenas", &settings).refused(400),
            "bad-request",
            "{settings}"
        );
    }
    assert_eq!(
        site.json("/api/v1/arenas")["arenas"]
            .as_array()
            .map(Vec::len),
        Some(0)
    );
}

#[test]
fn reports_are_listed_and_locked_in() {
    let site = site();
    let lab = site.json("/api/v1/lab");
    let reports = lab["reports"].as_array().expect("reports");
    assert!(!reports.is_empty());
    for report in reports {
        // Nothing but what came with the program, and all of it opens.
        assert_eq!(report["example"], true, "{report}");
        let page = site.get(report["url"].as_str().expect("a URL"));
        assert_eq!(page.status, 200, "{report}");
    }
    let report = site.folder().join("web/lab/paper-test");
    fs::create_dir_all(&report).expect("a folder");
    fs::write(
        report.join("report.html"),
        "<title>A test</title><script>alert(1)</script>",
    )
    .expect("a file");
    fs::write(report.join("secret.key"), "secret").expect("a file");
    fs::write(site.folder().join("outside.txt"), "secret").expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink(site.folder().join("outside.txt"), report.join("link.txt"))
        .expect("a link");
    let lab = site.json("/api/v1/lab");
    assert_eq!(lab["reports"][0]["title"], "A test");
    assert_eq!(lab["reports"][0]["example"], false);
    let page = site.get(lab["reports"][0]["url"].as_str().expect("a URL"));
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains("sandbox") && policy.contains("default-src 'none'"),
        "{policy}"
    );
    for path in [
        "secret.key",
        "link.txt",
        "..",
        "%2e%2e%2foutside.txt",
        "nothing.html",
        ".hidden.html",
    ] {
        assert_eq!(
            site.get(&format!("/lab-files/paper-test/{path}")).status,
            404,
            "{path}"
        );
    }
    assert_eq!(site.get("/lab-files/%2e%2e/games.db").status, 404);
}
