//! Questions in SQL to a file.

use std::path::{Path, PathBuf};

use regex_lite::Regex;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::database::{Database, sqlite_error};
use crate::error::StoreError;
use crate::sql::{MoveRow, SqlAnswer, SqlDialect, SqlValue, in_words_of};

/// Asks the store in a file; what would change something is refused.
pub(crate) fn ask_file(path: &Path, question: &str, most: usize) -> Result<SqlAnswer, StoreError> {
    let database = Database::open(path)?;
    let connection = &database.connection;
    let failed = |error| StoreError::from(sqlite_error(path, error));
    connection
        .execute_batch("PRAGMA query_only = ON")
        .map_err(failed)?;
    as_he_asks(connection).map_err(failed)?;
    ask(connection, question, most)
}

/// Capitals are no small letters, and there are regular expressions.
fn as_he_asks(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA case_sensitive_like = ON")?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    // `text REGEXP pattern` is `regexp(pattern, text)`.
    connection.create_scalar_function("regexp", 2, flags, |arguments| {
        type Trouble = Box<dyn std::error::Error + Send + Sync>;
        let pattern = arguments.get_or_create_aux(0, |pattern| -> Result<Regex, Trouble> {
            Ok(Regex::new(pattern.as_str()?)?)
        })?;
        Ok(match arguments.get_raw(1) {
            ValueRef::Null => None,
            text => Some(pattern.is_match(text.as_str()?)),
        })
    })
}

fn ask(connection: &Connection, question: &str, most: usize) -> Result<SqlAnswer, StoreError> {
    let refused = |error: rusqlite::Error| StoreError::Sql(error.to_string());
    let words = in_words_of(SqlDialect::Sqlite, question);
    let mut statement = connection.prepare(&words).map_err(refused)?;
    if !statement.readonly() || statement.column_count() == 0 {
        return Err(StoreError::Sql(
            "questions begin with SELECT or WITH; nothing is changed here".to_owned(),
        ));
    }
    let columns = statement.column_names();
    let mut answer = SqlAnswer {
        columns: columns.into_iter().map(str::to_owned).collect(),
        ..SqlAnswer::default()
    };
    let width = answer.columns.len();
    let mut rows = statement.query([]).map_err(refused)?;
    while let Some(row) = rows.next().map_err(refused)? {
        if answer.rows.len() == most {
            answer.more = true;
            break;
        }
        let values = (0..width).map(|column| Ok(value(row.get_ref(column)?)));
        let values: rusqlite::Result<_> = values.collect();
        answer.rows.push(values.map_err(refused)?);
    }
    Ok(answer)
}

fn value(value: ValueRef<'_>) -> SqlValue {
    match value {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => SqlValue::Integer(number),
        ValueRef::Real(number) => SqlValue::Real(number),
        ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => SqlValue::Bytes(bytes.to_owned()),
    }
}

/// His database in a file.
pub(crate) struct HisFile {
    path: PathBuf,
    connection: Connection,
}

/// His table 3, with SQLite's types where it has none of these. Made at one go,
/// and again if it is lost: nothing has to be safe.
const HIS_TABLE: &str = "
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -262144;
    CREATE TABLE moves (
        id INTEGER PRIMARY KEY,
        game_id INT,
        turn SMALLINT,
        side TEXT,
        brating SMALLINT,
        wrating SMALLINT,
        winner TEXT,
        boardstatus CHAR(64),
        next_move VARCHAR(255),
        maxturns SMALLINT
    );";

impl HisFile {
    pub(crate) fn make(path: &Path) -> Result<HisFile, StoreError> {
        let failed = |error| StoreError::from(sqlite_error(path, error));
        let connection = Connection::open(path).map_err(failed)?;
        connection.execute_batch(HIS_TABLE).map_err(failed)?;
        as_he_asks(&connection).map_err(failed)?;
        Ok(HisFile {
            path: path.to_owned(),
            connection,
        })
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        sqlite_error(&self.path, error).into()
    }

    pub(crate) fn add(&mut self, rows: &[MoveRow]) -> Result<(), StoreError> {
        self.insert(rows).map_err(|error| self.failed(error))
    }

    fn insert(&mut self, rows: &[MoveRow]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        {
            let mut statement = transaction.prepare_cached(
                "INSERT INTO moves VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?;
            for row in rows {
                statement.execute(params![
                    row.id,
                    row.game_id,
                    row.turn,
                    row.side.to_char().to_string(),
                    row.brating,
                    row.wrating,
                    row.winner.map(|side| side.to_char().to_string()),
                    row.boardstatus,
                    row.next_move,
                    row.maxturns,
                ])?;
            }
        }
        transaction.commit()
    }

    pub(crate) fn make_index(&mut self) -> Result<(), StoreError> {
        self.connection
            .execute_batch("CREATE INDEX move ON moves (boardstatus); ANALYZE;")
            .map_err(|error| self.failed(error))
    }

    pub(crate) fn ask(&mut self, question: &str) -> Result<SqlAnswer, StoreError> {
        ask(&self.connection, question, usize::MAX)
    }
}
