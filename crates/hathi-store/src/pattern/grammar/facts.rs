//! Reading facts: a word, and what belongs to it.

use hathi_model::phase::Phase;
use hathi_rules::{Piece, Role, Side};

use super::Grammar;
use super::pieces::{board_of, of_condition, who};
use crate::pattern::condition::{Area, Condition, Content, Count};
use crate::pattern::error::{Fault, PatternFault};
use crate::pattern::fact::{Fact, Who};
use crate::pattern::formula::{Conjunction, Formula};
use crate::pattern::words::Reader;

impl Grammar<'_> {
    /// What follows a side: `gold to move`, `gold goal in 3`, `silver lost m`.
    pub(super) fn about(&mut self, name: &str, who: Who) -> Result<Formula, Fault> {
        let start = self.reader.at;
        self.reader.at += name.len();
        if self.eat_word("goal") {
            return self.goal(who);
        }
        if self.eat_word("fork") {
            return Ok(Formula::Fact(Fact::Fork(who)));
        }
        if self.eat_word("won") {
            return Ok(Formula::Fact(Fact::Won(who)));
        }
        if self.eat_word("rating") {
            let span = self.span()?;
            let who = Some(who);
            return Ok(Formula::Fact(Fact::Rating { who, span }));
        }
        match who {
            Who::Side(side) if self.eat_word("lost") => return self.lost(side),
            Who::Side(_) => {}
            Who::Mover | Who::Opponent => {
                self.gap();
                return Err(self
                    .reader
                    .unexpected("`goal in 4`, `fork`, `won` or `rating >= 2000` after it"));
            }
        }
        self.reader.at = start;
        match self.reader.mover()? {
            Some(side) => Ok(Formula::All(Conjunction {
                mover: Some(side),
                ..Conjunction::default()
            })),
            None => Ok(of_condition(self.reader.condition()?)),
        }
    }

    pub(super) fn fact(&mut self, name: &str, word: &str) -> Result<Option<Formula>, Fault> {
        let start = self.reader.at;
        self.reader.at += name.len();
        let fact = match word {
            "frozen" => {
                self.open("`(` and the pieces, such as `frozen(Hb3)`")?;
                let pieces = self.pieces()?;
                self.close()?;
                Fact::Frozen(pieces)
            }
            "framed" => Fact::Framed(self.optional_pieces()?),
            "hostage" => self.hostage()?,
            "threatens" => self.capture(false)?,
            "captures" => {
                let mut ahead = Reader::new(self.reader.text, self.reader.at);
                ahead.skip(char::is_whitespace);
                if ahead.peek() == Some('(') {
                    self.capture(true)?
                } else {
                    self.gap();
                    let content = self.kind()?;
                    let trap = self.in_trap()?;
                    return self.by_mover(Fact::Takes { content, trap }).map(Some);
                }
            }
            "gives" => {
                if !self.eat_word("up") {
                    self.gap();
                    return Err(self.reader.unexpected("`up` after `gives`"));
                }
                self.gap();
                let content = self.kind()?;
                return self.by_mover(Fact::GivesUp(content)).map(Some);
            }
            "plays" => {
                self.gap();
                let content = self.reader.content()?;
                let area = if self.reader.eat("@") {
                    self.reader.area(content.side)?
                } else {
                    Area::Square(
                        self.reader
                            .square("a square such as `c3`, or `@` and an area")?,
                    )
                };
                return self.by_mover(Fact::Plays { content, area }).map(Some);
            }
            "goal" => return self.goal(Who::Mover).map(Some),
            "fork" => {
                let who = self.by()?.unwrap_or(Who::Mover);
                Fact::Fork(who)
            }
            "blockade" => self.blockade()?,
            "guards" => return self.guards().map(Some),
            "strongest" => {
                self.open("`(` and a trap, such as `strongest(c3) = E`")?;
                let trap = self.trap()?;
                self.close()?;
                self.gap();
                if !self.reader.eat("=") && !self.eat_word("is") {
                    return Err(self.reader.unexpected("`=` and what it is, such as `= E`"));
                }
                self.gap();
                let content = self.reader.content()?;
                Fact::Strongest { trap, content }
            }
            "material" => Fact::Material(self.balance()?),
            "pieces" => return self.left().map(Some),
            "phase" => Fact::Phase(self.phase()?),
            "move" => Fact::MoveNumber(self.span()?),
            "rating" => Fact::Rating {
                who: None,
                span: self.span()?,
            },
            "result" => {
                self.gap();
                let name = self.reader.name();
                let Some(who @ Who::Side(_)) = who(&name.to_ascii_lowercase()) else {
                    return Err(self.reader.unexpected("`g` or `s`"));
                };
                self.reader.at += name.len();
                Fact::Won(who)
            }
            _ => {
                self.reader.at = start;
                return Ok(None);
            }
        };
        Ok(Some(Formula::Fact(fact)))
    }

    fn hostage(&mut self) -> Result<Fact, Fault> {
        let at = self.reader.at;
        if !self.reader.eat("(") {
            let held = board_of(Content::anything(None), Count::SOME);
            return Ok(Fact::Hostage { held, by: None });
        }
        self.gap();
        let held = self.pieces()?;
        let is_strong = |role| {
            held.content.allows(Some(Piece::new(Side::Gold, role)))
                || held.content.allows(Some(Piece::new(Side::Silver, role)))
        };
        if ![Role::Camel, Role::Horse].into_iter().any(is_strong) {
            return Err((at + 1, PatternFault::NoHostage));
        }
        let by = if self.eat_word("by") {
            self.gap();
            Some(self.reader.content()?)
        } else {
            None
        };
        self.close()?;
        Ok(Fact::Hostage { held, by })
    }

    fn capture(&mut self, now: bool) -> Result<Fact, Fault> {
        self.open("`(` and the pieces, such as `threatens(hc6)`")?;
        let victims = self.pieces()?;
        let trap = self.in_trap()?;
        self.close()?;
        Ok(Fact::Capture { victims, trap, now })
    }

    /// ` in 3`, after `goal`.
    fn goal(&mut self, who: Who) -> Result<Formula, Fault> {
        if !self.eat_word("in") {
            self.gap();
            return Err(self.reader.unexpected("`in 1` to `in 4` after `goal`"));
        }
        self.gap();
        let at = self.reader.at;
        let steps = self
            .integer()?
            .ok_or_else(|| self.reader.unexpected("a number of steps, 1 to 4"))?;
        let steps = u8::try_from(steps).unwrap_or(0);
        if !(1..=4).contains(&steps) {
            return Err((at, PatternFault::NoSuchSteps));
        }
        let _ = self.eat_word("steps") || self.eat_word("step");
        let who = match who {
            Who::Mover => self.by()?.unwrap_or(Who::Mover),
            said => said,
        };
        Ok(Formula::Fact(Fact::Goal { who, steps }))
    }

    fn blockade(&mut self) -> Result<Fact, Fault> {
        if !self.reader.eat("(") {
            return Ok(Fact::Blockade(None));
        }
        self.gap();
        let side = match self.reader.peek() {
            Some('E') => Side::Gold,
            Some('e') => Side::Silver,
            _ => {
                return Err(self
                    .reader
                    .unexpected("the elephant that is shut in: `E` or `e`"));
            }
        };
        self.reader.at += 1;
        self.close()?;
        Ok(Fact::Blockade(Some(side)))
    }

    /// `guards(c3) >= 2`, the pieces beside a trap of the side on whose half it
    /// is, or of a named one: `guards(c3 by s)`. A count of pieces on the board.
    fn guards(&mut self) -> Result<Formula, Fault> {
        self.open("`(` and a trap, such as `guards(c3) >= 2`")?;
        let trap = self.trap()?;
        let at = self.reader.at;
        let side = match self.by()? {
            None => Side::ALL
                .into_iter()
                .find(|side| side.home_traps().contains(&trap))
                .unwrap_or(Side::Gold),
            Some(Who::Side(side)) => side,
            Some(_) => {
                self.reader.at = at;
                return Err(self.reader.unexpected("`by g` or `by s`"));
            }
        };
        self.close()?;
        let count = self.count_of()?;
        let content = Content::anything(Some(side));
        Ok(of_condition(Condition {
            area: Area::Near(trap),
            ..board_of(content, count)
        }))
    }

    /// `pieces(g) <= 10`, `pieces <= 20`.
    fn left(&mut self) -> Result<Formula, Fault> {
        let mut side = None;
        if self.reader.eat("(") {
            self.gap();
            let name = self.reader.name();
            let Some(Who::Side(named)) = who(&name.to_ascii_lowercase()) else {
                return Err(self.reader.unexpected("`g` or `s`"));
            };
            self.reader.at += name.len();
            side = Some(named);
            self.close()?;
        }
        let count = self.count_of()?;
        Ok(of_condition(board_of(Content::anything(side), count)))
    }

    /// `lost M`, `lost 2R`: so many at least are gone. A count of pieces on
    /// the board, too.
    fn lost(&mut self, side: Side) -> Result<Formula, Fault> {
        self.gap();
        let at = self.reader.at;
        let number = self.reader.number()?.unwrap_or(1);
        let letter = self.reader.peek().and_then(Piece::from_char);
        let Some(piece) = letter else {
            return Err(self.reader.unexpected("a piece: one of RCDHME or rcdhme"));
        };
        if piece.side() != side {
            let why = "a side loses its own pieces: upper case Gold, lower case Silver";
            return Err((self.reader.at, PatternFault::NotToLose(why)));
        }
        self.reader.at += 1;
        let had = piece.role().count_at_start();
        let Some(most) = had
            .checked_sub(u32::from(number))
            .filter(|_| number > 0)
            .and_then(|most| u8::try_from(most).ok())
        else {
            let why = "a side begins with one elephant, one camel, two horses, dogs and cats, and \
                       eight rabbits; it cannot lose more, or none";
            return Err((at, PatternFault::NotToLose(why)));
        };
        let count = Count { least: 0, most };
        Ok(of_condition(board_of(Content::piece(piece), count)))
    }

    fn phase(&mut self) -> Result<Phase, Fault> {
        self.gap();
        let name = self.reader.name();
        let found = Phase::ALL
            .into_iter()
            .find(|phase| name.eq_ignore_ascii_case(phase.name()));
        let phase = found.ok_or_else(|| {
            self.reader
                .unexpected("a phase: `opening`, `middle` or `end`")
        })?;
        self.reader.at += name.len();
        Ok(phase)
    }
}
