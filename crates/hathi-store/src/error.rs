//! What can go wrong with a store, whatever keeps it.

use crate::index::IndexError;
use crate::model::GameRow;
#[cfg(feature = "postgres")]
use crate::postgres::ServerError;
use crate::sqlite::DatabaseError;

/// What can go wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// With its database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A server was asked for, but the program was built without them.
    #[error("this Hathi was built without the feature `postgres`: a store is a file, not a server")]
    WithoutPostgres,
    /// With the server that keeps it.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Server(#[from] ServerError),
    /// With its index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The index has to be built first.
    #[error("there are games without an index; it has to be built before positions can be found")]
    NotReady,
    /// A question in SQL that cannot be answered.
    #[error("the question cannot be answered: {0}")]
    Sql(String),
    /// A game in it cannot be understood.
    #[error("the game in row {} of the database is damaged", .0.get())]
    Damaged(GameRow),
}

impl StoreError {
    /// Is the store away for the moment, so that it is worth asking again?
    pub fn is_outage(&self) -> bool {
        match self {
            #[cfg(feature = "postgres")]
            StoreError::Server(error) => matches!(
                error,
                ServerError::Unreachable { .. } | ServerError::Lost(_) | ServerError::Busy(_)
            ),
            _ => false,
        }
    }
}
