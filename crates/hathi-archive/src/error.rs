//! What can be wrong with an archive, and where.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::GameId;

/// Where in an archive something is: as exactly as is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file as the user named it; for a member of a zip or tar file also
    /// the member's name. For messages only, never used as a path.
    pub file: Arc<str>,
    /// Line in that file, from 1.
    pub line: Option<u64>,
    /// The game on that line.
    pub game: Option<GameId>,
}

impl Place {
    pub(crate) fn file(file: &Arc<str>) -> Place {
        Place {
            file: Arc::clone(file),
            line: None,
            game: None,
        }
    }

    pub(crate) fn line(file: &Arc<str>, line: u64) -> Place {
        Place {
            line: Some(line),
            ..Place::file(file)
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(game) = self.game {
            write!(f, ", game {game}")?;
        }
        Ok(())
    }
}

/// A row or a file that cannot be read.
///
/// Errors are delivered between the rows, in their place; reading goes on
/// after them with the next row or file.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct ArchiveError {
    /// Where.
    pub place: Place,
    /// What.
    pub fault: ArchiveFault,
}

/// What is wrong with a row or a file.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveFault {
    /// A row with more or fewer fields than the header has.
    #[error("{found} columns, the header has {expected}; the row is skipped")]
    ColumnCount {
        /// Columns of the header.
        expected: usize,
        /// Columns of the row.
        found: usize,
    },
    /// A row whose id is not a number, or is negative.
    #[error("`{0}` is not a game id; the row is skipped")]
    BadId(String),
    /// A row with NUL bytes, as a damaged file has.
    #[error("the row contains NUL bytes and is skipped")]
    NulBytes,
    /// A line longer than [`Limits::line`](crate::Limits::line).
    #[error("the line is longer than {limit} bytes and is skipped")]
    LineTooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// No line of the file names the columns.
    #[error(
        "not a game archive: no header line with the columns `id` and `movelist`, and no move list either"
    )]
    NoHeader,
    /// A compressed file inside another.
    #[error("it is itself {0}; archives inside archives are not unpacked")]
    Nested(Format),
    /// A format that is recognised but not read.
    #[error("{0} is not supported; unpack it first")]
    Unsupported(Format),
    /// Unpacking gives more than [`Limits::unpacked`](crate::Limits::unpacked).
    #[error("unpacking stopped: more than {limit} bytes come out of it")]
    TooBig {
        /// The limit, in bytes.
        limit: u64,
    },
    /// Unpacking gives suspiciously much for what goes in.
    #[error(
        "unpacking stopped: {unpacked} bytes come out of {packed}, more than {limit} times as many"
    )]
    TooDense {
        /// Bytes that came out.
        unpacked: u64,
        /// Bytes that went in.
        packed: u64,
        /// The limit, as a ratio.
        limit: u64,
    },
    /// The compressed data ends early.
    #[error("the file is cut short")]
    Truncated,
    /// The file cannot be opened, read or unpacked.
    #[error("{0}")]
    Io(#[from] Arc<io::Error>),
}

impl ArchiveFault {
    /// Does it concern a single row, and not a whole file or the rest of it?
    pub fn is_row(&self) -> bool {
        matches!(
            self,
            ArchiveFault::ColumnCount { .. }
                | ArchiveFault::BadId(_)
                | ArchiveFault::NulBytes
                | ArchiveFault::LineTooLong { .. }
        )
    }
}

/// File formats recognised by their first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Format {
    Plain,
    Gzip,
    Zip,
    Tar,
    Zstd,
    Xz,
    Bzip2,
    SevenZip,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Plain => "plain text",
            Format::Gzip => "a gzip file",
            Format::Zip => "a zip file",
            Format::Tar => "a tar file",
            Format::Zstd => "a zstd file",
            Format::Xz => "an xz file",
            Format::Bzip2 => "a bzip2 file",
            Format::SevenZip => "a 7z file",
        })
    }
}
