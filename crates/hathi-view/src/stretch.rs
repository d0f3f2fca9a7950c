//! A stretch of a game that a sequence describes, turn by turn.

use hathi_store::{Moves, PatternHit};
use serde::Serialize;

/// A turn of the stretch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StretchTurn {
    /// Its label in the game: `14s`.
    pub r#move: String,
    /// The position before it, turned so that it fits the pattern as written.
    pub position: String,
    /// The turn, turned likewise.
    pub turn: String,
}

impl StretchTurn {
    /// All turns from the first position that was found to the last one.
    pub fn all(hit: &PatternHit, moves: &Moves) -> Vec<StretchTurn> {
        let change = hit.symmetry;
        let mut position = hit.position;
        let (first, last) = (hit.ply.turns(), hit.last.turns());
        let mut stretch = Vec::new();
        let turns = moves.turns.iter().enumerate();
        for (ply, &turn) in turns.take(last + 1).skip(first) {
            // Turns are stored without what they remove from traps.
            let Ok((turn, after)) = position.check_turn(&change.apply(turn)) else {
                break;
            };
            stretch.push(StretchTurn {
                r#move: hathi_rules::Ply::after(ply).label().to_string(),
                position: position.to_string(),
                turn: turn.to_string(),
            });
            position = after;
        }
        stretch
    }
}
