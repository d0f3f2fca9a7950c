//! `hathi bench`: how fast this machine is, how well engines choose.

mod choices;
mod engine;
mod forced;
mod learn;
mod outcomes;
mod review;
mod rules;
mod store;

use crate::Answer;
use crate::terminal::output;

/// Measure how fast Hathi is on this machine, and how well its engines choose
///
/// The rules run on one core, each measure warmed up, the best of several runs counting; the store
/// is made on all cores and asked on one; an engine searches on one.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench rules
  hathi bench engine
  hathi bench choices fairy fairy:ordering=none
  hathi bench forced scored.tsv.gz hathi fairy
  hathi bench learn
  hathi bench outcomes scored.tsv.gz hathi fairy --every 8
  hathi bench review allgames2002.txt
  hathi bench store --games 261080
  hathi bench rules --help";

#[derive(Debug, clap::Subcommand)]
enum What {
    Choices(choices::Args),
    Engine(engine::Args),
    Forced(forced::Args),
    Learn(learn::Args),
    Outcomes(outcomes::Args),
    Review(review::Args),
    Rules(rules::Args),
    Store(store::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.what {
        What::Choices(args) => choices::run(args),
        What::Engine(args) => engine::run(args),
        What::Forced(args) => forced::run(args),
        What::Learn(args) => learn::run(args),
        What::Outcomes(args) => outcomes::run(args),
        What::Review(args) => review::run(args),
        What::Rules(args) => rules::run(args),
        What::Store(args) => store::run(args),
    }
}

/// About how long to measure.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.01 to 3600".to_owned()),
    }
}

/// Figures of a debug build mislead.
fn warn_of_debug_build() {
    if cfg!(debug_assertions) {
        output::note("this is not a release build; measure with `cargo run --release`");
    }
}
