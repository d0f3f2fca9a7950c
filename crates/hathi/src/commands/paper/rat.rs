//! `hathi paper rat`: "Plans, Patterns and Move Categories Guiding a Highly
//! Selective Search" (Trippen, 2009), done again.

use std::path::PathBuf;

use hathi_lab::rat;

use super::{Ending, finish};
use crate::Answer;
use crate::failure::BadInput;
use crate::input::corpus;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Repeat what Trippen, 2009, says about the bot Rat: plans, patterns, move categories
///
/// How many candidates a position has, and how long a turn takes; how many turns are possible by move
/// of a game (figure 1 (a)); games against opponents that look one turn and two turns ahead; games from
/// positions with a horse held hostage, with and without the strategy of flash-kidnapping; the readings
/// that the paper leaves open; and random playouts with an elephant or a rabbit missing, its argument
/// against UCT.
///
/// The folder gets report.html, report.md with its drawings, summary.json and the games. Opponents look
/// a fixed number of steps ahead: games are the same on every machine. Interrupt it whenever you like:
/// the same command goes on where it stopped, and more games can be asked for later.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Games of each match; an even number, as colours change
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,

    /// Games of each match against somebody who looks two turns ahead; an even number
    #[arg(long, value_name = "N", default_value_t = 40)]
    games_2: u64,

    /// Positions with a hostage; two games from each
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    hostages: u64,

    /// Middle-game positions in which candidates are counted
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,

    /// Games whose possible turns are counted
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    counted: u64,

    /// Random playouts of each kind; an even number
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    playouts: u64,

    /// A folder with allgames*.txt and turn-counts.tsv to take positions from; else games made on the
    /// fly
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    /// Keep everything in this folder, and go on there after an interruption
    #[arg(long, value_name = "DIR", default_value = "paper-rat")]
    out: PathBuf,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi paper rat --games 10 --games-2 2 --hostages 5    a first look, in minutes
  hathi paper rat --data archives --concurrency 2";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    for (option, number) in [
        ("--games", args.games),
        ("--games-2", args.games_2),
        ("--playouts", args.playouts),
    ] {
        if !number.is_multiple_of(2) {
            return Err(BadInput::error(format!(
                "{option} {number}: give an even number, as colours change"
            )));
        }
    }
    let corpus = corpus::of(args.data.as_deref(), |_| {})?;
    let request = rat::Request {
        games: args.games,
        games_two_turns: args.games_2,
        hostages: args.hostages as usize,
        positions: args.positions as usize,
        counted: args.counted as usize,
        playouts: args.playouts,
        seed: args.seed,
        concurrency: args.concurrency,
        out: args.out.clone(),
    };
    stop::listen();
    let summary = rat::run(&request, &corpus, &Terminal)?;
    let ending = Ending::of(summary.is_complete());
    finish(args.json, &summary, &args.out, ending, |out| {
        summary.write(out)
    })
}
