//! The evaluation that was learned.

use std::borrow::Cow;
use std::path::Path;

use hathi_model::network::{Accumulator, Network};
use hathi_rules::{Board, Side};

use super::Evaluate;
use crate::EngineError;

/// Places of a line that have an accumulator: more than a search goes down.
const PLACES: usize = crate::search::DEEPEST + 8;

/// Boards valued by a network.
#[derive(Clone, Debug)]
pub(crate) struct ByNetwork {
    network: Cow<'static, Network>,
}

impl ByNetwork {
    /// With the network of a file, or the one shipped.
    pub(crate) fn from_file(path: &str) -> Result<ByNetwork, EngineError> {
        let network = if path.is_empty() {
            Cow::Borrowed(Network::shipped()?)
        } else {
            Cow::Owned(Network::open(Path::new(path))?)
        };
        Ok(ByNetwork { network })
    }
}

impl Evaluate for ByNetwork {
    type Track = Vec<Accumulator>;

    fn track(&self) -> Vec<Accumulator> {
        vec![Accumulator::new(&self.network, &Board::EMPTY); PLACES]
    }

    fn evaluate(&self, board: &Board, side: Side) -> i32 {
        Accumulator::new(&self.network, board).worth(&self.network, side, 0)
    }

    #[inline]
    fn evaluate_at(
        &self,
        track: &mut Vec<Accumulator>,
        ply: usize,
        board: &Board,
        side: Side,
        left: u8,
    ) -> i32 {
        let ply = ply.clamp(1, PLACES - 1);
        let (before, rest) = track.split_at_mut(ply);
        let (parent, own) = (&before[ply - 1], &mut rest[0]);
        own.follow(&self.network, parent, board);
        own.worth(&self.network, side, left)
    }
}
