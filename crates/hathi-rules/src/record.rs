//! Games in notation: move lists with labels, takebacks and resignations.
//!
//! ```text
//! 1g Ra2 Rb2 Mc2 ...
//! 1s ra7 rb7 rc7 ...
//! 2g Ra2n Ra3e Rb3n Rb4e
//! 2s takeback
//! 2g Ra2n
//! 2s resigns
//! ```
//!
//! `w` and `b` for `g` and `s` are read everywhere. Lines end with a newline
//! or, as in archive files, with the two characters `\n`. A list may end with
//! the bare label of the side to move.

use std::fmt;
use std::str::FromStr;

use crate::{
    Game, IllegalTurn, Outcome, ParseSetupError, ParseTurnError, Position, RuleSet, Setup,
    SetupError, Side, Termination, Turn,
};

/// The label of a move: `3g` is Gold's third (the setup is the first).
///
/// ```
/// use hathi_rules::{Label, Side};
/// let label: Label = "12b".parse()?;
/// assert_eq!((label.number, label.side), (12, Side::Silver));
/// assert_eq!(label.to_string(), "12s");
/// # Ok::<(), hathi_rules::ParseLabelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// Move number; Gold's and Silver's moves of a round share it.
    pub number: u32,
    /// Whose move.
    pub side: Side,
}

impl Label {
    /// The label of the move with this index in a record, from 0 for Gold's
    /// setup. For turns there is [`Ply`](crate::Ply).
    pub const fn at_index(index: usize) -> Label {
        Label {
            number: (index / 2 + 1) as u32,
            side: if index.is_multiple_of(2) {
                Side::Gold
            } else {
                Side::Silver
            },
        }
    }

    /// From 0 for Gold's setup; none for move number 0.
    pub const fn index(self) -> Option<usize> {
        match self.number.checked_sub(1) {
            Some(rounds) => Some(rounds as usize * 2 + self.side.index()),
            None => None,
        }
    }

    fn read(word: &[u8]) -> Option<Label> {
        let (&side, digits) = word.split_last()?;
        if digits.is_empty() || digits.len() > 6 {
            return None;
        }
        let mut number = 0;
        for &digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            number = number * 10 + u32::from(digit - b'0');
        }
        let side = Side::from_char(side as char)?;
        Some(Label { number, side })
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.side)
    }
}

/// The text is no label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no move label: expected a number and a side, such as `12g`")]
pub struct ParseLabelError(String);

impl FromStr for Label {
    type Err = ParseLabelError;

    fn from_str(text: &str) -> Result<Label, ParseLabelError> {
        Label::read(text.as_bytes()).ok_or_else(|| ParseLabelError(crate::shorten(text)))
    }
}

/// What a player did at a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Placed the pieces.
    SetUp(Setup),
    /// Made a turn.
    Play(Turn),
    /// Had the last ply undone.
    TakeBack,
    /// Gave up.
    Resign,
    /// Found the game lost (the opponent had reached goal).
    Lose,
}

/// One line of a move list, split but not yet understood.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Line number in the text, from 1.
    pub number: usize,
    /// The label it starts with.
    pub label: Label,
    /// What follows, trimmed.
    pub text: &'a [u8],
}

/// The lines of a move list. Blank lines and comments (`#`) are skipped.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: Option<&'a [u8]>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// Splits a text at newlines and at the two characters `\n`.
    pub fn new(text: &'a [u8]) -> Lines<'a> {
        Lines {
            rest: Some(text),
            number: 0,
        }
    }

    /// The next raw line.
    #[inline]
    fn next_line(&mut self) -> Option<&'a [u8]> {
        let text = self.rest?;
        self.number += 1;
        let mut from = 0;
        loop {
            let Some(at) = memchr::memchr2(b'\n', b'\\', &text[from..]) else {
                self.rest = None;
                return Some(text);
            };
            let at = from + at;
            if text[at] == b'\n' {
                self.rest = Some(&text[at + 1..]);
                return Some(&text[..at]);
            }
            if text.get(at + 1) == Some(&b'n') {
                self.rest = Some(&text[at + 2..]);
                return Some(&text[..at]);
            }
            from = at + 1;
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Result<Line<'a>, RecordError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.next_line()?.trim_ascii();
            if line.is_empty() || line[0] == b'#' {
                continue;
            }
            let end = line
                .iter()
                .position(u8::is_ascii_whitespace)
                .unwrap_or(line.len());
            let (word, text) = line.split_at(end);
            return Some(match Label::read(word) {
                Some(label) => Ok(Line {
                    number: self.number,
                    label,
                    text: text.trim_ascii_start(),
                }),
                None => Err(RecordError {
                    line: self.number,
                    label: None,
                    reason: RecordFault::NoLabel(crate::shorten_bytes(word)),
                }),
            });
        }
    }
}

impl Line<'_> {
    /// What the line says; nothing if it is a bare label.
    #[inline]
    pub fn action(&self) -> Result<Option<Action>, RecordError> {
        let text = self.text;
        let action = match text {
            b"" => return Ok(None),
            b"takeback" => Action::TakeBack,
            b"resigns" | b"resign" => Action::Resign,
            b"lost" => Action::Lose,
            _ if self.label.number <= 1 => {
                Action::SetUp(Setup::read(text).map_err(|error| self.error(error.into()))?)
            }
            _ => Action::Play(Turn::read(text).map_err(|error| self.error(error.into()))?),
        };
        Ok(Some(action))
    }

    fn error(&self, reason: RecordFault) -> RecordError {
        RecordError {
            line: self.number,
            label: Some(self.label),
            reason,
        }
    }
}

/// A move list that cannot be read or replayed, with the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", self.place())]
pub struct RecordError {
    /// Line number, from 1.
    pub line: usize,
    /// The label of the move, if there is one.
    pub label: Option<Label>,
    /// What is wrong.
    pub reason: RecordFault,
}

impl RecordError {
    fn place(&self) -> String {
        match self.label {
            Some(label) => format!("move {label}"),
            None => format!("line {}", self.line),
        }
    }
}

/// What is wrong with a line of a move list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// The line does not start with a label.
    #[error("`{0}` is no move label: expected a number and a side, such as `12g`")]
    NoLabel(String),
    /// A setup that cannot be read.
    #[error(transparent)]
    Setup(#[from] ParseSetupError),
    /// A setup at the wrong time.
    #[error(transparent)]
    SetupOrder(#[from] SetupError),
    /// A turn that cannot be read.
    #[error(transparent)]
    Turn(#[from] ParseTurnError),
    /// A turn that is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalTurn),
    /// The label names the side whose turn it is not.
    #[error("it is {}'s turn", .0.name())]
    WrongSide(Side),
    /// A takeback with nothing to take back.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// A move after a resignation.
    #[error("the game has ended: {0}")]
    AfterTheEnd(Outcome),
}

/// A game in notation, as it was written: takebacks and all.
///
/// ```
/// use hathi_rules::{GameRecord, RuleSet, Side};
/// let record: GameRecord = "\
/// 1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
/// 1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
/// 2w Ee2n Ee3n
/// 2b takeback
/// 2w Ee2n Ee3n Ee4n
/// 2b resigns".parse()?;
/// let replay = record.replay(RuleSet::Modern)?;
/// assert_eq!(replay.game.turns().len(), 1);
/// assert_eq!(replay.outcome().unwrap().to_string(), "Gold wins by resignation");
/// assert!(record.to_string().ends_with("\n2s resigns\n"));
/// # Ok::<(), hathi_rules::RecordError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// The moves in the order written.
    pub moves: Vec<(Label, Action)>,
}

impl FromStr for GameRecord {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<GameRecord, RecordError> {
        GameRecord::parse(text.as_bytes())
    }
}

impl GameRecord {
    /// Reads a move list; bytes that are not UTF-8 are no problem in places
    /// that do not matter.
    pub fn parse(text: &[u8]) -> Result<GameRecord, RecordError> {
        let mut moves = Vec::new();
        for line in Lines::new(text) {
            let line = line?;
            if let Some(action) = line.action()? {
                moves.push((line.label, action));
            }
        }
        Ok(GameRecord { moves })
    }

    /// The record of a game that was played.
    pub fn of_game(game: &Game) -> GameRecord {
        let (gold, silver) = game.setups();
        let setups = [gold, silver].into_iter().flatten().copied();
        let first = game.positions().first().map(Position::side_to_move);
        let actions = setups
            .map(Action::SetUp)
            .chain(game.turns().iter().copied().map(Action::Play));
        // A game from a position has no setups; its turns start at move 2.
        let start = match (gold, first) {
            (Some(_), _) => 0,
            (None, Some(Side::Silver)) => 3,
            (None, _) => 2,
        };
        GameRecord {
            moves: actions
                .enumerate()
                .map(|(i, action)| (Label::at_index(start + i), action))
                .collect(),
        }
    }

    /// Replays the game by the rules; the error names the first move that
    /// breaks them.
    pub fn replay(&self, rules: RuleSet) -> Result<Replay, RecordError> {
        let mut replay = Replay::new(rules);
        for (i, (label, action)) in self.moves.iter().enumerate() {
            replay.play(*label, action).map_err(|reason| RecordError {
                line: i + 1,
                label: Some(*label),
                reason,
            })?;
        }
        Ok(replay)
    }
}

/// The canonical move list: `g` and `s`, removals as given, a newline after
/// each move.
impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (label, action) in &self.moves {
            writeln!(f, "{label} {action}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::SetUp(setup) => setup.fmt(f),
            // Only a record can hold it, no game: it must read back.
            Action::Play(turn) if turn.is_empty() => f.write_str("pass"),
            Action::Play(turn) => turn.fmt(f),
            Action::TakeBack => f.write_str("takeback"),
            Action::Resign => f.write_str("resigns"),
            Action::Lose => f.write_str("lost"),
        }
    }
}

/// A game being replayed from a record.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The game so far: on an error, up to the last legal move.
    pub game: Game,
    /// The side that resigned, or whose loss was written down.
    pub gave_up: Option<(Side, Action)>,
    /// How many takebacks there were.
    pub takebacks: usize,
}

impl Replay {
    /// Nothing played yet.
    pub fn new(rules: RuleSet) -> Replay {
        Replay {
            game: Game::new(rules),
            gave_up: None,
            takebacks: 0,
        }
    }

    /// Replays a move list straight from text, forgetting what was replayed
    /// before but keeping the memory. This is the way for many games: nothing
    /// is allocated. After an error the game stands at its last legal move.
    ///
    /// ```
    /// use hathi_rules::{Replay, RuleSet};
    /// let mut replay = Replay::new(RuleSet::Modern);
    /// let error = replay.read(b"1g Ra1\\n1s", RuleSet::Modern).unwrap_err();
    /// assert_eq!(error.to_string(), "move 1g: 1 rabbits are placed, a side has 8");
    /// ```
    pub fn read(&mut self, text: &[u8], rules: RuleSet) -> Result<(), RecordError> {
        self.game.restart(rules);
        self.gave_up = None;
        self.takebacks = 0;
        for line in Lines::new(text) {
            let line = line?;
            if let Some(action) = line.action()? {
                self.play(line.label, &action)
                    .map_err(|reason| line.error(reason))?;
            }
        }
        Ok(())
    }

    /// Plays one move of a record.
    pub fn play(&mut self, label: Label, action: &Action) -> Result<(), RecordFault> {
        if *action == Action::TakeBack {
            if !self.game.take_back() {
                return Err(RecordFault::NothingToTakeBack);
            }
            self.takebacks += 1;
            self.gave_up = None;
            return Ok(());
        }
        if self.gave_up.is_some()
            && let Some(outcome) = self.outcome()
        {
            return Err(RecordFault::AfterTheEnd(outcome));
        }
        match action {
            Action::SetUp(setup) => self.game.set_up(setup)?,
            Action::Play(turn) => {
                let side = self.game.side_to_move();
                if label.side != side && self.game.outcome().is_none() {
                    return Err(RecordFault::WrongSide(side));
                }
                self.game.play(turn)?;
            }
            Action::Resign | Action::Lose => self.gave_up = Some((label.side, *action)),
            Action::TakeBack => {}
        }
        Ok(())
    }

    /// The outcome on the board or, failing that, the one written down.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or_else(|| {
            let (side, action) = self.gave_up?;
            let termination = match action {
                Action::Lose => Termination::Goal,
                _ => Termination::Resignation,
            };
            Some(Outcome::win(side.opponent(), termination))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETUPS: &str = "\
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8
";

    fn replay(moves: &str) -> Result<Replay, String> {
        format!("{SETUPS}{moves}")
            .parse::<GameRecord>()
            .and_then(|record| record.replay(RuleSet::Modern))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn two_takebacks_undo_two_plies() {
        let replay =
            replay("2g Ee2n\n2s ed7s\n3g takeback\n2s takeback\n2g Md2n\n2s ed7s ed6s\n3g")
                .unwrap();
        assert_eq!(replay.takebacks, 2);
        let turns: Vec<String> = replay.game.turns().iter().map(Turn::to_string).collect();
        assert_eq!(turns, ["Md2n", "ed7s ed6s"]);
        assert_eq!(replay.game.ply_label(), "3g");
    }

    #[test]
    fn even_the_setups_can_be_taken_back() {
        let replay = replay("2g takeback\n1s takeback\n1g takeback").unwrap_err();
        assert_eq!(replay, "move 1g: there is nothing to take back");
    }

    #[test]
    fn names_the_move_and_the_step() {
        assert_eq!(
            replay("2g Ee2n\n2s ed7s ed6n ed7n").unwrap_err(),
            "move 2s: step 3 of 4, `ed7n`: d8 is occupied by the Silver rabbit"
        );
        assert_eq!(replay("2s ed7s").unwrap_err(), "move 2s: it is Gold's turn");
        assert_eq!(
            replay("2g resigns\n2s ed7s").unwrap_err(),
            "move 2s: the game has ended: Silver wins by resignation"
        );
        assert_eq!(
            replay("two Ee2n").unwrap_err(),
            "line 3: `two` is no move label: expected a number and a side, such as `12g`"
        );
    }

    #[test]
    fn literal_and_real_newlines_are_the_same() {
        let text = format!("{SETUPS}2g Ee2n\n2s resigns\n3g");
        let archived = text.replace('\n', "\\n").replace('g', "w");
        let archived = archived
            .replace("dw", "dg")
            .replace("cw", "cg")
            .replace("rw", "rg");
        let archived = archived.replace("Rw", "Rg").replace("Dw", "Dg");
        let archived = archived.replace("resiwns", "resigns");
        let one: GameRecord = text.parse().unwrap();
        let two: GameRecord = archived.parse().unwrap();
        assert_eq!(one, two);
        assert_eq!(one.to_string().parse::<GameRecord>().unwrap(), one);
    }

    #[test]
    fn labels_and_plies() {
        for ply in 0..10 {
            assert_eq!(Label::at_index(ply).index(), Some(ply));
        }
        assert_eq!("0g".parse::<Label>().unwrap().index(), None);
        for bad in ["", "g", "12", "12x", "g12", "9999999g", "-1g"] {
            assert!(bad.parse::<Label>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_played_game_gives_its_record() {
        let replay = replay("2g Ee2n\n2s ed7s").unwrap();
        let record = GameRecord::of_game(&replay.game);
        assert_eq!(record.to_string(), format!("{SETUPS}2g Ee2n\n2s ed7s\n"));
    }
}
