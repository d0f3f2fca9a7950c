//! The indexes of the positions: one for each column of keys, in the order in
//! which hits are offered.
//!
//! They are part of the server's database and always as new as the games. A
//! first bulk load goes without them: made afterwards, from all rows at once,
//! they take a fraction of the time.

use std::ops::ControlFlow;

use postgres::Client;

use super::connect::Layout;
use super::rows::key_columns;
use super::schema::LOCK;
use super::{PostgresStore, ServerError};
use crate::error::StoreError;
use crate::index::IndexError;

/// Games that can be asked about without indexes.
const FEW_GAMES: i64 = 5_000;

fn index_name(column: &str) -> String {
    format!("positions_by_{column}")
}

impl PostgresStore {
    /// Are the indexes there?
    pub(super) fn look_at_indexes(&mut self) -> Result<(), StoreError> {
        let names: Vec<String> = key_columns().map(|column| index_name(&column)).collect();
        let (found, few) = self.ask(|connection| {
            let indexes = connection.client.query_one(
                "SELECT count(*) FROM pg_index JOIN pg_class ON oid = indexrelid
                 WHERE indrelid = 'positions'::regclass AND indisvalid AND relname = ANY($1)",
                &[&names],
            )?;
            let games = connection.client.query_one(
                "SELECT count(*) FROM (SELECT id FROM games LIMIT $1) AS counted",
                &[&FEW_GAMES],
            )?;
            Ok((
                indexes.try_get::<_, i64>(0)?,
                games.try_get::<_, i64>(0)? < FEW_GAMES,
            ))
        })?;
        self.index_trouble = (found < names.len() as i64).then_some(IndexError::Missing);
        self.few_games = few;
        Ok(())
    }

    /// An error while there are too many games to be read one by one.
    pub(super) fn check_ready(&self) -> Result<(), StoreError> {
        if self.index_trouble.is_none() || self.few_games {
            Ok(())
        } else {
            Err(StoreError::NotReady)
        }
    }

    pub(super) fn drop_indexes(&mut self) -> Result<(), StoreError> {
        self.write(|transaction| {
            for column in key_columns() {
                let name = index_name(&column);
                transaction.batch_execute(&format!("DROP INDEX IF EXISTS {name}"))?;
            }
            Ok(())
        })?;
        self.look_at_indexes()
    }

    /// Makes the indexes that are missing, each in a transaction of its own:
    /// when it is stopped, those that are done stay.
    pub(super) fn make_indexes(
        &mut self,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        // A connection of its own: its settings go with it.
        let (mut client, layout) = self.server.connect()?;
        if layout == Layout::Citus {
            // Else a connection for every shard is opened at the same time.
            let few = "SET citus.max_adaptive_executor_pool_size = 2";
            let set = client.batch_execute(few);
            set.map_err(|error| self.server.error(&error))?;
        }
        let ended = self.make_with(&mut client, progress)?;
        self.look_at_indexes()?;
        match ended {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(IndexError::Stopped.into()),
        }
    }

    fn make_with(
        &self,
        client: &mut Client,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ServerError> {
        let failed = |error: postgres::Error| self.server.error(&error);
        let locked: bool = client
            .query_one(
                "SELECT pg_try_advisory_lock($1, 'games'::regclass::oid::integer)",
                &[&LOCK],
            )
            .and_then(|row| row.try_get(0))
            .map_err(failed)?;
        if !locked {
            return Err(ServerError::Busy(self.server.clone()));
        }
        client
            .batch_execute("SET maintenance_work_mem = '512MB'; SET statement_timeout = 0")
            .map_err(failed)?;
        let columns: Vec<String> = key_columns().collect();
        for (i, column) in columns.iter().enumerate() {
            let stage = format!("on the server, by {column}");
            if progress(&stage, i as f64 / columns.len() as f64).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let name = index_name(column);
            client
                .batch_execute(&format!(
                    "CREATE INDEX IF NOT EXISTS {name} ON positions ({column}, place)"
                ))
                .map_err(failed)?;
        }
        let _ = progress("statistics", 0.98);
        client
            .batch_execute("ANALYZE games; ANALYZE positions")
            .map_err(failed)?;
        Ok(ControlFlow::Continue(()))
    }
}
