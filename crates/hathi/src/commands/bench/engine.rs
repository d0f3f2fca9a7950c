//! `hathi bench engine`: how fast and how deep an engine searches.

use std::path::PathBuf;
use std::time::Duration;

use hathi_engine::EngineSpec;
use hathi_lab::bench::engine;

use crate::Answer;
use crate::args::engine::{seconds, with_store};
use crate::args::store::StoreArgs;
use crate::input::corpus;
use crate::terminal::output;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Measure an engine: positions a second, depth in a second, a fixed count, the cost of a leaf
///
/// Two rounds over the start and 20 middle-game positions. First to a fixed depth: the number of
/// positions looked at is the same on every machine and changes only when the search or its
/// evaluation does. Then for a fixed time: how deep it gets, in steps.
///
/// Last, what a leaf costs, for engines with an evaluation: the time of one static evaluation, called
/// as the search calls it, board after board along random lines from the same positions, always the
/// same lines. The best of several rounds counts, so that other programs disturb it little.
///
/// With --data the positions are those of real games in a directory that holds `turn-counts.tsv`
/// and archives `allgames*.txt`. Without, games are made on the fly, always the same ones.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Engine and options, as in `fairy:hash=128`
    #[arg(long, value_name = "NAME[:OPTIONS]", default_value = hathi_engine::EngineKind::USUAL.name())]
    engine: EngineSpec,

    /// Depth of the first round, in steps; 0 leaves it out
    #[arg(long, value_name = "STEPS", default_value_t = 6)]
    depth: u32,

    /// Seconds for each position of the second round
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time: Duration,

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
  hathi bench engine
  hathi bench engine --engine fallback --depth 8 --time 0.1
  hathi bench engine --data archives --json";

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let corpus = corpus::of(args.data.as_deref(), |_| {})?;
    let spec = with_store(args.engine.clone(), &args.store)?;
    let Some(results) = engine::run(corpus, &spec, args.depth, args.time, &Terminal)? else {
        return Ok(Answer::Interrupted);
    };
    output::show(args.json, &results, |out| results.write(out))?;
    Ok(Answer::Yes)
}
