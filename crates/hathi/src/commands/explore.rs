//! `hathi explore`: one step through the tree of everything that was played.

use std::ffi::OsString;
use std::io::{self, Write};

use hathi_store::{Kind, PositionQuestion};
use hathi_view::ExploredAnswer;
use hathi_view::numbers::counted;

use crate::Answer;
use crate::args::filter::PositionFilterArgs;
use crate::args::limit::LimitArg;
use crate::args::side::SideArg;
use crate::args::store::StoreArgs;
use crate::input;
use crate::terminal::games;
use crate::terminal::output;
use crate::terminal::played;

/// Step through everything that was played from a position
///
/// Prints how often the position was reached, in how many games, and what was played next. Beside
/// how often a turn was played stands how often the position it leads to was reached, by whatever
/// turns, and went on from there. Then the games of the strongest players (by the average of both
/// ratings) and the most recent ones. Mirror images and exchanged colours count, unless --literal
/// is given. The exit code is 1 if the position was never reached.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(value_name = "POSITION|FILE")]
    position: OsString,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE")]
    side: Option<SideArg>,

    #[command(flatten)]
    limit: LimitArg,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    filter: PositionFilterArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi explore 'g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]'
  hathi explore position.txt --humans --min-rating 1800
  hathi explore position.txt --json | jq -r '.turns[0].position_after'";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let position = input::position(&args.position, args.side.map(Into::into))?;
    let question = PositionQuestion::new(position, Kind::Full)
        .matching(args.filter.matching())
        .of_games(args.filter.filter()?)
        .limit(args.limit.of(usize::MAX));
    let mut store = args.store.open()?;
    // A damaged index is mended here; what follows reads much the same parts.
    let played = StoreArgs::ask(&mut *store, |store| store.find(&question))?;
    let explored = ExploredAnswer::new(&question, &played, &*store)?;
    output::show(args.json, &explored, |out| write(&explored, out))?;
    Ok(if explored.hits == 0 {
        Answer::No
    } else {
        Answer::Yes
    })
}

fn write(explored: &ExploredAnswer, out: &mut impl Write) -> io::Result<()> {
    if explored.hits == 0 {
        return writeln!(out, "Never reached.");
    }
    writeln!(
        out,
        "Reached {} in {}.\n",
        counted(explored.hits as usize, "time"),
        counted(explored.games as usize, "game")
    )?;
    played::table(&explored.turns).write(out)?;
    played::more_turns(out, explored.different_turns, explored.turns.len())?;
    for (title, games) in [
        ("Strong games", &explored.top_rated),
        ("Most recent games", &explored.most_recent),
    ] {
        if !games.is_empty() {
            writeln!(out, "\n{title}:")?;
            games::table(games).write(out)?;
        }
    }
    Ok(())
}
