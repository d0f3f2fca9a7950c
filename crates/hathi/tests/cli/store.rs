//! The store: import, stats, setups, find, explore, games, export, index.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json as value};
use snapbox::cmd::{OutputAssert, cargo_bin};
use snapbox::str;

use crate::common::{START, folder, hathi, inside, json, refused, stdout};

const HEADER: &str = "id\twusername\tbusername\twrating\tbrating\twtype\tbtype\tevent\ttimecontrol\t\
    startts\tresult\ttermination\trated\tmovelist";

const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

/// The same start four times (START), once in a mirror, and a game without
/// setups. Games 1 and 3 begin with the same turn in another order, game 5
/// breaks a rule.
fn archive() -> String {
    let mirrored = |setup: &str| {
        let exchange = [
            ("Md2", "Ed2"),
            ("Ee2", "Me2"),
            ("ed7", "md7"),
            ("me7", "ee7"),
        ];
        exchange
            .iter()
            .fold(setup.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let (gold, silver) = (mirrored(GOLD), mirrored(SILVER));
    let start = |moves: &str| format!("1w {GOLD}\\n1b {SILVER}\\n{moves}");
    let rows = [
        row(
            1,
            "Anna\tBert\t1800\t1900\th\th",
            "2011-11-01",
            "b\tr\t1",
            &start("2w Ee2n Ee3n Ee4n Ha2n\\n2b ed7s ed6s\\n3w resigns"),
        ),
        row(
            2,
            "bot_One\tAnna\t2000\t1500\tb\th",
            "2011-11-02",
            "w\tt\t0",
            &start("2w Ee2n Ee3n Ee4n\\n2b me7s\\n3w Ha2n\\n3b"),
        ),
        row(
            3,
            "Bert\tAnna\t1700\t1750\th\th",
            "2012-05-03",
            "w\tr\t1",
            &start(
                "2w Ha2n Ee2n Ee3n Ee4n\\n2b ed7s\\n3w takeback\\n2b ed7s\\n3w Ha3n\\n3b resigns",
            ),
        ),
        row(
            4,
            "Anna\tbot_One\t2100\t2200\th\tb",
            "2013-01-04",
            "b\tt\t1",
            &format!("1w {gold}\\n1b {silver}\\n2w Ed2n Ed3n Ed4n\\n2b ee7s\\n3w"),
        ),
        row(
            5,
            "Bert\tAnna\t1600\t1600\th\th",
            "2013-02-05",
            "w\tr\t1",
            &start("2w Md2n\\n2b ed7n\\n3w"),
        ),
        row(
            6,
            "Bert\tAnna\t1600\t1600\th\th",
            "2013-02-06",
            "w\tr\t1",
            "1w Ra1",
        ),
    ];
    format!("{HEADER}\n{}\n", rows.join("\n"))
}

fn row(id: u32, players: &str, date: &str, end: &str, moves: &str) -> String {
    // Midday of a day of our few.
    let start = match date {
        "2011-11-01" => 1_320_148_800,
        "2011-11-02" => 1_320_235_200,
        "2012-05-03" => 1_336_046_400,
        "2013-01-04" => 1_357_300_800,
        _ => 1_360_065_600,
    };
    format!("{id}\t{players}\tCasual game\t2/2/100/10/8\t{start}\t{end}\t{moves}")
}

/// A folder with our archive and a store made from it.
struct Fixture {
    folder: PathBuf,
    store: String,
    archive: String,
}

fn fixture(name: &str) -> Fixture {
    let folder = folder(name);
    let (store, archive) = (inside(&folder, "hathi.db"), inside(&folder, "games.txt"));
    std::fs::write(&archive, self::archive()).expect("a file");
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    Fixture {
        folder,
        store,
        archive,
    }
}

impl Fixture {
    fn args<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        [args, &["--store", &self.store]].concat()
    }

    fn json(&self, args: &[&str]) -> Value {
        json(&self.args(&[args, &["--json"]].concat()))
    }

    fn stdout(&self, args: &[&str]) -> String {
        stdout(&self.args(args))
    }

    fn assert(&self, args: &[&str]) -> OutputAssert {
        hathi(&self.args(args)).assert()
    }

    fn inside(&self, name: &str) -> String {
        inside(&self.folder, name)
    }
}

#[test]
fn an_import_is_summed_up() {
    let folder = folder("store-import");
    let archive = inside(&folder, "games.txt");
    let report = inside(&folder, "report.tsv");
    std::fs::write(&archive, self::archive()).expect("a file");
    let store = inside(&folder, "deep/er/hathi.db");
    hathi(&["import", &archive, "--store", &store, "--report", &report])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
read        6
stored      5, 1 of them only up to their last legal turn
duplicates  0
rejected    1
reasons     1  no complete setup
            1  the square was occupied
positions   11
seconds     [..]

"#]]);
    snapbox::assert_data_eq!(
        std::fs::read_to_string(report).expect("a report"),
        str![[r#"
game	kept	reason
5	kept	game 5, move 2s: step 1 of 4, `ed7n`: d8 is occupied by the Silver rabbit
6	rejected	[..]games.txt, line 7, game 6: [..]

"#]]
    );
}

#[test]
fn importing_again_adds_nothing() {
    let fixture = fixture("store-again");
    let before = fixture.json(&["stats"]);
    let again = fixture.json(&["import", &fixture.archive]);
    assert_eq!(again["stored"], 0);
    assert_eq!(again["duplicates"], 5);
    assert_eq!(again["indexed"], false);
    let after = fixture.json(&["stats"]);
    for key in ["games", "positions", "players", "results", "index"] {
        assert_eq!(before[key], after[key], "{key}");
    }
}

#[test]
fn strict_leaves_broken_games_out() {
    let folder = folder("store-strict");
    let archive = inside(&folder, "games.txt");
    std::fs::write(&archive, self::archive()).expect("a file");
    let store = inside(&folder, "hathi.db");
    let summary = json(&["import", &archive, "--store", &store, "--strict", "--json"]);
    assert_eq!(summary["stored"], 4);
    assert_eq!(summary["shortened"], 0);
    assert_eq!(summary["rejected"], 2);
}

#[test]
fn standard_input_and_folders() {
    let folder = folder("store-sources");
    let store = inside(&folder, "hathi.db");
    hathi(&["import", "-", "--store", &store])
        .stdin(archive())
        .assert()
        .success();
    std::fs::create_dir(folder.join("archives")).expect("a folder");
    std::fs::write(folder.join("archives/a.txt"), archive()).expect("a file");
    let archives = inside(&folder, "archives");
    let summary = json(&["import", &archives, "--store", &store, "--json"]);
    assert_eq!(summary["duplicates"], 5);
}

#[test]
#[cfg(unix)]
fn ctrl_c_stops_and_the_same_command_goes_on() {
    const GAMES: u32 = 9000;
    let folder = folder("store-stop");
    let store = inside(&folder, "hathi.db");
    let moves = format!("1w {GOLD}\\n1b {SILVER}\\n2w Ee2n\\n2b");
    let rows =
        (1..=GAMES).map(|id| row(id, "Anna\tBert\t1800\t1900\th\th", "", "b\tr\t1", &moves) + "\n");
    let archive = format!("{HEADER}\n{}", rows.collect::<String>());

    let mut child = std::process::Command::new(cargo_bin!("hathi"))
        .args(["import", "-", "--store", &store])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // Nobody listens before the store is made.
    while !Path::new(&store).exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let signal = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(signal.expect("kill runs").success());
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let first = messages.next().expect("a line").expect("text");
    assert!(first.contains("stopping"), "{first}");
    // It stops listening before it has read all of that.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(archive.as_bytes());
    let second = messages.next().expect("a line").expect("text");
    assert!(second.contains("the same command goes on"), "{second}");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));

    let stored = json(&["stats", "--store", &store, "--json"])["games"].as_u64();
    let stored = stored.expect("a number");
    assert!(0 < stored && stored < GAMES.into(), "{stored}");
    let output = hathi(&["import", "-", "--json", "--store", &store])
        .stdin(archive)
        .output()
        .expect("runs");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["duplicates"], stored);
    assert_eq!(summary["stored"], u64::from(GAMES) - stored);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let fixture = fixture("store-full-disk");
    for question in QUESTIONS {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let output = std::process::Command::new(cargo_bin!("hathi"))
            .args(fixture.args(question))
            .stdout(full.expect("/dev/full"))
            .output()
            .expect("the binary runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{question:?}: {message}");
        assert!(message.contains("cannot write"), "{question:?}: {message}");
    }
    let args = ["export", "-o", "/dev/full"];
    let output = hathi(&fixture.args(&args)).output().expect("runs");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn stats() {
    let fixture = fixture("store-stats");
    let stats = fixture.json(&["stats"]);
    assert_eq!(stats["games"], 5);
    assert_eq!(stats["positions"], 11);
    assert_eq!(stats["players"], 3);
    assert_eq!(stats["puzzles"], 0);
    assert_eq!(stats["results"]["gold"], 3);
    assert_eq!(
        stats["results"]["terminations"]["t"],
        value!({"gold": 1, "silver": 1, "nobody": 0})
    );
    assert_eq!(stats["index"]["games"], 5);
    assert_eq!(stats["index"]["trouble"], Value::Null);
    fixture.assert(&["stats"]).success().stdout_eq(str![[r#"
store       [..]hathi.db
games       5
positions   11
players     3
puzzles     0
database    [..]
index       5 games, 11 positions, [..]

  end                Gold won  Silver won  nobody
  r  by resignation         2           1       0
  t  on time                1           1       0
  all                       3           2       0

"#]]);
}

#[test]
fn setups() {
    let fixture = fixture("store-setups");
    fixture.assert(&["setups"]).success().stdout_eq(str![[r#"
Gold's setups in 5 games: 2 different.

  rank  games   share    won  rating  setup
     1      4  80.00%  75.0%    1775  Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
     2      1  20.00%   0.0%    2100  Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Ed2 Me2 Cf2 Dg2 Hh2

"#]]);
    assert_eq!(fixture.json(&["setups", "--mirror"])["kinds"], 1);
    let humans = fixture.json(&["setups", "--humans"]);
    assert_eq!(humans["setups"][0]["games"], 3);
    let replies = fixture.json(&["setups", "--reply-to", GOLD, "--mirror"]);
    assert_eq!(replies["side"], "s");
    assert_eq!(replies["setups"][0]["games"], 5);
    let file = fixture.inside("setup.txt");
    std::fs::write(&file, format!("{GOLD}\n")).expect("a file");
    let replies = fixture.json(&["setups", "--reply-to", &file]);
    assert_eq!(replies["games"], 4);
    assert!(
        fixture
            .stdout(&["setups", "--draw", "--limit", "1"])
            .contains("     2  H D C M E C D H\n     1  R R R R R R R R\n")
    );
    refused(
        &fixture.args(&["setups", "--reply-to", SILVER]),
        &["a setup of Silver"],
    );
    refused(
        &fixture.args(&["setups", "--reply-to", "Ra1 Rb1"]),
        &["--reply-to", "placed"],
    );
    refused(
        &fixture.args(&["setups", "--reply-to", GOLD, "--side", "g"]),
        &["--side g"],
    );
}

#[test]
fn find_the_whole_board() {
    let fixture = fixture("store-find");
    fixture
        .assert(&["find", "--position", START])
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
5 hits in [..] µs.

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
fn find_literally_or_by_symmetry() {
    let fixture = fixture("store-literal");
    let symmetric = fixture.json(&["find", "--kind", "full", "--position", START]);
    assert_eq!(symmetric["hits"], 5);
    assert_eq!(symmetric["turns"][0]["games"], value!([2, 4]));
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
    assert_eq!(literal["best"]["game"], 2);
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

#[test]
fn find_asks_for_what_it_needs() {
    let fixture = fixture("store-needs");
    let find = |args: &[&'static str], words: &[&str]| {
        let args = [&["find", "--position", START], args].concat();
        refused(&fixture.args(&args), words);
    };
    find(&["--kind", "area"], &["--trap", "--last"]);
    find(&["--kind", "area-by-piece", "--last", "f6"], &["--piece"]);
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
}

#[test]
fn filters() {
    let fixture = fixture("store-filters");
    for (filter, expected) in [
        (
            &["--min-rating", "1700"] as &[&str],
            &[1u64, 3, 4] as &[u64],
        ),
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
        let ids: Vec<u64> = ids.filter_map(|game| game["id"].as_u64()).collect();
        assert_eq!(ids, expected, "{filter:?}");
        let found = fixture.json(&[&["find", "--position", START], filter].concat());
        assert_eq!(found["hits"], expected.len(), "{filter:?}");
    }
    let late = fixture.json(&["find", "--position", START, "--moves", "3-"]);
    assert_eq!(late["hits"], 0);
}

#[test]
fn explore() {
    let fixture = fixture("store-explore");
    fixture
        .assert(&["explore", START, "--limit", "2"])
        .success()
        .stdout_eq(str![[r#"
Reached 5 times.

  played  reached    won  rating  last played  turn                 games
       2        2  50.0%    2050  2013-01-04   Ee2n Ee3n Ee4n       2 4
       2        2  50.0%    1750  2012-05-03   Ha2n Ee2n Ee3n Ee4n  3 1

1 more turn; --limit shows as many as you like.

Strong games:
  game  date        gold          silver        won  by  turns  event
     4  2013-01-04  Anna 2100     bot_One 2200  s    t       2  Casual game
     1  2011-11-01  Anna 1800     Bert 1900     s    r       2  Casual game
     2  2011-11-02  bot_One 2000  Anna 1500     g    t       3  Casual game
     3  2012-05-03  Bert 1700     Anna 1750     g    r       3  Casual game
     5  2013-02-05  Bert 1600     Anna 1600     g    r       1  Casual game

Most recent games:
  game  date        gold          silver        won  by  turns  event
     5  2013-02-05  Bert 1600     Anna 1600     g    r       1  Casual game
     4  2013-01-04  Anna 2100     bot_One 2200  s    t       2  Casual game
     3  2012-05-03  Bert 1700     Anna 1750     g    r       3  Casual game
     2  2011-11-02  bot_One 2000  Anna 1500     g    t       3  Casual game
     1  2011-11-01  Anna 1800     Bert 1900     s    r       2  Casual game

"#]]);
    // Step by step through the tree.
    let first = fixture.json(&["explore", START]);
    let after = first["turns"][1]["position_after"].as_str().expect("one");
    let second = fixture.json(&["explore", after]);
    assert_eq!(second["hits"], 2);
    fixture
        .assert(&["explore", &START.replace("DC", "CD")])
        .code(1)
        .stdout_eq("Never reached.\n");
}

#[test]
fn games() {
    let fixture = fixture("store-games");
    fixture
        .assert(&["games", "--limit", "2"])
        .success()
        .stdout_eq(str![[r#"
  game  date        gold          silver     won  by  turns  event
     1  2011-11-01  Anna 1800     Bert 1900  s    r       2  Casual game
     2  2011-11-02  bot_One 2000  Anna 1500  g    t       3  Casual game

There are more; --limit shows as many as you like.

"#]]);
    assert_eq!(
        fixture.stdout(&["games", "--limit", "0"]).lines().count(),
        6
    );
    let game = fixture.stdout(&["games", "3"]);
    snapbox::assert_data_eq!(
        &game,
        str![[r#"
# game       3
# date       2012-05-03
# Gold       Bert 1700
# Silver     Anna 1750
# event      Casual game, rated
# time       2/2/100/10/8
# result     Gold wins by resignation
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8
2g Ha2n Ee2n Ee3n Ee4n
2s ed7s
3g Ha3n

"#]]
    );
    hathi(&["replay", "-"]).stdin(game).assert().success();
    assert_eq!(fixture.json(&["games", "5"])["moves"][2], "2g Md2n");
    fixture
        .assert(&["games", "99"])
        .code(1)
        .stdout_eq("")
        .stderr_eq("error: there is no game 99 in the store\n");
    refused(&fixture.args(&["games", "x"]), &["not a game id"]);
    refused(&fixture.args(&["games", "1", "--humans"]), &["--humans"]);
    refused(&fixture.args(&["games", "1", "--limit", "3"]), &["--limit"]);
}

#[test]
fn an_export_can_be_imported() {
    let fixture = fixture("store-export");
    let second = fixture.inside("second.db");
    for name in ["all.txt", "all.txt.gz", "all.txt.zst"] {
        let all = fixture.inside(name);
        fixture
            .assert(&["export", "-o", &all])
            .success()
            .stdout_eq("5 games written.\n");
        let _ = std::fs::remove_file(&second);
        let _ = std::fs::remove_file(format!("{second}.index"));
        let summary = json(&["import", &all, "--store", &second, "--json"]);
        // What was broken had been left out already.
        assert_eq!(
            (&summary["stored"], &summary["shortened"]),
            (&5.into(), &0.into())
        );
        let (one, other) = (
            fixture.json(&["stats"]),
            json(&["stats", "--store", &second, "--json"]),
        );
        for key in ["games", "positions", "players", "results"] {
            assert_eq!(one[key], other[key], "{key}");
        }
    }
    let some = fixture.stdout(&["export", "--player", "bot_one", "-o", "-"]);
    assert_eq!(some.lines().count(), 3);
    let again = hathi(&["import", "-", "--json", "--store", &second])
        .stdin(some)
        .output()
        .expect("runs");
    let again: Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(again["duplicates"], 2);
    fixture.assert(&["export", "--bots", "-o", "-"]).code(1);
    refused(
        &fixture.args(&["export", "-o", &fixture.store]),
        &["the store itself"],
    );
    assert_eq!(fixture.json(&["stats"])["games"], 5);
}

#[test]
fn index() {
    let fixture = fixture("store-index");
    fixture
        .assert(&["index", "--check"])
        .success()
        .stdout_eq(str![[r#"
index       5 games, 11 positions, [..]
checked     every checksum is right

"#]]);
    let index = format!("{}.index", fixture.store);
    // Without it the same is found, and said so.
    let found = fixture.json(&["find", "--position", START]);
    std::fs::remove_file(&index).expect("an index");
    let output = hathi(&fixture.args(&["find", "--position", START, "--json"]))
        .output()
        .expect("runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("is missing; `hathi index --rebuild`"),
        "{message}"
    );
    let without: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(without["turns"], found["turns"]);
    fixture
        .assert(&["index"])
        .code(1)
        .stdout_eq("index       missing\nbeside it   5 games, 11 positions in memory\n");
    fixture.assert(&["index", "--rebuild", "--check"]).success();
    // Damaged.
    let mut bytes = std::fs::read(&index).expect("an index");
    let middle = bytes.len() / 2;
    bytes.truncate(middle);
    std::fs::write(&index, bytes).expect("a file");
    fixture.assert(&["index", "--check"]).code(1);
    assert_eq!(
        fixture.json(&["find", "--position", START])["turns"],
        found["turns"]
    );
    // Importing again mends it.
    assert_eq!(fixture.json(&["import", &fixture.archive])["indexed"], true);
    fixture.assert(&["index", "--check"]).success();
}

#[test]
fn an_index_can_wait() {
    let folder = folder("store-wait");
    let (store, archive) = (inside(&folder, "h.db"), inside(&folder, "games.txt"));
    std::fs::write(&archive, self::archive()).expect("a file");
    let summary = json(&[
        "import",
        &archive,
        "--no-index",
        "--store",
        &store,
        "--json",
    ]);
    assert_eq!(summary["indexed"], false);
    let stats = json(&["stats", "--store", &store, "--json"]);
    assert_eq!(stats["index"]["trouble"], "missing");
    assert_eq!(stats["index"]["recent_games"], 5);
}

const QUESTIONS: [&[&str]; 8] = [
    &["stats"],
    &["setups"],
    &["find", "--position", START],
    &["explore", START],
    &["games"],
    &["games", "1"],
    &["export", "-o", "-"],
    &["index"],
];

#[test]
fn questions_do_not_make_a_store() {
    let folder = folder("store-missing");
    let store = inside(&folder, "none.db");
    for question in QUESTIONS {
        hathi(&[question, &["--store", &store]].concat())
            .assert()
            .code(1)
            .stdout_eq("")
            .stderr_eq("error: there is no store at [..]none.db yet; `hathi import` makes one\n");
    }
    assert!(!Path::new(&store).exists());
}

#[test]
fn other_files_are_left_alone() {
    let folder = folder("store-foreign");
    let foreign = inside(&folder, "letter.txt");
    let letter = "Dear Anna,\nthis is not a store, but long enough to look like one. ".repeat(90);
    std::fs::write(&foreign, &letter).expect("a file");
    let archive = inside(&folder, "games.txt");
    std::fs::write(&archive, self::archive()).expect("a file");
    for question in QUESTIONS
        .into_iter()
        .chain([&["import", &archive] as &[&str]])
    {
        let args = [question, &["--store", &foreign]].concat();
        refused(&args, &["letter.txt", "not a store of Hathi"]);
        assert_eq!(std::fs::read_to_string(&foreign).expect("a file"), letter);
    }
    let text = folder.to_str().expect("UTF-8");
    refused(&["stats", "--store", text], &["is a folder"]);
}

#[test]
fn the_default_store() {
    let folder = folder("store-default");
    let archive = inside(&folder, "games.txt");
    std::fs::write(&archive, self::archive()).expect("a file");
    let home = inside(&folder, "data");
    hathi(&["import", &archive])
        .env("XDG_DATA_HOME", &home)
        .assert()
        .success();
    assert!(folder.join("data/hathi/hathi.db").exists());
    let variable = inside(&folder, "data/hathi/hathi.db");
    let output = hathi(&["stats", "--json"])
        .env("HATHI_STORE", &variable)
        .output()
        .expect("runs");
    let stats: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(stats["games"], 5);
}

#[test]
fn what_is_no_archive() {
    let folder = folder("store-no-archive");
    let store = inside(&folder, "hathi.db");
    let letter = inside(&folder, "letter.txt");
    std::fs::write(&letter, "Dear Anna,\n").expect("a file");
    refused(
        &["import", "no-such-file", "--store", &store],
        &["no-such-file"],
    );
    refused(&["import", "--store", &store], &["FILE|FOLDER"]);
    assert!(!Path::new(&store).exists());
    let output = hathi(&["import", &letter, "--store", &store]).output();
    let output = output.expect("runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("letter.txt"), "{message}");
}

#[test]
fn made_up_games() {
    let folder = folder("store-synth");
    let (one, other) = (inside(&folder, "one.txt"), inside(&folder, "other.txt"));
    for (file, threads) in [(&one, "1"), (&other, "2")] {
        let args = [
            "synth",
            "--games",
            "40",
            "--seed",
            "7",
            "--threads",
            threads,
        ];
        hathi(&[&args[..], &["-o", file]].concat())
            .assert()
            .success();
    }
    let text = std::fs::read(&one).expect("an archive");
    assert!(text == std::fs::read(&other).expect("an archive"));
    let store = inside(&folder, "hathi.db");
    let summary = json(&["import", &one, "--store", &store, "--json"]);
    assert_eq!(
        (&summary["stored"], &summary["rejected"]),
        (&40.into(), &0.into())
    );
}
