//! Errors that are the input's fault, as opposed to ours or the machine's.

use std::fmt;

/// The user's input cannot be used. Says what is wrong and what to do; the
/// program ends with exit code 2.
#[derive(Debug)]
pub(crate) struct BadInput(String);

impl BadInput {
    /// With this message, as an error to return.
    pub(crate) fn error(message: impl Into<String>) -> anyhow::Error {
        BadInput(message.into()).into()
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}
