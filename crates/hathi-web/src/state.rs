//! What all requests share.

use std::sync::Arc;

use hathi_engine::Stop;
use hathi_store::StoreError;
use tokio::sync::{Semaphore, watch};

use crate::arenas::Arenas;
use crate::cache::Answers;
use crate::config::Config;
use crate::plays::{self, Plays};
use crate::pool::{LOOK_EVERY, Pool, blocking};
use crate::samples;

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
    /// Engines thinking for requests.
    pub(crate) engines: Arc<Semaphore>,
    /// Engines thinking in games.
    pub(crate) players: Arc<Semaphore>,
    /// Streams open.
    pub(crate) streams: Arc<Semaphore>,
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
        let pool = Arc::new(Pool::open(
            config.place.clone(),
            limits.questions,
            limits.patience,
        )?);
        tokio::spawn(look_for_games(pool.clone(), stopped.clone()));
        let app = Arc::new(Shared {
            answers: Answers::new(limits.cache),
            puzzles: crate::api::puzzles::Known::default(),
            counted: crate::api::lab::phases::Counted::default(),
            engines: Arc::new(Semaphore::new(limits.engines)),
            players: Arc::new(Semaphore::new(limits.players)),
            streams: Arc::new(Semaphore::new(limits.streams)),
            arenas: Arenas::open(config.data.join("arenas")),
            plays: Plays::open(config.data.join("plays")),
            stop: Stop::default(),
            stopped: stopped.clone(),
            pool,
            config,
        });
        tokio::spawn(plays::look_after(app.clone(), stopped));
        Ok(app)
    }

    /// Everything that runs is asked to stop.
    pub(crate) fn end(&self) {
        self.stop.now();
        self.plays.end();
        self.arenas.end();
    }

    /// Waits for what must not be lost.
    pub(crate) fn join(&self) {
        self.arenas.join();
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
