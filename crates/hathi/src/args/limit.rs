//! `--limit`: how much to show, never more silently left out.

/// The option of commands that list.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct LimitArg {
    /// Show at most N; 0 for all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
}

impl LimitArg {
    /// None for no limit.
    pub(crate) fn get(self) -> Option<usize> {
        (self.limit > 0).then_some(self.limit)
    }

    /// As many of `count` as are shown.
    pub(crate) fn of(self, count: usize) -> usize {
        self.get().map_or(count, |limit| count.min(limit))
    }
}
