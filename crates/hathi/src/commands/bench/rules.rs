//! `hathi bench rules`: turns, steps, goals, captures, replay.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use hathi_lab::bench::rules;

use super::{seconds, warn_of_debug_build};
use crate::Answer;
use crate::input::corpus;
use crate::terminal::output;

/// Measure the rules: turns, steps, goals, captures, replay
///
/// Five measures, each beside its target:
/// distinct turns: positions reached per second, as `hathi turns` finds them;
/// single steps: steps generated, taken and taken back per second, two deep;
/// can goal: average time to answer, in positions of games;
/// captures: the same for all captures of a turn;
/// replay: games per second, read from memory with every move checked.
///
/// With --data the positions and games are those of a directory that holds `turn-counts.tsv` and
/// archives `allgames*.txt`. Without, games are made on the fly, always the same ones.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Args {
    /// A directory with turn-counts.tsv and allgames*.txt
    #[arg(long, value_name = "DIR", env = "HATHI_DATA")]
    data: Option<PathBuf>,

    /// About how long to measure, in all
    #[arg(long, value_name = "S", default_value = "20", value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench rules
  hathi bench rules --data archives --seconds 60
  hathi bench rules --json";

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    warn_of_debug_build();
    let progress = Progress::new();
    let say = |text: &str| progress.say(text);
    let corpus = corpus::of(args.data.as_deref(), say)?;
    let results = rules::run(corpus, args.seconds, &say);
    progress.clear();
    output::show(args.json, &results, |out| results.write(out))?;
    Ok(Answer::Yes)
}

/// A line on standard error that says what is going on, on a terminal only.
struct Progress {
    shown: bool,
}

impl Progress {
    fn new() -> Progress {
        Progress {
            shown: io::stderr().is_terminal(),
        }
    }

    fn say(&self, text: &str) {
        if self.shown {
            // Back to the start of the line, and clear it.
            let _ = write!(io::stderr(), "\r\x1b[K{text} ...");
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
