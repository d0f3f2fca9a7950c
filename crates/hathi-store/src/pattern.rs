//! Patterns: "a Gold elephant on d5, a Silver piece weaker than a horse next
//! to c6, Gold to move", "the camel is a hostage", "then within three turns a
//! horse is lost".
//!
//! A [`Pattern`] is what a player writes, in real colours and on real squares
//! ([`HELP`] and `docs/patterns.md` explain the language). The index keeps
//! boards as their mover saw them, so a pattern is [compiled](Pattern::compile)
//! before it is compared with them: into a few word operations for every way
//! in which a stored board can be turned to match.
//!
//! | to find | look in |
//! |---|---|
//! | what a pattern consists of | `sequence.rs`, `formula.rs`, `fact.rs`, `condition.rs` |
//! | what it is compared with | `setting.rs` |
//! | reading one, and what can be wrong with it | `parse.rs`, `grammar.rs`, `words.rs`, `error.rs` |
//! | comparing it with millions of boards | `scan.rs`, `block.rs`, `facts.rs`, `listed.rs`, `sliced.rs` |
//! | having a database compare it | `scan/sql.rs`, `facts/sql.rs`, `packed.rs` |
//! | one thing after the other in a game | `sequence.rs` |
//! | what is found | `found.rs` |
//! | the text of `--help` | `help.rs` |

use std::fmt;
use std::str::FromStr;

use hathi_rules::{Board, Side};

pub(crate) mod block;
mod condition;
mod error;
pub(crate) mod fact;
mod facts;
mod formula;
mod found;
mod grammar;
mod help;
mod listed;
#[cfg(feature = "postgres")]
mod packed;
mod parse;
mod scan;
mod sequence;
mod setting;
pub(crate) mod sliced;
mod tally;
mod words;

pub(crate) use block::Needs;
pub use error::{PatternError, PatternFault, TextPlace};
use formula::Formula;
pub use found::{PatternAnswer, PatternHit};
pub(crate) use found::{Raw, translate};
pub use help::HELP;
#[cfg(feature = "postgres")]
pub(crate) use packed::PackedFacts;
pub use scan::Compiled;
#[cfg(feature = "postgres")]
pub(crate) use scan::{AskedWays, Told, move_number_sql};
pub(crate) use scan::{FoundWays, Scratch, way_number};
pub(crate) use sequence::{CompiledSequence, SequenceRoom, Stretch, TurnRow};
use sequence::{Element, What};
pub use setting::Setting;
pub use tally::{PatternPlay, PlayedAt, Score};

/// What is looked for in games: a position, or several one after the other.
///
/// ```
/// use hathi_rules::{Position, Side};
/// use hathi_store::Pattern;
/// let pattern = Pattern::parse("Ed5 !_c7 2+S<H@near(c6), g to move")?;
/// let position: Position = "g
///     8| . . . . . . . . |
///     7| . . r . . . . . |
///     6| . . x d . x . . |
///     5| . . . E . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| . . . . . . . R |".parse()?;
/// assert!(pattern.holds(position.board(), Side::Gold));
/// assert!(!pattern.holds(position.board(), Side::Silver));
/// let pattern = Pattern::parse("frozen(dd6) and not threatens(d in c6) or hostage(m)")?;
/// assert!(pattern.holds(position.board(), Side::Silver));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Never empty.
    elements: Vec<Element>,
}

impl Pattern {
    /// Reads a pattern, on one line or drawn.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        parse::pattern(text)
    }

    /// Does it hold on this board with this side to move? Nothing is turned
    /// or mirrored, and nothing is known of the game. One square at a time: for
    /// millions of boards there is [`Pattern::compile`].
    pub fn holds(&self, board: &Board, mover: Side) -> bool {
        self.holds_in(&Setting::of(board, mover))
    }

    /// Does it hold here, in a game? Of several things one after the other the
    /// first is meant.
    pub fn holds_in(&self, setting: &Setting) -> bool {
        match self.elements.first().map(|element| &element.what) {
            Some(What::Holds { formula, .. }) => formula.holds(setting),
            Some(What::NeverUntil { .. }) | None => true,
        }
    }

    /// Whose turn it must be, if that matters.
    pub fn mover(&self) -> Option<Side> {
        match self.only() {
            Some(Formula::All(all)) => all.mover,
            _ => None,
        }
    }

    /// Is it about several positions of a game?
    pub fn is_sequence(&self) -> bool {
        self.only().is_none()
    }

    /// What a search for it must know beyond the boards.
    pub fn facts_needed(&self) -> FactsNeeded {
        FactsNeeded(self.needs())
    }

    pub(crate) fn needs(&self) -> Needs {
        self.compile_sequence(crate::Matching::Symmetric).needs()
    }

    /// What must hold, if it is about one position.
    fn only(&self) -> Option<&Formula> {
        match self.elements.as_slice() {
            [element] => match &element.what {
                What::Holds { formula, turns: 1 } => Some(formula),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What a search must know of positions beyond their boards: goals, captures,
/// frozen pieces and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactsNeeded(Needs);

impl FactsNeeded {
    /// All there is.
    pub const ALL: FactsNeeded = FactsNeeded(Needs::ALL);

    /// Is it nothing?
    pub fn is_empty(self) -> bool {
        self.0 == Needs::default()
    }
}

impl From<FactsNeeded> for Needs {
    fn from(FactsNeeded(needs): FactsNeeded) -> Needs {
        needs
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        Pattern::parse(text)
    }
}

/// The pattern on one line, in a form that reads back as the same pattern.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, element) in self.elements.iter().enumerate() {
            if i > 0 {
                f.write_str(" then ")?;
                if let Some(turns) = element.within {
                    write!(f, "within {turns} turns ")?;
                }
            }
            write!(f, "{element}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod fact_tests;
#[cfg(test)]
mod tests;
