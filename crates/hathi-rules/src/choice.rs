//! What a player does when it is its turn.

use std::fmt;

use crate::{IllegalTurn, Setup, SetupError, Turn};

/// A setup or a turn, whichever is due.
///
/// ```
/// use hathi_rules::{Choice, Game, RuleSet, Setup};
/// let setup: Setup = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2".parse()?;
/// let mut game = Game::new(RuleSet::Modern);
/// game.make(&Choice::SetUp(setup))?;
/// let too_early = Choice::Play("Ee2n".parse()?);
/// assert_eq!(game.make(&too_early).unwrap_err().to_string(), "Silver has not set up yet");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Place the pieces so.
    SetUp(Setup),
    /// Make this turn.
    Play(Turn),
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::SetUp(setup) => setup.fmt(f),
            Choice::Play(turn) => turn.fmt(f),
        }
    }
}

/// A choice was refused; nothing has changed by it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalChoice {
    /// The pieces cannot be placed so, or not now.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The turn is not allowed.
    #[error(transparent)]
    Turn(#[from] IllegalTurn),
}
