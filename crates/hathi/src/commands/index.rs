//! `hathi index`: looks after the index of positions.

use serde::Serialize;

use crate::Answer;
use crate::args::store::{StoreArgs, build_index, trouble};
use crate::terminal::index::IndexView;
use crate::terminal::output::{self, line};
use crate::terminal::stop;

/// Look after the index of positions
///
/// The index is made from the games and holds nothing else: it can be deleted and built again at
/// any time. Without it everything still works, but opening the store takes longer, as every game
/// is played through. Says what the index covers; the exit code is 1 if there is something wrong
/// with it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Read all of it and compare it with its checksums, or on a server with the games
    #[arg(long)]
    check: bool,

    /// Build it anew from the games; Ctrl-C leaves the old one in place
    #[arg(long)]
    rebuild: bool,

    /// Build with N threads; 0 for as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi index
  hathi index --check
  hathi index --rebuild";

#[derive(Serialize)]
struct State {
    #[serde(flatten)]
    index: IndexView,
    /// What --check has found.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let (mut store, _) = args.store.open_quietly()?;
    if args.rebuild {
        stop::listen();
        if build_index(&mut *store, args.threads)?.is_break() {
            output::note("stopped; nothing has changed");
            return Ok(Answer::Interrupted);
        }
    }
    let mut good = trouble(&*store).is_none();
    let checked = match (args.check && good).then(|| store.check_index()) {
        None => None,
        Some(Ok(checked)) => Some(checked.to_string()),
        Some(Err(error)) => {
            good = false;
            Some(error.to_string())
        }
    };
    let state = State {
        index: IndexView::of(&*store),
        checked,
    };
    output::show(args.json, &state, |out| {
        state.index.write(out)?;
        if let Some(checked) = &state.checked {
            line(out, "checked", checked)?;
        }
        Ok(())
    })?;
    if !good {
        output::note("`hathi index --rebuild` makes a new one; the games are not touched by it");
    }
    Ok(if good { Answer::Yes } else { Answer::No })
}
