//! `hathi explore`: one step through the tree of everything that was played.

use std::ffi::OsString;
use std::io::{self, Write};

use hathi_store::{Kind, PositionQuestion};
use hathi_view::numbers::counted;
use hathi_view::{GameView, Games, TurnView};
use serde::Serialize;

use crate::Answer;
use crate::args::filter::PositionFilterArgs;
use crate::args::limit::LimitArg;
use crate::args::side::SideArg;
use crate::args::store::StoreArgs;
use crate::input;
use crate::terminal::games;
use crate::terminal::output;
use crate::terminal::played;

/// Step through everything that was played from a position
///
/// Prints how often the position was reached, in how many games, and what was played next. Beside
/// how often a turn was played stands how often the position it leads to was reached, by whatever
/// turns, and went on from there. Then the games of the strongest players (by the average of both
/// ratings) and the most recent ones. Mirror images and exchanged colours count, unless --literal
/// is given. The exit code is 1 if the position was never reached.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(value_name = "POSITION|FILE")]
    position: OsString,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE")]
    side: Option<SideArg>,

    #[command(flatten)]
    limit: LimitArg,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    filter: PositionFilterArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi explore 'g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]'
  hathi explore position.txt --humans --min-rating 1800
  hathi explore position.txt --json | jq -r '.turns[0].position_after'";

#[derive(Serialize)]
struct Explored {
    position: String,
    hits: u64,
    games: u64,
    different_turns: usize,
    turns: Vec<TurnView>,
    top_rated: Vec<GameView>,
    most_recent: Vec<GameView>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let position = input::position(&args.position, args.side.map(Into::into))?;
    let question = PositionQuestion::new(position, Kind::Full)
        .matching(args.filter.matching())
        .of_games(args.filter.filter()?)
        .limit(args.limit.of(usize::MAX));
    let mut store = args.store.open()?;
    // A damaged index is mended here; what follows reads much the same parts.
    let played = StoreArgs::ask(&mut *store, |store| store.find(&question))?;
    let mut games = Games::new(&*store);

    let mut turns = Vec::with_capacity(played.turns.len());
    for stats in &played.turns {
        let mut turn = TurnView::new(stats, &*store)?;
        turn.reached = Some(store.find(&question.reached(stats.after))?.hits);
        turns.push(turn);
    }
    let explored = Explored {
        position: position.to_string(),
        hits: played.hits,
        games: played.games,
        different_turns: played.different_turns,
        turns,
        top_rated: games.all(&played.top_rated)?,
        most_recent: games.all(&played.most_recent)?,
    };
    output::show(args.json, &explored, |out| explored.write(out))?;
    Ok(if explored.hits == 0 {
        Answer::No
    } else {
        Answer::Yes
    })
}

impl Explored {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.hits == 0 {
            return writeln!(out, "Never reached.");
        }
        writeln!(
            out,
            "Reached {} in {}.\n",
            counted(self.hits as usize, "time"),
            counted(self.games as usize, "game")
        )?;
        played::table(&self.turns).write(out)?;
        played::more_turns(out, self.different_turns, self.turns.len())?;
        for (title, games) in [
            ("Strong games", &self.top_rated),
            ("Most recent games", &self.most_recent),
        ] {
            if !games.is_empty() {
                writeln!(out, "\n{title}:")?;
                games::table(games).write(out)?;
            }
        }
        Ok(())
    }
}
