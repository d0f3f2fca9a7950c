//! `hathi paper`: the experiments of papers about Arimaa, done again.

mod carlini;
mod choksi;
mod mckee;
mod rat;

use std::io::{self, Write};
use std::path::Path;

use crate::Answer;
use crate::terminal::output;

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

/// The end of every experiment: what came out, where its report is, and whether
/// there is more to do.
fn finish(
    json: bool,
    summary: &impl serde::Serialize,
    folder: &Path,
    ending: Ending,
    in_words: impl FnOnce(&mut output::Styled) -> io::Result<()>,
) -> anyhow::Result<Answer> {
    output::show(json, summary, |out| {
        in_words(out)?;
        writeln!(out, "See {}", folder.join("report.html").display())
    })?;
    Ok(match ending {
        Ending::Complete => Answer::Yes,
        Ending::Stopped(note) => {
            output::note(note);
            Answer::Interrupted
        }
    })
}

/// What is said when somebody has stopped it.
const RESUMABLE: &str = "stopped; the same command goes on from here";

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Complete,
    /// And what the same command does then.
    Stopped(&'static str),
}

impl Ending {
    /// Most go on from where they were stopped.
    fn of(complete: bool) -> Ending {
        if complete {
            Ending::Complete
        } else {
            Ending::Stopped(RESUMABLE)
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.which {
        Which::Carlini(args) => carlini::run(args),
        Which::Choksi(args) => choksi::run(args),
        Which::Mckee(args) => mckee::run(args),
        Which::Rat(args) => rat::run(args),
    }
}
