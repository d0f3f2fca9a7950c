//! How many threads to work with.

use std::sync::LazyLock;

/// Asked for once: the system reads files to answer, and questions to the
/// memory take microseconds.
static CORES: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// As many as were asked for; 0 means one a core.
pub(crate) fn threads(asked: usize) -> usize {
    match asked {
        0 => *CORES,
        some => some,
    }
}

/// What a worker has done. If it panicked, so does who waits for it: its part
/// must not be missing without a word.
pub(crate) fn joined<T>(worker: std::thread::ScopedJoinHandle<'_, T>) -> T {
    worker
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
