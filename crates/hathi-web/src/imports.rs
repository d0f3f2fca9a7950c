//! Files of games that come in through the page: taken piece by piece into a
//! file of our own, then read into the store like `hathi import` does. One at
//! a time.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hathi_archive::{ArchiveReader, Progress, Source};
use hathi_engine::Stop;
use hathi_store::{ImportOptions, ImportSummary, IndexError, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::client::Client;
use crate::error::ApiError;
use crate::pool::lock;
use crate::secret;
use crate::state::App;

/// A file whose next piece does not come within this time is given up when
/// somebody else wants to import.
const PATIENCE: Duration = Duration::from_secs(60);

/// Games in one transaction: few enough that progress is seen.
const BATCH: usize = 1000;

/// The index is built anew for so many new games; fewer are found without.
const WORTH_AN_INDEX: u64 = 500;

/// Imports that are remembered after their end.
const REMEMBERED: usize = 20;

/// Remarks that are told one by one; all are counted.
const MOST_REMARKS: usize = 200;

/// Characters of a file's name that are kept, for messages.
const LONGEST_NAME: usize = 120;

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ImportState {
    /// Pieces of the file are to come.
    Receiving,
    /// Games are read and added.
    Reading,
    /// The index of positions is built.
    Indexing,
    /// All is done.
    Finished,
    /// It was ended before; what had been added stays.
    Stopped,
    /// It could not be done.
    Failed,
}

impl ImportState {
    fn is_over(self) -> bool {
        matches!(
            self,
            ImportState::Finished | ImportState::Stopped | ImportState::Failed
        )
    }
}

/// Why games were kept only in part or not at all, and how many.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReasonCount {
    reason: String,
    games: u64,
}

/// An import as clients see it; the figures are those of `hathi import`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ImportView {
    id: String,
    /// The file, as it was called.
    name: String,
    state: ImportState,
    /// Its size.
    bytes: u64,
    /// Bytes that have come.
    received: u64,
    /// Bytes that have been read.
    read_bytes: u64,
    /// How much of the index is built, from 0 to 1.
    indexed: f64,
    /// Rows read, whether they could be used or not.
    read: u64,
    /// Games added.
    stored: u64,
    /// Of these: kept only up to the last legal turn.
    shortened: u64,
    /// Games not added because of what is wrong with them.
    rejected: u64,
    /// Games that were there already.
    duplicates: u64,
    /// Of the added ones: beside another game with the same number.
    copies: u64,
    /// Positions of the added games.
    positions: u64,
    reasons: Vec<ReasonCount>,
    /// What is wrong with which game, the first of them.
    remarks: Vec<String>,
    /// How many more remarks there are.
    more_remarks: u64,
    /// Why it failed.
    error: Option<String>,
    seconds: f64,
}

/// One file on its way into the store.
pub(crate) struct Import {
    id: String,
    name: String,
    bytes: u64,
    owner: String,
    path: PathBuf,
    stop: Stop,
    progress: Mutex<Progressing>,
}

struct Progressing {
    state: ImportState,
    received: u64,
    touched: Instant,
    began: Instant,
    took: Option<Duration>,
    file: Option<File>,
    reading: Option<Progress>,
    indexed: f64,
    summary: ImportSummary,
    remarks: Vec<String>,
    more_remarks: u64,
    error: Option<String>,
}

impl Import {
    pub(crate) fn view(&self) -> ImportView {
        let now = lock(&self.progress);
        let summary = &now.summary;
        let reasons: BTreeMap<String, u64> = (summary.reasons.iter())
            .map(|(reason, &games)| (reason.to_string(), games))
            .collect();
        ImportView {
            id: self.id.clone(),
            name: self.name.clone(),
            state: now.state,
            bytes: self.bytes,
            received: now.received,
            read_bytes: now.reading.as_ref().map_or(0, Progress::bytes_read),
            indexed: now.indexed,
            read: summary.read,
            stored: summary.stored,
            shortened: summary.shortened,
            rejected: summary.rejected,
            duplicates: summary.duplicates,
            copies: summary.copies,
            positions: summary.positions,
            reasons: (reasons.into_iter())
                .map(|(reason, games)| ReasonCount { reason, games })
                .collect(),
            remarks: now.remarks.clone(),
            more_remarks: now.more_remarks,
            error: now.error.clone(),
            seconds: (now.took.unwrap_or_else(|| now.began.elapsed())).as_secs_f64(),
        }
    }

    fn is_of(&self, client: &Client) -> bool {
        client.asker.is_local() || self.owner == client.id
    }

    fn state(&self) -> ImportState {
        lock(&self.progress).state
    }

    /// Does it keep others from importing?
    fn is_busy(&self) -> bool {
        let now = lock(&self.progress);
        match now.state {
            ImportState::Receiving => now.touched.elapsed() < PATIENCE,
            ImportState::Reading | ImportState::Indexing => true,
            ImportState::Finished | ImportState::Stopped | ImportState::Failed => false,
        }
    }

    /// It is over; its file is not needed any more.
    fn over(&self, state: ImportState, error: Option<String>) {
        {
            let mut now = lock(&self.progress);
            if now.state.is_over() {
                return;
            }
            now.state = state;
            now.error = error;
            now.took = Some(now.began.elapsed());
            now.file = None;
        }
        let _ = fs::remove_file(&self.path);
    }

    /// The next piece of the file. Returns whether that was all.
    fn take(&self, from: u64, piece: &[u8]) -> Result<bool, ApiError> {
        let mut now = lock(&self.progress);
        if now.state != ImportState::Receiving {
            return Err(ApiError::conflict("this import takes nothing any more"));
        }
        if from != now.received {
            return Err(ApiError::conflict(format!(
                "the next piece begins at byte {}, not {from}",
                now.received
            )));
        }
        let after = now.received + piece.len() as u64;
        if after > self.bytes {
            return Err(ApiError::bad_request(format!(
                "the file has {} bytes, as was said: these are more",
                self.bytes
            )));
        }
        if piece.is_empty() {
            return Err(ApiError::bad_request("a piece has at least one byte"));
        }
        now.touched = Instant::now();
        let written = match &mut now.file {
            // Where it should go, even if the last piece was written only in part.
            Some(file) => (file.seek(SeekFrom::Start(from))).and_then(|_| file.write_all(piece)),
            None => Err(std::io::ErrorKind::NotFound.into()),
        };
        if let Err(error) = written {
            return Err(ApiError::internal(format!(
                "the file cannot be kept: {}",
                error.kind()
            )));
        }
        now.received = after;
        if after < self.bytes {
            return Ok(false);
        }
        now.file = None;
        now.state = ImportState::Reading;
        Ok(true)
    }

    /// Reads the file into the store.
    fn read(&self, app: &App) {
        let result = self.read_games(app).and_then(|()| self.index(app));
        match result {
            Ok(()) if lock(&self.progress).summary.stopped => {
                self.over(ImportState::Stopped, None);
            }
            Ok(()) => self.over(ImportState::Finished, None),
            Err(error) => {
                let words = app.discreet(ApiError::from(error).message);
                self.over(ImportState::Failed, Some(words));
            }
        }
    }

    fn read_games(&self, app: &App) -> Result<(), StoreError> {
        let source = Source::file(&self.path).named(&self.name);
        let reader = ArchiveReader::new([source]);
        lock(&self.progress).reading = Some(reader.progress());
        let options = ImportOptions {
            batch: BATCH,
            ..ImportOptions::default()
        };
        let summary = app.pool.import(|store| {
            store.import(
                reader,
                options,
                &mut |remark| {
                    let mut now = lock(&self.progress);
                    if now.remarks.len() < MOST_REMARKS {
                        now.remarks.push(remark.text.clone());
                    } else {
                        now.more_remarks += 1;
                    }
                },
                &mut |summary| {
                    lock(&self.progress).summary = summary.clone();
                    !self.stop.asked()
                },
            )
        })?;
        lock(&self.progress).summary = summary;
        Ok(())
    }

    fn index(&self, app: &App) -> Result<(), StoreError> {
        let worth_it = {
            let mut now = lock(&self.progress);
            let worth_it = now.summary.stored >= WORTH_AN_INDEX && !now.summary.stopped;
            if worth_it {
                now.state = ImportState::Indexing;
            }
            worth_it
        };
        if !worth_it {
            return Ok(());
        }
        let built = app.pool.index_anew(&mut |share| {
            lock(&self.progress).indexed = share;
            if self.stop.asked() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        match built {
            // The games are there, and found without it.
            Err(StoreError::Index(IndexError::Stopped)) => {
                lock(&self.progress).summary.stopped = true;
                Ok(())
            }
            built => built,
        }
    }
}

/// All of them, the last ones also after their end.
pub(crate) struct Imports {
    folder: PathBuf,
    all: Mutex<Vec<Arc<Import>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Imports {
    /// What was under way when the server ended is begun again by who wants it.
    pub(crate) fn open(folder: PathBuf) -> Imports {
        let _ = fs::remove_dir_all(&folder);
        Imports {
            folder,
            all: Mutex::default(),
            thread: Mutex::new(None),
        }
    }

    /// Those of a client, newest first.
    pub(crate) fn list(&self, client: &Client) -> Vec<Arc<Import>> {
        let all = lock(&self.all);
        let own = all.iter().rev().filter(|import| import.is_of(client));
        own.cloned().collect()
    }

    pub(crate) fn get(&self, client: &Client, id: &str) -> Result<Arc<Import>, ApiError> {
        let all = lock(&self.all);
        let found = all.iter().find(|import| import.id == id);
        found
            .filter(|import| import.is_of(client))
            .cloned()
            .ok_or_else(|| ApiError::not_found("there is no such import"))
    }

    /// A file of so many bytes is to come.
    pub(crate) fn begin(
        &self,
        app: &App,
        client: &Client,
        name: &str,
        bytes: u64,
    ) -> Result<Arc<Import>, ApiError> {
        let most = app.config.limits.import;
        if bytes == 0 {
            return Err(ApiError::bad_request("the file is empty"));
        }
        if bytes > most {
            return Err(ApiError::too_large(format!(
                "a file has at most {} MB here; `hathi import` reads larger ones",
                most >> 20
            )));
        }
        let name: String = (name.chars().filter(|c| !c.is_control()))
            .take(LONGEST_NAME)
            .collect();
        let id = secret::new()?;
        let mut all = lock(&self.all);
        if all.iter().any(|import| import.is_busy()) {
            return Err(ApiError::too_many(
                "another import is under way: wait for its end, or stop it",
            ));
        }
        for stale in all.iter() {
            stale.over(ImportState::Stopped, None);
        }
        while all.len() >= REMEMBERED {
            all.remove(0);
        }
        let path = self.folder.join(&id);
        let file = fs::create_dir_all(&self.folder)
            .and_then(|()| File::create(&path))
            .map_err(|error| {
                let why = error.kind();
                ApiError::internal(format!("the file cannot be kept: {why}"))
            })?;
        let import = Arc::new(Import {
            id,
            name: if name.trim().is_empty() {
                "games".to_owned()
            } else {
                name
            },
            bytes,
            owner: client.id.clone(),
            path,
            stop: Stop::default(),
            progress: Mutex::new(Progressing {
                state: ImportState::Receiving,
                received: 0,
                touched: Instant::now(),
                began: Instant::now(),
                took: None,
                file: Some(file),
                reading: None,
                indexed: 0.0,
                summary: ImportSummary::default(),
                remarks: Vec::new(),
                more_remarks: 0,
                error: None,
            }),
        });
        all.push(import.clone());
        Ok(import)
    }

    /// A piece of the file; the last one begins the reading.
    pub(crate) fn take(
        &self,
        app: &App,
        import: &Arc<Import>,
        from: u64,
        piece: &[u8],
    ) -> Result<(), ApiError> {
        if import.take(from, piece)? {
            let (app, import) = (app.clone(), import.clone());
            let thread = std::thread::spawn(move || import.read(&app));
            *lock(&self.thread) = Some(thread);
        }
        Ok(())
    }

    /// Ends one; what was added stays.
    pub(crate) fn stop(import: &Import) -> Result<(), ApiError> {
        match import.state() {
            ImportState::Receiving => import.over(ImportState::Stopped, None),
            ImportState::Reading | ImportState::Indexing => import.stop.now(),
            ImportState::Finished | ImportState::Stopped | ImportState::Failed => {
                return Err(ApiError::conflict("the import is over"));
            }
        }
        Ok(())
    }

    /// The one that runs is stopped.
    pub(crate) fn end(&self) {
        for import in lock(&self.all).iter() {
            import.stop.now();
        }
    }

    /// Waits until its games are safe.
    pub(crate) fn join(&self) {
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}
