//! How a game ends: who wins, why, and under which year's rules.

use std::fmt;

use crate::{Board, Side};

/// Which rules a game is played by.
///
/// In July 2008 repetition became illegal instead of lost, and losing all
/// rabbits became a loss. Older games must still be understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// The rules since July 2008.
    #[default]
    Modern,
    /// Before July 2008: bringing a position about for the third time loses,
    /// losing all rabbits does not end the game, and when both sides have
    /// lost them it is a draw.
    Before2008,
}

impl RuleSet {
    /// The rules in force at a moment, in seconds since 1970. The change came
    /// with the first of July 2008.
    ///
    /// ```
    /// use hathi_rules::RuleSet;
    /// assert_eq!(RuleSet::at_unix_time(1_037_992_826), RuleSet::Before2008); // 2002
    /// assert_eq!(RuleSet::at_unix_time(1_320_119_182), RuleSet::Modern); // 2011
    /// ```
    pub const fn at_unix_time(seconds: i64) -> RuleSet {
        const FIRST_OF_JULY_2008: i64 = 1_214_870_400;
        if seconds < FIRST_OF_JULY_2008 {
            RuleSet::Before2008
        } else {
            RuleSet::Modern
        }
    }
}

/// Why a game ended, with the letters of the game archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// A rabbit reached its goal rank (`g`).
    Goal,
    /// A side had no legal turn (`m`).
    Immobilised,
    /// A side lost all its rabbits (`e`).
    Elimination,
    /// A side ran out of time (`t`).
    Time,
    /// A side resigned (`r`).
    Resignation,
    /// A side made an illegal move (`i`).
    IllegalMove,
    /// A side forfeited (`f`).
    Forfeit,
    /// The game was abandoned (`a`).
    Abandoned,
    /// The game limit was reached and pieces were counted (`s`).
    Score,
    /// A position occurred for the third time, under the old rules (`p`).
    Repetition,
    /// A draw, under the old rules (`n`).
    Draw,
}

impl Termination {
    /// All of them.
    pub const ALL: [Termination; 11] = [
        Termination::Goal,
        Termination::Immobilised,
        Termination::Elimination,
        Termination::Time,
        Termination::Resignation,
        Termination::IllegalMove,
        Termination::Forfeit,
        Termination::Abandoned,
        Termination::Score,
        Termination::Repetition,
        Termination::Draw,
    ];

    /// The letter used in archives.
    pub const fn to_char(self) -> char {
        match self {
            Termination::Goal => 'g',
            Termination::Immobilised => 'm',
            Termination::Elimination => 'e',
            Termination::Time => 't',
            Termination::Resignation => 'r',
            Termination::IllegalMove => 'i',
            Termination::Forfeit => 'f',
            Termination::Abandoned => 'a',
            Termination::Score => 's',
            Termination::Repetition => 'p',
            Termination::Draw => 'n',
        }
    }

    /// Reads the letter.
    pub fn from_char(c: char) -> Option<Termination> {
        Self::ALL.into_iter().find(|t| t.to_char() == c)
    }

    /// Is it decided on the board, so that replaying the moves shows it?
    pub const fn is_on_board(self) -> bool {
        matches!(
            self,
            Termination::Goal | Termination::Immobilised | Termination::Elimination
        )
    }

    /// "by goal", "by resignation", ...
    pub const fn phrase(self) -> &'static str {
        match self {
            Termination::Goal => "by goal",
            Termination::Immobilised => "by immobilisation",
            Termination::Elimination => "by elimination of all rabbits",
            Termination::Time => "on time",
            Termination::Resignation => "by resignation",
            Termination::IllegalMove => "by an illegal move",
            Termination::Forfeit => "by forfeit",
            Termination::Abandoned => "as the game was abandoned",
            Termination::Score => "by piece count at the game limit",
            Termination::Repetition => "by third repetition",
            Termination::Draw => "as neither side has rabbits",
        }
    }
}

/// The end of a game.
///
/// ```
/// use hathi_rules::{Outcome, Side, Termination};
/// let outcome = Outcome::win(Side::Gold, Termination::Goal);
/// assert_eq!(outcome.to_string(), "Gold wins by goal");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why.
    pub termination: Termination,
}

impl Outcome {
    /// A win.
    pub const fn win(winner: Side, termination: Termination) -> Outcome {
        Outcome {
            winner: Some(winner),
            termination,
        }
    }

    /// The draw of the old rules.
    pub const DRAW: Outcome = Outcome {
        winner: None,
        termination: Termination::Draw,
    };

    /// What the board says after `mover` has finished a turn: the first of
    /// the rules 1 to 5 that holds. (Rule 6, only illegal turns left, needs
    /// the history: see [`Game`](crate::Game).)
    ///
    /// 1. the mover's rabbit on goal, 2. the opponent's rabbit on goal (the
    ///    mover pushed it there), 3. the opponent without rabbits, 4. the
    ///    mover without rabbits, 5. the opponent without a step.
    #[inline]
    pub fn on_board(board: &Board, mover: Side, rules: RuleSet) -> Option<Outcome> {
        let next = mover.opponent();
        let goals = board.on_goal();
        let won = |side, termination| Some(Outcome::win(side, termination));
        if goals[mover] {
            return won(mover, Termination::Goal);
        }
        if goals[next] {
            return won(next, Termination::Goal);
        }
        let lost_rabbits = |side| board.rabbits(side).is_empty();
        match rules {
            RuleSet::Modern => {
                if lost_rabbits(next) {
                    return won(mover, Termination::Elimination);
                }
                if lost_rabbits(mover) {
                    return won(next, Termination::Elimination);
                }
            }
            RuleSet::Before2008 => {
                if lost_rabbits(next) && lost_rabbits(mover) {
                    return Some(Outcome::DRAW);
                }
            }
        }
        if !board.can_move(next) {
            return won(mover, Termination::Immobilised);
        }
        None
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{} wins {}", side.name(), self.termination.phrase()),
            None => write!(f, "draw {}", self.termination.phrase()),
        }
    }
}
