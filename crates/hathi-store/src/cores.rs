//! How many threads to work with.

/// As many as were asked for; 0 means one a core.
pub(crate) fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        some => some,
    }
}
