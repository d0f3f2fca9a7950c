//! A server that is open to others.

use hathi_web::{Access, Limits, Password};
use serde_json::json;

use crate::common::{START, Site, site, site_with};

const PASSWORD: &str = "correct-horse-battery";

fn public() -> Site {
    site_with(|config| {
        config.access = Access::Public(Password::new(PASSWORD).expect("long enough"));
        config.limits = Limits::public();
        config.behind_proxy = true;
    })
}

fn with_password(value: &str) -> [(&str, &str); 2] {
    [
        ("Content-Type", "application/json"),
        ("Authorization", value),
    ]
}

#[test]
fn writing_needs_the_password() {
    let site = public();
    let body = json!({"engine": "random"}).to_string();
    let post =
        |path: &str, headers: &[(&str, &str)], body: &str| site.send("POST", path, headers, body);
    let plain = [("Content-Type", "application/json")];
    for path in [
        "/api/v1/plays",
        "/api/v1/plays/x/resign",
        "/api/v1/arenas",
        "/api/v1/arenas/x/stop",
    ] {
        let refused = post(path, &plain, &body);
        assert_eq!(refused.refused(401), "password", "{path}");
        let asks = refused.header("www-authenticate").expect("a question");
        assert!(asks.starts_with("Basic "), "{asks}");
    }
    assert_eq!(site.send("DELETE", "/api/v1/plays/x", &[], "").status, 401);
    let wrong = with_password("Bearer correct-horse-batterie");
    assert_eq!(
        post("/api/v1/plays", &wrong, &body).refused(401),
        "password"
    );
    // As programs and as browsers send it (":correct-horse-battery").
    for right in [
        "Bearer correct-horse-battery",
        "Basic OmNvcnJlY3QtaG9yc2UtYmF0dGVyeQ==",
    ] {
        let answer = post("/api/v1/plays", &with_password(right), &body);
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
    // Reading needs none, nor does what only asks.
    for path in ["/", "/api/v1/status", "/api/v1/games", "/api/v1/arenas"] {
        assert_eq!(site.get(path).status, 200, "{path}");
    }
    let text = json!({ "text": START }).to_string();
    assert_eq!(post("/api/v1/read", &plain, &text).status, 200);
}

#[test]
fn where_the_store_is_stays_at_home() {
    let site = public();
    let folder = site.folder().display().to_string();
    let status = site.json("/api/v1/status");
    assert_eq!(status["store"]["place"], "the store");
    // The engine that cannot open its memory says so without saying where.
    let database = site.folder().join("games.db");
    std::fs::remove_file(&database).expect("a store");
    std::fs::create_dir(&database).expect("a folder in its place");
    let path = format!("/api/v1/think?position={START}&engine=mimic&seconds=0.1");
    for answer in [site.get(&path), site.get("/api/v1/games/1")] {
        assert!(!answer.text().contains(&folder), "{}", answer.text());
    }
    // At home it is told.
    let site = crate::common::site();
    let place = site.json("/api/v1/status")["store"]["place"].clone();
    assert!(
        place
            .as_str()
            .is_some_and(|place| place.ends_with("games.db"))
    );
}

#[test]
fn orders_without_a_body_must_be_json() {
    let site = site();
    for headers in [&[][..], &[("Content-Type", "text/plain")][..]] {
        for path in ["/api/v1/plays/x/resign", "/api/v1/arenas/x/stop"] {
            let answer = site.send("POST", path, headers, "");
            assert_eq!(answer.refused(415), "not-json", "{path}");
        }
    }
    let json = [("Content-Type", "application/json; charset=utf-8")];
    let answer = site.send("POST", "/api/v1/plays/x/resign", &json, "");
    assert_eq!(answer.refused(404), "not-found");
}

#[test]
fn hosts_are_compared_as_a_whole() {
    let site = site_with(|config| config.names = vec!["board.example".to_owned()]);
    for host in [
        "[::1].evil.example",
        "[::1]evil.example:80",
        "localhost:",
        "localhost:80:80",
        "board.example.evil.example",
    ] {
        let answer = site.send("GET", "/api/v1/status", &[("Host", host)], "");
        assert_eq!(answer.refused(403), "foreign", "{host}");
    }
}
