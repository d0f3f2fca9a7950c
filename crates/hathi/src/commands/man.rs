//! `hathi man`: manual pages.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::CommandFactory;

use crate::Answer;
use crate::cli::Cli;
use crate::terminal::output;

/// Print or write the manual pages
///
/// Prints the page of `hathi` itself, or writes it and one page for each command into a directory.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write all pages into this directory, which is made if it is missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  hathi man | man -l -
  hathi man --out ~/.local/share/man/man1";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    if let Some(directory) = &args.out {
        write_all(directory)?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command()).render(&mut page)?;
        let mut out = output::plain();
        out.write_all(&page)?;
        out.flush()?;
    }
    Ok(Answer::Yes)
}

/// Without `hathi help`, which needs no page of its own.
fn command() -> clap::Command {
    Cli::command().disable_help_subcommand(true)
}

fn write_all(directory: &Path) -> anyhow::Result<()> {
    let written =
        fs::create_dir_all(directory).and_then(|()| clap_mangen::generate_to(command(), directory));
    if let Err(error) = written {
        bail!(
            "cannot write the manual pages into {}: {error}",
            directory.display()
        );
    }
    output::note(&format!("manual pages are in {}", directory.display()));
    Ok(())
}
