//! How far a game has gone: Choksi and others, section 3.
//!
//! A board is described by three numbers ([`PhaseFeatures`]). From there:
//!
//! | to find | look in |
//! |---|---|
//! | opening, middle or end game by cut-offs | [`PhaseFeatures::heuristic`] |
//! | the same as chances | [`PhaseFeatures::probabilities`] |
//!
//! All of it without the goal threat costs some nanoseconds; the goal threat
//! is a goal search for either side.

mod score;

pub use score::{PhaseScore, Probabilities};

use hathi_rules::{Bitboard, Board, Piece, Position, Role, Side};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct PhaseFeatures {
    /// Pieces of the side that has fewer.
    pub fewer_pieces: u32,
    /// Advanced pieces, elephants left out, of the side that has more: those
    /// of Gold on rank 4 or above, of Silver on rank 5 or below.
    pub advanced: u32,
    /// Could either side reach goal if it were to move?
    pub goal_threat: bool,
}

/// Squares on which a side's pieces are not advanced: its first three ranks.
#[inline]
pub const fn not_advanced(side: Side) -> Bitboard {
    side.home().grow()
}

/// Could either side reach goal if it were to move?
pub fn goal_threat(board: &Board) -> bool {
    let can_goal = |side| Position::composed(*board, side).can_goal().is_some();
    Side::ALL.into_iter().any(can_goal)
}

impl PhaseFeatures {
    /// The features of the board, whoever is to move.
    pub fn of(position: &Position) -> PhaseFeatures {
        PhaseFeatures {
            goal_threat: goal_threat(position.board()),
            ..PhaseFeatures::quick(position.board())
        }
    }

    /// The same without looking for goals, which takes nearly all the time;
    /// there is no goal threat.
    pub fn without_goals(position: &Position) -> PhaseFeatures {
        PhaseFeatures::quick(position.board())
    }

    /// The same as [`without_goals`](PhaseFeatures::without_goals), of a board.
    #[inline]
    pub fn quick(board: &Board) -> PhaseFeatures {
        let advanced = |side: Side| {
            let elephants = board.pieces(Piece::new(side, Role::Elephant));
            ((board.side(side) - not_advanced(side)) - elephants).len()
        };
        let pieces = board.count();
        PhaseFeatures {
            fewer_pieces: pieces.gold.min(pieces.silver),
            advanced: advanced(Side::Gold).max(advanced(Side::Silver)),
            goal_threat: false,
        }
    }

    /// How early it is: 16 at the start, falling. The goal threat is not in it.
    #[inline]
    pub fn score(&self) -> PhaseScore {
        PhaseScore::new(self.fewer_pieces, self.advanced)
    }

    /// The phase by cut-offs; a goal threat belongs to the end game.
    #[inline]
    pub fn heuristic(&self) -> Phase {
        if self.goal_threat {
            Phase::End
        } else {
            self.score().phase()
        }
    }

    /// The chances of the phases; with a goal threat it is the end game for
    /// sure.
    #[inline]
    pub fn probabilities(&self) -> Probabilities {
        if self.goal_threat {
            Probabilities::certain(Phase::End)
        } else {
            self.score().probabilities()
        }
    }
}

/// The phase of a position by cut-offs.
///
/// ```
/// use hathi_model::phase::{Phase, heuristic};
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

    #[test]
    fn a_threat_of_either_side_counts_whoever_moves() {
        for (text, threat) in [
            (
                "g [                            r                             R    E]",
                true,
            ),
            (
                "g [       e                 R                                      ]",
                true,
            ),
            (
                "s [        R                         r                             ]",
                true,
            ),
            (
                "s [r  e                              R                            E]",
                false,
            ),
        ] {
            let position: Position = text.parse().expect("a position");
            assert_eq!(PhaseFeatures::of(&position).goal_threat, threat, "{text}");
        }
    }
}
