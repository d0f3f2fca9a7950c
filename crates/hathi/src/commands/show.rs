//! `hathi show`: draws a position and says who can do what.

use std::ffi::OsString;
use std::io::Write;

use hathi_engine::Standing;

use crate::Answer;
use crate::args::side::SideArg;
use crate::input;
use crate::terminal::draw::{self, Charset};
use crate::terminal::output;
use crate::terminal::position::{Report, Worth};

/// Draw a position and say who can do what
///
/// Draws the board with traps and frozen pieces marked. Then, for each side as if it were its turn:
/// the pieces it has, a shortest turn to goal, the enemy pieces it can capture this turn (with the
/// trap, the number of steps and a turn that does it), its frozen pieces, how many are mobile (not
/// frozen), how many first steps it has and how many distinct positions one turn can reach. The
/// last line is the position in its short form, ready to be pasted.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(value_name = "POSITION|FILE")]
    position: OsString,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE")]
    side: Option<SideArg>,

    /// Say what the position is worth as it stands to the engines `hathi` and `fairy`, before they
    /// look ahead
    #[arg(long)]
    worth: bool,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A position file holds the short form, or a drawing; frame, rank numbers and footer may be missing:
  g
   +-----------------+
  8| r r r r r r r r |
  7| h d c e m c d h |
  6| . . x . . x . . |
  5| . . . . . . . . |
  4| . . . . . . . . |
  3| . . x . . x . . |
  2| H D C M E C D H |
  1| R R R R R R R R |
   +-----------------+
     a b c d e f g h

Examples:
  hathi show position.txt
  hathi show --side s --ascii board.txt
  hathi show --worth position.txt
  hathi show --json - < position.txt";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let position = input::position(&args.position, args.side.map(Into::into))?;
    let mut report = Report::new(&position);
    if args.worth {
        let standing = Standing::of(&position)?;
        report = report.with_worth(Worth {
            hathi: standing.network,
            fairy: standing.by_hand,
        });
    }
    if args.json {
        let mut out = output::plain();
        output::json(&mut out, &report)?;
        out.flush()?;
    } else {
        let charset = Charset::new(args.ascii);
        let mut out = output::styled();
        draw::board(&mut out, position.board(), charset)?;
        draw::legend(&mut out, charset)?;
        writeln!(out)?;
        report.write(&mut out)?;
        out.flush()?;
    }
    Ok(Answer::Yes)
}
