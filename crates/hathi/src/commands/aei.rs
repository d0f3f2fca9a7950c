//! `hathi aei`: an engine for anything that speaks AEI.

use std::error::Error;
use std::io::{self, BufReader};
use std::time::Duration;

use hathi_archive::ArchivedGame;
use hathi_arena::aei::{self, Ending, Setting};
use hathi_engine::EngineSpec;
use hathi_rules::Game;
use hathi_store::{Place, remember};

use crate::Answer;
use crate::args::engine::{help_after, seconds, with_store};
use crate::args::store::StoreArgs;

/// Run an engine that speaks AEI on standard input and output
///
/// AEI, the Arimaa Engine Interface, is what game rooms, tournament programs and analysis tools
/// talk to engines with. Give them this command line. Everything is set by options of the protocol,
/// too: the time control, `seed`, `engine`, `movetime` (the seconds to take when there is no clock),
/// and the options of engines, which --help lists.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = help_after(EXAMPLES))]
pub(crate) struct Args {
    /// The engine, with options if need be: NAME or NAME:OPTION=VALUE,...
    #[arg(long, value_name = "ENGINE", default_value = hathi_engine::EngineKind::USUAL.name())]
    engine: EngineSpec,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Seconds for a turn when the controller sets no limit
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    movetime: Duration,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi aei
  hathi aei --engine fairy:depth=8,hash=256
  printf 'aei\\nisready\\nnewgame\\ngo\\nquit\\n' | hathi aei --engine greedy

In roundrobin.cfg of the package aei:
  [fairy]
  cmdline = hathi aei --engine fairy
  bot_hash = 256";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let setting = Setting {
        spec: with_store(args.engine.clone(), &args.store)?,
        seed: args.seed,
        unlimited: args.movetime,
    };
    let input = BufReader::new(io::stdin());
    Ok(match aei::serve(setting, input, io::stdout(), &mut keep)? {
        Ending::Quit => Answer::Yes,
        Ending::Error => Answer::No,
    })
}

/// Into the store that the engine plays from, or the usual one.
fn keep(spec: &EngineSpec, about: ArchivedGame, game: &Game) -> Result<bool, Box<dyn Error>> {
    let place = match spec.options.store.as_str() {
        "" => Place::usual().ok_or("set the option store to a file")?,
        text => Place::new(text.as_ref())?,
    };
    Ok(remember(&place, about, game)?)
}
