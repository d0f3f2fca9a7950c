//! `hathi bench review`: do the marks of a review survive a deeper look?

use std::ops::ControlFlow;
use std::path::PathBuf;

use hathi_archive::{ArchiveReader, Source};
use hathi_engine::{EngineSpec, REVIEW_NODES};
use hathi_lab::bench::review::{self, PlayedGame, Request};
use hathi_rules::Replay;

use crate::Answer;
use crate::args::engine::with_store;
use crate::args::store::StoreArgs;
use crate::input::listed::for_each;
use crate::terminal::output;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Judge turns of real games twice, and compare the marks
///
/// Turns are drawn from all games of the archives and judged as `hathi review` judges them, then
/// once more with ten times the positions. Says how many marks are the same then, and how many of
/// the turns that lost the game or a piece outright were marked. Such a turn let the opponent
/// reach goal, or lost a piece by the record without winning one back, at the cost of a rabbit or
/// more by the deeper look, in a game in which both sides had at least a chance of 5 %. Also fits
/// the curve of winning chances on the results of the games.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Archives of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Turns to look at
    #[arg(long, value_name = "N", default_value_t = 100)]
    turns: usize,

    /// Positions to look at for a turn
    #[arg(long, value_name = "N", default_value_t = REVIEW_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How many times as many for the deeper look; 1 leaves it out
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    deeper: u64,

    /// Look deeper only at turns that are marked or lost something by the record: a fifth of the
    /// time, but nobody knows then how many other turns the deeper look would mark
    #[arg(long)]
    sparing: bool,

    /// Engine and options
    #[arg(long, value_name = "NAME[:OPTIONS]", default_value = "hathi:hash=32")]
    engine: EngineSpec,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    store: StoreArgs,

    /// One line a turn, tab-separated, instead of the sums
    #[arg(long, conflicts_with = "json")]
    rows: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench review allgames2002.txt
  hathi bench review allgames2002.txt --turns 1000 --sparing
  hathi bench review archives/*.txt --turns 1000 --nodes 5000 --deeper 1   fits the curve";

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let sources: Vec<Source> = args.files.iter().map(Source::file).collect();
    let mut games = Vec::new();
    for_each(ArchiveReader::new(sources), |listed| {
        if let Ok(moves) = &listed.movelist {
            let mut replay = Replay::new(listed.rules);
            // What is legal of a broken game counts.
            let _ = replay.read(moves, listed.rules);
            games.push(PlayedGame {
                game: replay.game,
                outcome: listed.recorded,
            });
        }
        ControlFlow::Continue(())
    })?;
    let request = Request {
        engine: with_store(args.engine.clone(), &args.store)?,
        turns: args.turns,
        nodes: args.nodes,
        deeper: args.deeper,
        sparing: args.sparing,
        seed: args.seed,
    };
    let results = review::run(&games, &request, &Terminal)?;
    if args.rows {
        let mut out = output::styled();
        results.write_rows(&mut out)?;
        results.write(&mut anstream::stderr().lock())?;
    } else {
        output::show(args.json, &results, |out| results.write(out))?;
    }
    Ok(if stop::asked() {
        Answer::Interrupted
    } else {
        Answer::Yes
    })
}
