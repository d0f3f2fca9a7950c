//! Adding games and keeping the indexes of their positions.

use std::ops::ControlFlow;

use hathi_archive::GameSource;
use postgres::types::ToSql;

use super::PostgresStore;
use super::games::count;
use crate::error::StoreError;
use crate::index::IndexError;
use crate::memory::{Games, Upkeep};
use crate::model::{AddedGame, GameRow, IndexState, NewGame};
use crate::puzzles::NO_GAME;

impl Upkeep for PostgresStore {
    /// Of all tables but without the indexes of the positions, which
    /// [`IndexState`] tells.
    fn bytes(&self) -> Result<u64, StoreError> {
        self.ask(|connection| {
            let row = connection.client.query_one(
                "SELECT (sum(pg_total_relation_size(table_name)) - pg_indexes_size('positions'))::bigint
                 FROM unnest(ARRAY['games', 'players', 'events', 'positions', 'puzzles', 'logs']::regclass[])
                     AS table_name",
                &[],
            )?;
            count(&row, 0)
        })
    }

    fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<AddedGame>>, StoreError> {
        // On a new store this takes no time, and spares a long wait later.
        if self.index_trouble.is_some() && self.few_games {
            self.make_indexes(&mut |_, _| ControlFlow::Continue(()))?;
        }
        let added = self.load(games)?;
        self.look_at_sources()?;
        Ok(added)
    }

    fn insert_for_index(
        &mut self,
        games: &[NewGame],
    ) -> Result<Vec<Option<AddedGame>>, StoreError> {
        self.load(games)
    }

    fn remove(&mut self, games: &[GameRow]) -> Result<u64, StoreError> {
        let rows: Vec<i64> = games.iter().map(|row| row.get()).collect();
        self.take_out("id = ANY($1)", &rows)
    }

    fn remove_source(&mut self, source: GameSource) -> Result<u64, StoreError> {
        self.take_out("source = $1", &source.name())
    }

    fn catch_up(&mut self) -> Result<(), StoreError> {
        self.look_at_indexes()?;
        self.look_at_sources()
    }

    fn is_ready(&self) -> bool {
        self.index_trouble.is_none() || self.few_games
    }

    fn prepare(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64),
    ) -> Result<bool, StoreError> {
        self.look_at_indexes()?;
        let missing = !self.is_ready();
        if missing {
            self.build_index(threads, progress)?;
        }
        Ok(missing)
    }

    /// The server decides on how many threads. It can be stopped between two
    /// indexes; those that are done stay, and answers wait for the rest.
    fn build_index_or_stop(
        &mut self,
        _threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.drop_indexes()?;
        self.make_indexes(progress)
    }

    /// Are there as many positions as the games have turns?
    fn check_index(&self) -> Result<(), StoreError> {
        let same: bool = self.ask(|connection| {
            let row = connection.client.query_one(
                "SELECT (SELECT count(*) FROM positions)
                      = (SELECT coalesce(sum(least(turns, 65535)), 0) FROM games)",
                &[],
            )?;
            row.try_get(0)
        })?;
        if same {
            Ok(())
        } else {
            Err(IndexError::Damaged("the positions are not those of the games").into())
        }
    }

    fn index_state(&self) -> IndexState {
        self.covered().unwrap_or_default()
    }

    fn index_is_behind(&self) -> Result<bool, StoreError> {
        Ok(self.index_trouble.is_some())
    }

    fn index_trouble(&self) -> Option<&IndexError> {
        self.index_trouble.as_ref()
    }
}

impl PostgresStore {
    /// Takes out the games that meet a condition on one value, with all that
    /// hangs on them, in one transaction.
    fn take_out(&mut self, condition: &str, value: &(dyn ToSql + Sync)) -> Result<u64, StoreError> {
        let removed = self.write(|transaction| {
            let chosen = transaction.query(
                &format!("SELECT id, archive_id FROM games WHERE {condition}"),
                &[value],
            )?;
            let mut rows: Vec<i64> = Vec::with_capacity(chosen.len());
            let mut numbers: Vec<i64> = Vec::with_capacity(chosen.len());
            for row in &chosen {
                rows.push(row.try_get(0)?);
                numbers.push(row.try_get(1)?);
            }
            // With the distribution column, so that each shard can do its part.
            let theirs = "archive_id = ANY($2) AND game_id = ANY($1)";
            transaction.execute(
                &format!(
                    "UPDATE puzzles SET game_id = NULL, ply = NULL, board = NULL, side = NULL,
                         fault = $3 WHERE {theirs}"
                ),
                &[&rows, &numbers, &NO_GAME],
            )?;
            for table in ["positions", "logs"] {
                let sql = format!("DELETE FROM {table} WHERE {theirs}");
                transaction.execute(&sql, &[&rows, &numbers])?;
            }
            Ok(transaction.execute(
                "DELETE FROM games WHERE archive_id = ANY($2) AND id = ANY($1)",
                &[&rows, &numbers],
            )?)
        })?;
        self.look_at_sources()?;
        Ok(removed)
    }

    fn covered(&self) -> Result<IndexState, StoreError> {
        if self.index_trouble.is_some() {
            return Ok(IndexState::default());
        }
        let totals = self.totals()?;
        let bytes = self.ask(|connection| {
            let row = connection
                .client
                .query_one("SELECT pg_indexes_size('positions')", &[])?;
            row.try_get::<_, i64>(0)
        })?;
        Ok(IndexState {
            indexed_games: totals.games,
            indexed_positions: totals.positions,
            bytes: bytes.cast_unsigned(),
            ..IndexState::default()
        })
    }
}
