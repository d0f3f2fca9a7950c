//! Conditions that must all hold, while they are read.

use hathi_rules::{Piece, Side};

use crate::pattern::condition::{Area, Condition, Count};
use crate::pattern::error::{Fault, PatternFault};
use crate::pattern::formula::{Conjunction, Formula};

/// A conjunction while it is read.
#[derive(Clone)]
pub(in crate::pattern) struct Draft {
    pub(super) all: Conjunction,
    /// What may still stand on each square: bit 0 for nothing, bit 1 + n for
    /// piece number n.
    allowed: [u16; 64],
}

impl Draft {
    pub(in crate::pattern) fn new() -> Draft {
        Draft {
            all: Conjunction::default(),
            allowed: [!0; 64],
        }
    }

    pub(in crate::pattern) fn is_empty(&self) -> bool {
        self.all == Conjunction::default()
    }

    /// One more condition on the board.
    pub(in crate::pattern) fn add(&mut self, at: usize, condition: Condition) -> Result<(), Fault> {
        if let Area::Square(square) = condition.area
            && condition.count == Count::SOME
        {
            let may_stand = |piece| condition.content.allows(piece) != condition.negated;
            let mut set = u16::from(may_stand(None));
            for piece in Piece::ALL {
                set |= u16::from(may_stand(Some(piece))) << (1 + piece.index());
            }
            let allowed = &mut self.allowed[square.index()];
            *allowed &= set;
            if *allowed == 0 {
                return Err((at, PatternFault::Contradiction(square)));
            }
        }
        self.all.conditions.push(condition);
        Ok(())
    }

    pub(in crate::pattern) fn set_mover(&mut self, at: usize, side: Side) -> Result<(), Fault> {
        match self.all.mover.replace(side) {
            Some(before) if before != side => Err((at, PatternFault::TwoMovers)),
            _ => Ok(()),
        }
    }

    /// One more of anything.
    pub(super) fn join(&mut self, at: usize, formula: Formula) -> Result<(), Fault> {
        let Formula::All(all) = formula else {
            self.all.others.push(formula);
            return Ok(());
        };
        for condition in all.conditions {
            self.add(at, condition)?;
        }
        if let Some(side) = all.mover {
            self.set_mover(at, side)?;
        }
        self.all.others.extend(all.others);
        Ok(())
    }
}
