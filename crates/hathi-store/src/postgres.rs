//! Games and positions on a PostgreSQL server: the same answers for many
//! clients at once.
//!
//! | file | holds |
//! |---|---|
//! | `connect.rs` | URLs, connections, what can go wrong |
//! | `schema.rs`, `*.sql` | the tables, migrations, Citus |
//! | `load.rs` | adding games with COPY |
//! | `positions.rs` | positions as rows, and back |
//! | `indexes.rs` | the indexes of the positions |
//! | `ask.rs`, `scan.rs` | questions about positions |
//! | `games.rs`, `puzzles.rs` | questions about games and puzzles |

mod ask;
mod connect;
mod games;
mod indexes;
mod load;
mod positions;
mod puzzles;
mod scan;
mod schema;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hathi_archive::{GameId, Puzzle};
use hathi_rules::{Position, Setup, Side};
use postgres::types::ToSql;
use postgres::{Client, Statement};

use connect::Trouble;
pub use connect::{ServerError, ServerUrl};
use load::Names;

use crate::answer::Answer;
use crate::backend::Memory;
use crate::database::{NewGame, ResultCount, StoredGame, Totals};
use crate::filter::{Filter, Page, Value};
use crate::index::IndexError;
use crate::memory::{Hit, Kind, Matching};
use crate::pattern::Pattern;
use crate::puzzles::{PuzzleHit, PuzzleSummary, UnlinkedPuzzle};
use crate::search::PatternAnswer;
use crate::setups::Setups;
use crate::store::{IndexState, StoreError};

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
}

/// A client and the statements it has prepared.
struct Connection {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Connection {
    fn new(server: &ServerUrl) -> Result<Connection, ServerError> {
        Ok(Connection {
            client: server.connect()?,
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
        schema::prepare(server, &mut connection.client, make)?;
        let mut store = PostgresStore {
            server: server.clone(),
            connection: Mutex::new(connection),
            players: Names::new("players"),
            events: Names::new("events"),
            index_trouble: None,
            few_games: false,
        };
        store.look_at_indexes()?;
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

impl Memory for PostgresStore {
    fn totals(&self) -> Result<Totals, StoreError> {
        self.read_totals()
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        self.table_bytes()
    }

    fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        self.count_games(filter)
    }

    fn results(&self, filter: &Filter) -> Result<Vec<ResultCount>, StoreError> {
        self.count_results(filter)
    }

    fn setups(
        &self,
        side: Side,
        reply_to: Option<&Setup>,
        merge_mirrors: bool,
        filter: &Filter,
        limit: usize,
    ) -> Result<Setups, StoreError> {
        self.count_setups(side, reply_to, merge_mirrors, filter, limit)
    }

    fn best(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
    ) -> Result<Option<Hit>, StoreError> {
        self.best_hit(position, kind, matching, |hit| hit.legal_on(position))
    }

    fn first(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
    ) -> Result<Option<Hit>, StoreError> {
        let side = position.side_to_move();
        self.best_hit(position, kind, matching, |hit| hit.translate(side))
    }

    fn find(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        filter: &Filter,
    ) -> Result<Answer, StoreError> {
        self.all_hits(position, kind, matching, filter, None)
    }

    fn find_best(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        most: usize,
    ) -> Result<Answer, StoreError> {
        self.all_hits(position, kind, matching, &Filter::default(), Some(most))
    }

    fn search(
        &self,
        pattern: &Pattern,
        matching: Matching,
        filter: &Filter,
        limit: usize,
        one_per_game: bool,
    ) -> Result<PatternAnswer, StoreError> {
        self.scan(pattern, matching, filter, limit, one_per_game)
    }

    fn game(&self, id: i64) -> Result<Option<StoredGame>, StoreError> {
        self.read_game(id)
    }

    fn game_of_archive(&self, id: GameId) -> Result<Option<i64>, StoreError> {
        self.row_of_archive(id)
    }

    fn archive_id(&self, row: i64) -> Result<Option<GameId>, StoreError> {
        self.archive_id_of(row)
    }

    fn visit_page(
        &self,
        filter: &Filter,
        page: Page,
        visit: &mut dyn FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.visit_games(filter, page, visit)
    }

    fn import_puzzles(&mut self, puzzles: &[Puzzle]) -> Result<PuzzleSummary, StoreError> {
        self.add_puzzles(puzzles)
    }

    fn puzzle_counts(&self) -> Result<PuzzleSummary, StoreError> {
        self.count_puzzles()
    }

    fn puzzles_at(
        &self,
        position: &Position,
        matching: Matching,
    ) -> Result<Vec<PuzzleHit>, StoreError> {
        self.find_puzzles(position, matching)
    }

    fn broken_puzzles(&self) -> Result<Vec<UnlinkedPuzzle>, StoreError> {
        self.list_broken_puzzles()
    }

    fn linked_puzzle(&self, number: u64) -> Result<Option<(PuzzleHit, Position)>, StoreError> {
        self.puzzle_number(number)
    }

    fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, StoreError> {
        // On a new store this takes no time, and spares a long wait later.
        if self.index_trouble.is_some() && self.few_games {
            self.make_indexes(&mut |_, _| ControlFlow::Continue(()))?;
        }
        self.load(games)
    }

    fn insert_for_index(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, StoreError> {
        self.load(games)
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
    /// indexes; those that are done stay, and answers wait for the rest.
    fn build_index_or_stop(
        &mut self,
        _threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.drop_indexes()?;
        self.make_indexes(progress)
    }

    fn check_index(&self) -> Result<(), StoreError> {
        self.check_positions()
    }

    fn index_state(&self) -> IndexState {
        self.read_index_state().unwrap_or_default()
    }

    fn index_is_behind(&self) -> Result<bool, StoreError> {
        Ok(self.index_trouble.is_some())
    }

    fn index_trouble(&self) -> Option<&IndexError> {
        self.index_trouble.as_ref()
    }
}
