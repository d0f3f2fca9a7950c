//! What a pattern finds.

use hathi_rules::{Board, BySide, Ply, Position, Side, Symmetry, Turn};

use crate::index::{IndexedGame, IndexedMove};
use crate::model::GameRow;
use crate::seen::{Seen, unpack_turn};

/// A position that a pattern describes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternHit {
    /// The game.
    pub game: GameRow,
    /// Where in that game.
    pub ply: Ply,
    /// Where the last of several things is that follow one another; the same
    /// place for a pattern of one position.
    pub last: Ply,
    /// The position, turned so that it fits the pattern as written.
    pub position: Position,
    /// The turn played there, turned likewise.
    pub turn: Turn,
    /// What turns the game as it was played to the pattern as written.
    pub symmetry: Symmetry,
    /// Did the one who moved win?
    pub won: bool,
    /// Rating of the one who moved.
    pub rating: Option<u16>,
    /// Who won the game.
    pub winner: Option<Side>,
    /// The ratings of both players.
    pub ratings: BySide<Option<u16>>,
    /// When the game started, in seconds since 1970.
    pub started: Option<i64>,
}

/// What a pattern found.
#[derive(Clone, Debug, Default)]
pub struct PatternAnswer {
    /// Positions that match.
    pub hits: u64,
    /// Games they are from.
    pub games: u64,
    /// The best of them, by result and rating, then turns left.
    pub best: Vec<PatternHit>,
}

/// A match before it is translated.
pub(crate) struct Raw {
    pub(crate) board: Seen,
    pub(crate) played: IndexedMove,
    pub(crate) game: IndexedGame,
    pub(crate) symmetry: Symmetry,
    /// Turns before the last position that belongs to it.
    pub(crate) last: usize,
}

/// Turns a match to the board of the pattern. None only for a damaged board.
pub(crate) fn translate(raw: &Raw) -> Option<PatternHit> {
    let board = Board::try_from(raw.board.to_packed()).ok()?;
    // The mover plays Gold in its own view.
    let seen = Position::composed(board, Side::Gold);
    let (rating, winner) = match raw.played.mover() {
        Side::Gold => (raw.game.gold_rating, 1),
        Side::Silver => (raw.game.silver_rating, 2),
    };
    let known = |rating: u16| (rating > 0).then_some(rating);
    Some(PatternHit {
        game: raw.game.row,
        ply: raw.played.ply(),
        last: Ply::after(raw.last),
        position: raw.symmetry.apply(seen),
        turn: raw.symmetry.apply(unpack_turn(raw.played.turn)?),
        // Of the game itself, not of what its mover saw.
        symmetry: Symmetry {
            mirror: raw.symmetry.mirror,
            flip: raw.symmetry.flip != (raw.played.mover() == Side::Silver),
        },
        won: raw.game.winner == winner,
        rating: known(rating),
        winner: match raw.game.winner {
            1 => Some(Side::Gold),
            2 => Some(Side::Silver),
            _ => None,
        },
        ratings: BySide::new(known(raw.game.gold_rating), known(raw.game.silver_rating)),
        started: (raw.game.started != i64::MIN).then_some(raw.game.started),
    })
}
