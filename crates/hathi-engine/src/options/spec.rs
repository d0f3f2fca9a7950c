//! An engine with its options, read and written.

use std::fmt;
use std::str::FromStr;

use super::error::LONGEST;
use super::{EngineOption, EngineOptions, OptionError, shortened};

/// An engine and its options, as written on a command line.
///
/// ```
/// use hathi_engine::EngineSpec;
/// let spec: EngineSpec = "fairy:depth=8,hash=32".parse()?;
/// assert_eq!(spec.kind.name(), "fairy");
/// assert_eq!(spec.options.depth, 8);
/// assert_eq!(spec.to_string(), "fairy:depth=8,hash=32");
/// # Ok::<(), hathi_engine::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Which engine.
    pub kind: crate::EngineKind,
    /// How it is set.
    pub options: EngineOptions,
}

/// Why text names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nobody of that name.
    #[error("there is no engine {0:?}; there are {list}", list = crate::EngineKind::list())]
    UnknownEngine(String),
    /// An option without a value.
    #[error("{0:?} is not an option: write NAME=VALUE, as in fairy:depth=8,hash=32")]
    NotAnOption(String),
    /// A bad option.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl EngineSpec {
    /// Reads an engine as somebody may ask for it who does not own this
    /// machine: options that name files or are for experiments are refused.
    ///
    /// ```
    /// use hathi_engine::EngineSpec;
    /// assert!(EngineSpec::for_anybody("fairy:depth=8").is_ok());
    /// let error = EngineSpec::for_anybody("fairy:store=/tmp/x").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the option store cannot be set here; those that can are depth, nodes, hash, threads and multipv",
    /// );
    /// ```
    pub fn for_anybody(text: &str) -> Result<EngineSpec, SpecError> {
        EngineSpec::read(text, EngineOption::is_for_anybody)
    }

    fn read(text: &str, allowed: impl Fn(&EngineOption) -> bool) -> Result<EngineSpec, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let kind = crate::EngineKind::by_name(name.trim())
            .ok_or_else(|| SpecError::UnknownEngine(shortened(name.trim(), LONGEST)))?;
        let mut options = EngineOptions::default();
        for part in rest.split(',').filter(|part| !part.trim().is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| SpecError::NotAnOption(shortened(part, LONGEST)))?;
            let name = name.trim();
            if let Some(option) = EngineOption::by_name(name)
                && !allowed(option)
            {
                return Err(OptionError::NotForAnybody { name: option.name }.into());
            }
            options.set(name, value)?;
        }
        Ok(EngineSpec { kind, options })
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        EngineSpec::read(text, |_| true)
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        let mut mark = ':';
        for (option, value) in self.options.changed() {
            write!(f, "{mark}{}={value}", option.name)?;
            mark = ',';
        }
        Ok(())
    }
}
