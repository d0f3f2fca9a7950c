//! What a board is worth, in hundredths of a rabbit.

pub(crate) mod knobs;
pub(crate) mod material;
mod network;
pub(crate) mod phased;
mod plain;
pub(crate) mod terms;
pub(crate) mod tweaks;
pub(crate) mod weights;

use hathi_rules::{Board, Side};

pub(crate) use network::ByNetwork;
pub(crate) use phased::Phased;
pub(crate) use plain::Plain;
pub(crate) use weights::{Weighted, Weights};

/// A static evaluation.
pub(crate) trait Evaluate {
    /// What a search keeps of the boards on its way, so that the next one
    /// costs less.
    type Track: Send;

    /// An empty track.
    fn track(&self) -> Self::Track;

    /// The worth of the board for `side`, in hundredths of a rabbit, when its
    /// turn is over. What can be captured now is for the search to say.
    fn evaluate(&self, board: &Board, side: Side) -> i32;

    /// The same for a board at this place of the line that is searched, and a
    /// side on move with so many steps left, if the evaluation knows what these
    /// are worth.
    #[inline]
    fn evaluate_at(
        &self,
        _track: &mut Self::Track,
        _ply: usize,
        board: &Board,
        side: Side,
        _left: u8,
    ) -> i32 {
        self.evaluate(board, side)
    }

    /// A search starts from this board. True if boards are worth something
    /// else from now on, so that what was found out before is of no use.
    fn start_from(&mut self, _root: &Board) -> bool {
        false
    }
}
