//! Trippen 2009, "Plans, Patterns and Move Categories Guiding a Highly Selective
//! Search": how selective the bot is, whom it beats, what its one strategy is worth,
//! and whether blind playouts are as useless as it says.

mod handicap;
mod hostages;
mod report;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hathi_arena::{
    Elo, Openings, PlayerKind, PlayerSpec, StartPositions, Thinking, Tournament, finished_games,
};
use hathi_engine::{EngineSpec, Limits};
use serde::Serialize;

use crate::bench::Corpus;
use crate::branching::{self, Branching};
use crate::fingerprint;
use crate::folder::{self, Settings};
use crate::matches;
use crate::rate::Rate;
use crate::survey::{self, Survey};
use crate::watcher::Watcher;
use handicap::Handicap;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Request {
    /// Games of each match against somebody who looks one turn ahead; even.
    pub games: u64,
    /// Games of each match against somebody who looks two turns ahead; even.
    pub games_two_turns: u64,
    /// Positions with a hostage, two games from each.
    pub hostages: usize,
    /// Middle-game positions to count candidates in.
    pub positions: usize,
    /// Games whose possible turns are counted.
    pub counted: usize,
    /// Playouts of each kind; even.
    pub playouts: u64,
    /// Every random choice follows from it.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// The folder that gets everything.
    pub out: PathBuf,
}

/// Which part of the report a match is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    Ladder,
    Variants,
    Hostages,
}

/// A match to be played.
struct Fixture {
    part: Part,
    name: &'static str,
    players: [&'static str; 2],
    two_turns: bool,
    /// What the paper says about it.
    theirs: &'static str,
}

const P1: &str = "most beaten regularly";
const P2: &str = "several beaten regularly";

const FIXTURES: &[Fixture] = &[
    fixture(Part::Ladder, "step", ["rat", "step"], false, ""),
    fixture(Part::Ladder, "greedy", ["rat", "greedy:hash=8"], false, P1),
    fixture(
        Part::Ladder,
        "fairy-4",
        ["rat", "fairy:depth=4,hash=8"],
        false,
        P1,
    ),
    fixture(
        Part::Ladder,
        "fairy-8",
        ["rat", "fairy:depth=8,hash=8"],
        true,
        P2,
    ),
    fixture(
        Part::Ladder,
        "fallback-8",
        ["rat", "fallback:depth=8,hash=32"],
        true,
        P2,
    ),
    fixture(
        Part::Variants,
        "one-plan",
        ["rat:shared=1", "rat"],
        false,
        "",
    ),
    fixture(
        Part::Variants,
        "all-plans",
        ["rat:shared=4", "rat"],
        false,
        "as in the paper",
    ),
    fixture(
        Part::Variants,
        "strict",
        ["rat:strict=on", "rat"],
        false,
        "as in the paper",
    ),
    fixture(
        Part::Variants,
        "best-only",
        ["rat:keep=1", "rat"],
        false,
        "possible",
    ),
    fixture(
        Part::Hostages,
        "with-against-fairy-4",
        ["rat:dpg=flash-kidnapping", "fairy:depth=4,hash=8"],
        false,
        "stronger bots beaten",
    ),
    fixture(
        Part::Hostages,
        "without-against-fairy-4",
        ["rat:dpg=off", "fairy:depth=4,hash=8"],
        false,
        "",
    ),
    fixture(
        Part::Hostages,
        "with-against-without",
        ["rat:dpg=flash-kidnapping", "rat:dpg=off"],
        false,
        "",
    ),
];

const fn fixture(
    part: Part,
    name: &'static str,
    players: [&'static str; 2],
    two_turns: bool,
    theirs: &'static str,
) -> Fixture {
    Fixture {
        part,
        name,
        players,
        two_turns,
        theirs,
    }
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Summary {
    seed: u64,
    /// Was it done to its end?
    complete: bool,
    /// Seconds that this run took, what it found done already aside.
    seconds: f64,
    surveys: Vec<Survey>,
    branching: Option<Branching>,
    handicaps: Vec<Handicap>,
    matches: Vec<Match>,
}

/// A match as it came out.
#[derive(Debug, Serialize)]
struct Match {
    part: Part,
    player: &'static str,
    opponent: &'static str,
    planned: u64,
    games: u64,
    wins: u64,
    /// With its 95 % interval.
    rate: Rate,
    elo: Elo,
    /// Milliseconds of a turn, on average.
    milliseconds: [f64; 2],
    theirs: &'static str,
}

/// What rat is surveyed as.
const SURVEYED: [&str; 4] = ["rat", "rat:keep=1", "rat:shared=4", "rat:strict=on"];

/// Does what is not done yet in the folder, and writes the report.
pub fn run(request: &Request, corpus: &Corpus, watcher: &dyn Watcher) -> anyhow::Result<Summary> {
    let started = Instant::now();
    let out = &request.out;
    let settings: Settings = [
        ("paper".to_owned(), "rat".to_owned()),
        ("seed".to_owned(), request.seed.to_string()),
        ("games".to_owned(), corpus.about.text()),
        ("positions".to_owned(), request.positions.to_string()),
        ("games counted".to_owned(), request.counted.to_string()),
        ("playouts".to_owned(), request.playouts.to_string()),
        ("hostages".to_owned(), request.hostages.to_string()),
        ("state of the engines".to_owned(), state_of_engines()?),
    ]
    .into();
    let _lock = folder::open(out, &settings)?;
    let mut summary = Summary {
        seed: request.seed,
        complete: false,
        seconds: 0.0,
        surveys: Vec::new(),
        branching: None,
        handicaps: Vec::new(),
        matches: Vec::new(),
    };
    measure(request, corpus, watcher, &mut summary)?;
    summary.complete = !watcher.asked_to_stop();
    summary.seconds = started.elapsed().as_secs_f64();
    folder::write(&out.join("summary.json"), &summary)?;
    report::document(&summary)
        .save(out)
        .map_err(|error| anyhow::anyhow!("cannot write into {}: {error}", out.display()))?;
    Ok(summary)
}

fn measure(
    request: &Request,
    corpus: &Corpus,
    watcher: &dyn Watcher,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let out = &request.out;
    // Quick, and times are those of this machine, so it is done every time.
    for name in SURVEYED {
        let Some(survey) = survey::run(&name.parse()?, corpus, request.positions, watcher)? else {
            return Ok(());
        };
        summary.surveys.push(survey);
    }
    let counted = out.join("branching.json");
    summary.branching =
        folder::read(&counted)?.or_else(|| branching::count(corpus, request.counted, watcher));
    let Some(branching) = &summary.branching else {
        return Ok(());
    };
    folder::write(&counted, branching)?;
    let played = out.join("playouts.json");
    let handicaps = match folder::read(&played)? {
        Some(known) => Some(known),
        None => handicap::play(request.playouts, request.seed, watcher)?,
    };
    let Some(handicaps) = handicaps else {
        return Ok(());
    };
    folder::write(&played, &handicaps)?;
    summary.handicaps = handicaps;
    let starts = hostages::make(request.hostages, request.seed)?;
    let starts: Vec<String> = starts.iter().map(ToString::to_string).collect();
    let hostages = StartPositions::read(&starts.join("\n"))?;
    for fixture in FIXTURES {
        let place = out.join("matches").join(fixture.name);
        let tournament = tournament(fixture, request, &hostages)?;
        let standings = matches::play(&tournament, fixture.name, &place, watcher)?;
        let score = standings.pairings.first().map(|pairing| pairing.score);
        let score = score.unwrap_or_default();
        let elo = score.elo();
        summary.matches.push(Match {
            part: fixture.part,
            player: fixture.players[0],
            opponent: fixture.players[1],
            planned: standings.planned,
            games: standings.games,
            wins: score.wins(),
            rate: Rate::of(score.wins(), standings.games, standings.games),
            elo,
            milliseconds: milliseconds(&place)?,
            theirs: fixture.theirs,
        });
    }
    Ok(())
}

fn milliseconds(place: &Path) -> anyhow::Result<[f64; 2]> {
    let finished = finished_games(place)?;
    Ok([0, 1].map(|player| {
        let times = finished.iter().flat_map(|game| {
            let side = usize::from(game.silver == player);
            &game.used[side]
        });
        let count = times.clone().count().max(1) as f64;
        times.sum::<u64>() as f64 / 1000.0 / count
    }))
}

/// Who plays, as it is at the moment.
fn state_of_engines() -> anyhow::Result<String> {
    let names = SURVEYED.into_iter().chain(["fairy:depth=4,hash=1"]);
    let engines = names.map(str::parse).collect::<Result<Vec<_>, _>>()?;
    fingerprint::of_engines(engines, &Limits::none())
}

fn tournament(
    fixture: &Fixture,
    request: &Request,
    hostages: &StartPositions,
) -> anyhow::Result<Tournament> {
    let mut players = Vec::new();
    for name in fixture.players {
        let spec: EngineSpec = name.parse()?;
        players.push(PlayerSpec {
            name: name.to_owned(),
            kind: PlayerKind::BuiltIn(spec),
        });
    }
    let from_hostages = fixture.part == Part::Hostages;
    Ok(Tournament {
        games: match fixture.part {
            Part::Hostages => 2 * hostages.len() as u64,
            _ if fixture.two_turns => request.games_two_turns,
            _ => request.games,
        },
        openings: if from_hostages {
            Openings::From(hostages.clone())
        } else {
            Openings::Drawn { turns: 0 }
        },
        thinking: Thinking {
            // There is no clock: nobody is late.
            margin: Duration::from_secs(3600),
            ..Thinking::default()
        },
        concurrency: request.concurrency,
        seed: request.seed,
        ..Tournament::new(players)
    })
}

impl Summary {
    /// Was it done to its end?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The main figures, in words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for survey in &self.surveys {
            writeln!(
                out,
                "{}: {:.1} candidates of {:.0} turns; in the paper 5",
                survey.engine, survey.candidates.mean, survey.turns.mean
            )?;
        }
        for handicap in &self.handicaps {
            writeln!(
                out,
                "random playouts, one side without {}: it wins {}",
                handicap.without,
                report::rate_text(handicap.rate())
            )?;
        }
        for played in self.matches.iter().filter(|played| played.games > 0) {
            writeln!(
                out,
                "{} against {}: {} of {} games won, {}",
                played.player,
                played.opponent,
                played.wins,
                played.games,
                report::rate_text(played.rate)
            )?;
        }
        Ok(())
    }
}
