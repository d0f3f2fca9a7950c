//! Games against engines.

use serde_json::{Value, json};

use crate::common::{GOLD, SILVER, Site, site, site_in, site_with, until};

/// A game that goes to the memory, unless the terms say otherwise.
fn begin(site: &mut Site, terms: &Value) -> String {
    let mut terms = terms.clone();
    if terms.get("remember").is_none() {
        terms["remember"] = json!(true);
    }
    let answer = site.post("/api/v1/plays", &terms);
    assert_eq!(answer.status, 201, "{}", answer.text());
    if answer.header("set-cookie").is_some() {
        let cookie = answer.header("set-cookie").expect("a cookie");
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
            "{cookie}"
        );
        site.keep_cookie(&answer);
    }
    answer.value()["id"].as_str().expect("a name").to_owned()
}

fn my_turn(site: &Site, id: &str) -> Value {
    until(|| {
        let play = site.json(&format!("/api/v1/plays/{id}"));
        assert_ne!(play["state"], "failed", "{play}");
        (play["state"] != "thinking").then_some(play)
    })
}

#[test]
fn a_game_from_setup_to_the_memory() {
    let mut site = site();
    let before = site.json("/api/v1/status")["store"]["games"].as_u64();
    let id = begin(
        &mut site,
        &json!({"engine": "greedy", "side": "g", "seconds": 0.2, "name": "Ada"}),
    );
    let path = format!("/api/v1/plays/{id}");
    let play = site.json(&path);
    assert_eq!(
        (&play["state"], &play["must_set_up"]),
        (&json!("yours"), &json!(true))
    );
    assert_eq!(
        site.post(&format!("{path}/turn"), &json!({"turn": "Ee2n"}))
            .refused(400),
        "bad-turn"
    );
    assert_eq!(
        site.post(&format!("{path}/setup"), &json!({ "setup": SILVER }))
            .refused(400),
        "bad-turn"
    );
    let hint = site.post(&format!("{path}/hint"), &json!({})).fine();
    assert!(
        hint["setup"].is_string() && hint["from"] == "memory",
        "{hint}"
    );
    site.post(&format!("{path}/setup"), &json!({ "setup": GOLD }))
        .fine();
    let play = my_turn(&site, &id);
    assert_eq!(
        (&play["label"], &play["must_set_up"]),
        (&json!("2g"), &json!(false))
    );

    // Illegal, with the reason.
    let refused = site.post(&format!("{path}/turn"), &json!({"turn": "Ra1s"}));
    assert_eq!(refused.refused(400), "bad-turn");
    site.post(&format!("{path}/turn"), &json!({"turn": "Ee2n Ee3n"}))
        .fine();
    let play = my_turn(&site, &id);
    assert_eq!(play["moves"].as_array().map(Vec::len), Some(4));
    // Why the engine set up and moved as it did: by the place of the move.
    let explained = play["explained"].as_array().expect("reasons");
    let moves: Vec<_> = explained.iter().map(|of| of["move"].as_u64()).collect();
    assert_eq!(moves, [Some(1), Some(3)]);
    assert!(explained.iter().all(|of| of["reasons"][0].is_string()));
    let hint = site.post(&format!("{path}/hint"), &json!({})).fine();
    assert!(hint["turn"].is_string(), "{hint}");

    let play = site.post(&format!("{path}/takeback"), &json!({})).fine();
    assert_eq!(
        (&play["label"], &play["state"]),
        (&json!("2g"), &json!("yours"))
    );
    site.post(&format!("{path}/turn"), &json!({"turn": "Ee2n"}))
        .fine();
    my_turn(&site, &id);

    let over = site.post(&format!("{path}/resign"), &json!({})).fine();
    assert_eq!(over["outcome"]["words"], "Silver wins by resignation");
    let number = over["game"].as_str().expect("its name in the store");
    let game = site.json(&format!("/api/v1/games/{number}"));
    assert_eq!(
        (&game["gold"]["name"], &game["silver"]["name"]),
        (&json!("Ada"), &json!("greedy"))
    );
    assert_eq!(game["result"], "s");
    assert_eq!(game["moves"], over["moves"]);
    let after = site.json("/api/v1/status")["store"]["games"].as_u64();
    assert_eq!(after, before.map(|games| games + 1));
    // And the memory knows it at once.
    let start = game["start"].as_str().expect("a start");
    let found = site.json(&format!("/api/v1/explore?position={start}"));
    assert!(found["hits"].as_u64() > Some(0));

    for (what, body) in [
        ("turn", json!({"turn": "Ee2n"})),
        ("takeback", json!({})),
        ("resign", json!({})),
    ] {
        assert_eq!(
            site.post(&format!("{path}/{what}"), &body).refused(409),
            "conflict",
            "{what}"
        );
    }
    let events = site.events(&format!("{path}/events"));
    assert_eq!(
        events
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>(),
        ["play", "done"]
    );
    assert_eq!(site.send("DELETE", &path, &[], "").status, 204);
    assert_eq!(site.get(&path).refused(404), "not-found");
}

#[test]
fn the_engine_may_begin_and_clocks_run() {
    let mut site = site();
    let id = begin(
        &mut site,
        &json!({"engine": "random", "side": "s", "control": "1s/0"}),
    );
    let play = my_turn(&site, &id);
    assert_eq!(
        (&play["label"], &play["must_set_up"]),
        (&json!("1s"), &json!(true))
    );
    assert!(play["clock"]["gold"].is_number());
    // Setting up has a time of its own; a second for a turn is soon over.
    site.post(
        &format!("/api/v1/plays/{id}/setup"),
        &json!({ "setup": SILVER }),
    )
    .fine();
    let over = until(|| {
        let play = site.json(&format!("/api/v1/plays/{id}"));
        (play["state"] == "over").then_some(play)
    });
    assert_eq!(over["outcome"]["words"], "Gold wins on time");
    for bad in [
        json!({"engine": "nobody"}),
        json!({"engine": "fairy:store=/etc/passwd"}),
        json!({"control": "soon"}),
        json!({"control": "15s/1", "seconds": 2}),
        json!({"seconds": 1e9}),
        json!({"side": "x"}),
        json!({"position": "g"}),
        json!([]),
    ] {
        assert_eq!(site.post("/api/v1/plays", &bad).status, 400, "{bad}");
    }
}

#[test]
fn a_client_has_so_many_games_and_no_others() {
    let mut site = site_with(|config| config.limits.plays_per_client = 2);
    let terms = json!({"engine": "random", "setups": [GOLD, SILVER]});
    let first = begin(&mut site, &terms);
    begin(&mut site, &terms);
    assert_eq!(site.post("/api/v1/plays", &terms).refused(429), "too-many");
    assert_eq!(
        site.json("/api/v1/plays")["plays"].as_array().map(Vec::len),
        Some(2)
    );
    site.forget_cookie();
    assert_eq!(
        site.json("/api/v1/plays")["plays"].as_array().map(Vec::len),
        Some(0)
    );
    // Anybody may watch, nobody else may play.
    assert_eq!(site.get(&format!("/api/v1/plays/{first}")).status, 200);
    assert_eq!(
        site.post(&format!("/api/v1/plays/{first}/resign"), &json!({}))
            .refused(403),
        "foreign"
    );
    assert_eq!(
        site.send("DELETE", &format!("/api/v1/plays/{first}"), &[], "")
            .refused(403),
        "foreign"
    );
    // Forgetting cookies does not help for ever.
    let refused = (0..20)
        .map(|_| site.post("/api/v1/plays", &terms).status)
        .find(|status| *status != 201);
    assert_eq!(refused, Some(429));
}

#[test]
fn games_and_clocks_survive_a_restart() {
    let mut site = site();
    let id = begin(
        &mut site,
        &json!({"engine": "greedy", "control": "1/10", "name": "Ada"}),
    );
    site.post(
        &format!("/api/v1/plays/{id}/setup"),
        &json!({ "setup": GOLD }),
    )
    .fine();
    my_turn(&site, &id);
    site.post(
        &format!("/api/v1/plays/{id}/turn"),
        &json!({"turn": "Ee2n"}),
    )
    .fine();
    // The engine is thinking; it goes on after the restart.
    let site = site_in(site.end(), |_| {});
    let play = my_turn(&site, &id);
    assert_eq!(play["name"], "Ada");
    assert_eq!(play["moves"].as_array().map(Vec::len), Some(4));
    assert!(
        play["clock"]["gold"]
            .as_f64()
            .is_some_and(|left| left > 500.0 && left <= 900.0),
        "{}",
        play["clock"]
    );
}

/// A rabbit of Silver's a step from goal that Gold cannot reach.
const SILVER_WINS: &str = "g\n\
    8| . . . . . . . r |\n\
    7| . . . . . . . . |\n\
    6| . . x . . x . . |\n\
    5| . . . . . . . . |\n\
    4| . . . . . . . . |\n\
    3| . . x . . x . . |\n\
    2| r . . . . . R R |\n\
    1| . . . . . . E R |";

#[test]
fn the_last_turn_within_the_game_limit_counts() {
    let mut site = site();
    // A turn each: the person's is the last, and wins.
    let terms = |position: Option<&str>, limit: &str| {
        json!({
            "engine": "random", "side": "s", "position": position,
            "control": format!("1/1/100/0/{limit}"),
        })
    };
    let id = begin(&mut site, &terms(Some(SILVER_WINS), "1t"));
    my_turn(&site, &id);
    let path = format!("/api/v1/plays/{id}");
    let over = site
        .post(&format!("{path}/turn"), &json!({"turn": "ra2s"}))
        .fine();
    assert_eq!(over["outcome"]["words"], "Silver wins by goal");
    assert_eq!(over["moves"].as_array().map(Vec::len), Some(2));

    // With setups, and decided by the pieces: the game is kept with that turn.
    let id = begin(&mut site, &terms(None, "2t"));
    my_turn(&site, &id);
    let path = format!("/api/v1/plays/{id}");
    site.post(&format!("{path}/setup"), &json!({ "setup": SILVER }))
        .fine();
    my_turn(&site, &id);
    let over = site
        .post(&format!("{path}/turn"), &json!({"turn": "ed7s"}))
        .fine();
    assert_eq!(
        over["outcome"]["words"],
        "Silver wins by piece count at the game limit"
    );
    let moves = over["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 4, "{over}");
    assert_eq!(moves[3]["turn"], "ed7s", "{over}");
    let number = over["game"].as_str().expect("its name in the store");
    assert_eq!(
        site.json(&format!("/api/v1/games/{number}"))["moves"],
        over["moves"]
    );
}

#[test]
fn a_game_goes_to_the_memory_only_if_the_player_says_so() {
    let mut site = site();
    let before = site.json("/api/v1/sources");
    let play = |site: &Site, id: &str| {
        let path = format!("/api/v1/plays/{id}");
        site.post(&format!("{path}/setup"), &json!({ "setup": GOLD }))
            .fine();
        my_turn(site, id);
        site.post(&format!("{path}/turn"), &json!({"turn": "Ee2n"}))
            .fine();
        my_turn(site, id);
        site.post(&format!("{path}/resign"), &json!({})).fine()
    };
    // Nothing said is no.
    let answer = site.post("/api/v1/plays", &json!({"engine": "random"}));
    site.keep_cookie(&answer);
    let id = answer.value()["id"].as_str().expect("a name").to_owned();
    let over = play(&site, &id);
    assert_eq!(
        (&over["state"], &over["game"]),
        (&json!("over"), &Value::Null)
    );
    assert_eq!(site.json("/api/v1/sources"), before);
    let id = begin(&mut site, &json!({"engine": "random", "remember": true}));
    let over = play(&site, &id);
    let game = over["game"].as_str().expect("its name in the store");
    assert!(game.starts_with("play:"), "{game}");
    let after = site.json("/api/v1/sources");
    assert_eq!(after["sources"][1]["source"], "play", "{after}");
    assert_eq!(after["sources"][1]["games"], 1);
    // And out again.
    let path = format!("/api/v1/games/{game}");
    assert_eq!(site.send("DELETE", &path, &[], "").fine()["games"], 1);
    assert_eq!(site.send("DELETE", &path, &[], "").status, 404);
    assert_eq!(site.get(&path).status, 404);
    assert_eq!(site.json("/api/v1/sources"), before);
}

#[test]
fn an_engine_that_is_late_has_not_moved() {
    let mut site = site();
    let id = begin(
        &mut site,
        &json!({"engine": "random", "control": "0s/60s/0"}),
    );
    let path = format!("/api/v1/plays/{id}");
    site.post(&format!("{path}/setup"), &json!({ "setup": GOLD }))
        .fine();
    my_turn(&site, &id);
    // While the server is away, the engine's clock has all but run out: a
    // nanosecond is left, and no engine is as fast as that.
    let folder = site.end();
    let file = folder.path().join("web/plays").join(format!("{id}.json"));
    let text = std::fs::read_to_string(&file).expect("the game on disk");
    let mut kept: Value = serde_json::from_str(&text).expect("JSON");
    let moves = kept["moves"].as_str().expect("moves").to_owned();
    kept["moves"] = json!(format!("{moves}2g Ee2n\n"));
    let charges = kept["charges"].as_array_mut().expect("charges");
    charges.push(json!({"side": "g", "seconds": 1.0, "setup": false}));
    charges.push(json!({"side": "s", "seconds": 59.999_999_999, "setup": false}));
    std::fs::write(&file, kept.to_string()).expect("written");

    let site = site_in(folder, |_| {});
    let over = my_turn(&site, &id);
    assert_eq!(over["outcome"]["words"], "Gold wins on time", "{over}");
    assert_eq!(over["moves"].as_array().map(Vec::len), Some(3), "{over}");
    let over = until(|| {
        let play = site.json(&path);
        play["game"].is_string().then_some(play)
    });
    let game = site.json(&format!(
        "/api/v1/games/{}",
        over["game"].as_str().expect("its name")
    ));
    assert_eq!(game["moves"], over["moves"]);
    assert_eq!(game["result"], "g");
}

#[test]
fn an_opening_is_played_once_more() {
    let mut site = site();
    let terms = json!({"engine": "level-1", "side": "s", "setups": [GOLD, SILVER]});
    let id = begin(&mut site, &terms);
    let play = my_turn(&site, &id);
    assert_eq!(play["opponent"], "level 1 (First steps)");
    assert_eq!(play["label"], "2s", "{play}");
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    let silver = play["moves"][1]["turn"].as_str().expect("a setup");
    assert_eq!(sorted(silver), sorted(SILVER));
    assert_eq!(play["from_setup"], true);
    // Gold's first turn has a reason, the setups were given.
    assert_eq!(play["explained"][0]["move"], 2);
    for terms in [
        json!({"engine": "level-1", "setups": [SILVER]}),
        json!({"engine": "level-1", "setups": [GOLD, SILVER, GOLD]}),
        json!({"engine": "level-1", "setups": ["nonsense"]}),
        json!({"engine": "level-1", "setups": [GOLD], "position": "g [R]"}),
    ] {
        let refused = site.post("/api/v1/plays", &terms);
        assert_eq!(refused.status, 400, "{}", refused.text());
    }
}

#[test]
fn levels_are_listed_weakest_first_with_their_ratings() {
    let engines = site().json("/api/v1/engines");
    let levels = engines["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 10);
    assert_eq!(levels[0]["engine"], "level-1");
    assert!(levels.is_sorted_by_key(|level| level["rating"].as_i64()));
    assert!(
        engines["scale"]
            .as_str()
            .is_some_and(|words| words.contains("by chance"))
    );
}
