//! How an engine looks ahead.

/// How an engine looks ahead.
///
/// Between the full search and the plain one are those that lack one part of the full
/// one, so that it can be measured what each of them is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchStyle {
    /// Goals are asked for at the start of every turn, captures played out, unlikely steps
    /// searched less deeply.
    #[default]
    Full,
    /// Every step equally deep and nothing beyond: goals are found by the steps to them,
    /// captures are not played out.
    Plain,
    /// As the full one, but goals are found by the steps to them.
    NoGoals,
    /// As the full one, but captures are not played out.
    NoQuiescence,
    /// As the full one, but every step equally deep.
    NoReductions,
    /// As the plain one, but goals are asked for at the start of every turn.
    PlainGoals,
}

impl SearchStyle {
    /// All of them.
    pub const ALL: [SearchStyle; 6] = [
        SearchStyle::Full,
        SearchStyle::Plain,
        SearchStyle::NoGoals,
        SearchStyle::NoQuiescence,
        SearchStyle::NoReductions,
        SearchStyle::PlainGoals,
    ];

    /// As it is called in options: "full", "plain", "no-goals".
    pub const fn name(self) -> &'static str {
        match self {
            SearchStyle::Full => "full",
            SearchStyle::Plain => "plain",
            SearchStyle::NoGoals => "no-goals",
            SearchStyle::NoQuiescence => "no-quiescence",
            SearchStyle::NoReductions => "no-reductions",
            SearchStyle::PlainGoals => "plain-goals",
        }
    }
}
