//! `hathi learn score`: positions from elsewhere, searched for training.

use std::io::Write;
use std::path::PathBuf;

use hathi_learn::network::read_scored;
use hathi_learn::selfplay::{self, Settings, Standing};
use hathi_model::drawing::grouped;
use hathi_rules::Board;
use serde::Serialize;

use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::CountBar;
use crate::terminal::stop;

/// Search positions of a table and keep what the engine makes of them
///
/// The table is one that `hathi learn network --scored` takes (tab-separated columns side, board,
/// score; .gz or plain); its scores are not used. The file is one that `hathi learn selfplay` would
/// write, of games nobody won, so `hathi learn network` trains on it in the same way. Positions the
/// engine did not look at least four steps deep into are left out.
///
/// Ctrl-C loses nothing but a few positions: the same command resumes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The table
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// Where the positions go; if it is there already, scoring resumes
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Who searches, and how deep, as in `hathi arena`
    #[arg(long, value_name = "ENGINE", default_value = "hathi:hash=2,depth=4")]
    engine: String,

    /// Positions a search may look at, at the most
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,

    /// Take only the first so many lines of the table
    #[arg(long, value_name = "N")]
    first: Option<usize>,

    /// Searches at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn score positions.tsv.gz positions.hsp
  hathi learn network games.hsp positions.hsp -o mine.net";

#[derive(Serialize)]
struct Summary {
    file: String,
    positions: u64,
    interrupted: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let lessons = read_scored(&args.table).map_err(|error| BadInput::error(error.to_string()))?;
    let boards: Vec<Board> = lessons
        .iter()
        .take(args.first.unwrap_or(usize::MAX))
        .filter_map(|lesson| Board::try_from(lesson.board).ok())
        .collect();
    let settings = Settings {
        engine: args.engine.clone(),
        nodes: args.nodes,
        seed: 0,
        random_turns: 0,
        longest: 0,
    };
    stop::listen();
    let bar = CountBar::new("positions", boards.len() as u64);
    let show = |standing: Standing| bar.show(standing.positions);
    let stop = stop::for_engines();
    let threads = usize::from(args.threads);
    let standing = selfplay::score(&args.file, &boards, &settings, threads, &stop, &show)
        .map_err(|error| BadInput::error(error.to_string()));
    drop(bar);
    let standing = standing?;
    let summary = Summary {
        file: args.file.display().to_string(),
        positions: standing.positions,
        interrupted: stop::asked(),
    };
    output::show(args.json, &summary, |out| {
        writeln!(
            out,
            "{}: {} positions",
            summary.file,
            grouped(summary.positions as usize)
        )
    })?;
    if stop::asked() {
        output::note("stopped; the same command resumes");
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}
