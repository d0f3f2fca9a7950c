//! Every route there is, by the description the server gives of itself.

use crate::common::site;

/// Asked without anything it needs, a route answers with an error of ours,
/// never with a fault of its own.
#[test]
fn the_description_is_true() {
    let site = site();
    let description = site.json("/api/v1/openapi.json");
    let paths = description["paths"].as_object().expect("paths");
    assert!(paths.len() > 35, "{}", paths.len());
    for (path, methods) in paths {
        let concrete = path
            .replace("{id}", "x")
            .replace("{name}", "x")
            .replace("{number}", "1");
        for method in methods.as_object().expect("methods").keys() {
            let answer = match method.as_str() {
                "post" => site.send(
                    "POST",
                    &concrete,
                    &[("Content-Type", "application/json")],
                    "nonsense",
                ),
                method => site.send(&method.to_uppercase(), &concrete, &[], ""),
            };
            assert!(
                answer.status < 500,
                "{method} {path}: {} {}",
                answer.status,
                answer.text()
            );
            let described = &methods[method]["responses"];
            let known = described
                .get(answer.status.to_string())
                .or_else(|| described.get(format!("{}XX", answer.status / 100)));
            assert!(
                known.is_some(),
                "{method} {path}: {} is not described",
                answer.status
            );
            if answer.status >= 400 {
                answer.refused(answer.status);
            }
        }
        // What is not described is not there.
        if !methods
            .as_object()
            .is_some_and(|methods| methods.contains_key("put"))
        {
            assert_eq!(site.send("PUT", &concrete, &[], "").status, 405, "{path}");
        }
    }
}

#[test]
fn pages_are_one_page() {
    let site = site();
    let page = site.get("/").body;
    for path in [
        "/learn",
        "/learn/goal",
        "/explore",
        "/play",
        "/play/p1",
        "/review",
        "/review/12",
        "/search",
        "/motifs",
        "/puzzles",
        "/puzzles/win-1-2g",
        "/watch",
        "/watch/a1",
        "/lab",
        "/lab/x",
        "/setups",
        "/memory",
        "/about",
        "/api",
    ] {
        let answer = site.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.body, page, "{path}");
    }
    assert_eq!(
        site.get("/favicon.ico").header("content-type"),
        Some("image/svg+xml")
    );
    // What is not there is said by the page to people, as an error to programs.
    let lost = |path: &str| site.send("GET", path, &[("Accept", "text/html,*/*;q=0.8")], "");
    let answer = lost("/nowhere/at-all");
    assert_eq!((answer.status, answer.body), (404, page));
    for path in ["/api/v1/nowhere", "/assets/nowhere.js"] {
        lost(path).refused(404);
    }
    site.get("/nowhere").refused(404);
}
