//! What the rules are measured on: archives, or games made on the fly.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hathi_archive::ArchiveReader;
use hathi_rules::{Game, GameRecord, Position, Replay, RuleSet};
use hathi_view::numbers::grouped;
use serde::Serialize;

use super::playout;
use crate::failure::BadInput;

/// Positions and games.
#[derive(Debug)]
pub struct Corpus {
    /// Where it comes from.
    pub about: About,
    /// For counting turns.
    pub turn_positions: Vec<Position>,
    /// Before every turn of every game.
    pub positions: Vec<Position>,
    /// Move lists as they stand in archives.
    pub games: Vec<(Vec<u8>, RuleSet)>,
}

/// Where the corpus comes from.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    archives: usize,
    pub(crate) games: usize,
    positions: usize,
    turn_positions: usize,
}

impl About {
    /// In words.
    pub fn text(&self) -> String {
        let (games, positions) = (grouped(self.games), grouped(self.positions));
        let turn_positions = grouped(self.turn_positions);
        match self.seed {
            Some(seed) => format!(
                "built in: {games} games of seeded playouts (seed {seed}), {positions} positions, \
                 {turn_positions} of them for distinct turns"
            ),
            None => format!(
                "{games} games of {} archives, {positions} positions; \
                 turn-counts.tsv, {turn_positions} positions for distinct turns",
                self.archives
            ),
        }
    }
}

/// How many games are made when there is no archive.
const PLAYOUTS: usize = 16;

impl Corpus {
    /// Games made on the fly. `progress` is told how many are done.
    pub fn built_in(mut progress: impl FnMut(&str)) -> anyhow::Result<Corpus> {
        let played = playout::games(PLAYOUTS, |done| {
            progress(&format!("making games: {done} of {PLAYOUTS}"));
        })?;
        let mut positions = Vec::new();
        for game in &played {
            positions.extend(before_turns(game));
        }
        let games: Vec<_> = played
            .iter()
            .map(|game| (archived(game), RuleSet::Modern))
            .collect();
        let turn_positions: Vec<_> = positions.iter().step_by(9).copied().collect();
        let about = About {
            source: "playouts",
            seed: Some(playout::SEED),
            archives: 0,
            games: games.len(),
            positions: positions.len(),
            turn_positions: turn_positions.len(),
        };
        Ok(Corpus {
            about,
            turn_positions,
            positions,
            games,
        })
    }

    /// `turn-counts.tsv`, read by the caller, and all `allgames*.txt` of a
    /// directory.
    pub fn of_directory(
        directory: &Path,
        read_positions: impl FnOnce(PathBuf) -> anyhow::Result<Vec<Position>>,
    ) -> anyhow::Result<Corpus> {
        let archives = archives_in(directory)?;
        let mut games = Vec::new();
        let mut positions = Vec::new();
        let mut replay = Replay::new(RuleSet::Modern);
        let read = ArchiveReader::open(&archives)?.for_each(|row| {
            match row {
                Ok(row) => {
                    // Some games of the archive break the rules; up to there
                    // they are as good as any.
                    let _ = replay.read(row.movelist(), row.rules());
                    positions.extend(before_turns(&replay.game));
                    games.push((row.movelist().to_vec(), row.rules()));
                }
                Err(error) if error.fault.is_row() => {}
                Err(error) => return ControlFlow::Break(error),
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(error) = read {
            return Err(BadInput::error(error.to_string()));
        }
        let turn_positions = read_positions(directory.join("turn-counts.tsv"))?;
        if positions.is_empty() || turn_positions.is_empty() {
            let directory = directory.display();
            return Err(BadInput::error(format!(
                "{directory}: the files hold no positions"
            )));
        }
        let about = About {
            source: "archives",
            seed: None,
            archives: archives.len(),
            games: games.len(),
            positions: positions.len(),
            turn_positions: turn_positions.len(),
        };
        Ok(Corpus {
            about,
            turn_positions,
            positions,
            games,
        })
    }
}

/// The positions in which somebody had to find a turn.
fn before_turns(game: &Game) -> impl Iterator<Item = Position> {
    game.positions().iter().copied().take(game.turns().len())
}

/// The move list of a game as an archive has it.
pub(crate) fn archived(game: &Game) -> Vec<u8> {
    let record = GameRecord::of_game(game).to_string();
    let mut movelist = record.trim_end().replace('\n', "\\n");
    if game.outcome().is_none() {
        // The bare label of the side to move.
        movelist.push_str("\\n");
        movelist.push_str(&game.ply_label());
    }
    movelist.into_bytes()
}

fn archives_in(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let unreadable = |error: io::Error| {
        // Without "(os error 2)".
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default();
        BadInput::error(format!("cannot read {}: {text}", directory.display()))
    };
    let mut archives = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("allgames") && name.ends_with(".txt") {
            archives.push(path);
        }
    }
    if archives.is_empty() {
        return Err(BadInput::error(format!(
            "{}: no archive there: expected files named allgames*.txt",
            directory.display()
        )));
    }
    archives.sort();
    Ok(archives)
}
