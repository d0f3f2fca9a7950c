//! Reviews and studies.

use postgres::Row;

use super::PostgresStore;
use crate::error::StoreError;
use crate::memory::Games;
use crate::model::GameRow;
use crate::notes::{KeptReview, KeptStudy, Notes};

const STUDY: &str = "SELECT id, title, changed, body FROM studies";

fn read_study(row: &Row) -> Result<KeptStudy, postgres::Error> {
    Ok(KeptStudy {
        id: row.try_get(0)?,
        title: row.try_get(1)?,
        changed: row.try_get(2)?,
        body: row.try_get(3)?,
    })
}

impl Notes for PostgresStore {
    fn review(&self, game: GameRow) -> Result<Option<KeptReview>, StoreError> {
        self.ask(|connection| {
            let row = connection.client.query_opt(
                "SELECT engine, nodes, version, made, body FROM reviews WHERE game_id = $1",
                &[&game.get()],
            )?;
            let Some(row) = row else {
                return Ok(None);
            };
            Ok(Some(KeptReview {
                engine: row.try_get(0)?,
                nodes: row.try_get::<_, i64>(1)?.cast_unsigned(),
                version: row.try_get(2)?,
                made: row.try_get(3)?,
                body: row.try_get(4)?,
            }))
        })
    }

    fn keep_review(&mut self, game: GameRow, review: &KeptReview) -> Result<(), StoreError> {
        // Asked before, as games are shared out over servers and reviews are not.
        if self.game(game)?.is_none() {
            return Ok(());
        }
        self.ask(|connection| {
            connection.client.execute(
                "INSERT INTO reviews(game_id, engine, nodes, version, made, body)
                 VALUES ($1, $2, $3, $4, $5, $6)
                 ON CONFLICT (game_id) DO UPDATE SET engine = excluded.engine,
                     nodes = excluded.nodes, version = excluded.version, made = excluded.made,
                     body = excluded.body",
                &[
                    &game.get(),
                    &review.engine,
                    &review.nodes.cast_signed(),
                    &review.version,
                    &review.made,
                    &review.body,
                ],
            )
        })?;
        Ok(())
    }

    fn study(&self, id: &str) -> Result<Option<KeptStudy>, StoreError> {
        self.ask(|connection| {
            let sql = format!("{STUDY} WHERE id = $1");
            let row = connection.client.query_opt(&sql, &[&id])?;
            row.as_ref().map(read_study).transpose()
        })
    }

    fn studies(&self, limit: u64) -> Result<Vec<KeptStudy>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.ask(|connection| {
            let sql = format!("{STUDY} ORDER BY changed DESC, id COLLATE \"C\" LIMIT $1");
            let rows = connection.client.query(&sql, &[&limit])?;
            rows.iter().map(read_study).collect()
        })
    }

    fn keep_study(&mut self, study: &KeptStudy) -> Result<(), StoreError> {
        self.ask(|connection| {
            connection.client.execute(
                "INSERT INTO studies(id, title, changed, body) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (id) DO UPDATE SET title = excluded.title,
                     changed = excluded.changed, body = excluded.body",
                &[&study.id, &study.title, &study.changed, &study.body],
            )
        })?;
        Ok(())
    }

    fn remove_study(&mut self, id: &str) -> Result<bool, StoreError> {
        let removed = self.ask(|connection| {
            connection
                .client
                .execute("DELETE FROM studies WHERE id = $1", &[&id])
        })?;
        Ok(removed > 0)
    }
}
