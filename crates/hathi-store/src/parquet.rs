//! Games and positions as Parquet files, for DuckDB, pandas, Spark and the
//! like. What each column means is told in `docs/parquet.md`.

mod column;
mod file;
mod games;
mod positions;
mod years;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hathi_archive::GameId;
use hathi_rules::{Game, Ply};
use parquet::errors::ParquetError;

use crate::model::StoredGame;
use crate::moves::DamagedMoves;
pub use column::{ColumnValues, Values};
use file::{CompleteFile, TableFile};
use games::GameLine;
use positions::PositionRow;
pub use years::YearlyExport;

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
        self.write_after(stored, self.summary.positions).map(drop)
    }

    /// The same, with positions numbered from the one after `last`. Returns the
    /// number of the last one.
    fn write_after(&mut self, stored: StoredGame, mut last: u64) -> Result<u64, ExportError> {
        let game = replay(&stored)?;
        if let Some(positions) = &mut self.positions {
            for row in position_rows(&stored, &game, last) {
                self.summary.positions += 1;
                last += 1;
                positions.push(row)?;
            }
        }
        self.summary.games += 1;
        self.games.push(GameLine::new(stored, &game))?;
        Ok(last)
    }

    /// Rows that are not in a row group yet.
    fn rows_held(&self) -> usize {
        let positions = self.positions.as_ref().map_or(0, TableFile::rows_held);
        self.games.rows_held() + positions
    }

    /// Writes them, though a row group could hold more.
    fn write_groups(&mut self) -> Result<(), ExportError> {
        self.games.write_group()?;
        self.positions
            .as_mut()
            .map_or(Ok(()), TableFile::write_group)
    }

    /// Completes the files and gives them their names.
    pub fn finish(self) -> Result<ExportSummary, ExportError> {
        let summary = self.summary;
        self.complete()?.publish()?;
        Ok(summary)
    }

    fn complete(self) -> Result<CompleteExport, ExportError> {
        Ok(CompleteExport {
            games: self.games.complete()?,
            positions: self.positions.map(TableFile::complete).transpose()?,
        })
    }
}

/// Files that lack nothing but their names: both complete before either has its
/// name.
struct CompleteExport {
    games: CompleteFile,
    positions: Option<CompleteFile>,
}

impl CompleteExport {
    fn publish(self) -> Result<(), ExportError> {
        self.games.publish()?;
        self.positions.map_or(Ok(()), CompleteFile::publish)
    }
}

fn replay(stored: &StoredGame) -> Result<Game, ExportError> {
    let replayed = stored.moves.replay(stored.game.rules());
    replayed.map_err(|error| ExportError::Damaged {
        game: stored.game.id,
        error,
    })
}

/// A row for each turn of a game; `before`: how many rows there are already.
fn position_rows<'a>(
    stored: &StoredGame,
    game: &'a Game,
    before: u64,
) -> impl Iterator<Item = PositionRow> + use<'a> {
    let of_game = Arc::new(positions::OfGame::new(stored, game.turns().len()));
    let turns = game.positions().iter().zip(game.turns()).enumerate();
    turns.map(move |(ply, (position, turn))| PositionRow {
        id: before + ply as u64 + 1,
        game: Arc::clone(&of_game),
        ply: Ply::after(ply),
        board: *position.board(),
        turn: *turn,
    })
}

/// A table that can be exported, for who keeps it in another way than files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportTable {
    /// A row for each game.
    Games,
    /// A row for each position with the turn played from it.
    Positions,
}

impl ExportTable {
    /// The columns of these games' rows; of no games the columns without rows.
    /// `before`: how many rows there were before these.
    pub fn columns(
        self,
        games: Vec<StoredGame>,
        before: u64,
    ) -> Result<Vec<ColumnValues>, ExportError> {
        match self {
            ExportTable::Games => {
                let rows = games.into_iter().map(|stored| {
                    let game = replay(&stored)?;
                    Ok(GameLine::new(stored, &game))
                });
                let rows: Vec<GameLine> = rows.collect::<Result<_, ExportError>>()?;
                Ok(values(games::TABLE.columns, &rows))
            }
            ExportTable::Positions => {
                let mut rows = Vec::new();
                for stored in &games {
                    let before = before + rows.len() as u64;
                    rows.extend(position_rows(stored, &replay(stored)?, before));
                }
                Ok(values(positions::TABLE.columns, &rows))
            }
        }
    }
}

fn values<R>(columns: &[column::Column<R>], rows: &[R]) -> Vec<ColumnValues> {
    columns.iter().map(|column| column.values(rows)).collect()
}
