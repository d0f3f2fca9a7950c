//! Engines as clients may ask for them.

use std::time::Duration;

use hathi_engine::{EngineSpec, Limits, Stop};

use crate::error::ApiError;
use crate::state::App;

/// Megabytes of a table.
const MOST_HASH: usize = 256;

/// The engine of this text, with its memory in our store.
pub(crate) fn spec(app: &App, text: &str) -> Result<EngineSpec, ApiError> {
    let mut spec =
        EngineSpec::for_anybody(text).map_err(|error| ApiError::bad_request(error.to_string()))?;
    let options = &mut spec.options;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if options.hash > MOST_HASH || options.threads > cores {
        return Err(ApiError::bad_request(format!(
            "an engine may have up to {MOST_HASH} megabytes (hash) and {cores} threads here"
        )));
    }
    options.store = app.pool.place().to_string();
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
    let patience = app.config.limits.patience;
    let Ok(Ok(_turn)) = tokio::time::timeout(patience, app.engines.acquire()).await else {
        return Err(ApiError::busy(
            "all engines are busy; try again in a moment",
        ));
    };
    let stop = Stop::default();
    let _leaving = Leaving(stop.clone());
    let limits = Limits::time(time).with_stop(stop);
    crate::pool::blocking(move || work(&limits)).await
}
