//! What a board is worth, in hundredths of a rabbit.

mod alone;
pub(crate) mod knobs;
pub(crate) mod material;
mod network;
pub(crate) mod phased;
mod plain;
pub(crate) mod terms;
pub(crate) mod tweaks;
pub(crate) mod weights;

use hathi_rules::{Board, Position, Side};

use crate::EngineError;

pub use alone::StaticEvaluation;
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

/// What a position is worth as it stands, nothing looked ahead, in hundredths of
/// a rabbit for Gold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// By the network that is shipped, for the side on move with the steps it has left.
    pub network: i32,
    /// By the terms made by hand, which do not know who is on move.
    pub by_hand: i32,
}

impl Standing {
    /// Looks at a position.
    pub fn of(position: &Position) -> Result<Standing, EngineError> {
        let (board, side) = (position.board(), position.side_to_move());
        let network = ByNetwork::from_file("")?;
        let mut track = network.track();
        let worth = network.evaluate_at(&mut track, 1, board, side, position.steps_left());
        Ok(Standing {
            network: match side {
                Side::Gold => worth,
                Side::Silver => -worth,
            },
            by_hand: Weighted::from_file("")?.evaluate(board, Side::Gold),
        })
    }
}
