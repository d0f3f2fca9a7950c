//! `hathi.read_archive`: the games of archive files, one after the other.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use hathi_archive::{ArchiveError, ArchiveReader, Replayer};
use pyo3::prelude::*;

use crate::errors::unreadable;
use crate::game::Game;

/// Games that are read ahead.
const AHEAD: usize = 512;

/// How soon Ctrl-C is noticed.
const TICK: Duration = Duration::from_millis(50);

/// One path or several.
#[derive(FromPyObject)]
pub(crate) enum Paths {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

impl Paths {
    pub(crate) fn list(self) -> Vec<PathBuf> {
        match self {
            Paths::One(path) => vec![path],
            Paths::Several(paths) => paths,
        }
    }
}

/// The games of archive files, one after the other, each replayed by the rules of its time.
///
/// Takes files, plain or packed (gzip, zip, tar, zstd), folders, or a list of them, and plain move lists.
/// Reading goes on in other threads while the games are looked at, and memory stays flat. A game
/// that breaks a rule ends before that move (`Game.fault` says why); a row that cannot be read at all is left out
/// and its message added to `errors`. A file that cannot be opened raises `ParseError`.
#[pyfunction]
#[pyo3(signature = (path, *, threads=0))]
pub(crate) fn read_archive(path: Paths, threads: usize) -> PyResult<ArchiveGames> {
    let reader = ArchiveReader::open(path.list()).map_err(unreadable)?;
    let (send, games) = sync_channel(AHEAD);
    thread::spawn(move || {
        let _ = reader.for_each_parallel(
            threads,
            Replayer::new,
            |replayer, row| row.map(|row| Game::of_archive(row.to_game(), &replayer.replay(&row))),
            // Nobody listens any more: enough.
            |game| match send.send(game) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            },
        );
    });
    Ok(ArchiveGames {
        games: Mutex::new(games),
        errors: Mutex::default(),
    })
}

/// The games of `read_archive`, to be looked at once.
#[pyclass(frozen, module = "hathi")]
pub(crate) struct ArchiveGames {
    games: Mutex<Receiver<Result<Game, ArchiveError>>>,
    errors: Mutex<Vec<String>>,
}

#[pymethods]
impl ArchiveGames {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        loop {
            let next = py.detach(|| {
                let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
                games.recv_timeout(TICK)
            });
            match next {
                Ok(Ok(game)) => return Ok(Some(game)),
                Ok(Err(error)) if error.fault.is_row() => {
                    let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
                    errors.push(error.to_string());
                }
                Ok(Err(error)) => return Err(unreadable(error)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }

    /// What is wrong with the rows that could not be read so far.
    #[getter]
    fn errors(&self) -> Vec<String> {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.clone()
    }
}
