//! `hathi paper choksi`: "Leveraging Game Phase in Arimaa" (Choksi,
//! Ebrahim-Zadeh, Mohan, 2013), done again.

mod ordering;
mod table1;

use std::path::PathBuf;

use crate::Answer;

/// Repeat the experiments of Choksi, Ebrahim-Zadeh and Mohan, 2013: game phase
///
/// "Leveraging Game Phase in Arimaa" gives an engine's evaluation a notion of opening, middle and end
/// game. Table 1 of the paper plays the engine with it ("Tweaked Fairy") against the one without, one
/// and two turns ahead, with (GT) and without (NGT) goal threats among the signs of the end game. This
/// command plays the same matches with `tweaked` and `fairy`, and a match of the smooth version that
/// the authors only propose, and writes their figures and ours side by side.
///
/// With --ordering it does section 5 instead: Naive Bayes with and without phases, and better models,
/// rank the turns of strong players; cross-validation by game, learning curves, ranks by move number,
/// and what each group of features is worth. That report goes to the folder `ordering`.
///
/// The folder gets report.html, report.md with its drawings, summary.json and the games. Depth is
/// fixed and so are setups and seed: the games are the same on every machine. Interrupt it whenever
/// you like: the same command goes on where it stopped, and more games can be asked for later.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which table of the paper
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=1))]
    table: u8,

    #[command(flatten)]
    ordering: ordering::OrderingArgs,

    /// Games of each match one turn ahead; an even number, as colours change
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games_1: u64,

    /// Games of each match two turns ahead; an even number
    #[arg(long, value_name = "N", default_value_t = 300)]
    games_2: u64,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Games, or models, at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    /// Keep everything in this folder, and go on there after an interruption
    #[arg(long, value_name = "DIR", default_value = "paper-choksi")]
    out: PathBuf,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi paper choksi --table 1 --games-1 40 --games-2 10    a first look, in minutes
  hathi paper choksi --table 1 --concurrency 2              the whole table, in hours
  hathi paper choksi --ordering allgames20*.txt --also allgames-sharp.txt
  hathi paper choksi --table 1 --json | jq '.matches[] | {version, plies, rate}'";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    if args.ordering.asked() {
        return ordering::run(args);
    }
    // The only one so far; others are refused by the arguments.
    let _ = args.table;
    table1::run(args)
}
