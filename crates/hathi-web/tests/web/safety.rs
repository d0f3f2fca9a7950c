//! What strangers, broken clients and hostile pages get.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::common::{Answer, START, Site, site, site_with};

#[test]
fn every_answer_protects_itself() {
    let site = site();
    for path in [
        "/",
        "/explore",
        "/review/12",
        "/api/v1/status",
        "/nothing",
        "/assets/js/app.js",
    ] {
        let answer = site.get(path);
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "SAMEORIGIN"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}: {name}");
        }
        assert!(answer.header("access-control-allow-origin").is_none());
    }
    assert!(
        site.get("/").text().contains("<!doctype html")
            || site.get("/").text().contains("<!DOCTYPE html")
    );
}

#[test]
fn files_know_whether_they_have_changed() {
    let site = site();
    let etag = site.get("/").header("etag").expect("a tag").to_owned();
    let again = site.send("GET", "/", &[("If-None-Match", &etag)], "");
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(site.send("HEAD", "/", &[], "").status, 200);
}

#[test]
fn names_that_are_not_ours_are_refused() {
    let site = site_with(|config| config.names = vec!["board.example".to_owned()]);
    let ask = |host: &str| {
        site.send("GET", "/api/v1/status", &[("Host", host)], "")
            .status
    };
    for host in [
        "localhost",
        "localhost:1",
        "127.0.0.1",
        "[::1]:80",
        "board.example",
        "BOARD.example:99",
    ] {
        assert_eq!(ask(host), 200, "{host}");
    }
    // Somebody's name that points to this machine: DNS rebinding.
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "x",
    ] {
        assert_eq!(ask(host), 403, "{host}");
    }
    let twice = site.send(
        "GET",
        "/",
        &[("Host", "localhost"), ("Host", "evil.example")],
        "",
    );
    assert_eq!(twice.status, 400);
}

#[test]
fn other_sites_change_nothing() {
    let site = site();
    let ours = format!("http://{}", site.address);
    let body = r#"{"engine": "random"}"#;
    let post = |headers: &[(&str, &str)]| {
        let mut all = vec![("Content-Type", "application/json")];
        all.extend_from_slice(headers);
        site.send("POST", "/api/v1/plays", &all, body).status
    };
    assert_eq!(
        post(&[("Origin", &ours), ("Sec-Fetch-Site", "same-origin")]),
        201
    );
    assert_eq!(post(&[]), 201);
    for headers in [
        [("Origin", "http://evil.example"), ("X-A", "1")],
        [("Origin", "null"), ("X-A", "1")],
        [("Origin", "http://127.0.0.1:1"), ("X-A", "1")],
        [("Origin", ours.as_str()), ("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site"), ("X-A", "1")],
    ] {
        assert_eq!(post(&headers), 403, "{headers:?}");
    }
    // Nor do they read, or let engines think; but a link to the page works.
    let get = |path: &str, mode: &str| {
        let headers = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", mode)];
        site.send("GET", path, &headers, "").status
    };
    assert_eq!(get("/api/v1/status", "no-cors"), 403);
    assert_eq!(get("/api/v1/status", "navigate"), 403);
    assert_eq!(get("/explore", "navigate"), 200);
    // Forms cannot send JSON.
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let answer = site.send("POST", "/api/v1/plays", &[("Content-Type", kind)], body);
        assert_eq!(answer.refused(415), "not-json", "{kind}");
    }
}

#[test]
fn bodies_have_limits_and_must_be_json() {
    let site = site();
    let json = [("Content-Type", "application/json")];
    for body in [
        "{",
        "[1",
        "nul",
        "{\"text\": \"\u{1}\"}",
        "{\"text\": 1}",
        "\"text\"",
    ] {
        let answer = site.send("POST", "/api/v1/read", &json, body);
        assert_eq!(answer.refused(400), "bad-request", "{body}");
    }
    let deep = "[".repeat(50_000);
    assert_eq!(site.send("POST", "/api/v1/plays", &json, &deep).status, 400);
    let giant = format!("{{\"engine\": \"{}\"}}", "x".repeat(100_000));
    assert_eq!(
        site.send("POST", "/api/v1/plays", &json, &giant)
            .refused(413),
        "too-large"
    );
    // A long game is fine where games are read, up to a megabyte.
    let long = format!("{{\"text\": \"{}\"}}", " 1g ".repeat(50_000));
    assert_eq!(site.send("POST", "/api/v1/read", &json, &long).status, 400);
    let giant = format!("{{\"text\": \"{}\"}}", "x".repeat(2 << 20));
    assert_eq!(
        site.send("POST", "/api/v1/read", &json, &giant)
            .refused(413),
        "too-large"
    );
    assert_eq!(
        site.send("PUT", "/api/v1/status", &[], "").refused(405),
        "not-allowed"
    );
    assert_eq!(
        site.send("POST", "/api/v1/explore", &json, "{}")
            .refused(405),
        "not-allowed"
    );
}

#[test]
fn paths_lead_nowhere_else() {
    let site = site();
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/assets/%2e%2e%2f%2e%2e%2fCargo.toml",
        "/assets//etc/passwd",
        "/assets/js/../../Cargo.toml",
        "/assets/.%00/x",
        "/assets/..\\Cargo.toml",
        "/../../etc/passwd",
    ] {
        let answer = site.get(path);
        assert!(
            answer.status == 404 || answer.status == 400,
            "{path}: {}",
            answer.status
        );
        assert!(!answer.text().contains("[package]"), "{path}");
    }
}

#[test]
fn headers_have_limits() {
    let site = site();
    let many: Vec<(String, String)> = (0..200)
        .map(|i| (format!("X-{i}"), "1".to_owned()))
        .collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(site.send("GET", "/", &many, "").status, 431);
    let long = "x".repeat(200_000);
    let mut stream = site.connect();
    let _ = write!(stream, "GET /{long} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let answer = Answer::read(stream);
    assert!((400..500).contains(&answer.status), "{}", answer.status);
    assert_eq!(site.get("/api/v1/status").status, 200);
}

#[test]
fn who_says_nothing_is_left() {
    let site = site_with(|config| config.limits.idle = Duration::from_millis(300));
    let mut silent = site.connect();
    let mut halting = site.connect();
    halting
        .write_all(b"GET / HTTP/1.1\r\nHost: loc")
        .expect("half a request");
    let mut rest = Vec::new();
    let started = Instant::now();
    let _ = silent.read_to_end(&mut rest);
    let _ = halting.read_to_end(&mut rest);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(site.get("/api/v1/status").status, 200);
}

#[test]
fn a_slow_body_is_not_waited_for() {
    let site = site_with(|config| config.limits.request = Duration::from_millis(500));
    let mut stream = site.connect();
    write!(
        stream,
        "POST /api/v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: 1000\r\nConnection: close\r\n\r\n{{"
    )
    .expect("a request");
    assert_eq!(Answer::read(stream).refused(408), "timeout");
}

#[test]
fn thousands_of_idle_connections_are_turned_away() {
    let site = site_with(|config| {
        config.limits.connections = 20;
        config.limits.idle = Duration::from_secs(2);
    });
    let idle: Vec<_> = (0..300).map(|_| site.connect()).collect();
    // Beyond the limit there is a plain word, at once.
    let answer = Answer::read(site.connect());
    assert_eq!(answer.refused(503), "busy");
    drop(idle);
    site_is_free(&site);
}

/// Waits until there is a place for a visitor again.
fn site_is_free(site: &Site) {
    let started = Instant::now();
    while status(site) != Some(200) {
        assert!(
            started.elapsed() < Duration::from_secs(30),
            "the places stay taken"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The status of an answer; none if there is no answer, as a server may close a
/// connection that it turns away before it has heard the request.
fn status(site: &Site) -> Option<u16> {
    let mut stream = site.connect();
    let request = "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let line = answer.split(|&byte| byte == b'\r').next()?;
    let line = std::str::from_utf8(line).ok()?;
    line.split(' ').nth(1)?.parse().ok()
}

#[test]
fn who_does_not_read_is_left() {
    let site = site_with(|config| {
        config.limits.write = Duration::from_millis(500);
        config.limits.connections = 1;
    });
    let mut stream = site.connect();
    // Asks for much, again and again, and reads nothing.
    let request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2000);
    stream
        .set_write_timeout(Some(Duration::from_secs(5)))
        .expect("a timeout");
    let _ = stream.write_all(request.as_bytes());
    // The only place is free again.
    site_is_free(&site);
}

#[test]
fn streams_have_limits() {
    let site = site_with(|config| config.limits.streams = 1);
    let mut open = site.connect();
    let path = format!("/api/v1/think?position={START}&seconds=20")
        .replace(' ', "%20")
        .replace('[', "%5B")
        .replace(']', "%5D");
    write!(open, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("a request");
    let mut some = [0; 100];
    open.read_exact(&mut some).expect("an answer");
    let refused = site.get(&format!("/api/v1/think?position={START}&seconds=1"));
    assert_eq!(refused.refused(503), "busy");
}

#[test]
fn the_end_does_not_wait_for_streams() {
    let site = site();
    let mut open = site.connect();
    let path = format!("/api/v1/think?position={START}&seconds=60")
        .replace(' ', "%20")
        .replace('[', "%5B")
        .replace(']', "%5D");
    write!(open, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("a request");
    let mut some = [0; 100];
    open.read_exact(&mut some).expect("an answer");
    let started = Instant::now();
    site.end();
    assert!(
        started.elapsed() < Duration::from_secs(15),
        "{:?}",
        started.elapsed()
    );
}
