//! `hathi turns`.

use crate::common::{START, file, folder, hathi, inside, json, refused, stdout};

/// A lone elephant in the corner and a rabbit that cannot get past it.
const CORNER: &str = "g [................................................R.......E.......]";

#[test]
fn counting_is_the_default() {
    hathi(&["turns", START])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq("3353\n");
    assert_eq!(
        stdout(&["turns", "--count", START]),
        stdout(&["turns", START])
    );
    assert_eq!(json(&["turns", "--json", START])["count"], 3353);
    assert!(json(&["turns", "--json", START]).get("turns").is_none());
}

#[test]
fn listing_gives_a_turn_and_a_position_a_line() {
    let text = stdout(&["turns", "--list", CORNER]);
    let count: usize = stdout(&["turns", CORNER]).trim().parse().expect("a number");
    assert_eq!(text.lines().count(), count);
    for line in text.lines() {
        let (turn, position) = line.split_once('\t').expect("two columns");
        assert!((1..=4).contains(&steps(turn)), "{line}");
        assert!(
            position.starts_with("s [") && position.len() == 68,
            "{line}"
        );
    }
    assert!(text.contains("Ra2n\ts ["));

    let listed = json(&["turns", "--list", "--json", CORNER]);
    assert_eq!(listed["turns"].as_array().map(Vec::len), Some(count));
    let first = text.lines().next().and_then(|line| line.split_once('\t'));
    let (turn, position) = first.expect("a line");
    assert_eq!(listed["turns"][0]["turn"], turn);
    assert_eq!(listed["turns"][0]["position"], position);
}

/// The steps of a turn; removals are no steps.
fn steps(turn: &str) -> usize {
    turn.split(' ').filter(|word| !word.ends_with('x')).count()
}

fn table(rows: &str) -> String {
    format!("game\tside\tposition\tnote\n{rows}")
}

fn start_row(note: &str) -> String {
    let board = START[2..].replace('.', " ");
    format!("7\tg\t{board}\t{note}")
}

#[test]
fn tables_get_a_column() {
    let row = start_row("a note ");
    let path = file("turns.tsv", table(&format!("{row}\r\n\n{row}\n")));
    let expected = format!("game\tside\tposition\tnote\tturns\n{row}\t3353\n{row}\t3353\n");
    hathi(&["turns", "--count", "--positions", &path])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(&expected);
    let from_stdin = hathi(&["turns", "--positions", "-"]).stdin(table(&row));
    let expected = format!("game\tside\tposition\tnote\tturns\n{row}\t3353\n");
    from_stdin.assert().success().stdout_eq(expected);

    let text = stdout(&["turns", "--positions", &path, "--json"]);
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1]["line"], 4);
    assert_eq!(rows[1]["turns"], 3353);
    assert_eq!(rows[1]["row"]["note"], "a note ");
}

#[test]
fn bytes_that_are_not_utf_8_pass_through() {
    let mut bytes = table(&start_row("Jos")).into_bytes();
    bytes.extend(b"\xe9\n");
    let path = file("latin-1.tsv", bytes);
    let output = hathi(&["turns", "--positions", &path])
        .output()
        .expect("runs");
    assert!(output.stdout.ends_with(b"Jos\xe9\t3353\n"));
    assert!(stdout(&["turns", "--positions", &path, "--json"]).contains("José"));
}

#[test]
fn bad_tables_are_refused() {
    let refuse = |name: &str, contents: &[u8], words: &[&str]| {
        refused(&["turns", "--positions", &file(name, contents)], words);
    };
    refused(&["turns", "--positions", "no-such.tsv"], &["no-such.tsv"]);
    refuse("t-empty.tsv", b"", &["t-empty.tsv", "empty"]);
    refuse(
        "t-header.tsv",
        b"game\tboard\n",
        &["line 1", "`side`", "game, board"],
    );
    refuse(
        "t-position.tsv",
        b"side\tboard\n",
        &["line 1", "`position`"],
    );
    refuse("t-binary.tsv", &[0, 1, 2, 255, 10], &["line 1", "`side`"]);
    refuse("t-gzip.tsv", b"\x1f\x8b\x08\x00", &["unpack"]);
    refuse(
        "t-huge.tsv",
        &vec![b'x'; (16 << 20) + 2],
        &["line 1", "longer than 16 MiB"],
    );
}

#[test]
fn bad_rows_are_named_and_what_came_before_is_kept() {
    let good = start_row("");
    for (name, row, word) in [
        ("short", "7\tg", "2 columns, the header has 4"),
        ("long", &format!("{good}\textra"), "5 columns"),
        ("side", &good.replace("\tg\t", "\tx\t"), "`x` is no side"),
        ("no-side", &good.replace("\tg\t", "\t\t"), "is no side"),
        ("board", "7\tg\t[rrr]\t", "found 3"),
        (
            "other",
            &good.replace("\tg\t[", "\tg\ts ["),
            "different sides",
        ),
    ] {
        let path = file(
            &format!("row-{name}.tsv"),
            table(&format!("{good}\n{row}\n{good}\n")),
        );
        let output = hathi(&["turns", "--positions", &path])
            .output()
            .expect("runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        let place = format!("row-{name}.tsv: line 3: ");
        assert!(
            message.contains(&place) && message.contains(word),
            "{name}: {message}"
        );
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    }
}

/// Figure 1 (a) of Trippen's paper, for any game.
#[test]
fn the_turns_of_a_game_are_counted_and_drawn() {
    let folder = folder("turns-plot");
    let (game, svg) = (inside(&folder, "game.txt"), inside(&folder, "turns.svg"));
    let moves = "\
        1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
        1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n\
        2g Ee2n Ee3n\n2s ed7s\n3g Ha2n\n";
    std::fs::write(&game, moves).expect("written");
    let text = stdout(&["turns", &game, "--plot", &svg]);
    let labels: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(labels, ["2g", "2s", "3g"]);
    let counts: Vec<usize> = text
        .lines()
        .filter_map(|line| line.split('\t').nth(1)?.parse().ok())
        .collect();
    assert!(counts[0] > 2_000 && counts[2] > counts[0], "{counts:?}");
    let drawn = std::fs::read_to_string(&svg).expect("a drawing");
    assert!(
        drawn.contains("Gold against Silver") && drawn.starts_with("<svg"),
        "{drawn}"
    );
    refused(
        &[
            "turns",
            "g [r......................................R........................]",
            "--plot",
            &svg,
        ],
        &["--plot draws a game, this is a position"],
    );
}
