//! What commands with engines have in common.

use std::time::Duration;

use hathi_engine::EngineSpec;

use crate::failure::BadInput;
use crate::store_args::StoreArgs;

/// Seconds on a command line: `0.1`, `15`.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds: &f64| (0.001..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected seconds, 0.001 to 86400".to_owned())
}

/// Where the user's store is, as engines want it; nothing if there is no
/// place for one.
pub(crate) fn memory(store: &StoreArgs) -> anyhow::Result<String> {
    match store.path() {
        Err(_) => Ok(String::new()),
        Ok(path) => path
            .into_os_string()
            .into_string()
            .map_err(|_| BadInput::error("the name of the store must be UTF-8")),
    }
}

/// The engine with its memory there, unless it says otherwise.
pub(crate) fn with_store(mut spec: EngineSpec, store: &StoreArgs) -> anyhow::Result<EngineSpec> {
    if spec.options.store.is_empty() {
        spec.options.store = memory(store)?;
    }
    Ok(spec)
}
