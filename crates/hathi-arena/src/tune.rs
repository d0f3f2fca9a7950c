//! Margins of a search, found by games: simultaneous perturbation (SPSA). In
//! every round all numbers move a little up or down by chance, the engine with
//! these meets the one with the opposite moves, and all of them follow the
//! winner, less and less far as rounds go by. One round says next to nothing;
//! hundreds together do. What comes out has to win a match of its own.
//!
//! Rounds are kept in a file, a line of JSON each, and the same tuning goes on
//! where it stopped.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::str::FromStr;

use hathi_engine::Stop;
use serde::{Deserialize, Serialize};

use crate::openings::Openings;
use crate::referee::Thinking;
use crate::spec::PlayerSpec;
use crate::tournament::{Tournament, TournamentError};

/// No margin is larger.
const LARGEST: f64 = 10_000.0;

/// How far numbers follow a winner of all games, in reaches, in the first round.
const FIRST_MOVE: f64 = 0.9;
/// After so many rounds they have begun to follow less far.
const STEADY: f64 = 16.0;
/// How soon they do, and how soon the reach itself shrinks: the usual exponents.
const FOLLOWING: f64 = 0.602;
const REACHING: f64 = 0.101;

/// A number to be found: its name, where to begin, how far to move it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knob {
    /// The margin.
    pub name: String,
    /// Where to begin.
    pub start: f64,
    /// How far it is moved up or down; 0 keeps it as it is.
    pub reach: f64,
    /// It never falls below this.
    pub least: f64,
}

/// Why text is no knob.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no margin to tune: write NAME:START:REACH or NAME:START:REACH:LEAST, as in ahead:65:20:10"
)]
pub struct ParseKnobError(String);

impl FromStr for Knob {
    type Err = ParseKnobError;

    fn from_str(text: &str) -> Result<Knob, ParseKnobError> {
        let fail = || ParseKnobError(text.to_owned());
        let mut parts = text.split(':');
        let name = parts.next().filter(|name| !name.is_empty());
        let numbers: Vec<f64> = parts
            .map(|part| part.parse().ok())
            .collect::<Option<_>>()
            .filter(|numbers: &Vec<f64>| {
                (2..=3).contains(&numbers.len())
                    && numbers
                        .iter()
                        .all(|number| (0.0..=LARGEST).contains(number))
            })
            .ok_or_else(fail)?;
        Ok(Knob {
            name: name.ok_or_else(fail)?.to_owned(),
            start: numbers[0],
            reach: numbers[1],
            least: numbers.get(2).copied().unwrap_or(0.0),
        })
    }
}

/// What is to be found, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// The engine, without the margins.
    pub engine: String,
    /// The numbers.
    pub knobs: Vec<Knob>,
    /// Positions a turn.
    pub nodes: u64,
    /// Games of a round; an even number.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
}

/// How a round went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Its number, from 1.
    pub round: u64,
    /// Games won by the numbers as they were moved; the others by the opposite.
    pub won: f64,
    /// The numbers after it.
    pub values: Vec<f64>,
}

/// Why numbers cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// Nothing to be found.
    #[error("say which margins to tune, as in --tune ahead:65:20")]
    Nothing,
    /// The engine has its margins set already.
    #[error("the engine must not have margins of its own: give them as NAME:VALUE:0")]
    HasMargins,
    /// The margins are none.
    #[error(transparent)]
    Player(#[from] crate::spec::ParsePlayerError),
    /// The games.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The file holds another tuning.
    #[error("{0} holds rounds of another tuning; choose another file or the same settings")]
    Another(String),
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
}

impl Tuning {
    /// Plays until the file holds so many rounds, or until stopped; gives all of them.
    pub fn run(
        &self,
        path: &Path,
        rounds: u64,
        concurrency: usize,
        stop: &Stop,
        listener: &dyn Fn(u64),
    ) -> Result<Vec<Round>, TuneError> {
        if self.knobs.is_empty() {
            return Err(TuneError::Nothing);
        }
        if self.engine.contains("margins=") {
            return Err(TuneError::HasMargins);
        }
        let start: Vec<f64> = self.knobs.iter().map(|knob| knob.start).collect();
        // Wrong names are told before any file is made.
        self.player("start", &start)?;
        let io = |error| TuneError::Io {
            path: path.display().to_string(),
            error,
        };
        let (mut file, mut done) = self.open(path)?;
        while (done.len() as u64) < rounds && !stop.asked() {
            listener(done.len() as u64);
            let round = done.len() as u64 + 1;
            let before = done.last().map_or(&start, |round| &round.values);
            let Some(next) = self.play(round, before, concurrency, stop)? else {
                break;
            };
            let mut line = serde_json::to_string(&next).map_err(|error| io(error.into()))?;
            line.push('\n');
            file.write_all(line.as_bytes()).map_err(io)?;
            done.push(next);
        }
        listener(done.len() as u64);
        Ok(done)
    }

    /// The margins of some numbers, as engines take them.
    pub fn margins(&self, values: &[f64]) -> String {
        let parts = self.knobs.iter().zip(values);
        let parts: Vec<String> = parts
            .map(|(knob, &value)| format!("{}:{}", knob.name, knob.within(value).round() as i64))
            .collect();
        parts.join("+")
    }

    /// The engine with some numbers, as `hathi arena` takes it.
    pub fn engine_with(&self, values: &[f64]) -> String {
        let joint = if self.engine.contains(':') { ',' } else { ':' };
        format!("{}{joint}margins={}", self.engine, self.margins(values))
    }

    fn player(&self, name: &str, values: &[f64]) -> Result<PlayerSpec, TuneError> {
        Ok(format!("{name}={}", self.engine_with(values)).parse()?)
    }

    /// One round; none if it was stopped.
    fn play(
        &self,
        round: u64,
        before: &[f64],
        concurrency: usize,
        stop: &Stop,
    ) -> Result<Option<Round>, TuneError> {
        let mut random =
            fastrand::Rng::with_seed(self.seed ^ round.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let shrunk = (round as f64).powf(-REACHING);
        let moves: Vec<f64> = self
            .knobs
            .iter()
            .map(|knob| knob.reach * shrunk * if random.bool() { 1.0 } else { -1.0 })
            .collect();
        let moved = |sign: f64| -> Vec<f64> {
            let pairs = before.iter().zip(&moves);
            pairs.map(|(value, by)| value + sign * by).collect()
        };
        let tournament = Tournament {
            games: self.games,
            openings: Openings::Drawn { turns: 0 },
            thinking: Thinking {
                nodes: Some(self.nodes),
                ..Thinking::default()
            },
            concurrency,
            seed: self.seed.wrapping_add(round),
            ..Tournament::new(vec![
                self.player("up", &moved(1.0))?,
                self.player("down", &moved(-1.0))?,
            ])
        };
        let standings = tournament.run(None, stop, &|_| {})?;
        let score = standings.pairings.first().map(|pairing| pairing.score);
        let Some(score) = score.filter(|_| standings.games == self.games) else {
            return Ok(None);
        };
        let won = score.wins() as f64;
        let lead = (2.0 * won - self.games as f64) / self.games as f64;
        let follow =
            FIRST_MOVE * ((1.0 + STEADY) / (round as f64 + STEADY)).powf(FOLLOWING) * lead / shrunk;
        let values = self.knobs.iter().zip(before).zip(&moves);
        Ok(Some(Round {
            round,
            won,
            values: values
                .map(|((knob, value), by)| knob.within(value + follow * by))
                .collect(),
        }))
    }

    /// The file with the rounds that are done; what a killed process left half written is cut off.
    fn open(&self, path: &Path) -> Result<(File, Vec<Round>), TuneError> {
        let io = |error| TuneError::Io {
            path: path.display().to_string(),
            error,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut rounds: Vec<Round> = Vec::new();
        let mut whole = 0;
        let mut text = String::new();
        let mut reader = BufReader::new(&file);
        while reader.read_line(&mut text).map_err(io)? > 0 {
            let line = text.strip_suffix('\n');
            let another = || TuneError::Another(path.display().to_string());
            match line {
                Some(line) if whole == 0 => {
                    let same =
                        serde_json::from_str::<Tuning>(line).is_ok_and(|tuning| tuning == *self);
                    if !same {
                        return Err(another());
                    }
                }
                Some(line) => {
                    let round: Round = serde_json::from_str(line).map_err(|_| another())?;
                    let fits = round.round == rounds.len() as u64 + 1
                        && round.values.len() == self.knobs.len();
                    if !fits {
                        return Err(another());
                    }
                    rounds.push(round);
                }
                None => break,
            }
            whole += text.len() as u64;
            text.clear();
        }
        drop(reader);
        if whole == 0 && !text.is_empty() {
            // Not a line of ours: somebody's file.
            return Err(TuneError::Another(path.display().to_string()));
        }
        file.set_len(whole).map_err(io)?;
        file.seek(SeekFrom::Start(whole)).map_err(io)?;
        if whole == 0 {
            let mut line = serde_json::to_string(self).map_err(|error| io(error.into()))?;
            line.push('\n');
            file.write_all(line.as_bytes()).map_err(io)?;
        }
        Ok((file, rounds))
    }
}

impl Knob {
    fn within(&self, value: f64) -> f64 {
        value.clamp(self.least.min(LARGEST), LARGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuning() -> Tuning {
        Tuning {
            engine: "hathi:hash=1".to_owned(),
            knobs: vec![
                "ahead:65:20:10".parse().expect("a knob"),
                "known:1:0".parse().expect("a knob"),
            ],
            nodes: 60,
            games: 2,
            seed: 3,
        }
    }

    #[test]
    fn knobs_are_read_and_nonsense_is_refused() {
        let knob: Knob = "tries:2:0.8:1".parse().expect("a knob");
        assert_eq!((knob.start, knob.reach, knob.least), (2.0, 0.8, 1.0));
        for text in [
            "",
            "tries",
            "tries:2",
            "tries:x:1",
            ":2:1",
            "tries:2:-1",
            "a:1:2:3:4",
            "a:nan:1",
        ] {
            assert!(text.parse::<Knob>().is_err(), "{text}");
        }
    }

    #[test]
    fn rounds_go_on_where_they_stopped_and_come_out_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        let run = |path: &Path, rounds| {
            tuning()
                .run(path, rounds, 1, &Stop::default(), &|_| {})
                .expect("rounds")
        };
        let at_once = run(&whole, 3);
        assert_eq!(at_once.len(), 3);
        run(&parts, 1);
        // A process was killed while it wrote.
        let mut file = OpenOptions::new().append(true).open(&parts).expect("open");
        file.write_all(b"{\"round\":2,\"wo").expect("write");
        assert_eq!(run(&parts, 3), at_once);
        assert_eq!(
            std::fs::read(&whole).expect("read"),
            std::fs::read(&parts).expect("read")
        );
        // A number without a reach stays.
        assert!(
            at_once
                .iter()
                .all(|round| (round.values[1] - 1.0).abs() < 1e-12)
        );
        // Whoever wins all games of a round is followed, and nobody after a tie.
        for round in &at_once {
            let before = match round.round {
                1 => 65.0,
                number => at_once[number as usize - 2].values[0],
            };
            let moved = (round.values[0] - before).abs() > 1e-9;
            assert_eq!(moved, (round.won - 1.0).abs() > 1e-9, "{round:?}");
        }
    }

    #[test]
    fn other_settings_and_other_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rounds");
        let stop = Stop::default();
        let run = |tuning: &Tuning| tuning.run(&path, 0, 1, &stop, &|_| {});
        run(&tuning()).expect("a file");
        let other = Tuning {
            seed: 4,
            ..tuning()
        };
        assert!(matches!(run(&other), Err(TuneError::Another(_))));
        std::fs::write(&path, "my notes").expect("write");
        assert!(matches!(run(&tuning()), Err(TuneError::Another(_))));
        assert_eq!(std::fs::read(&path).expect("read"), b"my notes");
        let knobs = vec!["bread:1:1".parse().expect("a knob")];
        let wrong = Tuning { knobs, ..tuning() };
        assert!(matches!(run(&wrong), Err(TuneError::Player(_))));
        let engine = "hathi:margins=tries:2".to_owned();
        let twice = Tuning { engine, ..tuning() };
        assert!(matches!(run(&twice), Err(TuneError::HasMargins)));
    }
}
