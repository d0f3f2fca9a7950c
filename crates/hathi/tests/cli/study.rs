//! `hathi study`: a study made by the page, listed, shown and exported.

use hathi_archive::{Replayer, plain};
use hathi_store::Place;
use hathi_view::{StudyNote, StudyView};

use crate::common::{folder, hathi, inside, refused, stdout};
use crate::fixture::{GOLD, SILVER};

/// A store with one study, as the page keeps it.
fn store() -> String {
    let store = inside(&folder("study"), "games.db");
    let text = format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n Ee3n\n2s ed7s ed6s\n");
    let games = plain::games(text.as_bytes());
    let mut replayer = Replayer::new();
    let game = &replayer.replay_game(&games[0]).game;
    let note = StudyNote {
        ply: 1,
        then: vec!["me7s".to_owned(), "Ha2n".to_owned()],
        text: "Quieter.".to_owned(),
    };
    let (id, title) = ("5f1c22".to_owned(), "Two elephants");
    let study = StudyView::new(id, title, 7, text.clone(), game, vec![note]).expect("a study");
    let place = Place::File(store.clone().into());
    let mut opened = place.open_or_make().expect("a store");
    opened.keep_study(&study.kept()).expect("kept");
    store
}

#[test]
fn a_study_is_shown_and_exported_as_text_and_pictures() {
    let store = store();
    let with = |args: &[&'static str]| {
        let mut all = vec!["study"];
        all.extend(args);
        all.extend(["--store", store.as_str()]);
        all.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |args: &[&'static str]| {
        let args = with(args);
        stdout(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert!(run(&["list"]).contains("Two elephants"));
    let text = run(&["export", "5f"]);
    assert_eq!(text, run(&["show", "5f"]));
    assert!(text.contains("# - variation: 2s me7s, 3g Ha2n\n"), "{text}");

    let picture = |args: &[&'static str]| {
        let args = with(args);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = hathi(&args).assert().success();
        output.get_output().stdout.clone()
    };
    let png = picture(&["export", "5f", "--png", "--size", "80"]);
    assert!(png.starts_with(b"\x89PNG"));
    let earlier = picture(&["export", "5f", "--png", "--size", "80", "--ply", "1"]);
    assert_ne!(png, earlier);
    let begun = [
        "export",
        "5f",
        "--png",
        "--size",
        "80",
        "--variation",
        "1",
        "--ply",
        "0",
    ];
    // The same board, but without the turn that led there.
    assert!(picture(&begun).starts_with(b"\x89PNG"));
    let from_behind = ["export", "5f", "--png", "--size", "80", "--side", "s"];
    assert_ne!(picture(&from_behind), png);
    let gif = picture(&["export", "5f", "--gif", "--size", "80"]);
    assert!(gif.starts_with(b"GIF8"));
    let variation = ["export", "5f", "--gif", "--size", "80", "--variation", "1"];
    let variation = picture(&variation);
    assert!(variation.starts_with(b"GIF8") && variation != gif);

    for (args, words) in [
        (
            &["export", "5f", "--gif", "--variation", "2"][..],
            "has 1 variations",
        ),
        (&["export", "5f", "--png", "--ply", "9"], "has 2 turns"),
        (&["export", "5f", "--variation", "1"], "--png or --gif"),
        (&["export", "5f", "--png", "--gif"], "cannot be used with"),
        (&["show", "nothing"], "no study nothing"),
    ] {
        let args = with(args);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        refused(&args, &[words]);
    }
}
