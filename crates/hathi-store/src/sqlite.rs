//! Games in a SQLite file, which is the source of truth, and the index of
//! their positions in a file beside it.
//!
//! | file | holds |
//! |---|---|
//! | `database.rs`, `1-games.sql` | the file: opening, migrations |
//! | `insert.rs` | adding games |
//! | `games.rs`, `puzzles.rs` | questions about games and puzzles |
//! | `positions.rs` | questions about positions: the index is asked |
//! | `upkeep.rs` | adding, taking notice, building the index |

mod database;
mod games;
mod insert;
mod positions;
mod puzzles;
mod upkeep;

use std::path::{Path, PathBuf};

use database::Database;
pub use database::DatabaseError;

use crate::error::StoreError;
use crate::filter::Filter;
use crate::index::{AllowedGames, Delta, IndexError, IndexFile};
use crate::memory::Upkeep;
use crate::model::GameRow;

/// A game database with the index of its positions.
///
/// The index is derived and disposable. A few thousand games are held in
/// memory without one; when it is missing, stale or damaged for more,
/// questions are refused with the reason until
/// [`prepare`](Upkeep::prepare) has built a new one.
pub struct Store {
    database: Database,
    index_path: PathBuf,
    index: Option<IndexFile>,
    index_trouble: Option<IndexError>,
    delta: Delta,
    /// Newest game that the index or the delta knows.
    known_up_to: GameRow,
    /// Are all games known, so that questions can be answered?
    ready: bool,
}

impl Store {
    /// Opens a store, making it if it is not there.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut store = Store::open_games(path)?;
        store.load_index()?;
        store.catch_up()?;
        Ok(store)
    }

    /// Opens a store without looking at its index: questions about positions
    /// are refused until it is [prepared](Upkeep::prepare).
    pub fn open_games(path: &Path) -> Result<Store, StoreError> {
        let database = Database::open(path)?;
        let mut index_path = path.as_os_str().to_owned();
        index_path.push(".index");
        Ok(Store {
            database,
            index_path: PathBuf::from(index_path),
            index: None,
            index_trouble: None,
            delta: Delta::default(),
            known_up_to: GameRow::BEFORE_ALL,
            ready: false,
        })
    }

    /// Maps the index file if it can be used.
    fn load_index(&mut self) -> Result<(), StoreError> {
        self.index = None;
        self.delta = Delta::default();
        self.known_up_to = GameRow::BEFORE_ALL;
        match IndexFile::open(&self.index_path) {
            Ok(index) => {
                let header = &index.header;
                let same = header.store_id == self.database.store_id()?
                    && header.games == self.database.games_up_to(header.last_game)?;
                if same {
                    self.known_up_to = header.last_game;
                    self.index_trouble = None;
                    self.index = Some(index);
                } else {
                    self.index_trouble = Some(IndexError::Stale);
                }
            }
            Err(error) => self.index_trouble = Some(error),
        }
        Ok(())
    }

    /// An error, with the reason, while games are missing from memory.
    fn check_ready(&self) -> Result<(), StoreError> {
        if self.ready {
            Ok(())
        } else {
            Err(StoreError::NotReady)
        }
    }

    /// The games a filter lets through.
    fn allowed_games(&self, filter: &Filter) -> Result<AllowedGames, StoreError> {
        if !filter.asks_of_games() {
            return Ok(AllowedGames::ALL);
        }
        Ok(AllowedGames::of(&self.database.filtered_rows(filter)?))
    }
}
