//! Hints: what was played here before, else what the engine would do.

use hathi_engine::{Choice, Engine, Limits};
use hathi_rules::Game;
use hathi_store::{Kind, Place, PositionQuestion};

/// A turn to consider, and why.
pub(super) fn hint(
    game: &Game,
    memory: Option<&Place>,
    engine: &mut dyn Engine,
    limits: &Limits,
) -> String {
    if let Some(text) = memory.and_then(|place| remembered(game, place)) {
        return text;
    }
    match engine.decide(game, limits, &mut |_| {}) {
        Ok(decision) => {
            let why = decision.reasons.first().map_or("", String::as_str);
            match decision.choice {
                Choice::Play(turn) => format!("The engine would play {turn} ({why})."),
                Choice::SetUp(setup) => format!("The engine would set up {setup} ({why})."),
            }
        }
        Err(error) => format!("No hint: {error}."),
    }
}

/// What a game of the store did on this very board.
fn remembered(game: &Game, place: &Place) -> Option<String> {
    if game.must_set_up().is_some() {
        return None;
    }
    // A store that cannot be asked is as good as none, for a hint.
    let store = place.open().ok()?;
    let position = game.position();
    let hit = store
        .best(&PositionQuestion::new(position, Kind::Full))
        .ok()??;
    game.check_turn(&hit.turn).ok()?;
    let won = if hit.won {
        "and won"
    } else {
        "and did not win"
    };
    let rating = hit
        .rating
        .map_or(String::new(), |rating| format!(", rated {rating},"));
    Some(format!(
        "In a game of the store somebody{rating} played {} here {won}.",
        hit.turn
    ))
}
