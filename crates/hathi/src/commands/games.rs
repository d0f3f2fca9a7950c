//! `hathi games`: lists games, or shows one.

use std::io::Write;
use std::ops::ControlFlow;

use hathi_archive::{GameId, plain};
use hathi_rules::GameRecord;
use hathi_store::Memory;
use hathi_view::numbers::counted;
use hathi_view::{GameView, MotifTag};
use serde::Serialize;

use crate::Answer;
use crate::args::filter::FilterArgs;
use crate::args::limit::LimitArg;
use crate::args::store::StoreArgs;
use crate::terminal::games;
use crate::terminal::motifs;
use crate::terminal::output;

/// List games, or show one
///
/// Lists the games of the store, in the order in which they were added: what they are known by
/// (a number of the archive, or source and number such as play:15), date, players with ratings, who won and how (the letter of the archive: g goal, r resignation, t
/// time, ...), turns, event. With an ID it shows that game in notation, with its motifs (`hathi
/// motifs`), ready for `hathi replay -`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game: its number in the archive, or source and number such as sample:15
    #[arg(value_name = "ID", conflicts_with_all = ["FilterArgs", "LimitArg"])]
    id: Option<GameId>,

    /// Take these games out of the store, for good
    #[arg(
        long,
        value_name = "ID",
        num_args = 1..,
        conflicts_with_all = ["id", "FilterArgs", "LimitArg"]
    )]
    remove: Vec<GameId>,

    #[command(flatten)]
    limit: LimitArg,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    filter: FilterArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi games --player omar --as s
  hathi games --from 2011-11 --to 2011-12 --min-rating 2000 --limit 0
  hathi games 1
  hathi games 1 | hathi replay - --at 12s
  hathi games sample:15
  hathi games --source play --limit 0
  hathi games --remove play:179480407412345";

#[derive(Serialize)]
struct Listed {
    games: Vec<GameView>,
    /// Are there more than shown?
    more: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let filter = args.filter.filter()?;
    let mut store = args.store.open_games()?;
    if !args.remove.is_empty() {
        return remove(args, &mut *store);
    }
    if let Some(id) = args.id {
        return show(args, &*store, id);
    }
    let limit = args.limit.get();
    let mut games = Vec::new();
    // One more than shown tells whether there are more.
    let asked = limit.map(|limit| limit as u64 + 1);
    store.visit_filtered(&filter, asked, &mut |game| {
        games.push(GameView::from(&game));
        ControlFlow::Continue(())
    })?;
    let more = limit.is_some_and(|limit| games.len() > limit);
    games.truncate(limit.unwrap_or(usize::MAX));
    let listed = Listed { games, more };
    output::show(args.json, &listed, |out| {
        if listed.games.is_empty() {
            writeln!(out, "No games.")?;
        } else {
            games::table(&listed.games).write(out)?;
        }
        if listed.more {
            writeln!(out, "\nThere are more; --limit shows as many as you like.")?;
        }
        Ok(())
    })?;
    Ok(if listed.games.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

#[derive(Serialize)]
struct Removed {
    removed: u64,
    /// Games that are not in the store.
    missing: Vec<String>,
}

fn remove(args: &Args, store: &mut dyn Memory) -> anyhow::Result<Answer> {
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for &id in &args.remove {
        match store.row_of(id)? {
            Some(row) => rows.push(row),
            None => missing.push(id.to_string()),
        }
    }
    let removed = Removed {
        removed: store.remove(&rows)?,
        missing,
    };
    output::show(args.json, &removed, |out| {
        writeln!(
            out,
            "{} taken out.",
            counted(removed.removed as usize, "game")
        )
    })?;
    for id in &removed.missing {
        output::note(&format!("there is no game {id} in the store"));
    }
    Ok(if removed.missing.is_empty() {
        Answer::Yes
    } else {
        Answer::No
    })
}

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    game: GameView,
    rules: &'static str,
    /// In notation, a move each.
    moves: Vec<String>,
    /// What players have names for, and where.
    motifs: Vec<MotifTag>,
}

fn show(args: &Args, store: &dyn Memory, id: GameId) -> anyhow::Result<Answer> {
    let row = store.row_of(id)?;
    let game = match row {
        Some(row) => store.game(row)?,
        None => None,
    };
    let Some(stored) = game else {
        anyhow::bail!("there is no game {id} in the store");
    };
    let game = stored.moves.replay(stored.game.rules())?;
    let view = GameView::from(&stored);
    let motifs = motifs::of_game(&stored);
    if args.json {
        let shown = Shown {
            game: view,
            rules: match stored.game.rules() {
                hathi_rules::RuleSet::Modern => "modern",
                hathi_rules::RuleSet::Before2008 => "old",
            },
            moves: GameRecord::of_game(&game)
                .moves
                .iter()
                .map(|(label, action)| format!("{label} {action}"))
                .collect(),
            motifs,
        };
        let mut out = output::plain();
        output::json(&mut out, &shown)?;
        out.flush()?;
    } else {
        let mut out = output::styled();
        let fault = stored.fault.as_deref();
        let notation = plain::notation(&stored.game, &game, fault);
        // Where the moves begin.
        let head = notation.lines().take_while(|line| line.starts_with('#'));
        let head: usize = head.map(|line| line.len() + 1).sum();
        write!(out, "{}", &notation[..head])?;
        for tag in &motifs {
            writeln!(out, "# motif      {}", motifs::in_words(tag))?;
        }
        write!(out, "{}", &notation[head..])?;
        out.flush()?;
    }
    Ok(Answer::Yes)
}
