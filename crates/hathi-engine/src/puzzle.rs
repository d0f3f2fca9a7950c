//! Puzzles: how hard one is, what it is about, and how the other side defends
//! longest. For positions with a proven win, see [`solve`](crate::solve()).

use std::fmt;

use hathi_rules::{
    Bitboard, Outcome, Position, RuleSet, Side, Square, Step, Termination, Turn, TurnGenerator,
};

use crate::Limits;
use crate::solve::Solver;

/// What it takes to find a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// First turns that look right. For a win in two: those that threaten a
    /// goal. For a goal this turn: all distinct turns for each that wins.
    pub plausible: u64,
    /// Positions the solver looked at.
    pub positions: u64,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difficulty {
    /// Found by looking.
    Easy,
    /// Takes a while.
    Medium,
    /// Many turns look right.
    Hard,
}

impl Difficulty {
    /// All, easiest first.
    pub const ALL: [Difficulty; 3] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Difficulty::Easy => "easy",
            Difficulty::Medium => "medium",
            Difficulty::Hard => "hard",
        }
    }

    /// That of a puzzle with this rating.
    pub const fn of_rating(rating: u32) -> Difficulty {
        match rating {
            0..MEDIUM_FROM => Difficulty::Easy,
            MEDIUM_FROM..HARD_FROM => Difficulty::Medium,
            _ => Difficulty::Hard,
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Ratings from which puzzles are of medium difficulty, and hard: so that the
/// puzzles at hand fall into three parts of like size (docs/measurements.md).
const MEDIUM_FROM: u32 = 1200;
const HARD_FROM: u32 = 1500;

/// How much one more try changes a rating at most decreases with those before:
/// the first three of either kind are taken as given.
const GIVEN: f64 = 3.0;

impl Effort {
    /// A rating like those of players: 100 points for every doubling of the
    /// turns that look right, 50 for every doubling of the positions that the
    /// proof needs beyond a thousand.
    #[allow(clippy::cast_sign_loss)] // 100 and more
    pub fn rating(&self) -> u32 {
        let turns = (self.plausible.max(1) as f64).log2();
        let proof = (self.positions as f64 / 1000.0).max(1.0).log2();
        (100.0 + 100.0 * turns + 50.0 * proof).round() as u32
    }

    /// The same, moved by how players have fared: up where more failed than
    /// solved it, 200 points when three times as many did.
    #[allow(clippy::cast_sign_loss)] // 100 and more
    pub fn rating_after(&self, solved: u64, failed: u64) -> u32 {
        let odds = (failed as f64 + GIVEN) / (solved as f64 + GIVEN);
        let moved = f64::from(self.rating()) + 200.0 * odds.log2() / 3_f64.log2();
        moved.clamp(100.0, 3500.0).round() as u32
    }
}

/// The effort of a win in two, or of a goal where there is one at once. None if
/// there was no time to prove one.
pub fn win_effort(position: &Position, limits: &Limits) -> Option<Effort> {
    if position.can_goal().is_some() {
        return goal_effort(position, limits);
    }
    Solver::default().effort(position, limits)
}

/// The effort of a goal this turn. None if there is none, or no time.
pub fn goal_effort(position: &Position, limits: &Limits) -> Option<Effort> {
    let side = position.side_to_move();
    let (mut turns, mut wins) = (0_u64, 0_u64);
    for reached in TurnGenerator::new().generate(position) {
        turns += 1;
        let outcome = Outcome::on_board(reached.position().board(), side, RuleSet::Modern);
        wins += u64::from(outcome.is_some_and(|outcome| outcome.winner == Some(side)));
        if turns.is_multiple_of(256) && limits.is_over() {
            return None;
        }
    }
    (wins > 0).then(|| Effort {
        plausible: turns / wins,
        positions: turns,
    })
}

/// The reply that makes the second turn hardest: after it the win takes the
/// most steps. With what wins then. None if `turn` does not win in two, or if
/// time is up; of a reply there may be none at all.
pub fn longest_defence(
    position: &Position,
    turn: &Turn,
    limits: &Limits,
) -> Option<Option<(Turn, Turn)>> {
    let (_, after) = position.check_turn(turn).ok()?;
    let mut solver = Solver::default();
    let mut best: Option<(Turn, Turn)> = None;
    for reached in TurnGenerator::new().generate(&after) {
        if limits.is_over() {
            return None;
        }
        let then = reached.position();
        let answer = solver.wins_now(&then)?;
        let key = |reply: &Turn, answer: &Turn| (answer.steps().len(), reply.steps().len());
        let reply = reached.turn();
        if best.is_none_or(|(old, known)| key(&reply, &answer) > key(&old, &known)) {
            best = Some((reply, answer));
        }
    }
    Some(best)
}

/// What a winning turn is about, decided by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// An enemy is pushed.
    Push,
    /// An enemy is pulled.
    Pull,
    /// An enemy is captured.
    Capture,
    /// An own piece is given up.
    Sacrifice,
    /// A piece steps over a trap and lives.
    ThroughTrap,
    /// A frozen piece is freed, and moves.
    Unfreeze,
    /// One piece makes all four steps.
    LongWalk,
    /// Own pieces step, and nothing else happens.
    Quiet,
    /// More than one rabbit threatens to reach goal.
    TwoThreats,
    /// Won without a goal: no rabbits left, or nothing can move.
    WithoutGoal,
}

impl Theme {
    /// All of them.
    pub const ALL: [Theme; 10] = [
        Theme::Push,
        Theme::Pull,
        Theme::Capture,
        Theme::Sacrifice,
        Theme::ThroughTrap,
        Theme::Unfreeze,
        Theme::LongWalk,
        Theme::Quiet,
        Theme::TwoThreats,
        Theme::WithoutGoal,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Push => "push",
            Theme::Pull => "pull",
            Theme::Capture => "capture",
            Theme::Sacrifice => "sacrifice",
            Theme::ThroughTrap => "through-trap",
            Theme::Unfreeze => "unfreeze",
            Theme::LongWalk => "long-walk",
            Theme::Quiet => "quiet",
            Theme::TwoThreats => "two-threats",
            Theme::WithoutGoal => "without-goal",
        }
    }
}

/// The themes of a winning turn, which must be legal.
///
/// ```
/// use hathi_engine::{Theme, themes};
/// use hathi_rules::{Position, Turn};
/// let position: Position = "
///     g
///     8| . . . . . . . . |
///     7| r R . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| . . . . . . . . |".parse()?;
/// let turn: Turn = "Rb7n".parse()?;
/// assert_eq!(themes(&position, &turn), [Theme::Quiet]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn themes(position: &Position, turn: &Turn) -> Vec<Theme> {
    let Ok((turn, after)) = position.check_turn(turn) else {
        return Vec::new();
    };
    let us = position.side_to_move();
    let mut found = Vec::new();
    let mut now = *position;
    // Where own pieces stand that were frozen and are not any more.
    let mut freed = Bitboard::EMPTY;
    for &step in turn.steps() {
        if freed.contains(step.from()) {
            found.push(Theme::Unfreeze);
        }
        found.extend(step_themes(&now, step, us));
        let before = now;
        now.apply(step);
        freed |= before.board().frozen(us) & now.board().mobile(us);
    }
    if one_piece_walks(turn.steps(), us) {
        found.push(Theme::LongWalk);
    }
    if !found.iter().any(|theme| {
        matches!(
            theme,
            Theme::Push | Theme::Pull | Theme::Capture | Theme::Sacrifice
        )
    }) {
        found.push(Theme::Quiet);
    }
    match Outcome::on_board(after.board(), us, RuleSet::Modern) {
        Some(outcome) if outcome.termination != Termination::Goal => found.push(Theme::WithoutGoal),
        Some(_) => {}
        None => {
            let threats = rabbits_with_goal(&after.with_side(us), us);
            if threats > 1 {
                found.push(Theme::TwoThreats);
            } else if threats == 0 {
                found.push(Theme::WithoutGoal);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What a step adds.
fn step_themes(before: &Position, step: Step, us: Side) -> Vec<Theme> {
    let mut found = Vec::new();
    let after = before.after(step);
    let ours = step.side() == us;
    if !ours {
        // A push is open until the pusher follows; a pull completes what was done.
        found.push(if after.is_mid_push() {
            Theme::Push
        } else {
            Theme::Pull
        });
    }
    if let Some(removed) = step.removed() {
        let own = removed.piece.side() == us;
        found.push(if own {
            Theme::Sacrifice
        } else {
            Theme::Capture
        });
    } else if ours
        && let Some(to) = step.to()
        && Square::TRAPS.contains(&to)
    {
        found.push(Theme::ThroughTrap);
    }
    found
}

/// Do four steps belong to one piece?
fn one_piece_walks(steps: &[Step], us: Side) -> bool {
    steps.len() == 4
        && steps.iter().all(|step| step.side() == us)
        && steps
            .windows(2)
            .all(|pair| pair[0].to() == Some(pair[1].from()))
}

/// Rabbits that could reach goal if they were alone in trying.
fn rabbits_with_goal(position: &Position, us: Side) -> usize {
    let mut board = *position.board();
    let mut count = 0;
    while let Some(goal) = Position::composed(board, us).can_goal() {
        let Some(last) = goal.steps().iter().rev().find(|step| step.side() == us) else {
            break;
        };
        // The rabbit that gets there, followed back to where it stands.
        let mut at = last.from();
        for step in goal.steps().iter().rev().skip(1) {
            if step.to() == Some(at) {
                at = step.from();
            }
        }
        if board.remove(at).is_none() {
            break;
        }
        count += 1;
    }
    count
}
