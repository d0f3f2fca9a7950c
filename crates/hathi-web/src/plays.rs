//! Games between people and engines: who plays, whose turn it is, clocks,
//! and where games are kept while they last.

mod kept;
mod play;

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;

pub(crate) use kept::Terms;
pub(crate) use play::{Phase, Play, PlayState};

use crate::error::ApiError;
use crate::pool::lock;
use crate::secret;
use crate::state::App;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(250);

/// An engine that nobody has needed for so long is let go.
const ENGINE_IDLE: Duration = Duration::from_secs(300);

/// Finished games are forgotten after this time; the store has them.
const FORGET: Duration = Duration::from_secs(24 * 3600);

/// All games that are being played, or were a moment ago.
pub(crate) struct Plays {
    plays: Mutex<HashMap<String, Arc<Play>>>,
    folder: PathBuf,
}

impl Plays {
    /// Those that were going on when the server ended go on.
    pub(crate) fn open(folder: PathBuf) -> Plays {
        let _ = std::fs::create_dir_all(&folder);
        let plays = kept::load(&folder)
            .into_iter()
            .map(|play| (play.id.clone(), Arc::new(play)))
            .collect();
        Plays {
            plays: Mutex::new(plays),
            folder,
        }
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<Play>, ApiError> {
        let play = lock(&self.plays).get(id).cloned();
        play.ok_or_else(|| ApiError::not_found("there is no such game; it may have been too old"))
    }

    /// The games of a client, newest first.
    pub(crate) fn of(&self, client: &str) -> Vec<Arc<Play>> {
        let mut plays: Vec<_> = lock(&self.plays)
            .values()
            .filter(|play| play.client == client)
            .cloned()
            .collect();
        plays.sort_by_key(|play| std::cmp::Reverse((play.created, play.id.clone())));
        plays
    }

    /// Games that are not over.
    pub(crate) fn running(&self) -> usize {
        let plays = lock(&self.plays);
        plays.values().filter(|play| play.is_running()).count()
    }

    /// A new game, unless there are too many already.
    pub(crate) fn add(
        &self,
        app: &App,
        client: &str,
        from: Option<IpAddr>,
        terms: Terms,
    ) -> Result<Arc<Play>, ApiError> {
        let limits = &app.config.limits;
        let mut plays = lock(&self.plays);
        let running = |mine: &dyn Fn(&Play) -> bool| {
            let plays = plays.values();
            plays.filter(|play| play.is_running() && mine(play)).count()
        };
        if running(&|play| play.client == client) >= limits.plays_per_client
            // Who forgets cookies is still who he is.
            || running(&|play| from.is_some() && play.from == from) >= limits.plays_per_client * 5
        {
            return Err(ApiError::too_many(format!(
                "you have {} games going on: finish or give up one of them first",
                limits.plays_per_client
            )));
        }
        if running(&|_| true) >= limits.plays {
            return Err(ApiError::busy(
                "too many games are being played; try again later",
            ));
        }
        let id = format!("p{}", secret::new()?);
        let play = Arc::new(Play::new(id.clone(), client.to_owned(), from, terms)?);
        plays.insert(id, play.clone());
        Ok(play)
    }

    /// Takes a game away.
    pub(crate) fn remove(&self, id: &str) {
        if let Some(play) = lock(&self.plays).remove(id) {
            play.stop();
            kept::remove(&self.folder, id);
        }
    }

    /// Everybody stops thinking.
    pub(crate) fn end(&self) {
        for play in lock(&self.plays).values() {
            play.stop();
            play.keep(&self.folder);
        }
    }

    fn all(&self) -> Vec<Arc<Play>> {
        lock(&self.plays).values().cloned().collect()
    }
}

/// Engines whose turn it was go on; then clocks are looked at, and what is
/// not needed any more is let go.
pub(crate) async fn look_after(app: App, mut stopped: watch::Receiver<bool>) {
    for play in app.plays.all() {
        play.clone().let_engine_move(&app);
    }
    loop {
        let ended = stopped.wait_for(|stopped| *stopped);
        if tokio::time::timeout(TICK, ended).await.is_ok() {
            return;
        }
        for play in app.plays.all() {
            if play.is_idle(FORGET) && !play.is_running() {
                app.plays.remove(&play.id);
                continue;
            }
            if play.is_idle(ENGINE_IDLE) {
                play.release_engine();
            }
            play.clone().look_at_clock(&app).await;
        }
    }
}
