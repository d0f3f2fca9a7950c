//! `hathi paper`: the experiments of papers about Arimaa, done again.

mod carlini;
mod choksi;
mod mckee;
mod rat;

use crate::Answer;

/// Repeat the experiments of a paper, with its figures and ours side by side
///
/// Each paper is one command that plays, measures and writes a report, as an HTML page and as
/// Markdown. All of it can be interrupted and goes on with the same command.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    which: Which,
}

const EXAMPLES: &str = "\
Examples:
  hathi paper mckee --games 40
  hathi paper choksi --table 1
  hathi paper rat --games 10
  hathi paper carlini --games 50
  hathi paper mckee --help";

#[derive(Debug, clap::Subcommand)]
enum Which {
    Carlini(carlini::Args),
    Choksi(choksi::Args),
    Mckee(Box<mckee::Args>),
    Rat(rat::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.which {
        Which::Carlini(args) => carlini::run(args),
        Which::Choksi(args) => choksi::run(args),
        Which::Mckee(args) => mckee::run(args),
        Which::Rat(args) => rat::run(args),
    }
}
