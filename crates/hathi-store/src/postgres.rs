//! Games and positions on a PostgreSQL server: the same answers for many
//! clients at once.
//!
//! | file | holds |
//! |---|---|
//! | `connect.rs` | URLs, connections, what can go wrong |
//! | `tls.rs`, `conventions.rs` | encryption; password and service files, variables |
//! | `schema.rs`, `*.sql` | the tables, migrations, Citus |
//! | `load.rs`, `upkeep.rs` | adding games with COPY; keeping indexes |
//! | `counts.rs` | how much there is, without looking |
//! | `rows.rs` | positions as rows, and back |
//! | `indexes.rs` | the indexes of the positions |
//! | `kept.rs`, `kept/` | statistics of common positions, added up beforehand |
//! | `ask.rs`, `matching.rs`, `scan.rs` | questions about positions |
//! | `facts.rs`, `facts/` | what the rules say of positions, kept, and patterns that ask for it |
//! | `games.rs`, `expected.rs`, `puzzles.rs` | questions about games and puzzles |
//! | `sql.rs`, `7-moves.sql` | questions in SQL; McKee's table as a view |

mod ask;
mod connect;
mod conventions;
mod counts;
mod expected;
mod facts;
mod games;
mod indexes;
mod kept;
mod load;
mod matching;
mod notes;
mod puzzles;
mod rows;
mod scan;
mod schema;
mod sql;
mod tls;
mod upkeep;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use postgres::types::ToSql;
use postgres::{Client, Statement};

use connect::{Layout, Trouble};
pub use connect::{ServerError, ServerUrl};
use expected::ExpectedGames;
use load::Names;
pub(crate) use sql::HisTables;

use crate::error::StoreError;
use crate::filter::Value;
use crate::index::IndexError;
use crate::memory::Puzzles;

/// A store in a database of a PostgreSQL server.
///
/// One connection, made again when it is lost. The client runs its own
/// executor: do not call it from within an asynchronous task, but from a
/// thread for blocking work.
pub struct PostgresStore {
    server: ServerUrl,
    connection: Mutex<Connection>,
    /// Names that are surely there.
    players: Names,
    events: Names,
    index_trouble: Option<IndexError>,
    /// Few enough games to be read one by one, without indexes.
    few_games: bool,
    /// Do the samples not count, since there are real games?
    samples_left_out: bool,
    /// Of the last answer.
    expected: Mutex<ExpectedGames>,
    /// Bytes of the indexes when there were so many games.
    index_bytes: Mutex<Option<(u64, u64)>>,
}

/// A client and the statements it has prepared.
struct Connection {
    client: Client,
    layout: Layout,
    statements: HashMap<String, Statement>,
}

impl Connection {
    fn new(server: &ServerUrl) -> Result<Connection, ServerError> {
        let (client, layout) = server.connect()?;
        Ok(Connection {
            client,
            layout,
            statements: HashMap::new(),
        })
    }

    /// A statement, prepared when it is first wanted.
    fn prepared(&mut self, sql: &str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl PostgresStore {
    /// Opens a store, making its tables if they are not there.
    pub fn open(server: &ServerUrl) -> Result<PostgresStore, StoreError> {
        PostgresStore::open_with(server, true)
    }

    /// Opens a store that exists; a reader must not make one by accident.
    pub fn open_existing(server: &ServerUrl) -> Result<PostgresStore, StoreError> {
        PostgresStore::open_with(server, false)
    }

    fn open_with(server: &ServerUrl, make: bool) -> Result<PostgresStore, StoreError> {
        let mut connection = Connection::new(server)?;
        let migrated = schema::prepare(server, &mut connection.client, connection.layout, make)?;
        let mut store = PostgresStore {
            server: server.clone(),
            connection: Mutex::new(connection),
            players: Names::new("players"),
            events: Names::new("events"),
            index_trouble: None,
            few_games: false,
            samples_left_out: false,
            expected: Mutex::default(),
            index_bytes: Mutex::default(),
        };
        store.look_at_indexes()?;
        if migrated {
            // Puzzles that were taken for those of another game.
            store.link_puzzles()?;
        }
        Ok(store)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // Nothing is left half done by a panic: transactions roll back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the server. If the connection is lost (the server was started
    /// anew), a new one is made and the question asked once more.
    fn ask<T>(
        &self,
        mut question: impl FnMut(&mut Connection) -> Result<T, postgres::Error>,
    ) -> Result<T, StoreError> {
        let mut connection = self.connection();
        match question(&mut connection) {
            Ok(answer) => return Ok(answer),
            Err(error) => match self.server.error(&error) {
                ServerError::Lost(_) => {}
                other => return Err(other.into()),
            },
        }
        *connection = Connection::new(&self.server)?;
        question(&mut connection).map_err(|error| self.server.error(&error).into())
    }

    /// The same for what must not be done twice.
    fn ask_once<T>(
        &self,
        question: impl FnOnce(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let mut connection = self.connection();
        if connection.client.is_valid(ALIVE_WITHIN).is_err() {
            *connection = Connection::new(&self.server)?;
        }
        question(&mut connection).map_err(|trouble| trouble.of(&self.server).into())
    }
}

/// How long the server may take to say that it is there.
const ALIVE_WITHIN: std::time::Duration = std::time::Duration::from_secs(10);

/// Values of a filter as the client wants them.
fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values
        .iter()
        .map(|value| -> &(dyn ToSql + Sync) {
            match value {
                Value::Integer(number) => number,
                Value::Text(text) => text,
            }
        })
        .collect()
}

/// A zero byte is the one character that PostgreSQL has no place for.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}
