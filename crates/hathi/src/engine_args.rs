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

/// The engine with its memory where the user's store is, unless it says
/// otherwise.
pub(crate) fn with_store(mut spec: EngineSpec, store: &StoreArgs) -> anyhow::Result<EngineSpec> {
    if spec.options.store.is_empty() && store.place().is_ok() {
        spec.options.store = store_text(store)?;
    }
    Ok(spec)
}

/// The user's store as engines are told about it.
pub(crate) fn store_text(store: &StoreArgs) -> anyhow::Result<String> {
    let place = store.place()?;
    Ok(match place.file() {
        Some(file) => file
            .to_str()
            .ok_or_else(|| BadInput::error("the name of the store must be UTF-8"))?
            .to_owned(),
        None => place.to_string(),
    })
}
