//! What the rules, the game and the turn played say of each position, kept on
//! the server: on one in a table beside the boards, over several in the
//! positions.
//!
//! | file | holds |
//! |---|---|
//! | `ask.rs` | patterns with facts, decided by the server |
//! | `sequence.rs` | one thing after the other in a game |
//!
//! Who adds games writes their facts in the same transaction. A store from
//! before they were kept, or whose facts mean something else, is filled some
//! games at a time; whoever asks meanwhile is answered by looking at positions
//! one by one, as if none were there.

mod ask;
mod sequence;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use postgres::{GenericClient, IsolationLevel, Transaction};

use super::connect::{Layout, Trouble};
use super::kept::{COLUMNS, load_game};
use super::load::{Writer, copy_into};
use super::rows::{
    FACTS, FactsWritten, GAME_OF_PLACE, LoadGame, PositionTable, facts_in, for_each_with_facts,
};
use super::schema::LOCK;
use super::{PostgresStore, ServerError};
use crate::error::StoreError;
use crate::index::IndexError;
use crate::pattern::PackedFacts;

/// Games whose facts are written in one transaction: a second or two.
const TOGETHER: usize = 2000;

/// Games whose facts a check works out once more.
const CHECKED: u64 = 300;

/// What is done after many rows have come.
pub(super) const AFTER_MANY: [&str; 2] = [
    "ANALYZE facts",
    "SELECT brin_summarize_new_values('facts_by_game')",
];

/// How far the facts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FactsState {
    version: i64,
    /// Of games after `done`, up to `last`, there are none yet.
    done: i64,
    last: i64,
}

impl FactsState {
    fn of(client: &mut impl GenericClient) -> Result<FactsState, postgres::Error> {
        let sql = "SELECT facts_version, facts_done, facts_last FROM hathi_meta";
        let row = client.query_one(sql, &[])?;
        Ok(FactsState {
            version: row.try_get(0)?,
            done: row.try_get(1)?,
            last: row.try_get(2)?,
        })
    }

    /// Do they mean what we take them for?
    fn is_ours(self) -> bool {
        self.version == PackedFacts::VERSION
    }

    /// Are those of all games there?
    fn is_complete(self) -> bool {
        self.is_ours() && self.done >= self.last
    }
}

/// Says that no game that is there has facts yet, and that those to come will.
pub(super) fn begin(transaction: &mut Transaction<'_>) -> Result<(), postgres::Error> {
    let row = transaction.query_one("SELECT max(id) FROM games", &[])?;
    let last: Option<i64> = row.try_get(0)?;
    transaction.execute(
        "UPDATE hathi_meta SET facts_version = $1, facts_done = 0, facts_last = $2",
        &[&PackedFacts::VERSION, &last.unwrap_or(0)],
    )?;
    Ok(())
}

/// Does somebody who adds games write their facts? Not where they mean
/// something else to others, who are told that they are no longer complete.
pub(super) fn written(transaction: &mut Transaction<'_>) -> Result<FactsWritten, postgres::Error> {
    if FactsState::of(transaction)?.is_ours() {
        return Ok(FactsWritten::Yes);
    }
    let incomplete = "UPDATE hathi_meta SET facts_version = 0 WHERE facts_version <> 0";
    transaction.execute(incomplete, &[])?;
    Ok(FactsWritten::No)
}

impl PostgresStore {
    fn facts_state(&self) -> Result<FactsState, StoreError> {
        self.ask(|connection| FactsState::of(&mut connection.client))
    }

    /// Can questions be decided by the facts that are kept?
    pub(super) fn facts_are_complete(&self) -> Result<bool, StoreError> {
        Ok(self.facts_state()?.is_complete())
    }

    /// May we write to this server at all?
    pub(super) fn facts_may_be_written(&self) -> Result<bool, StoreError> {
        self.ask(|connection| {
            let row = connection.client.query_one(
                "SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::boolean
                     AND has_table_privilege('hathi_meta', 'UPDATE')
                     AND has_table_privilege('positions', 'INSERT')",
                &[],
            )?;
            row.try_get(0)
        })
    }

    /// Takes all facts out, so that they are worked out anew.
    pub(super) fn forget_facts(
        &self,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let layout = self.connection().layout;
        self.patiently(Writer::Alone, progress, |transaction| {
            if layout == Layout::OneServer {
                transaction.batch_execute("TRUNCATE facts")?;
            }
            Ok(begin(transaction)?)
        })
    }

    /// Writes the facts that are missing, some games at a time: what is done
    /// stays when it is stopped. Games can be added meanwhile. Returns whether
    /// there was anything to do.
    pub(super) fn fill_facts(
        &self,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<bool, StoreError> {
        if self.facts_are_complete()? {
            return Ok(false);
        }
        // A connection of its own, so that the lock goes with it.
        let (mut client, layout) = self.server.connect()?;
        let failed = |error: postgres::Error| StoreError::from(self.server.error(&error));
        let lock = "SELECT pg_try_advisory_lock($1, 'hathi_meta'::regclass::oid::integer)";
        while !client
            .query_one(lock, &[&LOCK])
            .and_then(|row| row.try_get::<_, bool>(0))
            .map_err(failed)?
        {
            tell(progress, 0.0)?;
            thread::sleep(Duration::from_millis(200));
        }
        loop {
            let state = self.facts_state()?;
            if state.is_complete() {
                break;
            }
            if !state.is_ours() {
                self.forget_facts(progress)?;
                continue;
            }
            tell(progress, state.done as f64 / state.last.max(1) as f64)?;
            self.patiently(Writer::WithOthers, progress, |transaction| {
                fill_some(transaction, layout)
            })?;
        }
        if layout == Layout::OneServer {
            for statement in AFTER_MANY {
                client.batch_execute(statement).map_err(failed)?;
            }
        }
        Ok(true)
    }

    /// A transaction of a writer who waits for others as long as it takes.
    fn patiently(
        &self,
        writer: Writer,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
        work: impl Fn(&mut Transaction<'_>) -> Result<(), Trouble>,
    ) -> Result<(), StoreError> {
        loop {
            match self.write(writer, &work) {
                Err(StoreError::Server(ServerError::Busy(_))) => tell(progress, 0.0)?,
                done => return done,
            }
        }
    }

    /// Works the facts of some games out once more and compares them with those
    /// that are kept. Returns of how many positions.
    pub(super) fn check_facts(&self) -> Result<u64, StoreError> {
        // A connection of its own, so that nothing else sees its transaction.
        let (mut client, layout) = self.server.connect()?;
        let failed = |error: postgres::Error| StoreError::from(self.server.error(&error));
        let every = (self.counts()?.games() / CHECKED).max(1);
        // As it was at one moment, whoever adds games meanwhile.
        let mut transaction = client
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .map_err(failed)?;
        if !FactsState::of(&mut transaction)
            .map_err(failed)?
            .is_complete()
        {
            return Ok(0);
        }
        let games = some_games(&mut transaction, every).map_err(failed)?;
        let kept = kept_facts(&mut transaction, layout, &games).map_err(failed)?;
        let (mut positions, mut right) = (0, true);
        for_each_with_facts(&games, |played, facts| {
            positions += 1;
            right &= kept.get(&played.place) == Some(facts);
        });
        if !right || positions != kept.len() as u64 {
            let damage = "the facts that are kept are not those of the positions";
            return Err(IndexError::Damaged(damage).into());
        }
        Ok(positions)
    }
}

fn tell(
    progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    share: f64,
) -> Result<(), StoreError> {
    match progress("facts", share) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(IndexError::Stopped.into()),
    }
}

/// The facts of the next games that have none.
fn fill_some(transaction: &mut Transaction<'_>, layout: Layout) -> Result<(), Trouble> {
    let state = FactsState::of(transaction)?;
    let sql = format!(
        "SELECT {COLUMNS} FROM games WHERE id > $1 AND id <= $2 ORDER BY id LIMIT {TOGETHER}"
    );
    let rows = transaction.query(&sql, &[&state.done, &state.last])?;
    let games: Vec<LoadGame> = rows.iter().map(load_game).collect::<Result<_, _>>()?;
    if layout == Layout::Citus {
        // They come back with their facts.
        let (ids, numbers) = rows_of(&games);
        let sql = "DELETE FROM positions WHERE archive_id = ANY($2) AND game_id = ANY($1)";
        transaction.execute(sql, &[&ids, &numbers])?;
    }
    copy_into(transaction, &games, PositionTable::of_facts(layout), None)?;
    let done = match games.last() {
        Some(game) if games.len() == TOGETHER => game.game.row.get(),
        _ => state.last,
    };
    transaction.execute("UPDATE hathi_meta SET facts_done = $1", &[&done])?;
    Ok(())
}

/// Every so many of the games.
fn some_games(
    client: &mut impl GenericClient,
    every: u64,
) -> Result<Vec<LoadGame>, postgres::Error> {
    let sql = format!("SELECT {COLUMNS} FROM games WHERE id % $1 = 0");
    let rows = client.query(&sql, &[&every.cast_signed()])?;
    rows.iter().map(load_game).collect()
}

/// What is kept of these games, by place.
fn kept_facts(
    client: &mut impl GenericClient,
    layout: Layout,
    games: &[LoadGame],
) -> Result<HashMap<i64, PackedFacts>, postgres::Error> {
    let (ids, numbers) = rows_of(games);
    let rows = match layout {
        Layout::OneServer => {
            let sql = format!("SELECT place, {FACTS} FROM facts WHERE ({GAME_OF_PLACE}) = ANY($1)");
            client.query(&sql, &[&ids])?
        }
        Layout::Citus => {
            let sql = format!(
                "SELECT place, {FACTS} FROM positions
                 WHERE archive_id = ANY($2) AND game_id = ANY($1)"
            );
            client.query(&sql, &[&ids, &numbers])?
        }
    };
    let mut kept = HashMap::with_capacity(rows.len());
    for row in &rows {
        if let Some(facts) = facts_in(row, 1)? {
            kept.insert(row.try_get(0)?, facts);
        }
    }
    Ok(kept)
}

/// Rows of games, and their numbers in the archive.
fn rows_of(games: &[LoadGame]) -> (Vec<i64>, Vec<i64>) {
    let both = games.iter().map(|game| (game.game.row.get(), game.number));
    both.unzip()
}
