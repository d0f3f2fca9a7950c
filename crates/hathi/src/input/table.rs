//! Tab-separated files with a header, read a row at a time. Bytes all the
//! way: old archives are Latin-1.

use std::borrow::Cow;
use std::io::{BufRead, Cursor, Read};

use crate::failure::BadInput;
use crate::input::{Reader, Source};

/// No row of a real table comes near this; without a limit a binary file
/// without a newline would be read into memory whole.
const LONGEST_LINE: usize = 16 << 20;

/// A table being read.
pub(crate) struct Table {
    source: Source,
    reader: Reader,
    header: Vec<u8>,
    columns: Vec<String>,
    line: Vec<u8>,
    line_number: usize,
}

/// One line below the header, without its line ending.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    /// In the file, the header being line 1.
    pub(crate) line_number: usize,
    pub(crate) text: &'a [u8],
}

impl Table {
    /// Opens a table and reads its header.
    pub(crate) fn open(source: Source) -> anyhow::Result<Table> {
        let reader = source.open()?;
        Table::read(source, reader)
    }

    /// The same for a source that is open already.
    pub(crate) fn read(source: Source, reader: Reader) -> anyhow::Result<Table> {
        let mut table = Table {
            source,
            reader,
            header: Vec::new(),
            columns: Vec::new(),
            line: Vec::new(),
            line_number: 0,
        };
        if !table.read_line()? {
            return Err(table.source_error("empty: expected a table with a header line"));
        }
        table.header = std::mem::take(&mut table.line);
        let header = table
            .header
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(&table.header);
        table.columns = header
            .split(|&byte| byte == b'\t')
            .map(|cell| decode(cell).trim().to_owned())
            .collect();
        Ok(table)
    }

    /// The header line as it stands in the file.
    pub(crate) fn header(&self) -> &[u8] {
        &self.header
    }

    /// The names of the columns.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Where the column of this name is.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns
            .iter()
            .position(|column| column.eq_ignore_ascii_case(name))
    }

    /// As [`column`](Table::column); its lack is the file's fault.
    pub(crate) fn require(&self, name: &str) -> anyhow::Result<usize> {
        self.column(name).ok_or_else(|| {
            let columns: String = self.columns.join(", ").chars().take(200).collect();
            self.error(
                1,
                format!("the header has no column `{name}`, only: {columns}"),
            )
        })
    }

    /// Goes to the next row, if there is one; blank lines are passed over.
    pub(crate) fn advance(&mut self) -> anyhow::Result<bool> {
        while self.read_line()? {
            if !self.line.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The row last read.
    pub(crate) fn row(&self) -> Row<'_> {
        Row {
            line_number: self.line_number,
            text: &self.line,
        }
    }

    /// An error that names the file and the line.
    pub(crate) fn error(
        &self,
        line_number: usize,
        reason: impl std::fmt::Display,
    ) -> anyhow::Error {
        self.source_error(&format!("line {line_number}: {reason}"))
    }

    fn source_error(&self, reason: &str) -> anyhow::Error {
        BadInput::error(format!("{}: {reason}", self.source.name()))
    }

    fn read_line(&mut self) -> anyhow::Result<bool> {
        self.line.clear();
        let length = self
            .reader
            .by_ref()
            .take(LONGEST_LINE as u64 + 1)
            .read_until(b'\n', &mut self.line)
            .map_err(|error| self.source.unreadable(&error))?;
        self.line_number += 1;
        if length > LONGEST_LINE {
            let reason = format!("longer than {} MiB, this is no table", LONGEST_LINE >> 20);
            return Err(self.error(self.line_number, reason));
        }
        if self.line_number == 1 && is_packed(&self.line) {
            return Err(self.source_error("this is a packed file: unpack it first"));
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(length > 0)
    }

    /// All of it again, for who reads tables of this kind better. Only the
    /// header may have been read.
    pub(crate) fn unread(self) -> impl Read + Send + 'static {
        let mut header = self.header;
        header.push(b'\n');
        Cursor::new(header).chain(self.reader)
    }

    /// Everything not yet read, for a file that turned out to be no table;
    /// `None` if it is too long.
    pub(crate) fn rest(&mut self) -> anyhow::Result<Option<Vec<u8>>> {
        crate::input::read_at_most(&mut self.reader, LONGEST_LINE)
            .map_err(|error| self.source.unreadable(&error))
    }
}

impl<'a> Row<'a> {
    pub(crate) fn cells(self) -> impl Iterator<Item = &'a [u8]> {
        self.text.split(|&byte| byte == b'\t')
    }

    pub(crate) fn cell(self, column: usize) -> Option<&'a [u8]> {
        self.cells().nth(column)
    }
}

/// Does it start like a packed file: gzip, zip or zstd?
pub(crate) fn is_packed(start: &[u8]) -> bool {
    start.starts_with(b"\x1f\x8b")
        || start.starts_with(b"PK\x03\x04")
        || start.starts_with(b"\x28\xb5\x2f\xfd")
}

/// Bytes as text: UTF-8 if they are, else Latin-1.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_where_it_is_no_utf_8() {
        assert_eq!(decode(b"Jos\xe9"), "José");
        assert_eq!(decode("José".as_bytes()), "José");
    }

    #[test]
    fn cells_keep_their_spaces() {
        let row = Row {
            line_number: 2,
            text: b"g\t[ r ]\t",
        };
        assert_eq!(row.cell(1), Some(b"[ r ]".as_slice()));
        assert_eq!(row.cell(2), Some(b"".as_slice()));
        assert_eq!(row.cell(3), None);
    }
}
