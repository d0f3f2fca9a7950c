//! Blind playouts: random steps until the game is over.

use hathi_rules::{Outcome, Position, RuleSet, Side, Turn};

/// A playout that is not over by then counts as undecided.
const MOST_TURNS: u32 = 1_000;

/// Tries to find a random turn that is one.
const TRIES: u32 = 100;

/// Plays games to their end without looking.
#[derive(Debug)]
pub struct RandomPlayouts {
    random: fastrand::Rng,
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedOut {
    /// Who won; nobody if it was drawn or went on for too long.
    pub winner: Option<Side>,
    /// Turns played.
    pub turns: u32,
}

impl RandomPlayouts {
    /// Playouts that come out the same again with the same seed.
    pub fn new(seed: u64) -> RandomPlayouts {
        RandomPlayouts {
            random: fastrand::Rng::with_seed(seed),
        }
    }

    /// Plays one game from a position to its end: each turn one to four random
    /// steps. Repetition is not looked for.
    pub fn play(&mut self, position: &Position, rules: RuleSet) -> PlayedOut {
        let mut position = *position;
        for turns in 0..MOST_TURNS {
            let mover = position.side_to_move();
            let Some(after) = self.turn(&position) else {
                // Nothing to play, or nothing that a blind player finds.
                return PlayedOut {
                    winner: Some(mover.opponent()),
                    turns,
                };
            };
            position = after;
            if let Some(outcome) = Outcome::on_board(position.board(), mover, rules) {
                return PlayedOut {
                    winner: outcome.winner,
                    turns: turns + 1,
                };
            }
        }
        PlayedOut {
            winner: None,
            turns: MOST_TURNS,
        }
    }

    fn turn(&mut self, position: &Position) -> Option<Position> {
        for _ in 0..TRIES {
            if let Some((_, after)) = random_walk(position, &mut self.random)
                && after.board() != position.board()
            {
                return Some(after.end_turn());
            }
        }
        None
    }
}

/// One to four random steps, and where they lead, still inside the turn; none if
/// the walk ends inside a push. It may end where it began.
pub(crate) fn random_walk(
    position: &Position,
    random: &mut fastrand::Rng,
) -> Option<(Turn, Position)> {
    let mut position = *position;
    let mut turn = Turn::EMPTY;
    let wanted = random.usize(1..=4);
    while turn.steps().len() < wanted || position.is_mid_push() {
        let steps = position.legal_steps();
        if steps.is_empty() {
            break;
        }
        let step = steps[random.usize(..steps.len())];
        position.apply(step);
        turn.push(step).ok()?;
    }
    position.can_end_turn().then_some((turn, position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_end_and_come_out_the_same_again() {
        let start: Position =
            "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]"
                .parse()
                .expect("a position");
        let all = |seed| {
            let mut playouts = RandomPlayouts::new(seed);
            let play = |_| playouts.play(&start, RuleSet::Modern);
            (0..20).map(play).collect::<Vec<_>>()
        };
        let played = all(1);
        assert_eq!(played, all(1));
        assert_ne!(played, all(2));
        assert!(played.iter().all(|one| one.turns > 3));
        for side in [Side::Gold, Side::Silver] {
            assert!(played.iter().any(|one| one.winner == Some(side)));
        }
    }

    #[test]
    fn who_cannot_move_has_lost() {
        let stuck: Position = "
            g
            8| . . . . . . . r |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| d . . . . . . . |
            1| R d . . . . . . |"
            .parse()
            .expect("a position");
        let played = RandomPlayouts::new(1).play(&stuck, RuleSet::Modern);
        assert_eq!((played.winner, played.turns), (Some(Side::Silver), 0));
    }
}
