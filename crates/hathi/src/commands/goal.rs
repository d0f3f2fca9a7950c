//! `hathi goal`: can the side to move reach goal this turn?

use std::ffi::OsString;
use std::io::Write;

use hathi_rules::Position;
use serde::Serialize;
use serde_json::Value;

use crate::Answer;
use crate::args::side::SideArg;
use crate::input::position_table;
use crate::input::{self, Source};
use crate::terminal::output;
use crate::terminal::position::{outcome_of, outcome_text};

/// Find a shortest turn that reaches goal
///
/// Prints a turn with the fewest steps that ends with a rabbit of the side to move on its goal
/// rank, and ends with exit code 0. If there is none, says so and ends with exit code 1.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(
        value_name = "POSITION|FILE",
        required_unless_present = "positions",
        conflicts_with = "positions"
    )]
    position: Option<OsString>,

    /// Answer for every row of a table (`-` for standard input)
    ///
    /// The table is tab separated, with a header. The columns `side` (g or s) and `position`
    /// (`[64 characters]`) are found by name. Every row is printed as it is, with two columns
    /// appended: `can_goal` (0 or 1) and `turn` (a shortest winning turn, or empty). The exit code
    /// is 0 whatever the answers are.
    #[arg(long, value_name = "FILE")]
    positions: Option<OsString>,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE", conflicts_with = "positions")]
    side: Option<SideArg>,

    /// Print JSON; with --positions, one object a line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi goal position.txt
  hathi goal --side s board.txt && echo 'Silver wins'
  hathi goal --positions positions.tsv > answered.tsv";

#[derive(Serialize)]
struct Found {
    position: String,
    can_goal: bool,
    steps: Option<usize>,
    turn: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut out = output::plain();
    if let Some(file) = &args.positions {
        let columns = ["can_goal", "turn"];
        position_table::annotate(
            Source::new(file),
            args.json,
            &columns,
            &mut out,
            |position| {
                let turn = position.can_goal();
                let text = turn.map_or(Value::Null, |turn| turn.to_string().into());
                vec![turn.is_some().into(), text]
            },
        )?;
        return Ok(Answer::Yes);
    }
    let Some(position) = &args.position else {
        return Ok(Answer::No); // clap asks for one of the two
    };
    let position = input::position(position, args.side.map(Into::into))?;
    let answer = print(&position, args.json, &mut out)?;
    out.flush()?;
    Ok(answer)
}

fn print(position: &Position, as_json: bool, out: &mut impl Write) -> std::io::Result<Answer> {
    if let Some(outcome) = outcome_of(position) {
        output::note(&format!("the game is over here: {}", outcome_text(outcome)));
    }
    let turn = position.can_goal();
    if as_json {
        let found = Found {
            position: position.to_string(),
            can_goal: turn.is_some(),
            steps: turn.map(|turn| turn.len()),
            turn: turn.map(|turn| turn.to_string()),
        };
        output::json(out, &found)?;
    } else if let Some(turn) = turn {
        writeln!(out, "{turn}")?;
    } else {
        let side = position.side_to_move().name();
        writeln!(out, "{side} cannot reach goal this turn.")?;
    }
    Ok(if turn.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}
