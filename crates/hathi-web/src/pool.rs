//! The store, asked by many requests at once.
//!
//! A store answers one question at a time, so several are open on the same
//! games. Each takes notice of new games before it answers. There is one that
//! writes.

use std::ops::{ControlFlow, Deref};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hathi_store::{AddedGame, FactsNeeded, IndexState, Memory, NewGame, Place, StoreError};

use crate::error::ApiError;
use crate::queue::{Places, Queue};

/// How often games added by other programs are looked for.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(2);

/// After an index could not be built, it is not tried again sooner.
const TRY_AGAIN: Duration = Duration::from_secs(60);

/// Facts of fewer positions than these are worked out within a second.
pub(crate) const MANY_POSITIONS: u64 = 100_000;

/// Stores open on the same games.
pub(crate) struct Pool {
    place: Place,
    idle: Mutex<Vec<Reader>>,
    questions: Queue,
    /// Stores that stay open for the next question.
    most_idle: usize,
    patience: Duration,
    writer: Mutex<()>,
    /// Grows whenever there are new games: answers before it are old.
    version: AtomicU64,
    /// Grows whenever the index was built: stores opened before are closed.
    generation: AtomicU64,
    building: AtomicBool,
    /// Why the index could not be built the last time, and when that was.
    trouble: Mutex<Option<(String, Instant)>>,
}

struct Reader {
    memory: Box<dyn Memory>,
    version: u64,
    generation: u64,
}

/// A store for the time of a question; it goes back when dropped.
pub(crate) struct Borrowed<'a> {
    pool: &'a Pool,
    reader: Option<Reader>,
}

impl Deref for Borrowed<'_> {
    type Target = dyn Memory;

    fn deref(&self) -> &(dyn Memory + 'static) {
        match &self.reader {
            Some(reader) => &*reader.memory,
            None => unreachable!("taken only by drop"),
        }
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        // One that has panicked is not trusted again.
        if !std::thread::panicking()
            && let Some(reader) = self.reader.take()
        {
            let mut idle = lock(&self.pool.idle);
            if idle.len() < self.pool.most_idle {
                idle.push(reader);
            }
        }
    }
}

impl Pool {
    /// Opens the store, which must be there or is made.
    pub(crate) fn open(
        place: Place,
        questions: Places,
        patience: Duration,
    ) -> Result<Pool, StoreError> {
        let mut memory = place.open_or_make()?;
        memory.prepare(0, &mut |_, _| {})?;
        Ok(Pool {
            place,
            idle: Mutex::new(vec![Reader {
                memory,
                version: 1,
                generation: 1,
            }]),
            questions: Queue::new(questions),
            most_idle: questions.working + 1,
            patience,
            writer: Mutex::new(()),
            version: AtomicU64::new(1),
            generation: AtomicU64::new(1),
            building: AtomicBool::new(false),
            trouble: Mutex::new(None),
        })
    }

    /// Where the games are.
    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// Changes when there are new games.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Asks the store in a thread that may wait.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<Pool>,
        question: impl FnOnce(&dyn Memory) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let pool = self.clone();
        let answer = self.questions.run(self.patience, move || {
            let store = pool.borrow()?;
            let answer = question(&*store);
            drop(store);
            if let Err(error) = &answer
                && error.code == "index"
            {
                pool.rebuild();
            }
            answer
        });
        answer.await
    }

    /// A store that knows all games, for this thread, which may wait.
    pub(crate) fn borrow(&self) -> Result<Borrowed<'_>, StoreError> {
        let version = self.version();
        let generation = self.generation.load(Ordering::Acquire);
        let known = {
            let mut idle = lock(&self.idle);
            idle.retain(|reader| reader.generation == generation);
            idle.pop()
        };
        let mut reader = match known {
            Some(reader) => reader,
            None => Reader {
                memory: self.place.open()?,
                version,
                generation,
            },
        };
        if reader.version != version {
            reader.memory.catch_up()?;
            reader.version = version;
        }
        Ok(Borrowed {
            pool: self,
            reader: Some(reader),
        })
    }

    /// Adds games; the next question finds them.
    pub(crate) fn insert(&self, games: &[NewGame]) -> Result<Vec<Option<AddedGame>>, StoreError> {
        let _one_at_a_time = lock(&self.writer);
        let added = self.place.open_games()?.insert_for_index(games)?;
        self.changed();
        Ok(added)
    }

    /// Changes the store in another way; the next question sees it.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&mut dyn Memory) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let _one_at_a_time = lock(&self.writer);
        let done = work(&mut *self.place.open_games()?)?;
        self.changed();
        Ok(done)
    }

    /// Writes something down about games; answers about games stay as they are.
    pub(crate) fn note<T>(
        &self,
        work: impl FnOnce(&mut dyn Memory) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let _one_at_a_time = lock(&self.writer);
        work(&mut *self.place.open_games()?)
    }

    fn changed(&self) {
        self.version.fetch_add(1, Ordering::AcqRel);
    }

    /// Looks whether other programs have added games.
    pub(crate) fn look(&self, before: &mut Option<IndexState>) -> Result<(), StoreError> {
        let mut borrowed = self.borrow()?;
        let Some(reader) = &mut borrowed.reader else {
            return Ok(());
        };
        reader.memory.catch_up()?;
        // An index that is missing, or of games before these, is built; the
        // server looks after it as long as it runs.
        let in_order = reader.memory.is_ready()
            && reader.memory.index_is_whole()
            && (reader.memory.index_trouble().is_none() || reader.memory.totals()?.games == 0);
        let state = reader.memory.index_state();
        drop(borrowed);
        if before.replace(state).is_some_and(|before| before != state) {
            self.changed();
        }
        let tried = lock(&self.trouble).as_ref().map(|(_, when)| *when);
        if !in_order && tried.is_none_or(|when| when.elapsed() > TRY_AGAIN) {
            self.rebuild();
        }
        Ok(())
    }

    /// Where many games are added without keeping others from adding theirs:
    /// each batch is a transaction of its own.
    pub(crate) fn import<T>(
        &self,
        work: impl FnOnce(&mut dyn Memory) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = work(&mut *self.place.open_games()?);
        // What was added before a fault is there all the same.
        self.changed();
        done
    }

    /// Builds the index after an import, unless `progress` ends it.
    pub(crate) fn index_anew(
        &self,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let _one_at_a_time = lock(&self.writer);
        let mut memory = self.place.open_games()?;
        memory.build_index_or_stop(0, &mut |_, share| progress(share))?;
        self.generation.fetch_add(1, Ordering::AcqRel);
        self.changed();
        Ok(())
    }

    /// Changes when the index was built.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Works out, ahead of the first question that needs it, what facts in
    /// patterns look at, unless `stopped`. Who asks meanwhile is told how far it
    /// is. A server has it from when games are added; for few games it is worked
    /// out with the question.
    pub(crate) fn facts_ahead(&self, stopped: &dyn Fn() -> bool) -> Result<(), StoreError> {
        if self.place.file().is_none() {
            return Ok(());
        }
        let mut memory = self.place.open()?;
        if !memory.is_ready() || memory.index_state().indexed_positions < MANY_POSITIONS {
            return Ok(());
        }
        memory.build_facts(FactsNeeded::ALL, 0, &mut |_, _| {
            if stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        Ok(())
    }

    /// What keeps the index from being built, if anything does.
    pub(crate) fn trouble(&self) -> Option<String> {
        lock(&self.trouble).as_ref().map(|(why, _)| why.clone())
    }

    /// Builds the index anew, in the background, unless somebody is at it or
    /// has just done so.
    pub(crate) fn rebuild(&self) {
        if self.building.swap(true, Ordering::AcqRel) {
            return;
        }
        let _one_at_a_time = lock(&self.writer);
        let built = self.place.open().and_then(|mut memory| {
            // Another program may have built it meanwhile.
            let in_order = memory.is_ready() && memory.index_trouble().is_none();
            if in_order && memory.check_index().is_ok() {
                return Ok(());
            }
            memory.build_index_or_stop(0, &mut |_, _| ControlFlow::Continue(()))
        });
        *lock(&self.trouble) = match built {
            Ok(()) => {
                self.generation.fetch_add(1, Ordering::AcqRel);
                self.changed();
                None
            }
            Err(error) => Some((error.to_string(), Instant::now())),
        };
        self.building.store(false, Ordering::Release);
    }
}

/// Runs work that waits or computes in a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let result = Arc::new(Mutex::new(None));
    let place = result.clone();
    // All work is of one type to tokio: with a type for each of some fifty
    // closures all that runs a task would be compiled as often.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || *lock(&place) = Some(work()));
    let done = tokio::task::spawn_blocking(work).await;
    let result = lock(&result).take().filter(|_| done.is_ok());
    result.unwrap_or_else(|| Err(ApiError::internal("something broke; please report it")))
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
