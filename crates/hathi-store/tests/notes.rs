//! Reviews and studies, in a file and on a server.

mod common;

use common::{TempSchema, TempStore, playout_games};
use hathi_store::{GameRow, KeptReview, KeptStudy, Memory};

fn review(nodes: u64, body: &str) -> KeptReview {
    KeptReview {
        engine: "hathi".to_owned(),
        nodes,
        version: "1".to_owned(),
        made: 1_700_000_000,
        body: body.to_owned(),
    }
}

fn study(id: &str, changed: i64) -> KeptStudy {
    KeptStudy {
        id: id.to_owned(),
        title: format!("Étude {id}"),
        changed,
        body: "{}".to_owned(),
    }
}

fn notes_are_kept(store: &mut dyn Memory) {
    let games = playout_games(3, 5);
    let added = store.insert(&games).expect("inserted");
    let rows: Vec<GameRow> = added
        .iter()
        .map(|game| {
            let id = game.expect("new").id;
            store.row_of(id).expect("asked").expect("there")
        })
        .collect();
    assert_eq!(store.review(rows[0]).expect("asked"), None);
    store.keep_review(rows[0], &review(7, "a")).expect("kept");
    store.keep_review(rows[1], &review(8, "b")).expect("kept");
    store.keep_review(rows[0], &review(9, "c")).expect("kept");
    assert_eq!(store.review(rows[0]).expect("asked"), Some(review(9, "c")));
    assert_eq!(store.review(rows[1]).expect("asked"), Some(review(8, "b")));
    // It goes with its game, and there is none of a game that is not there.
    store.remove(&rows[..1]).expect("removed");
    assert_eq!(store.review(rows[0]).expect("asked"), None);
    store
        .keep_review(rows[0], &review(1, "d"))
        .expect("ignored");
    assert_eq!(store.review(rows[0]).expect("asked"), None);
    assert_eq!(store.review(rows[1]).expect("asked"), Some(review(8, "b")));

    for (id, changed) in [("b", 5), ("a", 7), ("c", 5)] {
        store.keep_study(&study(id, changed)).expect("kept");
    }
    store.keep_study(&study("c", 9)).expect("kept again");
    let ids = |limit| -> Vec<String> {
        let studies = store.studies(limit).expect("listed");
        studies.into_iter().map(|study| study.id).collect()
    };
    assert_eq!(ids(10), ["c", "a", "b"]);
    assert_eq!(ids(2), ["c", "a"]);
    assert_eq!(store.study("c").expect("asked"), Some(study("c", 9)));
    assert!(store.remove_study("c").expect("removed"));
    assert!(!store.remove_study("c").expect("asked"));
    assert_eq!(store.study("c").expect("asked"), None);
}

#[test]
fn in_a_file() {
    notes_are_kept(&mut TempStore::new().store);
}

#[test]
fn on_a_server() {
    let Some(schema) = TempSchema::new() else {
        return;
    };
    notes_are_kept(&mut schema.store());
}
