//! Engines as clients may ask for them.

use std::time::Duration;

use hathi_engine::{EngineOptions, EngineSpec, Limits, Stop};

use crate::error::ApiError;
use crate::state::App;

/// Characters of an engine with its options; all options at once take fewer.
const LONGEST: usize = 200;

/// What an engine is wanted for: how much memory it may take depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A question, answered soon.
    Question,
    /// A review or a tournament.
    Long,
    /// A game against somebody.
    Play,
}

/// Threads of an engine.
pub(crate) fn most_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Megabytes of its table.
fn most_hash(app: &App, purpose: Purpose) -> usize {
    let limits = &app.config.limits;
    match purpose {
        Purpose::Question => limits.hash,
        Purpose::Long => limits.hash_for_long,
        Purpose::Play => limits.hash_in_play,
    }
}

/// The engine of this text as it is written in full, without our store.
pub(crate) fn read(app: &App, text: &str, purpose: Purpose) -> Result<EngineSpec, ApiError> {
    if text.len() > LONGEST {
        return Err(ApiError::bad_request(format!(
            "an engine is written with at most {LONGEST} characters"
        )));
    }
    let spec =
        EngineSpec::for_anybody(text).map_err(|error| ApiError::bad_request(error.to_string()))?;
    let most = most_hash(app, purpose);
    let cores = most_threads();
    let options = &spec.options;
    // The usual size is our own wish, not the client's.
    let too_much = options.hash > most && options.hash != EngineOptions::default().hash;
    if too_much || options.threads > cores {
        return Err(ApiError::bad_request(format!(
            "an engine may have up to {most} megabytes (hash) and {cores} threads here"
        )));
    }
    Ok(spec)
}

/// The engine of this text, with its memory in our store.
pub(crate) fn spec(app: &App, text: &str, purpose: Purpose) -> Result<EngineSpec, ApiError> {
    let mut spec = read(app, text, purpose)?;
    spec.options.hash = spec.options.hash.min(most_hash(app, purpose));
    spec.options.store = app.pool.place().written();
    Ok(spec)
}

/// Seconds as a client gives them.
pub(crate) fn seconds(app: &App, seconds: f64) -> Result<Duration, ApiError> {
    let most = f64::from(app.config.limits.think_seconds);
    if (0.001..=most).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(ApiError::bad_request(format!(
            "an engine may think for 0.001 to {most} seconds"
        )))
    }
}

/// The limits of one turn.
pub(crate) fn limits(
    app: &App,
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    usual: f64,
    stop: &Stop,
) -> Result<Limits, ApiError> {
    // Nodes and depth alone could take for ever.
    let most = f64::from(app.config.limits.think_seconds);
    let bounded = nodes.is_some() || depth.is_some();
    let time = time.unwrap_or(if bounded { most } else { usual });
    Ok(Limits {
        nodes,
        depth,
        ..Limits::time(seconds(app, time)?).with_stop(stop.clone())
    })
}

/// Raises a stop when it is dropped: nobody waits any more.
struct Leaving(Stop);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.now();
    }
}

/// Work for a core, in its turn, stopped when nobody waits for it any more.
pub(crate) async fn work<T: Send + 'static>(
    app: &App,
    time: Duration,
    work: impl FnOnce(&Limits) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let stop = Stop::default();
    let _leaving = Leaving(stop.clone());
    let run = app.engines.run(app.config.limits.patience, move || {
        // The time counts from here, not from when others were at work.
        work(&Limits::time(time).with_stop(stop))
    });
    run.await
}
