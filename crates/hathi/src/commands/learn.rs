//! `hathi learn`: what games teach.

mod cluster;
pub(crate) mod evaluate;
mod features;
pub(crate) mod lessons;
mod margins;
mod network;
mod score;
mod selfplay;
mod setups;
mod steps;
mod train;

use crate::Answer;

/// Learn from games: phases, which turns strong players choose, what a board is worth
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
    Train(train::Args),
    Evaluate(evaluate::Args),
    Features(features::Args),
    Cluster(cluster::Args),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::Args),
    Score(score::Args),
    Network(network::Args),
    Steps(steps::Args),
    Setups(setups::Args),
    Margins(margins::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.which {
        Which::Train(args) => train::run(args),
        Which::Evaluate(args) => evaluate::run(args),
        Which::Features(args) => features::run(args),
        Which::Cluster(args) => cluster::run(args),
        Which::SelfPlay(args) => selfplay::run(args),
        Which::Score(args) => score::run(args),
        Which::Network(args) => network::run(args),
        Which::Steps(args) => steps::run(args),
        Which::Setups(args) => setups::run(args),
        Which::Margins(args) => margins::run(args),
    }
}
