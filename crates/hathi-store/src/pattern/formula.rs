//! Conditions and facts joined by `and`, `or`, `not` and brackets.

use std::fmt;

use hathi_rules::Side;

use super::condition::Condition;
use super::fact::Fact;
use super::setting::Setting;

/// Something that holds in a position, or does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Formula {
    /// All of several: what most patterns are.
    All(Conjunction),
    /// One of several at least, none of which is such a list itself.
    Any(Vec<Formula>),
    /// None but a fact, a list or a conjunction of several is denied so.
    Not(Box<Formula>),
    Fact(Fact),
}

/// Things that must all hold, sorted by what they are about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Conjunction {
    pub(super) conditions: Vec<Condition>,
    /// Facts and what is joined or denied; no conjunctions.
    pub(super) others: Vec<Formula>,
    pub(super) mover: Option<Side>,
}

impl Formula {
    /// Does it hold here? Nothing is turned or mirrored.
    pub(super) fn holds(&self, setting: &Setting) -> bool {
        match self {
            Formula::All(all) => {
                all.mover.is_none_or(|side| side == setting.mover())
                    && (all.conditions.iter()).all(|condition| condition.holds(setting.board()))
                    && all.others.iter().all(|other| other.holds(setting))
            }
            Formula::Any(any) => any.iter().any(|one| one.holds(setting)),
            Formula::Not(denied) => !denied.holds(setting),
            Formula::Fact(fact) => fact.holds(setting),
        }
    }

    /// The opposite, in the form in which it would have been read.
    pub(super) fn denied(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            Formula::All(mut all) if all.others.is_empty() => {
                match (all.conditions.as_mut_slice(), all.mover) {
                    ([condition], None) => condition.negated = !condition.negated,
                    ([], Some(side)) => all.mover = Some(side.opponent()),
                    _ => return Formula::Not(Box::new(Formula::All(all))),
                }
                Formula::All(all)
            }
            other => Formula::Not(Box::new(other)),
        }
    }

    /// Does it say nothing at all?
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Formula::All(all) if *all == Conjunction::default())
    }
}

impl From<Conjunction> for Formula {
    /// A list of one fact is that fact.
    fn from(mut all: Conjunction) -> Formula {
        if all.conditions.is_empty()
            && all.mover.is_none()
            && all.others.len() == 1
            && let Some(only) = all.others.pop()
        {
            return only;
        }
        Formula::All(all)
    }
}

/// On one line, in a form that reads back as the same formula.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::All(all) => {
                let mut gap = "";
                for condition in &all.conditions {
                    write!(f, "{gap}{condition}")?;
                    gap = " ";
                }
                for other in &all.others {
                    match other {
                        Formula::Any(_) => write!(f, "{gap}({other})")?,
                        _ => write!(f, "{gap}{other}")?,
                    }
                    gap = " ";
                }
                match all.mover {
                    Some(side) => write!(f, "{gap}{side} to move"),
                    None => Ok(()),
                }
            }
            Formula::Any(any) => {
                for (i, one) in any.iter().enumerate() {
                    let gap = if i == 0 { "" } else { " or " };
                    write!(f, "{gap}{one}")?;
                }
                Ok(())
            }
            Formula::Not(denied) => match **denied {
                Formula::Fact(_) => write!(f, "not {denied}"),
                _ => write!(f, "not ({denied})"),
            },
            Formula::Fact(fact) => write!(f, "{fact}"),
        }
    }
}
