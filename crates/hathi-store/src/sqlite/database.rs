//! The file: opening and migrating it, and what the index needs of its games.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::types::{FromSqlResult, ToSqlOutput};
use rusqlite::{Connection, Row, Transaction, TransactionBehavior};

use super::connect::{OpenMode, connect};
use crate::filter::{Dialect, Filter, Value};
use crate::index::BuildGame;
use crate::model::GameRow;
use crate::rows::side_of;

/// The migrations, oldest first. `user_version` counts how many have run.
const MIGRATIONS: [&str; 4] = [
    include_str!("1-games.sql"),
    include_str!("2-sources.sql"),
    include_str!("3-notes.sql"),
    include_str!("4-moves.sql"),
];

/// With so many of them a file that cannot be written is good enough: what came
/// since is a view for questions in SQL.
const ENOUGH_TO_READ: i64 = 3;

/// What can go wrong with the database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// Another process is writing.
    #[error("another process is writing to {}; try again when it has finished", .0.display())]
    Busy(PathBuf),
    /// The file was made by a newer version.
    #[error("{} was made by a newer version of Hathi (schema {found}, known {})", path.display(), MIGRATIONS.len())]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its schema.
        found: i64,
    },
    /// It is not one of ours.
    #[error("{} is a database of another program", .0.display())]
    Foreign(PathBuf),
    /// SQLite says no.
    #[error("{}: {error}", path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// What it says.
        error: rusqlite::Error,
    },
}

/// Marks our files among SQLite databases: "Hthi".
pub(super) const APPLICATION_ID: i64 = 0x4874_6869;

/// A file of games. What is asked of it and put into it stands in the files
/// beside this one.
#[derive(Debug)]
pub(super) struct Database {
    pub(super) path: PathBuf,
    pub(super) connection: Connection,
    /// Can it be written?
    pub(super) mode: OpenMode,
    /// Names that are surely there.
    pub(super) players: HashMap<String, i64>,
    pub(super) events: HashMap<String, i64>,
    /// Was it of an older schema until now?
    pub(super) migrated: bool,
}

impl Database {
    /// Opens a database, making or migrating it if need be.
    pub(super) fn open(path: &Path) -> Result<Database, DatabaseError> {
        let failed = |error| sqlite_error(path, error);
        let (connection, mode) = connect(path).map_err(failed)?;
        let mut database = Database {
            path: path.to_owned(),
            connection,
            mode,
            players: HashMap::new(),
            events: HashMap::new(),
            migrated: false,
        };
        database.migrate()?;
        Ok(database)
    }

    fn migrate(&mut self) -> Result<(), DatabaseError> {
        let path = self.path.clone();
        let failed = |error| sqlite_error(&path, error);
        let pragma = |connection: &Connection, name: &str| {
            connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0))
        };
        let found = pragma(&self.connection, "user_version").map_err(failed)?;
        let owner = pragma(&self.connection, "application_id").map_err(failed)?;
        let tables: i64 = self
            .connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(failed)?;
        if owner != APPLICATION_ID && tables > 0 {
            return Err(DatabaseError::Foreign(path));
        }
        let known = MIGRATIONS.len() as i64;
        if found > known {
            return Err(DatabaseError::Newer { path, found });
        }
        let readable = self.mode != OpenMode::ReadWrite && found >= ENOUGH_TO_READ;
        if found == known || readable {
            return Ok(());
        }
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        // Another process may have done it while we waited.
        let found = pragma(&transaction, "user_version").map_err(failed)?;
        for migration in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
            transaction.execute_batch(migration).map_err(failed)?;
        }
        transaction
            .execute_batch(&format!(
                "PRAGMA user_version = {known}; PRAGMA application_id = {APPLICATION_ID};"
            ))
            .map_err(failed)?;
        transaction.commit().map_err(failed)?;
        self.migrated = found > 0;
        Ok(())
    }

    /// Turns an error of the connection into one of ours.
    pub(super) fn failed(&self, error: rusqlite::Error) -> DatabaseError {
        sqlite_error(&self.path, error)
    }

    /// The size of the file and of what SQLite keeps beside it.
    pub(super) fn bytes(&self) -> u64 {
        ["", "-wal", "-shm"]
            .iter()
            .filter_map(|ending| {
                let mut name = self.path.as_os_str().to_owned();
                name.push(ending);
                Some(std::fs::metadata(name).ok()?.len())
            })
            .sum()
    }

    /// Tells this database from others: the index names it.
    pub(super) fn store_id(&self) -> Result<u64, DatabaseError> {
        self.connection
            .query_row("SELECT store_id FROM meta", [], |row| row.get::<_, i64>(0))
            .map(i64::cast_unsigned)
            .map_err(|error| self.failed(error))
    }

    /// Another name for the database: what was made from its games before is
    /// stale.
    pub(super) fn rename(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        transaction
            .execute("UPDATE meta SET store_id = abs(random())", [])
            .map(|_| ())
    }

    /// Do the samples not count, since there are real games?
    pub(super) fn samples_left_out(&self) -> Result<bool, DatabaseError> {
        self.connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM games WHERE source = 'sample')
                    AND EXISTS (SELECT 1 FROM games WHERE source IN ('arimaa', 'file'))",
            )
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map_err(|error| self.failed(error))
    }

    /// How many games there are up to this one.
    pub(super) fn games_up_to(&self, row: GameRow) -> Result<u64, DatabaseError> {
        self.connection
            .query_row("SELECT count(*) FROM games WHERE id <= ?1", [row], |row| {
                count(row, 0)
            })
            .map_err(|error| self.failed(error))
    }

    /// How many games there are after this one: quick, unless it is many.
    pub(super) fn games_since(&self, row: GameRow) -> Result<u64, DatabaseError> {
        self.connection
            .query_row("SELECT count(*) FROM games WHERE id > ?1", [row], |row| {
                count(row, 0)
            })
            .map_err(|error| self.failed(error))
    }

    /// What the index needs of the games after this one.
    pub(super) fn games_after(&self, row: GameRow) -> Result<Vec<BuildGame>, DatabaseError> {
        let failed = |error| self.failed(error);
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT id, started, gold_rating, silver_rating, result, moves
                 FROM games WHERE id > ?1 ORDER BY id",
            )
            .map_err(failed)?;
        let rows = statement
            .query_map([row], |row| {
                Ok(BuildGame {
                    row: row.get(0)?,
                    started: row.get(1)?,
                    gold_rating: row.get(2)?,
                    silver_rating: row.get(3)?,
                    winner: side_of(row.get::<_, Option<String>>(4)?),
                    moves: row.get(5)?,
                })
            })
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    /// The rows of the games the filter lets through, in order.
    pub(super) fn filtered_rows(&self, filter: &Filter) -> Result<Vec<GameRow>, DatabaseError> {
        let failed = |error| self.failed(error);
        let (condition, values) = filter.to_sql(Dialect::Sqlite);
        let mut statement = self
            .connection
            .prepare(&format!(
                "SELECT games.id FROM {}
                 WHERE {condition} ORDER BY games.id",
                filter.tables(),
            ))
            .map_err(failed)?;
        let rows = statement
            .query_map(rusqlite::params_from_iter(values), |row| row.get(0))
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }
}

pub(super) fn sqlite_error(path: &Path, error: rusqlite::Error) -> DatabaseError {
    use rusqlite::ErrorCode;
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            DatabaseError::Busy(path.to_owned())
        }
        Some(ErrorCode::NotADatabase) => DatabaseError::Foreign(path.to_owned()),
        _ => DatabaseError::Sqlite {
            path: path.to_owned(),
            error,
        },
    }
}

/// A number that SQLite counted, so it is not negative.
pub(super) fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.cast_unsigned())
}

impl rusqlite::ToSql for GameRow {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.get().into())
    }
}

impl rusqlite::types::FromSql for GameRow {
    fn column_result(value: rusqlite::types::ValueRef<'_>) -> FromSqlResult<GameRow> {
        value.as_i64().map(GameRow::new)
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Value::Integer(number) => number.to_sql(),
            Value::Text(text) => text.to_sql(),
        }
    }
}
