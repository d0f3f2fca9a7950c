//! The two that do not think: the bottom of every table.

use hathi_rules::{Game, Turn, TurnGenerator};

use crate::playout::random_walk;
use crate::setups;
use crate::{Choice, Decision, Engine, EngineError, Limits, Thought};

/// Any legal turn, every resulting position equally likely.
#[derive(Debug)]
pub(crate) struct RandomTurns {
    random: fastrand::Rng,
    turns: TurnGenerator,
}

/// Random steps, one after the other.
#[derive(Debug)]
pub(crate) struct RandomSteps {
    random: fastrand::Rng,
}

impl Default for RandomTurns {
    fn default() -> RandomTurns {
        RandomTurns {
            random: fastrand::Rng::with_seed(0),
            turns: TurnGenerator::new(),
        }
    }
}

impl Default for RandomSteps {
    fn default() -> RandomSteps {
        RandomSteps {
            random: fastrand::Rng::with_seed(0),
        }
    }
}

impl Engine for RandomTurns {
    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
    }

    fn decide(
        &mut self,
        game: &Game,
        _limits: &Limits,
        _listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        if let Some(setup) = setups::random(game, &mut self.random)? {
            return Ok(setup);
        }
        let turn = random_turn(game, &mut self.turns, &mut self.random)?;
        Ok(Decision::because(Choice::Play(turn), "any turn, by chance"))
    }
}

/// A turn that the game allows; each resulting position has the same chance.
pub(crate) fn random_turn(
    game: &Game,
    turns: &mut TurnGenerator,
    random: &mut fastrand::Rng,
) -> Result<Turn, EngineError> {
    let mut reached: Vec<_> = turns.generate(&game.position()).collect();
    // Turns that repeat a position for the third time are drawn again.
    while !reached.is_empty() {
        let one = reached.swap_remove(random.usize(..reached.len()));
        if !game.is_third_repetition(&one.position()) {
            return Ok(one.turn());
        }
    }
    Err(EngineError::NoTurn)
}

impl Engine for RandomSteps {
    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
    }

    fn decide(
        &mut self,
        game: &Game,
        _limits: &Limits,
        _listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        if let Some(setup) = setups::random(game, &mut self.random)? {
            return Ok(setup);
        }
        let position = game.position();
        // A random walk may end inside a push, or where it began: walk again.
        for _ in 0..1000 {
            if let Some((turn, _)) = random_walk(&position, &mut self.random)
                && let Ok((turn, _)) = game.check_turn(&turn)
            {
                return Ok(Decision::because(Choice::Play(turn), "steps by chance"));
            }
        }
        let turn = random_turn(game, &mut TurnGenerator::new(), &mut self.random)?;
        Ok(Decision::because(Choice::Play(turn), "a turn by chance"))
    }
}
