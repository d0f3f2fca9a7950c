//! What commands with engines have in common.

use std::fmt::Write as _;
use std::time::Duration;

use hathi_engine::{EngineSpec, OPTIONS, without_memory};

use crate::args::store::StoreArgs;
use crate::terminal::output;

/// Seconds on a command line: `0.1`, `15`.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds: &f64| (0.001..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected seconds, 0.001 to 86400".to_owned())
}

/// What long help says after the examples: the options of engines.
pub(crate) fn help_after(examples: &str) -> String {
    let mut help = format!("{examples}\n\nOptions of engines:\n");
    for option in OPTIONS {
        let _ = writeln!(help, "  {:<9} {}", option.name, option.about);
    }
    help.truncate(help.trim_end().len());
    help
}

/// Where the user's store is, as engines want it; nothing if there is no
/// place for one.
pub(crate) fn store_name(store: &StoreArgs) -> anyhow::Result<String> {
    match store.place() {
        Ok(place) => Ok(place.written()),
        Err(error) if store.is_given() => Err(error),
        Err(_) => Ok(String::new()),
    }
}

/// The engine with its memory there, unless it says otherwise.
pub(crate) fn with_store(mut spec: EngineSpec, store: &StoreArgs) -> anyhow::Result<EngineSpec> {
    if spec.options.store.is_empty() {
        spec.options.store = store_name(store)?;
    }
    note_empty_memory(&spec);
    Ok(spec)
}

/// Says so if an engine that remembers has nothing to remember.
pub(crate) fn note_empty_memory(spec: &EngineSpec) {
    if spec.remembers()
        && let Some(why) = without_memory(&spec.options)
    {
        output::note(&format!(
            "{why}: {} plays with an empty memory; `hathi import` fills one",
            spec.kind.name()
        ));
    }
}
