//! A turn: one to four steps.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use crate::step::Token;
use crate::{Bitboard, ParseStepError, Step};

/// Up to four steps, in order. Ten bytes, copied freely.
///
/// A turn read from text is only grammatical; whether it is legal is for
/// [`Position::check_turn`](crate::Position::check_turn) to say. The empty
/// turn exists (it is what has been played before the first step) and is
/// never legal.
///
/// ```
/// use hathi_rules::Turn;
/// let turn: Turn = "rb3e rc3x Hb2n Ed4n".parse()?;
/// assert_eq!(turn.len(), 3);
/// assert_eq!(turn.to_string(), "rb3e rc3x Hb2n Ed4n");
/// # Ok::<(), hathi_rules::ParseTurnError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    steps: [Step; 4],
    len: u8,
}

const _: () = assert!(size_of::<Turn>() == 10);

/// Fills the unused places of a turn, so that equal turns are equal bytes.
const NO_STEP: Step = Step::new(
    crate::Piece::GoldRabbit,
    crate::Square::A1,
    crate::Direction::North,
);

impl Turn {
    /// The turn without steps.
    pub const EMPTY: Turn = Turn {
        steps: [NO_STEP; 4],
        len: 0,
    };

    /// The most steps a turn can have.
    pub const MAX_STEPS: usize = 4;

    /// Adds a step, unless there are four.
    #[inline]
    pub fn push(&mut self, step: Step) -> Result<(), TooManySteps> {
        let place = self.steps.get_mut(self.len as usize).ok_or(TooManySteps)?;
        *place = step;
        self.len += 1;
        Ok(())
    }

    /// Takes the last step back.
    #[inline]
    pub fn pop(&mut self) -> Option<Step> {
        let last = *self.steps().last()?;
        self.len -= 1;
        self.steps[self.len as usize] = NO_STEP;
        Some(last)
    }

    /// The steps in order.
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.len.min(4) as usize]
    }

    /// The squares this turn stands on, if it starts a turn: with the same pieces on these it can be
    /// taken whatever stands elsewhere, and moves the same pieces to the same squares. So to keep the
    /// opponent from it, one of them has to change.
    ///
    /// These are the squares of its steps, those beside them (who freezes, who supports), and those
    /// beside traps among these.
    ///
    /// ```text
    /// Ra6n: its own squares #,   8 + . . . . . . .
    /// those beside them +,       7 # + . . . . . .
    /// and no trap near           6 # + . . . . . .
    ///                            5 + . . . . . . .
    /// ```
    pub fn ground(&self) -> Bitboard {
        let squares = self.steps().iter().map(|step| step.changes());
        let near = squares.fold(Bitboard::EMPTY, |all, some| all | some).grow();
        near | (near & Bitboard::TRAPS).grow()
    }

    /// Collects steps, unless there are more than four.
    pub fn from_steps(steps: impl IntoIterator<Item = Step>) -> Result<Turn, TooManySteps> {
        let mut turn = Turn::EMPTY;
        for step in steps {
            turn.push(step)?;
        }
        Ok(turn)
    }

    /// Changes every step in place.
    pub(crate) fn map(mut self, f: impl Fn(Step) -> Step) -> Turn {
        for step in &mut self.steps[..self.len.min(4) as usize] {
            *step = f(*step);
        }
        self
    }

    /// Reads notation from bytes: steps, removals after the step that caused
    /// them, and `pass` for steps not taken.
    #[inline]
    pub(crate) fn read(text: &[u8]) -> Result<Turn, ParseTurnError> {
        let mut turn = Turn::EMPTY;
        for word in words(text) {
            match Token::read(word) {
                Some(Token::Step(step)) => turn.push(step)?,
                Some(Token::Removal(removal)) => {
                    let Some(step) = turn.pop() else {
                        return Err(ParseStepError::LeadingRemoval(removal).into());
                    };
                    let step = step
                        .with_removal_token(removal)
                        .ok_or(ParseStepError::StrayRemoval { step, removal })?;
                    turn.push(step)?;
                }
                Some(Token::Placement(..)) => {
                    return Err(ParseTurnError::Placement(crate::shorten_bytes(word)));
                }
                None if word == b"pass" => {}
                None => return Err(ParseStepError::NotAStep(crate::shorten_bytes(word)).into()),
            }
        }
        Ok(turn)
    }
}

/// The words of a line of notation.
#[inline]
pub(crate) fn words(text: &[u8]) -> Words<'_> {
    Words(text)
}

/// Iterator over words. Nearly all are four characters and a space; those are
/// taken off without looking at each character.
pub(crate) struct Words<'a>(&'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if let Some((word, rest)) = self.0.split_first_chunk::<4>()
            && matches!(rest, [] | [b' ', ..])
            && !has_blank(*word)
        {
            self.0 = rest.get(1..).unwrap_or_default();
            return Some(word);
        }
        let text = self.0.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace);
        let (word, rest) = text.split_at(end.unwrap_or(text.len()));
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Is one of the bytes a space or a control character? All four at once:
/// subtracting 0x21 borrows into the top bit of just those bytes.
#[inline]
const fn has_blank(word: [u8; 4]) -> bool {
    let word = u32::from_ne_bytes(word);
    word.wrapping_sub(0x2121_2121) & !word & 0x8080_8080 != 0
}

impl Deref for Turn {
    type Target = [Step];

    #[inline]
    fn deref(&self) -> &[Step] {
        self.steps()
    }
}

impl Default for Turn {
    fn default() -> Self {
        Turn::EMPTY
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps().iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

/// A turn has four steps at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a turn has at most four steps")]
pub struct TooManySteps;

/// The text is not a turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTurnError {
    /// A word is no step, or a removal does not fit.
    #[error(transparent)]
    Step(#[from] ParseStepError),
    /// A fifth step.
    #[error(transparent)]
    TooManySteps(#[from] TooManySteps),
    /// A word places a piece, as in a setup.
    #[error("`{0}` places a piece; that belongs in the setup, a step also has a direction")]
    Placement(String),
}

impl FromStr for Turn {
    type Err = ParseTurnError;

    fn from_str(text: &str) -> Result<Turn, ParseTurnError> {
        Turn::read(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints() {
        for text in ["", "Ea3n", "rb3e rc3x Hb2n", "Hc4s Rc3x Ed4n Ed5n Ed6n"] {
            assert_eq!(text.parse::<Turn>().unwrap().to_string(), text);
        }
        assert_eq!("  Ea3n\tpass ".parse::<Turn>().unwrap().to_string(), "Ea3n");
    }

    #[test]
    fn refuses_what_is_not_a_turn() {
        for bad in [
            "Ea3n Ea4n Ea5n Ea6n Ea7n",
            "Ra1",
            "cf3x",
            "hello",
            "Ea3n é",
            "takeback",
        ] {
            assert!(bad.parse::<Turn>().is_err(), "{bad}");
        }
    }

    #[test]
    fn popping_makes_equal_turns_equal() {
        let mut turn: Turn = "Ea3n Ea4n".parse().unwrap();
        turn.pop();
        assert_eq!(turn, "Ea3n".parse().unwrap());
    }
}
