//! Phases, plans, graphs, models.

use serde_json::Value;

use crate::common::{START, Site, site};

/// Gold's elephant is beside a silver horse in front of a trap.
const FIGHT: &str = "g [rrrr.rrrhdc.mcdh....h.....eE................D...HDCM.C.HRRRRRRRR]";

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name]
        .as_array()
        .unwrap_or_else(|| panic!("{name} in {value}"))
}

fn some_game(site: &Site) -> String {
    let games = site.json("/api/v1/games?order=oldest&limit=1");
    games["games"][0]["id"].as_str().expect("a game").to_owned()
}

#[test]
fn a_position_has_a_phase() {
    let site = site();
    let start = site.json(&format!("/api/v1/phase?position={START}"));
    assert_eq!(start["phase"], "opening");
    assert_eq!(start["features"]["fewer_pieces"], 16);
    assert_eq!(start["features"]["goal_threat"], false);
    assert_eq!(start["cluster"], "early");
    let sum = |value: &Value, names: &[&str]| -> f64 {
        names.iter().filter_map(|name| value[*name].as_f64()).sum()
    };
    let chances = sum(&start["probabilities"], &["opening", "middle", "end"]);
    assert!((chances - 1.0).abs() < 0.001, "{start}");
    let clusters = list(&start, "clusters");
    let chances: f64 = clusters.iter().map(|c| sum(c, &["chance"])).sum();
    assert!(clusters.len() == 3 && (chances - 1.0).abs() < 0.001);

    // One step from goal.
    let late = "s [........R.......e...................E......................r....]";
    let late = site.json(&format!("/api/v1/phase?position={late}"));
    assert_eq!(late["phase"], "end");
    assert_eq!(late["features"]["goal_threat"], true);
}

#[test]
fn a_game_has_phases_and_its_review_tells_them() {
    let site = site();
    let id = some_game(&site);
    let phases = site.json(&format!("/api/v1/games/{id}/phases"));
    let turns = list(&phases, "turns");
    let game = site.json(&format!("/api/v1/games/{id}"));
    assert_eq!(game["turns"].as_u64(), Some(turns.len() as u64));
    assert_eq!(turns[0]["label"], "2g");
    assert_eq!(turns[0]["phase"], "opening");
    let last = &list(&game, "moves").last().expect("a move")["position"];
    let last = site.json(&format!(
        "/api/v1/phase?position={}",
        last.as_str().expect("text")
    ));
    assert_eq!(turns.last().expect("a turn")["phase"], last["phase"]);

    let review = format!("/api/v1/games/{id}/review?engine=greedy&nodes=1");
    let events = site.events(&review);
    let told: Vec<&Value> = events
        .iter()
        .filter(|(name, _)| name == "phase")
        .map(|(_, data)| data)
        .collect();
    assert_eq!(told, turns.iter().collect::<Vec<_>>());
}

#[test]
fn boards_of_the_memory_are_counted_and_drawn() {
    let site = site();
    let counted = site.json("/api/v1/heatmaps?games=5");
    assert_eq!(counted["games"], 5);
    assert!(counted["boards"].as_u64() > counted["with_goal_threat"].as_u64());
    for map in list(&counted, "maps") {
        let url = map["url"].as_str().expect("a URL");
        let answer = site.get(&format!("{url}?games=5&position={START}"));
        assert_eq!(answer.header("content-type"), Some("image/svg+xml"));
        let svg = answer.text();
        assert!(svg.starts_with("<svg"), "{svg}");
        // The start has no goal threat.
        assert_eq!(
            svg.contains("class=\"here\""),
            url.contains("quiet"),
            "{svg}"
        );
        assert!(svg.contains("class=\"cell\""), "{svg}");
    }
    let nobody = site.json("/api/v1/heatmaps?player=nobody");
    assert_eq!(nobody["boards"], 0);
    assert_eq!(
        site.get("/api/v1/heatmaps/other.svg").refused(404),
        "not-found"
    );
    for games in ["0", "5001", "x"] {
        let path = format!("/api/v1/heatmaps?games={games}");
        assert_eq!(site.get(&path).refused(400), "bad-request");
    }
}

#[test]
fn plans_have_reasons_and_legal_turns() {
    let site = site();
    let plans = site.json(&format!("/api/v1/plans?position={FIGHT}"));
    let queue = list(&plans, "plans");
    assert!(queue.len() > 1, "{plans}");
    assert!(
        queue
            .iter()
            .all(|plan| plan["reason"].as_str().is_some_and(|r| r.len() > 3))
    );
    let urgent: Vec<_> = queue.iter().map(|plan| plan["priority"].as_u64()).collect();
    assert!(urgent.is_sorted(), "{urgent:?}");
    let mut checked = 0;
    for plan in queue {
        for candidate in list(plan, "turns").iter().take(2) {
            let turn = candidate["turn"].as_str().expect("a turn");
            let checks = site.json(&format!("/api/v1/check?position={FIGHT}&turn={turn}"));
            // A part of a turn may end in the middle of a push.
            if checks["legal"] == true {
                let after = checks["position_after"].as_str().expect("a position");
                let board = candidate["board_after"].as_str().expect("a board");
                assert!(after.contains(board.trim_matches(['[', ']'])), "{turn}");
                checked += 1;
            }
        }
    }
    assert!(checked > 3, "{checked} turns of {plans}");
}

#[test]
fn graphs_are_listed_drawn_and_lit() {
    let site = site();
    let graphs = site.json("/api/v1/graphs");
    let all = list(&graphs, "graphs");
    assert_eq!(all.len(), 8);
    assert!(all.iter().all(|graph| graph["fires"].is_null()));
    let here = site.json(&format!("/api/v1/graphs?position={START}"));
    let mut lit = 0;
    for graph in list(&here, "graphs") {
        let name = graph["name"].as_str().expect("a name");
        let plain = site.get(graph["svg"].as_str().expect("a URL")).text();
        let nodes = graph["nodes"].as_u64().expect("a number") as usize;
        assert_eq!(plain.matches("<g").count(), nodes, "{name}");
        assert!(!plain.contains("class=\"way\""), "{name}");
        let svg = site.get(&format!("/api/v1/graphs/{name}.svg?position={START}"));
        assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
        let fires = graph["fires"].as_u64().expect("a number");
        assert_eq!(svg.text().contains("class=\"way\""), fires > 0, "{name}");
        let trace = site.json(&format!("/api/v1/graphs/{name}/trace?position={START}"));
        assert_eq!(list(&trace, "commands").len() as u64, fires, "{name}");
        lit += usize::from(fires > 0);
    }
    assert!(lit > 0, "some graph knows how to begin");
    for path in ["nothing.svg", "opening", "nothing/trace"] {
        let path = format!("/api/v1/graphs/{path}?position={START}");
        assert_eq!(site.get(&path).refused(404), "not-found");
    }
}

#[test]
fn the_model_ranks_turns_and_is_measured() {
    let site = site();
    let models = site.json("/api/v1/models");
    let units: Vec<_> = list(&models, "models").iter().map(|m| &m["unit"]).collect();
    assert_eq!(units, ["turn", "step"]);
    for model in list(&models, "models") {
        assert!(model["games"].as_u64() > Some(100));
        let groups = list(model, "groups");
        let features: u64 = groups.iter().filter_map(|g| g["features"].as_u64()).sum();
        assert_eq!(model["features"].as_u64(), Some(features));
        assert!(groups.iter().any(|group| group["used"].as_u64() > Some(0)));
    }

    let ranked = site.json(&format!("/api/v1/rank?position={FIGHT}&limit=5"));
    assert!(ranked["turns"].as_u64() > Some(1000), "{ranked}");
    let best = list(&ranked, "ranked");
    assert_eq!(best.len(), 5);
    let scores: Vec<_> = best
        .iter()
        .filter_map(|turn| turn["score"].as_f64())
        .collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    for turn in best {
        let text = turn["turn"].as_str().expect("a turn");
        let checked = site.json(&format!("/api/v1/check?position={FIGHT}&turn={text}"));
        assert_eq!(checked["legal"], true, "{text}");
        assert_eq!(checked["position_after"], turn["position_after"], "{text}");
    }

    let measured = site.json("/api/v1/models/measure?positions=3");
    assert!(measured["positions"].as_u64() > Some(0), "{measured}");
    // What was played is not an accident to the model.
    assert!(
        measured["mean_percentile"].as_f64() > Some(60.0),
        "{measured}"
    );
    let nobody = site.json("/api/v1/models/measure?positions=3&player=nobody");
    assert_eq!(nobody["positions"], 0);
}

#[test]
fn the_lab_explains_bad_questions() {
    let site = site();
    let crowd = format!("g [{}]", "R".repeat(64));
    for (path, code) in [
        ("/api/v1/phase".to_owned(), "bad-request"),
        ("/api/v1/phase?position=x".to_owned(), "bad-position"),
        (format!("/api/v1/plans?position={crowd}"), "bad-position"),
        ("/api/v1/graphs?position=g".to_owned(), "bad-position"),
        (
            format!("/api/v1/rank?position={START}&limit=201"),
            "bad-request",
        ),
        (
            "/api/v1/models/measure?positions=301".to_owned(),
            "bad-request",
        ),
        // Files of this machine are nobody's business.
        (
            format!("/api/v1/think?position={START}&engine=rat:dpg=/etc"),
            "bad-request",
        ),
        (
            format!("/api/v1/think?position={START}&engine=tweaked:tweaks=/etc/passwd"),
            "bad-request",
        ),
    ] {
        assert_eq!(site.get(&path).refused(400), code, "{path}");
    }
}
