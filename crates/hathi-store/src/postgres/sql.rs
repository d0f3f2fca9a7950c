//! Questions in SQL to a server.

use std::fmt::Write as _;
use std::io::Write as _;

use postgres::types::Type;
use postgres::{Client, SimpleQueryMessage};

use super::PostgresStore;
use super::connect::{ServerError, ServerUrl};
use crate::error::StoreError;
use crate::sql::{MoveRow, SqlAnswer, SqlDialect, SqlValue, in_words_of};

impl PostgresStore {
    /// Asks the store; what would change something is refused.
    pub(crate) fn ask_sql(&self, question: &str, most: usize) -> Result<SqlAnswer, StoreError> {
        ask(
            &self.server,
            &mut self.connection().client,
            question,
            Some(most),
        )
    }
}

fn ask(
    server: &ServerUrl,
    client: &mut Client,
    question: &str,
    most: Option<usize>,
) -> Result<SqlAnswer, StoreError> {
    let words = in_words_of(SqlDialect::Postgres, question);
    let words = words.trim().trim_end_matches(';');
    // What the server does not like about the question is not its fault.
    let refused = |error: postgres::Error| match error.as_db_error() {
        Some(said) => StoreError::Sql(said.message().to_owned()),
        None => server.error(&error).into(),
    };
    let mut transaction = client
        .build_transaction()
        .read_only(true)
        .start()
        .map_err(refused)?;
    // One question only: a second one would not be prepared.
    let prepared = transaction.prepare(words).map_err(refused)?;
    let columns = prepared.columns();
    let mut answer = SqlAnswer {
        columns: columns
            .iter()
            .map(|column| column.name().to_owned())
            .collect(),
        ..SqlAnswer::default()
    };
    let types: Vec<Type> = columns
        .iter()
        .map(|column| column.type_().clone())
        .collect();
    let rows = if let Some(most) = most {
        transaction
            .batch_execute(&format!("DECLARE asked NO SCROLL CURSOR FOR {words}"))
            .map_err(refused)?;
        // More than any answer has.
        let rows = i32::try_from(most.saturating_add(1)).unwrap_or(i32::MAX);
        transaction.simple_query(&format!("FETCH {rows} FROM asked"))
    } else {
        transaction.simple_query(words)
    };
    for message in rows.map_err(refused)? {
        let SimpleQueryMessage::Row(row) = message else {
            continue;
        };
        let values = types.iter().enumerate();
        let values = values.map(|(column, of)| value(row.get(column), of));
        answer.rows.push(values.collect());
    }
    if let Some(most) = most
        && answer.rows.len() > most
    {
        answer.rows.truncate(most);
        answer.more = true;
    }
    Ok(answer)
}

/// What the server wrote, as a number if it is one.
fn value(text: Option<&str>, of: &Type) -> SqlValue {
    let Some(text) = text else {
        return SqlValue::Null;
    };
    let number = match *of {
        Type::INT2 | Type::INT4 | Type::INT8 => text.parse().ok().map(SqlValue::Integer),
        Type::FLOAT4 | Type::FLOAT8 | Type::NUMERIC => text.parse().ok().map(SqlValue::Real),
        _ => None,
    };
    number.unwrap_or_else(|| SqlValue::Text(text.to_owned()))
}

/// His database on a server: a table of this connection alone.
pub(crate) struct HisTables {
    server: ServerUrl,
    client: Client,
}

/// His table 3.
const HIS_TABLE: &str = "
    SET temp_buffers = '256MB';
    CREATE TEMPORARY TABLE moves (
        id bigint PRIMARY KEY,
        game_id bigint,
        turn smallint,
        side \"char\",
        brating integer,
        wrating integer,
        winner \"char\",
        boardstatus char(64) COLLATE \"C\",
        next_move varchar(255),
        maxturns smallint
    )";

/// `MySQL`'s, in which he asked.
const IF: &str = "
    CREATE FUNCTION pg_temp.\"if\"(condition boolean, yes anyelement, no anyelement)
    RETURNS anyelement LANGUAGE sql IMMUTABLE
    AS 'SELECT CASE WHEN condition THEN yes ELSE no END'";

impl HisTables {
    pub(crate) fn make(server: &ServerUrl) -> Result<HisTables, StoreError> {
        let (mut client, _) = server.connect()?;
        let made = client.batch_execute(HIS_TABLE);
        made.and_then(|()| client.batch_execute(IF))
            .map_err(|error| server.error(&error))?;
        Ok(HisTables {
            server: server.clone(),
            client,
        })
    }

    fn failed(&self, error: &postgres::Error) -> StoreError {
        self.server.error(error).into()
    }

    pub(crate) fn add(&mut self, rows: &[MoveRow]) -> Result<(), StoreError> {
        let mut text = String::new();
        for row in rows {
            let winner = row
                .winner
                .map_or("\\N".to_owned(), |side| side.to_char().to_string());
            // No tabs or backslashes in any of them.
            let _ = writeln!(
                text,
                "{}\t{}\t{}\t{}\t{}\t{}\t{winner}\t{}\t{}\t{}",
                row.id,
                row.game_id,
                row.turn,
                row.side.to_char(),
                row.brating,
                row.wrating,
                row.boardstatus,
                row.next_move,
                row.maxturns,
            );
        }
        let mut copy = self
            .client
            .copy_in("COPY moves FROM STDIN")
            .map_err(|error| self.server.error(&error))?;
        copy.write_all(text.as_bytes())
            .map_err(|_| ServerError::Lost(self.server.clone()))?;
        let added = copy.finish();
        added.map(|_| ()).map_err(|error| self.failed(&error))
    }

    pub(crate) fn make_index(&mut self) -> Result<(), StoreError> {
        let made = self
            .client
            .batch_execute("CREATE INDEX move ON moves (boardstatus); ANALYZE moves;");
        made.map_err(|error| self.failed(&error))
    }

    pub(crate) fn ask(&mut self, question: &str) -> Result<SqlAnswer, StoreError> {
        // Functions of a session are found by their schema alone.
        let question = question.replace("IF(", "pg_temp.\"if\"(");
        ask(&self.server, &mut self.client, &question, None)
    }

    pub(crate) fn name(&mut self) -> Result<String, StoreError> {
        let version = self.client.query_one("SHOW server_version", &[]);
        let version = version.map_err(|error| self.failed(&error))?;
        let version: String = version.get(0);
        let number = version.split(' ').next().unwrap_or_default();
        Ok(format!("PostgreSQL {number}"))
    }
}
