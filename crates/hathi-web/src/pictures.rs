//! Pictures for who is no browser: the command line draws with the same animals.

use std::time::Duration;

use hathi_engine::Stop;
use hathi_rules::{Game, Side, Square};

use crate::draw::{self, Drawing, Film, SIZES};
use crate::error::ApiError;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// The game is shorter.
    #[error("the game has {0} turns")]
    Ply(usize),
    /// Too small or too large.
    #[error("a picture is {} to {} pixels wide", SIZES.start(), SIZES.end())]
    Size,
    /// It cannot be drawn.
    #[error("{0}")]
    Drawing(String),
}

impl From<ApiError> for PictureError {
    fn from(error: ApiError) -> PictureError {
        PictureError::Drawing(error.message)
    }
}

/// The position after so many turns of a game, with coordinates, as PNG: the
/// last if nothing is said. Size in pixels.
pub fn position_png(
    game: &Game,
    ply: Option<usize>,
    bottom: Side,
    size: u32,
) -> Result<Vec<u8>, PictureError> {
    if !SIZES.contains(&size) {
        return Err(PictureError::Size);
    }
    let last = game.positions().len().saturating_sub(1);
    let ply = ply.unwrap_or(last);
    let position = game.positions().get(ply).ok_or(PictureError::Ply(last))?;
    let marked = touched(game, ply);
    Ok(draw::png(&Drawing {
        board: position.board(),
        bottom,
        turn: None,
        marked: &marked,
        coordinates: true,
        size,
    })?)
}

/// Where the pieces went in the turn before.
pub(crate) fn touched(game: &Game, ply: usize) -> Vec<Square> {
    let turn = ply.checked_sub(1).and_then(|ply| game.turns().get(ply));
    let steps = turn.into_iter().flat_map(hathi_rules::Turn::steps);
    steps.filter_map(|step| step.to()).collect()
}

/// A game from its first position to its last, with coordinates, as a moving GIF.
/// Size in pixels.
pub fn game_gif(
    game: &Game,
    bottom: Side,
    size: u32,
    delay: Duration,
) -> Result<Vec<u8>, PictureError> {
    if !SIZES.contains(&size) {
        return Err(PictureError::Size);
    }
    let film = Film {
        bottom,
        coordinates: true,
        size,
        delay,
    };
    Ok(draw::gif(game, film, &Stop::default())?)
}
