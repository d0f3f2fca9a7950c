//! Why an option cannot be set, in words.

use super::{EngineOption, OPTIONS};

/// The names of options, for messages: `a, b and c`.
fn names(options: impl IntoIterator<Item = &'static EngineOption>) -> String {
    let names: Vec<&str> = options.into_iter().map(|option| option.name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "none".to_owned(),
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option {0:?}; there are {list}", list = names(OPTIONS))]
    Unknown(String),
    /// It is not for everybody.
    #[error(
        "the option {name} cannot be set here; those that can are {list}",
        list = names(OPTIONS.iter().filter(|option| option.is_for_anybody()))
    )]
    NotForAnybody {
        /// The option.
        name: &'static str,
    },
    /// The value is of no use.
    #[error("option {name} is {value:?}, expected {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What should have been.
        expected: &'static str,
    },
}

/// No more of what was given is quoted in a message.
pub(super) const LONGEST: usize = 60;

/// The same for the name of an option, beside which all names are listed.
pub(super) const LONGEST_NAME: usize = 24;

/// Text cut to a length that a message can have.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    let mut short: String = text.chars().take(longest).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
