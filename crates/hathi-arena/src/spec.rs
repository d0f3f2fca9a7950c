//! Who plays, as written on a command line.

use std::fmt;
use std::str::FromStr;

use hathi_engine::{EngineSpec, SpecError};

/// A player of a tournament.
///
/// ```
/// use hathi_arena::{PlayerKind, PlayerSpec};
/// let fairy: PlayerSpec = "fairy:depth=4".parse()?;
/// assert_eq!(fairy.name, "fairy:depth=4");
/// let named: PlayerSpec = "deep=fairy:depth=8".parse()?;
/// assert_eq!(named.name, "deep");
/// let foreign: PlayerSpec = "simple=cmd:python3 -m pyrimaa.simple_engine".parse()?;
/// assert!(matches!(foreign.kind, PlayerKind::Program(_)));
/// # Ok::<(), hathi_arena::ParsePlayerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The name in tables and archives.
    pub name: String,
    /// What plays.
    pub kind: PlayerKind,
}

/// What plays.
#[allow(clippy::large_enum_variant)] // there are a handful of players
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// One of Hathi's own engines, in this process.
    BuiltIn(EngineSpec),
    /// An AEI engine: the command that runs it.
    Program(String),
}

/// Why text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePlayerError {
    /// No engine.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// `cmd:` and nothing.
    #[error("`{0}` names no command: write NAME=cmd:COMMAND, as in old=cmd:./bot_old aei")]
    NoCommand(String),
}

impl PlayerSpec {
    /// One of our own, called as it is written.
    pub fn built_in(spec: EngineSpec) -> PlayerSpec {
        PlayerSpec {
            name: spec.to_string(),
            kind: PlayerKind::BuiltIn(spec),
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<PlayerSpec, ParsePlayerError> {
        let text = text.trim();
        // A name stands before the first `=`, unless that belongs to an option.
        let (name, rest) = match text.split_once('=') {
            Some((name, rest)) if !name.contains(':') => (Some(name.trim()), rest.trim()),
            _ => (None, text),
        };
        if let Some(command) = rest.strip_prefix("cmd:") {
            let command = command.trim();
            if command.is_empty() {
                return Err(ParsePlayerError::NoCommand(text.to_owned()));
            }
            return Ok(PlayerSpec {
                name: clean(name.unwrap_or(command)),
                kind: PlayerKind::Program(command.to_owned()),
            });
        }
        let spec: EngineSpec = rest.parse()?;
        Ok(PlayerSpec {
            name: clean(name.unwrap_or(rest)),
            kind: PlayerKind::BuiltIn(spec),
        })
    }
}

/// As it is written, for settings that must be the same.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PlayerKind::BuiltIn(spec) => write!(f, "{}={spec}", self.name),
            PlayerKind::Program(command) => write!(f, "{}=cmd:{command}", self.name),
        }
    }
}

/// Names go into tab-separated files.
fn clean(name: &str) -> String {
    name.replace(char::is_control, " ")
}
