//! One thing after the other in a game.
//!
//! A game is a row of positions, one before each turn. An element of a sequence
//! takes up some of them: a formula one position or, with `for`, several; `never
//! A until B` those up to the first B, with no A before it. The next element
//! begins after that, at once or later, within so many turns if that is said.

use std::fmt;

use hathi_rules::Symmetry;

use super::formula::Formula;
use super::scan::Compiled;
use super::{Needs, Pattern};
use crate::Matching;

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Element {
    /// At most so many turns after the end of the one before; none: any time.
    pub(super) within: Option<u16>,
    pub(super) what: What,
}

/// What is to happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// This holds at the start of so many turns, one after the other.
    Holds { formula: Formula, turns: u16 },
    /// From here on one thing does not hold before the other does.
    NeverUntil { never: Formula, until: Formula },
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Holds { formula, turns: 1 } => write!(f, "{formula}"),
            What::Holds { formula, turns } => write!(f, "{formula} for {turns} turns"),
            What::NeverUntil { never, until } => write!(f, "never {never} until {until}"),
        }
    }
}

/// Part of a game that matches: turns before its first position and before
/// its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stretch {
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// A sequence ready to be looked for.
#[derive(Clone, Debug)]
pub(crate) struct CompiledSequence {
    /// What is asked of single positions, in the order of the text.
    pub(crate) formulas: Vec<Compiled>,
    links: Vec<Link>,
}

/// An element without its formulas, which are known by their number.
#[derive(Clone, Copy, Debug)]
struct Link {
    within: usize,
    what: LinkWhat,
}

#[derive(Clone, Copy, Debug)]
enum LinkWhat {
    Holds { formula: usize, turns: usize },
    NeverUntil { never: usize, until: usize },
}

impl Pattern {
    /// Makes it ready for a search in whole games.
    pub(crate) fn compile_sequence(&self, matching: Matching) -> CompiledSequence {
        let mut formulas = Vec::new();
        let mut add = |formula: &Formula| {
            formulas.push(Compiled::of(formula, matching));
            formulas.len() - 1
        };
        let links = self
            .elements
            .iter()
            .map(|element| Link {
                within: element.within.map_or(usize::MAX, usize::from),
                what: match &element.what {
                    What::Holds { formula, turns } => LinkWhat::Holds {
                        formula: add(formula),
                        turns: usize::from(*turns),
                    },
                    What::NeverUntil { never, until } => LinkWhat::NeverUntil {
                        never: add(never),
                        until: add(until),
                    },
                },
            })
            .collect();
        CompiledSequence { formulas, links }
    }
}

impl CompiledSequence {
    /// Which columns it looks at.
    pub(crate) fn needs(&self) -> Needs {
        let all = self.formulas.iter();
        all.fold(Needs::default(), |needs, one| needs.and(one.needs()))
    }

    /// The formulas that must hold somewhere in a game that has the sequence.
    pub(crate) fn indispensable(&self) -> impl Iterator<Item = usize> + '_ {
        self.links.iter().map(|link| match link.what {
            LinkWhat::Holds { formula, .. } => formula,
            LinkWhat::NeverUntil { until, .. } => until,
        })
    }

    /// Those of the ways to turn a game that may find something that the ones
    /// before them do not: formulas may be their own images.
    pub(crate) fn different(&self, changes: &[Symmetry]) -> Vec<Symmetry> {
        let mut different: Vec<Symmetry> = Vec::new();
        for &change in changes {
            let alike = |other: &Symmetry| {
                let mut formulas = self.formulas.iter();
                formulas.all(|formula| formula.are_alike(change, *other))
            };
            if !different.iter().any(alike) {
                different.push(change);
            }
        }
        different
    }

    /// Visits every place of a game of `positions` positions where the sequence
    /// begins, the last one first, with the first end it comes to. `row` says
    /// where a formula holds.
    ///
    /// It goes through the elements from the last to the first, and through the
    /// game from its end, so that one look at every position is enough for each.
    /// Of two places where an element can begin, the earlier one never leads to a
    /// later end, so only the next place has to be known.
    pub(crate) fn stretches<'a>(
        &self,
        positions: usize,
        row: impl Fn(usize) -> TurnRow<'a>,
        room: &mut SequenceRoom,
        mut visit: impl FnMut(Stretch),
    ) {
        let Some((first, rest)) = self.links.split_first() else {
            return;
        };
        // ends[p]: where the rest of the sequence ends at the earliest if what
        // is before it ended just before position p.
        room.ends.clear();
        room.ends
            .extend((0..=positions as u32).map(|p| p.checked_sub(1).unwrap_or(NOWHERE)));
        for link in rest.iter().rev() {
            room.before.clear();
            room.before.resize(positions + 1, NOWHERE);
            let SequenceRoom { ends, before } = &mut *room;
            // Where it begins next, and what is the end then.
            let mut next = None;
            link.begun(positions, &row, ends, |start, met, end| {
                // A prohibition begins at once, anything else when it can.
                let begins = matches!(link.what, LinkWhat::Holds { .. });
                if end != NOWHERE {
                    next = Some((met, end));
                } else if !begins {
                    next = None;
                }
                if let Some((met, end)) = next
                    && met - start < link.within
                {
                    before[start] = end;
                }
            });
            std::mem::swap(&mut room.ends, &mut room.before);
        }
        let from_the_start = matches!(first.what, LinkWhat::NeverUntil { .. });
        first.begun(positions, &row, &room.ends, |start, _, end| {
            if end != NOWHERE && (start == 0 || !from_the_start) {
                visit(Stretch {
                    first: start,
                    last: end as usize,
                });
            }
        });
    }
}

/// Room to look at games in, so that it need not be made for every one.
#[derive(Default)]
pub(crate) struct SequenceRoom {
    ends: Vec<u32>,
    before: Vec<u32>,
}

/// Where a formula holds in a game: a bit of a byte for each turn.
#[derive(Clone, Copy)]
pub(crate) struct TurnRow<'a> {
    pub(crate) turns: &'a [u8],
    pub(crate) bit: usize,
}

impl TurnRow<'_> {
    #[inline]
    fn holds(self, turn: usize) -> bool {
        self.turns[turn] >> self.bit & 1 != 0
    }
}

/// No position at all.
const NOWHERE: u32 = u32::MAX;

impl Link {
    /// Visits every position, the last one first: if this element begins there,
    /// at which one does it count as met, and where does the whole sequence end?
    #[inline]
    fn begun<'a>(
        &self,
        positions: usize,
        row: &impl Fn(usize) -> TurnRow<'a>,
        ends: &[u32],
        mut visit: impl FnMut(usize, usize, u32),
    ) {
        match self.what {
            LinkWhat::Holds { formula, turns } => {
                let row = row(formula);
                let mut run = 0;
                for start in (0..positions).rev() {
                    run = if row.holds(start) { run + 1 } else { 0 };
                    let end = if run >= turns {
                        ends[start + turns]
                    } else {
                        NOWHERE
                    };
                    visit(start, start, end);
                }
            }
            LinkWhat::NeverUntil { never, until } => {
                let (never, until) = (row(never), row(until));
                // Where it is met from here on, if nothing forbids it.
                let mut met = None;
                for start in (0..positions).rev() {
                    if until.holds(start) {
                        met = Some(start);
                    } else if never.holds(start) {
                        met = None;
                    }
                    let end = met.map_or(NOWHERE, |at| ends[at + 1]);
                    visit(start, met.unwrap_or(start), end);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word by word: every way to lay the elements over the
    /// positions is tried.
    fn plain(
        links: &[Link],
        from: usize,
        positions: usize,
        first: bool,
        holds: &impl Fn(usize, usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let Some((link, rest)) = links.split_first() else {
            return vec![(from, from - 1)];
        };
        let mut found = Vec::new();
        for start in from..positions {
            // Ends of this element if it begins there.
            let end = match link.what {
                LinkWhat::Holds { formula, turns } => {
                    let in_time = first || start - from < link.within;
                    let all =
                        (start..start + turns).all(|ply| ply < positions && holds(formula, ply));
                    (in_time && all).then_some((start + turns, start))
                }
                LinkWhat::NeverUntil { never, until } => {
                    let at = (start..positions).find(|&ply| holds(until, ply));
                    at.filter(|&at| {
                        start == from
                            && (!first || start == 0)
                            && (first || at - from < link.within)
                            && !(start..at).any(|ply| holds(never, ply))
                    })
                    .map(|at| (at + 1, at))
                }
            };
            let Some((next, _)) = end else { continue };
            for (_, last) in plain(rest, next, positions, false, holds) {
                found.push((start, last));
            }
        }
        found
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4000))]

        #[test]
        fn stretches_are_those_of_the_plain_definition(
            bits in proptest::collection::vec(proptest::num::u16::ANY, 8),
            positions in 0usize..14,
            shape in proptest::collection::vec((0usize..3, 1usize..4, proptest::option::of(1usize..5)), 1..4),
        ) {
            let holds = |formula: usize, ply: usize| bits[formula % bits.len()] >> ply & 1 != 0;
            let mut number = 0;
            let links: Vec<Link> = shape
                .iter()
                .map(|&(kind, turns, within)| {
                    number += 2;
                    let what = if kind == 0 {
                        LinkWhat::NeverUntil { never: number - 2, until: number - 1 }
                    } else {
                        LinkWhat::Holds { formula: number - 2, turns }
                    };
                    Link { within: within.unwrap_or(usize::MAX), what }
                })
                .collect();
            let sequence = CompiledSequence { formulas: Vec::new(), links: links.clone() };
            // The bits of the formulas, with something else around them.
            let rows: Vec<Vec<u8>> = (0..8)
                .map(|formula| (0..positions).map(|ply| if holds(formula, ply) { 0xff } else { !4 }).collect())
                .collect();
            let row = |formula: usize| TurnRow { turns: &rows[formula % 8], bit: 2 };
            let mut found = Vec::new();
            sequence.stretches(positions, row, &mut SequenceRoom::default(), |stretch| found.push(stretch));
            found.reverse();
            let mut best: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
            for (first, last) in plain(&links, 0, positions, true, &holds) {
                let known = best.entry(first).or_insert(last);
                *known = last.min(*known);
            }
            let expected: Vec<Stretch> =
                best.into_iter().map(|(first, last)| Stretch { first, last }).collect();
            proptest::prop_assert_eq!(found, expected);
        }
    }
}
