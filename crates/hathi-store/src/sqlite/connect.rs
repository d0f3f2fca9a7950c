//! Opening the database's file: for reading and writing where that is
//! possible, else for reading alone.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Error, ErrorCode, OpenFlags};

/// How a store is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// For everything.
    ReadWrite,
    /// For reading: its file, or the folder it is in, cannot be written. Games
    /// that others add are seen.
    ReadOnly,
    /// For reading, as a file that nobody changes: not even the locks of readers
    /// can be written down. Games that others add meanwhile are not seen.
    Immutable,
}

/// What every connection is set to.
const SETTINGS: &str = "PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -65536;";

/// What those that write are set to, too.
const WRITING: &str = "PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;";

/// Opens a file, making it if it is not there.
pub(super) fn connect(path: &Path) -> Result<(Connection, OpenMode), Error> {
    let refused = match read_write(path) {
        Ok(connection) => return Ok((connection, OpenMode::ReadWrite)),
        Err(error) if is_about_writing(&error) && path.is_file() => error,
        Err(error) => return Err(error),
    };
    for (mode, parameter) in [
        (OpenMode::ReadOnly, "mode=ro"),
        (OpenMode::Immutable, "immutable=1"),
    ] {
        if let Ok(connection) = read_only(path, parameter) {
            return Ok((connection, mode));
        }
    }
    Err(refused)
}

fn read_write(path: &Path) -> Result<Connection, Error> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.execute_batch(WRITING)?;
    connection.execute_batch(SETTINGS)?;
    // SQLite opens what it may not write for reading, and says so only later.
    if connection.is_readonly("main")? {
        return Err(Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY),
            None,
        ));
    }
    Ok(connection)
}

fn read_only(path: &Path, parameter: &str) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path, parameter), flags)?;
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.execute_batch(SETTINGS)?;
    // Whether it can be read shows when something is.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// `file:/some/path?mode=ro`, with what has a meaning there escaped.
fn address(path: &Path, parameter: &str) -> String {
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                address.push(char::from(*byte));
            }
            byte => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address.push('?');
    address.push_str(parameter);
    address
}

fn is_about_writing(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_escaped() {
        let path = Path::new("/a b/50%?#.db");
        assert_eq!(
            address(path, "mode=ro"),
            "file:/a%20b/50%25%3F%23.db?mode=ro"
        );
    }
}
