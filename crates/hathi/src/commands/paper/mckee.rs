//! `hathi paper mckee`: chapter 4 of McKee's thesis of 2014, done again.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use hathi_engine::EngineKind;
use hathi_lab::mckee::{self, ControlRequest, DoseRequest, MEMORY_BOTS, OPPONENTS, Request, Share};
use hathi_store::Place;

use super::{Ending, finish};
use crate::Answer;
use crate::args::engine::{seconds, store_name};
use crate::args::store::{StoreArgs, explain};
use crate::failure::BadInput;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Repeat McKee's experiments of 2014: a memory bot against the fallback
///
/// McKee's thesis ("Developing a higher ranked fall back move generator using a relational
/// database", 2014) measured how often a database of games knows a position, how long it takes to
/// ask, and how often a bot that plays from it beats the search that other bots fall back to. This
/// command does the same with your store and writes his figures and ours side by side:
///
/// 1. the most popular setups (his table 5);
/// 2. the time of questions on eighths of the games (tables 6 and 8 to 11);
/// 3. matches of `mimic-2014` (his bot by the letter) and `mimic` (ours) against `fallback`: hit
///    rates by move number (figures 8 to 11, table 12), win rate over the games (figure 12), time
///    of a turn; and `mimic-2014` against `random`, as he calls his opponent no better than that;
/// 4. the same match with smaller memories, and with games of strong players only.
///
/// With --dose it asks instead what 65 % takes: oracles that play well with a given chance, and else any
/// turn, against a ladder of opponents; `mimic-2014` in all 32 readings of the thesis; memories by size
/// and source. That report goes to the folder `dose`.
///
/// With --control his database is made here: his table, his index and his questions as printed, over the
/// games of your store, in SQLite and, with --server, in PostgreSQL, timed beside ours. What his times
/// owe to his design and what to his machine is told apart so, and the answers are compared. That report
/// goes to the folder `control`; it takes minutes, and for a while the disk space of some 250 bytes a position.
///
/// The folder gets report.html, report.md with its drawings, summary.json, and everything behind
/// them: the games in the archive format, a line of JSON a game with what every level of the memory
/// knew at each move. Interrupt it whenever you like: the same command goes on where it stopped, and
/// a larger --games adds games. With --time the games depend on the machine; with --nodes they do not.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Games of each match; an even number, as colours change
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,

    /// Seconds a turn for engines that search
    #[arg(long, value_name = "SECONDS", default_value = "0.05", value_parser = seconds)]
    time: Duration,

    /// Positions a turn instead of time, for results that do not depend on the machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "time")]
    nodes: Option<u64>,

    /// Ask what 65 % takes instead, with so many games a cell (200 if no number is given); an even number,
    /// fewer in cells that take long. It takes an hour or two; Ctrl-C loses nothing
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "200",
          conflicts_with_all = ["games", "time", "nodes", "drawn_setups"])]
    dose: Option<u64>,

    /// With --dose: against the first N opponents of the ladder only; the last ones look 6 and 8 steps ahead
    /// and take most of the time
    #[arg(long, value_name = "N", requires = "dose", default_value_t = OPPONENTS as u64,
          value_parser = clap::value_parser!(u64).range(1..=OPPONENTS as u64))]
    opponents: u64,

    /// Ask his database and ours the same instead, about so many positions (20 if no number is given)
    #[arg(long, value_name = "POSITIONS", num_args = 0..=1, default_missing_value = "20",
          value_parser = clap::value_parser!(u16).range(1..), conflicts_with_all = ["games", "time", "nodes", "drawn_setups", "dose"])]
    control: Option<u16>,

    /// With --control: a PostgreSQL server that gets his table, too, for the time being; the store's, if it
    /// has one
    #[arg(long, value_name = "URL", requires = "control")]
    server: Option<OsString>,

    /// Both sides get setups drawn by chance; else each sets up itself, as in the thesis
    #[arg(long)]
    drawn_setups: bool,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    /// Keep everything in this folder, and go on there after an interruption
    #[arg(long, value_name = "DIR", default_value = "paper-mckee")]
    out: PathBuf,

    /// Smaller memories to compare: parts of all games, drawn by chance
    #[arg(long, value_name = "SHARES", default_value = "1/8,1/4,1/2", value_delimiter = ',',
          value_parser = Share::parse, help_heading = "Other memories")]
    sizes: Vec<Share>,

    /// Better memories to compare: both players rated N or more
    ///
    /// Beside each stands a memory of about as many games drawn by chance, so that quality is not
    /// mistaken for size.
    #[arg(
        long,
        value_name = "N,...",
        default_value = "1800,2000",
        value_delimiter = ',',
        help_heading = "Other memories"
    )]
    ratings: Vec<i32>,

    /// Games of each match with another memory, an even number; a fifth of --games if not given, 0
    /// for no such matches
    #[arg(long, value_name = "N", help_heading = "Other memories")]
    memory_games: Option<u64>,

    /// Who plays with other memories: mimic-2014, mimic or both
    #[arg(long, value_name = "ENGINES", default_value = "mimic-2014", value_delimiter = ',',
          value_parser = memory_bot, help_heading = "Other memories")]
    memory_players: Vec<EngineKind>,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi paper mckee --games 40                 a first look, in minutes
  hathi paper mckee --concurrency 2            the whole experiment, in hours
  hathi paper mckee --nodes 20000 --out fixed  the same result on every machine
  hathi paper mckee --dose --concurrency 2     what it takes to win 65 %
  hathi paper mckee --control                  his database and ours, asked the same
  hathi paper mckee --memory-games 0 --json | jq '.matches[] | {player, rate}'";

fn memory_bot(text: &str) -> Result<EngineKind, String> {
    EngineKind::by_name(text)
        .filter(|kind| MEMORY_BOTS.contains(kind))
        .ok_or_else(|| "expected mimic-2014 or mimic".to_owned())
}

impl Args {
    /// What is asked for; pairs of games stay whole.
    fn request(&self) -> anyhow::Result<Request> {
        let memory_games = self
            .memory_games
            .unwrap_or((self.games / 5).next_multiple_of(2));
        for (option, games) in [("--games", self.games), ("--memory-games", memory_games)] {
            if !games.is_multiple_of(2) {
                return Err(BadInput::error(format!(
                    "{option} {games}: give an even number, as colours change"
                )));
            }
        }
        Ok(Request {
            games: self.games,
            time: self.time,
            nodes: self.nodes,
            drawn_setups: self.drawn_setups,
            seed: self.seed,
            concurrency: self.concurrency,
            store: store_name(&self.store)?,
            out: self.out.clone(),
            sizes: self.sizes.clone(),
            ratings: self.ratings.clone(),
            memory_games,
            memory_players: self.memory_players.clone(),
        })
    }
}

/// What it takes to win 65 %.
fn dose(args: &Args, games: u64) -> anyhow::Result<Answer> {
    if !games.is_multiple_of(2) || games == 0 {
        return Err(BadInput::error(format!(
            "--dose {games}: give an even number, as colours change"
        )));
    }
    let request = DoseRequest {
        games,
        opponents: args.opponents as usize,
        seed: args.seed,
        concurrency: args.concurrency,
        store: store_name(&args.store)?,
        out: args.out.join("dose"),
    };
    let memory = args.store.open()?;
    stop::listen();
    let summary = mckee::dose(&request, &*memory, &Terminal)?;
    let ending = Ending::of(summary.is_complete());
    finish(args.json, &summary, &request.out, ending, |out| {
        summary.write(out)
    })
}

/// His database beside ours.
fn control(args: &Args, positions: u16) -> anyhow::Result<Answer> {
    let store = args.store.existing_place()?;
    let server = match &args.server {
        Some(url) => Some(Place::new(url).map_err(explain)?),
        None => Some(store.clone()),
    };
    let request = ControlRequest {
        positions: positions.into(),
        server: server.filter(|place| place.file().is_none()),
        store: store.to_string(),
        out: args.out.join("control"),
    };
    if args.server.is_some() && request.server.is_none() {
        return Err(BadInput::error("--server takes postgres://..."));
    }
    let memory = args.store.open()?;
    stop::listen();
    let summary = mckee::control(&request, &*memory, &Terminal)?;
    let ending = if summary.is_complete() {
        Ending::Complete
    } else {
        Ending::Stopped("stopped; the same command does it anew")
    };
    finish(args.json, &summary, &request.out, ending, |out| {
        summary.write(out)
    })
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    if let Some(positions) = args.control {
        return control(args, positions);
    }
    if let Some(games) = args.dose {
        return dose(args, games);
    }
    let request = args.request()?;
    let memory = args.store.open()?;
    stop::listen();
    let summary = mckee::run(&request, &*memory, &Terminal)?;
    let ending = Ending::of(summary.is_complete());
    finish(args.json, &summary, &args.out, ending, |out| {
        summary.write(out)
    })
}
