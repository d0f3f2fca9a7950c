//! A legal answer at once, for when an engine has none in time.

use hathi_engine::Choice;
use hathi_rules::{Game, Position, Turn, TurnGenerator};

use crate::openings;

/// Something legal: the turn the engine had in mind if it can be played, a
/// goal if there is one, else the first turn that comes. None if the side to
/// move has no legal turn.
pub(crate) fn legal_choice(game: &Game, in_mind: Option<&Turn>) -> Option<Choice> {
    if game.outcome().is_some() {
        return None;
    }
    if let Some(side) = game.must_set_up() {
        return Some(Choice::SetUp(openings::usual_setup(side)));
    }
    let position = game.position();
    let playable = |turn: &Turn| Some(Choice::Play(game.check_turn(turn).ok()?.0));
    in_mind
        .and_then(playable)
        .or_else(|| position.can_goal().as_ref().and_then(playable))
        .or_else(|| single_step(game, &position))
        .or_else(|| {
            // Only pushes are left, or every single step would repeat.
            let mut turns = TurnGenerator::new();
            let mut reached = turns.generate(&position);
            reached
                .find(|reached| !game.is_third_repetition(&reached.position()))
                .map(|reached| Choice::Play(reached.turn()))
        })
}

fn single_step(game: &Game, position: &Position) -> Option<Choice> {
    position.legal_steps().into_iter().find_map(|step| {
        let turn = Turn::from_steps([step]).ok()?;
        Some(Choice::Play(game.check_turn(&turn).ok()?.0))
    })
}

#[cfg(test)]
mod tests {
    use hathi_rules::RuleSet;

    use super::*;

    fn game(position: &str) -> Game {
        Game::from_position(RuleSet::Modern, position.parse().expect("a position"))
    }

    #[test]
    fn whole_games_can_be_played_with_it() {
        let mut game = Game::new(RuleSet::Modern);
        for _ in 0..400 {
            match legal_choice(&game, None) {
                Some(Choice::SetUp(setup)) => game.set_up(&setup).expect("legal"),
                Some(Choice::Play(turn)) => {
                    game.play(&turn).expect("legal");
                }
                None => break,
            }
        }
        assert!(game.turns().len() > 20);
    }

    #[test]
    fn what_the_engine_had_in_mind_comes_first() {
        let game = game(
            "g\n8| . . . . . . . . |\n7| . . . . . . . . |\n6| . . x . . x . . |\n\
             5| . . . . . . . . |\n4| . . . . . . . . |\n3| . . x . . x . . |\n\
             2| . . . E . . . . |\n1| R . . . . . . r |",
        );
        // Silver's rabbit is home: the game is over.
        assert_eq!(legal_choice(&game, None), None);
        let game = super::tests::game(
            "g\n8| . . . . . . . r |\n7| . . . . . . . . |\n6| R . x . . x . . |\n\
             5| . . . . . . . . |\n4| . . . . . . . . |\n3| . . x . . x . . |\n\
             2| . . . E . . . . |\n1| R . . . . . . . |",
        );
        let turn: Turn = "Ed2n".parse().expect("a turn");
        assert_eq!(legal_choice(&game, Some(&turn)), Some(Choice::Play(turn)));
        let nonsense: Turn = "Ed3n".parse().expect("a turn");
        let goal: Turn = "Ra6n Ra7n".parse().expect("a turn");
        assert_eq!(
            legal_choice(&game, Some(&nonsense)),
            Some(Choice::Play(goal))
        );
    }
}
