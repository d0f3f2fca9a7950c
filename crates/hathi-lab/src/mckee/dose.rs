//! What it takes to win 65 %: how often somebody has to play well against whom,
//! and what the readings of the thesis come to.
//!
//! | part | who plays | against |
//! |---|---|---|
//! | oracles | `mix`: an engine with chance p, else any turn | a ladder of opponents |
//! | readings | `mimic-2014` in all 32 readings | three opponents |
//! | memories | `mimic-2014` with smaller and other memories | two opponents |
//!
//! An oracle is tried where it is needed: the chance at which it comes to 65 %
//! lies between two chances that were played.

mod fit;
mod report;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hathi_arena::{Openings, PlayerSpec, Thinking, Tournament, finished_games};
use hathi_engine::{EngineSpec, Readings};
use hathi_store::{Filter, Memory, Place, StoredGame};
use hathi_view::numbers;
use serde::Serialize;

use super::matches::{self, Depth, Fixture, Lengths, Match, Rules};
use super::memories::drawn;
use super::{subset, thesis};
use crate::failure::BadInput;
use crate::folder::{self, Settings};
use crate::rate::Rate;
use crate::watcher::Watcher;
use fit::Fit;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct DoseRequest {
    /// Games of a cell; an even number, as colours change. Cells that take long,
    /// and those that only say where 65 % lies, get fewer.
    pub games: u64,
    /// How far up the ladder: the first so many of [`OPPONENTS`].
    pub opponents: usize,
    /// Every random choice follows from it.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Where the memory is, as engines want it.
    pub store: String,
    /// The folder that gets everything.
    pub out: PathBuf,
}

/// Opponents there are.
pub const OPPONENTS: usize = 9;

/// An opponent.
#[derive(Clone, Copy, Debug)]
struct Rung {
    name: &'static str,
    engine: &'static str,
    /// One game of so many is played: deep searches take their time.
    fewer: u64,
    /// Comes last: an experiment that is interrupted has something of every part.
    dear: bool,
}

const fn rung(name: &'static str, engine: &'static str, fewer: u64) -> Rung {
    Rung {
        name,
        engine,
        fewer,
        dear: false,
    }
}

impl Rung {
    const fn dear(self) -> Rung {
        Rung { dear: true, ..self }
    }
}

/// From the weakest to the strongest. `greedy` is the search of `fallback` at
/// four steps.
const LADDER: [Rung; OPPONENTS] = [
    rung("random", "random", 1),
    rung("step", "step", 1),
    rung("¼ search", "mix:p=0.25,a=fallback+depth:4", 1),
    rung("½ search", "mix:a=fallback+depth:4", 1),
    rung("2 steps", "fallback:depth=2", 1),
    rung("3 steps", "fallback:depth=3", 1),
    rung("greedy (4)", "greedy:depth=4", 5),
    rung("6 steps", "fallback:depth=6", 5).dear(),
    rung("8 steps", "fallback:depth=8", 50).dear(),
];

/// One game of so many is played with other chances than his, which only say
/// where 65 % lies.
const FEWER_FOR_OTHERS: u64 = 2;

/// And in each of the many matches of the bot itself.
const FEWER_FOR_READINGS: u64 = 2;

/// Who plays well, when it does.
const ORACLES: [(&str, &str); 3] = [
    ("greedy", "greedy+depth:4"),
    ("fairy", "fairy+nodes:2000"),
    ("hathi", "hathi+nodes:2000"),
];

/// Chances that an oracle plays well. His own hit rates come to 0.52 to 0.64.
const CHANCES: [f64; 10] = [0.05, 0.1, 0.2, 0.3, 0.43, 0.57, 0.7, 0.8, 0.9, 1.0];

/// His: the mean of what his columns come to.
const HIS_CHANCE: usize = 5;

/// Opponents of the readings: places on the ladder.
const FOR_READINGS: [usize; 3] = [0, 3, 6];

/// Opponents with other memories.
const FOR_MEMORIES: [usize; 2] = [0, 3];

/// The win rate that it is all about.
const HIS_RATE: f64 = thesis::WON as f64 / thesis::PLAYED as f64;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct DoseSummary {
    games: u64,
    seed: u64,
    store_games: u64,
    store_positions: u64,
    /// Was it done to its end?
    complete: bool,
    oracles: Vec<Oracle>,
    readings: Vec<Reading>,
    memories: Vec<OtherMemory>,
}

/// An oracle against an opponent.
#[derive(Debug, Serialize)]
struct Oracle {
    name: &'static str,
    /// Its place on the ladder.
    rung: usize,
    opponent: &'static str,
    /// By chance, lowest first.
    cells: Vec<OracleCell>,
}

#[derive(Clone, Debug, Serialize)]
struct OracleCell {
    chance: f64,
    games: u64,
    wins: u64,
    rate: Rate,
    /// How far the opponent looked.
    depth: Depth,
    lengths: Lengths,
}

/// A reading against an opponent.
#[derive(Debug, Serialize)]
struct Reading {
    #[serde(serialize_with = "as_words")]
    readings: Readings,
    opponent: &'static str,
    fit: Fit,
    #[serde(rename = "match")]
    result: Match,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn as_words<S: serde::Serializer>(readings: &Readings, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&readings.words())
}

/// Another memory against an opponent.
#[derive(Debug, Serialize)]
struct OtherMemory {
    what: String,
    games_in_memory: u64,
    opponent: &'static str,
    #[serde(rename = "match")]
    result: Match,
}

impl DoseRequest {
    fn rules(&self, openings_drawn: bool) -> Rules {
        Rules {
            time: None,
            nodes: None,
            drawn_setups: openings_drawn,
            seed: self.seed,
            concurrency: self.concurrency,
        }
    }

    /// The opponents that are asked for, and their places on the ladder.
    fn ladder(&self) -> impl Iterator<Item = (usize, &'static Rung)> {
        LADDER.iter().enumerate().take(self.opponents.max(1))
    }

    /// Some of them.
    fn among(&self, places: &[usize]) -> impl Iterator<Item = &'static Rung> {
        self.ladder()
            .filter(|(place, _)| places.contains(place))
            .map(|(_, rung)| rung)
    }

    /// Pairs stay whole, and there are two of them at least.
    fn games_of(&self, fewer: u64) -> u64 {
        (self.games / fewer)
            .next_multiple_of(2)
            .max(4)
            .min(self.games)
    }
}

/// Does what is not done yet in the folder, and writes the report.
pub fn dose(
    request: &DoseRequest,
    memory: &dyn Memory,
    watcher: &dyn Watcher,
) -> anyhow::Result<DoseSummary> {
    let totals = memory.totals()?;
    let settings: Settings = [
        ("paper", "mckee, dose".to_owned()),
        ("seed", request.seed.to_string()),
        ("store", request.store.clone()),
        ("number of games in the store", totals.games.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let out = &request.out;
    let _lock = folder::open(out, &settings)?;
    let mut summary = DoseSummary {
        games: request.games,
        seed: request.seed,
        store_games: totals.games,
        store_positions: totals.positions,
        complete: false,
        oracles: Vec::new(),
        readings: Vec::new(),
        memories: Vec::new(),
    };
    // What says most comes first and what takes long last: an interrupted
    // experiment has something of every part.
    let (quick, deep): (Vec<_>, Vec<_>) = request.ladder().partition(|(_, rung)| !rung.dear);
    summary.ask_oracles(request, &quick, Chances::His, watcher)?;
    summary.readings = readings(request, memory, watcher)?;
    summary.save(out)?;
    summary.ask_oracles(request, &quick, Chances::UpTo65, watcher)?;
    summary.memories = memories(request, memory, watcher)?;
    summary.ask_oracles(request, &deep, Chances::UpTo65, watcher)?;
    summary.complete = !watcher.asked_to_stop();
    summary.save(out)?;
    Ok(summary)
}

/// Which chances are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chances {
    /// His own.
    His,
    /// And others, until 65 % lies between two of them.
    UpTo65,
}

/// The cells of an oracle against an opponent; that with his own chance is always
/// among them.
fn oracle(
    request: &DoseRequest,
    (name, engine): (&str, &str),
    opponent: &Rung,
    chances: Chances,
    watcher: &dyn Watcher,
) -> anyhow::Result<Vec<OracleCell>> {
    let mut cells: BTreeMap<usize, OracleCell> = BTreeMap::new();
    let ask = |place: usize| {
        let cell = oracle_cell(request, (name, engine), opponent, place, watcher)?;
        anyhow::Ok((cell.games > 0).then_some(cell))
    };
    // Below everything at `low` it is less, from `high` on it is enough.
    let (mut low, mut high) = (0, CHANCES.len());
    let mut next = HIS_CHANCE;
    while low < high && !watcher.asked_to_stop() {
        let Some(cell) = ask(next)? else { break };
        if cell.rate.value >= HIS_RATE {
            high = next;
        } else {
            low = next + 1;
        }
        cells.insert(next, cell);
        if chances == Chances::His {
            return Ok(cells.into_values().collect());
        }
        next = low.midpoint(high).min(CHANCES.len() - 1);
    }
    // How sure that is: on to where chance alone does not make 65 % of it.
    while !opponent.dear
        && !watcher.asked_to_stop()
        && let Some(place) = still_open(&cells)
        && let Some(cell) = ask(place)?
    {
        cells.insert(place, cell);
    }
    Ok(cells.into_values().collect())
}

/// The next chance below or above those tried, if 65 % is within the interval of the
/// lowest or the highest one.
fn still_open(cells: &BTreeMap<usize, OracleCell>) -> Option<usize> {
    let (&lowest, first) = cells.first_key_value()?;
    let (&highest, last) = cells.last_key_value()?;
    if first.rate.high >= HIS_RATE && lowest > 0 {
        return Some(lowest - 1);
    }
    (last.rate.low < HIS_RATE && highest + 1 < CHANCES.len()).then_some(highest + 1)
}

/// An oracle with one of the [chances](CHANCES).
fn oracle_cell(
    request: &DoseRequest,
    (name, engine): (&str, &str),
    opponent: &Rung,
    place: usize,
    watcher: &dyn Watcher,
) -> anyhow::Result<OracleCell> {
    let chance = CHANCES[place];
    let player = format!("mix:hash=4,p={chance},a={engine},b=random");
    let folder = format!("{name}-{chance}-{}", file_name(opponent.engine));
    let folder = request.out.join("oracles").join(folder);
    let games = request.games_of(if place == HIS_CHANCE {
        opponent.fewer
    } else {
        opponent.fewer.max(FEWER_FOR_OTHERS)
    });
    let what = format!("{name} {chance} : {}", opponent.name);
    let players = [player.as_str(), opponent.engine];
    let cell = play(request, players, games, (&what, &folder), watcher)?;
    Ok(OracleCell { chance, ..cell })
}

/// One match without a memory.
fn play(
    request: &DoseRequest,
    players: [&str; 2],
    games: u64,
    (name, place): (&str, &Path),
    watcher: &dyn Watcher,
) -> anyhow::Result<OracleCell> {
    let tournament = Tournament {
        games,
        openings: Openings::Drawn { turns: 0 },
        thinking: unlimited(),
        max_moves: matches::MAX_MOVES,
        concurrency: request.concurrency,
        seed: request.seed,
        ..Tournament::new(vec![
            PlayerSpec::built_in(spec(players[0])?),
            PlayerSpec::built_in(spec(players[1])?),
        ])
    };
    let standings = crate::matches::play(&tournament, name, place, watcher)?;
    let finished = finished_games(place)?;
    let pairing = standings.pairings.first().map(|pairing| pairing.score);
    let wins = pairing.unwrap_or_default().wins();
    Ok(OracleCell {
        chance: 0.0,
        games: standings.games,
        wins,
        rate: Rate::of(wins, standings.games, standings.games),
        depth: matches::opponent(&finished, false).1,
        lengths: Lengths::of(&finished),
    })
}

/// Engines end their thinking themselves, by depth or by positions.
fn unlimited() -> Thinking {
    Thinking {
        nodes: Some(u64::MAX),
        margin: Duration::from_secs(3600),
        ..Thinking::default()
    }
}

fn spec(text: &str) -> anyhow::Result<EngineSpec> {
    Ok(text.parse()?)
}

/// Letters and digits of an engine.
fn file_name(text: &str) -> String {
    let kept = |letter: char| {
        if letter.is_ascii_alphanumeric() || letter == '.' {
            letter
        } else {
            '-'
        }
    };
    text.chars().map(kept).collect()
}

/// The bot in a reading. Its own search, if it has one, looks as far as the
/// strongest of these opponents.
fn reader(readings: Readings) -> EngineSpec {
    let mut spec = EngineSpec::of(hathi_engine::EngineKind::Mimic2014);
    spec.options.readings = readings;
    if readings.otherwise == hathi_engine::Otherwise::Search {
        spec.options.depth = 4;
        spec.options.hash = 4;
    }
    spec
}

fn readings(
    request: &DoseRequest,
    memory: &dyn Memory,
    watcher: &dyn Watcher,
) -> anyhow::Result<Vec<Reading>> {
    let mut all = Vec::new();
    let rules = request.rules(false);
    for readings in Readings::all() {
        for opponent in request.among(&FOR_READINGS) {
            if watcher.asked_to_stop() {
                return Ok(all);
            }
            let player = reader(readings);
            let place = format!(
                "{}-{}",
                file_name(&readings.words().replace(", ", "-")),
                file_name(opponent.engine)
            );
            let place = request.out.join("readings").join(place);
            let fixture = Fixture {
                player,
                opponent: spec(opponent.engine)?,
                store: &request.store,
                games: request.games_of(opponent.fewer.max(FEWER_FOR_READINGS)),
                place: &place,
            };
            let result = matches::play(&fixture, memory, &rules, watcher)?;
            all.push(Reading {
                readings,
                opponent: opponent.name,
                fit: Fit::of(&result),
                result,
            });
        }
    }
    Ok(all)
}

/// Parts of the memory by chance, and by where the games are from.
fn memories(
    request: &DoseRequest,
    memory: &dyn Memory,
    watcher: &dyn Watcher,
) -> anyhow::Result<Vec<OtherMemory>> {
    let folder = request.out.join("memories");
    std::fs::create_dir_all(&folder)?;
    let seed = request.seed;
    let shares = [1.0 / 64.0, 1.0 / 8.0, 1.0].map(|share| {
        let what = format!("1/{} of all games, by chance", 1.0 / share);
        let what = if share < 1.0 {
            what
        } else {
            "all games".to_owned()
        };
        (what, Filter::default(), share)
    });
    let sources = memory.sources()?;
    let of_sources = sources.iter().filter(|_| sources.len() > 1).map(|count| {
        let filter = Filter {
            sources: Some(count.source.into()),
            ..Filter::default()
        };
        (format!("games of the source {}", count.source), filter, 1.0)
    });
    let rules = request.rules(false);
    let mut all = Vec::new();
    for (number, (what, filter, share)) in shares.into_iter().chain(of_sources).enumerate() {
        let path = folder.join(format!("{number}-{}.db", file_name(&what)));
        let keep = |stored: &StoredGame| share >= 1.0 || drawn(seed, stored.row) < share;
        let choosing = format!("choosing {what}");
        let contents = subset::make(memory, &filter, &path, &choosing, watcher, keep)?;
        let Some(contents) = contents.filter(|contents| contents.games > 0) else {
            continue;
        };
        let mut own = Place::File(path.clone()).open()?;
        own.prepare(0, &mut |_, _| {})?;
        for opponent in request.among(&FOR_MEMORIES) {
            if watcher.asked_to_stop() {
                return Ok(all);
            }
            let place = folder.join(format!("{number}-{}", file_name(opponent.engine)));
            let fixture = Fixture {
                player: reader(Readings::default()),
                opponent: spec(opponent.engine)?,
                store: path
                    .to_str()
                    .ok_or_else(|| BadInput::error("the name of --out must be UTF-8"))?,
                games: request.games_of(opponent.fewer.max(FEWER_FOR_READINGS)),
                place: &place,
            };
            all.push(OtherMemory {
                what: what.clone(),
                games_in_memory: contents.games,
                opponent: opponent.name,
                result: matches::play(&fixture, &*own, &rules, watcher)?,
            });
        }
    }
    Ok(all)
}

impl Oracle {
    /// The chance at which the rate crosses 65 %, between two cells.
    fn contour(&self, of: impl Fn(&Rate) -> f64) -> Crossing {
        let points = self.cells.iter().map(|cell| (cell.chance, of(&cell.rate)));
        crossing(points)
    }
}

/// Where a curve rises above 65 %.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Crossing {
    /// Before the first chance tried.
    Below(f64),
    At(f64),
    /// After the last chance tried, if ever.
    Above(f64),
    /// Not even by always playing well.
    Never,
}

impl std::fmt::Display for Crossing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Crossing::Below(chance) => write!(f, "below {chance}"),
            Crossing::At(chance) => write!(f, "{chance:.2}"),
            Crossing::Above(chance) => write!(f, "above {chance}"),
            Crossing::Never => f.write_str("never"),
        }
    }
}

fn crossing(points: impl Iterator<Item = (f64, f64)>) -> Crossing {
    let mut before: Option<(f64, f64)> = None;
    for (chance, rate) in points {
        if rate >= HIS_RATE {
            return match before {
                None => Crossing::Below(chance),
                Some((lower, less)) => {
                    let part = (HIS_RATE - less) / (rate - less);
                    Crossing::At(lower + part * (chance - lower))
                }
            };
        }
        before = Some((chance, rate));
    }
    match before {
        Some((chance, _)) if chance >= 1.0 => Crossing::Never,
        last => Crossing::Above(last.map_or(0.0, |(chance, _)| chance)),
    }
}

impl DoseSummary {
    /// Was it done to its end?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Every oracle against these opponents.
    fn ask_oracles(
        &mut self,
        request: &DoseRequest,
        opponents: &[(usize, &Rung)],
        chances: Chances,
        watcher: &dyn Watcher,
    ) -> anyhow::Result<()> {
        for &(rung, opponent) in opponents {
            for (name, engine) in ORACLES {
                if watcher.asked_to_stop() {
                    return Ok(());
                }
                let cells = oracle(request, (name, engine), opponent, chances, watcher)?;
                let known = self.oracles.iter_mut();
                let mut known = known.filter(|known| known.rung == rung && known.name == name);
                match known.next() {
                    // Broken off, it knows less than before.
                    Some(known) if known.cells.len() > cells.len() => {}
                    Some(known) => known.cells = cells,
                    None => self.oracles.push(Oracle {
                        name,
                        rung,
                        opponent: opponent.name,
                        cells,
                    }),
                }
            }
            self.save(&request.out)?;
        }
        Ok(())
    }

    fn save(&self, out: &Path) -> anyhow::Result<()> {
        folder::write(&out.join("summary.json"), self)?;
        report::document(self)
            .save(out)
            .map_err(|error| anyhow::anyhow!("cannot write into {}: {error}", out.display()))
    }

    /// The readings nearest to his figures, best first.
    fn nearest(&self) -> Vec<&Reading> {
        let mut all: Vec<&Reading> = self
            .readings
            .iter()
            // Of a match that was broken off nobody has asked what the memory knew. One that
            // was played when more games were asked for has more than are planned now.
            .filter(|r| r.result.games >= r.result.planned && r.result.bins.all.moves > 0)
            .collect();
        all.sort_by(|a, b| a.fit.distance.total_cmp(&b.fit.distance));
        all
    }

    /// What it takes, in words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for oracle in &self.oracles {
            let Some(his) = oracle
                .cells
                .iter()
                .find(|c| c.chance == CHANCES[HIS_CHANCE])
            else {
                continue;
            };
            writeln!(
                out,
                "{} with chance {} against {}: {} of {} games won; 65 % at chance {}",
                oracle.name,
                his.chance,
                oracle.opponent,
                his.wins,
                his.games,
                oracle.contour(|rate| rate.value),
            )?;
        }
        if let Some(best) = self.nearest().first() {
            writeln!(
                out,
                "The reading nearest to his figures: {} against {}, {} of {} games won",
                best.readings.words(),
                best.opponent,
                numbers::grouped(best.result.wins as usize),
                numbers::grouped(best.result.games as usize),
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_of_the_experiment_can_be_read() {
        for rung in LADDER {
            assert_eq!(spec(rung.engine).expect(rung.name).to_string(), rung.engine);
        }
        for (name, engine) in ORACLES {
            let text = format!("mix:hash=4,p=0.57,a={engine}");
            assert_eq!(spec(&text).expect(name).to_string(), text);
        }
        for readings in Readings::all() {
            let player = reader(readings);
            assert_eq!(spec(&player.to_string()).expect("a bot"), player);
        }
    }

    #[test]
    fn the_contour_lies_between_two_cells() {
        let at = |points: &[(f64, f64)]| crossing(points.iter().copied());
        assert_eq!(at(&[(0.3, 0.5), (0.5, 0.8)]), Crossing::At(0.4));
        assert_eq!(at(&[(0.3, 0.7)]), Crossing::Below(0.3));
        assert_eq!(at(&[(0.3, 0.2), (1.0, 0.6)]), Crossing::Never);
        assert_eq!(at(&[(0.3, 0.2)]), Crossing::Above(0.3));
        assert_eq!(at(&[]), Crossing::Above(0.0));
    }

    #[test]
    fn chances_are_tried_until_chance_alone_does_not_explain_them() {
        let cells = |all: &[(usize, u64, u64)]| {
            let cell = |&(place, wins, games): &(usize, u64, u64)| {
                let cell = OracleCell {
                    chance: CHANCES[place],
                    games,
                    wins,
                    rate: Rate::of(wins, games, games),
                    depth: Depth::default(),
                    lengths: Lengths::default(),
                };
                (place, cell)
            };
            all.iter().map(cell).collect()
        };
        // 22 of 40 may be 65 % as well, 8 of 40 may not.
        assert_eq!(still_open(&cells(&[(5, 22, 40), (6, 39, 40)])), Some(4));
        assert_eq!(still_open(&cells(&[(4, 8, 40), (6, 39, 40)])), None);
        assert_eq!(still_open(&cells(&[(4, 8, 40), (6, 28, 40)])), Some(7));
        // There is nothing below the first and beyond the last.
        assert_eq!(still_open(&cells(&[(0, 27, 40), (5, 40, 40)])), None);
        assert_eq!(still_open(&cells(&[(5, 0, 40), (9, 20, 40)])), None);
        assert_eq!(still_open(&BTreeMap::new()), None);
    }

    #[test]
    fn deep_opponents_get_fewer_games_in_whole_pairs() {
        let request = |games| DoseRequest {
            games,
            opponents: 9,
            seed: 1,
            concurrency: 1,
            store: String::new(),
            out: PathBuf::new(),
        };
        assert_eq!(request(200).games_of(10), 20);
        assert_eq!(request(200).games_of(50), 4);
        assert_eq!(request(40).games_of(4), 10);
        assert_eq!(request(40).games_of(10), 4);
        assert_eq!(request(2).games_of(10), 2);
        assert_eq!(request(200).games_of(1), 200);
    }

    #[test]
    fn fewer_opponents_are_the_first_of_the_ladder() {
        let names = |opponents| {
            let request = DoseRequest {
                games: 2,
                opponents,
                seed: 1,
                concurrency: 1,
                store: String::new(),
                out: PathBuf::new(),
            };
            let all: Vec<_> = request.ladder().map(|(_, rung)| rung.name).collect();
            let some: Vec<_> = request.among(&FOR_READINGS).map(|rung| rung.name).collect();
            (all, some)
        };
        assert_eq!(names(2), (vec!["random", "step"], vec!["random"]));
        assert_eq!(names(OPPONENTS).1, ["random", "½ search", "greedy (4)"]);
    }
}
