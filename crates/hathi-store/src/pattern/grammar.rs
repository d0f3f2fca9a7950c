//! Reading the grammar above the words: facts, `and`, `or`, `not`, brackets,
//! and one thing after the other.
//!
//! ```text
//! sequence    = element { "then" [ "within" N "turns" ] element }
//! element     = "never" any "until" any  |  any [ "for" N "turns" ]
//! any         = all { "or" all }
//! all         = one { [ "and" | "," ] one }
//! one         = "not" one | "(" any ")" | fact | condition | SIDE "to move"
//! ```

mod draft;
mod facts;
mod numbers;
mod pieces;
mod suggest;

pub(super) use draft::Draft;
use pieces::{of_condition, who};
use suggest::nearest;

use super::error::{Fault, PatternFault};
use super::formula::Formula;
use super::sequence::{Element, What};
use super::words::Reader;

/// Patterns come from strangers too, and every condition costs time on
/// millions of boards. A full drawing has 64.
const MOST_CONDITIONS: usize = 256;

/// As deep as anybody needs, and never so deep that the stack ends.
const DEEPEST: usize = 32;

/// Words that end a list of conditions.
const ENDS: [&str; 5] = ["or", "then", "for", "until", "within"];

/// What the reader has come to.
pub(super) struct Grammar<'a> {
    pub(super) reader: Reader<'a>,
    conditions: usize,
    depth: usize,
}

impl<'a> Grammar<'a> {
    pub(super) fn new(text: &'a str) -> Grammar<'a> {
        Grammar {
            reader: Reader::new(text, 0),
            conditions: 0,
            depth: 0,
        }
    }

    /// All of it; `drawn` are the conditions of a drawing, which are about the
    /// first position.
    pub(super) fn sequence(&mut self, drawn: Draft) -> Result<Vec<Element>, Fault> {
        let mut elements = vec![self.element(None, drawn)?];
        while self.eat_word("then") {
            let within = if self.eat_word("within") {
                Some(self.turns()?)
            } else {
                None
            };
            self.gap();
            elements.push(self.element(within, Draft::new())?);
        }
        self.gap();
        match self.reader.peek() {
            None => Ok(elements),
            Some(')') => Err((self.reader.at, PatternFault::Unopened)),
            Some(_) => Err(self.reader.unexpected("`then`, `or`, `and` or the end")),
        }
    }

    fn element(&mut self, within: Option<u16>, drawn: Draft) -> Result<Element, Fault> {
        let start = self.reader.at;
        if drawn.is_empty() && self.eat_word("never") {
            let never = self.said(Draft::new())?;
            if !self.eat_word("until") {
                self.gap();
                return Err(self.reader.unexpected("`until` and what ends it"));
            }
            let until = self.said(Draft::new())?;
            let what = What::NeverUntil { never, until };
            return Ok(Element { within, what });
        }
        let formula = self.any(drawn)?;
        if formula.is_empty() {
            self.gap();
            let first = within.is_none() && start == 0;
            return Err(if first && self.reader.peek().is_none() {
                (0, PatternFault::Empty)
            } else {
                self.reader.unexpected("a condition")
            });
        }
        let turns = if self.eat_word("for") {
            self.turns()?
        } else {
            1
        };
        let what = What::Holds { formula, turns };
        Ok(Element { within, what })
    }

    /// A formula that says something.
    fn said(&mut self, drawn: Draft) -> Result<Formula, Fault> {
        let formula = self.any(drawn)?;
        if formula.is_empty() {
            self.gap();
            return Err(self.reader.unexpected("a condition"));
        }
        Ok(formula)
    }

    fn gap(&mut self) {
        self.reader.skip(|c| c.is_whitespace() || c == ',');
    }

    /// Goes past a word, if it is the next one.
    fn eat_word(&mut self, word: &str) -> bool {
        let start = self.reader.at;
        self.gap();
        let name = self.reader.name();
        let there = name.eq_ignore_ascii_case(word);
        self.reader.at = if there {
            self.reader.at + name.len()
        } else {
            start
        };
        there
    }

    fn next_is(&self, words: &[&str]) -> bool {
        let name = self.reader.name();
        words.iter().any(|word| name.eq_ignore_ascii_case(word))
    }

    fn any(&mut self, drawn: Draft) -> Result<Formula, Fault> {
        let (start, conditions) = (self.reader.at, self.conditions);
        let mut first = self.all(drawn.clone())?;
        let is_drawn = !drawn.is_empty();
        let end = self.reader.at;
        if is_drawn && self.eat_word("or") {
            // What is drawn holds for all that follows, not for the first alone.
            (self.reader.at, self.conditions) = (start, conditions);
            first = self.all(Draft::new())?;
        } else if is_drawn {
            self.reader.at = end;
            return Ok(first);
        }
        if self.eat_word("or") {
            let mut any = Vec::new();
            let push = |any: &mut Vec<Formula>, one: Formula| match one {
                Formula::Any(more) => any.extend(more),
                one => any.push(one),
            };
            if first.is_empty() {
                return Err(self.reader.unexpected("a condition before `or`"));
            }
            push(&mut any, first);
            loop {
                let one = self.all(Draft::new())?;
                if one.is_empty() {
                    self.gap();
                    return Err(self.reader.unexpected("a condition after `or`"));
                }
                push(&mut any, one);
                if !self.eat_word("or") {
                    break;
                }
            }
            first = Formula::Any(any);
        }
        if !is_drawn {
            return Ok(first);
        }
        let mut draft = drawn;
        draft.join(start, first)?;
        Ok(draft.all.into())
    }

    /// Conditions up to a word that ends them; there may be none.
    fn all(&mut self, mut draft: Draft) -> Result<Formula, Fault> {
        loop {
            self.gap();
            match self.reader.peek() {
                None | Some(')') => break,
                _ if self.next_is(&ENDS) => break,
                _ => {}
            }
            if !draft.is_empty() && self.eat_word("and") {
                self.gap();
                if matches!(self.reader.peek(), None | Some(')')) || self.next_is(&ENDS) {
                    return Err(self.reader.unexpected("a condition after `and`"));
                }
            }
            let at = self.reader.at;
            let one = self.one()?;
            draft.join(at, one)?;
            match self.reader.peek() {
                Some(c) if !(c.is_whitespace() || c == ',' || c == ')') => {
                    return Err(self
                        .reader
                        .unexpected("a space or a comma after the condition"));
                }
                _ => {}
            }
        }
        Ok(draft.all.into())
    }

    fn one(&mut self) -> Result<Formula, Fault> {
        let at = self.reader.at;
        self.conditions += 1;
        if self.conditions > MOST_CONDITIONS {
            return Err((at, PatternFault::TooLong(MOST_CONDITIONS)));
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((at, PatternFault::TooDeep(DEEPEST)));
        }
        let found = self.inside();
        self.depth -= 1;
        found
    }

    fn inside(&mut self) -> Result<Formula, Fault> {
        let at = self.reader.at;
        if self.reader.eat("(") {
            let inner = self.said(Draft::new())?;
            self.close()?;
            return Ok(inner);
        }
        if self.reader.peek() == Some('!') {
            let mut ahead = Reader::new(self.reader.text, at + 1);
            ahead.skip(char::is_whitespace);
            let is_word = ahead.name().len() >= 3 || self_is_side(ahead.name());
            if ahead.peek() == Some('(') || is_word {
                self.reader.at = ahead.at;
                return Ok(self.one()?.denied());
            }
            return Ok(of_condition(self.reader.condition()?));
        }
        let name = self.reader.name();
        let word = name.to_ascii_lowercase();
        if word == "not" {
            self.reader.at += name.len();
            self.gap();
            return Ok(self.one()?.denied());
        }
        if let Some(who) = who(&word) {
            return self.about(name, who);
        }
        if let Some(fact) = self.fact(name, &word)? {
            return Ok(fact);
        }
        if name.len() >= 3 {
            let suggestion = nearest(&word);
            let word = name.chars().take(20).collect();
            return Err((at, PatternFault::UnknownWord { word, suggestion }));
        }
        Ok(of_condition(self.reader.condition()?))
    }

    fn close(&mut self) -> Result<(), Fault> {
        self.gap();
        if self.reader.eat(")") {
            Ok(())
        } else {
            Err(self.reader.unexpected("`)`"))
        }
    }

    fn open(&mut self, expected: &'static str) -> Result<(), Fault> {
        self.reader.skip(char::is_whitespace);
        if self.reader.eat("(") {
            self.gap();
            Ok(())
        } else {
            Err(self.reader.unexpected(expected))
        }
    }
}

fn self_is_side(name: &str) -> bool {
    // `!G@home` and `!Sd4` are conditions; `!g to move` denies a turn.
    matches!(name, "g" | "w" | "s" | "b")
}
