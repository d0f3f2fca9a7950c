//! `hathi paper choksi`: "Leveraging Game Phase in Arimaa" (Choksi,
//! Ebrahim-Zadeh, Mohan, 2013), done again.

use std::path::PathBuf;

use hathi_lab::choksi::{ordering, table1};

use super::{Ending, RESUMABLE, finish};
use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Repeat the experiments of Choksi, Ebrahim-Zadeh and Mohan, 2013: game phase
///
/// "Leveraging Game Phase in Arimaa" gives an engine's evaluation a notion of opening, middle and end
/// game. Table 1 of the paper plays the engine with it ("Tweaked Fairy") against the one without, one
/// and two turns ahead, with (GT) and without (NGT) goal threats among the signs of the end game. This
/// command plays the same matches with `tweaked` and `fairy`, and a match of the smooth version that
/// the authors only propose, and writes their figures and ours side by side. All of it is played twice: with
/// our search, and with a plain one that is as blind for goals as the paper's bot; and one turn ahead once more
/// with a search that lacks only one of the parts that a plain one lacks.
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

    /// Games of each match one turn ahead; an even number, as colours change
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games_1: u64,

    /// Games of each match two turns ahead; an even number
    #[arg(long, value_name = "N", default_value_t = 300)]
    games_2: u64,

    /// Games of each match one turn ahead with a plain search, as the paper's bot had; an even number
    #[arg(long, value_name = "N", default_value_t = 1000)]
    plain_games_1: u64,

    /// Games of each match two turns ahead with a plain search, which takes long; an even number
    #[arg(long, value_name = "N", default_value_t = 40)]
    plain_games_2: u64,

    /// Games of each match one turn ahead in which the search lacks one of its parts, to tell which of them
    /// makes the difference between ours and a plain one; an even number
    #[arg(long, value_name = "N", default_value_t = 300)]
    part_games: u64,

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

    // Last, as its heading would be that of all options after it.
    #[command(flatten)]
    ordering: OrderingArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi paper choksi --games-1 40 --games-2 10 --plain-games-1 40 --plain-games-2 0 --part-games 0   a first look
  hathi paper choksi --table 1 --concurrency 2              the whole table, in hours
  hathi paper choksi --ordering allgames20*.txt --also allgames-sharp.txt
  hathi paper choksi --table 1 --json | jq '.matches[] | {version, plies, rate}'";

/// What is learned from what.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Move ordering (section 5)")]
struct OrderingArgs {
    /// Rank turns instead of playing matches: train on these archives and test on them, by game
    #[arg(long, value_name = "ARCHIVE", num_args = 1..)]
    ordering: Vec<PathBuf>,

    /// Only games with both players rated N or more
    #[arg(long, value_name = "N", default_value_t = 2100)]
    min_rating: i32,

    /// More games to train on, of any rating; never tested on. Games that are tested are left out, so the
    /// same archives may be named for the rest of their games
    #[arg(long, value_name = "ARCHIVE", num_args = 1..)]
    also: Vec<PathBuf>,

    /// Parts of the games, each tested once by models of the others
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=50))]
    folds: u8,

    /// Trials of each point of the learning curves
    #[arg(long, value_name = "N", default_value_t = 4)]
    trials: u32,

    /// Test on every Nth turn only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    // Table 1 is the only one so far; others are refused by the arguments.
    let _ = args.table;
    if args.ordering.ordering.is_empty() {
        play_table_1(args)
    } else {
        rank_turns(args)
    }
}

fn play_table_1(args: &Args) -> anyhow::Result<Answer> {
    for (option, games) in [
        ("--games-1", args.games_1),
        ("--games-2", args.games_2),
        ("--plain-games-1", args.plain_games_1),
        ("--plain-games-2", args.plain_games_2),
        ("--part-games", args.part_games),
    ] {
        if !games.is_multiple_of(2) {
            return Err(BadInput::error(format!(
                "{option} {games}: give an even number, as colours change"
            )));
        }
    }
    let request = table1::Request {
        games: [args.games_1, args.games_2],
        plain_games: [args.plain_games_1, args.plain_games_2],
        part_games: args.part_games,
        seed: args.seed,
        concurrency: args.concurrency,
        out: args.out.clone(),
    };
    stop::listen();
    let summary = table1::run(&request, &Terminal)?;
    let ending = Ending::of(summary.is_complete());
    finish(args.json, &summary, &args.out, ending, |out| {
        summary.write(out)
    })
}

fn rank_turns(args: &Args) -> anyhow::Result<Answer> {
    let OrderingArgs {
        ordering,
        min_rating,
        also,
        folds,
        trials,
        every,
    } = &args.ordering;
    let request = ordering::Request {
        tested: ordering.clone(),
        min_rating: *min_rating,
        also: also.clone(),
        folds: *folds,
        trials: *trials,
        every: *every,
        seed: args.seed,
        concurrency: args.concurrency,
        out: args.out.join("ordering"),
    };
    stop::listen();
    let Some(results) = ordering::run(&request, &Terminal)? else {
        output::note(RESUMABLE);
        return Ok(Answer::Interrupted);
    };
    finish(args.json, &results, &request.out, Ending::Complete, |out| {
        results.write(out)
    })
}
