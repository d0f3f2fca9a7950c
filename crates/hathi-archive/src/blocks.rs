//! Cuts a stream of bytes into blocks of whole lines under one header.
//!
//! This is the part of reading that cannot be shared between cores, so it
//! does no more than it must: find line ends and headers, count lines.

use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::unpack::fault_of;
use crate::{ArchiveError, ArchiveFault, ArchivedGame, Columns, Place, RawRow, write};

/// Bytes in a block, give or take a line.
const BLOCK: usize = 1 << 20;

/// Rows of one file.
pub(crate) struct Block {
    bytes: Vec<u8>,
    file: Arc<str>,
    /// Line number of the first.
    first_line: u64,
    columns: Arc<Columns>,
}

/// What a stream is cut into.
pub(crate) enum Piece {
    Rows(Block),
    Error(ArchiveError),
}

impl Piece {
    /// Shows the rows one by one; `ends` is scratch space.
    pub(crate) fn for_each<B>(
        self,
        ends: &mut Vec<u32>,
        mut visit: impl FnMut(Result<RawRow<'_>, ArchiveError>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let block = match self {
            Piece::Rows(block) => block,
            Piece::Error(error) => return visit(Err(error)),
        };
        let mut start = 0;
        let line_ends = memchr::memchr_iter(b'\n', &block.bytes).chain([block.bytes.len()]);
        for (number, end) in (block.first_line..).zip(line_ends) {
            let line = trim_line(&block.bytes[start..end]);
            if !line.is_empty() {
                visit(RawRow::split(
                    line,
                    number,
                    &block.file,
                    &block.columns,
                    ends,
                ))?;
            }
            start = end + 1;
        }
        ControlFlow::Continue(())
    }
}

/// Without the carriage return of a DOS file.
fn trim_line(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Block {
    /// Games that were not read from rows, as rows.
    pub(crate) fn of_games(file: &Arc<str>, games: &[ArchivedGame]) -> Option<Block> {
        let mut header = write::header();
        header.pop();
        let columns = Arc::new(Columns::from_header(&header)?);
        let mut bytes = Vec::new();
        for game in games {
            write::write_game(&mut bytes, game);
        }
        Some(Block {
            bytes,
            file: Arc::clone(file),
            first_line: 1,
            columns,
        })
    }
}

/// What became of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It is an archive.
    Archive,
    /// It broke off with an error, which was reported.
    Broken,
    /// It has no header; if it is short, all of it.
    NoHeader(Option<Vec<u8>>),
}

/// Cuts a stream. What comes before the first header is passed over, but not
/// for longer than a block: something else is not read to its end.
pub(crate) fn cut(
    file: &Arc<str>,
    reader: &mut dyn Read,
    line_limit: usize,
    emit: &mut dyn FnMut(Piece) -> ControlFlow<()>,
) -> ControlFlow<(), Cut> {
    let mut cutter = Cutter {
        file,
        // Field ends are kept as u32.
        limit: line_limit.min(u32::MAX as usize - 1),
        emit,
        columns: None,
        line_number: 1,
    };
    let mut buffer: Vec<u8> = Vec::with_capacity(BLOCK);
    let mut at_start = true;
    // Inside a line that is too long and thrown away as it comes.
    let mut skipping = false;
    loop {
        let had = buffer.len();
        let wanted = BLOCK.saturating_sub(had).max(BLOCK / 4);
        let read = reader.take(wanted as u64).read_to_end(&mut buffer);
        if std::mem::take(&mut at_start) && buffer.starts_with(b"\xef\xbb\xbf") {
            buffer.drain(..3);
        }
        // Up to here there is no line end.
        let searched = if skipping { 0 } else { had };
        if skipping {
            if let Some(end) = memchr::memchr(b'\n', &buffer) {
                buffer.drain(..=end);
                cutter.line_number += 1;
                skipping = false;
            } else {
                buffer.clear();
            }
        }
        if let Some(last) = memchr::memrchr(b'\n', &buffer[searched..]) {
            let mut next = Vec::with_capacity(BLOCK);
            next.extend_from_slice(&buffer[searched + last + 1..]);
            buffer.truncate(searched + last + 1);
            let lines = std::mem::replace(&mut buffer, next);
            // No more than a block, and only until there is a header.
            let begun = cutter.columns.is_none().then(|| lines.clone());
            cutter.lines(lines)?;
            if cutter.columns.is_none() {
                let ended = matches!(reader.take(1).read_to_end(&mut buffer), Ok(0));
                let whole = begun.filter(|_| ended && read.is_ok()).map(|mut whole| {
                    whole.extend_from_slice(&buffer);
                    whole
                });
                return ControlFlow::Continue(Cut::NoHeader(whole));
            }
        }
        if buffer.len() > cutter.limit {
            cutter.too_long()?;
            buffer.clear();
            skipping = true;
        }
        match read {
            Ok(0) => {
                let begun = cutter.columns.is_none().then(|| buffer.clone());
                cutter.lines(buffer)?;
                return ControlFlow::Continue(match cutter.columns {
                    Some(_) => Cut::Archive,
                    None => Cut::NoHeader(begun),
                });
            }
            Ok(_) => {}
            Err(error) => {
                // What is left in the buffer is part of a line: no row.
                cutter.error(fault_of(error))?;
                return ControlFlow::Continue(Cut::Broken);
            }
        }
    }
}

struct Cutter<'a> {
    file: &'a Arc<str>,
    limit: usize,
    emit: &'a mut dyn FnMut(Piece) -> ControlFlow<()>,
    columns: Option<Arc<Columns>>,
    /// Of the first line not yet emitted.
    line_number: u64,
}

impl Cutter<'_> {
    /// Emits the rows among these lines, in as few blocks as the headers and
    /// overlong lines between them allow.
    fn lines(&mut self, bytes: Vec<u8>) -> ControlFlow<()> {
        // Start of the rows not yet emitted, and of the line looked at.
        let (mut run, mut start) = (0, 0);
        let mut rows = 0;
        for end in memchr::memchr_iter(b'\n', &bytes).chain([bytes.len()]) {
            let line = trim_line(&bytes[start..end]);
            let too_long = line.len() > self.limit;
            let header = match line.first() {
                // Rows start with the number of the game.
                None | Some(b'0'..=b'9') => None,
                Some(_) => Columns::from_header(line),
            };
            if too_long || header.is_some() {
                self.rows(bytes[run..start].to_vec(), rows)?;
                (run, rows) = (end + 1, 0);
                if let Some(columns) = header {
                    self.columns = Some(Arc::new(columns));
                    self.line_number += 1;
                } else {
                    self.too_long()?;
                    self.line_number += 1;
                }
            } else if end < bytes.len() {
                rows += 1;
            }
            start = end + 1;
        }
        let mut bytes = bytes;
        bytes.drain(..run.min(bytes.len()));
        self.rows(bytes, rows)
    }

    fn rows(&mut self, bytes: Vec<u8>, lines: u64) -> ControlFlow<()> {
        let first_line = self.line_number;
        self.line_number += lines;
        match &self.columns {
            Some(columns) if !bytes.is_empty() => (self.emit)(Piece::Rows(Block {
                bytes,
                file: Arc::clone(self.file),
                first_line,
                columns: Arc::clone(columns),
            })),
            _ => ControlFlow::Continue(()),
        }
    }

    /// The current line is too long.
    fn too_long(&mut self) -> ControlFlow<()> {
        self.error(ArchiveFault::LineTooLong { limit: self.limit })
    }

    fn error(&mut self, fault: ArchiveFault) -> ControlFlow<()> {
        (self.emit)(Piece::Error(ArchiveError {
            place: Place::line(self.file, self.line_number),
            fault,
        }))
    }
}
