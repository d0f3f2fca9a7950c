//! `hathi replay`.

use snapbox::str;

use crate::common::{file, folder, hathi, inside, json, refused, stdout};

const GAME: &str = "\
1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2w Ee2n Ee3n
2b takeback
2w Ee2n Ee3n Ee4n
2b ed7s ed6s
3w
";

/// One archive row; the move list gets literal `\\n`.
fn row(id: u32, start: u64, result: &str, moves: &str) -> String {
    let moves = moves.trim_end().replace('\n', "\\n");
    format!("{id}\tAnna\tJos\u{e9}\t{start}\t{result}\t{moves}")
}

const HEADER: &str = "id\twusername\tbusername\tstartts\tresult\ttermination\tmovelist";

/// Gold resigns; the second game breaks the rules, the third was lost on
/// time, the fourth is written down wrong.
fn archive() -> Vec<u8> {
    let resigned = format!("{GAME} resigns").replace("3w\n ", "3w ");
    let broken = GAME.replace("ed7s ed6s", "ed7s ed6n ed7n");
    let rows = [
        row(11, 1_320_119_182, "b\tr", &resigned),
        row(12, 1_037_992_826, "w\tg", &broken),
        row(13, 1_320_119_182, "w\tt", GAME),
        row(14, 1_320_119_182, "w\tr", &resigned),
    ];
    let text = format!("{HEADER}\n{}\n", rows.join("\n"));
    // As in the old archives: Latin-1.
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).expect("Latin-1"))
        .collect()
}

#[test]
fn a_game() {
    let path = file("game.txt", GAME);
    hathi(&["replay", &path])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
   ┌────────────────────────┐
 8 │ r  r  r  r  r  r  r  r │
 7 │ h  d  c  ·  m  c  d  h │
 6 │ ·  ·  ×  ·  ·  ×  ·  · │
 5 │ ·  ·  ·  e  E  ·  ·  · │
 4 │ ·  ·  ·  ·  ·  ·  ·  · │
 3 │ ·  ·  ×  ·  ·  ×  ·  · │
 2 │ H  D  C  M  ·  C  D  H │
 1 │ R  R  R  R  R  R  R  R │
   └────────────────────────┘
     a  b  c  d  e  f  g  h
    EMHDCR Gold  emhdcr Silver
    × trap  (H) on a trap  h° frozen

After 2s: ed7s ed6s
Next is 3g.
1 takeback in the record.

g [rrrrrrrrhdc mcdh           eE                   HDCM CDHRRRRRRRR]

"#]]);
}

#[test]
fn at_a_move() {
    let path = file("game-at.txt", GAME);
    let at = |label| json(&["replay", &path, "--json", "--at", label]);
    assert_eq!(at("2g")["position"].as_str().map(|p| &p[..1]), Some("s"));
    assert_eq!(at("2w")["last_move"], "Ee2n Ee3n Ee4n");
    assert_eq!(at("1s")["next"], "2g");
    assert_eq!(at("1g")["next"], "1s");
    let only_gold = at("1g")["position"]
        .as_str()
        .expect("a position")
        .to_owned();
    assert!(
        only_gold.starts_with("s [") && !only_gold.contains('r'),
        "{only_gold}"
    );
    assert_eq!(at("2s"), json(&["replay", &path, "--json"]));
    assert!(stdout(&["replay", &path, "--at", "2g"]).contains("the game goes on to 2s"));
    refused(
        &["replay", &path, "--at", "3g"],
        &["no move 3g", "its last is 2s"],
    );
    refused(&["replay", &path, "--at", "0g"], &["no move 0g"]);
}

#[test]
fn an_illegal_move_is_named_and_the_board_before_it_shown() {
    let path = file(
        "game-broken.txt",
        GAME.replace("ed7s ed6s", "ed7s ed6n ed7n"),
    );
    let reason = "move 2s: step 3 of 4, `ed7n`: d8 is occupied by the Silver rabbit";
    let output = hathi(&["replay", &path]).output().expect("runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains(reason) && text.contains("After 2g"), "{text}");
    let shown = json(&["replay", "--json", &path]);
    assert_eq!(shown["error"]["move"], "2s");
    assert_eq!(shown["at"], "2g");
    // Nothing legal at all.
    let path = file("game-broken-at-once.txt", "1g Ra1\n");
    hathi(&["replay", &path]).assert().code(1);
}

#[test]
fn an_archive_is_summed_up() {
    let path = file("archive.txt", archive());
    hathi(&["replay", &path])
        .assert()
        .code(1)
        .stderr_eq("")
        .stdout_eq(str![[r#"
games                 4
turns                 7
takebacks             4
clean                 3  every move is legal
broken                1
  game 12, move 2s: step 3 of 4, `ed7n`: d8 is occupied by the Silver rabbit
results of the clean games:
agree                 1  the moves end as the archive says
off the board         1  on time, by resignation, ...
differ                1
  game 14, by the moves: Silver wins by resignation; recorded: Gold wins by resignation

"#]]);
    let summary = json(&["replay", "--json", &path]);
    assert_eq!(summary["games"], 4);
    assert_eq!(summary["broken"][0]["game"], "12");
    assert_eq!(summary["broken"][0]["move"], "2s");
    assert_eq!(summary["results"]["differ"][0]["game"], "14");
    refused(&["replay", &path, "--at", "2s"], &["--game"]);
}

#[test]
fn a_game_of_an_archive() {
    let path = file("archive-pick.txt", archive());
    let pick = |game| json(&["replay", "--json", &path, "--game", game]);
    assert_eq!(pick("13"), pick("#3"));
    assert_eq!(pick("11")["silver"], "José");
    assert_eq!(pick("11")["outcome"]["text"], "Silver wins by resignation");
    assert_eq!(pick("12")["rules"], "old");
    assert_eq!(pick("13")["rules"], "modern");
    assert_eq!(pick("13")["recorded"]["termination"], "t");
    let old = json(&["replay", "--json", &path, "--game", "13", "--rules", "old"]);
    assert_eq!(old["rules"], "old");
    assert!(stdout(&["replay", &path, "--game", "12"]).contains("rules before July 2008"));
    refused(
        &["replay", &path, "--game", "99"],
        &["99", "4 games", "'#1'"],
    );
    refused(&["replay", &path, "--game", "#99"], &["#99", "4 games"]);
    refused(&["replay", &path, "--game", "#x"], &["#x"]);
}

#[test]
fn an_archive_of_one_game_is_shown() {
    let path = file(
        "archive-one.txt",
        format!("{HEADER}\r\n{}\r\n", row(5, 0, "w\tt", GAME)),
    );
    assert!(stdout(&["replay", &path]).starts_with("Game 5: Anna (Gold)"));
    hathi(&["replay", &path, "--at", "2g"]).assert().success();
    // A row that ends early is a broken game among others.
    let short = file(
        "archive-short.txt",
        format!("{HEADER}\n{}\n9\tx\n", row(5, 0, "", GAME)),
    );
    let output = hathi(&["replay", &short]).output().expect("runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.contains("game 9, line 3: 2 columns, the header has 7"),
        "{text}"
    );
}

#[test]
fn an_id_that_is_no_number_is_a_broken_game() {
    let good = row(5, 0, "w\tt", GAME);
    let odd = good.replacen('5', "five", 1);
    let path = file("archive-odd.txt", format!("{HEADER}\n{good}\n{odd}\n"));
    let summary = json(&["replay", "--json", &path]);
    assert_eq!(
        (&summary["games"], &summary["clean"]),
        (&2.into(), &1.into())
    );
    assert_eq!(summary["broken"][0]["game"], "#2");
    refused(
        &["replay", &path, "--game", "#2"],
        &["archive-odd.txt", "line 3", "`five` is not a game id"],
    );
}

#[test]
fn packed_archives_are_the_same() {
    let folder = folder("replay-packed");
    let [plain, gz, zst] = ["a.txt", "a.txt.gz", "a.txt.zst"].map(|name| {
        let path = inside(&folder, name);
        hathi(&["synth", "--games", "3", "-o", &path])
            .assert()
            .success();
        json(&["replay", "--json", &path])
    });
    assert_eq!(plain["games"], 3);
    assert_eq!(plain, gz);
    assert_eq!(plain, zst);
}

#[test]
fn from_standard_input() {
    let path = file("game-stdin.txt", GAME);
    let expected = stdout(&["replay", &path]);
    hathi(&["replay", "-"])
        .stdin(GAME)
        .assert()
        .success()
        .stdout_eq(expected);
}

#[test]
fn bad_files_are_refused() {
    let refuse = |name: &str, contents: &[u8], words: &[&str]| {
        refused(&["replay", &file(name, contents)], words);
    };
    refused(&["replay", "no-such-game.txt"], &["no-such-game.txt"]);
    refused(&["replay", "."], &["directory"]);
    refuse("r-empty.txt", b"", &["r-empty.txt", "empty"]);
    refuse("r-blank.txt", b"\n\n# nothing\n", &["no moves found"]);
    refuse("r-prose.txt", b"Once upon a time\n", &["no moves found"]);
    refuse(
        "r-table.txt",
        b"id\tmoves\n1\t1g\n",
        &["`movelist`", "id, moves"],
    );
    refuse(
        "r-header.txt",
        HEADER.as_bytes(),
        &["no game below the header"],
    );
    refuse("r-binary.txt", b"\x00\x01\x02\xff", &["not text"]);
    refuse("r-zip.txt", b"PK\x03\x04rest", &["r-zip.txt"]);
    refuse(
        "r-no-id.txt",
        b"movelist\n1g\n",
        &["r-no-id.txt", "`id` and `movelist`"],
    );
    refuse(
        "r-huge.txt",
        &vec![b'1'; (16 << 20) + 2],
        &["longer than 16 MiB"],
    );
    let path = file("r-single.txt", GAME);
    refused(&["replay", &path, "--game", "1"], &["not an archive"]);
}
