//! `hathi paper carlini`: "Arimaa: from rules to bitboard analysis" (Carlini, 2008),
//! done again.

use std::path::PathBuf;

use hathi_lab::carlini;

use super::{Ending, finish};
use crate::Answer;
use crate::args::store::StoreArgs;
use crate::input::drawn_games;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Repeat what Carlini, 2008, says about bitboards: functions, drawings, turns possible, bytes, speed
///
/// "Arimaa: from rules to bitboard analysis" writes the rules of steps as operations on sets of squares.
/// His functions are run by the letter beside the rules, on positions of games; his drawings stand beside
/// what the rules say, with his slips; the turns possible by move of a game beside his claims; the bytes
/// of a board; and bitboards and a plain mailbox do the same work in one run.
///
/// The games come from the archives given, else from the store if --store (or HATHI_STORE) names one, else from
/// the samples that come with Hathi; the report says which.
///
/// The folder gets report.html, report.md with its drawings, summary.json and turns.jsonl, a line a game.
/// Interrupt it whenever you like: the same command goes on where it stopped.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::doc_markdown)] // help is read as it is
pub(crate) struct Args {
    /// Archives to take games from: files or folders
    #[arg(value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,

    /// Games whose possible turns are counted, drawn by chance from all
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,

    /// Positions of these games on which functions are compared and steps are counted
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    positions: u64,

    /// Times that the speed is measured
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rounds: u64,

    /// Keep everything in this folder, and go on there after an interruption
    #[arg(long, value_name = "DIR", default_value = "paper-carlini")]
    out: PathBuf,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi paper carlini                           with the sample games, in a minute
  hathi paper carlini allgames2014.zip --games 1000
  hathi paper carlini --store hathi.db --json | jq '.branching | {mean, error, most}'";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let wanted = args.games as usize;
    let games = if !args.archives.is_empty() {
        drawn_games::of_archives(&args.archives, wanted)?
    } else if args.store.is_given() {
        let store = args.store.open_games()?;
        drawn_games::of_store(&*store, &args.store.place()?, wanted)?
    } else {
        drawn_games::of_samples(wanted)?
    };
    let request = carlini::Request {
        positions: args.positions as usize,
        rounds: args.rounds as usize,
        out: args.out.clone(),
    };
    stop::listen();
    let summary = carlini::run(&request, &games, &Terminal)?;
    let ending = Ending::of(summary.is_complete());
    finish(args.json, &summary, &args.out, ending, |out| {
        summary.write(out)
    })
}
