//! `hathi bench`: how fast this machine is.

// Counts and rates are far below the limits of an f64, and never negative.
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]

mod corpus;
mod measure;
mod playout;
mod rules;

use crate::Answer;

/// Measure how fast Hathi is on this machine
///
/// Everything runs on one core. Each measure is warmed up, then the best of several runs counts.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench rules
  hathi bench rules --help";

#[derive(Debug, clap::Subcommand)]
enum What {
    Rules(rules::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.what {
        What::Rules(args) => rules::run(args),
    }
}
