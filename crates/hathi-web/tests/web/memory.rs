//! Positions, games, setups, patterns, puzzles.

use serde_json::json;

use crate::common::{GOLD, SILVER, START, Site, site, site_with, until};

/// The first game of the store and a position of it.
fn some_game(site: &Site) -> (String, String) {
    let games = site.json("/api/v1/games?order=oldest&limit=1");
    let id = games["games"][0]["id"].as_str().expect("a game").to_owned();
    let game = site.json(&format!("/api/v1/games/{id}"));
    (id, game["start"].as_str().expect("a start").to_owned())
}

#[test]
fn what_was_played_is_found() {
    let site = site();
    let (id, start) = some_game(&site);
    let game = site.json(&format!("/api/v1/games/{id}"));
    let first = &game["moves"][2];
    assert_eq!(first["label"], "2g");

    let found = site.json(&format!(
        "/api/v1/explore?position={start}&limit=200&reached=true"
    ));
    assert!(found["hits"].as_u64() > Some(0));
    assert_eq!(found["squares"].as_array().map(Vec::len), Some(64));
    let turns = found["turns"].as_array().expect("turns");
    assert_eq!(found["different_turns"], turns.len());
    let played = turns
        .iter()
        .find(|turn| turn["position_after"] == first["position"])
        .expect("the turn of the game");
    assert!(played["reached"].as_u64() >= played["count"].as_u64());
    assert!(!found["most_recent"].as_array().expect("games").is_empty());

    for (kind, squares) in [("half", 32), ("area", 25), ("area-by-piece", 25)] {
        let found = site.json(&format!("/api/v1/explore?position={start}&kind={kind}"));
        assert_eq!(found["kind"], kind);
        assert_eq!(found["squares"].as_array().map(Vec::len), Some(squares));
        assert!(found["hits"].as_u64() > Some(0), "{kind}");
        assert!(found["turns"][0]["reached"].is_null());
    }

    // One answer has the counts of all kinds beside the turns of one, and asks
    // no more than that.
    let hits = site.json(&format!(
        "/api/v1/explore?position={start}&trap=f6&kind=area"
    ));
    assert!(hits["turns"][0]["reached"].is_null());
    let closest = site.json(&format!("/api/v1/explore?position={start}&kind=closest"));
    assert_eq!(
        (&closest["kind"], &closest["hits"]),
        (&found["kind"], &found["hits"])
    );
    assert!(closest["turns"][0]["reached"].is_null());
    let kinds = hits["kinds"].as_array().expect("kinds");
    let counts: Vec<_> = kinds.iter().map(|kind| kind["hits"].as_u64()).collect();
    assert_eq!(counts.len(), 4);
    assert_eq!(counts[0], found["hits"].as_u64());
    assert_eq!(counts[2], hits["hits"].as_u64());
    assert!(counts[1] >= counts[0] && counts[3] >= counts[2]);
    assert_eq!(hits["trap"], "f6");
    assert_eq!(hits["traps"].as_array().map(Vec::len), Some(4));

    // The same words as on the command line.
    let nobody = site.json(&format!("/api/v1/explore?position={start}&player=nobody"));
    assert_eq!(nobody["hits"], 0);
    let literal = site.json(&format!("/api/v1/explore?position={start}&literal=true"));
    assert!(literal["hits"].as_u64() <= found["hits"].as_u64());
}

#[test]
fn bad_questions_are_explained() {
    let site = site();
    for (path, code) in [
        ("/api/v1/explore", "bad-request"),
        ("/api/v1/explore?position=g", "bad-position"),
        (
            "/api/v1/explore?position=[................]",
            "bad-position",
        ),
        (
            &format!("/api/v1/explore?position={START}&kind=whole"),
            "bad-request",
        ),
        (
            &format!("/api/v1/explore?position={START}&limit=201"),
            "bad-request",
        ),
        (
            &format!("/api/v1/explore?position={START}&limit=-1"),
            "bad-request",
        ),
        (
            &format!("/api/v1/explore?position={START}&trap=c4"),
            "bad-request",
        ),
        (
            &format!("/api/v1/explore?position={START}&last=z9"),
            "bad-request",
        ),
        (
            &format!("/api/v1/explore?position={START}&piece=X"),
            "bad-request",
        ),
        (
            &format!("/api/v1/explore?position={START}&moves=9-5"),
            "bad-request",
        ),
        (
            &format!("/api/v1/explore?position={START}&as=g"),
            "bad-request",
        ),
        ("/api/v1/games?from=2011-13", "bad-request"),
        ("/api/v1/games?from=2012&to=2011", "bad-request"),
        ("/api/v1/games?termination=x", "bad-request"),
        ("/api/v1/games?pace=slowly", "bad-request"),
        ("/api/v1/games?limit=501", "bad-request"),
        ("/api/v1/games?after=x", "bad-request"),
        ("/api/v1/setups?reply_to=Ra1", "bad-turn"),
        (&format!("/api/v1/setups?reply_to={SILVER}"), "bad-request"),
        (
            &format!("/api/v1/setups?side=g&reply_to={GOLD}"),
            "bad-request",
        ),
        ("/api/v1/search?pattern=%21%21", "bad-pattern"),
        ("/api/v1/search?pattern=Ed5&limit=501", "bad-request"),
        (
            &format!("/api/v1/steps?position={START}&made=Ee2s"),
            "bad-turn",
        ),
        (
            &format!("/api/v1/steps?position={START}&made=what"),
            "bad-turn",
        ),
        (
            &format!("/api/v1/solve?position={START}&turns=3"),
            "bad-request",
        ),
        (
            &format!("/api/v1/solve?position={START}&seconds=0"),
            "bad-request",
        ),
        (
            &format!("/api/v1/board.png?position={START}&size=5"),
            "bad-request",
        ),
        ("/api/v1/puzzles?limit=501", "bad-request"),
    ] {
        assert_eq!(site.get(path).refused(400), code, "{path}");
    }
    for path in [
        "/api/v1/games/0",
        "/api/v1/games/999999999",
        "/api/v1/games/18446744073709551616",
        "/api/v1/games/x",
        "/api/v1/games/999999999/board.svg",
        "/api/v1/puzzles/win-1-2g",
        "/api/v1/puzzles/what",
        "/api/v1/plays/p1",
        "/api/v1/arenas/a1",
        "/api/v1/nothing",
        "/nothing",
        "/assets/nothing.js",
    ] {
        assert_eq!(site.get(path).refused(404), "not-found", "{path}");
    }
}

#[test]
fn pages_of_games_fit_together() {
    let site = site();
    let all = site.json("/api/v1/games?limit=500");
    let ids = |games: &serde_json::Value| -> Vec<String> {
        let games = games["games"].as_array().expect("games");
        games
            .iter()
            .filter_map(|game| Some(game["id"].as_str()?.to_owned()))
            .collect()
    };
    let total = all["total"].as_u64().expect("a number");
    assert!(total >= 100 && all["next"].is_null());
    let mut paged = Vec::new();
    let mut after = String::new();
    loop {
        let page = site.json(&format!("/api/v1/games?limit=60{after}"));
        paged.extend(ids(&page));
        let Some(next) = page["next"].as_i64() else {
            break;
        };
        after = format!("&after={next}");
    }
    assert_eq!(paged, ids(&all));
    let mut oldest = ids(&site.json("/api/v1/games?limit=500&order=oldest"));
    oldest.reverse();
    assert_eq!(oldest, paged);

    let gold = site.json("/api/v1/games?result=g&limit=500");
    let silver = site.json("/api/v1/games?result=s&limit=0");
    assert_eq!(
        gold["total"]
            .as_u64()
            .map(|n| n + silver["total"].as_u64().unwrap_or(0)),
        Some(total)
    );
    assert!(
        gold["games"]
            .as_array()
            .expect("games")
            .iter()
            .all(|game| game["result"] == "g")
    );

    let some = site.json("/api/v1/games?numbers=10-19&limit=500");
    let some = some["games"].as_array().expect("games");
    assert!(!some.is_empty());
    for game in some {
        let number = game["number"].as_u64().expect("a number");
        assert!((10..=19).contains(&number), "{game}");
    }
    assert_eq!(
        site.get("/api/v1/games?numbers=19-10").refused(400),
        "bad-request"
    );
}

#[test]
fn a_game_can_be_taken_along_and_read_again() {
    let site = site();
    let (id, _) = some_game(&site);
    let game = site.json(&format!("/api/v1/games/{id}"));
    let notation = site.get(&format!("/api/v1/games/{id}/notation"));
    assert!(notation.header("content-disposition").is_some());
    assert_eq!(game["notation"], notation.text());
    let archive = site.get(&format!("/api/v1/games/{id}/archive")).text();
    for text in [
        notation.text(),
        archive.clone(),
        archive.lines().nth(1).unwrap_or("").to_owned(),
    ] {
        let read = site.post("/api/v1/read", &json!({ "text": text })).fine();
        assert_eq!(read["moves"], game["moves"]);
    }
    let read = site
        .post(
            "/api/v1/read",
            &json!({"text": format!("{GOLD}\n{SILVER}\nEe2n")}),
        )
        .fine();
    assert_eq!(read["moves"][2]["turn"], "Ee2n");
    assert_eq!(
        site.post("/api/v1/read", &json!({"text": "1g nonsense"}))
            .refused(400),
        "bad-request"
    );
    assert_eq!(
        site.post("/api/v1/read", &json!({"texts": ""}))
            .refused(400),
        "bad-request"
    );
}

#[test]
fn setups_and_replies() {
    let site = site();
    let setups = site.json("/api/v1/setups?limit=3");
    let first = &setups["setups"][0];
    assert_eq!(first["rank"], 1);
    assert_eq!(first["board"].as_str().map(str::len), Some(66));
    let gold = first["setup"].as_str().expect("a setup");
    let replies = site.json(&format!("/api/v1/setups?reply_to={gold}"));
    assert_eq!(replies["side"], "s");
    assert_eq!(replies["games"], first["games"]);
}

#[test]
fn steps_are_explained() {
    let site = site();
    let steps = site.json(&format!("/api/v1/steps?position={START}"));
    assert_eq!(steps["steps"].as_array().map(Vec::len), Some(8));
    assert_eq!(steps["can_end_turn"], false);
    assert!(
        steps["why_not"]
            .as_str()
            .is_some_and(|why| why.contains("at least one step"))
    );
    let steps = site.json(&format!("/api/v1/steps?position={START}&made=Ee2n Ee3n"));
    assert_eq!(
        (&steps["steps_left"], &steps["can_end_turn"]),
        (&json!(2), &json!(true))
    );

    // The elephant on d4 may push or pull the dog on d5.
    let board = format!(
        "g [r{}d{}E{}R...]",
        ".".repeat(26),
        ".".repeat(7),
        ".".repeat(24)
    );
    let steps = site.json(&format!("/api/v1/steps?position={board}"));
    let kinds: Vec<_> = steps["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .map(|s| (s["step"].as_str(), s["kind"].as_str()))
        .collect();
    assert!(kinds.contains(&(Some("dd5n"), Some("push"))), "{kinds:?}");
    let steps = site.json(&format!("/api/v1/steps?position={board}&made=dd5n"));
    assert_eq!(
        steps["must_push"],
        json!({"square": "d5", "stronger_than": "D"})
    );
    assert_eq!(steps["steps"].as_array().map(Vec::len), Some(1));
    let steps = site.json(&format!("/api/v1/steps?position={board}&made=Ed4s"));
    let pull = steps["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .any(|s| s["kind"] == "pull" && s["step"] == "dd5s");
    assert!(pull);

    let check = |turn: &str| site.json(&format!("/api/v1/check?position={START}&turn={turn}"));
    assert_eq!(check("Ee2n")["legal"], true);
    let bad = check("Ee2n Ra1s");
    assert_eq!((&bad["legal"], &bad["step"]), (&json!(false), &json!(1)));
}

#[test]
fn patterns_are_searched_in_every_way() {
    let site = site();
    let found = site.json("/api/v1/search?pattern=E@near(c6) g to move&limit=5");
    assert!(found["hits"].as_u64() > Some(5));
    assert_eq!(found["best"].as_array().map(Vec::len), Some(5));
    let events = site.events("/api/v1/search/stream?pattern=E@near(c6) g to move&limit=5");
    let names: Vec<_> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["count", "hit", "hit", "hit", "hit", "hit", "done"]);
    assert_eq!(events[0].1["hits"], found["hits"]);
    for (event, best) in events[1..6]
        .iter()
        .zip(found["best"].as_array().expect("hits"))
    {
        assert_eq!(&event.1, best);
    }
    let exported = site
        .get("/api/v1/search/export?pattern=E@near(c6) g to move")
        .text();
    let games = exported.lines().count() as u64 - 1;
    assert_eq!(
        Some(games.min(1000)),
        found["games"].as_u64().map(|n| n.min(1000))
    );
    let one = site.json("/api/v1/search?pattern=E@near(c6) g to move&one_per_game=true&limit=500");
    assert_eq!(
        one["best"].as_array().map(|best| best.len() as u64),
        one["games"].as_u64().map(|n| n.min(500))
    );

    assert_eq!(site.json("/api/v1/pattern?pattern=Ed5")["ok"], true);
    let bad = site.json("/api/v1/pattern?pattern=Ez9");
    assert!(bad["ok"] == false && bad["error"].is_string());
    assert!(
        site.json("/api/v1/pattern/help")["text"]
            .as_str()
            .is_some_and(|t| t.contains("near"))
    );
}

#[test]
fn puzzles_are_solved() {
    let site = site();
    for kind in ["win", "goal"] {
        let list = site.json(&format!("/api/v1/puzzles?kind={kind}&limit=3"));
        assert!(
            list["total"].as_u64() >= Some(5),
            "{kind}: {}",
            list["total"]
        );
        let puzzle = &list["puzzles"][0];
        assert!(puzzle.get("solution").is_none(), "the solution is not told");
        let id = puzzle["id"].as_str().expect("a name");
        // Its difficulty may be measured meanwhile.
        let again = site.json(&format!("/api/v1/puzzles/{id}"));
        assert_eq!(again["position"], puzzle["position"]);
        let path = format!("/api/v1/puzzles/{id}");
        for level in 1..=3 {
            let hint = site.json(&format!("{path}/hint?level={level}"));
            assert!(hint["text"].is_string());
        }
        assert_eq!(
            site.get(&format!("{path}/hint?level=4")).refused(400),
            "bad-request"
        );
        let solution = site.json(&format!("{path}/solution"));
        assert_eq!(solution["proven"], true);
        assert_eq!(
            solution["defences"]
                .as_array()
                .is_some_and(|d| !d.is_empty()),
            kind == "win"
        );
        let turn = solution["turn"].as_str().expect("a turn");
        let tried = site
            .post(&format!("{path}/try"), &json!({ "turn": turn }))
            .fine();
        assert_eq!(tried["correct"], true);
        // Some first step alone is no solution, and the reason is told.
        let position = puzzle["position"].as_str().expect("a position");
        let steps = site.json(&format!("/api/v1/steps?position={position}"));
        let refuted = steps["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .any(|step| {
                let tried = site.post(&format!("{path}/try"), &json!({ "turn": step["step"] }));
                let tried = tried.fine();
                tried["correct"] == false && tried["reason"].is_string()
            });
        assert!(refuted, "{id}");
        let illegal = site
            .post(&format!("{path}/try"), &json!({"turn": "Ra1s"}))
            .fine();
        assert_eq!(illegal["legal"], false);
        let next = site.json(&format!("/api/v1/puzzles/next?kind={kind}&seen={id}"));
        assert_ne!(next["id"], *id);
    }
    let all = site.json("/api/v1/puzzles?limit=500");
    let ids: Vec<_> = all["puzzles"]
        .as_array()
        .expect("puzzles")
        .iter()
        .filter_map(|p| p["id"].as_str())
        .collect();
    let seen = ids.join(",");
    assert_eq!(
        site.get(&format!("/api/v1/puzzles/next?seen={seen}"))
            .refused(404),
        "not-found"
    );
    let solved = site.json(&format!("/api/v1/solve?position={START}&seconds=20"));
    assert_ne!(solved["answer"], "win");
}

#[test]
fn games_are_drawn() {
    let site = site();
    let (id, _) = some_game(&site);
    let svg = site.get(&format!(
        "/api/v1/games/{id}/board.svg?ply=3&size=200&side=s"
    ));
    assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
    assert!(
        svg.header("content-security-policy")
            .is_some_and(|p| p.contains("sandbox"))
    );
    assert!(svg.text().contains("width=\"200\""));
    let png = site.get(&format!("/api/v1/games/{id}/board.png"));
    assert!(png.body.starts_with(b"\x89PNG"));
    let gif = site.get(&format!("/api/v1/games/{id}/game.gif?size=80&delay=100"));
    assert!(gif.body.starts_with(b"GIF89a"), "{}", gif.text());
    let png = site.get(&format!(
        "/api/v1/board.png?position={START}&turn=Ee2n&size=64"
    ));
    assert!(png.body.starts_with(b"\x89PNG"));
    for format in ["svg", "png", "gif"] {
        let text = format!("{GOLD}\n{SILVER}\nEe2n\ned7s");
        let drawn = site.post(
            "/api/v1/draw",
            &json!({"text": text, "format": format, "size": 64}),
        );
        assert_eq!(drawn.status, 200, "{}", drawn.text());
    }
    assert_eq!(
        site.get(&format!("/api/v1/games/{id}/game.gif?size=5000"))
            .refused(400),
        "bad-request"
    );
    assert_eq!(
        site.get(&format!("/api/v1/games/{id}/board.svg?ply=5000"))
            .refused(404),
        "not-found"
    );
}

#[test]
fn the_server_keeps_the_index_in_order() {
    let site = site();
    // A fresh store has nothing to complain about.
    let status = site.json("/api/v1/status");
    assert_eq!(
        status["store"]["trouble"],
        serde_json::Value::Null,
        "{status}"
    );
    let index = site.folder().join("games.db.index");
    until(|| index.exists().then_some(serde_json::Value::Null));
    // Cut while it is used: an answer or a word that it is being built, never
    // the end of the server; and soon it is whole again.
    let whole = std::fs::metadata(&index).expect("an index").len();
    for cut in [0, 100, 5000, whole / 2] {
        let file = std::fs::File::options().write(true).open(&index);
        file.expect("an index").set_len(cut).expect("cut");
        until(|| {
            let answer = site.get("/api/v1/search?pattern=E@near(c3)&limit=5");
            assert!(
                answer.status == 200 || answer.status == 503,
                "{}",
                answer.text()
            );
            let mended = std::fs::metadata(&index).is_ok_and(|file| file.len() == whole);
            (answer.status == 200 && mended).then(|| answer.value())
        });
    }
    let status = site.json("/api/v1/status");
    assert_eq!(
        status["store"]["trouble"],
        serde_json::Value::Null,
        "{status}"
    );
}

#[test]
fn games_of_an_import_are_found_without_a_restart() {
    let site = site_with(|config| config.samples = false);
    let place = hathi_store::Place::File(site.folder().join("games.db"));
    let text = site.folder().join("more.txt");
    {
        let samples = crate::common::site();
        let answer = samples.get("/api/v1/search/export?pattern=E@near(c3)");
        std::fs::write(&text, &answer.body).expect("written");
    }
    assert_eq!(site.json("/api/v1/status")["store"]["games"], 0);
    let mut store = place.open_or_make().expect("a store");
    let reader = hathi_archive::ArchiveReader::open([&text]).expect("an archive");
    store
        .import(
            reader,
            hathi_store::ImportOptions::default(),
            &mut |_| {},
            &mut |_| true,
        )
        .expect("imported");
    drop(store);
    let status = until(|| {
        let status = site.json("/api/v1/status");
        let found =
            site.json("/api/v1/search?pattern=E@near(c3)&limit=1")["hits"].as_u64() > Some(0);
        let index = site.folder().join("games.db.index").exists();
        (found && index && status["store"]["games"].as_u64() > Some(0)).then_some(status)
    });
    assert_eq!(
        status["store"]["trouble"],
        serde_json::Value::Null,
        "{status}"
    );
}

#[test]
fn sources_are_chosen_counted_and_taken_out() {
    let site = site();
    let all = site.json("/api/v1/games?limit=0")["total"].clone();
    let sources = site.json("/api/v1/sources");
    assert_eq!(sources["sources"][0]["source"], "sample");
    assert_eq!(sources["games"], all);
    assert_eq!(
        site.json("/api/v1/status")["store"]["sources"],
        sources["sources"]
    );
    for (source, expected) in [("sample", &all), ("all", &all), ("arimaa,play", &json!(0))] {
        let counted =
            |path: &str, key: &str| site.json(&format!("{path}source={source}"))[key].clone();
        assert_eq!(
            &counted("/api/v1/games?limit=0&", "total"),
            expected,
            "{source}"
        );
        assert_eq!(&counted("/api/v1/setups?", "games"), expected, "{source}");
        assert_eq!(
            &counted("/api/v1/search?pattern=*@board&limit=0&", "games"),
            expected,
            "{source}"
        );
    }
    assert_eq!(site.get("/api/v1/games?source=nowhere").status, 400);
    // With a real game the samples do not count any more.
    let list = format!("id\tmovelist\n15\t1w {GOLD}\\n1b {SILVER}\\n2w Ee2n\\n2b\n");
    let reader = hathi_archive::ArchiveReader::new([hathi_archive::Source::reader(
        "test",
        std::io::Cursor::new(list.into_bytes()),
    )]);
    let place = hathi_store::Place::File(site.folder().join("games.db"));
    let imported = place
        .open()
        .expect("the store")
        .import(
            reader,
            hathi_store::ImportOptions::default(),
            &mut |_| {},
            &mut |_| true,
        )
        .expect("imported");
    assert_eq!(imported.stored, 1);
    crate::common::until(|| {
        let found = site.json("/api/v1/search?pattern=*@board&limit=0");
        (found["games"] == 1).then_some(found)
    });
    assert_eq!(site.json("/api/v1/games?limit=0")["total"], 1);
    assert_eq!(site.json("/api/v1/setups")["games"], 1);
    let found = site.json(&format!("/api/v1/explore?position={START}&kind=full"));
    assert_eq!(found["games"], 1);
    assert_eq!(found["most_recent"].as_array().map(Vec::len), Some(0));
    assert_eq!(
        site.json("/api/v1/games?limit=0&source=sample")["total"],
        all
    );
    assert_eq!(site.json("/api/v1/games/15")["source"], "arimaa");
    assert_eq!(site.json("/api/v1/games/sample:15")["source"], "sample");
    // Pasted, it is recognised, however it is written.
    for text in [
        format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n"),
        format!("1g {GOLD} 1s {SILVER} 2g Ee2n"),
        site.get("/api/v1/games/15/notation").text(),
    ] {
        let read = site.post("/api/v1/read", &json!({ "text": text })).fine();
        assert_eq!(read["stored"], "15", "{text}");
    }
    let other = json!({"text": format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n\n2s ed7s")});
    assert_eq!(
        site.post("/api/v1/read", &other).fine()["stored"],
        serde_json::Value::Null
    );
    // A source taken out is gone, and what is left counts.
    let removed = site
        .send("DELETE", "/api/v1/sources/arimaa", &[], "")
        .fine();
    assert_eq!(removed["games"], 1);
    assert_eq!(site.json("/api/v1/games?limit=0")["total"], all);
    assert_eq!(site.get("/api/v1/games/15").status, 404);
    assert_eq!(
        site.send("DELETE", "/api/v1/sources/nowhere", &[], "")
            .status,
        404
    );
}

#[test]
fn names_of_players_are_completed() {
    let site = site();
    let names = |part: &str| {
        let found = site.json(&format!("/api/v1/players?name={part}&limit=5"));
        let names = found["names"].as_array().expect("names").clone();
        names
            .iter()
            .map(|name| name.as_str().unwrap_or_default().to_lowercase())
            .collect::<Vec<_>>()
    };
    let all = names("");
    assert!(!all.is_empty() && all.len() <= 5, "{all:?}");
    let first = &all[0];
    assert_eq!(names(&first.to_uppercase())[0], *first);
    assert!(names("nobody at all").is_empty());
    assert_eq!(
        site.get("/api/v1/players?name=a&limit=501").refused(400),
        "bad-request"
    );
}
