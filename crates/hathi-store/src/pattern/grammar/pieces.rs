//! Reading what facts are about: pieces, traps, sides.

use hathi_rules::{Piece, Role, Side, Square};

use super::Grammar;
use crate::pattern::condition::{Area, Condition, Content, Count};
use crate::pattern::error::{Fault, PatternFault};
use crate::pattern::fact::{Fact, Who};
use crate::pattern::formula::{Conjunction, Formula};

impl Grammar<'_> {
    /// Pieces between brackets: `Hb3`, `2+R@home`, `G>C`.
    pub(super) fn pieces(&mut self) -> Result<Condition, Fault> {
        let count = self.reader.count()?.unwrap_or(Count::SOME);
        let content = self.reader.content()?;
        let area = if self.reader.eat("@") {
            self.reader.area(content.side)?
        } else if count == Count::SOME
            && let Some(square) = self.next_square()
        {
            self.reader.at += 2;
            Area::Square(square)
        } else {
            Area::Board
        };
        Ok(Condition {
            negated: false,
            count,
            content,
            area,
        })
    }

    fn next_square(&self) -> Option<Square> {
        self.reader.rest().get(..2)?.parse().ok()
    }

    /// The same, or nothing for any piece.
    pub(super) fn optional_pieces(&mut self) -> Result<Condition, Fault> {
        if !self.reader.eat("(") {
            return Ok(board_of(Content::anything(None), Count::SOME));
        }
        self.gap();
        let pieces = self.pieces()?;
        self.close()?;
        Ok(pieces)
    }

    pub(super) fn in_trap(&mut self) -> Result<Option<Square>, Fault> {
        if !self.eat_word("in") {
            return Ok(None);
        }
        self.gap();
        self.trap().map(Some)
    }

    pub(super) fn trap(&mut self) -> Result<Square, Fault> {
        let at = self.reader.at;
        let square = self.reader.square("a trap: c3, f3, c6 or f6")?;
        if square.is_trap() {
            Ok(square)
        } else {
            Err((at, PatternFault::NotATrap(square)))
        }
    }

    /// `h`, `S>D`, or in words `a rabbit`.
    pub(super) fn kind(&mut self) -> Result<Content, Fault> {
        if self.eat_word("a") || self.eat_word("an") {
            self.gap();
        }
        let name = self.reader.name();
        let anything = Content::anything(None);
        let content = match name.to_ascii_lowercase().as_str() {
            "piece" | "something" => anything,
            word => match Role::ALL.into_iter().find(|role| role_name(*role) == word) {
                Some(role) => Content {
                    side: None,
                    ..Content::piece(Piece::new(Side::Gold, role))
                },
                None => return self.reader.content(),
            },
        };
        self.reader.at += name.len();
        Ok(content)
    }

    /// `by g`, `by the side to move`.
    pub(super) fn by(&mut self) -> Result<Option<Who>, Fault> {
        if !self.eat_word("by") {
            return Ok(None);
        }
        self.gap();
        if self.eat_word("the") {
            for word in ["side", "to", "move"] {
                if !self.eat_word(word) {
                    self.gap();
                    return Err(self.reader.unexpected("`the side to move`"));
                }
            }
            return Ok(Some(Who::Mover));
        }
        let name = self.reader.name();
        let Some(found) = who(&name.to_ascii_lowercase()) else {
            return Err(self
                .reader
                .unexpected("a side: `g`, `s`, `mover`, `opponent` or `the side to move`"));
        };
        self.reader.at += name.len();
        Ok(Some(found))
    }

    /// A turn is played by who is to move.
    pub(super) fn by_mover(&mut self, fact: Fact) -> Result<Formula, Fault> {
        let at = self.reader.at;
        let mover = match self.by()? {
            None | Some(Who::Mover) => return Ok(Formula::Fact(fact)),
            Some(Who::Opponent) => return Err((at, PatternFault::WaitingPlays)),
            Some(Who::Side(side)) => Some(side),
        };
        Ok(Formula::All(Conjunction {
            mover,
            others: vec![Formula::Fact(fact)],
            ..Conjunction::default()
        }))
    }
}

/// So many of these anywhere.
pub(super) fn board_of(content: Content, count: Count) -> Condition {
    Condition {
        negated: false,
        count,
        content,
        area: Area::Board,
    }
}

/// A condition on the board, alone.
pub(super) fn of_condition(condition: Condition) -> Formula {
    Formula::All(Conjunction {
        conditions: vec![condition],
        ..Conjunction::default()
    })
}

/// A side in words.
pub(super) fn who(word: &str) -> Option<Who> {
    match word {
        "g" | "w" | "gold" => Some(Who::Side(Side::Gold)),
        "s" | "b" | "silver" => Some(Who::Side(Side::Silver)),
        "mover" => Some(Who::Mover),
        "opponent" => Some(Who::Opponent),
        _ => None,
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Rabbit => "rabbit",
        Role::Cat => "cat",
        Role::Dog => "dog",
        Role::Horse => "horse",
        Role::Camel => "camel",
        Role::Elephant => "elephant",
    }
}
