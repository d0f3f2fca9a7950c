//! `hathi review`: every turn of a game, judged.

use std::ffi::OsString;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use hathi_engine::{EngineError, EngineSpec, LEAST_DEPTH, Limits, REVIEW_NODES, judge};
use hathi_rules::Game;
use hathi_view::{JudgedView, ReviewCount, ReviewSummary, SideReview};
use serde::Serialize;

use crate::Answer;
use crate::args::engine::with_store;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::input::given::{Given, game_at_start};
use crate::terminal::output;
use crate::terminal::stop;

/// Find the mistakes of a game
///
/// The turn played and the best turn are valued by one search to the same depth; a turn is marked
/// by the chance to win that it gave away: a mistake from 12 points, a blunder from 25. A turn
/// that seems to be one is compared with the best one by a second look, four times as long, and
/// neither mark is given unless that was 12 steps deep (the turn's own four, and eight after it).
/// The same number of positions gives the same marks on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game in notation, an archive, or `-` for standard input
    #[arg(value_name = "GAME")]
    given: OsString,

    /// Pick a game of an archive by its id, or by its row as '#3'
    #[arg(long, value_name = "ID")]
    game: Option<String>,

    /// Engine and options
    #[arg(long, value_name = "NAME[:OPTIONS]", default_value = "hathi:hash=32")]
    engine: EngineSpec,

    /// Positions to look at for a turn
    #[arg(long, value_name = "N", default_value_t = REVIEW_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    #[command(flatten)]
    store: StoreArgs,

    /// Print JSON: an object with the turns and a summary
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi review game.txt
  hathi review allgames2002.txt --game 55 --json
  hathi review game.txt --nodes 2000000";

#[derive(Serialize)]
struct Review {
    engine: String,
    nodes: u64,
    least_depth: u32,
    turns: Vec<JudgedView>,
    summary: ReviewSummary,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let Given::Game(given) = Given::read(&args.given, None, args.game.as_deref())? else {
        return Err(BadInput::error(
            "this is a position: a review takes a game; for a position there is `hathi analyse`",
        ));
    };
    if let Some(fault) = &given.fault {
        output::note(&format!("the record goes on, but {fault}"));
    }
    let mut engine = with_store(args.engine.clone(), &args.store)?.build()?;
    let limits = Limits::nodes(args.nodes).with_stop(stop::for_engines());
    let mut so_far = game_at_start(&given.game);
    let mut count = ReviewCount::default();
    let mut turns = Vec::new();
    let mut out = output::styled();
    for turn in given.game.turns() {
        let judged = judge(&mut *engine, &so_far, turn, &limits).map_err(|error| match error {
            error @ EngineError::NoAnalysis => BadInput::error(error.to_string()),
            error => error.into(),
        })?;
        if stop::asked() {
            break;
        }
        count.add(so_far.side_to_move(), &judged);
        let view = JudgedView::new(&so_far, turn, &judged);
        if !args.json {
            write(&view, &so_far, &mut out)?;
            out.flush()?;
        }
        turns.push(view);
        so_far.play(turn)?;
    }
    let summary = count.summary();
    if args.json {
        let review = Review {
            engine: args.engine.to_string(),
            nodes: args.nodes,
            least_depth: LEAST_DEPTH,
            turns,
            summary,
        };
        output::json(&mut out, &review)?;
    } else {
        writeln!(out)?;
        for (name, side) in [("Gold", summary.gold), ("Silver", summary.silver)] {
            write_side(name, side, &mut out)?;
        }
    }
    out.flush()?;
    Ok(if stop::asked() {
        Answer::Interrupted
    } else {
        Answer::Yes
    })
}

const MARK: Style = AnsiColor::Red.on_default().bold();

/// A line for a turn, and what was better if it is marked.
fn write(view: &JudgedView, game: &Game, out: &mut impl Write) -> io::Result<()> {
    let JudgedView {
        label,
        turn,
        words,
        depth,
        ..
    } = view;
    write!(out, "{label:<4} {turn:<24} {words} ({depth} steps)")?;
    if let Some(mark) = view.mark {
        let points = (view.loss * 100.0).round();
        let side = game.side_to_move().name();
        write!(
            out,
            "  {MARK}{mark}{MARK:#}: {side} gives away {points} points of its chance; better {}",
            view.best
        )?;
    }
    writeln!(out)
}

fn write_side(name: &str, side: SideReview, out: &mut impl Write) -> io::Result<()> {
    let SideReview {
        mistakes,
        blunders,
        turns,
        accuracy,
    } = side;
    writeln!(
        out,
        "{name}: accuracy {accuracy:.1} %, {mistakes} mistakes, {blunders} blunders in {turns} turns"
    )
}
