//! Games between people and engines: who plays, whose turn it is, clocks,
//! and where games are kept while they last.

mod kept;
mod table;

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;

pub(crate) use kept::Terms;
pub(crate) use table::{Phase, Seat, Table, now};

use crate::error::ApiError;
use crate::pool::lock;
use crate::state::App;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(250);

/// An engine that nobody has needed for so long is let go.
const ENGINE_IDLE: Duration = Duration::from_secs(300);

/// Finished games are forgotten after this time; the store has them.
const FORGET: Duration = Duration::from_secs(24 * 3600);

/// All games that are being played, or were a moment ago.
pub(crate) struct Plays {
    tables: Mutex<HashMap<String, Arc<Table>>>,
    folder: PathBuf,
}

impl Plays {
    /// Those that were going on when the server ended go on.
    pub(crate) fn open(folder: PathBuf) -> Plays {
        let _ = std::fs::create_dir_all(&folder);
        let tables = kept::load(&folder)
            .into_iter()
            .map(|table| (table.id.clone(), Arc::new(table)))
            .collect();
        Plays {
            tables: Mutex::new(tables),
            folder,
        }
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<Table>, ApiError> {
        let table = lock(&self.tables).get(id).cloned();
        table.ok_or_else(|| ApiError::not_found("there is no such game; it may have been too old"))
    }

    /// The games of a client, newest first.
    pub(crate) fn of(&self, client: &str) -> Vec<Arc<Table>> {
        let mut tables: Vec<_> = lock(&self.tables)
            .values()
            .filter(|table| table.client == client)
            .cloned()
            .collect();
        tables.sort_by_key(|table| std::cmp::Reverse((table.created, table.id.clone())));
        tables
    }

    /// Games that are not over.
    pub(crate) fn running(&self) -> usize {
        let tables = lock(&self.tables);
        tables.values().filter(|table| table.is_running()).count()
    }

    /// A new game, unless there are too many already.
    pub(crate) fn add(
        &self,
        app: &App,
        client: &str,
        from: Option<IpAddr>,
        terms: Terms,
    ) -> Result<Arc<Table>, ApiError> {
        let limits = &app.config.limits;
        let mut tables = lock(&self.tables);
        let running = |mine: &dyn Fn(&Table) -> bool| {
            let tables = tables.values();
            tables
                .filter(|table| table.is_running() && mine(table))
                .count()
        };
        if running(&|table| table.client == client) >= limits.plays_per_client
            // Who forgets cookies is still who he is.
            || running(&|table| from.is_some() && table.from == from) >= limits.plays_per_client * 5
        {
            return Err(ApiError::too_many(format!(
                "you have {} games going on: finish or give up one of them first",
                limits.plays_per_client
            )));
        }
        if running(&|_| true) >= limits.plays {
            return Err(ApiError::busy(
                "too many games are being played; try again later",
            ));
        }
        let id = format!("p{:032x}", fastrand::u128(..));
        let table = Arc::new(Table::new(id.clone(), client.to_owned(), from, terms)?);
        tables.insert(id, table.clone());
        Ok(table)
    }

    /// Takes a game away.
    pub(crate) fn remove(&self, id: &str) {
        if let Some(table) = lock(&self.tables).remove(id) {
            table.stop();
            kept::remove(&self.folder, id);
        }
    }

    /// Everybody stops thinking.
    pub(crate) fn end(&self) {
        for table in lock(&self.tables).values() {
            table.stop();
            table.keep(&self.folder);
        }
    }

    fn all(&self) -> Vec<Arc<Table>> {
        lock(&self.tables).values().cloned().collect()
    }
}

/// Engines whose turn it was go on; then clocks are looked at, and what is
/// not needed any more is let go.
pub(crate) async fn look_after(app: App, mut stopped: watch::Receiver<bool>) {
    for table in app.plays.all() {
        table.clone().let_engine_move(&app);
    }
    loop {
        let ended = stopped.wait_for(|stopped| *stopped);
        if tokio::time::timeout(TICK, ended).await.is_ok() {
            return;
        }
        for table in app.plays.all() {
            if table.is_idle(FORGET) && !table.is_running() {
                app.plays.remove(&table.id);
                continue;
            }
            if table.is_idle(ENGINE_IDLE) {
                table.release_engine();
            }
            table.clone().look_at_clock(&app).await;
        }
    }
}
