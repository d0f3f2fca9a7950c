//! The games in SQLite: the source of truth.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hathi_archive::{ArchivedGame, GameId, Player, PlayerKind};
use hathi_rules::{BySide, Side, Termination};
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use xxhash_rust::xxh3::Xxh3;

use crate::filter::{Dialect, Filter, Pace, Page, Value};
use crate::index::BuildGame;
use crate::moves::{Moves, encode_setup};

/// The migrations, oldest first. `user_version` counts how many have run.
const MIGRATIONS: [&str; 1] = [include_str!("schema/1-games.sql")];

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
    /// A game in it cannot be understood.
    #[error("game {0} is damaged in the database")]
    Damaged(i64),
}

/// Marks our files among SQLite databases: "Hthi".
const APPLICATION_ID: i64 = 0x4874_6869;

/// A game as it goes into the database.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Who, when, how it ended; its move list is not looked at.
    pub game: ArchivedGame,
    /// The moves that are kept: all legal.
    pub moves: Moves,
    /// How many takebacks there were.
    pub takebacks: usize,
    /// Why the game was shortened, if it was.
    pub fault: Option<String>,
}

/// A game as it comes out of the database.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Its row.
    pub id: i64,
    /// Who, when, how it ended. The move list is made again from the moves.
    pub game: ArchivedGame,
    /// The moves.
    pub moves: Moves,
    /// Why it was shortened, if it was.
    pub fault: Option<String>,
}

/// A database of games.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    connection: Connection,
    players: HashMap<String, i64>,
    events: HashMap<String, i64>,
}

impl Database {
    /// Opens a database, making or migrating it if need be.
    pub fn open(path: &Path) -> Result<Database, DatabaseError> {
        let failed = |error| sqlite_error(path, error);
        let connection = Connection::open(path).map_err(failed)?;
        connection
            .busy_timeout(Duration::from_secs(2))
            .map_err(failed)?;
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL;
                 PRAGMA synchronous = NORMAL;
                 PRAGMA foreign_keys = ON;
                 PRAGMA temp_store = MEMORY;
                 PRAGMA cache_size = -65536;",
            )
            .map_err(failed)?;
        let mut database = Database {
            path: path.to_owned(),
            connection,
            players: HashMap::new(),
            events: HashMap::new(),
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
        if found == known {
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
        transaction.commit().map_err(failed)
    }

    fn failed(&self, error: rusqlite::Error) -> DatabaseError {
        sqlite_error(&self.path, error)
    }

    /// The size of the file and of what SQLite keeps beside it.
    pub fn bytes(&self) -> u64 {
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
    pub fn store_id(&self) -> Result<u64, DatabaseError> {
        self.connection
            .query_row("SELECT store_id FROM meta", [], |row| row.get::<_, i64>(0))
            .map(i64::cast_unsigned)
            .map_err(|error| self.failed(error))
    }

    /// Adds games in one transaction: all of them or, if it fails, none.
    /// Returns for each whether it was new.
    pub fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, DatabaseError> {
        let path = self.path.clone();
        let failed = |error| sqlite_error(&path, error);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let mut players = HashMap::new();
        let mut events = HashMap::new();
        let result = insert_all(
            &transaction,
            games,
            &mut Names {
                known: &self.players,
                new: &mut players,
                insert: "INSERT INTO players(name) VALUES (?1) ON CONFLICT(name) DO UPDATE SET name = name RETURNING id",
            },
            &mut Names {
                known: &self.events,
                new: &mut events,
                insert: "INSERT INTO events(name) VALUES (?1) ON CONFLICT(name) DO UPDATE SET name = name RETURNING id",
            },
        )
        .map_err(failed)?;
        transaction.commit().map_err(failed)?;
        // Only now are the new names sure to be there.
        self.players.extend(players);
        self.events.extend(events);
        Ok(result)
    }

    /// Number of games, of positions (with a turn played from them), of
    /// players, and the newest game.
    pub fn totals(&self) -> Result<Totals, DatabaseError> {
        self.connection
            .query_row(
                "SELECT count(*), coalesce(sum(turns), 0), coalesce(max(id), 0),
                        (SELECT count(*) FROM players), (SELECT count(*) FROM puzzles)
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
            .map_err(|error| self.failed(error))
    }

    /// How many games the filter lets through.
    pub fn count(&self, filter: &Filter) -> Result<u64, DatabaseError> {
        let (condition, values) = filter.to_sql(Dialect::Sqlite);
        self.connection
            .query_row(
                &format!("SELECT count(*) FROM {} WHERE {condition}", filter.tables()),
                rusqlite::params_from_iter(values),
                |row| count(row, 0),
            )
            .map_err(|error| self.failed(error))
    }

    /// How often each side won in each way; no letter where the archive has
    /// none.
    pub fn results(&self, filter: &Filter) -> Result<Vec<ResultCount>, DatabaseError> {
        let failed = |error| self.failed(error);
        let (condition, values) = filter.to_sql(Dialect::Sqlite);
        let mut statement = self
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

    /// How many games there are up to this one.
    pub(crate) fn games_up_to(&self, id: i64) -> Result<u64, DatabaseError> {
        self.connection
            .query_row("SELECT count(*) FROM games WHERE id <= ?1", [id], |row| {
                count(row, 0)
            })
            .map_err(|error| self.failed(error))
    }

    /// How many games there are after this one: quick, unless it is many.
    pub(crate) fn games_since(&self, id: i64) -> Result<u64, DatabaseError> {
        self.connection
            .query_row("SELECT count(*) FROM games WHERE id > ?1", [id], |row| {
                count(row, 0)
            })
            .map_err(|error| self.failed(error))
    }

    /// What the index needs of the games after this one.
    pub(crate) fn games_after(&self, id: i64) -> Result<Vec<BuildGame>, DatabaseError> {
        let failed = |error| self.failed(error);
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT id, started, gold_rating, silver_rating, result, moves
                 FROM games WHERE id > ?1 ORDER BY id",
            )
            .map_err(failed)?;
        let rows = statement
            .query_map([id], |row| {
                Ok(BuildGame {
                    id: row.get(0)?,
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

    /// A whole game.
    pub fn game(&self, id: i64) -> Result<Option<StoredGame>, DatabaseError> {
        let mut game = None;
        self.visit_games("WHERE games.id = ?1", &[Value::Integer(id)], |found| {
            game = Some(found);
            ControlFlow::Break(())
        })?;
        Ok(game)
    }

    /// The game with this number in the archive.
    pub fn game_of_archive(&self, id: GameId) -> Result<Option<i64>, DatabaseError> {
        self.connection
            .query_row(
                "SELECT id FROM games WHERE archive_id = ?1 ORDER BY id LIMIT 1",
                [id.to_i64()],
                |row| row.get(0),
            )
            .optional()
            .map_err(|error| self.failed(error))
    }

    /// The number in the archive of the game in this row.
    pub fn archive_id(&self, row: i64) -> Result<Option<GameId>, DatabaseError> {
        let failed = |error| self.failed(error);
        let id: Option<i64> = self
            .connection
            .prepare_cached("SELECT archive_id FROM games WHERE id = ?1")
            .map_err(failed)?
            .query_row([row], |row| row.get(0))
            .optional()
            .map_err(failed)?;
        Ok(id.and_then(|id| GameId::new(id.cast_unsigned())))
    }

    /// Calls `visit` with the games of the page that the filter lets through,
    /// until it has seen enough.
    pub fn visit_page(
        &self,
        filter: &Filter,
        page: Page,
        visit: impl FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), DatabaseError> {
        let (condition, values) = filter.to_sql(Dialect::Sqlite);
        let condition = format!("WHERE {condition}{}", page.to_sql());
        self.visit_games(&condition, &values, visit)
    }

    /// The rows of the games the filter lets through, in order.
    pub(crate) fn filtered_ids(&self, filter: &Filter) -> Result<Vec<i64>, DatabaseError> {
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

    fn visit_games(
        &self,
        condition: &str,
        values: &[Value],
        mut visit: impl FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), DatabaseError> {
        let failed = |error| self.failed(error);
        let mut statement = self
            .connection
            .prepare(&format!("{SELECT_GAME} {condition}"))
            .map_err(failed)?;
        let mut rows = statement
            .query(rusqlite::params_from_iter(values))
            .map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let id: i64 = row.get(0).map_err(failed)?;
            let game = read_game(&SqliteRow(row)).map_err(failed)?;
            if visit(game.ok_or(DatabaseError::Damaged(id))?).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// For statements of other modules.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// For transactions of other modules.
    pub(crate) fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Turns an error of the connection into one of ours.
    pub(crate) fn error(&self, error: rusqlite::Error) -> DatabaseError {
        self.failed(error)
    }
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// Positions with a turn played from them.
    pub positions: u64,
    /// Row of the newest game.
    pub last_game: i64,
    /// Players.
    pub players: u64,
    /// Puzzles.
    pub puzzles: u64,
}

/// Games that ended in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultCount {
    /// Who won.
    pub winner: Option<Side>,
    /// How.
    pub termination: Option<Termination>,
    /// How often.
    pub games: u64,
}

fn sqlite_error(path: &Path, error: rusqlite::Error) -> DatabaseError {
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

/// Names that are rows of their own: known ones, and those new in this
/// transaction.
struct Names<'a> {
    known: &'a HashMap<String, i64>,
    new: &'a mut HashMap<String, i64>,
    insert: &'static str,
}

impl Names<'_> {
    fn id(&mut self, transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<i64> {
        if let Some(&id) = self.known.get(name).or_else(|| self.new.get(name)) {
            return Ok(id);
        }
        let id = transaction
            .prepare_cached(self.insert)?
            .query_row([name], |row| row.get(0))?;
        self.new.insert(name.to_owned(), id);
        Ok(id)
    }
}

/// The same game has the same fingerprint, however its moves were written.
pub(crate) fn fingerprint(new: &NewGame, moves: &[u8]) -> i64 {
    let mut hash = Xxh3::new();
    for side in Side::ALL {
        hash.update(new.game.players[side].name.as_bytes());
        hash.update(&[0]);
    }
    hash.update(&new.game.start.unwrap_or(0).to_le_bytes());
    hash.update(moves);
    hash.digest().cast_signed()
}

fn insert_all(
    transaction: &Transaction<'_>,
    games: &[NewGame],
    players: &mut Names<'_>,
    events: &mut Names<'_>,
) -> rusqlite::Result<Vec<Option<i64>>> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO games(archive_id, fingerprint, gold_id, silver_id, gold_rating, silver_rating,
            gold_kind, silver_kind, gold_title, silver_title, gold_country, silver_country,
            gold_rating_k, silver_rating_k, event_id, site, time_control, pace, postal, started,
            ended, result, termination, mode, rated, corrupt, turns, takebacks, fault, gold_setup,
            silver_setup, moves)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
            ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32)
         ON CONFLICT(archive_id, fingerprint) DO NOTHING RETURNING id",
    )?;
    let mut added = Vec::with_capacity(games.len());
    for new in games {
        let game = &new.game;
        let moves = new.moves.encode();
        let (gold, silver) = (&game.players.gold, &game.players.silver);
        let kind = |player: &Player| player.kind.to_char().map(String::from);
        let setup = |setup| i64::from_le_bytes(encode_setup(setup));
        let id = statement
            .query_row(
                params![
                    game.id.to_i64(),
                    fingerprint(new, &moves),
                    players.id(transaction, &gold.name)?,
                    players.id(transaction, &silver.name)?,
                    gold.rating,
                    silver.rating,
                    kind(gold),
                    kind(silver),
                    gold.title,
                    silver.title,
                    gold.country,
                    silver.country,
                    gold.rating_k,
                    silver.rating_k,
                    events.id(transaction, &game.event)?,
                    game.site,
                    game.time_control,
                    Pace::of(&game.time_control, game.postal).map(Pace::name),
                    game.postal,
                    game.start,
                    game.end,
                    game.result.map(|side| side.to_char().to_string()),
                    game.termination.map(|t| t.to_char().to_string()),
                    game.mode,
                    game.rated,
                    game.corrupt,
                    new.moves.turns.len() as i64,
                    new.takebacks as i64,
                    new.fault,
                    setup(&new.moves.gold),
                    setup(&new.moves.silver),
                    moves,
                ],
                |row| row.get(0),
            )
            .optional()?;
        added.push(id);
    }
    Ok(added)
}

pub(crate) const SELECT_GAME: &str = "
    SELECT games.id, archive_id, gold.name, silver.name, gold_rating, silver_rating, gold_kind,
        silver_kind, gold_title, silver_title, gold_country, silver_country, gold_rating_k,
        silver_rating_k, events.name, site, time_control, postal, started, ended, result,
        termination, mode, rated, corrupt, fault, moves
    FROM games
    JOIN players gold ON gold.id = gold_id JOIN players silver ON silver.id = silver_id
    LEFT JOIN events ON events.id = event_id";

/// A number that SQLite counted, so it is not negative.
fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.cast_unsigned())
}

pub(crate) fn side_of(text: Option<String>) -> Option<Side> {
    text?.chars().next().and_then(Side::from_char)
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Value::Integer(number) => number.to_sql(),
            Value::Text(text) => text.to_sql(),
        }
    }
}

/// A row of [`SELECT_GAME`], whoever gives it.
pub(crate) trait GameRow {
    type Error;
    fn number(&self, column: usize) -> Result<Option<i64>, Self::Error>;
    fn text(&self, column: usize) -> Result<Option<String>, Self::Error>;
    fn flag(&self, column: usize) -> Result<bool, Self::Error>;
    fn bytes(&self, column: usize) -> Result<Vec<u8>, Self::Error>;
}

struct SqliteRow<'a>(&'a Row<'a>);

impl GameRow for SqliteRow<'_> {
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
    fn bytes(&self, column: usize) -> rusqlite::Result<Vec<u8>> {
        self.0.get(column)
    }
}

/// None if the moves cannot be read.
pub(crate) fn read_game<R: GameRow>(row: &R) -> Result<Option<StoredGame>, R::Error> {
    let text = |column| row.text(column).map(Option::unwrap_or_default);
    let letter = |column| -> Result<Option<char>, R::Error> {
        Ok(row.text(column)?.and_then(|text| text.chars().next()))
    };
    let small = |column| -> Result<Option<i32>, R::Error> {
        Ok(row
            .number(column)?
            .and_then(|number| i32::try_from(number).ok()))
    };
    let player = |name: usize, rating, kind, title, country, k| -> Result<Player, R::Error> {
        Ok(Player {
            id: None,
            name: text(name)?,
            title: text(title)?,
            country: text(country)?,
            rating: small(rating)?,
            rating_k: small(k)?,
            kind: letter(kind)?.map_or(PlayerKind::Unknown, PlayerKind::from_char),
        })
    };
    let Ok(moves) = Moves::decode(&row.bytes(26)?) else {
        return Ok(None);
    };
    let archive_id = row.number(1)?.unwrap_or(0);
    Ok(Some(StoredGame {
        id: row.number(0)?.unwrap_or(0),
        game: ArchivedGame {
            id: GameId::new(archive_id.cast_unsigned()).unwrap_or_default(),
            players: BySide::new(player(2, 4, 6, 8, 10, 12)?, player(3, 5, 7, 9, 11, 13)?),
            event: text(14)?,
            site: text(15)?,
            time_control: text(16)?,
            postal: row.flag(17)?,
            start: row.number(18)?,
            end: row.number(19)?,
            result: letter(20)?.and_then(Side::from_char),
            termination: letter(21)?.and_then(Termination::from_char),
            last_move: Some(moves.turns.len() as u32 / 2 + 2),
            mode: text(22)?,
            rated: row.flag(23)?,
            corrupt: row.flag(24)?,
            movelist: Vec::new(),
            events: None,
        },
        moves,
        fault: row.text(25)?,
    }))
}
