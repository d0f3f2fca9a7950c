//! `hathi show`.

use snapbox::str;

use crate::common::{DRAWN, GOAL_IN_TWO, START, file, hathi, json, refused, stdout};

#[test]
fn a_drawn_position() {
    let path = file("show-drawn.txt", DRAWN);
    hathi(&["show", &path])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
   ┌────────────────────────┐
 8 │ ·  ·  ·  r  ·  ·  ·  r │
 7 │ r  ·  d  ·  ·  ·  ·  · │
 6 │ ·  M (r) ·  ·  ×  ·  · │
 5 │ ·  ·  h  E  ·  h  ·  · │
 4 │ ·  e  ·  ·  ·  H  ·  R │
 3 │ ·  D° ×  ·  ·  ×  r  · │
 2 │ R  ·  C  ·  ·  ·  ·  · │
 1 │ ·  C  ·  ·  R  ·  ·  · │
   └────────────────────────┘
     a  b  c  d  e  f  g  h
    EMHDCR Gold  emhdcr Silver
    × trap  (H) on a trap  h° frozen

Gold, if it were to move
  pieces    E M H D 2C 3R (without H D 5R)
  goal      no
  captures  hc5 in c3, 4 steps: hc5s Ed5w hc4s hc3x Ec5s
            hf5 in f6, 3 steps: Ed5e hf5n hf6x Ee5e
            rg3 in f3, 3 steps: Hf4e rg3w rf3x Hg4s
  frozen    Db3
  mobile    8 of 9
  steps     26
  turns     15,711

Silver, to move
  pieces    E 2H D 5R (without M D 2C 3R)
  goal      yes, in 2 steps: rg3s rg2s
  captures  Mb6 in c6, 4 steps: eb4n rc6e Mb6e Mc6x eb5n
  frozen    none
  mobile    9 of 9
  steps     25
  turns     12,358

s [   r   rr d      Mr       hE h   e   H R D    r R C      C  R   ]

"#]]);
}

#[test]
fn in_ascii() {
    let path = file("show-ascii.txt", DRAWN);
    let text = stdout(&["show", "--ascii", &path]);
    assert!(text.is_ascii());
    let board: Vec<&str> = text.lines().take(13).collect();
    snapbox::assert_data_eq!(
        board.join("\n"),
        str![[r#"
   +------------------------+
 8 | .  .  .  r  .  .  .  r |
 7 | r  .  d  .  .  .  .  . |
 6 | .  M (r) .  .  x  .  . |
 5 | .  .  h  E  .  h  .  . |
 4 | .  e  .  .  .  H  .  R |
 3 | .  D* x  .  .  x  r  . |
 2 | R  .  C  .  .  .  .  . |
 1 | .  C  .  .  R  .  .  . |
   +------------------------+
     a  b  c  d  e  f  g  h
    EMHDCR Gold  emhdcr Silver
    x trap  (H) on a trap  h* frozen
"#]]
    );
}

#[test]
fn all_ways_to_give_a_position_are_the_same() {
    let path = file("show-same.txt", DRAWN);
    let expected = stdout(&["show", &path]);
    assert_eq!(stdout(&["show", DRAWN]), expected);
    let from_stdin = hathi(&["show", "-"]).stdin(DRAWN).output().expect("runs");
    assert_eq!(String::from_utf8_lossy(&from_stdin.stdout), expected);
    let short = expected.lines().last().expect("the short form");
    assert_eq!(stdout(&["show", short]), expected);
    let (side, board) = short.split_once(' ').expect("a side");
    assert_eq!(stdout(&["show", "--side", side, board]), expected);
    let windows = file(
        "show-windows.txt",
        format!("\u{feff}{}", DRAWN.replace('\n', "\r\n")),
    );
    assert_eq!(stdout(&["show", &windows]), expected);
}

#[test]
fn as_json() {
    let report = json(&["show", "--json", GOAL_IN_TWO]);
    assert_eq!(report["side"], "g");
    assert_eq!(report["gold"]["goal"]["steps"], 2);
    assert_eq!(report["gold"]["goal"]["turn"], "Re6n Re7n");
    assert_eq!(report["gold"]["material"]["rabbits"], 3);
    assert_eq!(report["outcome"], serde_json::Value::Null);
    let start = json(&["show", "--json", START]);
    assert_eq!(start["gold"]["mobile"], 16);
    assert_eq!(start["gold"]["steps"], 8);
    assert_eq!(start["silver"]["captures"], serde_json::json!([]));
}

#[test]
fn a_game_that_is_over() {
    let over = format!("s [R{}r{}e]", ".".repeat(30), ".".repeat(31));
    assert!(stdout(&["show", &over]).contains("The game is over: Gold wins by goal."));
    assert_eq!(json(&["show", "--json", &over])["outcome"]["winner"], "g");
}

#[test]
fn an_empty_board_is_a_position() {
    let empty = format!("g [{}]", " ".repeat(64));
    hathi(&["show", &empty]).assert().success();
}

#[test]
fn bad_positions_are_explained() {
    refused(
        &["show", "no-such-file.txt"],
        &["no-such-file.txt", "g [64 characters]"],
    );
    refused(&["show", "."], &["directory"]);
    refused(&["show", "g [rrr]"], &["64 squares", "found 3"]);
    refused(&["show", &START.replace('E', "q")], &["`q` on e2"]);
    refused(
        &["show", &START[2..]],
        &["side to move is missing", "--side"],
    );
    refused(
        &["show", "--side", "s", START],
        &["Gold", "--side says Silver"],
    );
    refused(&["show", &file("empty.txt", "")], &["empty.txt", "empty"]);
    refused(&["show", &file("blank.txt", "\n \n")], &["empty"]);
    refused(
        &["show", &file("binary.bin", [0, 255, 254, 10, 7])],
        &["not text"],
    );
    refused(&["show", &file("nul.bin", [0, 0, 27, 10, 7])], &["nul.bin"]);
    refused(
        &["show", &file("huge.txt", "x".repeat(1 << 20))],
        &["too long"],
    );
    refused(
        &["show", &file("table.tsv", "side\tposition\n")],
        &["--positions"],
    );
    refused(&["show", &DRAWN.replace("2|", "3|")], &["rank 3"]);
    refused(&["show", ""], &["cannot read"]);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let output = hathi(&["show", "g\x1b[31m [rrr]"]).output().expect("runs");
    assert!(!output.stderr.contains(&0x1b));
}

#[test]
fn what_a_position_is_worth_is_the_same_in_words_and_json() {
    // Silver without its camel, otherwise the usual start.
    let position = "g [rrrrrrrrhdce cdh                                HDCMECDHRRRRRRRR]";
    let report = json(&["show", position, "--worth", "--json"]);
    let words = stdout(&["show", position, "--worth"]);
    for (engine, name) in [("hathi", "hathi's network"), ("fairy", "fairy's terms")] {
        let worth = report["worth"][engine].as_i64().expect("a number");
        assert!(worth > 100, "{engine}: {worth}");
        let said = format!("{:+.2}", worth as f64 / 100.0);
        assert!(words.contains(&said) && words.contains(name), "{words}");
    }
    assert!(json(&["show", position, "--json"]).get("worth").is_none());
}
