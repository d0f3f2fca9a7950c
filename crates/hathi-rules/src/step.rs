//! One step of one piece, and how it is written: `Ea3n`, `rb3e rc3x`.

use std::fmt;
use std::str::FromStr;

use crate::{Bitboard, Direction, Piece, Role, Side, Square};

/// A piece moves one square. Two bytes.
///
/// A step also knows which piece it removes from a trap, if any. It can only
/// be one: a piece of the same side, on the trap next to the square that was
/// left (perhaps the very piece that moved, when it stepped onto the trap).
/// So the removed animal is all there is to remember:
///
/// ```text
/// bits  0-5 from   6-7 direction   8-11 piece   12-14 removed (0 none, 1 rabbit ... 6 elephant)
/// ```
///
/// ```
/// use hathi_rules::{Role, Square, Step};
/// let step: Step = "hc4s hc3x".parse()?;
/// assert_eq!(step.to(), Some(Square::C3));
/// assert_eq!(step.removed().map(|r| (r.piece.role(), r.square)), Some((Role::Horse, Square::C3)));
/// assert_eq!(step.to_string(), "hc4s hc3x");
/// # Ok::<(), hathi_rules::ParseStepError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Step(u16);

const _: () = assert!(size_of::<Step>() == 2);

/// A piece taken off the board because it stood on a trap without a friend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Removal {
    /// The piece that is gone.
    pub piece: Piece,
    /// The trap it stood on.
    pub square: Square,
}

impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}x", self.piece, self.square)
    }
}

impl Step {
    /// A step that removes nothing, as far as is known.
    #[inline]
    pub const fn new(piece: Piece, from: Square, direction: Direction) -> Step {
        Step(from.index() as u16 | (direction as u16) << 6 | (piece.code() as u16) << 8)
    }

    /// The same step, with what it removes from the trap beside it.
    #[inline]
    #[must_use]
    pub const fn removing(self, role: Option<Role>) -> Step {
        let code = match role {
            None => 0,
            Some(role) => role as u16 + 1,
        };
        Step(self.0 & 0x0fff | code << 12)
    }

    /// The same step without its removal.
    #[inline]
    #[must_use]
    pub const fn bare(self) -> Step {
        Step(self.0 & 0x0fff)
    }

    /// The piece that moves.
    #[inline]
    pub const fn piece(self) -> Piece {
        Piece::from_trusted_code((self.0 >> 8) as usize)
    }

    /// The square it leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// Where it heads.
    #[inline]
    pub const fn direction(self) -> Direction {
        Direction::from_low_bits(self.0 as u32 >> 6)
    }

    /// The square it enters, unless that is off the board (notation can say
    /// so; no generated step does).
    #[inline]
    pub const fn to(self) -> Option<Square> {
        self.from().step(self.direction())
    }

    /// The square it enters, of a step known to stay on the board.
    #[inline]
    pub(crate) const fn target(self) -> Square {
        self.from().step_unchecked(self.direction())
    }

    /// The squares whose contents this step changes.
    #[inline]
    pub fn changes(self) -> Bitboard {
        let to = self.to().map_or(Bitboard::EMPTY, Square::bit);
        let gone = self
            .removed()
            .map_or(Bitboard::EMPTY, |gone| gone.square.bit());
        self.from().bit() | to | gone
    }

    /// What falls into a trap because of this step.
    #[inline]
    pub const fn removed(self) -> Option<Removal> {
        if !self.captures() {
            return None;
        }
        let Some(role) = Role::from_index((self.0 >> 12 & 7).wrapping_sub(1) as usize) else {
            return None;
        };
        match self.from().adjacent_trap() {
            Some(square) => Some(Removal {
                piece: Piece::new(self.piece().side(), role),
                square,
            }),
            None => None,
        }
    }

    /// Does a piece leave the board?
    #[inline]
    pub const fn captures(self) -> bool {
        self.0 >> 12 != 0
    }

    /// Whose piece moves (not necessarily whose turn it is: a push or pull
    /// moves the enemy's).
    #[inline]
    pub const fn side(self) -> Side {
        self.piece().side()
    }

    /// The two bytes of the step, for files.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The step of two bytes from a file, unless they mean none: an unknown
    /// piece, a step off the board, or a removal where there is no trap.
    ///
    /// ```
    /// use hathi_rules::Step;
    /// let step: Step = "hc4s hc3x".parse()?;
    /// assert_eq!(Step::from_bits(step.to_bits()), Some(step));
    /// assert_eq!(Step::from_bits(0), None);
    /// # Ok::<(), hathi_rules::ParseStepError>(())
    /// ```
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Step> {
        let step = Step(bits);
        let known = Piece::from_code((bits >> 8) as usize).is_some();
        let removal = bits >> 12;
        let plausible = removal == 0 || (removal <= 6 && step.from().adjacent_trap().is_some());
        if known && plausible && step.to().is_some() {
            Some(step)
        } else {
            None
        }
    }

    /// Adds a removal token such as `rc3x` that was read after this step.
    pub(crate) fn with_removal_token(self, removal: Removal) -> Option<Step> {
        let fits = self.from().adjacent_trap() == Some(removal.square)
            && removal.piece.side() == self.side()
            && !self.captures();
        fits.then(|| self.removing(Some(removal.piece.role())))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.piece(), self.from(), self.direction())?;
        match self.removed() {
            Some(removal) => write!(f, " {removal}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One word of a turn in notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Step(Step),
    Removal(Removal),
    Placement(Piece, Square),
}

impl Token {
    /// Reads `Ea3n`, `rc3x` or `Ra1`.
    #[inline]
    pub(crate) fn read(word: &[u8]) -> Option<Token> {
        let (&[piece, file, rank], rest) = word.split_first_chunk()?;
        let piece = Piece::from_char(piece as char)?;
        let square = Square::from_ascii(file, rank)?;
        Some(match rest {
            [] => Token::Placement(piece, square),
            b"x" => Token::Removal(Removal { piece, square }),
            [direction] => {
                let direction = Direction::from_char(*direction as char)?;
                Token::Step(Step::new(piece, square, direction))
            }
            _ => return None,
        })
    }
}

/// The text is not a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseStepError {
    /// A word that is no step.
    #[error("`{0}` is not a step: expected piece, square and direction, such as `Ea3n` or `rc3x`")]
    NotAStep(String),
    /// `x` for a piece that the step before it cannot have removed.
    #[error("`{removal}` cannot follow `{step}`: no such piece can fall on {} because of it", removal.square)]
    StrayRemoval {
        /// The step written before it.
        step: Step,
        /// The removal that does not fit.
        removal: Removal,
    },
    /// `x` without a step before it.
    #[error("`{0}` stands before any step")]
    LeadingRemoval(Removal),
}

impl FromStr for Step {
    type Err = ParseStepError;

    fn from_str(text: &str) -> Result<Step, ParseStepError> {
        let not_a_step = || ParseStepError::NotAStep(crate::shorten(text));
        let mut words = text.split_ascii_whitespace().map(str::as_bytes);
        let Some(Token::Step(step)) = words.next().and_then(Token::read) else {
            return Err(not_a_step());
        };
        let step = match words.next().map(Token::read) {
            None => step,
            Some(Some(Token::Removal(removal))) => step
                .with_removal_token(removal)
                .ok_or(ParseStepError::StrayRemoval { step, removal })?,
            Some(_) => return Err(not_a_step()),
        };
        match words.next() {
            None => Ok(step),
            Some(_) => Err(not_a_step()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_reads_back_what_it_prints() {
        for piece in Piece::ALL {
            for from in Square::all() {
                for direction in Direction::ALL {
                    let step = Step::new(piece, from, direction);
                    assert_eq!(step.to_string().parse(), Ok(step));
                    assert_eq!(
                        (step.piece(), step.from(), step.direction()),
                        (piece, from, direction)
                    );
                    if from.adjacent_trap().is_some() {
                        for role in Role::ALL {
                            let step = step.removing(Some(role));
                            assert_eq!(step.to_string().parse(), Ok(step));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn removals_must_fit_the_step() {
        // Only the trap next to the square left, only a piece of that side.
        assert!("Ea3n Ec3x".parse::<Step>().is_err());
        assert!("Eb3n rc3x".parse::<Step>().is_err());
        assert!("Eb3n Rc3x".parse::<Step>().is_ok());
        for bad in [
            "",
            "Ea3",
            "Ea3q",
            "Xa3n",
            "Ea9n",
            "rc3x",
            "Ea3n Ea4n",
            "Eb3n Rc3x Rc3x",
        ] {
            assert!(bad.parse::<Step>().is_err(), "{bad}");
        }
    }
}
