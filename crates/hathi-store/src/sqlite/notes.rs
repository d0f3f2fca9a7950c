//! Reviews and studies.

use rusqlite::{OptionalExtension, Row, params};

use super::Store;
use crate::error::StoreError;
use crate::model::GameRow;
use crate::notes::{KeptReview, KeptStudy, Notes};

const STUDY: &str = "SELECT id, title, changed, body FROM studies";

fn read_study(row: &Row<'_>) -> rusqlite::Result<KeptStudy> {
    Ok(KeptStudy {
        id: row.get(0)?,
        title: row.get(1)?,
        changed: row.get(2)?,
        body: row.get(3)?,
    })
}

impl Notes for Store {
    fn review(&self, game: GameRow) -> Result<Option<KeptReview>, StoreError> {
        self.database
            .connection
            .query_row(
                "SELECT engine, nodes, version, made, body FROM reviews WHERE game_id = ?1",
                [game],
                |row| {
                    Ok(KeptReview {
                        engine: row.get(0)?,
                        nodes: row.get::<_, i64>(1)?.cast_unsigned(),
                        version: row.get(2)?,
                        made: row.get(3)?,
                        body: row.get(4)?,
                    })
                },
            )
            .optional()
            .map_err(|error| self.database.failed(error).into())
    }

    fn keep_review(&mut self, game: GameRow, review: &KeptReview) -> Result<(), StoreError> {
        self.database
            .connection
            .execute(
                "INSERT OR REPLACE INTO reviews(game_id, engine, nodes, version, made, body)
                 SELECT id, ?2, ?3, ?4, ?5, ?6 FROM games WHERE id = ?1",
                params![
                    game,
                    review.engine,
                    review.nodes.cast_signed(),
                    review.version,
                    review.made,
                    review.body,
                ],
            )
            .map(|_| ())
            .map_err(|error| self.database.failed(error).into())
    }

    fn study(&self, id: &str) -> Result<Option<KeptStudy>, StoreError> {
        self.database
            .connection
            .query_row(&format!("{STUDY} WHERE id = ?1"), [id], read_study)
            .optional()
            .map_err(|error| self.database.failed(error).into())
    }

    fn studies(&self, limit: u64) -> Result<Vec<KeptStudy>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut statement = self
            .database
            .connection
            .prepare_cached(&format!("{STUDY} ORDER BY changed DESC, id LIMIT ?1"))
            .map_err(failed)?;
        let rows = statement.query_map([limit], read_study).map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    fn keep_study(&mut self, study: &KeptStudy) -> Result<(), StoreError> {
        self.database
            .connection
            .execute(
                "INSERT OR REPLACE INTO studies(id, title, changed, body) VALUES (?1, ?2, ?3, ?4)",
                params![study.id, study.title, study.changed, study.body],
            )
            .map(|_| ())
            .map_err(|error| self.database.failed(error).into())
    }

    fn remove_study(&mut self, id: &str) -> Result<bool, StoreError> {
        self.database
            .connection
            .execute("DELETE FROM studies WHERE id = ?1", [id])
            .map(|removed| removed > 0)
            .map_err(|error| self.database.failed(error).into())
    }
}
