//! `hathi bench learn`: what it costs to score turns and steps.

use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use hathi_model::features::{Context, Past, Sum};
use hathi_model::models::Model;
use hathi_rules::{Position, TurnGenerator};
use serde::Serialize;

use super::corpus::{About, Corpus};
use super::measure::measure;
use super::rules::seconds;
use crate::Answer;
use crate::output::{self, grouped, rounded};

/// Measure learned move ordering: the time to score turns and steps
///
/// Three measures with the models that come with Hathi, on one core:
/// turns: listing all distinct turns of a position and scoring each;
/// listing: only listing them, which is part of the first;
/// steps: scoring one step as the search does, what is looked at once a position shared among its
/// steps.
///
/// With --data the positions are those of a directory that holds `turn-counts.tsv` and archives
/// `allgames*.txt`. Without, games are made on the fly, always the same ones.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Args {
    /// A directory with turn-counts.tsv and allgames*.txt
    #[arg(long, value_name = "DIR", env = "HATHI_DATA")]
    data: Option<PathBuf>,

    /// About how long to measure, in all
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench learn
  hathi bench learn --data archives --seconds 60
  hathi bench learn --json";

/// The result, with stable keys.
#[derive(Serialize)]
struct Results {
    corpus: About,
    /// Positions whose turns were scored.
    positions: usize,
    turns_per_position: f64,
    /// Listing and scoring the turns of a position; the target is 10.
    ms_per_position: f64,
    /// Only listing them.
    listing_ms_per_position: f64,
    /// Positions whose steps were scored.
    step_positions: usize,
    steps_per_position: f64,
    /// Scoring a step; the target is 200.
    ns_per_step: f64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    if cfg!(debug_assertions) {
        output::note("this is not a release build; measure with `cargo run --release`");
    }
    let corpus = match &args.data {
        Some(directory) => Corpus::of_directory(directory)?,
        None => Corpus::built_in(|_| {})?,
    };
    let results = results(corpus, args.seconds)?;
    output::show(args.json, &results, |out| {
        writeln!(out, "corpus: {}\n", results.corpus.text())?;
        writeln!(
            out,
            "turns   {:.2} ms a position (target: 10), {:.2} of them to list its {} turns",
            results.ms_per_position,
            results.listing_ms_per_position,
            grouped(results.turns_per_position.round() as usize)
        )?;
        writeln!(
            out,
            "steps   {:.0} ns a step (target: 200), {:.0} steps a position",
            results.ns_per_step, results.steps_per_position
        )
    })?;
    Ok(Answer::Yes)
}

fn results(corpus: Corpus, seconds: f64) -> anyhow::Result<Results> {
    let budget = |share: f64| Duration::from_secs_f64(seconds * share);
    let (turns, steps) = (Model::shipped()?, Model::shipped_steps()?);
    let past = Past::default();
    let mut generator = TurnGenerator::new();
    let mut scores = Vec::new();
    let scored = measure(&corpus.turn_positions, budget(0.4), |position| {
        turns.score_turns(position, &past, &mut generator, &mut scores);
        black_box(&scores).len() as u64
    });
    let listed = measure(&corpus.turn_positions, budget(0.3), |position| {
        let mut count = 0;
        for reached in generator.generate(position) {
            black_box(reached.board());
            count += 1;
        }
        count
    });
    // The search mixes weights once, at its root.
    let weights = match corpus.positions.get(corpus.positions.len() / 2) {
        Some(position) => steps.weights(position),
        None => anyhow::bail!("there are no positions to score steps of"),
    };
    let each = measure(&corpus.positions, budget(0.3), |position: &Position| {
        let context = Context::at_a_glance(position, &past);
        let mut count = 0;
        position.for_each_step(|step| {
            let mut sum = Sum::new(&weights);
            context.list_step(position, step, &mut sum);
            black_box(sum.total);
            count += 1;
        });
        count
    });
    Ok(Results {
        corpus: corpus.about,
        positions: scored.items,
        turns_per_position: rounded(scored.units as f64 / scored.items as f64, 1),
        ms_per_position: rounded(scored.nanoseconds_per_item() / 1e6, 3),
        listing_ms_per_position: rounded(listed.nanoseconds_per_item() / 1e6, 3),
        step_positions: each.items,
        steps_per_position: rounded(each.units as f64 / each.items as f64, 1),
        ns_per_step: rounded(1e9 / each.units_per_second(), 1),
    })
}
