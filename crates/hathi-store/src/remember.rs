//! Games just played, into the memory.

use hathi_archive::ArchivedGame;
use hathi_rules::Game;

use crate::{Moves, NewGame, Place, StoreError};

/// Why a game was not remembered.
#[derive(Debug, thiserror::Error)]
pub enum RememberError {
    /// It began in the middle.
    #[error("the game began from a position, not from setups: it cannot be stored")]
    NoSetups,
    /// The store says no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds a game to a store, which is made if it is not there. Returns false
/// if it was there already.
pub fn remember(store: &Place, about: ArchivedGame, game: &Game) -> Result<bool, RememberError> {
    let moves = Moves::of_game(game).ok_or(RememberError::NoSetups)?;
    let added = store.open()?.insert(&[NewGame {
        game: about,
        moves,
        takebacks: 0,
        fault: None,
    }])?;
    Ok(added.first().is_some_and(Option::is_some))
}
