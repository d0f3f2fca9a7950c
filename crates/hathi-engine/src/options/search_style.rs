//! How an engine looks ahead.

/// How an engine looks ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchStyle {
    /// Goals are asked for at the start of every turn, captures played out, unlikely steps
    /// searched less deeply.
    #[default]
    Full,
    /// Every step equally deep and nothing beyond: goals are found by the steps to them,
    /// captures are not played out.
    Plain,
}

impl SearchStyle {
    /// Both of them.
    pub const ALL: [SearchStyle; 2] = [SearchStyle::Full, SearchStyle::Plain];

    /// "full" or "plain".
    pub const fn name(self) -> &'static str {
        match self {
            SearchStyle::Full => "full",
            SearchStyle::Plain => "plain",
        }
    }
}
