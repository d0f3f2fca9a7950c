//! Questions in SQL, for what nobody has thought of: the tables of a store are
//! read, never changed.
//!
//! Beside the tables there is `moves`, the table of McKee's thesis of 2014 as a
//! view ([`MoveRow`] says what is in it). He asked `MySQL`; the few words of it
//! that others do not know are put into theirs, so that what he printed can be
//! asked as it is.

mod asked;
mod control;
mod moves;
mod words;

use std::fmt;

pub use asked::HisQuestion;
pub use control::HisDatabase;
pub use moves::{MoveRow, board_text};
pub(crate) use words::{SqlDialect, in_words_of};

use crate::error::StoreError;
use crate::place::Place;
use crate::sqlite;

/// A table that came back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SqlAnswer {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, as many as were asked for.
    pub rows: Vec<Vec<SqlValue>>,
    /// Are there more?
    pub more: bool,
}

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue {
    /// None.
    Null,
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Real(f64),
    /// Text; from a server also what is neither text nor number, as it writes it.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl SqlValue {
    /// The number, if it is a whole one.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            SqlValue::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            SqlValue::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Nothing for none, bytes in hexadecimal.
impl fmt::Display for SqlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SqlValue::Null => Ok(()),
            SqlValue::Integer(number) => number.fmt(f),
            SqlValue::Real(number) => number.fmt(f),
            SqlValue::Text(text) => text.fmt(f),
            SqlValue::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

impl Place {
    /// Asks the store here one question in SQL; `most` rows come back. What
    /// would change something is refused.
    pub fn ask_sql(&self, question: &str, most: usize) -> Result<SqlAnswer, StoreError> {
        match self {
            Place::File(path) => sqlite::ask_file(path, question, most),
            #[cfg(feature = "postgres")]
            Place::Server(url) => {
                crate::postgres::PostgresStore::open_existing(url)?.ask_sql(question, most)
            }
        }
    }
}
