//! `hathi puzzles`: win-in-two positions of the games in the store.

mod find;

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::time::Duration;

use hathi_archive::PuzzleReader;
use hathi_store::{Matching, PuzzleHit, PuzzleSummary};
use hathi_view::numbers::grouped;
use serde::Serialize;

use crate::Answer;
use crate::args::engine::seconds;
use crate::args::side::SideArg;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::input;
use crate::terminal::output;

/// Import win-in-two puzzles, or ask whether a position is one
///
/// A puzzle list has lines such as `4:26b re5s re4e rf4s rf3s`: game, move and side, winning turn.
/// With --import each puzzle is linked to its game in the store and to the position before that
/// move; the turn must be legal there. Puzzles whose game is not in the store wait for it: import
/// them again after the games.
///
/// With --find the solver looks for new ones: in every game that was won, before the last but one
/// turn of the winner. Those it proves are added to the store and printed, as lines that --import
/// reads.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(value_name = "POSITION|FILE", conflicts_with_all = ["import", "show", "find"])]
    position: Option<OsString>,

    /// Read a puzzle list into the store
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,

    /// Find puzzles in the games of the store, prove them and add them
    #[arg(long, conflicts_with_all = ["import", "show"])]
    find: bool,

    /// With --find: seconds to try, for each game
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, requires = "find")]
    time: Duration,

    /// Show the linked puzzle with this number, from 1
    #[arg(long, value_name = "N", conflicts_with = "import")]
    show: Option<u64>,

    /// Exactly this board: do not look for mirror images and exchanged colours
    #[arg(long)]
    literal: bool,

    /// Whose turn it is, if the position does not say
    #[arg(long)]
    side: Option<SideArg>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi puzzles --import puzzles.txt
  hathi puzzles --find
  hathi puzzles --show 1
  hathi puzzles position.txt";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    if let Some(file) = &args.import {
        return import(args, file);
    }
    if args.find {
        return find::run(args);
    }
    let store = args.store.open_games()?;
    if let Some(number) = args.show {
        let found = store.linked_puzzle(number.saturating_sub(1))?;
        let Some((hit, position)) = found else {
            anyhow::bail!("there is no puzzle {number}: `hathi puzzles` says how many are linked");
        };
        return print(args, &[hit], Some(&position.to_string()));
    }
    let Some(text) = &args.position else {
        let linked = store.puzzle_counts()?;
        return print_counts(args, &linked);
    };
    let position = input::position(text, args.side.map(Into::into))?;
    let matching = if args.literal {
        Matching::Literal
    } else {
        Matching::Symmetric
    };
    print(args, &store.puzzles_at(&position, matching)?, None)
}

#[derive(Serialize)]
struct View<'a> {
    game: String,
    r#move: &'a str,
    turn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
}

fn print(args: &Args, hits: &[PuzzleHit], position: Option<&str>) -> anyhow::Result<Answer> {
    let views: Vec<View<'_>> = hits
        .iter()
        .map(|hit| View {
            game: hit.game.to_string(),
            r#move: &hit.label,
            turn: hit.turn.to_string(),
            position: position.map(str::to_owned),
        })
        .collect();
    let mut out = output::plain();
    if args.json {
        output::json(&mut out, &views)?;
    } else {
        for view in &views {
            if let Some(position) = &view.position {
                writeln!(out, "{position}")?;
            }
            writeln!(out, "{}  (game {}, {})", view.turn, view.game, view.r#move)?;
        }
        if views.is_empty() {
            writeln!(out, "No puzzle has this position.")?;
        }
    }
    out.flush()?;
    Ok(if views.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

fn import(args: &Args, file: &PathBuf) -> anyhow::Result<Answer> {
    let name = file.display().to_string();
    let open = File::open(file).map_err(|error| BadInput::error(format!("{name}: {error}")))?;
    let mut puzzles = Vec::new();
    let mut unreadable = 0u64;
    for puzzle in PuzzleReader::new(&name, BufReader::new(open)) {
        match puzzle {
            Ok(puzzle) => puzzles.push(puzzle),
            Err(error) => {
                unreadable += 1;
                if unreadable <= 20 {
                    output::note(&error.to_string());
                }
            }
        }
    }
    if puzzles.is_empty() {
        return Err(BadInput::error(format!(
            "{name} holds no puzzle: lines look like `4:26b re5s re4e rf4s rf3s`"
        )));
    }
    let (mut store, _) = args.store.open_or_make()?;
    let summary = store.import_puzzles(&puzzles)?;
    for broken in store.broken_puzzles()? {
        output::note(&format!(
            "game {}, move {}: {}",
            broken.game, broken.label, broken.reason
        ));
    }
    print_summary(args, &summary, unreadable)
}

fn print_summary(args: &Args, summary: &PuzzleSummary, unreadable: u64) -> anyhow::Result<Answer> {
    let mut out = output::plain();
    if args.json {
        let value = serde_json::json!({
            "read": summary.read,
            "unreadable": unreadable,
            "added": summary.added,
            "linked": summary.linked,
            "without_game": summary.without_game,
            "broken": summary.broken,
        });
        output::json(&mut out, &value)?;
    } else {
        for (name, count) in [
            ("read", summary.read),
            ("unreadable", unreadable),
            ("added", summary.added),
            ("linked", summary.linked),
            ("without game", summary.without_game),
            ("broken", summary.broken),
        ] {
            writeln!(out, "{name:<14}{:>8}", grouped(count as usize))?;
        }
    }
    out.flush()?;
    Ok(Answer::Yes)
}

fn print_counts(args: &Args, summary: &PuzzleSummary) -> anyhow::Result<Answer> {
    let mut out = output::plain();
    if args.json {
        let value = serde_json::json!({
            "linked": summary.linked,
            "without_game": summary.without_game,
            "broken": summary.broken,
        });
        output::json(&mut out, &value)?;
    } else {
        writeln!(
            out,
            "{} puzzles are linked to a game, {} wait for theirs, {} cannot be linked.",
            grouped(summary.linked as usize),
            grouped(summary.without_game as usize),
            grouped(summary.broken as usize)
        )?;
    }
    out.flush()?;
    Ok(if summary.linked == 0 {
        Answer::No
    } else {
        Answer::Yes
    })
}
