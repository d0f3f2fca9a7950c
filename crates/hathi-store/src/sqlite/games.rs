//! Questions about games.

use std::ops::ControlFlow;

use hathi_archive::GameId;
use hathi_rules::{Setup, Side, Termination};
use rusqlite::{OptionalExtension, Row, params};

use super::Store;
use super::database::count;
use crate::error::StoreError;
use crate::filter::{Dialect, Filter, Page, Value};
use crate::log::unpack;
use crate::memory::Games;
use crate::model::{GameRow, ResultCount, SourceCount, StoredGame, Totals};
use crate::moves::{Moves, encode_setup};
use crate::rows::{GameColumns, game_id, read_game, select_game, side_of, source_counts};
use crate::setups::{SetupQuestion, SetupRow, Setups};

impl Games for Store {
    fn totals(&self) -> Result<Totals, StoreError> {
        self.database
            .connection
            .query_row(
                "SELECT count(*), coalesce(sum(turns), 0), coalesce(max(id), 0),
                        (SELECT count(*) FROM players), (SELECT count(*) FROM puzzles WHERE game_id IS NOT NULL)
                 FROM games",
                [],
                |row| {
                    Ok(Totals {
                        games: count(row, 0)?,
                        positions: count(row, 1)?,
                        last_game: row.get(2)?,
                        players: count(row, 3)?,
                        puzzles: count(row, 4)?,
                    })
                },
            )
            .map_err(|error| self.database.failed(error).into())
    }

    fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        let filter = self.counting(filter)?;
        let (condition, values) = filter.to_sql(Dialect::Sqlite);
        self.database
            .connection
            .query_row(
                &format!("SELECT count(*) FROM {} WHERE {condition}", filter.tables()),
                rusqlite::params_from_iter(values),
                |row| count(row, 0),
            )
            .map_err(|error| self.database.failed(error).into())
    }

    fn results(&self, filter: &Filter) -> Result<Vec<ResultCount>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let filter = self.counting(filter)?;
        let (condition, values) = filter.to_sql(Dialect::Sqlite);
        let mut statement = self
            .database
            .connection
            .prepare(&format!(
                "SELECT result, termination, count(*) FROM {} WHERE {condition}
                 GROUP BY result, termination ORDER BY count(*) DESC",
                filter.tables()
            ))
            .map_err(failed)?;
        let rows = statement
            .query_map(rusqlite::params_from_iter(values), |row| {
                let termination: Option<String> = row.get(1)?;
                Ok(ResultCount {
                    winner: side_of(row.get(0)?),
                    termination: termination
                        .and_then(|text| text.chars().next())
                        .and_then(Termination::from_char),
                    games: count(row, 2)?,
                })
            })
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    fn setups(
        &self,
        side: Side,
        reply_to: Option<&Setup>,
        merge_mirrors: bool,
        filter: &Filter,
        limit: usize,
    ) -> Result<Setups, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let filter = self.counting(filter)?;
        let question = SetupQuestion {
            side,
            reply_to,
            merge_mirrors,
            filter: &filter,
        };
        let (sql, values) = question.to_sql(Dialect::Sqlite);
        let mut statement = self.database.connection.prepare(&sql).map_err(failed)?;
        let rows = statement
            .query_map(rusqlite::params_from_iter(values), |row| {
                let mut numbers = SetupRow::default();
                for (i, number) in numbers.iter_mut().enumerate() {
                    *number = row.get(i)?;
                }
                Ok(numbers)
            })
            .map_err(failed)?;
        let rows: Vec<SetupRow> = rows.collect::<Result<_, _>>().map_err(failed)?;
        Ok(question.answer(&rows, limit))
    }

    fn game(&self, row: GameRow) -> Result<Option<StoredGame>, StoreError> {
        let mut game = None;
        self.visit_games(
            false,
            "WHERE games.id = ?1",
            &[Value::Integer(row.get())],
            |found| {
                game = Some(found);
                ControlFlow::Break(())
            },
        )?;
        Ok(game)
    }

    fn row_of(&self, id: GameId) -> Result<Option<GameRow>, StoreError> {
        self.database
            .connection
            .query_row(
                "SELECT id FROM games WHERE source = ?1 AND archive_id = ?2 AND copy = ?3",
                params![id.source().name(), id.to_i64(), id.copy()],
                |row| row.get(0),
            )
            .optional()
            .map_err(|error| self.database.failed(error).into())
    }

    fn id_of(&self, row: GameRow) -> Result<Option<GameId>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        self.database
            .connection
            .prepare_cached("SELECT source, archive_id, copy FROM games WHERE id = ?1")
            .map_err(failed)?
            .query_row([row], |row| id_in(row, 0))
            .optional()
            .map_err(failed)
    }

    fn with_moves(&self, moves: &Moves) -> Result<Vec<GameId>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let setup = |setup| i64::from_le_bytes(encode_setup(setup));
        let mut statement = self
            .database
            .connection
            .prepare_cached(
                "SELECT source, archive_id, copy FROM games
                 WHERE gold_setup = ?1 AND silver_setup = ?2 AND moves = ?3
                 ORDER BY id LIMIT 10",
            )
            .map_err(failed)?;
        let rows = statement
            .query_map(
                params![setup(&moves.gold), setup(&moves.silver), moves.encode()],
                |row| id_in(row, 0),
            )
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    fn log(&self, row: GameRow) -> Result<Option<Vec<u8>>, StoreError> {
        let packed: Option<Vec<u8>> = self
            .database
            .connection
            .query_row("SELECT log FROM logs WHERE game_id = ?1", [row], |row| {
                row.get(0)
            })
            .optional()
            .map_err(|error| self.database.failed(error))?;
        packed
            .map(|packed| unpack(&packed).ok_or(StoreError::Damaged(row)))
            .transpose()
    }

    fn sources(&self) -> Result<Vec<SourceCount>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let samples_left_out = self.database.samples_left_out()?;
        let mut statement = self
            .database
            .connection
            .prepare("SELECT source, count(*), coalesce(sum(turns), 0) FROM games GROUP BY source")
            .map_err(failed)?;
        let rows = statement
            .query_map([], |row| {
                Ok((row.get::<_, String>(0)?, count(row, 1)?, count(row, 2)?))
            })
            .map_err(failed)?;
        let rows: Vec<_> = rows.collect::<Result<_, _>>().map_err(failed)?;
        Ok(source_counts(&rows, samples_left_out))
    }

    fn player_names(&self, part: &str, limit: u32) -> Result<Vec<String>, StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let mut statement = self
            .database
            .connection
            .prepare_cached(
                "SELECT name FROM players WHERE instr(lower(name), lower(?1)) > 0
                 ORDER BY instr(lower(name), lower(?1)) > 1, lower(name), name LIMIT ?2",
            )
            .map_err(failed)?;
        let rows = statement
            .query_map(params![part, limit], |row| row.get(0))
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    fn visit_page(
        &self,
        filter: &Filter,
        page: Page,
        visit: &mut dyn FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let filter = self.counting(filter)?;
        let (condition, values) = filter.to_sql(Dialect::Sqlite);
        let condition = format!("WHERE {condition}{}", page.to_sql());
        self.visit_games(page.with_logs, &condition, &values, visit)
    }
}

impl Store {
    /// Games that meet a condition in SQL.
    fn visit_games(
        &self,
        with_logs: bool,
        condition: &str,
        values: &[Value],
        mut visit: impl FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let failed = |error| StoreError::from(self.database.failed(error));
        let mut statement = self
            .database
            .connection
            .prepare(&format!("{} {condition}", select_game(with_logs)))
            .map_err(failed)?;
        let mut rows = statement
            .query(rusqlite::params_from_iter(values))
            .map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let place: GameRow = row.get(0).map_err(failed)?;
            let game = read_game(&SqliteRow(row)).map_err(failed)?;
            if visit(game.ok_or(StoreError::Damaged(place))?).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// What a game is known by, in three columns from this one on.
pub(super) fn id_in(row: &Row<'_>, first: usize) -> rusqlite::Result<GameId> {
    let source: String = row.get(first)?;
    Ok(game_id(&source, row.get(first + 1)?, row.get(first + 2)?))
}

struct SqliteRow<'a>(&'a Row<'a>);

impl GameColumns for SqliteRow<'_> {
    type Error = rusqlite::Error;
    fn number(&self, column: usize) -> rusqlite::Result<Option<i64>> {
        self.0.get(column)
    }
    fn text(&self, column: usize) -> rusqlite::Result<Option<String>> {
        self.0.get(column)
    }
    fn flag(&self, column: usize) -> rusqlite::Result<bool> {
        self.0.get(column)
    }
    fn bytes(&self, column: usize) -> rusqlite::Result<Option<Vec<u8>>> {
        self.0.get(column)
    }
}
