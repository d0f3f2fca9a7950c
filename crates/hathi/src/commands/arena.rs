//! `hathi arena`: engines against each other.

mod report;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use hathi_archive::{GameId, Occasion};
use hathi_arena::{
    Event, Format, Openings, PlayerKind, PlayerSpec, Sprt, StartPositions, Thinking, Tournament,
    TournamentError,
};
use hathi_rules::TimeControl;
use hathi_store::remember;

use crate::Answer;
use crate::args::engine::{note_empty_memory, seconds, store_name};
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::input::Source;
use crate::terminal::output;
use crate::terminal::progress::ArenaBar;
use crate::terminal::standings::live;
use crate::terminal::stop;

/// Play engines against each other
///
/// Everybody meets everybody (or with --gauntlet the first all others), in pairs of games: the same
/// opening, once with each colour. At the end, or after Ctrl-C, stands who won how often, the Elo
/// difference with its 95 % error (from pairs, as the two games of a pair are related), how likely
/// the first is the better one (LOS), how games ended, and how long turns took. A crash, an illegal
/// move or a late one loses the game and is counted.
///
/// With --out every finished game is kept in a folder, in the archive format, and the same command
/// goes on where it was interrupted.
///
/// A player is NAME[:OPTION=VALUE,...] for an engine of Hathi's own, or NAME=cmd:COMMAND for any
/// program that speaks AEI.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools)] // switches of a command line
pub(crate) struct Args {
    /// Two or more players
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<PlayerSpec>,

    /// Games of everybody who meets; an even number [default: 20, with --positions two from each]
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// Only the first player meets the others
    #[arg(long)]
    gauntlet: bool,

    /// Only those meet who stand at most so many places apart in the list: for players in order of
    /// strength, when far ones would only win or lose
    #[arg(long, value_name = "N", conflicts_with = "gauntlet", value_parser = clap::value_parser!(u32).range(1..))]
    near: Option<u32>,

    /// Seconds for every turn
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Thinking")]
    time: Option<Duration>,

    /// A time control instead, M/R/P/L/G/T: 15s/1 is 15 seconds a turn and a minute in reserve
    #[arg(
        long,
        value_name = "CONTROL",
        conflicts_with = "time",
        help_heading = "Thinking"
    )]
    control: Option<TimeControl>,

    /// Positions to look at for a turn
    #[arg(long, value_name = "N", help_heading = "Thinking")]
    nodes: Option<u64>,

    /// Depth in steps
    #[arg(long, value_name = "STEPS", help_heading = "Thinking")]
    depth: Option<u32>,

    /// Seconds forgiven on every turn, as machines are busy
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = seconds, help_heading = "Thinking")]
    margin: Duration,

    /// Count pieces after so many moves of each side; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 150)]
    max_moves: u32,

    /// The players set up themselves; else both get setups drawn by chance
    #[arg(long)]
    own_setups: bool,

    /// Random turns after the setups
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        conflicts_with = "own_setups"
    )]
    random_turns: usize,

    /// Games start from the positions of this file, each once with each colour: one a line,
    /// `g [64 characters]`; empty lines and those that begin with # are passed over
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["own_setups", "random_turns", "learn"]
    )]
    positions: Option<PathBuf>,

    /// Stop as soon as it is clear: Elo difference rather A or rather B (of two players)
    #[arg(long, value_name = "A,B", value_parser = elo_pair, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Chance of a wrong yes in --sprt
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = chance)]
    alpha: f64,

    /// Chance of a wrong no in --sprt
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = chance)]
    beta: f64,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Keep the games in this folder, and go on there after an interruption
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Add the games to the store, too
    #[arg(long)]
    learn: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi arena fairy:depth=8 fairy:depth=6 --games 100 --concurrency 2
  hathi arena fairy greedy random --games 10 --time 0.1
  hathi arena random level-1 level-2 level-3 greedy:depth=4 --near 2 --games 40
  hathi arena fairy 'simple=cmd:python3 -m pyrimaa.simple_engine' --control 15s/1
  hathi arena new=cmd:'target/release/hathi aei' old=cmd:'old/hathi aei' --time 0.2 \\
      --sprt 0,10 --games 20000 --out tests/new-against-old
  hathi arena rat rat:dpg=off --positions hostages.txt --nodes 5000
  hathi arena fairy fallback --nodes 5000 --json | jq '.pairings[0].elo'";

fn elo_pair(text: &str) -> Result<(f64, f64), String> {
    let pair = text.split_once(',').and_then(|(low, high)| {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.abs() < 1000.0);
        Some((number(low)?, number(high)?))
    });
    pair.filter(|(low, high)| low < high)
        .ok_or_else(|| "expected two Elo differences, the lower one first: 0,10".to_owned())
}

fn chance(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|chance| (0.0001..0.5).contains(chance))
        .ok_or_else(|| "expected a chance from 0.0001 to 0.5, such as 0.05".to_owned())
}

impl Args {
    /// Where engines remember, said if there is nothing.
    fn memory(&self) -> anyhow::Result<String> {
        let memory = store_name(&self.store)?;
        for player in &self.players {
            if let PlayerKind::BuiltIn(spec) = &player.kind {
                let mut spec = spec.clone();
                if spec.options.store.is_empty() {
                    spec.options.store.clone_from(&memory);
                }
                note_empty_memory(&spec);
            }
        }
        Ok(memory)
    }

    fn tournament(&self) -> anyhow::Result<Tournament> {
        let players = self.players.clone();
        if self.sprt.is_some() && players.len() != 2 {
            return Err(BadInput::error("--sprt is about two players"));
        }
        let mut thinking = Thinking {
            time: self.time,
            control: self.control,
            nodes: self.nodes,
            depth: self.depth,
            margin: self.margin,
        };
        let limited = |player: &PlayerSpec| match &player.kind {
            PlayerKind::BuiltIn(spec) => spec.is_limited(),
            PlayerKind::Program(_) => false,
        };
        let any_limit = self.control.is_some() || self.nodes.is_some() || self.depth.is_some();
        if thinking.time.is_none() && !any_limit && !players.iter().all(limited) {
            thinking.time = Some(Duration::from_millis(100));
            output::note(
                "no limit is set: every turn has 0.1 s; see --time, --control, --nodes, --depth",
            );
        }
        let openings = match &self.positions {
            Some(file) => Openings::From(start_positions(file)?),
            None if self.own_setups => Openings::Own,
            None => Openings::Drawn {
                turns: self.random_turns,
            },
        };
        Ok(Tournament {
            format: match self.near {
                _ if self.gauntlet => Format::Gauntlet,
                Some(places) => Format::Near(places as usize),
                None => Format::RoundRobin,
            },
            games: self.games.unwrap_or(match &openings {
                Openings::From(positions) => 2 * positions.len() as u64,
                Openings::Own | Openings::Drawn { .. } => 20,
            }),
            openings,
            thinking,
            max_moves: self.max_moves,
            concurrency: self.concurrency,
            seed: self.seed,
            sprt: self.sprt.map(|(elo0, elo1)| Sprt {
                elo0,
                elo1,
                alpha: self.alpha,
                beta: self.beta,
            }),
            memory: self.memory()?,
            ..Tournament::new(players)
        })
    }
}

/// The positions of a file.
fn start_positions(file: &Path) -> anyhow::Result<StartPositions> {
    let source = Source::new(file.as_os_str());
    let mut text = String::new();
    source
        .open()?
        .read_to_string(&mut text)
        .map_err(|error| source.unreadable(&error))?;
    StartPositions::read(&text)
        .map_err(|error| BadInput::error(format!("{}: {error}", source.name())))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let tournament = args.tournament()?;
    let learns = |player: &PlayerSpec| match &player.kind {
        PlayerKind::BuiltIn(spec) => spec.options.learn,
        PlayerKind::Program(_) => false,
    };
    let learn = args.learn || args.players.iter().any(learns);
    if learn && args.positions.is_some() {
        return Err(BadInput::error(
            "games that start from a position cannot be added to the store: leave learn=true out",
        ));
    }
    let store = learn.then(|| args.store.place()).transpose()?;
    stop::listen();
    let stop = stop::for_engines();
    let bar = ArenaBar::new();
    let started = Instant::now();
    let trouble = Mutex::new(None);
    let listener = |event: &Event<'_>| match event {
        Event::Started { .. } => {}
        Event::Moved { .. } => bar.tick(),
        Event::Finished {
            game,
            archived,
            standings,
            ..
        } => {
            bar.show(standings.games, standings.planned, &live(standings));
            if let Some(store) = &store {
                // A number of its own: those of tournaments repeat.
                let mut about = (*archived).clone();
                about.id = GameId::own(Occasion::Arena, about.end.unwrap_or(0));
                if let Err(error) = remember(store, about, game) {
                    *trouble
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner) =
                        Some(error.to_string());
                }
            }
        }
    };
    let standings = tournament.run(args.out.as_deref(), &stop, &listener);
    drop(bar);
    let standings = standings.map_err(explain)?;
    if let Ok(Some(trouble)) = trouble.into_inner() {
        output::note(&format!(
            "not all games could be added to the store: {trouble}"
        ));
    }
    report::write(&standings, started.elapsed(), args.json)?;
    if stop.asked() {
        if let Some(out) = &args.out {
            output::note(&format!(
                "stopped; the same command goes on from here, {} has the games",
                out.display()
            ));
        }
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}

/// What the user can mend is bad input.
fn explain(error: TournamentError) -> anyhow::Error {
    if error.can_be_mended() {
        BadInput::error(error.to_string())
    } else {
        error.into()
    }
}
