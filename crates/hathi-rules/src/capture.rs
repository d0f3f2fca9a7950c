//! Which enemy pieces can be captured this turn?

use crate::{Piece, Position, Square, Turn};

/// An enemy piece that the side to move can capture this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureThreat {
    /// The piece that would be lost.
    pub victim: Piece,
    /// Where it stands now.
    pub square: Square,
    /// The trap it would fall into.
    pub trap: Square,
    /// The fewest steps it takes.
    pub steps: u8,
    /// A turn of that many steps that does it.
    pub turn: Turn,
}

impl Position {
    /// Every enemy piece that can be captured with the steps left.
    pub fn capture_threats(&self) -> Vec<CaptureThreat> {
        Vec::new()
    }
}
