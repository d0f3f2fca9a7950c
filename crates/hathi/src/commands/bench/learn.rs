//! `hathi bench learn`: what it costs to score turns and steps.

use std::path::PathBuf;

use hathi_lab::bench::learn;

use super::{seconds, warn_of_debug_build};
use crate::Answer;
use crate::input::corpus;
use crate::terminal::output;

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

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    warn_of_debug_build();
    let corpus = corpus::of(args.data.as_deref(), |_| {})?;
    let results = learn::run(corpus, args.seconds)?;
    output::show(args.json, &results, |out| results.write(out))?;
    Ok(Answer::Yes)
}
