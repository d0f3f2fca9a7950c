//! Where stores are, and opening them.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use crate::error::StoreError;
use crate::memory::Memory;
#[cfg(feature = "postgres")]
use crate::postgres::{PostgresStore, ServerUrl};
use crate::sqlite::Store;

/// Where a store is.
#[derive(Clone, Debug)]
pub enum Place {
    /// A file, and the index beside it.
    File(PathBuf),
    /// A database of a PostgreSQL server.
    #[cfg(feature = "postgres")]
    Server(ServerUrl),
}

impl Place {
    /// What a user wrote: the name of a file, or `postgres://...`.
    pub fn new(text: &OsStr) -> Result<Place, StoreError> {
        match text.to_str().filter(|text| is_url(text)) {
            #[cfg(feature = "postgres")]
            Some(url) => Ok(Place::Server(url.parse()?)),
            #[cfg(not(feature = "postgres"))]
            Some(_) => Err(StoreError::WithoutPostgres),
            None => Ok(Place::File(text.into())),
        }
    }

    /// Where a store is when nobody says otherwise: `hathi/hathi.db` in the
    /// user's data directory. None if there is no such directory.
    pub fn usual() -> Option<Place> {
        // By the XDG specification a relative path is to be ignored.
        let absolute = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let data = absolute("XDG_DATA_HOME")
            .or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)))
            .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))?;
        Some(Place::File(data.join("hathi/hathi.db")))
    }

    /// Opens the store, making it if it is not there.
    pub fn open_or_make(&self) -> Result<Box<dyn Memory>, StoreError> {
        match self {
            Place::File(path) => Ok(Box::new(Store::open(path)?)),
            #[cfg(feature = "postgres")]
            Place::Server(url) => Ok(Box::new(PostgresStore::open(url)?)),
        }
    }

    /// Opens the store. A server that has none is an error; a file is made.
    pub fn open(&self) -> Result<Box<dyn Memory>, StoreError> {
        match self {
            Place::File(_) => self.open_or_make(),
            #[cfg(feature = "postgres")]
            Place::Server(url) => Ok(Box::new(PostgresStore::open_existing(url)?)),
        }
    }

    /// Opens it for questions about games: those about positions are refused
    /// until it is [prepared](crate::Upkeep::prepare). Quicker for a file with many
    /// games beside its index.
    pub fn open_games(&self) -> Result<Box<dyn Memory>, StoreError> {
        match self {
            Place::File(path) => Ok(Box::new(Store::open_games(path)?)),
            #[cfg(feature = "postgres")]
            Place::Server(_) => self.open(),
        }
    }

    /// Is there anything to open? What is not a file says so when it is
    /// opened.
    pub fn exists(&self) -> bool {
        self.file().is_none_or(std::path::Path::is_file)
    }

    /// What [`Place::new`] takes to come here again, a password included: not for
    /// messages.
    pub fn written(&self) -> String {
        match self {
            Place::File(path) => path.display().to_string(),
            #[cfg(feature = "postgres")]
            Place::Server(url) => url.written().to_owned(),
        }
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&std::path::Path> {
        match self {
            Place::File(path) => Some(path),
            #[cfg(feature = "postgres")]
            Place::Server(_) => None,
        }
    }
}

/// Does the text mean a server rather than a file?
pub(crate) fn is_url(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// As messages name it.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(f),
            #[cfg(feature = "postgres")]
            Place::Server(url) => url.fmt(f),
        }
    }
}
