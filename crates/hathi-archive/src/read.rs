//! Reading archives: one file, many, a folder or a stream, row by row.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::blocks::{Block, Cut, Piece, cut};
use crate::unpack::{Health, Limits, Member, Visit, unpack};
use crate::{ArchiveError, ArchiveFault, Place, RawRow, Source};
use crate::{parallel, plain};

/// Reads archives as they are: any year's columns, plain or compressed.
///
/// Memory stays flat however big the files are. Errors come between the rows,
/// and reading goes on after them.
///
/// ```
/// use std::ops::ControlFlow;
/// use hathi_archive::{ArchiveReader, Source};
/// use hathi_rules::Side;
///
/// let text = "id\twusername\tbusername\tmovelist\n\
///             7\tomar\tillz\t1w Ra1 ...\n\
///             too few columns\n";
/// let source = Source::reader("example", text.as_bytes());
/// let mut names = Vec::new();
/// let mut errors = Vec::new();
/// let _ = ArchiveReader::new([source]).for_each(|row| {
///     match row {
///         Ok(row) => names.push(row.player_name(Side::Gold).into_owned()),
///         Err(error) => errors.push(error.to_string()),
///     }
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(names, ["omar"]);
/// assert_eq!(errors, ["example, line 3: 1 columns, the header has 4; the row is skipped"]);
/// ```
#[derive(Debug)]
pub struct ArchiveReader {
    sources: Vec<Source>,
    limits: Limits,
    progress: Progress,
}

/// How far reading has come; a handle to be looked at from anywhere.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Progress {
    /// Bytes read from the sources so far, as stored.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Bytes of all sources, if all are files.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }
}

impl ArchiveReader {
    /// Reads these sources, in this order.
    pub fn new(sources: impl IntoIterator<Item = Source>) -> ArchiveReader {
        let sources: Vec<Source> = sources.into_iter().collect();
        let total = sources.iter().map(Source::size).sum();
        ArchiveReader {
            sources,
            limits: Limits::default(),
            progress: Progress {
                read: Arc::default(),
                total,
            },
        }
    }

    /// Reads what a command line names: files, folders, `-`. See
    /// [`Source::from_paths`].
    pub fn open<P: AsRef<Path>>(
        paths: impl IntoIterator<Item = P>,
    ) -> Result<ArchiveReader, ArchiveError> {
        Ok(ArchiveReader::new(Source::from_paths(paths)?))
    }

    /// With other limits than the default ones.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> ArchiveReader {
        self.limits = limits;
        self
    }

    /// A handle to watch the progress.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Shows every row, in order, until told to stop.
    pub fn for_each<B>(
        self,
        mut visit: impl FnMut(Result<RawRow<'_>, ArchiveError>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut ends = Vec::new();
        let mut broken = None;
        let _ = self.pieces(&mut |piece| match piece.for_each(&mut ends, &mut visit) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(value) => {
                broken = Some(value);
                ControlFlow::Break(())
            }
        });
        match broken {
            Some(value) => ControlFlow::Break(value),
            None => ControlFlow::Continue(()),
        }
    }

    /// Works on rows on several threads at once and hands the results over
    /// in the order of the rows, until told to stop.
    ///
    /// `make_worker` makes what a thread keeps from row to row, such as a
    /// [`Replayer`](crate::Replayer); `map` turns a row into a result; `sink`
    /// takes the results, on the calling thread. `threads` of 0 means as many
    /// as there are cores.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use hathi_archive::{ArchiveReader, Replayer, Source};
    ///
    /// let text = "id\tmovelist\n3\t\n1\t1w oops\n";
    /// let mut report = Vec::new();
    /// let _ = ArchiveReader::new([Source::reader("example", text.as_bytes())]).for_each_parallel(
    ///     0,
    ///     Replayer::new,
    ///     |replayer, row| {
    ///         let row = row?;
    ///         Ok((row.id().number(), replayer.replay(&row).fault.is_some()))
    ///     },
    ///     |result: Result<_, hathi_archive::ArchiveError>| {
    ///         report.push(result.unwrap());
    ///         ControlFlow::<()>::Continue(())
    ///     },
    /// );
    /// assert_eq!(report, [(3, false), (1, true)]);
    /// ```
    pub fn for_each_parallel<W, T: Send, B>(
        self,
        threads: usize,
        make_worker: impl Fn() -> W + Sync,
        map: impl Fn(&mut W, Result<RawRow<'_>, ArchiveError>) -> T + Sync,
        mut sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let threads = if threads == 0 {
            parallel::cores()
        } else {
            threads
        };
        parallel::in_order(
            threads,
            move |emit| {
                let _ = self.pieces(emit);
            },
            || {
                let mut worker = make_worker();
                let mut ends = Vec::new();
                let map = &map;
                move |piece: Piece| {
                    let mut results = Vec::new();
                    let _ = piece.for_each(&mut ends, |row| {
                        results.push(map(&mut worker, row));
                        ControlFlow::<()>::Continue(())
                    });
                    results
                }
            },
            |results: Vec<T>| results.into_iter().try_for_each(&mut sink),
        )
    }

    /// Cuts all sources into pieces.
    fn pieces(self, emit: &mut dyn FnMut(Piece) -> ControlFlow<()>) -> ControlFlow<()> {
        for source in self.sources {
            let (name, found) = (Arc::clone(&source.name), source.found);
            let mut pieces = Pieces {
                limits: self.limits,
                emit,
                archives: 0,
                errors: 0,
            };
            unpack(source, self.limits, &self.progress.read, &mut pieces)?;
            if pieces.archives + pieces.errors == 0 && !found {
                pieces.error(ArchiveError {
                    place: Place::file(&name),
                    fault: ArchiveFault::NoHeader,
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Cuts the members of a source into pieces.
struct Pieces<'a> {
    limits: Limits,
    emit: &'a mut dyn FnMut(Piece) -> ControlFlow<()>,
    /// Members that have a header: a zip file may hold a read-me as well.
    archives: usize,
    errors: usize,
}

impl Visit for Pieces<'_> {
    fn member(&mut self, member: Member<'_>) -> ControlFlow<(), Health> {
        let end = cut(&member.name, member.reader, self.limits.line, self.emit)?;
        self.archives += usize::from(end == Cut::Archive);
        self.errors += usize::from(end == Cut::Broken);
        ControlFlow::Continue(match end {
            Cut::Broken => Health::Broken,
            Cut::Archive | Cut::NoHeader(None) => Health::Whole,
            Cut::NoHeader(Some(text)) => {
                // Perhaps somebody's move list.
                let games = plain::games(&text);
                if !games.is_empty()
                    && let Some(block) = Block::of_games(&member.name, &games)
                {
                    self.archives += 1;
                    (self.emit)(Piece::Rows(block))?;
                }
                Health::Whole
            }
        })
    }

    fn error(&mut self, error: ArchiveError) -> ControlFlow<()> {
        self.errors += 1;
        (self.emit)(Piece::Error(error))
    }
}
