//! Errors that are the fault of what was asked for, not ours or the machine's.

/// What was asked for cannot be done. Says what is wrong and what to do.
#[derive(Debug)]
pub struct BadInput(String);

impl BadInput {
    /// With this message, as an error to return.
    pub(crate) fn error(message: impl Into<String>) -> anyhow::Error {
        BadInput(message.into()).into()
    }
}

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}
