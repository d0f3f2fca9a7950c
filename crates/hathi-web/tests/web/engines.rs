//! Engines thinking, reviews, limits of both.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{GOLD, SILVER, START, site, site_with};

#[test]
fn an_engine_thinks_aloud() {
    let site = site();
    let engines = site.json("/api/v1/engines");
    let names: Vec<_> = engines["engines"]
        .as_array()
        .expect("engines")
        .iter()
        .filter_map(|e| e["name"].as_str())
        .collect();
    assert!(names.contains(&"fairy") && names.contains(&"mimic"));
    let options: Vec<_> = engines["options"]
        .as_array()
        .expect("options")
        .iter()
        .filter_map(|option| option["name"].as_str())
        .collect();
    assert_eq!(options, ["depth", "nodes", "hash", "threads", "multipv"]);
    for engine in ["fairy:depth=4", "random", "mimic:depth=4"] {
        let events = site.events(&format!(
            "/api/v1/think?position={START}&engine={engine}&seconds=20"
        ));
        let (name, decided) = &events[events.len() - 2];
        assert_eq!(name, "decided", "{engine}: {events:?}");
        let turn = decided["turn"].as_str().expect("a turn");
        let check = site.json(&format!("/api/v1/check?position={START}&turn={turn}"));
        assert_eq!(check["legal"], true);
        assert_eq!(events.last().map(|(name, _)| name.as_str()), Some("done"));
    }
    let setup = site.events(&format!("/api/v1/think?moves=1g {GOLD}&engine=greedy"));
    assert!(setup[setup.len() - 2].1["setup"].is_string());
    for bad in [
        format!("position={START}&engine=nobody"),
        format!("position={START}&engine=fairy:store=/etc/passwd"),
        format!("position={START}&engine=fairy:weights=/etc/passwd"),
        // Neither files nor experiments are for clients, whatever the value.
        format!("position={START}&engine=fairy:weights="),
        format!("position={START}&engine=fairy:ordering=none"),
        format!("position={START}&engine=fairy:ordering=/etc/passwd"),
        format!("position={START}&engine=fairy:learn=true"),
        format!("position={START}&engine=tweaked:phase=gt"),
        format!("position={START}&engine=tweaked:phase-at=leaf"),
        format!("position={START}&engine=tweaked:tweaks=/etc/passwd"),
        format!("position={START}&engine=rat:keep=1"),
        format!("position={START}&engine=rat:plans=off"),
        format!("position={START}&engine=rat:dpg=off"),
        format!("position={START}&engine=fairy:hash=4096"),
        format!("position={START}&engine=fairy:threads=1000"),
        format!("position={START}&seconds=3600"),
        format!("position={START}&moves=1g"),
        "engine=fairy".to_owned(),
        // Not a position of a game: seventeen elephants.
        format!("position=g [{}]", "E".repeat(64)),
    ] {
        assert_eq!(
            site.get(&format!("/api/v1/think?{bad}")).status,
            400,
            "{bad}"
        );
    }
}

#[test]
fn thinking_stops_when_nobody_listens() {
    let site = site_with(|config| config.limits.thinking.working = 1);
    let mut stream = site.connect();
    let path = format!("/api/v1/think?position={START}&seconds=60")
        .replace(' ', "%20")
        .replace('[', "%5B")
        .replace(']', "%5D");
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n",
        site.address
    )
    .expect("a request");
    let mut some = [0; 200];
    stream
        .read_exact(&mut some)
        .expect("the beginning of the answer");
    drop(stream);
    // The only place among the engines is free again long before a minute.
    let started = Instant::now();
    let events = site.events(&format!("/api/v1/think?position={START}&engine=greedy"));
    assert_eq!(events.last().map(|(name, _)| name.as_str()), Some("done"));
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_review_is_kept_with_its_game() {
    let site = site();
    let id = site.json("/api/v1/games?limit=1")["games"][0]["id"].clone();
    let id = id.as_str().expect("an id");
    let kept = || site.json(&format!("/api/v1/games/{id}/kept-review"))["review"].clone();
    assert!(kept().is_null());
    // The memory alone makes no review.
    let known = site.events(&format!("/api/v1/games/{id}/review?memory=true"));
    let named = |wanted: &str| known.iter().filter(|(name, _)| name == wanted).count();
    assert!(named("known") > 0 && named("left") == 1 && named("turn") == 0);
    assert_eq!(known.last(), Some(&("done".to_owned(), Value::Null)));
    assert!(kept().is_null());
    let review = |options: &str| {
        let events = site.events(&format!("/api/v1/games/{id}/review?{options}"));
        let turns = events.iter().filter(|(name, _)| name == "turn");
        turns.map(|(_, turn)| turn.clone()).collect::<Vec<_>>()
    };
    let made = review("nodes=300");
    assert_eq!(kept()["turns"].as_array(), Some(&made));
    assert_eq!(kept()["nodes"], 300);
    assert_eq!(kept()["current"], true);
    assert_eq!(review("nodes=300"), made);
    // Less is not kept instead, nor what another engine says, nor what nobody can repeat.
    for options in ["nodes=200", "nodes=900&engine=greedy", "seconds=0.001"] {
        review(options);
        assert_eq!(kept()["nodes"], 300, "{options}");
    }
    review("nodes=400&again=true");
    assert_eq!(kept()["nodes"], 400);
    assert_eq!(
        site.get("/api/v1/games/999999/kept-review").refused(404),
        "not-found"
    );
}

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];

#[test]
fn a_study_is_kept_changed_exported_and_taken_away() {
    let site = site();
    let id = site.json("/api/v1/games?limit=1")["games"][0]["id"].clone();
    let game = site.json(&format!("/api/v1/games/{}", id.as_str().expect("an id")));
    let text = game["notation"].as_str().expect("notation");
    let first = game["moves"][2]["turn"].as_str().expect("a turn");
    let mut study = json!({
        "title": "How it began",
        "text": text,
        "notes": [
            {"ply": 1, "then": [], "text": "A quiet turn."},
            {"ply": 0, "then": [first], "text": "The same as a variation."},
        ],
    });
    let made = site.post("/api/v1/studies", &study);
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.value();
    let path = format!("/api/v1/studies/{}", made["id"].as_str().expect("an id"));
    assert_eq!(site.json(&path), made);
    assert_eq!(made["notes"][0]["ply"], 0);
    let text = site.get(&format!("{path}/study.txt")).text();
    assert!(text.starts_with("# study      How it began\n"), "{text}");
    assert!(text.contains("\n# - A quiet turn.\n"), "{text}");
    assert!(
        text.contains(&format!("\n# - variation: 2g {first}\n")),
        "{text}"
    );
    let again = site.post("/api/v1/read", &json!({ "text": text })).fine();
    assert_eq!(again["stored"], id, "read again it is the game");

    // As pictures: the game, a position of it, and the variation.
    for (query, kind, start) in [
        ("study.gif?size=80&coordinates=true", "image/gif", "GIF8"),
        ("study.gif?size=80&variation=1", "image/gif", "GIF8"),
        (
            "board.png?size=80&ply=1&coordinates=true",
            "image/png",
            "PNG",
        ),
        ("board.png?size=80&variation=1", "image/png", "PNG"),
    ] {
        let answer = site.get(&format!("{path}/{query}"));
        assert_eq!(answer.status, 200, "{query}");
        assert_eq!(answer.header("content-type"), Some(kind), "{query}");
        let head = String::from_utf8_lossy(&answer.body[..8]).into_owned();
        assert!(head.contains(start), "{query}: {head:?}");
    }
    let board = |query: &str| site.get(&format!("{path}/board.png?size=80&{query}")).body;
    assert_eq!(board("ply=1"), board("variation=1"), "the same turn");
    assert_ne!(board("ply=1"), board("ply=1&coordinates=true"));
    for (query, code) in [
        ("board.png?variation=2", 404),
        ("board.png?variation=0", 404),
        ("board.png?variation=1&ply=2", 404),
        ("board.png?size=9000", 400),
        ("study.gif?variation=9", 404),
        ("study.gif?size=1600", 400),
    ] {
        assert_eq!(site.get(&format!("{path}/{query}")).status, code, "{query}");
    }
    let draw = |then: serde_json::Value| {
        let body = json!({"text": text, "format": "gif", "size": 64, "ply": 0, "then": then});
        site.post("/api/v1/draw", &body).status
    };
    assert_eq!(draw(json!([first])), 200);
    assert_eq!(draw(json!(["Ra1s"])), 400);

    study["title"] = json!("Another title");
    let changed = site.send("PUT", &path, &JSON, &study.to_string());
    assert_eq!(changed.fine()["title"], "Another title");
    let list = site.json("/api/v1/studies");
    assert_eq!(list["studies"].as_array().map(Vec::len), Some(1));
    assert_eq!(list["studies"][0]["title"], "Another title");
    for (what, value) in [
        ("title", json!(" ")),
        ("text", json!("nonsense")),
        ("notes", json!([{"ply": 9999, "text": "x"}])),
        ("notes", json!([{"ply": 0, "then": ["Ra1s"]}])),
    ] {
        let mut wrong = study.clone();
        wrong[what] = value;
        assert_eq!(site.post("/api/v1/studies", &wrong).status, 400, "{what}");
    }
    // A position can be studied, too.
    let position = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    let of_position =
        json!({"title": "x", "text": position, "notes": [{"ply": 0, "text": "Even."}]});
    assert_eq!(site.post("/api/v1/studies", &of_position).status, 201);
    assert_eq!(site.send("DELETE", &path, &[], "").status, 204);
    assert_eq!(site.get(&path).refused(404), "not-found");
    assert_eq!(
        site.send("PUT", &path, &JSON, &study.to_string())
            .refused(404),
        "not-found"
    );
}

#[test]
fn a_game_is_reviewed() {
    let site = site();
    // Gold walks its camel into the arms of the elephant and loses a lot.
    let text = format!("{GOLD}\n{SILVER}\nEe2n Ee3n\ned7s ed6s\nMd2n Md3n\ned5n");
    let reviewed = site
        .post(
            "/api/v1/review",
            &json!({"text": text, "engine": "fairy:depth=3"}),
        )
        .events();
    let of = |name: &str| {
        reviewed
            .iter()
            .filter(|(known, _)| known == name)
            .map(|(_, data)| data)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("start")[0]["moves"], 4);
    assert_eq!(of("known").len(), 4);
    assert_eq!(of("left").len(), 1);
    let turns = of("turn");
    assert_eq!(turns.len(), 4);
    assert!(
        turns
            .iter()
            .all(|turn| turn["score"].is_i64() && turn["loss"].as_f64() >= Some(0.0))
    );
    assert!(of("done")[0]["gold"]["blunders"].is_u64());
    assert_eq!(of("done")[0]["silver"]["turns"], 2);
    // Three steps are no ground to judge by.
    assert!(turns.iter().all(|turn| turn["mark"].is_null()));

    // A game of the store is no memory of itself.
    let games = site.json("/api/v1/games?order=oldest&limit=1");
    let id = games["games"][0]["id"].as_str().expect("a game").to_owned();
    let reviewed = site.events(&format!("/api/v1/games/{id}/review?engine=fairy&nodes=200"));
    let turns = games["games"][0]["turns"].as_u64();
    let known: Vec<_> = reviewed
        .iter()
        .filter(|(name, _)| name == "known")
        .collect();
    assert_eq!(Some(known.len() as u64), turns);
    assert_eq!(
        known.last().map(|(_, k)| k["hits"]["full"].clone()),
        Some(json!(0))
    );
    let last = reviewed
        .iter()
        .rfind(|(name, _)| name == "turn")
        .expect("a turn");
    assert!(
        last.1["score"]
            .as_i64()
            .is_some_and(|score| score.abs() >= 99_000),
        "{last:?}"
    );
    assert_eq!(
        site.post("/api/v1/review", &json!({"text": "nonsense"}))
            .refused(400),
        "bad-request"
    );
    assert_eq!(
        site.get("/api/v1/games/999999/review").refused(404),
        "not-found"
    );
}

#[test]
fn a_position_is_analysed_depth_by_depth() {
    let site = site();
    let events = site.events(&format!(
        "/api/v1/analyse?position={START}&made=Ee2n&lines=3&depth=6"
    ));
    let (name, done) = events.last().expect("an end");
    assert_eq!(name, "done", "{events:?}");
    assert_eq!(done["depth"], 6);
    let lines = done["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    for line in lines {
        let turn = line["turn"].as_str().expect("a turn");
        assert!(turn.starts_with("Ee2n"), "{turn}");
        let check = site.json(&format!("/api/v1/check?position={START}&turn={turn}"));
        assert_eq!(check["legal"], true);
        assert!(line["words"].is_string() && line["gold_chance"].is_f64());
    }
    let depths: Vec<_> = events
        .iter()
        .filter(|(name, _)| name == "depth")
        .filter_map(|(_, data)| data["depth"].as_u64())
        .collect();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
    // A turn of one's own beside the best.
    let events = site.events(&format!(
        "/api/v1/analyse?position={START}&turn=Ee2n&lines=1&depth=5"
    ));
    let done = &events.last().expect("an end").1;
    assert_eq!(done["also"]["turn"], "Ee2n");
    assert!(done["also"]["gold_score"].as_i64() <= done["lines"][0]["gold_score"].as_i64());
    for bad in [
        format!("position={START}&turn=Ra1s"),
        format!("position={START}&lines=0"),
        format!("position={START}&lines=6"),
        format!("position={START}&made=nonsense"),
        format!("position={START}&seconds=100000"),
        format!("position={START}&engine=hathi:store=/etc/passwd"),
        "lines=2".to_owned(),
    ] {
        let answer = site.get(&format!("/api/v1/analyse?{bad}"));
        assert_eq!(answer.status, 400, "{bad}");
    }
    // What is known only when it is tried comes as the last event.
    for (wrong, why) in [
        (format!("position={START}&made=Ra1s"), "cannot be taken"),
        (format!("position={START}&engine=random"), "cannot analyse"),
    ] {
        let events = site.events(&format!("/api/v1/analyse?{wrong}"));
        let (name, data) = events.last().expect("an end");
        assert_eq!(name, "failed", "{wrong}");
        assert!(data.to_string().contains(why), "{data}");
    }
}

#[test]
fn analyses_have_a_number_of_places() {
    let site = site_with(|config| {
        config.limits.analyses.working = 0;
        config.limits.analyses.waiting = 0;
    });
    let events = site.events(&format!("/api/v1/analyse?position={START}&depth=2"));
    let (name, data) = events.last().expect("an end");
    assert_eq!(
        (name.as_str(), &data["error"]["code"]),
        ("failed", &json!("busy"))
    );
    // Who is not alone on the machine may not keep it busy for ever.
    let site = site_with(|config| config.names = vec!["arimaa.example".to_owned()]);
    let answer = site.get(&format!("/api/v1/analyse?position={START}&seconds=61"));
    assert_eq!(answer.status, 400);
}

/// An AEI engine in shell: what it does when it is to think.
#[cfg(unix)]
fn mock(name: &str, on_go: &str) -> hathi_web::AnalysisEngine {
    let command = format!(
        r#"sh -c 'while read -r line; do case "$line" in
            aei) echo "id name mock"; echo aeiok;;
            isready) echo readyok;;
            go*) {on_go};;
            quit) exit 0;;
        esac; done'"#
    );
    hathi_web::AnalysisEngine {
        name: name.to_owned(),
        command,
    }
}

#[cfg(unix)]
#[test]
fn another_engine_of_this_machine_looks_on() {
    let engines = vec![
        mock(
            "other",
            r#"echo "info multipv 1"; echo "info depth 7"; echo "info score -12"; echo "info pv Ee2n Ee3n s ed7s"
               echo "info multipv 2"; echo "info score -30"; echo "info pv Ha2n"; echo "bestmove Ee2n Ee3n""#,
        ),
        mock("dead", "echo out of cheese >&2; exit 3"),
        hathi_web::AnalysisEngine {
            name: "none".to_owned(),
            command: "/no/such/engine".to_owned(),
        },
    ];
    let site = site_with(|config| config.analysis_engines.clone_from(&engines));
    let status = site.json("/api/v1/status");
    assert_eq!(status["analysis_engines"], json!(["other", "dead", "none"]));
    let ask = |name: &str| site.events(&format!("/api/v1/analyse-by?name={name}&position={START}"));
    let events = ask("other");
    let (name, done) = events.last().expect("an end");
    assert_eq!(name, "done", "{events:?}");
    assert_eq!(done["name"], "mock");
    assert_eq!(
        done["lines"],
        json!([
            {"turn": "Ee2n Ee3n", "depth": "7", "score": "-12", "nodes": null, "line": ["Ee2n Ee3n", "ed7s"]},
            {"turn": "Ha2n", "depth": null, "score": "-30", "nodes": null, "line": ["Ha2n"]},
        ])
    );
    let said = events.iter().filter(|(name, _)| name == "said").count();
    assert_eq!(said, 2);
    for (name, why) in [("dead", "exit status: 3"), ("none", "cannot be started")] {
        let events = ask(name);
        let (last, data) = events.last().expect("an end");
        assert_eq!(last, "failed", "{events:?}");
        let message = data["error"]["message"].as_str().expect("words");
        assert!(
            message.starts_with(name) && message.contains(why),
            "{message}"
        );
    }
    for (query, code) in [
        (format!("name=nobody&position={START}"), 404),
        (format!("name=sh&position={START}"), 404),
        (format!("name=other&position={START}&lines=6"), 400),
        ("name=other&position=x".to_owned(), 400),
        (format!("position={START}"), 400),
    ] {
        let answer = site.get(&format!("/api/v1/analyse-by?{query}"));
        assert_eq!(answer.status, code, "{query}");
    }
    // Not over the network, whatever the server was started with.
    let password = || hathi_web::Password::new("a-password-for-writing").expect("a password");
    let public = site_with(|config| {
        config.analysis_engines.clone_from(&engines);
        config.access = hathi_web::Access::Public(password());
    });
    let named = site_with(|config| {
        config.analysis_engines.clone_from(&engines);
        config.names = vec!["arimaa.example".to_owned()];
    });
    for site in [public, named] {
        assert_eq!(site.json("/api/v1/status")["analysis_engines"], json!([]));
        let answer = site.get(&format!("/api/v1/analyse-by?name=other&position={START}"));
        assert_eq!(answer.status, 404);
    }
}

#[cfg(unix)]
#[test]
fn a_silent_engine_is_ended_when_nobody_listens() {
    let folder = tempfile::tempdir().expect("a folder");
    let (started, ended) = (folder.path().join("started"), folder.path().join("ended"));
    let engine = mock(
        "silent",
        &format!(
            "trap \"touch {ended}; exit\" TERM; touch {started}; while read -r line; do case \"$line\" in quit) touch {ended}; exit;; esac; done",
            started = started.display(),
            ended = ended.display()
        ),
    );
    let site = site_with(|config| config.analysis_engines = vec![engine]);
    let there = |file: &std::path::Path| {
        let late = Instant::now() + Duration::from_secs(20);
        while !file.exists() && Instant::now() < late {
            std::thread::sleep(Duration::from_millis(10));
        }
        file.exists()
    };
    let stream = site.begin(
        &format!("/api/v1/analyse-by?name=silent&position={START}"),
        "",
    );
    assert!(there(&started), "it is asked");
    drop(stream);
    assert!(there(&ended), "it is told to quit");
}
