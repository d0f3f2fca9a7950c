//! What commands with engines have in common.

use std::fmt::Write as _;
use std::time::Duration;

use hathi_engine::{EngineSpec, OPTIONS};

use crate::args::store::StoreArgs;

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
pub(crate) fn store_name(store: &StoreArgs) -> String {
    store
        .place()
        .map_or_else(|_| String::new(), |place| place.to_string())
}

/// The engine with its memory there, unless it says otherwise.
pub(crate) fn with_store(mut spec: EngineSpec, store: &StoreArgs) -> EngineSpec {
    if spec.options.store.is_empty() {
        spec.options.store = store_name(store);
    }
    spec
}
