//! `hathi`, the command line. One file a command in `commands/`; everything
//! that knows Arimaa is in the crates below.
//!
//! Results go to standard output, messages to standard error. Exit codes:
//! 0 fine, 1 the answer is no or something failed, 2 bad usage or bad input,
//! 130 stopped by Ctrl-C.

#![forbid(unsafe_code)]
// `println!` panics when the reader has gone away; results are written with
// `writeln!` and the error is looked at here.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod cli;
mod commands;
mod failure;
mod input;
#[cfg(feature = "lab")]
mod laboratory;
mod terminal;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use hathi_store::dates;

use cli::{Cli, ColorWhen, Command};
use failure::BadInput;
use terminal::output;

/// What a command that ran to its end has to say to the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// Done, or yes.
    Yes,
    /// No: there is no goal, a game is broken.
    No,
    /// Stopped by the user before the end.
    Interrupted,
}

fn main() -> ExitCode {
    // Help and usage errors are printed while parsing, so the colour must be
    // known before.
    let color = ColorWhen::of_args(std::env::args_os());
    color.apply();
    let matches = Cli::command().color(color.for_clap()).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match run(cli) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Interrupted) => ExitCode::from(130),
        Err(error) => end_with(&error),
    }
}

fn run(cli: Cli) -> anyhow::Result<Answer> {
    match cli.command {
        // As if it were written, so that its environment counts too.
        None => run(Cli::parse_from(["hathi", "serve"])),
        Some(Command::Serve(args)) => commands::serve::run(&args),
        Some(Command::Show(args)) => commands::show::run(&args),
        Some(Command::Turns(args)) => commands::turns::run(&args),
        Some(Command::Goal(args)) => commands::goal::run(&args),
        Some(Command::Solve(args)) => commands::solve::run(&args),
        Some(Command::Analyse(args)) => commands::analyse::run(&args),
        Some(Command::Review(args)) => commands::review::run(&args),
        Some(Command::Study(args)) => commands::study::run(&args),
        Some(Command::Phase(args)) => commands::phase::run(&args),
        Some(Command::Replay(args)) => commands::replay::run(&args),
        Some(Command::Import(args)) => commands::import::run(&args),
        Some(Command::Stats(args)) => commands::stats::run(&args),
        Some(Command::Motifs(args)) => commands::motifs::run(&args),
        Some(Command::Sources(args)) => commands::sources::run(&args),
        Some(Command::Setups(args)) => commands::setups::run(&args),
        Some(Command::Find(args)) => commands::find::run(&args),
        Some(Command::Explore(args)) => commands::explore::run(&args),
        Some(Command::Games(args)) => commands::games::run(&args),
        Some(Command::Export(args)) => commands::export::run(&args),
        Some(Command::Sql(args)) => commands::sql::run(&args),
        Some(Command::Puzzles(args)) => commands::puzzles::run(&args),
        Some(Command::Index(args)) => commands::index::run(&args),
        Some(Command::Aei(args)) => commands::aei::run(&args),
        Some(Command::Arena(args)) => commands::arena::run(&args),
        Some(Command::Play(args)) => commands::play::run(&args),
        #[cfg(feature = "lab")]
        Some(Command::Learn(args)) => commands::learn::run(&args),
        Some(Command::Plans(args)) => commands::plans::run(&args),
        Some(Command::Dpg(args)) => commands::dpg::run(&args),
        Some(Command::Synth(args)) => commands::synth::run(&args),
        #[cfg(feature = "lab")]
        Some(Command::Bench(args)) => commands::bench::run(&args),
        #[cfg(feature = "lab")]
        Some(Command::Paper(args)) => commands::paper::run(&args),
        Some(Command::Completions(args)) => commands::completions::run(&args),
        Some(Command::Man(args)) => commands::man::run(&args),
    }
}

/// Says what went wrong, unless the reader has simply seen enough.
fn end_with(error: &anyhow::Error) -> ExitCode {
    if let Some(error) = error.downcast_ref::<io::Error>() {
        // Input errors are `BadInput`; what is left comes from writing.
        if error.kind() == io::ErrorKind::BrokenPipe {
            return ExitCode::SUCCESS;
        }
        output::error(&format!("cannot write the result: {error}"));
        return ExitCode::from(1);
    }
    output::error(&format!("{error:#}"));
    let bad_input = error.is::<BadInput>();
    #[cfg(feature = "lab")]
    let bad_input = bad_input || error.is::<hathi_lab::BadInput>();
    ExitCode::from(if bad_input { 2 } else { 1 })
}
