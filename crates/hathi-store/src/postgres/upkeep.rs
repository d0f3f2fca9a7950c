//! Adding games and keeping the indexes of their positions.

use std::ops::ControlFlow;

use hathi_archive::GameSource;
use postgres::Transaction;
use postgres::types::ToSql;

use super::PostgresStore;
use super::connect::Layout;
use super::counts;
use super::games::count;
use super::kept::{self, CheckedShapes, LEAST_HITS};
use super::load::Writer;
use super::rows::{
    FactsWritten, GAME_OF_PLACE, HIT, PositionTable, Stored, keys_of, posting_table,
};
use crate::error::StoreError;
use crate::index::{IndexError, PostingKind};
use crate::memory::Upkeep;
use crate::model::{AddedGame, CheckedIndex, GameRow, IndexState, NewGame};
use crate::pattern::FactsNeeded;
use crate::puzzles::NO_GAME;
use crate::seen::Seen;

impl Upkeep for PostgresStore {
    /// Of all tables but without the indexes of the positions, which
    /// [`IndexState`] tells.
    fn bytes(&self) -> Result<u64, StoreError> {
        let mut bytes = 0;
        for table in ["games", "players", "events", "puzzles", "logs"] {
            bytes += self.size(table)?.total;
        }
        for table in self.position_tables() {
            let TableSize { total, indexes } = self.size(table.name())?;
            bytes += total - indexes;
        }
        Ok(bytes)
    }

    fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<AddedGame>>, StoreError> {
        // On a new store this takes no time, and spares a long wait later.
        if self.index_trouble.is_some() && self.few_games {
            self.make_indexes(&mut |_, _| ControlFlow::Continue(()))?;
        }
        let added = self.load(games)?;
        self.look_at_indexes()?;
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
        self.look_at_indexes()
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
    /// indexes; those that are done stay, and answers wait for the rest. Where
    /// nothing but facts or statistics are behind, the indexes stay as they are;
    /// where nothing is, everything is made anew.
    fn build_index_or_stop(
        &mut self,
        _threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let all_anew = !self.index_is_behind()?;
        if all_anew || self.index_trouble.is_some() {
            self.make_indexes(progress)?;
        }
        if all_anew {
            self.forget_facts(progress)?;
        }
        self.fill_facts(progress)?;
        if self.statistics_are_behind()? || all_anew && !self.few_games {
            self.keep_statistics(LEAST_HITS, progress)?;
        }
        Ok(())
    }

    /// Where somebody may not write, facts are worked out with every question.
    fn build_facts(
        &mut self,
        needs: FactsNeeded,
        _threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<bool, StoreError> {
        if needs.is_empty() || !self.is_ready() || !self.facts_may_be_written()? {
            return Ok(false);
        }
        self.fill_facts(progress)
    }

    /// Are there as many positions as the games have turns, is everything there
    /// that rows refer to, and are the facts and the statistics that are kept those
    /// of the games? On one server the database promises the second; over several
    /// nobody does.
    fn check_index(&self) -> Result<CheckedIndex, StoreError> {
        let facts = if self.facts_are_complete()? {
            FactsWritten::Yes
        } else {
            FactsWritten::No
        };
        let damage = self.ask(|connection| {
            let layout = connection.layout;
            let mut number = |sql: &str| count(&connection.client.query_one(sql, &[])?, 0);
            let positions = number("SELECT count(*) FROM positions")?;
            let turns = number("SELECT coalesce(sum(least(turns, 65535)), 0)::bigint FROM games")?;
            if positions != turns {
                return Ok(Some("the positions are not those of the games"));
            }
            for table in PositionTable::all(layout, facts) {
                let (a_position, damage) = match table {
                    PositionTable::WithKeys | PositionTable::ForScans(_) => continue,
                    PositionTable::Postings(kind) => (
                        kind.per_position() as u64,
                        "the postings are not those of the positions",
                    ),
                    PositionTable::Boards => (1, "the boards are not those of the positions"),
                    PositionTable::Facts => (1, "the facts are not those of the positions"),
                };
                let rows = number(&format!("SELECT count(*) FROM {}", table.name()))?;
                if rows != positions * a_position {
                    return Ok(Some(damage));
                }
            }
            let counted = number("SELECT coalesce(sum(games), 0)::bigint FROM hathi_counts")?;
            if counted != number("SELECT count(*) FROM games")? {
                return Ok(Some("the games are not as many as were counted"));
            }
            for (sql, damage) in LOOSE_ENDS {
                if number(sql)? > 0 {
                    return Ok(Some(damage));
                }
            }
            Ok(None)
        })?;
        if let Some(damage) = damage {
            return Err(IndexError::Damaged(damage).into());
        }
        let CheckedShapes { checked, kept } = self.check_kept()?;
        Ok(CheckedIndex::Compared {
            facts: self.check_facts()?,
            statistics: checked,
            statistics_kept: kept,
        })
    }

    fn index_state(&self) -> IndexState {
        self.covered().unwrap_or_default()
    }

    fn index_is_behind(&self) -> Result<bool, StoreError> {
        Ok(self.index_trouble.is_some()
            || !self.facts_are_complete()?
            || self.statistics_are_behind()?)
    }

    fn index_trouble(&self) -> Option<&IndexError> {
        self.index_trouble.as_ref()
    }
}

/// The boards of games, and their facts. Where there are many of them all boards
/// are read once, instead of some pages for each.
fn take_boards_out(transaction: &mut Transaction<'_>, rows: &[i64]) -> Result<(), postgres::Error> {
    if rows.len() > TOGETHER {
        transaction.batch_execute("SET LOCAL enable_nestloop = off")?;
    }
    for table in ["boards", "facts"] {
        let sql =
            format!("DELETE FROM {table} WHERE ({GAME_OF_PLACE}) IN (SELECT unnest($1::bigint[]))");
        transaction.execute(&sql, &[&rows])?;
    }
    transaction.batch_execute("SET LOCAL enable_nestloop = on")?;
    Ok(())
}

/// The postings of games, by the keys of their positions: each is looked for in
/// its shard.
fn take_postings_out(
    transaction: &mut Transaction<'_>,
    rows: &[i64],
    numbers: &[i64],
) -> Result<(), postgres::Error> {
    for (rows, numbers) in rows.chunks(TOGETHER).zip(numbers.chunks(TOGETHER)) {
        let sql =
            format!("SELECT {HIT} FROM positions WHERE archive_id = ANY($2) AND game_id = ANY($1)");
        let positions: Vec<Seen> = transaction
            .query(&sql, &[&rows, &numbers])?
            .iter()
            .map(|row| Stored::of(row).map(|stored| stored.board))
            .collect::<Result<_, _>>()?;
        for kind in PostingKind::ALL {
            let mut keys: Vec<i64> = positions
                .iter()
                .flat_map(|&board| keys_of(kind, board))
                .collect();
            keys.sort_unstable();
            keys.dedup();
            let table = posting_table(kind);
            transaction.execute(
                &format!("DELETE FROM {table} WHERE key = ANY($1) AND game_id = ANY($2)"),
                &[&keys, &rows],
            )?;
        }
    }
    Ok(())
}

/// Games taken out together.
const TOGETHER: usize = 500;

/// How many rows refer to what is not there, and what is wrong then.
const LOOSE_ENDS: [(&str, &str); 3] = [
    (
        "SELECT count(*) FROM games LEFT JOIN players gold ON gold.id = gold_id
             LEFT JOIN players silver ON silver.id = silver_id
             LEFT JOIN events ON events.id = event_id
         WHERE gold.id IS NULL OR silver.id IS NULL
             OR event_id IS NOT NULL AND events.id IS NULL",
        "there are games without their players or their event",
    ),
    (
        "SELECT count(*) FROM puzzles LEFT JOIN games
             ON games.archive_id = puzzles.archive_id AND games.id = game_id
         WHERE game_id IS NOT NULL AND games.id IS NULL",
        "there are puzzles without their game",
    ),
    (
        "SELECT count(*) FROM logs LEFT JOIN games
             ON games.archive_id = logs.archive_id AND games.id = game_id
         WHERE games.id IS NULL",
        "there are logs without their game",
    ),
];

/// Bytes of a table.
struct TableSize {
    total: u64,
    indexes: u64,
}

impl PostgresStore {
    /// Takes out the games that meet a condition on one value, with all that
    /// hangs on them, in one transaction.
    fn take_out(&mut self, condition: &str, value: &(dyn ToSql + Sync)) -> Result<u64, StoreError> {
        let layout = self.connection().layout;
        let removed = self.write(Writer::Alone, |transaction| {
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
            kept::take_out(transaction, layout, &rows, &numbers)?;
            match layout {
                Layout::OneServer => take_boards_out(transaction, &rows)?,
                Layout::Citus => take_postings_out(transaction, &rows, &numbers)?,
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
            transaction.execute("DELETE FROM reviews WHERE game_id = ANY($1)", &[&rows])?;
            for table in ["positions", "logs"] {
                let sql = format!("DELETE FROM {table} WHERE {theirs}");
                transaction.execute(&sql, &[&rows, &numbers])?;
            }
            let removed = transaction.execute(
                "DELETE FROM games WHERE archive_id = ANY($2) AND id = ANY($1)",
                &[&rows, &numbers],
            )?;
            counts::count_again(transaction)?;
            Ok(removed)
        })?;
        self.look_at_indexes()?;
        Ok(removed)
    }

    /// How much room a table of ours takes, wherever its rows are.
    fn size(&self, table: &str) -> Result<TableSize, StoreError> {
        self.ask(|connection| {
            let (total, table_alone) = match connection.layout {
                Layout::OneServer => ("pg_total_relation_size", "pg_table_size"),
                Layout::Citus => ("citus_total_relation_size", "citus_table_size"),
            };
            let sql = format!("SELECT {total}('{table}'), {table_alone}('{table}')");
            let row = connection.client.query_one(&sql, &[])?;
            let total = count(&row, 0)?;
            Ok(TableSize {
                total,
                indexes: total.saturating_sub(count(&row, 1)?),
            })
        })
    }

    fn position_tables(&self) -> Vec<PositionTable> {
        PositionTable::all(self.connection().layout, FactsWritten::Yes)
    }

    /// Asked for again when there are more games: every shard has to look.
    fn index_bytes(&self, games: u64) -> Result<u64, StoreError> {
        let mut known = self
            .index_bytes
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((_, bytes)) = known.filter(|(of, _)| *of == games) {
            return Ok(bytes);
        }
        let mut bytes = 0;
        for table in self.position_tables() {
            bytes += self.size(table.name())?.indexes;
        }
        *known = Some((games, bytes));
        Ok(bytes)
    }

    fn covered(&self) -> Result<IndexState, StoreError> {
        if self.index_trouble.is_some() {
            return Ok(IndexState::default());
        }
        let counts = self.counts()?;
        Ok(IndexState {
            indexed_games: counts.games(),
            indexed_positions: counts.positions(),
            bytes: self.index_bytes(counts.games())?,
            ..IndexState::default()
        })
    }
}
