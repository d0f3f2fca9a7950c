//! `hathi paper mckee`: chapter 4 of McKee's thesis of 2014, done again.

mod bins;
mod matches;
mod memories;
mod moves;
mod queries;
mod report;
mod setups;
mod subset;
mod summary;
mod thesis;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hathi_engine::EngineKind;

use super::folder::{self, Settings};
use super::rate;
use crate::Answer;
use crate::engine_args::{self, seconds};
use crate::failure::BadInput;
use crate::output;
use crate::stop;
use crate::store_args::StoreArgs;
use matches::{Fixture, Rules};
use memories::{Plan, Share};
use summary::{Experiment, Summary};

/// Repeat McKee's experiments of 2014: a memory bot against the fallback
///
/// McKee's thesis ("Developing a higher ranked fall back move generator using a relational
/// database", 2014) measured how often a database of games knows a position, how long it takes to
/// ask, and how often a bot that plays from it beats a two-turn search. This command does the same
/// with your store and writes his figures and ours side by side:
///
/// 1. the most popular setups (his table 5);
/// 2. the time of questions on eighths of the games (tables 6 and 8 to 11);
/// 3. matches of `mimic-2014` (his bot by the letter) and `mimic` (ours) against `fallback`: hit
///    rates by move number (figures 8 to 11, table 12), win rate over the games (figure 12), time
///    of a turn; and `mimic-2014` against `random`, as he calls his opponent no better than that;
/// 4. the same match with smaller memories, and with games of strong players only.
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
  hathi paper mckee --memory-games 0 --json | jq '.matches[] | {player, rate}'";

/// The bots that play from memory.
const MEMORY_BOTS: [EngineKind; 2] = [EngineKind::Mimic2014, EngineKind::Mimic];

fn memory_bot(text: &str) -> Result<EngineKind, String> {
    EngineKind::by_name(text)
        .filter(|kind| MEMORY_BOTS.contains(kind))
        .ok_or_else(|| "expected mimic-2014 or mimic".to_owned())
}

impl Args {
    fn rules(&self) -> Rules {
        Rules {
            time: self.nodes.is_none().then_some(self.time),
            nodes: self.nodes,
            drawn_setups: self.drawn_setups,
            seed: self.seed,
            concurrency: self.concurrency,
        }
    }

    /// Games with other memories; pairs stay whole.
    fn memory_games(&self) -> u64 {
        self.memory_games
            .unwrap_or((self.games / 5).next_multiple_of(2))
    }

    fn check(&self) -> anyhow::Result<()> {
        for (option, games) in [
            ("--games", self.games),
            ("--memory-games", self.memory_games()),
        ] {
            if !games.is_multiple_of(2) {
                return Err(BadInput::error(format!(
                    "{option} {games}: give an even number, as colours change"
                )));
            }
        }
        Ok(())
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    args.check()?;
    let memory = args.store.open()?;
    let totals = memory.totals()?;
    if totals.games < 8 {
        return Err(BadInput::error(format!(
            "the store has {}: too few for an experiment; `hathi import` or `hathi synth` help",
            output::counted(totals.games as usize, "game")
        )));
    }
    let store = engine_args::memory(&args.store);
    let rules = args.rules();
    let experiment = Experiment {
        games: args.games,
        limit: match rules.nodes {
            Some(nodes) => format!("{} positions a turn", output::grouped(nodes as usize)),
            None => format!("{} s a turn", args.time.as_secs_f64()),
        },
        drawn_setups: args.drawn_setups,
        seed: args.seed,
        store_games: totals.games,
        store_positions: totals.positions,
        puzzles: totals.puzzles,
    };
    let _lock = folder::open(&args.out, &settings(&experiment, &store))?;
    stop::listen();
    let stop = stop::for_engines();

    let setups = setups::measure(&*memory)?;
    let queries = queries::measure(&*memory, &args.out, &stop)?;
    let mut played = Vec::new();
    let matches = args.out.join("matches");
    let play = |player: EngineKind, opponent: EngineKind, place: &Path| {
        let fixture = Fixture {
            player,
            opponent,
            store: &store,
            games: args.games,
            place,
        };
        matches::play(&fixture, &*memory, &rules, &stop)
    };
    for player in MEMORY_BOTS {
        let place = matches.join(player.name());
        played.push(play(player, EngineKind::Fallback, &place)?);
    }
    // He calls the moves of his opponent no better than random ones.
    let place = matches.join("mimic-2014-random");
    let against_random = play(EngineKind::Mimic2014, EngineKind::Random, &place)?;
    let plan = Plan {
        sizes: &args.sizes,
        ratings: &args.ratings,
        players: &args.memory_players,
        games: args.memory_games(),
    };
    let memories = memories::compare(&*memory, &plan, &rules, &args.out, &stop)?;
    let summary = Summary {
        experiment,
        complete: !stop.asked(),
        setups,
        queries,
        matches: played,
        against_random,
        memories,
    };
    folder::write(&args.out.join("summary.json"), &summary)?;
    report::document(&summary)
        .save(&args.out)
        .map_err(|error| anyhow::anyhow!("cannot write into {}: {error}", args.out.display()))?;
    show(&summary, args)?;
    if stop.asked() {
        output::note("stopped; the same command goes on from here");
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}

/// What must stay the same. The number of games may grow.
fn settings(experiment: &Experiment, store: &str) -> Settings {
    [
        ("store", store.to_owned()),
        (
            "number of games in the store",
            experiment.store_games.to_string(),
        ),
        ("limit of thinking", experiment.limit.clone()),
        (
            "way to set up",
            if experiment.drawn_setups {
                "drawn"
            } else {
                "own"
            }
            .to_owned(),
        ),
        ("seed", experiment.seed.to_string()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

fn show(summary: &Summary, args: &Args) -> anyhow::Result<()> {
    if args.json {
        let mut out = output::plain();
        output::json(&mut out, summary)?;
        return Ok(out.flush()?);
    }
    let mut out = output::styled();
    for played in &summary.matches {
        let rate = played.rate;
        writeln!(
            out,
            "{} against {}: {} of {} games won, {:.1} % ({:.1} to {:.1}); a level of the memory \
             answers {:.1} % of its moves",
            played.player,
            played.opponent,
            output::grouped(played.wins as usize),
            output::grouped(played.games as usize),
            100.0 * rate.value,
            100.0 * rate.low,
            100.0 * rate.high,
            100.0 * played.bins.all.share(played.bins.all.any),
        )?;
    }
    writeln!(out, "McKee 2014: about 65 % of 1,000 games won.")?;
    writeln!(out, "See {}", args.out.join("report.html").display())?;
    Ok(out.flush()?)
}
