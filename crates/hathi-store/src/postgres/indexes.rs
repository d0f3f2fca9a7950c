//! The indexes of the positions: one for each column of keys, in the order in
//! which hits are offered.
//!
//! They are part of the server's database and always as new as the games. A
//! first bulk load goes without them: made afterwards, from all rows at once,
//! they take a fraction of the time.

use std::ops::ControlFlow;
use std::time::Duration;

use postgres::Client;

use super::connect::Layout;
use super::counts;
use super::rows::{key_column, keys, pieces_column, posting_table};
use super::schema::LOCK;
use super::{PostgresStore, ServerError, facts};
use crate::error::StoreError;
use crate::index::{IndexError, PostingKind};

/// Games that can be asked about without indexes.
const FEW_GAMES: u64 = 5_000;

/// An index of positions.
struct PositionIndex {
    name: String,
    table: &'static str,
    column: String,
    /// A column that the index has as well, so that rows which cannot match are
    /// not looked at.
    beside: Option<String>,
}

impl PositionIndex {
    fn create(&self) -> String {
        let PositionIndex {
            name,
            table,
            column,
            beside,
        } = self;
        let beside = beside.as_ref().map(|beside| format!(" INCLUDE ({beside})"));
        format!(
            "CREATE INDEX {name} ON {table} ({column}, place){}",
            beside.unwrap_or_default()
        )
    }
}

/// All of them, each of a key and the order in which hits are offered.
fn position_indexes(layout: Layout) -> Vec<PositionIndex> {
    match layout {
        Layout::OneServer => keys()
            .map(|(kind, trap)| {
                let column = key_column(kind, trap);
                PositionIndex {
                    name: format!("positions_by_{column}"),
                    table: "positions",
                    column,
                    beside: (kind == PostingKind::Sides).then(|| pieces_column(trap)),
                }
            })
            .collect(),
        Layout::Citus => PostingKind::ALL
            .into_iter()
            .map(posting_table)
            .map(|table| PositionIndex {
                name: format!("{table}_by_key"),
                table,
                column: "key".to_owned(),
                beside: None,
            })
            .collect(),
    }
}

impl PostgresStore {
    /// Are the indexes there, and which games count where nobody has chosen
    /// sources?
    pub(super) fn look_at_indexes(&mut self) -> Result<(), StoreError> {
        let missing = self.ask(|connection| {
            let indexes = position_indexes(connection.layout);
            let names: Vec<String> = indexes.into_iter().map(|index| index.name).collect();
            let statement = connection.prepared(
                "SELECT count(*) FROM pg_index JOIN pg_class ON oid = indexrelid
                 WHERE relnamespace = current_schema()::regnamespace AND indisvalid
                     AND relname = ANY($1)",
            )?;
            let row = connection.client.query_one(&statement, &[&names])?;
            Ok(row.try_get::<_, i64>(0)? < names.len() as i64)
        })?;
        self.index_trouble = missing.then_some(IndexError::Missing);
        let counts = self.counts()?;
        self.few_games = counts.games() < FEW_GAMES;
        self.samples_left_out = counts.leave_samples_out();
        self.expect_games([]);
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

    /// Makes the indexes anew, each in a transaction of its own: when it is
    /// stopped, those that are done stay. Games can be added meanwhile; they
    /// wait for the index that is being made.
    pub(super) fn make_indexes(
        &mut self,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let missing = self.index_trouble.is_some();
        // A connection of its own: its settings go with it.
        let (mut client, layout) = self.server.connect()?;
        if !self.alone(&mut client, progress)? {
            return Err(IndexError::Stopped.into());
        }
        self.look_at_indexes()?;
        // Another process may just have made them.
        if missing && self.index_trouble.is_none() {
            return Ok(());
        }
        let ended = self.make_with(&mut client, layout, progress);
        self.look_at_indexes()?;
        match ended? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(IndexError::Stopped.into()),
        }
    }

    /// Waits until nobody else makes indexes; false if it is to stop.
    fn alone(
        &self,
        client: &mut Client,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<bool, ServerError> {
        let lock = "SELECT pg_try_advisory_lock($1, 'positions'::regclass::oid::integer)";
        loop {
            let locked = client
                .query_one(lock, &[&LOCK])
                .and_then(|row| row.try_get(0));
            if locked.map_err(|error| self.server.error(&error))? {
                return Ok(true);
            }
            if progress("another process is at it", 0.0).is_break() {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn make_with(
        &self,
        client: &mut Client,
        layout: Layout,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ServerError> {
        let failed = |error: postgres::Error| self.server.error(&error);
        client
            .batch_execute("SET maintenance_work_mem = '512MB'; SET statement_timeout = 0")
            .map_err(failed)?;
        if layout == Layout::Citus {
            // Else a connection for every shard is opened at the same time.
            let few = "SET citus.max_adaptive_executor_pool_size = 2";
            client.batch_execute(few).map_err(failed)?;
        }
        let indexes = position_indexes(layout);
        for (i, index) in indexes.iter().enumerate() {
            let name = &index.name;
            let stage = format!("on the server, {name}");
            if progress(&stage, i as f64 / indexes.len() as f64).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            for statement in [format!("DROP INDEX IF EXISTS {name}"), index.create()] {
                client.batch_execute(&statement).map_err(failed)?;
            }
        }
        let _ = progress("statistics", 0.98);
        let mut statements = vec!["ANALYZE games"];
        match layout {
            Layout::OneServer => {
                // The server trusts an index alone only where it knows that all of a
                // page is there for everybody.
                statements.push("VACUUM (ANALYZE) positions");
                statements.push("ANALYZE boards");
                statements.push("SELECT brin_summarize_new_values('boards_by_game')");
                statements.extend(facts::AFTER_MANY);
            }
            Layout::Citus => statements.push("ANALYZE positions"),
        }
        for statement in statements {
            client.batch_execute(statement).map_err(failed)?;
        }
        counts::add_up(client).map_err(failed)?;
        Ok(ControlFlow::Continue(()))
    }
}
