//! `hathi bench choices`: how good the turns are that engines choose.

use std::path::PathBuf;
use std::time::Duration;

use hathi_engine::{EngineSpec, Limits};
use hathi_lab::bench::choices::{self, Request};

use crate::Answer;
use crate::args::engine::{seconds, store_name};
use crate::args::store::StoreArgs;
use crate::input::corpus;
use crate::terminal::output;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Compare the turns that engines choose, without playing games
///
/// Every engine chooses a turn in the same positions, one drawn from each game. A judge, which looks
/// at more positions than they do, values the board after each turn, as a chance to win. What counts
/// is the difference to the first engine, position by position: it tells engines apart with far less
/// work than games do, as far as the judge can be trusted. Use it to choose between settings, and
/// `hathi arena` to make sure.
///
/// With --data the games are those of a directory that holds `turn-counts.tsv` and archives
/// `allgames*.txt`. Without, games are made on the fly, always the same ones. With --nodes the
/// result is the same on every machine. After Ctrl-C stands what is known so far.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Engines with options, as in `fairy:ordering=none`; the others are compared with the first
    #[arg(value_name = "ENGINE", required = true, num_args = 1..)]
    engines: Vec<EngineSpec>,

    /// Positions to look at
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Positions each engine looks at for a turn
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    nodes: u64,

    /// Seconds for a turn, instead of --nodes
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "nodes")]
    time: Option<Duration>,

    /// Who values the turns; it must be one that searches
    #[arg(long, value_name = "ENGINE", default_value = hathi_engine::EngineKind::USUAL.name())]
    judge: EngineSpec,

    /// Positions the judge looks at after each turn
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    judge_nodes: u64,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// A directory with turn-counts.tsv and allgames*.txt
    #[arg(long, value_name = "DIR", env = "HATHI_DATA")]
    data: Option<PathBuf>,

    #[command(flatten)]
    store: StoreArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench choices fairy fairy:ordering=none
  hathi bench choices tweaked:phase=smooth tweaked:phase=gt fairy --positions 500 --data archives
  hathi bench choices fairy rat mimic --time 0.1 --json";

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let corpus = corpus::of(args.data.as_deref(), |_| {})?;
    let request = Request {
        engines: args.engines.clone(),
        positions: args.positions as usize,
        limits: match args.time {
            Some(time) => Limits::time(time),
            None => Limits::nodes(args.nodes),
        },
        judge: args.judge.clone(),
        judge_nodes: args.judge_nodes,
        seed: args.seed,
        store: store_name(&args.store)?,
    };
    let results = choices::run(corpus, &request, &Terminal)?;
    output::show(args.json, &results, |out| results.write(out))?;
    Ok(if results.is_complete() {
        Answer::Yes
    } else {
        Answer::Interrupted
    })
}
