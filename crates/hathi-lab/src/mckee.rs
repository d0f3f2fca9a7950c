//! Chapter 4 of McKee's thesis of 2014, done again.

mod bins;
mod control;
mod dose;
mod matches;
mod memories;
mod moves;
mod queries;
mod report;
mod setups;
mod subset;
mod summary;
mod thesis;
pub(crate) mod waited;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hathi_engine::{EngineKind, EngineSpec};
use hathi_store::Memory;
use hathi_view::numbers;

use crate::failure::BadInput;
use crate::folder::{self, Settings};
use crate::watcher::Watcher;
use matches::{Fixture, Rules};
use memories::Plan;
use summary::Experiment;

pub use control::{ControlRequest, ControlSummary, control};
pub use dose::{DoseRequest, DoseSummary, OPPONENTS, dose};
pub use memories::Share;
pub use summary::Summary;

/// The bots that play from memory.
pub const MEMORY_BOTS: [EngineKind; 2] = [EngineKind::Mimic2014, EngineKind::Mimic];

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Request {
    /// Games of each match; an even number, as colours change.
    pub games: u64,
    /// Time of a turn for engines that search.
    pub time: Duration,
    /// Positions a turn instead, for results that do not depend on the machine.
    pub nodes: Option<u64>,
    /// Both sides get setups drawn by chance; else each sets up itself.
    pub drawn_setups: bool,
    /// Every random choice follows from it.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Where the memory is, as engines want it.
    pub store: String,
    /// The folder that gets everything.
    pub out: PathBuf,
    /// Smaller memories to compare.
    pub sizes: Vec<Share>,
    /// Better memories to compare: both players rated so or better.
    pub ratings: Vec<i32>,
    /// Games of each match with another memory, an even number; none for 0.
    pub memory_games: u64,
    /// Who plays with other memories.
    pub memory_players: Vec<EngineKind>,
}

impl Request {
    fn rules(&self) -> Rules {
        Rules {
            time: self.nodes.is_none().then_some(self.time),
            nodes: self.nodes,
            drawn_setups: self.drawn_setups,
            seed: self.seed,
            concurrency: self.concurrency,
        }
    }
}

/// Does what is not done yet in the folder, and writes the report.
pub fn run(
    request: &Request,
    memory: &dyn Memory,
    watcher: &dyn Watcher,
) -> anyhow::Result<Summary> {
    let totals = memory.totals()?;
    if totals.games < 8 {
        return Err(BadInput::error(format!(
            "the store has {}: too few for an experiment; `hathi import` or `hathi synth` help",
            numbers::counted(totals.games as usize, "game")
        )));
    }
    let rules = request.rules();
    let experiment = Experiment {
        games: request.games,
        limit: match rules.nodes {
            Some(nodes) => format!("{} positions a turn", numbers::grouped(nodes as usize)),
            None => format!("{} s a turn", request.time.as_secs_f64()),
        },
        drawn_setups: request.drawn_setups,
        seed: request.seed,
        store_games: totals.games,
        store_positions: totals.positions,
        puzzles: totals.puzzles,
        puzzles_linked: memory.puzzle_counts()?.linked,
    };
    let out = &request.out;
    let _lock = folder::open(out, &settings(&experiment, &request.store))?;

    let setups = setups::measure(memory)?;
    let queries = queries::measure(memory, out, watcher)?;
    let mut played = Vec::new();
    let matches = out.join("matches");
    let play = |player: EngineKind, opponent: EngineKind, place: &Path| {
        let fixture = Fixture {
            player: EngineSpec::of(player),
            opponent: EngineSpec::of(opponent),
            store: &request.store,
            games: request.games,
            place,
        };
        matches::play(&fixture, memory, &rules, watcher)
    };
    for player in MEMORY_BOTS {
        let place = matches.join(player.name());
        played.push(play(player, EngineKind::Fallback, &place)?);
    }
    // He calls the moves of his opponent no better than random ones.
    let place = matches.join("mimic-2014-random");
    let against_random = play(EngineKind::Mimic2014, EngineKind::Random, &place)?;
    let plan = Plan {
        sizes: &request.sizes,
        ratings: &request.ratings,
        players: &request.memory_players,
        games: request.memory_games,
    };
    let memories = memories::compare(memory, &plan, &rules, out, watcher)?;
    let summary = Summary {
        experiment,
        complete: !watcher.asked_to_stop(),
        setups,
        queries,
        matches: played,
        against_random,
        memories,
    };
    folder::write(&out.join("summary.json"), &summary)?;
    report::document(&summary)
        .save(out)
        .map_err(|error| anyhow::anyhow!("cannot write into {}: {error}", out.display()))?;
    Ok(summary)
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

impl Summary {
    /// Was it done to its end?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The win rates, in words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for played in &self.matches {
            let rate = played.rate;
            writeln!(
                out,
                "{} against {}: {} of {} games won, {:.1} % ({:.1} to {:.1}); a level of the memory \
                 answers {:.1} % of its moves",
                played.player,
                played.opponent,
                numbers::grouped(played.wins as usize),
                numbers::grouped(played.games as usize),
                100.0 * rate.value,
                100.0 * rate.low,
                100.0 * rate.high,
                100.0 * played.bins.all.share(played.bins.all.any),
            )?;
        }
        writeln!(out, "McKee 2014: about 65 % of 1,000 games won.")
    }
}
