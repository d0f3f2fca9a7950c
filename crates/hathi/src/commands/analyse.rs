//! `hathi analyse`: the best several turns in a position.

use std::ffi::OsString;
use std::io::{self, Write};
use std::time::Duration;

use hathi_engine::{AnalysisRequest, EngineError, EngineSpec, Limits, MOST_LINES};
use hathi_rules::{Game, Label, RuleSet, Turn};
use hathi_view::AnalysedView;
use hathi_view::numbers::grouped;
use serde::Serialize;

use crate::Answer;
use crate::args::engine::{seconds, with_store};
use crate::args::side::SideArg;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::input::given::{Given, game_before};
use crate::terminal::output;
use crate::terminal::stop;

/// Show the best several turns in a position, with their scores
///
/// Every turn shown leads to another position, and all of them were looked at to the same depth by
/// the same search. Scores are for Gold, in rabbits; "wins in 2 turns" is only said when it is
/// proven. Ctrl-C ends the search and shows what it has found.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file with a position, a game or an archive, or `-`
    #[arg(value_name = "POSITION|GAME")]
    given: OsString,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE")]
    side: Option<SideArg>,

    /// Pick a game of an archive by its id, or by its row as '#3'
    #[arg(long, value_name = "ID")]
    game: Option<String>,

    /// The position before this move of the game; without, the one at its end
    #[arg(long, value_name = "MOVE")]
    at: Option<Label>,

    /// Steps of this turn that are taken already, as 'Ee2n Ee3n'
    #[arg(
        long,
        value_name = "STEPS",
        default_value = "",
        hide_default_value = true
    )]
    steps: String,

    /// How many turns to show
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = lines)]
    lines: usize,

    /// Engine and options, as in `hathi:threads=2,hash=256`
    #[arg(long, value_name = "NAME[:OPTIONS]", default_value = hathi_engine::EngineKind::USUAL.name())]
    engine: EngineSpec,

    /// Seconds to think; 5 if no limit is given
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Positions to look at: the same answer on every machine, with one thread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Steps to look ahead
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u32).range(1..=400))]
    depth: Option<u32>,

    #[command(flatten)]
    store: StoreArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi analyse position.txt
  hathi analyse position.txt --steps 'Ee2n Ee3n' --lines 5 --time 20
  hathi analyse game.txt --at 12s --nodes 1000000 --json
  hathi analyse position.txt --engine hathi:threads=2,hash=256 --depth 14";

fn lines(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|lines| (1..=MOST_LINES).contains(lines))
        .ok_or_else(|| format!("expected 1 to {MOST_LINES}"))
}

#[derive(Serialize)]
struct Answered {
    position: String,
    /// Steps of the turn that were taken before.
    steps: String,
    engine: String,
    #[serde(flatten)]
    analysed: AnalysedView,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let game = asked(args)?;
    let begun: Turn = if args.steps.trim().is_empty() {
        Turn::EMPTY
    } else {
        let wrong = |error| BadInput::error(format!("--steps: {error}"));
        args.steps.parse().map_err(wrong)?
    };
    let request = AnalysisRequest {
        game: &game,
        begun,
        lines: args.lines,
        also: &[],
    };
    let limits = Limits {
        nodes: args.nodes,
        depth: args.depth,
        ..limits_of_time(args)
    }
    .with_stop(stop::for_engines());
    let mut engine = with_store(args.engine.clone(), &args.store)?.build()?;
    engine.new_game(1);
    let analysis = engine
        .analyse(&request, &limits, &mut |_| {})
        .map_err(|error| match error {
            EngineError::BadSteps => BadInput::error(format!(
                "--steps: {} cannot be played here",
                args.steps.trim()
            )),
            error @ (EngineError::NoAnalysis | EngineError::NotSetUp) => {
                BadInput::error(error.to_string())
            }
            error => error.into(),
        })?;
    let answered = Answered {
        position: game.position().to_string(),
        steps: begun.to_string(),
        engine: args.engine.to_string(),
        analysed: AnalysedView::new(&game, &analysis),
    };
    output::show(args.json, &answered, |out| answered.write(&game, out))?;
    Ok(Answer::Yes)
}

fn limits_of_time(args: &Args) -> Limits {
    match args.time {
        Some(time) => Limits::time(time),
        None if args.nodes.is_some() || args.depth.is_some() => Limits::none(),
        None => Limits::time(Duration::from_secs(5)),
    }
}

/// The game up to the turn that is asked about.
fn asked(args: &Args) -> anyhow::Result<Game> {
    let side = args.side.map(Into::into);
    match Given::read(&args.given, side, args.game.as_deref())? {
        Given::Position(_) if args.at.is_some() => Err(BadInput::error(
            "--at is about games, and this is a position",
        )),
        Given::Position(position) => Ok(Game::from_position(RuleSet::Modern, position)),
        Given::Game(given) => {
            if let (Some(fault), None) = (&given.fault, args.at) {
                output::note(&format!("the record goes on, but {fault}"));
            }
            match args.at {
                Some(label) => game_before(&given.game, label),
                None => Ok(given.game),
            }
        }
    }
}

impl Answered {
    fn write(&self, game: &Game, out: &mut impl Write) -> io::Result<()> {
        let AnalysedView {
            depth,
            nodes,
            seconds,
            lines,
            ..
        } = &self.analysed;
        writeln!(
            out,
            "{} to move; {depth} steps ahead, {} positions, {seconds:.1} s",
            game.side_to_move().name(),
            grouped(*nodes as usize)
        )?;
        for (rank, line) in (1..).zip(lines) {
            writeln!(out, "\n{rank}. {}  ({})", line.turn, line.words)?;
            let then = line.line.get(1..).unwrap_or_default();
            if !then.is_empty() {
                writeln!(out, "   then {}", then.join(", "))?;
            }
        }
        Ok(())
    }
}
