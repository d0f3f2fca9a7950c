//! The rules of Arimaa as bitboards.
//!
//! Everything else in Hathi stands on this crate: it is the only judge of
//! what is legal. It knows nothing of files, databases or engines.
//!
//! | to find | look in |
//! |---|---|
//! | sets of squares | [`Bitboard`], [`Square`] |
//! | where the pieces stand, who is frozen | [`Board`] |
//! | whose turn, steps left, pushes and pulls | [`Position`], [`PushPull`] |
//! | legal steps | [`Position::legal_steps`], [`StepSets`] |
//! | is it legal, and why not | [`Position::check_turn`], [`Game::check_turn`], [`IllegalTurn`] |
//! | does it count, and is the game over | [`TimedGame`], [`Clock`], [`Outcome`] |
//! | text | [`text`], [`Step`], [`Turn`] |
//!
//! ```
//! use hathi_rules::{Position, Turn};
//!
//! let position: Position = "
//!     g
//!      +-----------------+
//!     8| . . . . . . . . |
//!     7| . . . . . . . . |
//!     6| . . x . . x . . |
//!     5| . . . . . . . . |
//!     4| . . h . . . . . |
//!     3| . E x . . x . . |
//!     2| . . . . . . . . |
//!     1| . . . . . . . R |
//!      +-----------------+
//!        a b c d e f g h".parse()?;
//!
//! // The elephant steps up beside the horse and pushes it into the trap; the
//! // removal is filled in.
//! let turn: Turn = "Eb3n hc4s Eb4e".parse()?;
//! let (turn, after) = position.check_turn(&turn)?;
//! assert_eq!(turn.to_string(), "Eb3n hc4s hc3x Eb4e");
//! assert_eq!(after.board().count().silver, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod bitboard;
mod board;
mod capture;
mod choice;
pub mod clock;
mod diagram;
mod game;
mod generate;
mod goal;
mod legality;
mod mobility;
mod outcome;
mod packed;
mod piece;
mod ply;
mod position;
mod record;
mod setup;
mod shapes;
mod side;
mod square;
mod step;
mod symmetry;
pub mod text;
pub mod time_control;
mod timed_game;
mod turn;
mod turns;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use capture::CaptureThreat;
pub use choice::{Choice, IllegalChoice};
pub use clock::{Clock, LastTurn, PieceLead, TurnKind, Verdict};
pub use diagram::Diagram;
pub use game::{Game, SetupError};
pub use generate::StepSets;
pub use legality::{IllegalStep, IllegalTurn};
pub use outcome::{Outcome, RuleSet, Termination};
pub use packed::{CorruptBoard, PackedBoard};
pub use piece::{Piece, Role};
pub use ply::Ply;
pub use position::{InvalidPosition, Position, PushPull, Undo};
pub use record::{
    Action, GameRecord, Label, Line, Lines, ParseLabelError, RecordError, RecordFault, Replay,
};
pub use setup::{ParseSetupError, Setup};
pub use side::{BySide, Side};
pub use square::{Direction, File, ParseSquareError, Rank, Square};
pub use step::{ParseStepError, Removal, Step};
pub use symmetry::{Symmetric, Symmetry};
pub use text::ParsePositionError;
pub use time_control::{GameLimit, TimeControl, TimeControlError, TimeControlField};
pub use timed_game::{Charge, Ruling, TimedGame, Timing};
pub use turn::{ParseTurnError, TooManySteps, Turn};
pub use turns::{Reached, TurnGenerator};

/// A piece of input for an error message, cut to a readable length.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// As [`shorten`], for bytes that need not be UTF-8.
fn shorten_bytes(text: &[u8]) -> String {
    let head = &text[..text.len().min(200)];
    shorten(&String::from_utf8_lossy(head))
}
