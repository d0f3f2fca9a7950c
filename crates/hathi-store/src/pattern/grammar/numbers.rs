//! Reading numbers: of turns, of pieces, comparisons.

use super::Grammar;
use crate::pattern::condition::Count;
use crate::pattern::error::{Fault, PatternFault};
use crate::pattern::fact::Span;

/// Turns of a game at most that `for` and `within` speak of.
const MOST_TURNS: u16 = 1000;

impl Grammar<'_> {
    /// `4 turns`.
    pub(super) fn turns(&mut self) -> Result<u16, Fault> {
        self.gap();
        let start = self.reader.at;
        let Some(turns) = self.integer()? else {
            return Err(self.reader.unexpected("a number of turns"));
        };
        let turns = u16::try_from(turns).unwrap_or(0);
        if !(1..=MOST_TURNS).contains(&turns) {
            return Err((start, PatternFault::BadTurns));
        }
        if self.eat_word("turns") || self.eat_word("turn") {
            return Ok(turns);
        }
        self.gap();
        Err(self.reader.unexpected("`turns`"))
    }

    /// A comparison as a number of squares.
    pub(super) fn count_of(&mut self) -> Result<Count, Fault> {
        self.gap();
        let at = self.reader.at;
        let span = self.span()?;
        let most = i32::from(Count::MANY);
        if span.least > most || span.most < 0 {
            return Err((at, PatternFault::BadCount));
        }
        Ok(Count {
            least: u8::try_from(span.least.clamp(0, most)).unwrap_or(0),
            most: u8::try_from(span.most.clamp(0, most)).unwrap_or(Count::MANY),
        })
    }

    /// `+2`: ahead by two or more; `-2`: behind; or a comparison.
    pub(super) fn balance(&mut self) -> Result<Span, Fault> {
        self.gap();
        let sign = self.reader.peek();
        if let Some('+' | '-') = sign {
            let number = self.signed()?;
            return Ok(if sign == Some('+') {
                Span {
                    least: number,
                    most: i32::MAX,
                }
            } else {
                Span {
                    least: i32::MIN,
                    most: number,
                }
            });
        }
        self.span()
    }

    /// `>= 20`, `= 3`, `7`, `10..20`.
    pub(super) fn span(&mut self) -> Result<Span, Fault> {
        self.gap();
        let start = self.reader.at;
        let comparison = ["<=", ">=", "<", ">", "="]
            .into_iter()
            .find(|comparison| self.reader.eat(comparison));
        if comparison.is_some() {
            self.reader.skip(char::is_whitespace);
        }
        let number = self.signed()?;
        let span = |least, most| Span { least, most };
        let span = match comparison {
            Some("<=") => span(i32::MIN, number),
            Some("<") => span(i32::MIN, number - 1),
            Some(">=") => span(number, i32::MAX),
            Some(">") => span(number + 1, i32::MAX),
            _ if self.reader.eat("..") => span(number, self.signed()?),
            _ => span(number, number),
        };
        if span.least > span.most {
            return Err((start, PatternFault::BadSpan));
        }
        Ok(span)
    }

    pub(super) fn signed(&mut self) -> Result<i32, Fault> {
        let negative = self.reader.eat("-");
        if !negative {
            self.reader.eat("+");
        }
        let number = self.integer()?.ok_or_else(|| {
            self.reader
                .unexpected("a number, or `>=`, `<=`, `=` and a number")
        })?;
        Ok(if negative { -number } else { number })
    }

    /// Digits that stand here, if any do.
    pub(super) fn integer(&mut self) -> Result<Option<i32>, Fault> {
        let start = self.reader.at;
        self.reader.skip(|c| c.is_ascii_digit());
        let digits = &self.reader.text[start..self.reader.at];
        if digits.is_empty() {
            return Ok(None);
        }
        match digits.parse::<i32>() {
            Ok(number) if number <= 100_000 => Ok(Some(number)),
            _ => Err((start, PatternFault::BadSpan)),
        }
    }
}
