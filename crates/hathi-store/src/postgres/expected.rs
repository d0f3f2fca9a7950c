//! The games that the last answer named: whoever asks for one of them will ask
//! for the others, so they are read together, from the shards they are in.

use std::collections::HashMap;
use std::sync::PoisonError;

use super::PostgresStore;
use super::games::PostgresRow;
use crate::error::StoreError;
use crate::model::{GameRow, StoredGame};
use crate::rows::{read_game, select_game};

/// Games read together at most.
const TOGETHER: usize = 1000;

/// Games of an answer.
#[derive(Default)]
pub(super) struct ExpectedGames {
    /// Their numbers in their archives.
    numbers: HashMap<GameRow, i64>,
    read: HashMap<GameRow, StoredGame>,
}

impl PostgresStore {
    /// These games, with their numbers in the archive, will be asked for.
    pub(super) fn expect_games(&self, games: impl IntoIterator<Item = (GameRow, i64)>) {
        let mut expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        expected.numbers = games.into_iter().collect();
        expected.read.clear();
    }

    /// A game that was expected, if it was.
    pub(super) fn expected_game(&self, row: GameRow) -> Result<Option<StoredGame>, StoreError> {
        let mut expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = expected.read.get(&row) {
            return Ok(Some(game.clone()));
        }
        let Some(number) = expected.numbers.remove(&row) else {
            return Ok(None);
        };
        let mut together = vec![(row, number)];
        together.extend(
            expected
                .numbers
                .iter()
                .take(TOGETHER - 1)
                .map(|(&r, &n)| (r, n)),
        );
        let (rows, numbers): (Vec<i64>, Vec<i64>) = together
            .iter()
            .map(|(row, number)| (row.get(), *number))
            .unzip();
        let games: Vec<(GameRow, Option<StoredGame>)> = self.ask(|connection| {
            let statement = connection.prepared(&format!(
                "{} WHERE games.archive_id = ANY($1) AND games.id = ANY($2)",
                select_game(false)
            ))?;
            let found = connection.client.query(&statement, &[&numbers, &rows])?;
            found
                .iter()
                .map(|row| Ok((GameRow::new(row.try_get(0)?), read_game(&PostgresRow(row))?)))
                .collect()
        })?;
        for (row, _) in together {
            expected.numbers.remove(&row);
        }
        for (row, game) in games {
            let game = game.ok_or(StoreError::Damaged(row))?;
            expected.read.insert(row, game);
        }
        Ok(expected.read.get(&row).cloned())
    }
}
