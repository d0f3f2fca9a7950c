//! The win-in-two list: positions of archived games with a winning turn.
//!
//! ```text
//! 4:26b re5s re4e rf4s rf3s
//! 4121:53b he4s rh4w rg4w rf4s  [11]
//! ```
//!
//! Game (see [`GameId`]), move and side, the turn, and now and then a number whose meaning
//! nobody knows.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::str::FromStr;
use std::sync::Arc;

use hathi_rules::{
    Game, IllegalTurn, Label, Lines, ParseLabelError, ParseTurnError, Ply, Position, Replay,
    RuleSet, Turn,
};

use crate::text::{decode, shorten};
use crate::{GameId, ParseGameIdError, Place};

/// A line of the list.
///
/// ```
/// use hathi_archive::Puzzle;
/// let puzzle: Puzzle = "4121:53b he4s rh4w rg4w rf4s  [11]".parse()?;
/// assert_eq!(puzzle.game.number(), 4121);
/// assert_eq!(puzzle.label.to_string(), "53s");
/// assert_eq!(puzzle.turn.len(), 4);
/// assert_eq!(puzzle.mark, Some(11));
/// # Ok::<(), hathi_archive::PuzzleFault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The game it is from.
    pub game: GameId,
    /// The move before which the position stood on the board.
    pub label: Label,
    /// The turn that wins, as written.
    pub turn: Turn,
    /// The number in brackets.
    pub mark: Option<u32>,
}

/// What is wrong with a line of the list.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleFault {
    /// Not of the form `game:move turn`.
    #[error("`{0}` is no puzzle: expected `game:move turn`, such as `4:27b re3s re2s`")]
    Form(String),
    /// The game is no number.
    #[error(transparent)]
    Game(#[from] ParseGameIdError),
    /// The move is no label.
    #[error(transparent)]
    Label(#[from] ParseLabelError),
    /// The turn cannot be read.
    #[error(transparent)]
    Turn(#[from] ParseTurnError),
    /// There is no turn.
    #[error("no turn is given")]
    NoTurn,
    /// The number in brackets is none.
    #[error("`{0}` is not a number in brackets")]
    Mark(String),
    /// A line no puzzle needs.
    #[error("the line is longer than {limit} bytes and is skipped")]
    LineTooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] Arc<io::Error>),
}

/// A line that is no puzzle, with its place.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct PuzzleError {
    /// Where.
    pub place: Place,
    /// What.
    pub fault: PuzzleFault,
}

impl FromStr for Puzzle {
    type Err = PuzzleFault;

    fn from_str(text: &str) -> Result<Puzzle, PuzzleFault> {
        let form = || PuzzleFault::Form(shorten(text.as_bytes()));
        let (place, rest) = text
            .trim()
            .split_once(char::is_whitespace)
            .ok_or_else(form)?;
        // A game may have a colon of its own: `sample:4:26b`.
        let (game, label) = place.rsplit_once(':').ok_or_else(form)?;
        let (turn, mark) = match rest.split_once('[') {
            None => (rest, None),
            Some((turn, mark)) => {
                let number = mark
                    .trim_end()
                    .strip_suffix(']')
                    .and_then(|n| n.trim().parse().ok());
                let bad = || PuzzleFault::Mark(shorten(mark.as_bytes()));
                (turn, Some(number.ok_or_else(bad)?))
            }
        };
        let turn: Turn = turn.trim().parse()?;
        if turn.is_empty() {
            return Err(PuzzleFault::NoTurn);
        }
        Ok(Puzzle {
            game: game.parse()?,
            label: label.parse()?,
            turn,
            mark,
        })
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = crate::write::letter(self.label.side);
        write!(f, "{}:{}{side} {}", self.game, self.label.number, self.turn)?;
        match self.mark {
            Some(mark) => write!(f, "  [{mark}]"),
            None => Ok(()),
        }
    }
}

/// Reads a list of puzzles line by line; blank lines and comments (`#`) are
/// skipped. Errors are delivered in their place and reading goes on.
#[derive(Debug)]
pub struct PuzzleReader<R> {
    reader: R,
    file: Arc<str>,
    line: u64,
    buffer: Vec<u8>,
    done: bool,
}

/// Longest line of a puzzle list; real ones have 45 characters.
const LINE_LIMIT: usize = 4096;

impl<R: BufRead> PuzzleReader<R> {
    /// Reads from anything; the name is for messages.
    pub fn new(name: &str, reader: R) -> PuzzleReader<R> {
        PuzzleReader {
            reader,
            file: name.into(),
            line: 0,
            buffer: Vec::new(),
            done: false,
        }
    }

    /// Reads the next line; nothing at the end.
    fn next_line(&mut self) -> Option<Result<(), PuzzleFault>> {
        self.buffer.clear();
        self.line += 1;
        let limit = LINE_LIMIT as u64 + 1;
        let failed = |error| PuzzleFault::from(Arc::new(error));
        let read = self
            .reader
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut self.buffer);
        match read {
            Ok(0) => None,
            Ok(_) if self.buffer.ends_with(b"\n") || self.buffer.len() <= LINE_LIMIT => {
                Some(Ok(()))
            }
            Ok(_) => match self.reader.skip_until(b'\n') {
                Ok(_) => Some(Err(PuzzleFault::LineTooLong { limit: LINE_LIMIT })),
                Err(error) => Some(Err(failed(error))),
            },
            Err(error) => Some(Err(failed(error))),
        }
    }
}

impl<R: BufRead> Iterator for PuzzleReader<R> {
    type Item = Result<Puzzle, PuzzleError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            let Some(read) = self.next_line() else {
                self.done = true;
                break;
            };
            let line = self.buffer.trim_ascii();
            if read.is_ok() && (line.is_empty() || line[0] == b'#') {
                continue;
            }
            self.done = matches!(read, Err(PuzzleFault::Io(_)));
            let puzzle = read.and_then(|()| decode(line).parse::<Puzzle>());
            return Some(puzzle.map_err(|fault| PuzzleError {
                place: Place::line(&self.file, self.line),
                fault,
            }));
        }
        None
    }
}

/// A puzzle found in its game.
#[derive(Clone, Copy, Debug)]
pub struct LinkedPuzzle {
    /// Where the position is.
    pub place: PuzzlePlace,
    /// The position.
    pub position: Position,
    /// The turn, removals filled in.
    pub turn: Turn,
    /// The position it leads to.
    pub after: Position,
}

/// Where in a game a puzzle's position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzlePlace {
    /// In the game as it remained.
    Game {
        /// Index into [`Game::positions`].
        index: usize,
        /// The puzzle's turn is the one that was played there.
        played: bool,
    },
    /// In moves that were taken back.
    TakenBack,
}

/// Why a puzzle cannot be found in its game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkFault {
    /// The move is a setup, or has the number 0.
    #[error("move {0} is no turn")]
    NotATurn(Label),
    /// The game ends before that move.
    #[error("the game ends before move {label}, it has {turns} turns")]
    TooShort {
        /// The move of the puzzle.
        label: Label,
        /// Turns of the game.
        turns: usize,
    },
    /// The turn is not legal there.
    #[error("the turn is not legal at move {label}: {reason}")]
    Illegal {
        /// The move of the puzzle.
        label: Label,
        /// Why not.
        reason: IllegalTurn,
    },
}

impl Puzzle {
    /// Finds the position in its game, as it remained after takebacks, and
    /// checks the turn there.
    pub fn link(&self, game: &Game) -> Result<LinkedPuzzle, LinkFault> {
        let label = self.label;
        let index = Ply::of_label(label)
            .ok_or(LinkFault::NotATurn(label))?
            .turns();
        let too_short = LinkFault::TooShort {
            label,
            turns: game.turns().len(),
        };
        let position = game.positions().get(index).ok_or(too_short)?;
        let found = self.check(position, PuzzlePlace::TakenBack)?;
        let played = game.turns().get(index) == Some(&found.turn);
        Ok(LinkedPuzzle {
            place: PuzzlePlace::Game { index, played },
            ..found
        })
    }

    /// As [`link`](Puzzle::link), from the move list, and if that fails among
    /// the moves taken back.
    ///
    /// The list was made from the archive's text, where a move number may
    /// stand several times: `27w ...`, `27b takeback`, `27w ...`. Which `27b`
    /// a puzzle means it does not say; a turn that is legal in only one of
    /// them does.
    pub fn link_moves(&self, movelist: &[u8], rules: RuleSet) -> Result<LinkedPuzzle, LinkFault> {
        let mut replay = Replay::new(rules);
        let mut taken_back = None;
        for line in Lines::new(movelist).map_while(Result::ok) {
            if line.label == self.label && replay.game.must_set_up().is_none() {
                let position = replay.game.position();
                if position.side_to_move() == self.label.side
                    && let Ok(found) = self.check(&position, PuzzlePlace::TakenBack)
                {
                    taken_back.get_or_insert(found);
                }
            }
            match line.action() {
                Ok(None) => {}
                Ok(Some(action)) if replay.play(line.label, &action).is_ok() => {}
                _ => break,
            }
        }
        self.link(&replay.game)
            .or_else(|fault| taken_back.ok_or(fault))
    }

    /// Is the turn legal here?
    fn check(&self, position: &Position, place: PuzzlePlace) -> Result<LinkedPuzzle, LinkFault> {
        let (turn, after) =
            position
                .check_turn(&self.turn)
                .map_err(|reason| LinkFault::Illegal {
                    label: self.label,
                    reason,
                })?;
        Ok(LinkedPuzzle {
            place,
            position: *position,
            turn,
            after,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: &str) -> String {
        line.parse::<Puzzle>().unwrap_err().to_string()
    }

    #[test]
    fn says_what_is_wrong_with_a_line() {
        assert!(fault("nonsense").starts_with("`nonsense` is no puzzle"));
        assert!(fault("x:4b ra2s").starts_with("`x` is not a game id"));
        assert!(fault("4:b ra2s").starts_with("`b` is no move label"));
        assert!(fault("4:4b ra2").contains("ra2"));
        assert_eq!(fault("4:4b pass"), "no turn is given");
        assert_eq!(fault("4:4b ra2s [x]"), "`x]` is not a number in brackets");
    }

    #[test]
    fn goes_on_after_a_bad_line() {
        let long = "9".repeat(10_000);
        let text = format!("4:27b re3s\n{long}\n\n# comment\nbad\r\n13:23w Hh5w ch6s");
        let read: Vec<_> = PuzzleReader::new("p", text.as_bytes())
            .map(|puzzle| puzzle.map(|p| p.to_string()).map_err(|e| e.to_string()))
            .collect();
        assert_eq!(read.len(), 4);
        assert_eq!(read[0].as_deref(), Ok("4:27b re3s"));
        assert_eq!(
            read[1].as_ref().unwrap_err(),
            "p, line 2: the line is longer than 4096 bytes and is skipped"
        );
        assert!(
            read[2]
                .as_ref()
                .unwrap_err()
                .starts_with("p, line 5: `bad` is no puzzle")
        );
        assert_eq!(read[3].as_deref(), Ok("13:23w Hh5w ch6s"));
        let sample: Puzzle = "sample:4:27b re3s".parse().unwrap();
        assert_eq!(sample.game.to_string(), "sample:4");
        assert_eq!(sample.to_string(), "sample:4:27b re3s");
    }

    const MOVES: &str = "\
1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1b ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8
2w Ee2n
2b takeback
2w Md2n
2b ed7s
3w";

    fn link(puzzle: &str) -> Result<PuzzlePlace, String> {
        let puzzle: Puzzle = puzzle.parse().unwrap();
        puzzle
            .link_moves(MOVES.as_bytes(), RuleSet::Modern)
            .map(|found| found.place)
            .map_err(|fault| fault.to_string())
    }

    #[test]
    fn finds_the_position_in_the_game() {
        let place = |index, played| Ok(PuzzlePlace::Game { index, played });
        assert_eq!(link("1:2b ed7s"), place(1, true));
        assert_eq!(link("1:2b me7s"), place(1, false));
        assert_eq!(link("1:3w Md3n"), place(2, false));
        // The elephant was on e3 only until that was taken back.
        let puzzle: Puzzle = "1:2b me7s".parse().unwrap();
        assert_eq!(puzzle.label.index(), Some(3));
    }

    #[test]
    fn says_why_it_cannot_be_linked() {
        assert_eq!(link("1:1w Md3n"), Err("move 1g is no turn".to_owned()));
        assert_eq!(
            link("1:3b ed6s"),
            Err("the game ends before move 3s, it has 2 turns".to_owned())
        );
        assert!(
            link("1:2b ed6s")
                .unwrap_err()
                .starts_with("the turn is not legal at move 2s")
        );
    }
}
