//! `hathi learn`: what games teach.

mod cluster;

use crate::Answer;

/// Learn from games: phases
///
/// Each is a command of its own, with examples in its help.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, clap::Subcommand)]
enum Which {
    Cluster(cluster::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.which {
        Which::Cluster(args) => cluster::run(args),
    }
}
