//! Games out of the file.

use hathi_archive::GameSource;
use rusqlite::{Transaction, TransactionBehavior, params};

use super::Store;
use super::database::Database;
use crate::error::StoreError;
use crate::memory::Upkeep;
use crate::model::GameRow;
use crate::puzzles::NO_GAME;

impl Store {
    /// Takes out the games that stand in the table `removed`, which `choose`
    /// fills. Positions of theirs are known to indexes and to stores that are
    /// open; the database gets another name, so that all of them look again.
    pub(super) fn remove_chosen(
        &mut self,
        choose: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<u64, StoreError> {
        let removed = self
            .database
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                transaction.execute_batch(
                    "CREATE TEMP TABLE IF NOT EXISTS removed (id INTEGER PRIMARY KEY);
                     DELETE FROM removed;",
                )?;
                choose(&transaction)?;
                transaction.execute(
                    "UPDATE puzzles SET game_id = NULL, ply = NULL, board = NULL, side = NULL,
                         fault = ?1 WHERE game_id IN (SELECT id FROM removed)",
                    [NO_GAME],
                )?;
                let removed = transaction
                    .execute("DELETE FROM games WHERE id IN (SELECT id FROM removed)", [])?;
                // Names that nobody has any more are not shown either.
                transaction.execute_batch(
                    "DELETE FROM removed;
                     DELETE FROM players WHERE id NOT IN
                         (SELECT gold_id FROM games UNION SELECT silver_id FROM games);
                     DELETE FROM events WHERE id NOT IN
                         (SELECT event_id FROM games WHERE event_id IS NOT NULL);",
                )?;
                if removed > 0 {
                    Database::rename(&transaction)?;
                }
                transaction.commit()?;
                Ok(removed as u64)
            })
            .map_err(|error| self.database.failed(error))?;
        // Names that went with them.
        self.database.players.clear();
        self.database.events.clear();
        if self.ready {
            self.catch_up()?;
        }
        Ok(removed)
    }

    pub(super) fn remove_rows(&mut self, games: &[GameRow]) -> Result<u64, StoreError> {
        self.remove_chosen(|transaction| {
            let mut insert = transaction
                .prepare("INSERT OR IGNORE INTO removed SELECT id FROM games WHERE id = ?1")?;
            for &row in games {
                insert.execute([row])?;
            }
            Ok(())
        })
    }

    pub(super) fn remove_all_of(&mut self, source: GameSource) -> Result<u64, StoreError> {
        self.remove_chosen(|transaction| {
            transaction
                .execute(
                    "INSERT INTO removed SELECT id FROM games WHERE source = ?1",
                    params![source.name()],
                )
                .map(|_| ())
        })
    }
}
