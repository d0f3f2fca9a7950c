//! What engines are at the moment, in a few numbers: games that were played
//! before one of them changed are not added to those played after it.

use hathi_engine::{EngineSpec, Limits};
use hathi_rules::{Game, Position, RuleSet};

/// Neither early nor late, so that every phase has a share.
const MIDDLE_GAME: &str = "
    g
     +-----------------+
    8| . r . r r . . r |
    7| . d . . . c d . |
    6| r . x . H x r . |
    5| . . . E . . . h |
    4| . . e . . . R . |
    3| R H x . . M . . |
    2| . . C . m C D . |
    1| R . . R . . R R |
     +-----------------+
       a b c d e f g h";

/// How many positions each engine looks at in a middle game, and how it values
/// it: with another search or other weights the games would be of two kinds.
pub(crate) fn of_engines(
    engines: impl IntoIterator<Item = EngineSpec>,
    limits: &Limits,
) -> anyhow::Result<String> {
    let position: Position = MIDDLE_GAME.parse()?;
    let game = Game::from_position(RuleSet::Modern, position);
    let mut state = Vec::new();
    for spec in engines {
        let decision = spec.build()?.decide(&game, limits, &mut |_| {})?;
        let thought = decision.thought.unwrap_or_default();
        state.push(format!("{}/{}", thought.nodes, thought.score));
    }
    Ok(state.join(" "))
}
