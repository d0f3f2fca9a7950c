//! `hathi play`: a person against an engine, in the terminal.

mod advice;
mod input;
mod terminal_game;
mod words;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use hathi_engine::EngineSpec;
use hathi_rules::{Clock, Side, TimeControl, Timing};
use hathi_store::Place;

use self::terminal_game::{Seat, TerminalGame};
use crate::Answer;
use crate::args::engine::{seconds, with_store};
use crate::args::side::SideArg;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::terminal::output;

/// Play against an engine
///
/// Draws the board, asks for your moves and explains what is wrong with one that is not allowed.
/// Type `help` at any time: it explains how moves are written, with examples, and what else you can
/// type: `steps` (what may move), `hint`, `undo`, `board`, `moves`, `save FILE`, `resign`, `quit`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The engine: NAME or NAME:OPTION=VALUE,...
    #[arg(long, value_name = "ENGINE", default_value = hathi_engine::EngineKind::USUAL.name())]
    engine: EngineSpec,

    /// Your side: g for Gold, who begins, or s for Silver
    #[arg(long, value_name = "SIDE", default_value = "g")]
    side: SideArg,

    /// Seconds the engine may think about a turn
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    time: Duration,

    /// A clock for both, such as 2/2 or 15s/1m/100/10m, instead
    #[arg(long, value_name = "CONTROL", conflicts_with = "time")]
    control: Option<TimeControl>,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Write the game to this file when it is over
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Add the game to the store when it is over
    #[arg(long)]
    learn: bool,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi play
  hathi play --engine greedy --side s
  hathi play --engine fairy:depth=6 --time 10 --learn
  hathi play --control 1/2
  hathi play --engine random --seed 7 < moves.txt";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let spec = with_store(args.engine.clone(), &args.store)?;
    let mut engine = spec
        .build()
        .map_err(|error| BadInput::error(format!("{}: {error}", args.engine)))?;
    engine.new_game(args.seed);
    let seat = Seat {
        side: Side::from(args.side),
        engine_name: args.engine.to_string(),
        save: args.save.clone(),
        learn: args.learn.then(|| args.store.place()).transpose()?,
        memory: args.store.place().ok().filter(Place::exists),
        ascii: args.ascii,
    };
    let timing = match args.control {
        Some(control) => Timing::Clock(Clock::new(control)),
        None => Timing::Untimed,
    };
    let mut out = output::styled();
    let game = TerminalGame::new(seat, engine, args.time, timing);
    game.play(&mut io::stdin().lock(), &mut out)?;
    Ok(Answer::Yes)
}
