//! `hathi turns`: counts or lists what one turn can reach.

use std::ffi::OsString;
use std::io::Write;

use hathi_rules::{Position, TurnGenerator};
use serde::Serialize;

use crate::Answer;
use crate::args::side::SideArg;
use crate::input::position_table;
use crate::input::{self, Source};
use crate::terminal::output;

/// Count or list the positions one turn can reach
///
/// Different sequences of steps that lead to the same position count once; each position is listed
/// with one shortest sequence. A turn that changes nothing is illegal and not counted. Repetition
/// is not considered, since a position does not know its history.
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

    /// Print the number of positions (this is the default)
    #[arg(long, conflicts_with = "list")]
    count: bool,

    /// Print every turn: the steps, a tab, the position it leads to
    #[arg(long, conflicts_with = "positions")]
    list: bool,

    /// Count for every row of a table (`-` for standard input)
    ///
    /// The table is tab separated, with a header. The columns `side` (g or s) and `position`
    /// (`[64 characters]`) are found by name. Every row is printed as it is, with a column `turns`
    /// appended.
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
  hathi turns position.txt
  hathi turns --list position.txt | head
  hathi turns --list --json position.txt
  hathi turns --count --positions positions.tsv > counted.tsv";

#[derive(Serialize)]
struct Counted {
    position: String,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<Vec<Listed>>,
}

#[derive(Serialize)]
struct Listed {
    turn: String,
    position: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut generator = TurnGenerator::new();
    let mut out = output::plain();
    if let Some(file) = &args.positions {
        let count = |position: &Position| vec![generator.count(position).into()];
        position_table::annotate(Source::new(file), args.json, &["turns"], &mut out, count)?;
    } else if let Some(position) = &args.position {
        let position = input::position(position, args.side.map(Into::into))?;
        print(args, &position, &mut generator, &mut out)?;
    }
    out.flush()?;
    Ok(Answer::Yes)
}

fn print(
    args: &Args,
    position: &Position,
    generator: &mut TurnGenerator,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let reached = generator.generate(position);
    let count = reached.len();
    if args.json {
        let turns = args.list.then(|| {
            reached
                .map(|reached| Listed {
                    turn: reached.turn().to_string(),
                    position: reached.position().to_string(),
                })
                .collect()
        });
        return output::json(
            out,
            &Counted {
                position: position.to_string(),
                count,
                turns,
            },
        );
    }
    if args.list {
        for reached in reached {
            writeln!(out, "{}\t{}", reached.turn(), reached.position())?;
        }
        return Ok(());
    }
    writeln!(out, "{count}")
}
