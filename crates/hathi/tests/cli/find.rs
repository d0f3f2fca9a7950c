//! `hathi find`, and the conditions that all questions share.

use serde_json::json as value;
use snapbox::str;

use crate::common::{START, hathi, refused, stdout};
use crate::fixture::fixture;

#[test]
fn find_the_whole_board() {
    let fixture = fixture("store-find");
    fixture
        .assert(&["find", "--position", START])
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
5 hits of 5 games in [..] µs.

Best: Ee2n Ee3n Ee4n
  played at 2g of game 2, bot_One 2000 (Gold) against Anna 1500 (Silver), 2011-11-02;
  who played it, rated 2000, won, 1 turn later

  played     won  rating  last played  turn                 games
       2   50.0%    2050  2013-01-04   Ee2n Ee3n Ee4n       2 4
       2   50.0%    1750  2012-05-03   Ha2n Ee2n Ee3n Ee4n  3 1
       1  100.0%    1600  2013-02-05   Md2n                 5

"#]]);
}

#[test]
fn only_conditions_stand_under_their_heading() {
    for command in ["find", "explore"] {
        let help = stdout(&[command, "-h"]);
        let (options, conditions) = help.split_once("Only games where:").expect("a heading");
        for option in ["--literal", "--limit", "--json", "--store"] {
            assert!(options.contains(option), "{command} {option}");
        }
        assert!(conditions.contains("--moves"), "{command}");
    }
}

#[test]
fn find_literally_or_by_symmetry() {
    let fixture = fixture("store-literal");
    let symmetric = fixture.json(&["find", "--kind", "full", "--position", START]);
    assert_eq!(symmetric["hits"], 5);
    assert_eq!(symmetric["games"], 5);
    assert_eq!(symmetric["turns"][0]["games"], value!(["2", "4"]));
    let args = [
        "find",
        "--side",
        "g",
        "--position",
        &START[2..],
        "--literal",
    ];
    let literal = fixture.json(&args);
    assert_eq!(literal["hits"], 4);
    assert_eq!(literal["kind"], "full");
    assert_eq!(literal["best"]["game"], "2");
    assert_eq!(literal["best"]["move"], "2g");
    // Silver sees its side of the table as Gold does: the colours exchanged.
    let flipped = "s [rrrrrrrrhdcmecdh................................HDCEMCDHRRRRRRRR]";
    let exchanged = fixture.json(&["find", "--position", flipped]);
    assert_eq!(exchanged["hits"], 5);
    assert_eq!(exchanged["best"]["flipped"], true);
    assert_eq!(exchanged["best"]["turn"], "ee7s ee6s ee5s");
    let args = fixture.args(&["find", "--position", flipped, "--literal"]);
    hathi(&args).assert().code(1).stdout_eq("Not found.\n");
    assert_eq!(fixture.json(&args[..4])["hits"], 0);
}

#[test]
fn find_parts_of_the_board() {
    let fixture = fixture("store-parts");
    let half = fixture.json(&["find", "--kind", "half", "--position", START]);
    assert_eq!(half["hits"], 5);
    // The mirrored game has no elephant on e2.
    assert_eq!(half["illegal"], 1);
    let area = fixture.json(&[
        "find",
        "--kind",
        "area",
        "--last",
        "b4",
        "--position",
        START,
    ]);
    assert_eq!((&area["trap"], &area["hits"]), (&"c3".into(), &5.into()));
    let literal = ["find", "--kind", "area", "--trap", "c3", "--literal"];
    let literal = fixture.json(&[&literal[..], &["--position", START]].concat());
    assert_eq!(literal["hits"], 4);
    let by_piece = [
        "find",
        "--kind",
        "area-by-piece",
        "--trap",
        "c3",
        "--piece",
        "H",
    ];
    let by_piece = fixture.json(&[&by_piece[..], &["--position", START]].concat());
    assert_eq!(by_piece["kind"], "area-by-piece");
    assert!(by_piece["hits"].as_u64() >= Some(5), "{by_piece}");
}

/// The elephant on e2 is nearest to f3, and the strongest round c3 as well.
#[test]
fn find_knows_which_trap_and_piece_are_meant() {
    let fixture = fixture("store-meant");
    for (words, trap, piece) in [
        (&["area"] as &[&str], "f3", None),
        (&["area-by-piece"], "f3", Some("E")),
        (&["area-by-piece", "--last", "b4"], "c3", Some("E")),
        (&["area-by-piece", "--last", "b8"], "c6", Some("E")),
        (&["area-by-piece", "--piece", "h"], "f3", Some("H")),
    ] {
        let args = [&["find", "--position", START, "--kind"], words].concat();
        let found = fixture.json(&args);
        assert_eq!(found["trap"], trap, "{words:?}");
        assert_eq!(found["piece"].as_str(), piece, "{words:?}");
    }
}

#[test]
fn find_asks_for_what_it_needs() {
    let fixture = fixture("store-needs");
    let find = |args: &[&'static str], words: &[&str]| {
        let args = [&["find", "--position", START], args].concat();
        refused(&fixture.args(&args), words);
    };
    find(&["--kind", "area", "--trap", "d4"], &["c3, f3, c6 and f6"]);
    find(&["--kind", "quarter"], &["area-by-piece"]);
    find(&["--piece", "X"], &["E, M, H"]);
    find(&["--last", "z9"], &["z9"]);
    find(&["--moves", "9-5"], &["9 is after 5"]);
    find(&["--from", "2011-02-30"], &["YYYY-MM-DD"]);
    find(&["--from", "2012", "--to", "2011"], &["later"]);
    find(&["--as", "g"], &["--player"]);
    find(&["--humans", "--bots"], &["--bots"]);
    find(&["--termination", "x"], &["expected one of g"]);
    find(&["--pace", "hasty"], &["blitz"]);
    find(&["--numbers", "9-5"], &["9 is after 5"]);
    find(&["--numbers", "sample:3"], &["expected game numbers"]);
}

#[test]
fn filters() {
    let fixture = fixture("store-filters");
    for (filter, expected) in [
        (
            &["--min-rating", "1700"] as &[&str],
            &[1u64, 3, 4] as &[u64],
        ),
        (&["--numbers", "2-4"], &[2, 3, 4]),
        (&["--numbers", "4-"], &[4, 5]),
        (&["--numbers", "3"], &[3]),
        (&["--numbers", "6-", "--humans"], &[]),
        (&["--min-rating-either", "2000"], &[2, 4]),
        (&["--max-rating", "1750"], &[3, 5]),
        (&["--player", "anna", "--as", "g"], &[1, 4]),
        (&["--player", "bert"], &[1, 3, 5]),
        (&["--humans"], &[1, 3, 5]),
        (&["--mixed"], &[2, 4]),
        (&["--bots"], &[]),
        (&["--event", "casual"], &[1, 2, 3, 4, 5]),
        (&["--unrated"], &[2]),
        (&["--from", "2012", "--to", "2013-01"], &[3, 4]),
        (&["--to", "2011-11-01"], &[1]),
        (&["--result", "s"], &[1, 4]),
        (&["--termination", "t"], &[2, 4]),
        (&["--result", "g", "--termination", "r"], &[3, 5]),
        (&["--pace", "standard"], &[1, 2, 3, 4, 5]),
        (&["--pace", "blitz"], &[]),
    ] {
        let listed = fixture.json(&[&["games"], filter].concat());
        let ids = listed["games"].as_array().expect("a list").iter();
        let ids: Vec<u64> = ids.filter_map(|game| game["number"].as_u64()).collect();
        assert_eq!(ids, expected, "{filter:?}");
        let found = fixture.json(&[&["find", "--position", START], filter].concat());
        assert_eq!(found["hits"], expected.len(), "{filter:?}");
    }
    let late = fixture.json(&["find", "--position", START, "--moves", "3-"]);
    assert_eq!(late["hits"], 0);
}
