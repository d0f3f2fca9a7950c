//! How far a game has gone: Choksi and others, section 3.
//!
//! A board is described by three numbers, and the numbers by hand-made cut-offs
//! say the phase.

use hathi_rules::{BySide, Piece, Position, Role, Side};

/// A phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Nearly all pieces are there, few have gone forward.
    Opening,
    /// Pieces are gone or forward.
    Middle,
    /// Few are left, or somebody threatens to reach goal.
    End,
}

impl Phase {
    /// All of them, in the order of a game.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::End];

    /// "opening", "middle" or "end".
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle",
            Phase::End => "end",
        }
    }

    /// Position in arrays indexed by phase.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What the phase is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PhaseFeatures {
    /// Pieces of the side that has fewer.
    pub fewer_pieces: u32,
    /// Advanced pieces, elephants left out, of the side that has more: those
    /// of Gold on rank 4 or above, of Silver on rank 5 or below.
    pub advanced: u32,
    /// Could either side reach goal if it were to move?
    pub goal_threat: bool,
}

impl PhaseFeatures {
    /// The features of the board, whoever is to move.
    pub fn of(position: &Position) -> PhaseFeatures {
        PhaseFeatures {
            goal_threat: Side::ALL
                .into_iter()
                .any(|side| position.with_side(side).can_goal().is_some()),
            ..PhaseFeatures::without_goals(position)
        }
    }

    /// The same without looking for goals, which takes nearly all the time;
    /// there is no goal threat.
    pub fn without_goals(position: &Position) -> PhaseFeatures {
        let board = position.board();
        let pieces = board.count();
        let advanced = BySide::new(Side::Gold, Side::Silver).map(|side| {
            let elephants = board.pieces(Piece::new(side, Role::Elephant));
            // Beyond the two home ranks and the one before them.
            let home = side.home() | side.home().shift(side.forward());
            ((board.side(side) - home) - elephants).len()
        });
        PhaseFeatures {
            fewer_pieces: pieces.gold.min(pieces.silver),
            advanced: advanced.gold.max(advanced.silver),
            goal_threat: false,
        }
    }

    /// How early it is: 16 at the start, falling.
    pub fn score(&self) -> f64 {
        f64::from(self.fewer_pieces) - 0.5 * f64::from(self.advanced)
    }

    /// The phase by cut-offs.
    pub fn heuristic(&self) -> Phase {
        let score = self.score();
        if self.goal_threat || score <= 11.0 {
            Phase::End
        } else if score <= 14.0 {
            Phase::Middle
        } else {
            Phase::Opening
        }
    }
}

/// The phase of a position by cut-offs.
///
/// ```
/// use hathi_learn::phase::{Phase, heuristic};
/// let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse()?;
/// assert_eq!(heuristic(&start), Phase::Opening);
/// # Ok::<(), hathi_rules::ParsePositionError>(())
/// ```
pub fn heuristic(position: &Position) -> Phase {
    PhaseFeatures::of(position).heuristic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advanced_pieces_and_goal_threats_count() {
        let position: Position = "g
            8| . . . . . . . . |
            7| . R . . . . . . |
            6| . . x . . x . . |
            5| r . . . D . . . |
            4| . . . E . . c e |
            3| . . x C . x . . |
            2| . . . . . . . . |
            1| . . . . . . . . |"
            .parse()
            .expect("a drawn position");
        let features = PhaseFeatures::of(&position);
        assert_eq!(
            features,
            PhaseFeatures {
                fewer_pieces: 3,
                advanced: 2,
                goal_threat: true
            }
        );
        assert_eq!(heuristic(&position), Phase::End);
        assert!(!PhaseFeatures::without_goals(&position).goal_threat);
    }
}
