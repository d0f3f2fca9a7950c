//! What can be wrong with the text of a pattern, and where.

use hathi_rules::{Role, Square};

/// The text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct PatternError {
    /// Where it goes wrong.
    pub place: TextPlace,
    /// What is wrong there.
    pub fault: PatternFault,
}

/// A place in a text, for pointing at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The line, 1 for the first.
    pub line: usize,
    /// The character in the line, 1 for the first.
    pub column: usize,
}

impl TextPlace {
    /// The place of a byte in a text.
    pub(super) fn of(text: &str, offset: usize) -> TextPlace {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        TextPlace {
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
        }
    }
}

impl std::fmt::Display for TextPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "character {}", self.column)
    }
}

/// A fault and the byte of the text it is at.
pub(super) type Fault = (usize, PatternFault);

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternFault {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What could stand here.
        expected: &'static str,
        /// What does, in quotation marks, or "the end".
        found: String,
    },
    /// `<R`.
    #[error("nothing is weaker than a rabbit")]
    NothingWeaker,
    /// `>E`.
    #[error("nothing is stronger than an elephant")]
    NothingStronger,
    /// A count that is upside down or beyond the board.
    #[error("a count goes from 0 to 64 squares, the smaller number first")]
    BadCount,
    /// `2+Ed4`.
    #[error("a count needs an area, such as `2+{0}@near(c3)`")]
    CountWithoutArea(char),
    /// `trap(d4)`.
    #[error("{0} is no trap: these are c3, f3, c6 and f6")]
    NotATrap(Square),
    /// `_@home`.
    #[error("whose? write `{0}(g)` or `{0}(s)`")]
    WhoseRegion(&'static str),
    /// `Ed4 hd4`.
    #[error("nothing can stand on {0}: this contradicts what was said before")]
    Contradiction(Square),
    /// `g to move s to move`.
    #[error("the side to move was said to be the other one")]
    TwoMovers,
    /// A drawing that is not eight rows high.
    #[error("a drawn board has 8 rows, this one {0}")]
    RowCount(usize),
    /// A drawn row that is not eight cells wide.
    #[error("a row has 8 cells (`.` for any square, `_` for an empty one), this one {0}")]
    RowWidth(usize),
    /// Rows numbered otherwise than 8 to 1.
    #[error("row {found} stands where row {expected} should be")]
    RowOrder {
        /// The row that comes next.
        expected: char,
        /// The number in the text.
        found: char,
    },
    /// A cell of a drawn board that means nothing.
    #[error(
        "`{found}` on {square} means nothing: expected one of RCDHME rcdhme, `G`, `S`, `*`, `_` or `.`"
    )]
    BadCell {
        /// Where.
        square: Square,
        /// What.
        found: char,
    },
    /// A word that means nothing here.
    #[error("`{word}` is no word of the pattern language{}", suggested(*.suggestion))]
    UnknownWord {
        /// The word.
        word: String,
        /// A word that looks like it.
        suggestion: Option<&'static str>,
    },
    /// `hostage(d)`.
    #[error("only camels and horses are hostages: write `hostage(m)`, `hostage(=H)` or `hostage`")]
    NoHostage,
    /// `captures h by opponent`.
    #[error("whoever is not to move plays no turn here: write `by g`, `by s` or nothing")]
    WaitingPlays,
    /// `goal in 7`.
    #[error("a turn has 1 to 4 steps: write `goal in 1` to `goal in 4`")]
    NoSuchSteps,
    /// `gold lost e`, `gold lost 3H`.
    #[error("{0}")]
    NotToLose(&'static str),
    /// `move 20..10`, or a number nobody needs.
    #[error("expected numbers up to 100000, the smaller one first")]
    BadSpan,
    /// Brackets within brackets within brackets.
    #[error("brackets are nested more than {0} deep")]
    TooDeep(usize),
    /// `for 0 turns`.
    #[error("expected 1 to 1000 turns")]
    BadTurns,
    /// A bracket too many.
    #[error("this bracket closes nothing; leave it out or open one before")]
    Unopened,
    /// No condition at all.
    #[error("the pattern asks for nothing")]
    Empty,
    /// More conditions than anybody needs.
    #[error("a pattern has at most {0} conditions")]
    TooLong(usize),
}

/// For the end of a message.
fn suggested(word: Option<&'static str>) -> String {
    match word {
        Some(word) => format!("; did you mean `{word}`?"),
        None => "; `hathi find --help` lists them".to_owned(),
    }
}

impl PatternError {
    /// The line of the text that is wrong, and a mark below the place.
    ///
    /// ```
    /// use hathi_store::Pattern;
    /// let text = "Ed5 frozn(Hb3)";
    /// let error = Pattern::parse(text).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "character 5: `frozn` is no word of the pattern language; did you mean `frozen`?"
    /// );
    /// assert_eq!(error.marked(text), "Ed5 frozn(Hb3)\n    ^");
    /// ```
    pub fn marked(&self, text: &str) -> String {
        let line = text
            .split('\n')
            .nth(self.place.line - 1)
            .unwrap_or_default();
        // Tabs stay tabs, so that the mark stands below its place.
        let blanks = line.chars().map(|c| if c == '\t' { '\t' } else { ' ' });
        let before: String = blanks
            .chain(std::iter::repeat(' '))
            .take(self.place.column - 1)
            .collect();
        format!("{}\n{before}^", line.trim_end())
    }
}

impl PatternFault {
    /// There is no piece on that side of `role`.
    pub(super) fn beyond(role: Role) -> PatternFault {
        if role == Role::Rabbit {
            PatternFault::NothingWeaker
        } else {
            PatternFault::NothingStronger
        }
    }
}
