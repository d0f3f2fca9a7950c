//! Games between people and engines: who plays, whose turn it is, clocks,
//! and where games are kept while they last.

mod kept;
mod play;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hathi_rules::Setup;
use tokio::sync::watch;

pub(crate) use kept::Terms;
pub(crate) use play::{Explained, Phase, Play, PlayState};

use crate::client::Client;
use crate::error::ApiError;
use crate::pool::lock;
use crate::secret;
use crate::state::App;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(250);

/// An engine that nobody has needed for so long is let go.
const ENGINE_IDLE: Duration = Duration::from_secs(300);

/// A game nobody has asked for in this time is not waited for.
const UNWATCHED: Duration = Duration::from_secs(4);

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
        client: &Client,
        terms: Terms,
        setups: &[Setup],
    ) -> Result<Arc<Play>, ApiError> {
        let limits = &app.config.limits;
        let from = client.asker.address();
        let mut plays = lock(&self.plays);
        let count = |fits: &dyn Fn(&Play) -> bool| {
            let plays = plays.values();
            plays.filter(|play| fits(play)).count()
        };
        // What is not set up yet is no game: it makes room for the next one.
        let of_client = |play: &Play| play.client == client.id;
        let of_address = |play: &Play| play.from == Some(from);
        if count(&|play| play.has_begun() && of_client(play)) >= limits.plays_per_client
            || count(&|play| play.has_begun() && of_address(play)) >= limits.plays_for_one
        {
            return Err(ApiError::too_many(format!(
                "you have {} games going on: finish or give up one of them first",
                limits.plays_per_client
            )));
        }
        // The one nobody has touched for longest makes room.
        let mut given_up = None;
        if count(&Play::is_running) >= limits.plays {
            let oldest = plays
                .values()
                .filter(|play| play.is_running() && play.is_idle(limits.play_spared))
                .min_by_key(|play| (play.touched(), play.created));
            let Some(oldest) = oldest else {
                return Err(ApiError::busy(
                    "too many games are being played; try again later",
                ));
            };
            given_up = Some(oldest.id.clone());
        }
        let id = format!("p{}", secret::new()?);
        let play = Arc::new(Play::new(
            id.clone(),
            client.id.clone(),
            from,
            terms,
            setups,
        )?);
        let too_many = [
            superfluous(&plays, limits.finished_per_client, |play| {
                !play.is_running() && of_client(play)
            }),
            superfluous(&plays, limits.finished, |play| !play.is_running()),
            superfluous(&plays, limits.plays_per_client.saturating_sub(1), |play| {
                play.is_waiting() && of_client(play)
            }),
            superfluous(&plays, limits.plays_for_one.saturating_sub(1), |play| {
                play.is_waiting() && of_address(play)
            }),
        ];
        for id in given_up.into_iter().chain(too_many.concat()) {
            self.take_away(&mut plays, &id);
        }
        plays.insert(id, play.clone());
        Ok(play)
    }

    /// Takes a game away.
    pub(crate) fn remove(&self, id: &str) {
        self.take_away(&mut lock(&self.plays), id);
    }

    fn take_away(&self, plays: &mut HashMap<String, Arc<Play>>, id: &str) {
        if let Some(play) = plays.remove(id) {
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

/// The oldest of these games, if there are more than so many.
fn superfluous(
    plays: &HashMap<String, Arc<Play>>,
    most: usize,
    these: impl Fn(&Play) -> bool,
) -> Vec<String> {
    let mut these: Vec<_> = plays.values().filter(|play| these(play)).collect();
    these.sort_by_key(|play| std::cmp::Reverse((play.touched(), play.id.clone())));
    let old = these.into_iter().skip(most);
    old.map(|play| play.id.clone()).collect()
}

/// Engines whose turn it was go on; then clocks are looked at, and what is
/// not needed any more is let go.
pub(crate) async fn look_after(app: App, mut stopped: watch::Receiver<bool>) {
    for play in app.plays.all() {
        if play.is_unfinished() {
            play.finish(&app).await;
        }
        play.clone().let_engine_move(&app);
    }
    loop {
        let ended = stopped.wait_for(|stopped| *stopped);
        if tokio::time::timeout(TICK, ended).await.is_ok() {
            return;
        }
        let limits = &app.config.limits;
        let mut with_engine = Vec::new();
        for play in app.plays.all() {
            let after = if play.is_running() {
                limits.play_idle
            } else {
                limits.finished_for
            };
            if play.is_idle(after) {
                app.plays.remove(&play.id);
                continue;
            }
            if play.has_idle_engine() {
                with_engine.push(play.clone());
            }
            if play.is_idle(ENGINE_IDLE) {
                play.release_engine();
            }
            play.clone().look_at_clock(&app).await;
        }
        // When engines have to share, those nobody waits for decide at once.
        let plays = app.plays.all();
        let thinking = plays.iter().filter(|play| play.is_thinking()).count();
        if thinking > limits.engines.working {
            for play in plays
                .iter()
                .filter(|play| play.thinks_for_nobody(UNWATCHED))
            {
                play.stop();
            }
        }
        // Tables are large: only so many wait for their turn.
        with_engine.sort_by_key(|play| std::cmp::Reverse(play.touched()));
        for play in with_engine.iter().skip(limits.kept_engines) {
            play.release_engine();
        }
    }
}
