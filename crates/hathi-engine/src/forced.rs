//! Which results are certain. A search that leaves out unlikely steps may be
//! wrong about a win; what is said here was proven by the rules.

use hathi_rules::{Game, Outcome};

use crate::search::{SURE, WIN};
use crate::solve::wins_in_two;
use crate::{Limits, Thought};

/// A result that is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forced {
    /// The side to move wins in so many of its turns, this one counted.
    Win {
        /// 1 or 2.
        turns: u32,
    },
    /// The opponent wins at once, or with his next turn.
    Loss,
}

/// Is the result of a line certain after its first turn? Asked of lines whose
/// score says so; none if it is not proven within the limits.
pub fn forced(game: &Game, thought: &Thought, limits: &Limits) -> Option<Forced> {
    let turn = thought.line.first()?;
    let (_, after) = game.check_turn(turn).ok()?;
    let mover = game.side_to_move();
    if let Some(outcome) = Outcome::on_board(after.board(), mover, game.rules()) {
        let winner = outcome.winner?;
        return Some(if winner == mover {
            Forced::Win { turns: 1 }
        } else {
            Forced::Loss
        });
    }
    if after.can_goal().is_some() {
        return Some(Forced::Loss);
    }
    let near = thought.score > SURE && WIN - thought.score <= 3;
    let wins = near && wins_in_two(&game.position(), turn, limits) == Some(true);
    wins.then_some(Forced::Win { turns: 2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::{Position, RuleSet};

    fn asked(board: &str, turn: &str, score: i32) -> Option<Forced> {
        let position: Position = board.parse().expect("a position");
        let game = Game::from_position(RuleSet::Modern, position);
        let thought = Thought {
            score,
            line: vec![turn.parse().expect("a turn")],
            ..Thought::default()
        };
        forced(&game, &thought, &Limits::none())
    }

    /// Two rabbits run, and one cat cannot stop both.
    const OVERLOADED: &str = "
        g
        8| . . . . c . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| R . x . . x . R |
        2| . . . . . E . r |
        1| . . . . . . . E |";

    #[test]
    fn only_what_is_proven_is_said() {
        let run = "Ra3n Ra4n Rh3n Rh4n";
        let sure = WIN - 3;
        assert_eq!(asked(OVERLOADED, run, sure), Some(Forced::Win { turns: 2 }));
        // The score alone proves nothing: this turn does not win.
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        assert_eq!(asked(start, "Ee2n", sure), None);
        assert_eq!(asked(start, "Ee2n", 40), None);
    }

    #[test]
    fn a_goal_now_and_a_goal_next_turn() {
        let race = "
            g
            8| . . . . . . . . |
            7| R . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . E . . r |
            1| . . . . . . . . |";
        assert_eq!(asked(race, "Ra7n", WIN - 1), Some(Forced::Win { turns: 1 }));
        assert_eq!(asked(race, "Ee2n", -WIN + 2), Some(Forced::Loss));
    }
}
