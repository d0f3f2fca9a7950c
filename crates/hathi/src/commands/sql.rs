//! `hathi sql`: a question to the store in SQL.

use std::io::{Read, Write};

use anyhow::Context;
use hathi_store::sql::SqlValue;
use hathi_store::{SqlAnswer, StoreError};
use serde_json::{Map, Value};

use crate::Answer;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::terminal::output;

/// Ask the store a question in SQL
///
/// For what no other command answers. The tables are those of the store, which is read and never
/// changed: `games`, `players`, `events`, `puzzles` and so on; on a PostgreSQL server also `positions`.
///
/// `moves` is the table of McKee's thesis of 2014, a view with a row for each move of each game: `id`
/// (the row of the game and five digits for the move, so that a span of games is a span of numbers),
/// `game_id`, `turn` (1 for the setups), `side` (g or s), `brating` and `wrating` (Silver's and Gold's,
/// 0 if unknown), `winner`, `boardstatus` (the board before the move: 64 characters, a8 to h8, a7 to h7,
/// ... h1, `-` for an empty square), `next_move`, `maxturns`, and `source`. It is made from the games
/// while it is read, so a question to it looks at all of them: some ten microseconds a move.
///
/// His questions can be asked as he printed them: IF, REGEXP and BINARY are understood, and LIKE tells
/// capitals from small letters.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The question; `-` reads it from standard input
    question: String,

    /// Print N rows at most; 0 for all
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,

    /// Print JSON: a list of rows
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi sql \"SELECT source, count(*) FROM games GROUP BY source\"
  hathi sql \"SELECT COUNT(*) AS number_repeats, next_move FROM moves
    WHERE turn=1 AND (side='w' OR side='g') GROUP BY next_move\"
  hathi sql --limit 3 \"SELECT IF(side=winner,1,0) AS iswinner,
    IF(side='w' OR side='g', wrating, brating) AS rating, next_move FROM moves
    WHERE BINARY boardstatus='rrrrrrrrhdcemcdh--------------------------------HDCMECDHRRRRRRRR'
    AND (side='g' OR side='w')
    ORDER BY iswinner DESC, rating DESC, (maxturns-turn) ASC\"

The same view is there for other programs: sqlite3 hathi.db, psql, and whatever reads such databases.";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut question = args.question.clone();
    if question == "-" {
        question.clear();
        std::io::stdin()
            .read_to_string(&mut question)
            .context("cannot read the question")?;
    }
    let limit = if args.limit == 0 {
        usize::MAX
    } else {
        args.limit
    };
    let answer = match args.store.existing_place()?.ask_sql(&question, limit) {
        Ok(answer) => answer,
        Err(error @ StoreError::Sql(_)) => return Err(BadInput::error(error.to_string())),
        Err(error) => return Err(crate::args::store::explain(error)),
    };
    output::show(args.json, &rows(&answer), |out| write(out, &answer))?;
    if answer.more {
        output::note(&format!("there are more rows than {limit}; see --limit"));
    }
    Ok(if answer.rows.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// A line a row, columns between tabs, their names first.
fn write(out: &mut impl Write, answer: &SqlAnswer) -> std::io::Result<()> {
    writeln!(out, "{}", answer.columns.join("\t"))?;
    for row in &answer.rows {
        let values: Vec<String> = row.iter().map(on_one_line).collect();
        writeln!(out, "{}", values.join("\t"))?;
    }
    Ok(())
}

/// Tabs and ends of lines are the table's.
fn on_one_line(value: &SqlValue) -> String {
    output::printable(&value.to_string().replace('\n', "\\n")).into_owned()
}

fn rows(answer: &SqlAnswer) -> Value {
    let row = |values: &Vec<SqlValue>| {
        let named = answer
            .columns
            .iter()
            .cloned()
            .zip(values.iter().map(as_json));
        Value::Object(named.collect::<Map<_, _>>())
    };
    Value::Array(answer.rows.iter().map(row).collect())
}

fn as_json(value: &SqlValue) -> Value {
    match value {
        SqlValue::Null => Value::Null,
        SqlValue::Integer(number) => (*number).into(),
        SqlValue::Real(number) => (*number).into(),
        SqlValue::Text(text) => text.clone().into(),
        bytes @ SqlValue::Bytes(_) => bytes.to_string().into(),
    }
}
