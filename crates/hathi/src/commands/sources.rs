//! `hathi sources`: where the games are from.

use std::io::Write;

use hathi_archive::GameSource;
use hathi_view::SourceList;
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{counted, grouped};
use serde::Serialize;

use crate::Answer;
use crate::args::store::StoreArgs;
use crate::terminal::output;

/// List where the games are from, or take a source out
///
/// Games of the archive (arimaa), sample games that come with the program, synthetic archives, games
/// played here, matches in the arena, games of an engine under another program, move lists from
/// files. All of them count in lists and statistics, but the samples only as long as there are no
/// games of arimaa or file; --source of other commands chooses.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Take all games of these sources out of the store, for good
    #[arg(long, value_name = "SOURCE", value_delimiter = ',', num_args = 1..)]
    remove: Vec<GameSource>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi sources
  hathi sources --remove sample
  hathi games --source play --limit 0";

/// With stable keys.
#[derive(Serialize)]
struct Removed {
    /// Games that were taken out.
    removed: u64,
    #[serde(flatten)]
    left: SourceList,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut store = args.store.open_games()?;
    if args.remove.is_empty() {
        let list = SourceList::of(&*store)?;
        output::show(args.json, &list, |out| write(out, &list))?;
        return Ok(if list.sources.is_empty() {
            Answer::No
        } else {
            Answer::Yes
        });
    }
    let mut removed = 0;
    for &source in &args.remove {
        removed += store.remove_source(source)?;
    }
    let answer = Removed {
        removed,
        left: SourceList::of(&*store)?,
    };
    output::show(args.json, &answer, |out| {
        writeln!(out, "{} taken out.", counted(removed as usize, "game"))?;
        write(out, &answer.left)
    })?;
    Ok(if removed > 0 { Answer::Yes } else { Answer::No })
}

fn write(out: &mut impl Write, list: &SourceList) -> std::io::Result<()> {
    if list.sources.is_empty() {
        return writeln!(out, "No games.");
    }
    let mut table = Columns::new(&[
        ("source", Align::Left),
        ("games", Align::Right),
        ("positions", Align::Right),
        ("", Align::Left),
    ]);
    for source in &list.sources {
        let ignored = if source.counted {
            ""
        } else {
            "; do not count, unless --source asks for them"
        };
        table.row([
            source.source.to_owned(),
            grouped(source.games as usize),
            grouped(source.positions as usize),
            format!("{}{ignored}", source.meaning),
        ]);
    }
    table.write(out)
}
