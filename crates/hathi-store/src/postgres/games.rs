//! Questions about games.

use hathi_archive::GameId;
use hathi_rules::{Setup, Side, Termination};
use postgres::Row;
use postgres::fallible_iterator::FallibleIterator;
use std::borrow::Cow;
use std::ops::ControlFlow;

use super::{PostgresStore, parameters};
use crate::error::StoreError;
use crate::filter::{Dialect, Filter, Page, Value};
use crate::log::unpack;
use crate::memory::Games;
use crate::model::{GameRow, ResultCount, SourceCount, StoredGame, Totals};
use crate::moves::{Moves, encode_setup};
use crate::rows::{GameColumns, game_id, read_game, select_game, side_of};
use crate::setups::{SetupQuestion, SetupRow, Setups};

pub(super) struct PostgresRow<'a>(pub(super) &'a Row);

impl GameColumns for PostgresRow<'_> {
    type Error = postgres::Error;
    fn number(&self, column: usize) -> Result<Option<i64>, postgres::Error> {
        self.0.try_get(column)
    }
    fn text(&self, column: usize) -> Result<Option<String>, postgres::Error> {
        self.0.try_get(column)
    }
    fn flag(&self, column: usize) -> Result<bool, postgres::Error> {
        self.0.try_get(column)
    }
    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>, postgres::Error> {
        self.0.try_get(column)
    }
}

/// A number that the server counted, so it is not negative.
pub(super) fn count(row: &Row, column: usize) -> Result<u64, postgres::Error> {
    row.try_get::<_, i64>(column).map(i64::cast_unsigned)
}

/// What a game is known by, in the first three columns.
pub(super) fn id_in(row: &Row) -> Result<GameId, postgres::Error> {
    let source: String = row.try_get(0)?;
    Ok(game_id(&source, row.try_get(1)?, row.try_get(2)?))
}

impl PostgresStore {
    /// The filter with the sources that count, if none were chosen.
    fn counting<'a>(&self, filter: &'a Filter) -> Result<Cow<'a, Filter>, StoreError> {
        Ok(match filter.sources {
            Some(_) => Cow::Borrowed(filter),
            None => filter.counting(self.counts()?.leave_samples_out()),
        })
    }
}

impl Games for PostgresStore {
    fn totals(&self) -> Result<Totals, StoreError> {
        let counts = self.counts()?;
        self.ask(|connection| {
            let mut number = |sql: &str| count(&connection.client.query_one(sql, &[])?, 0);
            Ok(Totals {
                games: counts.games(),
                positions: counts.positions(),
                last_game: counts.last_game,
                players: number("SELECT count(*) FROM players")?,
                puzzles: number("SELECT count(*) FROM puzzles WHERE game_id IS NOT NULL")?,
            })
        })
    }

    fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        let filter = self.counting(filter)?;
        let (condition, values) = filter.to_sql(Dialect::Postgres);
        let sql = format!("SELECT count(*) FROM {} WHERE {condition}", filter.tables());
        self.ask(|connection| {
            let row = connection.client.query_one(&sql, &parameters(&values))?;
            count(&row, 0)
        })
    }

    fn results(&self, filter: &Filter) -> Result<Vec<ResultCount>, StoreError> {
        let filter = self.counting(filter)?;
        let (condition, values) = filter.to_sql(Dialect::Postgres);
        let sql = format!(
            "SELECT result, termination, count(*) FROM {} WHERE {condition}
             GROUP BY result, termination ORDER BY count(*) DESC",
            filter.tables()
        );
        self.ask(|connection| {
            let rows = connection.client.query(&sql, &parameters(&values))?;
            rows.iter()
                .map(|row| {
                    let termination: Option<String> = row.try_get(1)?;
                    Ok(ResultCount {
                        winner: side_of(row.try_get(0)?),
                        termination: termination
                            .and_then(|text| text.chars().next())
                            .and_then(Termination::from_char),
                        games: count(row, 2)?,
                    })
                })
                .collect()
        })
    }

    fn setups(
        &self,
        side: Side,
        reply_to: Option<&Setup>,
        merge_mirrors: bool,
        filter: &Filter,
        limit: usize,
    ) -> Result<Setups, StoreError> {
        let filter = self.counting(filter)?;
        let question = SetupQuestion {
            side,
            reply_to,
            merge_mirrors,
            filter: &filter,
        };
        let (sql, values) = question.to_sql(Dialect::Postgres);
        let rows: Vec<SetupRow> = self.ask(|connection| {
            let rows = connection.client.query(&sql, &parameters(&values))?;
            rows.iter()
                .map(|row| {
                    let mut numbers = SetupRow::default();
                    for (i, number) in numbers.iter_mut().enumerate() {
                        *number = row.try_get(i)?;
                    }
                    Ok(numbers)
                })
                .collect::<Result<_, postgres::Error>>()
        })?;
        Ok(question.answer(&rows, limit))
    }

    fn game(&self, row: GameRow) -> Result<Option<StoredGame>, StoreError> {
        if let Some(game) = self.expected_game(row)? {
            return Ok(Some(game));
        }
        let found = self.ask(|connection| {
            let statement =
                connection.prepared(&format!("{} WHERE games.id = $1", select_game(false)))?;
            let found = connection.client.query_opt(&statement, &[&row.get()])?;
            found.map(|row| read_game(&PostgresRow(&row))).transpose()
        })?;
        found
            .map(|game| game.ok_or_else(|| StoreError::Damaged(row)))
            .transpose()
    }

    fn row_of(&self, id: GameId) -> Result<Option<GameRow>, StoreError> {
        self.ask(|connection| {
            let row = connection.client.query_opt(
                "SELECT id FROM games WHERE archive_id = $1 AND source = $2 AND copy = $3",
                &[&id.to_i64(), &id.source().name(), &i64::from(id.copy())],
            )?;
            row.map(|row| row.try_get(0).map(GameRow::new)).transpose()
        })
    }

    fn id_of(&self, row: GameRow) -> Result<Option<GameId>, StoreError> {
        if let Some(game) = self.expected_game(row)? {
            return Ok(Some(game.game.id));
        }
        self.ask(|connection| {
            let statement =
                connection.prepared("SELECT source, archive_id, copy FROM games WHERE id = $1")?;
            let found = connection.client.query_opt(&statement, &[&row.get()])?;
            found.map(|found| id_in(&found)).transpose()
        })
    }

    fn with_moves(&self, moves: &Moves) -> Result<Vec<GameId>, StoreError> {
        let setup = |setup| i64::from_le_bytes(encode_setup(setup));
        let (gold, silver) = (setup(&moves.gold), setup(&moves.silver));
        let encoded = moves.encode();
        self.ask(|connection| {
            let rows = connection.client.query(
                "SELECT source, archive_id, copy FROM games
                 WHERE gold_setup = $1 AND silver_setup = $2 AND moves = $3
                 ORDER BY id LIMIT 10",
                &[&gold, &silver, &encoded],
            )?;
            rows.iter().map(id_in).collect()
        })
    }

    fn log(&self, row: GameRow) -> Result<Option<Vec<u8>>, StoreError> {
        let packed: Option<Vec<u8>> = self.ask(|connection| {
            let found = connection
                .client
                .query_opt("SELECT log FROM logs WHERE game_id = $1", &[&row.get()])?;
            found.map(|found| found.try_get(0)).transpose()
        })?;
        packed
            .map(|packed| unpack(&packed).ok_or(StoreError::Damaged(row)))
            .transpose()
    }

    fn sources(&self) -> Result<Vec<SourceCount>, StoreError> {
        Ok(self.counts()?.sources())
    }

    fn player_names(&self, part: &str, limit: u32) -> Result<Vec<String>, StoreError> {
        // A server does not take such a character, so no name has it.
        if part.contains('\0') {
            return Ok(Vec::new());
        }
        self.ask(|connection| {
            let rows = connection.client.query(
                "SELECT name FROM players WHERE strpos(lower(name), lower($1)) > 0
                 ORDER BY strpos(lower(name), lower($1)) > 1, lower(name) COLLATE \"C\", name COLLATE \"C\"
                 LIMIT $2",
                &[&part, &i64::from(limit)],
            )?;
            rows.iter().map(|row| row.try_get(0)).collect()
        })
    }

    fn visit_page(
        &self,
        filter: &Filter,
        page: Page,
        visit: &mut dyn FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let filter = self.counting(filter)?;
        let (condition, values) = filter.to_sql(Dialect::Postgres);
        let sql = format!(
            "{}{} WHERE {condition}{}",
            select_game(page.with_logs),
            // With the distribution column, so that each shard can do its part.
            if page.with_logs {
                " AND logs.archive_id = games.archive_id"
            } else {
                ""
            },
            page.to_sql()
        );
        let damaged: Option<GameRow> = self.ask_once(|connection| {
            let values: &[Value] = &values;
            let mut rows = connection.client.query_raw(&sql, parameters(values))?;
            while let Some(row) = rows.next()? {
                match read_game(&PostgresRow(&row))? {
                    Some(game) => {
                        if visit(game).is_break() {
                            break;
                        }
                    }
                    None => return Ok(Some(GameRow::new(row.try_get(0)?))),
                }
            }
            Ok(None)
        })?;
        damaged.map_or(Ok(()), |row| Err(StoreError::Damaged(row)))
    }
}
