//! Games and positions as Parquet files, for DuckDB, pandas, Spark and the
//! like. What each column means is told in `docs/parquet.md`.

mod column;
mod file;
mod games;
mod positions;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hathi_archive::GameId;
use hathi_rules::Ply;
use parquet::errors::ParquetError;

use crate::model::StoredGame;
use crate::moves::DamagedMoves;
use file::{CompleteFile, TableFile};
use games::GameLine;
use positions::PositionRow;

/// What can go wrong with an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It cannot be put into the format.
    #[error("cannot write {}: {error}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What the writer says.
        error: ParquetError,
    },
    /// The moves of a game are not what the rules allow.
    #[error("game {game} is damaged in the database: {error}")]
    Damaged {
        /// What it is known by.
        game: GameId,
        /// Where.
        error: DamagedMoves,
    },
}

/// How much was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportSummary {
    /// Games.
    pub games: u64,
    /// Positions, each with the turn played from it.
    pub positions: u64,
}

/// Writes games, and their positions if asked, to Parquet files.
///
/// Both files have other names until [`finish`](ParquetExport::finish); given
/// up before, they are gone. Memory is bounded by the rows of one row group.
pub struct ParquetExport {
    games: TableFile<GameLine>,
    positions: Option<TableFile<PositionRow>>,
    summary: ExportSummary,
}

impl ParquetExport {
    /// Begins the files. `threads` of 0 means as many as there are cores.
    pub fn create(
        games: &Path,
        positions: Option<&Path>,
        threads: usize,
    ) -> Result<ParquetExport, ExportError> {
        let threads = crate::cores::threads(threads);
        Ok(ParquetExport {
            games: TableFile::create(games, &games::TABLE, threads)?,
            positions: positions
                .map(|path| TableFile::create(path, &positions::TABLE, threads))
                .transpose()?,
            summary: ExportSummary::default(),
        })
    }

    /// Adds a game with all its positions.
    pub fn write(&mut self, stored: StoredGame) -> Result<(), ExportError> {
        let game =
            stored
                .moves
                .replay(stored.game.rules())
                .map_err(|error| ExportError::Damaged {
                    game: stored.game.id,
                    error,
                })?;
        if let Some(positions) = &mut self.positions {
            let of_game = Arc::new(positions::OfGame::new(&stored, game.turns().len()));
            for (ply, (position, turn)) in game.positions().iter().zip(game.turns()).enumerate() {
                self.summary.positions += 1;
                positions.push(PositionRow {
                    id: self.summary.positions,
                    game: Arc::clone(&of_game),
                    ply: Ply::after(ply),
                    board: *position.board(),
                    turn: *turn,
                })?;
            }
        }
        self.summary.games += 1;
        self.games.push(GameLine::new(stored, &game))
    }

    /// Completes the files and gives them their names.
    pub fn finish(self) -> Result<ExportSummary, ExportError> {
        // Both complete before either has its name.
        let games = self.games.complete()?;
        let positions = self.positions.map(TableFile::complete).transpose()?;
        games.publish()?;
        positions.map_or(Ok(()), CompleteFile::publish)?;
        Ok(self.summary)
    }
}
