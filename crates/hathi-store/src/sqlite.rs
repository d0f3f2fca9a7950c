//! Games in a SQLite file, which is the source of truth, and the index of
//! their positions in a file beside it.
//!
//! | file | holds |
//! |---|---|
//! | `database.rs`, `*.sql` | the file: opening, migrations |
//! | `insert.rs`, `remove.rs` | adding games, taking them out |
//! | `games.rs`, `puzzles.rs` | questions about games and puzzles |
//! | `positions.rs` | questions about positions: the index is asked |
//! | `upkeep.rs` | adding, taking notice, building the index |
//! | `sql.rs`, `4-moves.sql` | questions in SQL; McKee's table as a view |

mod connect;
mod database;
mod games;
mod insert;
mod notes;
mod positions;
mod puzzles;
mod remove;
mod sql;
#[cfg(test)]
mod tests;
mod upkeep;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

pub use connect::OpenMode;
use database::Database;
pub use database::DatabaseError;
use hathi_archive::GameSource;
pub(crate) use sql::{HisFile, ask_file};

use crate::error::StoreError;
use crate::filter::Filter;
use crate::index::{AllowedGames, Delta, FactColumns, FactsPlace, IndexError, IndexFile};
use crate::memory::{Puzzles, Upkeep};
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
    /// What is known of the positions of the index beyond their boards.
    facts: FactColumns,
    index_trouble: Option<IndexError>,
    delta: Delta,
    /// What the database was called when the index and the delta were read.
    known_as: u64,
    /// The games that count where nobody has chosen sources.
    counted: AllowedGames,
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

    /// An empty store that is nowhere but in memory, and gone afterwards.
    pub fn in_memory() -> Result<Store, StoreError> {
        let mut store = Store::open_games(Path::new(":memory:"))?;
        store.catch_up()?;
        Ok(store)
    }

    /// Opens a store without looking at its index: questions about positions
    /// are refused until it is [prepared](Upkeep::prepare).
    pub fn open_games(path: &Path) -> Result<Store, StoreError> {
        let database = Database::open(path)?;
        let mut index_path = path.as_os_str().to_owned();
        index_path.push(".index");
        let mut store = Store {
            database,
            index_path: PathBuf::from(index_path),
            index: None,
            facts: FactColumns::default(),
            index_trouble: None,
            delta: Delta::default(),
            known_as: 0,
            counted: AllowedGames::All,
            known_up_to: GameRow::BEFORE_ALL,
            ready: false,
        };
        if store.database.migrated {
            // Puzzles that were taken for those of another game.
            store.link_puzzles()?;
        }
        Ok(store)
    }

    /// Maps the index file if it can be used.
    fn load_index(&mut self) -> Result<(), StoreError> {
        self.index = None;
        self.facts = FactColumns::default();
        self.delta = Delta::default();
        self.known_up_to = GameRow::BEFORE_ALL;
        self.known_as = self.database.store_id()?;
        match IndexFile::open(&self.index_path) {
            Ok(index) => {
                let header = &index.header;
                let same = header.store_id == self.known_as
                    && header.games == self.database.games_up_to(header.last_game)?;
                if same {
                    self.known_up_to = header.last_game;
                    self.index_trouble = None;
                    self.facts = FactColumns::open(&self.facts_place(), &index);
                    self.index = Some(index);
                } else {
                    self.index_trouble = Some(IndexError::Stale);
                }
            }
            Err(error) => self.index_trouble = Some(error),
        }
        Ok(())
    }

    /// Where the columns of the index are.
    fn facts_place(&self) -> FactsPlace {
        FactsPlace {
            index: self.index_path.clone(),
            writable: self.database.mode == OpenMode::ReadWrite,
        }
    }

    /// An error if somebody has cut the index, or its columns, while it was
    /// asked.
    fn check_index_is_whole(&self) -> Result<(), StoreError> {
        if let Some(index) = &self.index {
            index.check_whole()?;
            self.facts.check_whole()?;
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
    fn allowed_games(&self, filter: &Filter) -> Result<Cow<'_, AllowedGames>, StoreError> {
        if filter.asks_of_games() {
            let filter = self.counting(filter)?;
            let rows = self.database.filtered_rows(&filter)?;
            Ok(Cow::Owned(AllowedGames::of(&rows)))
        } else if filter.sources.is_some() {
            Ok(Cow::Owned(AllowedGames::All))
        } else {
            Ok(Cow::Borrowed(&self.counted))
        }
    }

    /// The filter with the sources that count, if none were chosen.
    fn counting<'a>(&self, filter: &'a Filter) -> Result<Cow<'a, Filter>, StoreError> {
        Ok(match filter.sources {
            Some(_) => Cow::Borrowed(filter),
            None => filter.counting(self.database.samples_left_out()?),
        })
    }

    /// Looks which games count where nobody has chosen sources.
    fn look_at_sources(&mut self) -> Result<(), StoreError> {
        self.counted = AllowedGames::All;
        if self.database.samples_left_out()? {
            let samples = Filter {
                sources: Some(GameSource::Sample.into()),
                ..Filter::default()
            };
            self.counted = AllowedGames::except(&self.database.filtered_rows(&samples)?);
        }
        Ok(())
    }
}
