//! `hathi review`: every turn of a game, judged.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use hathi_archive::{GameId, dates, unix_time};
use hathi_engine::{EngineError, EngineSpec, LEAST_DEPTH, Limits, REVIEW_NODES, judge};
use hathi_rules::Game;
use hathi_store::{GameRow, KeptReview, Memory, Moves, Place};
use hathi_view::numbers::grouped;
use hathi_view::{JudgedView, MotifTag, ReviewCount, ReviewSummary, ReviewView, SideReview};
use serde::Serialize;

use crate::Answer;
use crate::args::engine::with_store;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::input::given::{Given, game_at_start};
use crate::terminal::motifs;
use crate::terminal::output;
use crate::terminal::stop;

/// Find the mistakes of a game
///
/// The turn played and the best turn are valued by one search to the same depth; a turn is marked
/// by the chance to win that it gave away: a mistake from 12 points (8, and 4 of doubt: less of it
/// with more positions), a blunder from 30. A turn that seems to be one is compared with the best
/// one by a second look, four times as long, and neither mark is given unless that was 12 steps
/// deep (the turn's own four, and eight after it). A piece lost for nothing, in the game or by what
/// the search expects, is a mistake even if it costs less of a chance, and a turn that lets the
/// opponent reach goal a blunder, unless nothing was left to lose.
/// The same number of positions gives the same marks on every machine.
///
/// The review of a game of the store is kept there: the same command shows it at once, and so does
/// the page. --again makes it anew.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game in notation, an archive, `-` for standard input, or a game of the store by its id,
    /// such as sample:15
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

    /// Look again, even if the same review is kept with the game
    #[arg(long)]
    again: bool,

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
  hathi review sample:15
  hathi review game.txt --nodes 2000000";

#[derive(Serialize)]
struct Printed<'a> {
    engine: &'a str,
    nodes: u64,
    version: &'a str,
    least_depth: u32,
    turns: &'a [JudgedView],
    summary: ReviewSummary,
    /// What players have names for, and where; of a game of the store.
    motifs: &'a [MotifTag],
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let game = read_game(args)?;
    let mut kept = KeptWithGame::find(args, &game);
    let mut out = output::styled();
    if let Some(review) = kept
        .review
        .take()
        .filter(|review| !args.again && review.answers(&args.engine.to_string(), args.nodes))
    {
        if !args.json {
            let mut so_far = game_at_start(&game);
            for (view, turn) in review.turns.iter().zip(game.turns()) {
                write(view, &so_far, &mut out)?;
                so_far.play(turn)?;
            }
        }
        finish(args, &review, &kept.motifs(), &mut out)?;
        if !args.json {
            let day = dates::date(review.made).unwrap_or_default();
            let nodes = grouped(usize::try_from(review.nodes).unwrap_or(usize::MAX));
            writeln!(
                out,
                "Kept with the game since {day}: {}, {nodes} positions a turn; --again looks again.",
                review.engine
            )?;
            out.flush()?;
        }
        return Ok(Answer::Yes);
    }
    let mut engine = with_store(args.engine.clone(), &args.store)?.build()?;
    let limits = Limits::nodes(args.nodes).with_stop(stop::for_engines());
    let mut so_far = game_at_start(&game);
    let mut count = ReviewCount::default();
    let mut turns = Vec::new();
    for (ply, turn) in game.turns().iter().enumerate() {
        let after = &game.turns()[ply + 1..];
        let judged = judge(&mut *engine, &so_far, turn, after, &limits);
        let judged = judged.map_err(|error| match error {
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
    let engine = args.engine.to_string();
    let review = ReviewView::new(&engine, args.nodes, unix_time(), turns, count.summary());
    finish(args, &review, &kept.motifs(), &mut out)?;
    if review.turns.len() == game.turns().len() {
        kept.keep(&review, args.again);
    }
    Ok(if stop::asked() {
        Answer::Interrupted
    } else {
        Answer::Yes
    })
}

/// The game that is asked for: of the store, if there is no file of that name.
fn read_game(args: &Args) -> anyhow::Result<Game> {
    let id = (args.given.to_str())
        .filter(|text| *text != "-" && !Path::new(text).exists())
        .and_then(|text| text.parse::<GameId>().ok());
    if let Some(id) = id {
        let store = args.store.open_games()?;
        let row = store.row_of(id)?;
        let stored = row.map(|row| store.game(row)).transpose()?.flatten();
        let stored =
            stored.ok_or_else(|| BadInput::error(format!("there is no game {id} in the store")))?;
        return Ok(stored.moves.replay(stored.game.rules())?);
    }
    let Given::Game(given) = Given::read(&args.given, None, args.game.as_deref())? else {
        return Err(BadInput::error(
            "this is a position: a review takes a game; for a position there is `hathi analyse`",
        ));
    };
    if let Some(fault) = &given.fault {
        output::note(&format!("the record goes on, but {fault}"));
    }
    Ok(given.game)
}

/// Where the review of this game is kept, if the store has the game.
#[derive(Default)]
struct KeptWithGame {
    place: Option<(Box<dyn Memory>, GameRow)>,
    kept: Option<KeptReview>,
    review: Option<ReviewView>,
}

impl KeptWithGame {
    /// A store that is not there, or cannot be asked, keeps nothing.
    fn find(args: &Args, game: &Game) -> KeptWithGame {
        let find = || {
            let place = args.store.place().ok().filter(Place::exists)?;
            let store = place.open_games().ok()?;
            let id = *store.with_moves(&Moves::of_game(game)?).ok()?.first()?;
            let row = store.row_of(id).ok()??;
            let kept = store.review(row).ok()?;
            let review = kept.clone().and_then(ReviewView::read);
            Some(KeptWithGame {
                review: review.filter(|review| review.turns.len() == game.turns().len()),
                kept,
                place: Some((store, row)),
            })
        };
        find().unwrap_or_default()
    }

    /// What players have names for; nothing if the store has not the game.
    fn motifs(&self) -> Vec<MotifTag> {
        let (store, row) = match &self.place {
            Some((store, row)) => (store, *row),
            None => return Vec::new(),
        };
        let stored = store.game(row).ok().flatten();
        stored.map_or_else(Vec::new, |stored| motifs::of_game(&stored))
    }

    fn keep(&mut self, review: &ReviewView, even_if_less: bool) {
        if let Some((store, row)) = &mut self.place
            && (even_if_less || review.replaces(self.kept.as_ref()))
            && let Err(error) = store.keep_review(*row, &review.kept())
        {
            output::note(&format!("the review is not kept with the game: {error}"));
        }
    }
}

/// What comes after the turns, or all of it as JSON.
fn finish(
    args: &Args,
    review: &ReviewView,
    motifs: &[MotifTag],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if args.json {
        // Not when it was made: the same settings print the same.
        let printed = Printed {
            engine: &review.engine,
            nodes: review.nodes,
            version: &review.version,
            least_depth: LEAST_DEPTH,
            turns: &review.turns,
            summary: review.summary,
            motifs,
        };
        output::json(out, &printed)?;
    } else {
        writeln!(out)?;
        let summary = review.summary;
        for (name, side) in [("Gold", summary.gold), ("Silver", summary.silver)] {
            write_side(name, side, out)?;
        }
        for tag in motifs {
            writeln!(out, "Motif: {}", motifs::in_words(tag))?;
        }
    }
    out.flush()?;
    Ok(())
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
    if let Some(mark) = &view.mark {
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
