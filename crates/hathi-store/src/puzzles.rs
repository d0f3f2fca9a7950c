//! Win in two: positions of archived games with a turn that wins.

use hathi_archive::{GameId, Puzzle};
use hathi_rules::{Ply, Position, Symmetry, Turn};

use crate::error::StoreError;
use crate::model::{GameRow, StoredGame};
use crate::question::Matching;
use crate::seen::Seen;

/// What became of the puzzles of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleSummary {
    /// Puzzles in the list.
    pub read: u64,
    /// Not there before.
    pub added: u64,
    /// Of those in the store now: linked to a position of a stored game.
    pub linked: u64,
    /// Not linked because their game is not in the store.
    pub without_game: u64,
    /// Not linked for another reason: the move is not there, or not legal.
    pub broken: u64,
}

/// A puzzle whose position is on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleHit {
    /// The game it is from.
    pub game: GameId,
    /// The move before which it stood there, such as `26s`.
    pub label: String,
    /// The turn that wins, on the board that was asked about.
    pub turn: Turn,
}

/// A puzzle that could not be linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlinkedPuzzle {
    /// The game it names.
    pub game: GameId,
    /// The move it names.
    pub label: String,
    /// Why.
    pub reason: String,
}

pub(crate) const NO_GAME: &str = "the game is not in the store";

/// A puzzle as the database has it.
pub(crate) struct StoredPuzzle {
    pub(crate) game: GameId,
    pub(crate) label: String,
    pub(crate) turn: String,
    pub(crate) side: String,
    pub(crate) board: Vec<u8>,
}

impl StoredPuzzle {
    /// Turned to the position that was asked about. None if it must not be,
    /// or if its turn does not fit.
    pub(crate) fn hit(self, position: &Position, matching: Matching) -> Option<PuzzleHit> {
        let symmetry = Symmetry {
            mirror: self.board != Seen::of(position).to_packed().0,
            flip: self.side != position.side_to_move().to_string(),
        };
        if matching == Matching::Literal && symmetry != Symmetry::IDENTITY {
            return None;
        }
        let turn: Turn = self.turn.parse().ok()?;
        let (turn, _) = position.check_turn(&symmetry.apply(turn)).ok()?;
        Some(PuzzleHit {
            game: self.game,
            label: self.label,
            turn,
        })
    }
}

/// Where a puzzle was found.
pub(crate) struct Linked {
    pub(crate) game: GameRow,
    pub(crate) ply: Ply,
    pub(crate) position: Position,
}

/// Finds a puzzle in one of the games that have its number, in the order in
/// which they came. If it is in none, why it is not in the first.
pub(crate) fn link(
    games: impl IntoIterator<Item = Result<Option<StoredGame>, StoreError>>,
    label: &str,
    turn: &str,
) -> Result<Result<Linked, String>, StoreError> {
    let mut first_reason = None;
    for stored in games {
        let Some(stored) = stored? else { continue };
        match link_to(&stored, label, turn) {
            Ok(linked) => return Ok(Ok(linked)),
            Err(reason) => {
                first_reason.get_or_insert(reason);
            }
        }
    }
    Ok(Err(first_reason.unwrap_or_else(|| NO_GAME.to_owned())))
}

/// The ply and position of a puzzle in its game, or why there is none.
fn link_to(stored: &StoredGame, label: &str, turn: &str) -> Result<Linked, String> {
    let (Ok(label), Ok(turn)) = (label.parse(), turn.parse()) else {
        return Err("the stored puzzle is damaged".to_owned());
    };
    let puzzle = Puzzle {
        game: stored.game.id,
        label,
        turn,
        mark: None,
    };
    let Ok(game) = stored.moves.replay(stored.game.rules()) else {
        return Err("the stored game is damaged".to_owned());
    };
    match puzzle.link(&game) {
        Ok(linked) => Ok(Linked {
            game: stored.row,
            ply: Ply::of_label(puzzle.label).unwrap_or_default(),
            position: linked.position,
        }),
        Err(fault) => Err(fault.to_string()),
    }
}

/// A linked puzzle with its position; none if something in it is damaged.
pub(crate) fn stored_hit(
    stored: Option<StoredGame>,
    label: String,
    turn: &str,
    ply: Ply,
) -> Option<(PuzzleHit, Position)> {
    let stored = stored?;
    let game = stored.moves.replay(stored.game.rules()).ok()?;
    let position = *game.positions().get(ply.turns())?;
    let hit = PuzzleHit {
        game: stored.game.id,
        label,
        turn: turn.parse().ok()?,
    };
    Some((hit, position))
}
