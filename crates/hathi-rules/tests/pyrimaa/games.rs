//! Archived games, replayed by both.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

use hathi_rules::{Label, Lines, Replay, RuleSet};

use crate::Oracle;
use crate::answers::winner;

/// A line of an archive file, as far as it matters here.
pub(crate) struct ArchivedGame {
    pub(crate) file: String,
    pub(crate) id: String,
    rules: RuleSet,
    moves: Vec<u8>,
}

/// A move as replayed by one of the two: the board after it and who has won
/// (`-` for nobody), or an objection.
pub(crate) struct Ply {
    pub(crate) label: Label,
    pub(crate) after: Result<(String, char), String>,
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.label)?;
        match &self.after {
            Ok((board, winner)) => write!(f, "{board} winner {winner}"),
            Err(objection) => write!(f, "objects: {objection}"),
        }
    }
}

impl ArchivedGame {
    pub(crate) fn our_moves(&self) -> Vec<Ply> {
        let mut replay = Replay::new(self.rules);
        let mut plies = Vec::new();
        for line in Lines::new(&self.moves) {
            let line = line.unwrap_or_else(|error| panic!("game {}: {error}", self.id));
            let label = line.label;
            let before = replay.gave_up.is_some();
            let played = match line.action() {
                Ok(None) => continue,
                Ok(Some(action)) => replay
                    .play(label, &action)
                    .map_err(|fault| fault.to_string()),
                Err(error) => Err(error.to_string()),
            };
            if replay.gave_up.is_some() && !before {
                continue; // a resignation leaves the board as it is
            }
            let over = played.is_err();
            let game = &replay.game;
            let position = game.position();
            let winner = match game.must_set_up() {
                Some(_) => '-',
                None => winner(position.board(), position.side_to_move().opponent()),
            };
            plies.push(Ply {
                label,
                after: played.map(|()| (position.board().short_form(), winner)),
            });
            if over {
                break;
            }
        }
        plies
    }

    pub(crate) fn their_moves(&self, oracle: &mut Oracle) -> Vec<Ply> {
        let moves = String::from_utf8_lossy(&self.moves);
        let answer = oracle.ask(&format!("game\t{moves}"));
        let fields = answer.unwrap_or_else(|error| panic!("game {}: {error}", self.id));
        let fields = fields.iter().filter(|field| !field.is_empty());
        fields.map(|field| self.read_ply(field)).collect()
    }

    fn read_ply(&self, field: &str) -> Ply {
        let read = || {
            let (label, after) = field.split_once(' ')?;
            let after = if let Some(objection) = after.strip_prefix("! ") {
                Err(objection.to_owned())
            } else {
                let (board, winner) = after.rsplit_once(' ')?;
                Ok((board.to_owned(), winner.parse().ok()?))
            };
            let label = label.parse().ok()?;
            Some(Ply { label, after })
        };
        read().unwrap_or_else(|| panic!("game {}: the oracle says {field:?}", self.id))
    }
}

fn data_folder() -> PathBuf {
    match env::var_os("HATHI_SHARED") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    }
}

pub(crate) fn archived_games() -> Vec<ArchivedGame> {
    let Ok(entries) = fs::read_dir(data_folder()) else {
        return Vec::new();
    };
    let is_archive = |name: &String| {
        let middle = name.strip_prefix("allgames");
        middle.is_some_and(|name| name.strip_suffix(".txt").is_some())
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(is_archive)
        .collect();
    names.sort_unstable();
    names.iter().flat_map(|name| games_of(name)).collect()
}

fn games_of(file: &str) -> Vec<ArchivedGame> {
    let path = data_folder().join(file);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut rows = bytes
        .split(|&byte| byte == b'\n')
        .filter(|row| !row.is_empty())
        .map(|row| row.split(|&byte| byte == b'\t').collect::<Vec<_>>());
    let header = rows.next().unwrap_or_default();
    let column = |name: &str| {
        let place = header.iter().position(|title| *title == name.as_bytes());
        place.unwrap_or_else(|| panic!("{file} has no column `{name}`"))
    };
    let (id, moves, started) = (column("id"), column("movelist"), column("startts"));
    rows.map(|row| {
        let text = |column: usize| String::from_utf8_lossy(row[column]).into_owned();
        ArchivedGame {
            file: file.to_owned(),
            id: text(id),
            rules: RuleSet::at_unix_time(text(started).parse().expect("a time")),
            moves: row[moves].to_vec(),
        }
    })
    .collect()
}
