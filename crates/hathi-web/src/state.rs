//! What all requests share.

use std::sync::Arc;

use hathi_arena::KeptEngines;
use hathi_engine::Stop;
use hathi_store::StoreError;
use tokio::sync::{Semaphore, watch};

use crate::arenas::Arenas;
use crate::cache::Answers;
use crate::config::Config;
use crate::error::ApiError;
use crate::experiments::Experiments;
use crate::gradings::Gradings;
use crate::imports::Imports;
use crate::plays::{self, Plays};
use crate::pool::{LOOK_EVERY, Pool, blocking};
use crate::queue::{Places, Queue};
use crate::samples;

/// Questions at the same time to a store on a server: it waits for its disks
/// and workers, not for our cores.
const SERVER_QUESTIONS: usize = 16;

/// What all requests share.
pub(crate) type App = Arc<Shared>;

pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) pool: Arc<Pool>,
    pub(crate) answers: Answers,
    pub(crate) puzzles: crate::api::puzzles::Known,
    pub(crate) counted: crate::api::lab::phases::Counted,
    pub(crate) plays: Plays,
    pub(crate) arenas: Arenas,
    pub(crate) imports: Imports,
    pub(crate) experiments: Experiments,
    /// How hard puzzles are.
    pub(crate) gradings: Arc<Gradings>,
    /// Pictures and other work without an engine.
    pub(crate) errands: Queue,
    /// Engines thinking for requests.
    pub(crate) engines: Queue,
    /// Engines thinking aloud.
    pub(crate) thinking: Queue,
    /// Positions that are analysed.
    pub(crate) analyses: Queue,
    /// Other engines of this machine that look at positions.
    pub(crate) kept_engines: Arc<KeptEngines>,
    /// Games under review.
    pub(crate) reviews: Queue,
    /// Engines thinking in games.
    pub(crate) players: Arc<Semaphore>,
    /// Streams open.
    pub(crate) streams: Queue,
    /// Kilobytes under way to clients.
    pub(crate) sending: Arc<Semaphore>,
    /// What the store was like a moment ago.
    pub(crate) seen: crate::api::status::Seen,
    /// Becomes true when the server is to end.
    pub(crate) stopped: watch::Receiver<bool>,
    /// The same for threads.
    pub(crate) stop: Stop,
}

impl Shared {
    pub(crate) fn new(config: Config, stopped: watch::Receiver<bool>) -> Result<App, StoreError> {
        let limits = &config.limits;
        if config.samples && !config.place.exists() {
            samples::fill(&config.place)?;
        }
        // Who answers is another machine, with connections for so many.
        let questions = match config.place.file() {
            Some(_) => limits.questions,
            None => limits.questions.at_least(SERVER_QUESTIONS),
        };
        let pool = Arc::new(Pool::open(
            config.place.clone(),
            questions,
            limits.patience,
        )?);
        tokio::spawn(look_for_games(pool.clone(), stopped.clone()));
        tokio::spawn(work_out_facts(pool.clone(), stopped.clone()));
        let app = Arc::new(Shared {
            answers: Answers::new(limits.cache),
            puzzles: crate::api::puzzles::Known::default(),
            counted: crate::api::lab::phases::Counted::default(),
            errands: Queue::new(limits.errands),
            engines: Queue::new(limits.engines),
            thinking: Queue::new(limits.thinking),
            analyses: Queue::new(limits.analyses),
            kept_engines: Arc::default(),
            reviews: Queue::new(limits.reviews),
            players: Arc::new(Semaphore::new(limits.players)),
            streams: Queue::new(Places::of(limits.streams, 0).for_one(limits.streams_for_one, 0)),
            sending: Arc::new(Semaphore::new(limits.sending)),
            seen: crate::api::status::Seen::default(),
            arenas: Arenas::open(config.data.join("arenas")),
            experiments: Experiments::default(),
            gradings: Arc::new(Gradings::open(config.data.join("puzzles.json"))),
            imports: Imports::open(config.data.join("imports")),
            plays: Plays::open(config.data.join("plays")),
            stop: Stop::default(),
            stopped: stopped.clone(),
            pool,
            config,
        });
        tokio::spawn(plays::look_after(app.clone(), stopped));
        Ok(app)
    }

    /// Words for clients: where things are on this machine is not for strangers.
    pub(crate) fn discreet(&self, words: String) -> String {
        if !self.config.access.is_public() {
            return words;
        }
        let data = self.config.data.display().to_string();
        let words = words.replace(&data, "the server's folder");
        words.replace(&self.pool.place().to_string(), "the store")
    }

    /// Work without an engine, in its turn.
    pub(crate) async fn errand<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.errands.run(self.config.limits.patience, work).await
    }

    /// Everything that runs is asked to stop.
    pub(crate) fn end(&self) {
        self.stop.now();
        self.plays.end();
        self.arenas.end();
        self.imports.end();
        self.experiments.end();
    }

    /// Waits for what must not be lost, or left behind.
    pub(crate) fn join(&self) {
        self.kept_engines.end_all();
        self.arenas.join();
        self.imports.join();
        self.experiments.join();
        self.gradings.join();
    }
}

/// Once for every index.
async fn work_out_facts(pool: Arc<Pool>, mut stopped: watch::Receiver<bool>) {
    let mut done = None;
    while !*stopped.borrow() {
        let generation = pool.generation();
        if done != Some(generation) {
            let (pool, stopped) = (pool.clone(), stopped.clone());
            let stopped = move || *stopped.borrow();
            // What goes wrong is told to who asks.
            let _ = blocking(move || Ok(pool.facts_ahead(&stopped)?)).await;
            done = Some(generation);
        }
        let ended = stopped.wait_for(|stopped| *stopped);
        if tokio::time::timeout(LOOK_EVERY, ended).await.is_ok() {
            return;
        }
    }
}

async fn look_for_games(pool: Arc<Pool>, mut stopped: watch::Receiver<bool>) {
    let mut state = None;
    while !*stopped.borrow() {
        let pool = pool.clone();
        let mut before = state;
        let looked = blocking(move || {
            pool.look(&mut before)?;
            Ok(before)
        });
        // A store that cannot be asked now may answer later.
        if let Ok(seen) = looked.await {
            state = seen;
        }
        let ended = stopped.wait_for(|stopped| *stopped);
        if tokio::time::timeout(LOOK_EVERY, ended).await.is_ok() {
            return;
        }
    }
}
