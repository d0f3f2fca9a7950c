//! Win-in-two puzzles.

use hathi_archive::Puzzle;
use hathi_rules::Position;
use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::Store;
use super::games::id_in;
use crate::error::StoreError;
use crate::memory::{Games, Puzzles};
use crate::model::GameRow;
use crate::puzzles::{
    NO_GAME, PuzzleHit, PuzzleSummary, StoredPuzzle, UnlinkedPuzzle, link, stored_hit,
};
use crate::question::Matching;
use crate::seen::Seen;

impl Puzzles for Store {
    fn import_puzzles(&mut self, puzzles: &[Puzzle]) -> Result<PuzzleSummary, StoreError> {
        let mut summary = PuzzleSummary {
            read: puzzles.len() as u64,
            ..PuzzleSummary::default()
        };
        self.in_transaction(|transaction| {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO puzzles(source, archive_id, label, turn, fault)
                 VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT(source, archive_id, label) DO NOTHING",
            )?;
            for puzzle in puzzles {
                summary.added += insert.execute(params![
                    puzzle.game.source().name(),
                    puzzle.game.to_i64(),
                    puzzle.label.to_string(),
                    puzzle.turn.to_string(),
                    NO_GAME,
                ])? as u64;
            }
            Ok(())
        })?;
        self.link_puzzles()?;
        let now = self.puzzle_counts()?;
        Ok(PuzzleSummary {
            read: summary.read,
            added: summary.added,
            ..now
        })
    }

    fn puzzle_counts(&self) -> Result<PuzzleSummary, StoreError> {
        let count = |condition: &str| -> Result<u64, StoreError> {
            self.database
                .connection
                .query_row(
                    &format!("SELECT count(*) FROM puzzles WHERE {condition}"),
                    [],
                    |row| row.get::<_, i64>(0),
                )
                .map(i64::cast_unsigned)
                .map_err(|error| self.database.failed(error).into())
        };
        Ok(PuzzleSummary {
            linked: count("game_id IS NOT NULL")?,
            without_game: count(&format!("fault = '{NO_GAME}'"))?,
            broken: count(&format!("fault <> '{NO_GAME}'"))?,
            ..PuzzleSummary::default()
        })
    }

    fn puzzles_at(
        &self,
        position: &Position,
        matching: Matching,
    ) -> Result<Vec<PuzzleHit>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let seen = Seen::of(position);
        let mut statement = self
            .database
            .connection
            .prepare_cached(
                "SELECT games.source, games.archive_id, copy, label, turn, side, board FROM puzzles
                 JOIN games ON games.id = game_id WHERE board IN (?1, ?2)
                 ORDER BY games.source, games.archive_id, copy, label",
            )
            .map_err(failed)?;
        let (direct, image) = (seen.to_packed().0, seen.mirrored().to_packed().0);
        let mut rows = statement.query(params![direct, image]).map_err(failed)?;
        let mut hits = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let stored = StoredPuzzle {
                game: id_in(row, 0).map_err(failed)?,
                label: row.get(3).map_err(failed)?,
                turn: row.get(4).map_err(failed)?,
                side: row.get(5).map_err(failed)?,
                board: row.get(6).map_err(failed)?,
            };
            hits.extend(stored.hit(position, matching));
        }
        Ok(hits)
    }

    fn broken_puzzles(&self) -> Result<Vec<UnlinkedPuzzle>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let mut statement = self
            .database
            .connection
            .prepare(&format!(
                "SELECT source, archive_id, 1, label, fault FROM puzzles WHERE fault <> '{NO_GAME}'
                 ORDER BY source, archive_id, id"
            ))
            .map_err(failed)?;
        let rows = statement
            .query_map([], |row| {
                Ok(UnlinkedPuzzle {
                    game: id_in(row, 0)?,
                    label: row.get(3)?,
                    reason: row.get(4)?,
                })
            })
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    fn linked_puzzle(&self, number: u64) -> Result<Option<(PuzzleHit, Position)>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let row: Option<(String, String, GameRow, u32)> = self
            .database
            .connection
            .query_row(
                "SELECT label, turn, game_id, ply FROM puzzles WHERE game_id IS NOT NULL
                 ORDER BY source, archive_id, ply LIMIT 1 OFFSET ?1",
                [number.cast_signed()],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            )
            .optional()
            .map_err(failed)?;
        let Some((label, turn, game_id, ply)) = row else {
            return Ok(None);
        };
        let hit = stored_hit(self.game(game_id)?, label, &turn, ply.into());
        hit.ok_or(StoreError::Damaged(game_id)).map(Some)
    }

    fn link_puzzles(&mut self) -> Result<(), StoreError> {
        let waiting: Vec<(i64, String, i64, String, String)> = {
            let failed = |error| StoreError::from(self.database.failed(error));
            let mut statement = self
                .database
                .connection
                .prepare(
                    "SELECT id, source, archive_id, label, turn FROM puzzles
                     WHERE game_id IS NULL AND EXISTS (SELECT 1 FROM games
                         WHERE games.source = puzzles.source
                             AND games.archive_id = puzzles.archive_id)",
                )
                .map_err(failed)?;
            let rows = statement
                .query_map([], |row| {
                    Ok((
                        row.get(0)?,
                        row.get(1)?,
                        row.get(2)?,
                        row.get(3)?,
                        row.get(4)?,
                    ))
                })
                .map_err(failed)?;
            rows.collect::<Result<_, _>>().map_err(failed)?
        };
        let mut outcomes = Vec::with_capacity(waiting.len());
        for (id, source, number, label, turn) in waiting {
            let games = self.rows_of_number(&source, number)?;
            let games = games.into_iter().map(|row| self.game(row));
            outcomes.push((id, link(games, &label, &turn)?));
        }
        if outcomes.is_empty() {
            return Ok(());
        }
        self.in_transaction(|transaction| {
            for (id, outcome) in &outcomes {
                match outcome {
                    Ok(linked) => transaction.execute(
                        "UPDATE puzzles SET game_id = ?2, ply = ?3, board = ?4, side = ?5,
                             fault = NULL WHERE id = ?1",
                        params![
                            id,
                            linked.game,
                            linked.ply.get(),
                            Seen::of(&linked.position).to_packed().0,
                            linked.position.side_to_move().to_string(),
                        ],
                    )?,
                    Err(reason) => transaction.execute(
                        "UPDATE puzzles SET fault = ?2 WHERE id = ?1",
                        params![id, reason],
                    )?,
                };
            }
            Ok(())
        })
    }
}

impl Store {
    /// The games that have this number, in the order in which they came.
    fn rows_of_number(&self, source: &str, number: i64) -> Result<Vec<GameRow>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let mut statement = self
            .database
            .connection
            .prepare_cached(
                "SELECT id FROM games WHERE source = ?1 AND archive_id = ?2 ORDER BY copy",
            )
            .map_err(failed)?;
        let rows = statement
            .query_map(params![source, number], |row| row.get(0))
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    fn in_transaction(
        &mut self,
        work: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let result = self
            .database
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                work(&transaction)?;
                transaction.commit()
            });
        result.map_err(|error| self.database.failed(error).into())
    }
}
