//! `hathi completions`: completion scripts for shells.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Answer;
use crate::cli::Cli;
use crate::terminal::output;

/// Print a completion script for a shell
///
/// Once it is installed, the shell completes commands, options and file names after `hathi`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  hathi completions bash > ~/.local/share/bash-completion/completions/hathi
  hathi completions fish > ~/.config/fish/completions/hathi.fish
  hathi completions zsh > ~/.zfunc/_hathi      (with ~/.zfunc in fpath)";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    // Into memory first: the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hathi", &mut script);
    let mut out = output::plain();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Answer::Yes)
}
