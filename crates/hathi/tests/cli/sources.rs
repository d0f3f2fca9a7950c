//! Where games are from: told apart, chosen, taken out; move lists read.

use crate::common::{file, folder, hathi, inside, json, refused, stdout};
use crate::fixture::{GOLD, HEADER, SILVER, fixture};

/// A row with this id and a game of its own.
fn row(id: &str, names: &str, event: &str, first: &str) -> String {
    format!(
        "{id}\t{names}\t1500\t1500\th\th\t{event}\t\t1100000000\tw\tr\t0\t\
         1w {GOLD}\\n1b {SILVER}\\n2w {first}\\n2b"
    )
}

#[test]
fn one_number_many_games() {
    let folder = folder("sources");
    let store = inside(&folder, "games.db");
    let archive = file(
        "sources.txt",
        [
            HEADER.to_owned(),
            row("15", "Anna\tBert", "Casual game", "Ee2n"),
            row("15", "Cleo\tDora", "Casual game", "Md2n"),
            row("15", "fairy\tgreedy", "Hathi arena", "Hh2n"),
            row("sample:15", "one\ttwo", "Hathi arena", "Ha2n"),
        ]
        .join("\n"),
    );
    let report = inside(&folder, "report.tsv");
    let args = [
        "import", "--json", "--store", &store, "--report", &report, &archive,
    ];
    let summary = json(&args);
    assert_eq!(
        (&summary["stored"], &summary["copies"]),
        (&4.into(), &1.into())
    );
    let report = std::fs::read_to_string(report).expect("a report");
    assert!(
        report.contains("15~2\tkept\tgame 15: another game"),
        "{report}"
    );
    for (id, gold) in [
        ("15", "Anna"),
        ("arimaa:15", "Anna"),
        ("15~2", "Cleo"),
        ("arena:15", "fairy"),
        ("sample:15", "one"),
    ] {
        let game = stdout(&["games", id, "--store", &store]);
        assert!(
            game.contains(&format!("# Gold       {gold} (1500)")),
            "{id}: {game}"
        );
    }
    // An export keeps all of it, and reading it again adds nothing.
    let out = inside(&folder, "out.txt");
    hathi(&["export", "--source", "all", "-o", &out, "--store", &store])
        .assert()
        .success();
    let again = json(&["import", "--json", "--store", &store, &out]);
    assert_eq!(
        (&again["stored"], &again["duplicates"]),
        (&0.into(), &4.into())
    );
    let other = inside(&folder, "other.db");
    json(&["import", "--json", "--store", &other, &out]);
    let ids = |store: &str| {
        let listed = json(&["games", "--json", "--source", "all", "--store", store]);
        let games = listed["games"].as_array().expect("games").iter();
        games.map(|game| game["id"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&other), ids(&store));
    // The sample does not count beside real games.
    let count = |more: &[&str]| {
        json(&[&["stats", "--json", "--store", &store], more].concat())["games"].clone()
    };
    assert_eq!(count(&[]), 3);
    let listed = json(&["games", "--json", "--store", &store]);
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(3));
    refused(
        &["games", "--source", "nowhere", "--store", &store],
        &["no source of games"],
    );

    // Out again, one by one and by source.
    let removed = json(&["games", "--json", "--store", &store, "--remove", "15", "99"]);
    assert_eq!(removed["removed"], 1);
    assert_eq!(removed["missing"][0], "99");
    let sources = json(&["sources", "--json", "--store", &store]);
    assert_eq!(sources["games"], 2);
    let left = json(&[
        "sources",
        "--json",
        "--store",
        &store,
        "--remove",
        "arimaa,arena",
    ]);
    assert_eq!((&left["removed"], &left["games"]), (&2.into(), &1.into()));
    assert_eq!(left["sources"][0]["source"], "sample");
    let text = stdout(&["sources", "--store", &store]);
    assert!(
        text.contains("sample") && text.contains("engines"),
        "{text}"
    );
}

#[test]
fn what_people_paste_is_imported() {
    let fixture = fixture("store-move-lists");
    let add = |name: &str, text: &str| {
        let path = file(name, text);
        fixture.json(&["import", &path])
    };
    // What `hathi games` and the page write is the game itself.
    let own = fixture.stdout(&["games", "3"]);
    let again = add("list-own.txt", &own);
    assert_eq!(
        (&again["duplicates"], &again["stored"]),
        (&1.into(), &0.into())
    );
    let named = "# Gold       Eva (1700)\n# Silver     Otto\n# date       2020-01-02\n# result     Silver wins on time\n";
    let list = format!("{named}1g {GOLD}\n1s {SILVER}\n2g Ee2n\n2s ed7s\n");
    assert_eq!(add("list-named.txt", &list)["stored"], 1);
    let one_line = format!("1w {GOLD} 1b {SILVER} 2w Md2n 2b me7s 3w");
    assert_eq!(add("list-one-line.txt", &one_line)["stored"], 1);
    let broken = format!("1g {GOLD}\n1s {SILVER}\n2g Hh2n\n2s ed7n\n3g Ee2n\n");
    let kept = add("list-broken.txt", &broken);
    assert_eq!(
        (&kept["stored"], &kept["shortened"]),
        (&1.into(), &1.into())
    );
    assert_eq!(add("list-broken.txt", &broken)["duplicates"], 1);
    let listed = fixture.json(&["games", "--source", "file"]);
    let games = listed["games"].as_array().expect("games");
    assert_eq!(games.len(), 3);
    assert_eq!(games[0]["gold"]["name"], "Eva");
    assert_eq!(games[0]["date"], "2020-01-02");
    assert_eq!(
        (&games[0]["result"], &games[0]["termination"]),
        (&"s".into(), &"t".into())
    );
    assert_eq!(games[1]["turns"], 2);
    assert_eq!(games[2]["turns"], 1);
    // Something else is not taken for one.
    let other = file("list-other.txt", "Dear all,\nhere is my game: 1g hello\n");
    fixture.assert(&["import", &other]).code(1);
}

#[test]
fn players_numbers_and_logs_survive() {
    let folder = folder("logs");
    let (store, out) = (inside(&folder, "games.db"), inside(&folder, "out.txt"));
    let log = "1 [x] w player joining\\n2 [x] after 1w, move used:13 wresv:0";
    let archive = file(
        "logs.txt",
        format!(
            "id\twplayerid\tbplayerid\twusername\tbusername\tmovelist\tevents\n\
             7\t12\t0\tAnna\tBert\t1w {GOLD}\\n1b {SILVER}\\n2w Ee2n\\n2b\t{log}\n"
        ),
    );
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    hathi(&["export", "-o", &out, "--store", &store])
        .assert()
        .success();
    let exported = std::fs::read_to_string(&out).expect("an export");
    let row = exported.lines().nth(1).expect("a row");
    assert!(row.starts_with("7\t12\t0\tAnna\tBert\t"), "{row}");
    assert!(row.ends_with(log), "{row}");
    let bare = inside(&folder, "bare.db");
    hathi(&["import", "--no-logs", &archive, "--store", &bare])
        .assert()
        .success();
    hathi(&["export", "-o", &out, "--store", &bare])
        .assert()
        .success();
    assert!(
        std::fs::read_to_string(&out)
            .expect("an export")
            .ends_with("\tNULL\n")
    );
}

/// Every column of McKee's table 2, by his names, comes back from the store.
#[test]
fn a_row_comes_back_with_all_its_columns() {
    let folder = folder("columns");
    let (store, out) = (inside(&folder, "games.db"), inside(&folder, "out.txt"));
    // Setups come back lowest square first.
    let (high, low) = SILVER.split_at(SILVER.len() / 2);
    let silver = format!("{} {}", low.trim(), high.trim());
    let movelist = format!("1g {GOLD}\\n1s {silver}\\n2g Ee2n\\n2s ed7s\\n3g");
    let columns = [
        ("id", "7"),
        ("gplayerid", "12"),
        ("splayerid", "34"),
        ("gusername", "Anna"),
        ("susername", "bot_Bert"),
        ("gtitle", "WC"),
        ("stitle", "Cpu"),
        ("gcountry", "US"),
        ("scountry", "DE"),
        ("grating", "1812"),
        ("srating", "1911"),
        ("gtype", "h"),
        ("stype", "b"),
        ("event", "Casual game"),
        ("site", "Over the Net"),
        ("timecontrol", "2/2/100/10/8"),
        ("postal", "1"),
        ("startts", "1100000000"),
        ("endts", "1100000999"),
        ("result", "s"),
        ("termination", "t"),
        ("plycount", "2"),
        ("mode", "IGS"),
        ("rated", "1"),
        ("movelist", &movelist),
        ("events", "1 [x] g player joining\\n2 [x] game finished"),
    ];
    let line =
        |of: fn(&(&str, &str)) -> String| columns.iter().map(of).collect::<Vec<_>>().join("\t");
    let (names, values) = (line(|c| c.0.to_owned()), line(|c| c.1.to_owned()));
    let archive = file("columns.txt", format!("{names}\n{values}\n"));
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    hathi(&["export", "-o", &out, "--store", &store])
        .assert()
        .success();
    let exported = std::fs::read_to_string(&out).expect("an export");
    let mut lines = exported
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let (header, row) = (
        lines.next().expect("a header"),
        lines.next().expect("a row"),
    );
    for (name, value) in columns {
        // Archives are written with the old letters: white and black.
        let old = match name.strip_prefix('g').map(|rest| format!("w{rest}")) {
            Some(old) if header.contains(&old.as_str()) => old,
            _ => match name.strip_prefix('s').map(|rest| format!("b{rest}")) {
                Some(old) if header.contains(&old.as_str()) => old,
                _ => name.to_owned(),
            },
        };
        let place = header.iter().position(|&column| column == old);
        let found = row[place.unwrap_or_else(|| panic!("no column {old}: {header:?}"))];
        let same = |a: &str, b: &str| match name {
            "result" => a.replace('b', "s") == b,
            "movelist" => {
                a.replace("w ", "g ")
                    .replace("b ", "s ")
                    .trim_end_matches(['w', 'g'])
                    == b.trim_end_matches('g')
            }
            _ => a == b,
        };
        assert!(same(found, value), "{name}: {found}, was {value}");
    }
}
