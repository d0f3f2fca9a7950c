//! How much is too much: work, streams, games and tournaments.

use std::io::Read;
use std::net::Shutdown;
use std::time::{Duration, Instant};

use hathi_web::Places;
use serde_json::json;

use crate::common::{GOLD, SILVER, START, Site, site, site_in, site_with, until};

fn places(working: usize, waiting: usize) -> Places {
    Places {
        working,
        working_for_one: working,
        waiting,
        waiting_for_one: waiting,
    }
}

/// Threads of this process.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

#[test]
fn pictures_stand_in_a_queue() {
    let site = site_with(|config| {
        config.limits.errands = places(1, 4);
        config.limits.patience = Duration::from_secs(60);
    });
    let path = format!("/api/v1/board.png?position={START}&size=1600");
    let before = threads();
    let asked: Vec<_> = (0..40)
        .map(|_| site.begin(&path, "Connection: close\r\n"))
        .collect();
    let mut most = 0;
    let answers: Vec<u16> = asked
        .into_iter()
        .map(|stream| {
            most = most.max(threads());
            crate::common::Answer::read(stream).status
        })
        .collect();
    let fine = answers.iter().filter(|&&status| status == 200).count();
    let busy = answers.iter().filter(|&&status| status == 503).count();
    assert_eq!(fine + busy, 40, "{answers:?}");
    // One is drawn, four wait; whoever came after one was done, too.
    assert!(fine >= 5 && busy >= 20, "{fine} drawn, {busy} refused");
    assert!(
        most < before + 20,
        "{before} threads before, {most} at most"
    );
    assert_eq!(site.get(&path).status, 200, "the places are free again");
}

#[test]
fn work_keeps_its_place_when_its_client_leaves() {
    // A picture of the whole game takes a while; nobody waits for it.
    let site = site_with(|config| {
        config.limits.questions = places(1, 2);
        config.limits.patience = Duration::from_millis(200);
    });
    let leaves = || {
        let path = "/api/v1/search/export?pattern=E@near(c3)";
        let stream = site.begin(path, "");
        stream.shutdown(Shutdown::Both).expect("gone");
    };
    let before = threads();
    for _ in 0..100 {
        leaves();
    }
    assert!(
        threads() < before + 20,
        "{before} before, {} now",
        threads()
    );
    until(|| {
        let answer = site.get("/api/v1/search?pattern=E@near(c3)&limit=1");
        (answer.status == 200).then(|| answer.value())
    });
    // Stores that are open but not needed are closed.
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, |files| {
        files
            .flatten()
            .filter(|file| {
                std::fs::read_link(file.path()).is_ok_and(|path| path.starts_with(site.folder()))
            })
            .count()
    });
    assert!(open < 20, "{open} files of the store are open");
}

#[test]
fn the_status_does_not_stand_in_the_queue() {
    let site = site_with(|config| {
        config.limits.questions = places(1, 64);
        config.limits.errands = places(1, 64);
    });
    site.json("/api/v1/status");
    let path = format!("/api/v1/board.png?position={START}&size=1600");
    let _busy: Vec<_> = (0..60)
        .flat_map(|number| {
            let search = format!(
                "/api/v1/search?pattern=E@near(c3) R@rank({})&limit=500",
                number % 8 + 1
            );
            [site.begin(&search, ""), site.begin(&path, "")]
        })
        .collect();
    for _ in 0..5 {
        let started = Instant::now();
        site.json("/api/v1/status");
        let took = started.elapsed();
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}

/// The first event of a stream that thinks, if there is one in time.
fn thinks(site: &Site, address: &str, within: Duration) -> bool {
    let path = format!("/api/v1/think?position={START}&engine=greedy&seconds=0.1");
    let mut stream = site.begin(&path, &format!("X-Forwarded-For: {address}\r\n"));
    stream.set_read_timeout(Some(within)).expect("a timeout");
    let mut text = Vec::new();
    let started = Instant::now();
    let mut some = [0; 1000];
    while started.elapsed() < within {
        match stream.read(&mut some) {
            Ok(0) | Err(_) => break,
            Ok(count) => text.extend_from_slice(&some[..count]),
        }
        if String::from_utf8_lossy(&text).contains("event: decided") {
            return true;
        }
    }
    false
}

#[test]
fn nobody_thinks_in_all_places() {
    let site = site_with(|config| {
        config.behind_proxy = true;
        config.limits.thinking = Places {
            working_for_one: 1,
            ..places(2, 64)
        };
        config.limits.streams_for_one = 8;
    });
    let path = format!("/api/v1/think?position={START}&seconds=30");
    let greedy: Vec<_> = (0..8)
        .map(|_| site.begin(&path, "X-Forwarded-For: 10.0.0.1\r\n"))
        .collect();
    std::thread::sleep(Duration::from_millis(500));
    // One more is refused, the others think.
    let refused = site.send("GET", &path, &[("X-Forwarded-For", "10.0.0.1")], "");
    assert_eq!(refused.refused(429), "too-many");
    let soon = Duration::from_secs(10);
    assert!(
        thinks(&site, "10.0.0.2", soon),
        "one client starves the others"
    );
    drop(greedy);
}

fn play(site: &Site, address: &str) -> crate::common::Answer {
    let terms = json!({"engine": "random", "side": "g", "setups": [GOLD, SILVER]}).to_string();
    site.send_from(address, "POST", "/api/v1/plays", &terms)
}

#[test]
fn the_oldest_game_makes_room_and_the_limit_survives_a_restart() {
    let change = |config: &mut hathi_web::Config| {
        config.behind_proxy = true;
        config.limits.plays = 4;
        config.limits.plays_for_one = 2;
        config.limits.play_spared = Duration::from_secs(1);
    };
    let site = site_with(change);
    let first = play(&site, "10.0.0.1").fine()["id"].clone();
    let first = first.as_str().expect("an id").to_owned();
    // Games know the second in which they were touched.
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(play(&site, "10.0.0.1").status, 201);
    assert_eq!(play(&site, "10.0.0.1").refused(429), "too-many");
    // It is remembered who has them.
    let site = site_in(site.end(), change);
    assert_eq!(play(&site, "10.0.0.1").refused(429), "too-many");
    assert_eq!(play(&site, "10.0.0.2").status, 201);
    assert_eq!(play(&site, "10.0.0.2").status, 201);
    // All places are taken; after a while the first one goes.
    until(|| {
        let answer = play(&site, "10.0.0.3");
        (answer.status == 201).then(|| answer.value())
    });
    let of_first: Vec<u16> = [&first]
        .iter()
        .map(|id| site.get(&format!("/api/v1/plays/{id}")).status)
        .collect();
    assert_eq!(of_first, [404], "the oldest game is still there");
}

#[test]
fn games_that_are_not_set_up_do_not_count_and_do_not_pile_up() {
    let site = site_with(|config| {
        config.behind_proxy = true;
        config.limits.plays_for_one = 2;
    });
    let terms = json!({"engine": "random", "side": "g"}).to_string();
    let begun: Vec<String> = (0..4)
        .map(|_| {
            let answer = site.send_from("10.0.0.1", "POST", "/api/v1/plays", &terms);
            assert_eq!(answer.status, 201, "{}", answer.text());
            let id = answer.value()["id"].clone();
            id.as_str().expect("an id").to_owned()
        })
        .collect();
    let there = |id: &String| site.get(&format!("/api/v1/plays/{id}")).status == 200;
    assert_eq!(begun.iter().filter(|id| there(id)).count(), 2);
    // Those that are played do.
    assert_eq!(play(&site, "10.0.0.1").status, 201);
    assert_eq!(play(&site, "10.0.0.1").status, 201);
    assert_eq!(play(&site, "10.0.0.1").refused(429), "too-many");
}

#[test]
fn games_that_nobody_touches_are_given_up() {
    let site = site_with(|config| config.limits.play_idle = Duration::from_secs(1));
    let play = play(&site, "10.0.0.1").fine();
    let path = format!("/api/v1/plays/{}", play["id"].as_str().expect("an id"));
    assert_eq!(site.get(&path).status, 200);
    until(|| (site.get(&path).status == 404).then_some(json!(null)));
    let kept = std::fs::read_dir(site.folder().join("web/plays")).expect("a folder");
    assert_eq!(kept.count(), 0, "its file is still there");
}

#[test]
fn finished_games_are_few_paged_and_deletable() {
    let mut site = site_with(|config| config.limits.finished_per_client = 3);
    let answer = play(&site, "10.0.0.1");
    site.keep_cookie(&answer);
    let mut ids = vec![answer.fine()["id"].clone()];
    for _ in 0..5 {
        let id = ids
            .last()
            .and_then(serde_json::Value::as_str)
            .expect("an id");
        site.post(&format!("/api/v1/plays/{id}/resign"), &json!({}))
            .fine();
        ids.push(play(&site, "10.0.0.1").fine()["id"].clone());
    }
    let list = site.json("/api/v1/plays");
    assert_eq!(list["total"], 4, "three finished and one that is played");
    let pages: Vec<_> = (0..5)
        .map(|offset| site.json(&format!("/api/v1/plays?limit=1&offset={offset}")))
        .collect();
    let counts: Vec<_> = pages
        .iter()
        .map(|page| page["plays"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(counts, [1, 1, 1, 1, 0]);
    let over = pages
        .iter()
        .find(|page| page["plays"][0]["state"] == "over");
    let over = over.expect("a finished game");
    let id = over["plays"][0]["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/v1/plays/{id}");
    assert_eq!(site.send("DELETE", &path, &[], "").status, 204);
    assert_eq!(site.get(&path).status, 404);
    assert_eq!(site.json("/api/v1/plays")["total"], 3);
    assert_eq!(site.get("/api/v1/plays?limit=1000").status, 400);
}

#[test]
fn only_who_started_a_tournament_stops_and_deletes_it() {
    let mut site = site_with(|config| config.limits.arenas_per_client = 1);
    let settings = json!({"players": ["greedy:depth=1", "random"], "games": 200, "max_moves": 50});
    let settings = settings.to_string();
    let start = |site: &Site, from: &str| site.send_from(from, "POST", "/api/v1/arenas", &settings);
    let answer = start(&site, "10.0.0.1");
    let id = answer.fine()["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/v1/arenas/{id}");
    let stop = format!("{path}/stop");
    for order in ["pause", "stop", "resume"] {
        let refused = site.send_from("10.0.0.2", "POST", &format!("{path}/{order}"), "{}");
        assert_eq!(refused.refused(403), "foreign", "{order}");
    }
    assert_eq!(site.send_from("10.0.0.2", "DELETE", &path, "").status, 403);
    assert_eq!(
        site.send_from("10.0.0.2", "GET", &path, "").fine()["yours"],
        false
    );
    site.keep_cookie(&answer);
    assert_eq!(
        site.send_from("10.0.0.1", "GET", &path, "").fine()["yours"],
        true
    );
    assert_eq!(
        site.send_from("10.0.0.1", "DELETE", &path, "").refused(409),
        "conflict"
    );
    site.send_from("10.0.0.1", "POST", &stop, "{}").fine();
    // One is enough for one client; it is deleted for good.
    assert_eq!(start(&site, "10.0.0.1").refused(429), "too-many");
    assert_eq!(site.json("/api/v1/arenas")["total"], 1);
    assert_eq!(site.json("/api/v1/arenas?offset=1")["arenas"], json!([]));
    assert_eq!(site.send_from("10.0.0.1", "DELETE", &path, "").status, 204);
    assert_eq!(site.get(&path).status, 404);
    assert!(!site.folder().join("web/arenas").join(&id).exists());
    // Who sits at the machine may stop what a stranger has started.
    let answer = start(&site, "10.0.0.1");
    let id = answer.fine()["id"].as_str().expect("an id").to_owned();
    site.forget_cookie();
    site.post(&format!("/api/v1/arenas/{id}/stop"), &json!({}))
        .fine();
}

#[test]
fn texts_have_limits_and_are_kept_as_we_write_them() {
    let site = site();
    let long = format!("random:{}", ",".repeat(60_000));
    let refused = site.post("/api/v1/plays", &json!({ "engine": long }));
    assert_eq!(refused.refused(400), "bad-request");
    let long = format!("name={}", ",".repeat(10_000));
    let players = json!({"players": [long, "random"], "games": 2});
    assert_eq!(
        site.post("/api/v1/arenas", &players).refused(400),
        "bad-request"
    );
    let control = json!({"engine": "random", "control": "1".repeat(1000)});
    assert_eq!(
        site.post("/api/v1/plays", &control).refused(400),
        "bad-request"
    );
    let pattern = format!("/api/v1/pattern?pattern={}", "Ed5 ".repeat(2000));
    assert_eq!(site.json(&pattern)["ok"], false);
    let name = format!("/api/v1/games?player={}", "x".repeat(1000));
    assert_eq!(site.get(&name).refused(400), "bad-request");
    // Spaces and commas that say nothing are not kept.
    let play = json!({"engine": " greedy :,, depth=1 ,,", "control": "0/15s"});
    let play = site.post("/api/v1/plays", &play);
    let play = play.fine();
    assert_eq!(play["engine"], "greedy:depth=1");
    let players =
        json!({"players": ["a = greedy:,,depth=1", "random:,"], "games": 2, "max_moves": 1});
    let arena = site.post("/api/v1/arenas", &players).fine();
    assert_eq!(
        arena["settings"]["players"],
        json!(["a=greedy:depth=1", "random"])
    );
}
