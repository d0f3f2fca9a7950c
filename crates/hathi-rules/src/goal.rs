//! Can the side to move reach goal this turn?

use crate::{Position, Turn, TurnGenerator};

impl Position {
    /// A shortest turn that ends with an own rabbit on the goal rank.
    pub fn can_goal(&self) -> Option<Turn> {
        let side = self.side_to_move();
        TurnGenerator::new()
            .generate(self)
            .find(|reached| reached.board().on_goal()[side])
            .map(|reached| reached.turn())
    }
}
