//! Experiments from the page: one at a time, followed, stopped, and by whom.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hathi_store::Place;
use hathi_web::{Access, Experiment, ExperimentSize, Follower, Laboratory, Limits, Password};
use serde_json::{Value, json};

use crate::common::{Site, site, site_with, until};

/// Counts, and writes a report.
#[derive(Debug)]
struct Counting;

const ALL: &[Experiment] = &[
    Experiment {
        name: "count",
        title: "Counting",
        about: "How far does it count?",
        sizes: &[
            ExperimentSize {
                name: "small",
                about: "to three",
            },
            ExperimentSize {
                name: "large",
                about: "for ever",
            },
        ],
    },
    Experiment {
        name: "broken",
        title: "Broken",
        about: "It does not work.",
        sizes: &[ExperimentSize {
            name: "small",
            about: "at once",
        }],
    },
];

impl Laboratory for Counting {
    fn experiments(&self) -> &'static [Experiment] {
        ALL
    }

    fn run(
        &self,
        experiment: &Experiment,
        size: &ExperimentSize,
        _: &Place,
        folder: &Path,
        follower: &Follower,
    ) -> Result<bool, String> {
        if experiment.name == "broken" {
            return Err("it is broken".to_owned());
        }
        follower.note("it counts");
        let total = if size.name == "small" { 3 } else { 1_000_000 };
        for done in 0..total {
            follower.stage("counting", done, total);
            if follower.stop().asked() {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let page = "<!doctype html><title>Counted</title><h1>Three</h1>";
        std::fs::write(folder.join("report.html"), page).map_err(|error| error.to_string())?;
        Ok(true)
    }
}

fn with_laboratory() -> Site {
    site_with(|config| config.laboratory = Some(Arc::new(Counting)))
}

fn ended(site: &Site) -> Value {
    until(|| {
        let run = site.json("/api/v1/experiments")["run"].clone();
        (run["state"] != "running").then_some(run)
    })
}

#[test]
fn one_is_started_followed_and_its_report_is_there() {
    let site = with_laboratory();
    let list = site.json("/api/v1/experiments");
    assert_eq!(list["run"], Value::Null);
    assert_eq!(list["experiments"][0]["sizes"][1]["name"], "large");
    let start = |body: &Value| site.post("/api/v1/experiments", body);
    assert_eq!(
        start(&json!({"experiment": "no"})).refused(404),
        "not-found"
    );
    assert_eq!(
        start(&json!({"experiment": "count", "size": "huge"})).refused(400),
        "bad-request"
    );
    let begun = start(&json!({"experiment": "count"}));
    assert_eq!(begun.status, 201, "{}", begun.text());
    let run = ended(&site);
    assert_eq!(run["state"], "finished", "{run}");
    assert_eq!(
        (&run["report"], &run["notes"]),
        (&json!("count-small"), &json!(["it counts"]))
    );
    let reports = site.json("/api/v1/lab");
    let report = reports["reports"].as_array().expect("reports")[0].clone();
    assert_eq!(
        (&report["title"], &report["example"]),
        (&json!("Counted"), &json!(false))
    );
    assert_eq!(site.get(report["url"].as_str().expect("a url")).status, 200);

    assert_eq!(
        start(&json!({"experiment": "count", "size": "large"})).status,
        201
    );
    until(|| {
        let run = site.json("/api/v1/experiments")["run"].clone();
        (run["done"].as_u64() > Some(0)).then_some(run)
    });
    assert_eq!(
        start(&json!({"experiment": "count"})).refused(429),
        "too-many"
    );
    site.post("/api/v1/experiments/stop", &json!({})).fine();
    assert_eq!(ended(&site)["state"], "stopped");
    let twice = site.post("/api/v1/experiments/stop", &json!({}));
    assert_eq!(twice.refused(409), "conflict");
    assert_eq!(start(&json!({"experiment": "broken"})).status, 201);
    let run = ended(&site);
    assert_eq!(
        (&run["state"], &run["error"]),
        (&json!("failed"), &json!("it is broken"))
    );
}

#[test]
fn a_server_that_ends_stops_it() {
    let site = with_laboratory();
    let body = json!({"experiment": "count", "size": "large"});
    assert_eq!(site.post("/api/v1/experiments", &body).status, 201);
    let _ = site.end();
}

#[test]
fn examples_come_with_the_program() {
    let site = site();
    assert_eq!(site.json("/api/v1/experiments")["experiments"], json!([]));
    let body = json!({"experiment": "count"});
    assert_eq!(
        site.post("/api/v1/experiments", &body).refused(404),
        "not-found"
    );
    let reports = site.json("/api/v1/lab");
    let reports = reports["reports"].as_array().expect("reports");
    assert_eq!(reports.len(), 6);
    for report in reports {
        assert_eq!(report["example"], true);
        let page = site.get(report["url"].as_str().expect("a url"));
        assert_eq!(page.status, 200);
        assert!(page.text().contains("<h1>"), "{report}");
        assert!(!page.text().contains("<script"), "{report}");
    }
    assert_eq!(
        site.get("/lab-files/example-nothing/report.html").status,
        404
    );
}

#[test]
fn strangers_need_the_password_and_stop_only_their_own() {
    let site = site_with(|config| {
        config.laboratory = Some(Arc::new(Counting));
        config.access = Access::Public(Password::new("correct-horse-battery").expect("long"));
        config.limits = Limits::public();
        config.behind_proxy = true;
    });
    let body = json!({"experiment": "count", "size": "large"}).to_string();
    let plain = [("Content-Type", "application/json")];
    let refused = site.send("POST", "/api/v1/experiments", &plain, &body);
    assert_eq!(refused.refused(401), "password");
    let allowed = [
        ("Content-Type", "application/json"),
        ("Authorization", "Bearer correct-horse-battery"),
    ];
    let begun = site.send("POST", "/api/v1/experiments", &allowed, &body);
    assert_eq!(begun.status, 201);
    // Without its cookie it is somebody else's.
    assert_eq!(site.json("/api/v1/experiments")["run"]["yours"], false);
    let stop = site.send("POST", "/api/v1/experiments/stop", &allowed, "{}");
    assert_eq!(stop.refused(403), "foreign");
}
