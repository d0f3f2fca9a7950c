//! A tournament on disk: its settings, the games, what came of them. Every
//! finished game is safe, and the same command goes on from there.
//!
//! | file | holds |
//! |---|---|
//! | `arena.json` | the settings; others are refused in the same folder |
//! | `games.txt` | the games, in the archive format |
//! | `results.jsonl` | a line a game: who won, why, how long turns took |
//! | `positions.txt` | the positions games start from, a line a pair, if not from setups |

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hathi_archive::{ArchiveWriter, ArchivedGame};
use hathi_engine::Level;
use hathi_rules::{BySide, Side, Termination};
use serde::{Deserialize, Serialize};

use crate::openings::StartPositions;

/// A finished game of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// Which game of the tournament, from 0. The games 2n and 2n + 1 are a
    /// pair.
    pub number: u64,
    /// Gold's place in the list of players.
    pub gold: usize,
    /// Silver's place in the list of players.
    pub silver: usize,
    /// `g` or `s`.
    winner: char,
    /// The letter of the archive.
    termination: char,
    /// What the loser did wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Turns played, opening included.
    pub turns: usize,
    /// Microseconds of Gold's and Silver's turns.
    pub used: [Vec<u64>; 2],
    /// Where each of these turns came from, for engines that remember.
    #[serde(default)]
    pub levels: [Vec<Option<Level>>; 2],
    /// How many steps ahead each of them was searched, for engines that do.
    #[serde(default)]
    pub depths: [Vec<Option<u32>>; 2],
}

impl Finished {
    pub(crate) fn new(
        number: u64,
        players: BySide<usize>,
        winner: Side,
        termination: Termination,
    ) -> Finished {
        Finished {
            number,
            gold: players.gold,
            silver: players.silver,
            winner: winner.to_char(),
            termination: termination.to_char(),
            fault: None,
            turns: 0,
            used: Default::default(),
            levels: Default::default(),
            depths: Default::default(),
        }
    }

    /// Who won.
    pub fn winner(&self) -> Side {
        Side::from_char(self.winner).unwrap_or(Side::Silver)
    }

    /// Why.
    pub fn termination(&self) -> Termination {
        Termination::from_char(self.termination).unwrap_or(Termination::Abandoned)
    }

    /// The place of a side's player.
    pub fn player(&self, side: Side) -> usize {
        match side {
            Side::Gold => self.gold,
            Side::Silver => self.silver,
        }
    }
}

/// What can go wrong with the folder.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// A file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another tournament.
    #[error(
        "{} holds a tournament with another {setting}: {was}, now {now}. Use the same settings \
         to go on with it, or another folder", .path.display()
    )]
    OtherSettings {
        /// The folder.
        path: PathBuf,
        /// What differs.
        setting: String,
        /// As it was.
        was: String,
        /// As it is now.
        now: String,
    },
    /// Somebody else is at it.
    #[error("{} is in use by another tournament", .0.display())]
    InUse(PathBuf),
    /// No tournament.
    #[error("{} is damaged: {error}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
}

/// The folder of a tournament, open for adding games.
#[derive(Debug)]
pub(crate) struct State {
    folder: PathBuf,
    games: File,
    results: File,
    /// Held as long as the tournament runs.
    _lock: File,
}

/// Settings by name; the same names and values go on with a tournament.
pub(crate) type Settings = BTreeMap<String, String>;

impl State {
    /// Opens a folder, makes it if need be, and gives the games that are
    /// finished already.
    pub(crate) fn open(
        folder: &Path,
        settings: &Settings,
    ) -> Result<(State, Vec<Finished>), StateError> {
        fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
        let path = folder.join("arena.json");
        let lock_path = folder.join("arena.lock");
        let lock = File::create(&lock_path).map_err(|error| at(&lock_path, error))?;
        if lock.try_lock().is_err() {
            return Err(StateError::InUse(folder.to_owned()));
        }
        match fs::read(&path) {
            Ok(bytes) => {
                let known: Settings = serde_json::from_slice(&bytes)
                    .map_err(|error| StateError::Damaged { path, error })?;
                compare(folder, &known, settings)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = serde_json::to_vec_pretty(settings).unwrap_or_default();
                let new = folder.join("arena.json.tmp");
                fs::write(&new, text).map_err(|error| at(&new, error))?;
                fs::rename(&new, &path).map_err(|error| at(&path, error))?;
            }
            Err(error) => return Err(at(&path, error)),
        }
        let results_path = folder.join("results.jsonl");
        let finished = read_results(&results_path)?;
        tidy_games(&folder.join("games.txt"), &finished)?;
        let append = |path: &Path| {
            let file = OpenOptions::new().append(true).create(true).open(path);
            file.map_err(|error| at(path, error))
        };
        let state = State {
            games: append(&folder.join("games.txt"))?,
            results: append(&results_path)?,
            folder: folder.to_owned(),
            _lock: lock,
        };
        Ok((state, finished))
    }

    /// Keeps the positions that games start from: without them the moves of such
    /// games say little.
    pub(crate) fn keep_positions(&self, positions: &StartPositions) -> Result<(), StateError> {
        let path = self.folder.join("positions.txt");
        fs::write(&path, positions.to_string()).map_err(|error| at(&path, error))
    }

    /// Adds a game. The result is written last: without it the game is
    /// played again.
    pub(crate) fn add(
        &mut self,
        finished: &Finished,
        game: &ArchivedGame,
    ) -> Result<(), StateError> {
        let folder = &self.folder;
        let mut row = Vec::new();
        let write = |file: &mut File, name: &str, bytes: &[u8]| {
            let written = file.write_all(bytes).and_then(|()| file.sync_data());
            written.map_err(|error| at(&folder.join(name), error))
        };
        let _ = ArchiveWriter::without_header(&mut row).write(game);
        write(&mut self.games, "games.txt", &row)?;
        let mut line = serde_json::to_vec(finished).unwrap_or_default();
        line.push(b'\n');
        write(&mut self.results, "results.jsonl", &line)
    }
}

fn at(path: &Path, error: io::Error) -> StateError {
    StateError::Io {
        path: path.to_owned(),
        error,
    }
}

fn compare(folder: &Path, known: &Settings, new: &Settings) -> Result<(), StateError> {
    let names: HashSet<&String> = known.keys().chain(new.keys()).collect();
    let mut names: Vec<&String> = names.into_iter().collect();
    names.sort();
    for name in names {
        let text = |settings: &Settings| settings.get(name).map_or("none", |v| v).to_owned();
        let (was, now) = (text(known), text(new));
        if was != now {
            return Err(StateError::OtherSettings {
                path: folder.to_owned(),
                setting: name.clone(),
                was,
                now,
            });
        }
    }
    Ok(())
}

/// The games finished in a tournament's folder, in the order in which they
/// ended; none if nothing has been played there.
pub fn finished_games(folder: &Path) -> Result<Vec<Finished>, StateError> {
    read_results(&folder.join("results.jsonl"))
}

/// The results so far. A line that was cut off is cut away.
fn read_results(path: &Path) -> Result<Vec<Finished>, StateError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(at(path, error)),
    };
    let whole = text
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    if whole < text.len() {
        replace(path, &text[..whole])?;
    }
    let lines = text[..whole].split(|&byte| byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(|line| {
            serde_json::from_slice(line).map_err(|error| StateError::Damaged {
                path: path.to_owned(),
                error,
            })
        })
        .collect()
}

/// Leaves the games that have a result: one may have been written whose
/// result was not.
fn tidy_games(path: &Path, finished: &[Finished]) -> Result<(), StateError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(at(path, error)),
    };
    let mut kept = Vec::with_capacity(text.len());
    if text.is_empty() {
        let _ = ArchiveWriter::new(&mut kept);
    }
    for (i, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        // As many rows as results, in the same order, below the header.
        if i <= finished.len() && line.ends_with(b"\n") {
            kept.extend_from_slice(line);
        }
    }
    if kept == text {
        return Ok(());
    }
    replace(path, &kept)
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), StateError> {
    let new = path.with_extension("tmp");
    fs::write(&new, bytes).map_err(|error| at(&new, error))?;
    fs::rename(&new, path).map_err(|error| at(path, error))
}
