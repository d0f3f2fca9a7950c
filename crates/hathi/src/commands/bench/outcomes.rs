//! `hathi bench outcomes`: how well scores predict who wins.

use std::path::PathBuf;

use hathi_engine::EngineSpec;
use hathi_lab::bench::outcomes::{self, Request};

use crate::Answer;
use crate::terminal::output;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Compare how well scores predict who wins
///
/// A search is good if its scores tell who will win. TABLE has positions of games with the score
/// that another program gave them and the result of the game. Each engine looks at them, too. For
/// the table's own scores and for each engine's, a logistic curve is fitted that makes a score a
/// chance to win; its one number is the hundredths of a rabbit that make the odds e times as good.
/// What counts is the log loss: the mean of the negative natural logarithm of the chance that was
/// given to what happened. Smaller is better, and who knows nothing has 0.6931. It is told for the
/// positions that nobody calls decided, the same for all, with the difference to the table and its
/// error (95 %), for which whole games are drawn anew.
///
/// The second table counts the positions that are called won and lost, how many of these calls the
/// games agree with, and which of them are the table's, too. A player may fail to win a won game: not
/// every call that the game does not agree with is wrong. Positions with a goal in this turn are
/// left out: everybody sees it.
///
/// TABLE has tab-separated columns named in its first line: `side`, `board` (a8 to h1, `.` for
/// empty), `score` in thousandths of a rabbit for the side to move (near 1,000,000 for a win by
/// force, negative if lost), `won` (1 if the side to move won the game, 0 if not) and, if it has
/// them, numbers of games as `game`; without, 64 lines at a time count as a game. Packed with gzip or
/// not. The result is the same on every machine but for times. After Ctrl-C stands what is known so
/// far.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table of scored positions with results
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// Engines with options; they must be ones that search
    #[arg(value_name = "ENGINE", default_value = hathi_engine::EngineKind::USUAL.name())]
    engines: Vec<EngineSpec>,

    /// Positions each engine looks at for a turn
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    nodes: u64,

    /// Look at one position in K only, evenly spread over the table
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench outcomes scored.tsv.gz
  hathi bench outcomes scored.tsv.gz hathi fairy --every 8
  hathi bench outcomes scored.tsv.gz hathi hathi:network=new.hnn --nodes 10000 --json";

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let request = Request {
        table: &args.table,
        engines: &args.engines,
        nodes: args.nodes,
        every: args.every as usize,
    };
    let results = outcomes::run(&request, &Terminal)?;
    output::show(args.json, &results, |out| results.write(out))?;
    Ok(if results.is_complete() {
        Answer::Yes
    } else {
        Answer::Interrupted
    })
}
