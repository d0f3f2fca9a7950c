//! `hathi bench forced`: which forced wins and losses engines see.

use std::path::PathBuf;

use hathi_engine::EngineSpec;
use hathi_lab::bench::forced;

use crate::Answer;
use crate::terminal::output;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Count the forced wins and losses that engines see
///
/// A search that is far ahead by its evaluation may still not know that it has won, and one that
/// stands well may not know that it has lost. TABLE has positions that another program has scored;
/// those with scores near 1,000,000 are wins by force (lost if negative), a thousandth of a rabbit
/// less for each step they take. Each engine looks at every one of them, but goals in this turn, and
/// sees it if it calls the game won or lost, too. The other program found all of them, and may have
/// missed others: this tells what is missed here, not who sees more.
///
/// TABLE has tab-separated columns `side`, `board` (a8 to h1, `.` for empty) and `score` in
/// thousandths of a rabbit for the side to move, named in its first line; packed with gzip or not.
/// The result is the same on every machine but for times. After Ctrl-C stands what is known so far.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table of scored positions
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// Engines with options
    #[arg(value_name = "ENGINE", default_value = hathi_engine::EngineKind::USUAL.name())]
    engines: Vec<EngineSpec>,

    /// Positions each engine looks at for a turn
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench forced scored.tsv.gz
  hathi bench forced scored.tsv.gz hathi hathi:margins=ground:0 fairy --nodes 20000";

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let results = forced::run(&args.table, &args.engines, args.nodes, &Terminal)?;
    output::show(args.json, &results, |out| results.write(out))?;
    Ok(if results.is_complete() {
        Answer::Yes
    } else {
        Answer::Interrupted
    })
}
