//! `hathi bench store`: how fast the memory is made and asked, beside the
//! figures of McKee's thesis.

use std::path::PathBuf;

use hathi_lab::bench::store::{self, Request};

use crate::Answer;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::terminal::output;

/// Measure making and asking the memory
///
/// Makes a synthetic archive, imports it into a temporary store, builds the index and asks it about
/// positions of its games, beside what McKee measured in 2014 on 261,080 games. With --existing
/// the store you have is asked instead, and nothing is imported.
///
/// "Page cache dropped" means: the files are synced, the system is told to forget them
/// (posix_fadvise), the store is opened and asked a single question. It is shown only where the
/// system tells that it had to read from disk again (Linux).
#[derive(Debug, clap::Args)]
#[allow(clippy::doc_markdown)] // help is read as it is
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Games of the synthetic archive; McKee had 261080
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(10..))]
    games: u64,

    /// Seed of the synthetic archive
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Ask the store given by --store instead
    #[arg(long, conflicts_with_all = ["games", "seed", "eighths", "plot"])]
    existing: bool,

    /// Ask after each eighth of the games as well, as McKee did
    ///
    /// The index is built eight times more, which takes about four times as long in all.
    #[arg(long)]
    eighths: bool,

    /// Draw the eighths, ours and McKee's, to this file (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench store
  hathi bench store --games 261080 --plot scale.svg
  hathi bench store --existing --json";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let report = if args.existing {
        store::ask_existing(&mut *args.store.open()?)?
    } else {
        store::run(Request {
            games: args.games,
            seed: args.seed,
            eighths: args.eighths || args.plot.is_some(),
        })?
    };
    if let Some(path) = &args.plot {
        std::fs::write(path, report.plot()).map_err(|error| {
            BadInput::error(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    output::show(args.json, &report, |out| report.write(out))?;
    Ok(Answer::Yes)
}
