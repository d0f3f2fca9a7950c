//! Win in two: is there a turn after which nothing saves the opponent from
//! losing at our next turn?
//!
//! Every distinct turn is tried, and for each every distinct reply, until one
//! holds. Most turns fall to the first harmless reply; those that threaten
//! something fall, as a rule, to a reply that has already saved the opponent
//! from another turn, so those are tried first.
//!
//! A win is a goal, all enemy rabbits captured, or an opponent who cannot move.
//! The last two are only looked for in our second turn when they are near: at
//! most two enemy rabbits, or at most [`FEW`] enemy pieces that can move.

use std::ops::ControlFlow;

use hathi_rules::{Outcome, Position, RuleSet, Side, Turn, TurnGenerator};

use crate::Limits;
use crate::puzzle::Effort;

/// Enemy pieces able to move, from which on nobody can be shut in within a turn.
const FEW: u32 = 4;

/// Turns listed between two looks at the clock.
const LOOK_EVERY: usize = 64;

/// Refutations remembered.
const REMEMBERED: usize = 24;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// Won at once.
    WinNow {
        /// The turn.
        turn: Turn,
    },
    /// Won next turn, whatever the opponent does.
    WinInTwo {
        /// The first turn.
        turn: Turn,
        /// Every reply that was tried, by the position it leads to, is lost;
        /// these are some of them with what wins then.
        defences: Vec<(Turn, Turn)>,
        /// How many replies there are.
        replies: usize,
    },
    /// There is no win within the turns asked for.
    NoWin {
        /// Turns that threaten to win, each with a reply that saves the
        /// opponent; some of them.
        refuted: Vec<(Turn, Turn)>,
        /// How many turns were tried.
        tried: usize,
    },
    /// Time was up before it was certain.
    Unknown {
        /// Turns that were proven not to win.
        tried: usize,
        /// Turns there are, as far as there was time to list them.
        of: usize,
    },
}

/// Pairs kept for showing.
const SHOWN: usize = 40;

/// Looks for a forced win in at most `turns` (1 or 2) turns of the side to
/// move.
///
/// ```
/// use hathi_engine::{Limits, Solution, solve};
/// use hathi_rules::Position;
/// let position: Position = "
///     g
///     8| . . . . . . . r |
///     7| . R . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| . . . . . . . . |".parse()?;
/// assert!(matches!(solve(&position, 2, &Limits::none()), Solution::WinNow { .. }));
/// # Ok::<(), hathi_rules::ParsePositionError>(())
/// ```
pub fn solve(position: &Position, turns: u32, limits: &Limits) -> Solution {
    Solver::default().solve(position, turns, limits)
}

/// A reply after which the opponent is not lost at our next turn, if this
/// turn does not win in two. None if it does, or if time is up.
pub fn refute(position: &Position, turn: &Turn, limits: &Limits) -> Option<Turn> {
    let (_, after) = position.check_turn(turn).ok()?;
    let side = position.side_to_move();
    let threat = after.with_side(side).can_goal().is_some();
    match Solver::default().judge(&after, side, threat, limits) {
        Verdict::Refuted(reply) => Some(reply),
        Verdict::Wins { .. } | Verdict::TimeUp => None,
    }
}

/// Does this turn win at our next turn at the latest, whatever the opponent
/// replies? None if time is up before that is certain.
pub(crate) fn wins_in_two(position: &Position, turn: &Turn, limits: &Limits) -> Option<bool> {
    let (_, after) = position.check_turn(turn).ok()?;
    let side = position.side_to_move();
    let threat = after.with_side(side).can_goal().is_some();
    match Solver::default().judge(&after, side, threat, limits) {
        Verdict::Wins { .. } => Some(true),
        Verdict::Refuted(_) => Some(false),
        Verdict::TimeUp => None,
    }
}

#[derive(Default)]
pub(crate) struct Solver {
    ours: TurnGenerator,
    theirs: TurnGenerator,
    second: TurnGenerator,
    /// Replies that have saved the opponent before, latest first.
    saviours: Vec<Turn>,
    /// Positions looked at after a reply.
    nodes: u64,
    /// First turns that look right: those that threaten a goal, or all if none
    /// does.
    plausible: usize,
}

/// What a turn of ours comes to.
enum Verdict {
    Wins {
        defences: Vec<(Turn, Turn)>,
        replies: usize,
    },
    Refuted(Turn),
    TimeUp,
}

impl Solver {
    /// What it takes to find a win in two. Where the limit of positions ends the
    /// search it takes at least that. None if there is no win, or no time.
    pub(crate) fn effort(&mut self, position: &Position, limits: &Limits) -> Option<Effort> {
        self.plausible = 0;
        match self.solve(position, 2, limits) {
            Solution::NoWin { .. } => return None,
            Solution::Unknown { .. } if limits.is_over() || self.plausible == 0 => return None,
            Solution::Unknown { .. } | Solution::WinNow { .. } | Solution::WinInTwo { .. } => {}
        }
        Some(Effort {
            plausible: self.plausible.max(1) as u64,
            positions: self.nodes,
        })
    }

    pub(crate) fn solve(&mut self, position: &Position, turns: u32, limits: &Limits) -> Solution {
        if let Some(turn) = self.wins_now(position) {
            return Solution::WinNow { turn };
        }
        self.saviours.clear();
        self.nodes = 0;
        let side = position.side_to_move();
        // Turns that threaten a goal first: nearly always one of them it is.
        let mut generator = std::mem::take(&mut self.ours);
        let mut candidates: Vec<(bool, Turn, Position)> = Vec::new();
        if turns >= 2 {
            for reached in generator.generate(position) {
                let after = reached.position();
                // The opponent must not win first.
                if Outcome::on_board(after.board(), side, RuleSet::Modern).is_none() {
                    let threat = after.with_side(side).can_goal().is_some();
                    candidates.push((threat, reached.turn(), after));
                }
                // An open board has a hundred thousand turns and more.
                if candidates.len().is_multiple_of(LOOK_EVERY) && self.is_over(limits) {
                    break;
                }
            }
        }
        self.ours = generator;
        if turns >= 2 && self.is_over(limits) {
            return Solution::Unknown {
                tried: 0,
                of: candidates.len(),
            };
        }
        candidates.sort_by_key(|&(threat, turn, _)| (!threat, turn.steps().len()));
        let threats = candidates.iter().take_while(|(threat, ..)| *threat).count();
        self.plausible = if threats > 0 {
            threats
        } else {
            candidates.len()
        };
        let mut refuted = Vec::new();
        for (tried, (threat, turn, after)) in candidates.iter().enumerate() {
            match self.judge(after, side, *threat, limits) {
                Verdict::Wins { defences, replies } => {
                    return Solution::WinInTwo {
                        turn: *turn,
                        defences,
                        replies,
                    };
                }
                Verdict::Refuted(reply) => {
                    if *threat && refuted.len() < SHOWN {
                        refuted.push((*turn, reply));
                    }
                }
                Verdict::TimeUp => {
                    return Solution::Unknown {
                        tried,
                        of: candidates.len(),
                    };
                }
            }
        }
        Solution::NoWin {
            refuted,
            tried: candidates.len(),
        }
    }

    /// Does the opponent, to move, lose whatever he does?
    fn judge(&mut self, after: &Position, us: Side, threat: bool, limits: &Limits) -> Verdict {
        if self.is_over(limits) {
            return Verdict::TimeUp;
        }
        if let Some(goal) = after.can_goal() {
            return Verdict::Refuted(goal);
        }
        for i in 0..self.saviours.len() {
            if self.is_over(limits) {
                return Verdict::TimeUp;
            }
            let reply = self.saviours[i];
            if let Ok((reply, then)) = after.check_turn(&reply)
                && self.holds(&then, us)
            {
                self.saviours[..=i].rotate_right(1);
                return Verdict::Refuted(reply);
            }
        }
        if !threat {
            // Some harmless reply is found at once, as a rule.
            let mut first = None;
            let mut tries = 0;
            let _ = after.for_each_turn(|turn, then| {
                tries += 1;
                if self.holds(then, us) {
                    first = Some(*turn);
                }
                if first.is_some() || tries == 50 || self.is_over(limits) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            if let Some(reply) = first {
                return Verdict::Refuted(reply);
            }
        }
        let mut generator = std::mem::take(&mut self.theirs);
        let mut verdict = None;
        let mut defences = Vec::new();
        let mut replies = 0;
        for reached in generator.generate(after) {
            replies += 1;
            // Where few rabbits are left a single reply may take a millisecond.
            if self.is_over(limits) {
                verdict = Some(Verdict::TimeUp);
                break;
            }
            let then = reached.position();
            if self.holds(&then, us) {
                let reply = reached.turn();
                self.saviours.insert(0, reply);
                self.saviours.truncate(REMEMBERED);
                verdict = Some(Verdict::Refuted(reply));
                break;
            }
            // The longest replies are the ones worth showing.
            if defences.len() < SHOWN
                && reached.turn().steps().len() == 4
                && let Some(answer) = self.wins_now(&then)
            {
                defences.push((reached.turn(), answer));
            }
        }
        self.theirs = generator;
        verdict.unwrap_or(Verdict::Wins { defences, replies })
    }

    /// Is it time to stop? A limit of positions is kept as well as one of
    /// time: without a clock it is the only one.
    fn is_over(&self, limits: &Limits) -> bool {
        limits.is_over() || limits.nodes.is_some_and(|most| self.nodes >= most)
    }

    /// Is the opponent, having replied, not lost at our next turn?
    fn holds(&mut self, then: &Position, us: Side) -> bool {
        self.nodes += 1;
        if let Some(outcome) = Outcome::on_board(then.board(), us.opponent(), RuleSet::Modern) {
            return outcome.winner != Some(us);
        }
        self.wins_now(then).is_none()
    }

    /// A turn that wins at once.
    pub(crate) fn wins_now(&mut self, position: &Position) -> Option<Turn> {
        if let Some(goal) = position.can_goal() {
            return Some(goal);
        }
        let us = position.side_to_move();
        let board = position.board();
        let them = us.opponent();
        let able = board.mobile(them) & board.empty().near();
        if board.rabbits(them).len() > 2 && able.len() > FEW {
            return None;
        }
        let mut generator = std::mem::take(&mut self.second);
        let mut looked = 0;
        let mut wins = |after: &Position| {
            looked += 1;
            Outcome::on_board(after.board(), us, RuleSet::Modern)
                .is_some_and(|outcome| outcome.winner == Some(us))
        };
        let turn = generator
            .generate(position)
            .find(|reached| wins(&reached.position()))
            .map(|reached| reached.turn());
        self.second = generator;
        self.nodes += looked;
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(text: &str) -> Solution {
        solve(&text.parse().expect("a position"), 2, &Limits::none())
    }

    #[test]
    fn a_limit_of_positions_ends_it() {
        let position = "
            g
            8| r r r r . r r r |
            7| . d c . m c d h |
            6| . h x . . x R . |
            5| . . . e . . . . |
            4| . . . . E . . . |
            3| . H x . . x H . |
            2| D C . M . . C D |
            1| R R R R R R R . |"
            .parse()
            .expect("a position");
        let solution = solve(&position, 2, &Limits::nodes(1000));
        assert!(matches!(solution, Solution::Unknown { .. }), "{solution:?}");
    }

    #[test]
    fn who_has_no_time_gets_no_list_of_all_turns() {
        let position = "
            g
            8| . r . r . . . r |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . h . . . . d . |
            4| . . . E . . . . |
            3| . . x . . x H . |
            2| . . . M . . . R |
            1| . . . R . . . . |"
            .parse()
            .expect("a position");
        assert!(TurnGenerator::new().count(&position) > 20 * LOOK_EVERY);
        let limits = Limits::none();
        limits.stop.now();
        let Solution::Unknown { tried: 0, of } = solve(&position, 2, &limits) else {
            panic!("there was no time");
        };
        assert!(of <= LOOK_EVERY, "{of}");
        // For one turn there is nothing to list.
        let solution = solve(&position, 1, &limits);
        assert!(
            matches!(solution, Solution::NoWin { tried: 0, .. }),
            "{solution:?}"
        );
    }

    #[test]
    fn a_lonely_defender_is_overloaded() {
        // Two rabbits, five steps from goal each; the silver cat can stop one.
        let solution = solved(
            "
            g
            8| . . . . c . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| R . x . . x . R |
            2| . . . . . E . r |
            1| . . . . . . . E |",
        );
        let Solution::WinInTwo { replies, .. } = solution else {
            panic!("{solution:?}");
        };
        assert!(replies > 10);
    }

    #[test]
    fn what_can_be_stopped_is_no_win_and_the_defence_is_shown() {
        let solution = solved(
            "
            g
            8| r r . . c . r r |
            7| . . . . . . c . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x R . x . . |
            2| . . . . . E . . |
            1| . . . . . . . . |",
        );
        let Solution::NoWin { refuted, tried } = solution else {
            panic!("{solution:?}");
        };
        assert!(tried > 100);
        assert!(!refuted.is_empty());
    }

    #[test]
    fn wins_without_a_goal_are_seen() {
        // The last silver rabbit is pushed up and then into f3.
        let solution = solved(
            "
            g
            8| . . . . c . . . |
            7| . . . c . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x R . x . . |
            2| . . . . . E . r |
            1| . . . . . . . E |",
        );
        assert!(
            matches!(solution, Solution::WinInTwo { .. }),
            "{solution:?}"
        );
    }

    #[test]
    fn no_time_is_an_honest_unknown() {
        let limits = Limits::none();
        limits.stop.now();
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let solution = solve(&start.parse().expect("a position"), 2, &limits);
        assert!(
            matches!(solution, Solution::Unknown { tried: 0, .. }),
            "{solution:?}"
        );
    }

    #[test]
    fn the_start_is_no_win_in_two() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        assert!(matches!(solved(start), Solution::NoWin { .. }));
    }
}
