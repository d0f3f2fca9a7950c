//! Positions as text: the drawn board and the one-line form.
//!
//! Reading takes every variant seen in files and forums; printing gives the
//! canonical one:
//!
//! ```text
//! g
//!  +-----------------+
//! 8| r r r r r r r r |
//! 7| h d c e m c d h |
//! 6| . . x . . x . . |
//! 5| . . . . . . . . |
//! 4| . . . . . . . . |
//! 3| . . x . . x . . |
//! 2| H D C M E C D H |
//! 1| R R R R R R R R |
//!  +-----------------+
//!    a b c d e f g h
//! ```
//!
//! and `g [rrrrrrrrhdcemcdh   ...   RRRRRRRR]`, 64 characters from a8 to h1.
//! A label such as `12s` (or the older `w`, `b`) may stand for the side; the
//! frame, rank numbers and the footer may be missing; an empty square is a
//! space or a dot, or `x` on a trap.

use std::fmt;
use std::str::FromStr;

use crate::diagram::Diagram;
use crate::{Board, File, Piece, Position, Rank, Side, Square};

/// The text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// No side to move was given.
    #[error("the side to move is missing: start with `g` or `s`")]
    MissingSide,
    /// What stands before the board is no side.
    #[error("`{0}` is no side to move: expected `g` or `s`, with a move number or without")]
    BadSide(String),
    /// The text between the brackets is not 64 squares.
    #[error("the short form needs 64 squares between `[` and `]`, found {0}")]
    ShortLength(usize),
    /// There is text after the short form.
    #[error("`{0}` stands after the position")]
    TrailingText(String),
    /// No `]`.
    #[error("the short form is not closed by `]`")]
    Unclosed,
    /// Not eight ranks.
    #[error("expected 8 ranks (lines such as `8| r . c . . . . . |`), found {0}")]
    RankCount(usize),
    /// The ranks are numbered in another order than 8 to 1.
    #[error("rank {found} stands where rank {expected} should be")]
    RankOrder {
        /// The rank that comes next.
        expected: Rank,
        /// The number in the text.
        found: char,
    },
    /// A rank that is not eight squares wide.
    #[error("rank {rank} is not eight squares wide: `{text}`")]
    RankWidth {
        /// Which one.
        rank: Rank,
        /// Its text.
        text: String,
    },
    /// A character that is no piece.
    #[error("`{found}` on {square} is no piece: expected one of RCDHME rcdhme, `.` or a space")]
    NotAPiece {
        /// Where.
        square: Square,
        /// What.
        found: char,
    },
}

impl Position {
    /// Reads a position; `default_side` is used when the text names none.
    ///
    /// ```
    /// use hathi_rules::{Position, Side};
    /// let text = format!("[{}E{}]", " ".repeat(27), ".".repeat(36));
    /// let position = Position::parse_with_side(&text, Some(Side::Silver))?;
    /// assert_eq!(position.side_to_move(), Side::Silver);
    /// # Ok::<(), hathi_rules::ParsePositionError>(())
    /// ```
    pub fn parse_with_side(
        text: &str,
        default_side: Option<Side>,
    ) -> Result<Position, ParsePositionError> {
        let (head, board) = match text.split_once('[') {
            Some((head, rest)) => (head.trim(), read_short(rest)?),
            None => read_drawing(text)?,
        };
        let side = match read_side(head)? {
            Some(side) => side,
            None => default_side.ok_or(ParsePositionError::MissingSide)?,
        };
        Ok(Position::composed(board, side))
    }

    /// The one-line form: `g [64 characters]`. Steps taken in this turn are
    /// not part of it.
    pub fn short_form(&self) -> String {
        format!("{} {}", self.side_to_move(), self.board().short_form())
    }

    /// The drawn form, side to move first.
    pub fn long_form(&self) -> String {
        format!("{}\n{}", self.side_to_move(), Diagram(self.board()))
    }
}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        Position::parse_with_side(text, None)
    }
}

/// The one-line form.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short_form())
    }
}

impl Board {
    /// `[64 characters]`, a8 to h8, then a7 and so on to h1.
    pub fn short_form(&self) -> String {
        let mut text = String::with_capacity(66);
        text.push('[');
        for square in reading_order() {
            text.push(self.piece_at(square).map_or(' ', Piece::to_char));
        }
        text.push(']');
        text
    }
}

/// a8 to h8, a7 to h7, ... a1 to h1: the order in which a board is read.
pub(crate) fn reading_order() -> impl Iterator<Item = Square> {
    Rank::ALL
        .into_iter()
        .rev()
        .flat_map(|rank| File::ALL.map(|file| Square::new(file, rank)))
}

/// `g`, `12s`, `3w` and the like; nothing at all is no side.
fn read_side(head: &str) -> Result<Option<Side>, ParsePositionError> {
    let head = head.trim();
    if head.is_empty() {
        return Ok(None);
    }
    let bad = || ParsePositionError::BadSide(crate::shorten(head));
    let letters = head.trim_start_matches(|c: char| c.is_ascii_digit());
    let mut chars = letters.chars();
    match (chars.next().and_then(Side::from_char), chars.as_str()) {
        (Some(side), "") => Ok(Some(side)),
        _ => match head.to_ascii_lowercase().as_str() {
            "gold" => Ok(Some(Side::Gold)),
            "silver" => Ok(Some(Side::Silver)),
            _ => Err(bad()),
        },
    }
}

fn read_square(c: char, square: Square) -> Result<Option<Piece>, ParsePositionError> {
    match c {
        ' ' | '.' => Ok(None),
        'x' | 'X' if square.is_trap() => Ok(None),
        _ => Piece::from_char(c)
            .map(Some)
            .ok_or(ParsePositionError::NotAPiece { square, found: c }),
    }
}

/// What stands after `[`.
fn read_short(rest: &str) -> Result<Board, ParsePositionError> {
    let (squares, after) = rest.split_once(']').ok_or(ParsePositionError::Unclosed)?;
    if !after.trim().is_empty() {
        return Err(ParsePositionError::TrailingText(crate::shorten(
            after.trim(),
        )));
    }
    let count = squares.chars().count();
    if count != 64 {
        return Err(ParsePositionError::ShortLength(count));
    }
    let mut board = Board::EMPTY;
    for (c, square) in squares.chars().zip(reading_order()) {
        if let Some(piece) = read_square(c, square)? {
            board.place(square, piece);
        }
    }
    Ok(board)
}

/// Is this line the frame or the footer with the file letters?
fn is_decoration(line: &str) -> bool {
    let framed = line.starts_with('+') || line.chars().all(|c| matches!(c, '-' | '+' | ' '));
    let footer = line.split_whitespace().count() >= 4
        && line.split_whitespace().all(|word| {
            let mut chars = word.chars();
            chars.next().and_then(File::from_char).is_some() && chars.as_str().is_empty()
        });
    framed || footer
}

/// The drawn form: the text before the first rank, and the board.
fn read_drawing(text: &str) -> Result<(&str, Board), ParsePositionError> {
    let mut head = "";
    let mut board = Board::EMPTY;
    let mut ranks = Rank::ALL.into_iter().rev();
    let mut count = 0;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        let Some((number, squares)) = line.split_once('|') else {
            if is_decoration(trimmed) {
                continue;
            }
            if count > 0 {
                return Err(ParsePositionError::TrailingText(crate::shorten(trimmed)));
            }
            if !head.is_empty() {
                return Err(ParsePositionError::BadSide(crate::shorten(trimmed)));
            }
            head = trimmed;
            continue;
        };
        count += 1;
        let Some(rank) = ranks.next() else {
            continue; // counted, and reported below
        };
        if let Some(found) = number.trim().chars().next()
            && found != rank.to_char()
        {
            return Err(ParsePositionError::RankOrder {
                expected: rank,
                found,
            });
        }
        read_rank(squares, rank, &mut board)?;
    }
    if count != 8 {
        return Err(ParsePositionError::RankCount(count));
    }
    Ok((head, board))
}

/// The squares of one rank, after the first `|`: either a space before each
/// (`" r . c"`), or eight characters without spaces between.
fn read_rank(squares: &str, rank: Rank, board: &mut Board) -> Result<(), ParsePositionError> {
    let too_wide = || ParsePositionError::RankWidth {
        rank,
        text: crate::shorten(squares),
    };
    // Trailing spaces may have been lost with the closing bar.
    let (inside, closed) = match squares.split_once('|') {
        Some((inside, _)) => (inside, true),
        None => (squares, false),
    };
    let chars: Vec<char> = inside.chars().take(32).collect();
    let compact = chars.len() == 8 && (closed || !chars.starts_with(&[' ']));
    let at = |i: usize| {
        let column = if compact { i } else { 2 * i + 1 };
        chars.get(column).copied().unwrap_or(' ')
    };
    let gap_is_clear = compact || chars.iter().step_by(2).all(|&c| c == ' ');
    if !gap_is_clear || chars.len() > 17 || (closed && !compact && chars.len() < 16) {
        return Err(too_wide());
    }
    for (i, file) in File::ALL.into_iter().enumerate() {
        let square = Square::new(file, rank);
        if let Some(piece) = read_square(at(i), square)? {
            board.place(square, piece);
        }
    }
    Ok(())
}
