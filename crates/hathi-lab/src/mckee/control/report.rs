//! The report on his database as a control.

// Counts and factors, never negative.
#![allow(clippy::cast_sign_loss)]

use hathi_view::numbers::{bytes_text, counted, grouped, time_text};

use super::super::waited;
use super::{ControlQuestion, ControlSummary};
use crate::document::{Document, Table};

const NOTHING: &str = "–";

pub(super) fn document(summary: &ControlSummary) -> Document {
    let mut document = Document::new("McKee 2014: his database beside ours");
    document.text(format!(
        "McKee waited between one and twenty seconds for an answer, on a machine and with a database of 2014 \
         (MySQL 5.5.31, Intel i5 760, 6 GB, two hard disks). How much of that was his design, how much his \
         machine? Here his table (table 3 of the thesis), his index (table 4) and his questions as he printed \
         them are on this machine, filled with the same games as the store: {} with {}, {} rows. Both are \
         asked one after the other, about the same positions, and the answers are compared: as many rows as \
         we have hits, and a first row as good as ours. Medians; files in the cache of the system; \
         by the time of the processor, so that others on the machine do not matter, but by the clock where a \
         server does the work.",
        counted(summary.store_games as usize, "game"),
        counted(summary.store_positions as usize, "position"),
        grouped(summary.rows as usize),
    ));
    if !summary.complete {
        document.text("This was interrupted: the figures below are those so far.");
    }
    document.table(databases(summary));
    document.table(times(summary));
    document.text(
        "Machine and program: his time a row over that of the first database here, where every row is \
         compared. Design: the time of the \
         first database here over that of Hathi's best hit, both with the same rows. His questions bring \
         every row, sorted, and his bot takes the first that can be played; Hathi's best hit is that one, \
         and \"all hits\" is everything that was played, added up turn by turn; the best hit is asked first, and pays for bringing its part of the index \
         into memory and checking it. His index serves whole boards \
         only; half boards and areas compare every row, in his database then and here. Regular expressions of \
         SQLite are those that Hathi brings along.",
    );
    document
}

fn databases(summary: &ControlSummary) -> Table {
    let mut table = Table::new(
        "His database",
        &["kept by", "rows", "filled in", "index in", "size"],
        1,
    );
    table.row([
        "McKee 2014: MySQL 5.5.31".to_owned(),
        grouped(waited::POSITIONS[7] as usize),
        "86 h 3 min".to_owned(),
        NOTHING.to_owned(),
        NOTHING.to_owned(),
    ]);
    for database in &summary.databases {
        table.row([
            database.name.clone(),
            grouped(summary.rows as usize),
            time_text(database.load_seconds),
            time_text(database.index_seconds),
            database.bytes.map_or(NOTHING.to_owned(), bytes_text),
        ]);
    }
    table
}

fn times(summary: &ControlSummary) -> Table {
    let mut headings = vec![
        "question".to_owned(),
        "rows of an answer".to_owned(),
        format!(
            "McKee 2014, {} rows",
            grouped(waited::POSITIONS[7] as usize)
        ),
    ];
    for database in &summary.databases {
        headings.push(format!("his database, {}", database.name));
    }
    headings.extend(
        [
            "Hathi, best hit",
            "Hathi, all hits",
            "machine and program",
            "design",
            "same answers",
        ]
        .map(str::to_owned),
    );
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new("Time of a question, median", &headings, 1);
    for question in &summary.questions {
        let mut cells = vec![
            question.name.to_owned(),
            grouped(question.rows as usize),
            question
                .his_seconds
                .map_or("under 1 s".to_owned(), time_text),
        ];
        cells.extend(question.sql_seconds.iter().copied().map(time_text));
        let [machine, design] = factors(summary, question);
        cells.extend([
            time_text(question.best_seconds),
            time_text(question.all_seconds),
            machine.map_or(NOTHING.to_owned(), times_text),
            design.map_or(NOTHING.to_owned(), times_text),
            same(question, summary.databases.len()),
        ]);
        table.row(cells);
    }
    table
}

fn same(question: &ControlQuestion, databases: usize) -> String {
    let asked = question.asked * databases;
    format!("{} of {asked}", asked - question.different.min(asked))
}

/// How many times quicker a row is here than it was for him, and how many times
/// quicker Hathi is than his database here.
fn factors(summary: &ControlSummary, question: &ControlQuestion) -> [Option<f64>; 2] {
    let Some(&sql) = question.sql_seconds.first().filter(|&&sql| sql > 0.0) else {
        return [None, None];
    };
    let his_rows = waited::POSITIONS[7] as f64;
    let his = question.his_seconds.filter(|_| question.scan);
    let machine = his.map(|his| (his / his_rows) / (sql / summary.rows.max(1) as f64));
    let design = (question.best_seconds > 0.0).then(|| sql / question.best_seconds);
    [machine, design]
}

/// With two digits that mean something.
fn times_text(factor: f64) -> String {
    match factor {
        factor if factor >= 100.0 => format!("{} ×", grouped(factor.round() as usize)),
        factor if factor >= 10.0 => format!("{factor:.0} ×"),
        factor => format!("{factor:.1} ×"),
    }
}
