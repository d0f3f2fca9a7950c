//! What a search makes of a position: the best several turns at once, and
//! what a turn somebody has in mind is worth beside them.

use hathi_rules::{Game, Position, Turn};

use crate::{EngineError, Thought};

/// The most lines an analysis gives.
pub const MOST_LINES: usize = 5;

/// What is to be analysed.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisRequest<'a> {
    /// The game up to the turn at hand: its positions say what would be a
    /// repetition.
    pub game: &'a Game,
    /// Steps of the turn at hand that are taken already.
    pub begun: Turn,
    /// How many turns are wanted, up to [`MOST_LINES`]; none if only given
    /// turns are to be valued.
    pub lines: usize,
    /// Turns to value beside the best ones, by the same search.
    pub also: &'a [Turn],
}

impl<'a> AnalysisRequest<'a> {
    /// The best turn of the side to move, and nothing else.
    pub fn of(game: &'a Game) -> AnalysisRequest<'a> {
        AnalysisRequest {
            game,
            begun: Turn::EMPTY,
            lines: 1,
            also: &[],
        }
    }

    /// Is there something to analyse?
    pub(crate) fn check(&self) -> Result<(), EngineError> {
        if self.game.must_set_up().is_some() {
            return Err(EngineError::NotSetUp);
        }
        if self.game.outcome().is_some() {
            return Err(EngineError::GameOver);
        }
        match self.root() {
            Some(_) => Ok(()),
            None => Err(EngineError::BadSteps),
        }
    }

    /// The position with the steps taken; none if they cannot be taken.
    pub(crate) fn root(&self) -> Option<Position> {
        let mut root = self.game.position();
        for &step in self.begun.steps() {
            root.apply(root.check_step(step).ok()?);
        }
        Some(root)
    }
}

/// How far an analysis has come. All of it was looked at to the same depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The best turns, best first: they lead to different positions. The
    /// first turn of each line is complete, steps already taken included.
    /// Fewer than asked for if there are no more, or if there was no time to
    /// look a whole turn ahead.
    pub lines: Vec<Thought>,
    /// The turns that were to be valued, in their order.
    pub also: Vec<Thought>,
}
