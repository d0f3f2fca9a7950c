//! `hathi bench`: how fast this machine is, how well engines choose.

// Counts and rates are far below the limits of an f64, and never negative.
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]

mod choices;
pub(crate) mod corpus;
mod engine;
mod learn;
mod measure;
mod playout;
mod rules;
mod store;

use crate::Answer;

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
  hathi bench learn
  hathi bench store --games 261080
  hathi bench rules --help";

#[derive(Debug, clap::Subcommand)]
enum What {
    Choices(choices::Args),
    Engine(engine::Args),
    Learn(learn::Args),
    Rules(rules::Args),
    Store(store::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.what {
        What::Choices(args) => choices::run(args),
        What::Engine(args) => engine::run(args),
        What::Learn(args) => learn::run(args),
        What::Rules(args) => rules::run(args),
        What::Store(args) => store::run(args),
    }
}
