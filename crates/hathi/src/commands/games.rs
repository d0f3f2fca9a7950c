//! `hathi games`: lists games, or shows one.

use std::io::{self, Write};
use std::ops::ControlFlow;

use hathi_archive::GameId;
use hathi_rules::{GameRecord, Outcome};
use hathi_store::{Memory, StoredGame};
use hathi_view::GameView;
use serde::Serialize;

use crate::Answer;
use crate::args::filter::FilterArgs;
use crate::args::limit::LimitArg;
use crate::args::store::StoreArgs;
use crate::terminal::games;
use crate::terminal::output::{self, printable};
use crate::terminal::position::outcome_text;

/// List games, or show one
///
/// Lists the games of the store, in the order in which they were added: number in the archive,
/// date, players with ratings, who won and how (the letter of the archive: g goal, r resignation, t
/// time, ...), turns, event. With an ID it shows that game in notation, ready for `hathi replay -`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The number of a game in the archive
    #[arg(value_name = "ID", conflicts_with_all = ["FilterArgs", "LimitArg"])]
    id: Option<GameId>,

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
  hathi games 1 | hathi replay - --at 12s";

#[derive(Serialize)]
struct Listed {
    games: Vec<GameView>,
    /// Are there more than shown?
    more: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let filter = args.filter.filter()?;
    let store = args.store.open_games()?;
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
struct Shown {
    #[serde(flatten)]
    game: GameView,
    rules: &'static str,
    /// In notation, a move each.
    moves: Vec<String>,
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
    let record = record(&stored)?;
    let view = GameView::from(&stored);
    if args.json {
        let shown = Shown {
            game: view,
            rules: match stored.game.rules() {
                hathi_rules::RuleSet::Modern => "modern",
                hathi_rules::RuleSet::Before2008 => "old",
            },
            moves: record
                .moves
                .iter()
                .map(|(label, action)| format!("{label} {action}"))
                .collect(),
        };
        let mut out = output::plain();
        output::json(&mut out, &shown)?;
        out.flush()?;
    } else {
        let mut out = output::styled();
        write_header(&mut out, &view, stored.game.recorded())?;
        write!(out, "{record}")?;
        out.flush()?;
    }
    Ok(Answer::Yes)
}

/// The moves in notation.
fn record(stored: &StoredGame) -> anyhow::Result<GameRecord> {
    let game = stored.moves.replay(stored.game.rules())?;
    Ok(GameRecord::of_game(&game))
}

/// As comments, which readers of notation skip.
fn write_header(out: &mut impl Write, game: &GameView, end: Option<Outcome>) -> io::Result<()> {
    let mut line = |label: &str, text: &str| writeln!(out, "# {label:<9}  {text}");
    line("game", game.id.as_deref().unwrap_or("?"))?;
    line("date", game.date.as_deref().unwrap_or("?"))?;
    line("Gold", &games::player(&game.gold))?;
    line("Silver", &games::player(&game.silver))?;
    let rated = if game.rated { "rated" } else { "unrated" };
    line("event", &format!("{}, {rated}", printable(&game.event)))?;
    line("time", &printable(&game.time_control))?;
    let result = end.map_or("not written down".to_owned(), outcome_text);
    line("result", &result)?;
    if let Some(fault) = &game.fault {
        line("shortened", &printable(fault))?;
    }
    Ok(())
}
