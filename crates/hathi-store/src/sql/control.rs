//! McKee's database as it was: his table with his index, filled with games of
//! ours, to be asked what he asked. Apart from the store, which has no such table.

use super::{MoveRow, SqlAnswer};
use crate::error::StoreError;
use crate::place::Place;
use crate::sqlite::HisFile;

/// His database, in a file of its own or on a server.
pub struct HisDatabase(Kept);

enum Kept {
    File(HisFile),
    #[cfg(feature = "postgres")]
    Server(Box<crate::postgres::HisTables>),
}

impl HisDatabase {
    /// An empty table: in a new file (one that is there already is an error), or on
    /// a server, where nobody else sees it and it is gone with the connection.
    pub fn make(place: &Place) -> Result<HisDatabase, StoreError> {
        Ok(HisDatabase(match place {
            Place::File(path) => Kept::File(HisFile::make(path)?),
            #[cfg(feature = "postgres")]
            Place::Server(url) => Kept::Server(Box::new(crate::postgres::HisTables::make(url)?)),
        }))
    }

    /// Adds rows.
    pub fn add(&mut self, rows: &[MoveRow]) -> Result<(), StoreError> {
        match &mut self.0 {
            Kept::File(file) => file.add(rows),
            #[cfg(feature = "postgres")]
            Kept::Server(tables) => tables.add(rows),
        }
    }

    /// Makes his index, and has the database look at what is there.
    pub fn make_index(&mut self) -> Result<(), StoreError> {
        match &mut self.0 {
            Kept::File(file) => file.make_index(),
            #[cfg(feature = "postgres")]
            Kept::Server(tables) => tables.make_index(),
        }
    }

    /// Asks it; every row comes back.
    pub fn ask(&mut self, question: &str) -> Result<SqlAnswer, StoreError> {
        match &mut self.0 {
            Kept::File(file) => file.ask(question),
            #[cfg(feature = "postgres")]
            Kept::Server(tables) => tables.ask(question),
        }
    }

    /// What is asked, and its version.
    pub fn name(&mut self) -> Result<String, StoreError> {
        match &mut self.0 {
            Kept::File(_) => Ok(format!("SQLite {}", rusqlite::version())),
            #[cfg(feature = "postgres")]
            Kept::Server(tables) => tables.name(),
        }
    }
}
