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
    /// No condition at all.
    #[error("the pattern asks for nothing")]
    Empty,
    /// More conditions than anybody needs.
    #[error("a pattern has at most {0} conditions")]
    TooLong(usize),
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
