//! A game as an archive keeps it.

use hathi_rules::{BySide, Outcome, RuleSet, Side, Termination, TimeControl, TimeControlError};

use crate::GameId;

/// Who or what plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlayerKind {
    /// A human (`h`).
    Human,
    /// A program (`b`).
    Bot,
    /// The archive does not say.
    #[default]
    Unknown,
}

impl PlayerKind {
    /// The letter of the archive; none if unknown.
    pub const fn to_char(self) -> Option<char> {
        match self {
            PlayerKind::Human => Some('h'),
            PlayerKind::Bot => Some('b'),
            PlayerKind::Unknown => None,
        }
    }

    /// Reads the letter of the archive.
    pub const fn from_char(c: char) -> PlayerKind {
        match c {
            'h' | 'H' => PlayerKind::Human,
            'b' | 'B' => PlayerKind::Bot,
            _ => PlayerKind::Unknown,
        }
    }
}

/// A player as of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Number on the game server. The archive's 0 is no number.
    pub id: Option<u64>,
    /// Name; empty if unknown.
    pub name: String,
    /// Title; mostly empty.
    pub title: String,
    /// Country, two letters; may be empty.
    pub country: String,
    /// Rating. The archive's 0 is no rating.
    pub rating: Option<i32>,
    /// How fast the rating changes; -1 in the first years.
    pub rating_k: Option<i32>,
    /// Human or bot.
    pub kind: PlayerKind,
}

impl Player {
    /// A person of this name.
    pub fn human(name: impl Into<String>) -> Player {
        Player {
            name: name.into(),
            kind: PlayerKind::Human,
            ..Player::default()
        }
    }

    /// A program of this name.
    pub fn bot(name: impl Into<String>) -> Player {
        Player {
            name: name.into(),
            kind: PlayerKind::Bot,
            ..Player::default()
        }
    }
}

/// A game of an archive, on its own. (While reading, [`RawRow`](crate::RawRow)
/// gives the same without copying.)
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchivedGame {
    /// What it is known by.
    pub id: GameId,
    /// Who played.
    pub players: BySide<Player>,
    /// The event, such as `Casual game`.
    pub event: String,
    /// Where it was played, such as `Over the Net`.
    pub site: String,
    /// The time control as written; see [`ArchivedGame::time_control`].
    pub time_control: String,
    /// Played by correspondence.
    pub postal: bool,
    /// Start in seconds since 1970.
    pub start: Option<i64>,
    /// End in seconds since 1970.
    pub end: Option<i64>,
    /// Who won, as recorded.
    pub result: Option<Side>,
    /// Why, as recorded.
    pub termination: Option<Termination>,
    /// The last full-move number (the archive calls it `plycount`).
    pub last_move: Option<u32>,
    /// The rule set as written, `IGS` in all known games.
    pub mode: String,
    /// It counted for the ratings.
    pub rated: bool,
    /// The archive marks it as damaged.
    pub corrupt: bool,
    /// The moves exactly as written, with literal `\n` between them.
    pub movelist: Vec<u8>,
    /// The log of the game exactly as written, if it was asked for and is
    /// not `NULL`.
    pub events: Option<Vec<u8>>,
}

impl ArchivedGame {
    /// The time control, understood.
    pub fn time_control(&self) -> Result<TimeControl, TimeControlError> {
        self.time_control.parse()
    }

    /// The rules in force when it was played.
    pub fn rules(&self) -> RuleSet {
        rules_at(self.start)
    }

    /// The recorded outcome.
    pub fn recorded(&self) -> Option<Outcome> {
        recorded(self.result, self.termination)
    }
}

/// A game without a date is taken for a new one.
pub(crate) fn rules_at(start: Option<i64>) -> RuleSet {
    start.map_or(RuleSet::Modern, RuleSet::at_unix_time)
}

/// A reason without a winner is an outcome (a draw, an abandoned game), a
/// winner without a reason is not.
pub(crate) fn recorded(winner: Option<Side>, termination: Option<Termination>) -> Option<Outcome> {
    termination.map(|termination| Outcome {
        winner,
        termination,
    })
}
