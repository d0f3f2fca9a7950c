//! A small archive of our own, and a store made from it.

use std::path::PathBuf;

use serde_json::Value;
use snapbox::cmd::OutputAssert;

use crate::common::{folder, hathi, inside, json, stdout};

pub(crate) const HEADER: &str = "id\twusername\tbusername\twrating\tbrating\twtype\tbtype\tevent\ttimecontrol\t\
    startts\tresult\ttermination\trated\tmovelist";

pub(crate) const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";

pub(crate) const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

/// The same start four times (START), once in a mirror, and a game without
/// setups. Games 1 and 3 begin with the same turn in another order, game 5
/// breaks a rule.
pub(crate) fn archive() -> String {
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

pub(crate) fn row(id: u32, players: &str, date: &str, end: &str, moves: &str) -> String {
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
pub(crate) struct Fixture {
    pub(crate) folder: PathBuf,
    pub(crate) store: String,
    pub(crate) archive: String,
}

pub(crate) fn fixture(name: &str) -> Fixture {
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
    pub(crate) fn args<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        [args, &["--store", &self.store]].concat()
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        json(&self.args(&[args, &["--json"]].concat()))
    }

    pub(crate) fn stdout(&self, args: &[&str]) -> String {
        stdout(&self.args(args))
    }

    pub(crate) fn assert(&self, args: &[&str]) -> OutputAssert {
        hathi(&self.args(args)).assert()
    }

    pub(crate) fn inside(&self, name: &str) -> String {
        inside(&self.folder, name)
    }
}
