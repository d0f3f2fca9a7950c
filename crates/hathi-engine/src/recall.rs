//! What the memory knows about a position, level by level: McKee's cascade.

use hathi_rules::{Game, Position, Role, Square, Step, Turn};
use hathi_store::{
    GameRow, Hit, Kind, Memory, Place, PositionQuestion, Store, StoreError, area, nearest_trap,
};

use crate::{EngineError, EngineOptions};

/// Where an engine is to have its memory; none if nobody says so and there is
/// no usual place.
fn place(options: &EngineOptions) -> Result<Option<Place>, EngineError> {
    if options.store.is_empty() {
        return Ok(Place::usual());
    }
    Ok(Some(Place::new(options.store.as_ref())?))
}

/// Why an engine that remembers would play with an empty memory, if it would:
/// there is no store yet.
pub fn without_memory(options: &EngineOptions) -> Option<String> {
    let Ok(place) = place(options) else {
        // Opening it will say what is wrong.
        return None;
    };
    match place {
        None => Some("there is no store".to_owned()),
        Some(place) => {
            let missing = place.file().is_some_and(|file| !file.exists());
            missing.then(|| format!("there is no store at {place}"))
        }
    }
}

/// Opens the memory an engine is to play from; an empty one if there is no
/// store, which [`without_memory`] tells.
pub(crate) fn open(options: &EngineOptions) -> Result<Box<dyn Memory>, EngineError> {
    let place = place(options)?.filter(|_| without_memory(options).is_none());
    let Some(place) = place else {
        return Ok(Box::new(Store::in_memory()?));
    };
    let mut memory = place.open()?;
    memory.prepare(0, &mut |_, _| {})?;
    Ok(memory)
}

/// The id by which people find a game of the memory again.
pub(crate) fn game_name(memory: &dyn Memory, row: GameRow) -> Result<String, StoreError> {
    let id = memory.id_of(row)?;
    Ok(id.map_or_else(|| "without a number".to_owned(), |id| id.to_string()))
}

/// Where the opponent's last moved piece stands now: the piece of the last
/// step that is still on the board. None before the opponent's first turn.
pub fn last_moved(game: &Game) -> Option<Square> {
    let turn = game.turns().last()?;
    let board = *game.position().board();
    let standing = |step: &&Step| {
        step.to()
            .is_some_and(|to| board.piece_at(to) == Some(step.piece()))
    };
    let mover = game.side_to_move().opponent();
    let steps = turn.steps().iter().rev();
    let own = steps
        .clone()
        .find(|step| step.side() == mover && standing(step));
    own.or_else(|| steps.clone().find(|step| standing(step)))
        .and_then(|step| step.to())
}

/// The piece a turn is about: the first own piece it moves.
pub(crate) fn moved_piece(position: &Position, turn: &Turn) -> Option<(Role, Square)> {
    let own = position.side_to_move();
    let step = turn.steps().iter().find(|step| step.side() == own)?;
    Some((step.piece().role(), step.from()))
}

/// Where the turn leaves its first own piece, if that is outside the 5x5
/// squares round the trap.
pub(crate) fn carried_out(position: &Position, turn: &Turn, trap: Square) -> Option<Square> {
    let (role, mut at) = moved_piece(position, turn)?;
    for step in turn.steps() {
        if step.from() == at && step.piece().role() == role {
            at = step.to().unwrap_or(at);
        }
    }
    (!area(trap).contains(at)).then_some(at)
}

/// The strongest own piece in the area that can move: whose eyes to look
/// through when nothing names a piece.
pub(crate) fn strongest_in_area(position: &Position, trap: Square) -> Option<(Role, Square)> {
    let board = position.board();
    let able = board.mobile(position.side_to_move()) & board.empty().near() & area(trap);
    Role::ALL.into_iter().rev().find_map(|role| {
        let square = (able & board.role(role)).first()?;
        Some((role, square))
    })
}

/// What each level of the cascade knows about a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelHits {
    /// The best match of the whole board.
    pub full: Option<Hit>,
    /// Of ranks 3 to 6.
    pub half: Option<Hit>,
    /// Of the area round the trap nearest the opponent's last moved piece.
    pub area: Option<Hit>,
    /// Of the same area from the strength of the piece to be moved.
    pub by_piece: Option<Hit>,
    /// Does anything match, legal here or not? In the same order.
    pub found: [bool; 4],
}

/// Asks every level, whether those above have an answer or not: for
/// statistics. Literal, as the thesis has it; the hits are legal ones, and what
/// was found says where there are others, too.
pub fn ask_all_levels(memory: &dyn Memory, game: &Game) -> Result<LevelHits, StoreError> {
    let position = game.position();
    let ask = |kind| PositionQuestion::new(position, kind).literal();
    let best = |kind| memory.best(&ask(kind));
    let found = |kind, best: Option<Hit>| -> Result<bool, StoreError> {
        Ok(best.is_some() || memory.first(&ask(kind))?.is_some())
    };
    let mut hits = LevelHits {
        full: best(Kind::Full)?,
        half: best(Kind::Half)?,
        ..LevelHits::default()
    };
    hits.found[0] = found(Kind::Full, hits.full)?;
    hits.found[1] = found(Kind::Half, hits.half)?;
    if let Some(square) = last_moved(game) {
        let trap = nearest_trap(square);
        hits.area = best(Kind::Area { trap })?;
        let first = memory.first(&ask(Kind::Area { trap }))?;
        hits.found[2] = first.is_some();
        let named = first.and_then(|hit| moved_piece(&position, &hit.turn));
        let piece = named.or_else(|| strongest_in_area(&position, trap));
        if let Some((piece, _)) = piece {
            let kind = Kind::AreaByPiece { trap, piece };
            hits.by_piece = best(kind)?;
            hits.found[3] = found(kind, hits.by_piece)?;
        }
    }
    Ok(hits)
}
