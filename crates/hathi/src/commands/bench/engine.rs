//! `hathi bench engine`: how fast and how deep an engine searches.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use hathi_engine::{EngineSpec, Limits};
use hathi_rules::{Game, Position, RuleSet};
use serde::Serialize;

use super::corpus::{About, Corpus};
use crate::Answer;
use crate::engine_args;
use crate::output::{self, grouped};
use crate::stop;
use crate::store_args::StoreArgs;

/// Measure an engine: positions a second, depth in a second, a fixed count
///
/// Two rounds over the start and 20 middle-game positions. First to a fixed depth: the number of
/// positions looked at is the same on every machine and changes only when the search or its
/// evaluation does. Then for a fixed time: how deep it gets, in steps.
///
/// With --data the positions are those of real games in a directory that holds `turn-counts.tsv`
/// and archives `allgames*.txt`. Without, games are made on the fly, always the same ones.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Engine and options, as in `fairy:hash=128`
    #[arg(long, value_name = "NAME[:OPTIONS]", default_value = "fairy")]
    engine: EngineSpec,

    /// Depth of the first round, in steps; 0 leaves it out
    #[arg(long, value_name = "STEPS", default_value_t = 6)]
    depth: u32,

    /// Seconds for each position of the second round
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = engine_args::seconds)]
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

/// Middle-game positions looked at.
const MIDDLE: usize = 20;

#[derive(Serialize)]
struct Results {
    engine: String,
    corpus: About,
    /// All positions, to the fixed depth.
    fixed: Option<Fixed>,
    timed: Timed,
}

#[derive(Serialize)]
struct Fixed {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

#[derive(Serialize)]
struct Timed {
    seconds: f64,
    start_depth: u32,
    middle_depth_median: u32,
    middle_depth_least: u32,
    middle_depth_most: u32,
    nodes_per_second: f64,
    slowest_answer_seconds: f64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let corpus = match &args.data {
        Some(directory) => Corpus::of_directory(directory)?,
        None => Corpus::built_in(|_| {})?,
    };
    let positions = choose(&corpus.positions);
    anyhow::ensure!(
        positions.len() > 1,
        "there are no middle-game positions to search"
    );
    let spec = engine_args::with_store(args.engine.clone(), &args.store);
    let mut engine = spec.build()?;
    let mut search = |position: &Position, limits: &Limits| {
        engine.new_game(1);
        let game = Game::from_position(RuleSet::Modern, *position);
        let started = Instant::now();
        let decision = engine.decide(&game, limits, &mut |_| {})?;
        let seconds = started.elapsed().as_secs_f64();
        let thought = decision.thought.unwrap_or_default();
        Ok::<_, anyhow::Error>((thought.depth, thought.nodes, seconds))
    };

    let mut fixed = None;
    if args.depth > 0 {
        let (mut nodes, mut seconds) = (0, 0.0);
        for position in &positions {
            if stop::asked() {
                return Ok(Answer::Interrupted);
            }
            let (_, looked_at, took) = search(position, &Limits::depth(args.depth))?;
            nodes += looked_at;
            seconds += took;
        }
        fixed = Some(Fixed {
            depth: args.depth,
            nodes,
            seconds,
            nodes_per_second: nodes as f64 / seconds,
        });
    }

    let mut depths = Vec::new();
    let (mut nodes, mut seconds, mut slowest) = (0, 0.0, 0.0f64);
    for position in &positions {
        if stop::asked() {
            return Ok(Answer::Interrupted);
        }
        let (depth, looked_at, took) = search(position, &Limits::time(args.time))?;
        depths.push(depth);
        nodes += looked_at;
        seconds += took;
        slowest = slowest.max(took);
    }
    let start_depth = depths.remove(0);
    depths.sort_unstable();
    let results = Results {
        engine: spec.kind.name().to_owned(),
        corpus: corpus.about,
        fixed,
        timed: Timed {
            seconds: args.time.as_secs_f64(),
            start_depth,
            middle_depth_median: depths[depths.len() / 2],
            middle_depth_least: depths[0],
            middle_depth_most: depths[depths.len() - 1],
            nodes_per_second: nodes as f64 / seconds,
            slowest_answer_seconds: slowest,
        },
    };
    let mut out = output::plain();
    if args.json {
        output::json(&mut out, &results)?;
    } else {
        print(&results, &mut out)?;
    }
    out.flush()?;
    Ok(Answer::Yes)
}

/// The start of the first game, and positions spread over all games in which
/// the armies have met.
fn choose(positions: &[Position]) -> Vec<Position> {
    let middle: Vec<&Position> = positions
        .iter()
        .filter(|position| {
            let count = position.board().count();
            let pieces = count.gold + count.silver;
            (20..=30).contains(&pieces) && position.can_goal().is_none()
        })
        .collect();
    let spread = (0..MIDDLE.min(middle.len())).map(|i| *middle[i * middle.len() / MIDDLE]);
    positions
        .first()
        .copied()
        .into_iter()
        .chain(spread)
        .collect()
}

fn print(results: &Results, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}: {}", results.engine, results.corpus.text())?;
    if let Some(fixed) = &results.fixed {
        writeln!(
            out,
            "depth {}: {} positions looked at, {:.2} s, {} a second",
            fixed.depth,
            grouped(fixed.nodes as usize),
            fixed.seconds,
            grouped(fixed.nodes_per_second as usize)
        )?;
    }
    let timed = &results.timed;
    writeln!(
        out,
        "{} s each: depth {} from the start, {} in the middle game ({} to {}), {} positions a \
         second, slowest answer {:.3} s",
        timed.seconds,
        timed.start_depth,
        timed.middle_depth_median,
        timed.middle_depth_least,
        timed.middle_depth_most,
        grouped(timed.nodes_per_second as usize),
        timed.slowest_answer_seconds
    )
}
