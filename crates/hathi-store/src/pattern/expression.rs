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

use hathi_model::phase::Phase;
use hathi_rules::{Piece, Role, Side, Square};

use super::condition::{Area, Condition, Content, Count};
use super::error::{Fault, PatternFault};
use super::fact::{Fact, Span, Who};
use super::formula::{Conjunction, Formula};
use super::sequence::{Element, What};
use super::words::Reader;

/// Patterns come from strangers too, and every condition costs time on
/// millions of boards. A full drawing has 64.
const MOST_CONDITIONS: usize = 256;

/// As deep as anybody needs, and never so deep that the stack ends.
const DEEPEST: usize = 32;

/// Turns of a game at most that `for` and `within` speak of.
const MOST_TURNS: u16 = 1000;

/// The words that begin something, for suggestions.
const WORDS: [&str; 32] = [
    "and",
    "blockade",
    "captures",
    "fork",
    "for",
    "framed",
    "frozen",
    "gives",
    "goal",
    "gold",
    "guards",
    "hostage",
    "lost",
    "material",
    "move",
    "mover",
    "never",
    "not",
    "opponent",
    "or",
    "phase",
    "pieces",
    "plays",
    "rating",
    "result",
    "silver",
    "strongest",
    "then",
    "threatens",
    "until",
    "within",
    "won",
];

/// Words that end a list of conditions.
const ENDS: [&str; 5] = ["or", "then", "for", "until", "within"];

/// What the reader has come to.
pub(super) struct Grammar<'a> {
    pub(super) reader: Reader<'a>,
    conditions: usize,
    depth: usize,
}

/// A conjunction while it is read.
#[derive(Clone)]
pub(super) struct Draft {
    all: Conjunction,
    /// What may still stand on each square: bit 0 for nothing, bit 1 + n for
    /// piece number n.
    allowed: [u16; 64],
}

impl Draft {
    pub(super) fn new() -> Draft {
        Draft {
            all: Conjunction::default(),
            allowed: [!0; 64],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all == Conjunction::default()
    }

    /// One more condition on the board.
    pub(super) fn add(&mut self, at: usize, condition: Condition) -> Result<(), Fault> {
        if let Area::Square(square) = condition.area
            && condition.count == Count::SOME
        {
            let may_stand = |piece| condition.content.allows(piece) != condition.negated;
            let mut set = u16::from(may_stand(None));
            for piece in Piece::ALL {
                set |= u16::from(may_stand(Some(piece))) << (1 + piece.index());
            }
            let allowed = &mut self.allowed[square.index()];
            *allowed &= set;
            if *allowed == 0 {
                return Err((at, PatternFault::Contradiction(square)));
            }
        }
        self.all.conditions.push(condition);
        Ok(())
    }

    pub(super) fn set_mover(&mut self, at: usize, side: Side) -> Result<(), Fault> {
        match self.all.mover.replace(side) {
            Some(before) if before != side => Err((at, PatternFault::TwoMovers)),
            _ => Ok(()),
        }
    }

    /// One more of anything.
    fn join(&mut self, at: usize, formula: Formula) -> Result<(), Fault> {
        let Formula::All(all) = formula else {
            self.all.others.push(formula);
            return Ok(());
        };
        for condition in all.conditions {
            self.add(at, condition)?;
        }
        if let Some(side) = all.mover {
            self.set_mover(at, side)?;
        }
        self.all.others.extend(all.others);
        Ok(())
    }
}

fn board_of(content: Content, count: Count) -> Condition {
    Condition {
        negated: false,
        count,
        content,
        area: Area::Board,
    }
}

fn of_condition(condition: Condition) -> Formula {
    Formula::All(Conjunction {
        conditions: vec![condition],
        ..Conjunction::default()
    })
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

    /// `4 turns`.
    fn turns(&mut self) -> Result<u16, Fault> {
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

    /// What follows a side: `gold to move`, `gold goal in 3`, `silver lost m`.
    fn about(&mut self, name: &str, who: Who) -> Result<Formula, Fault> {
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

    fn fact(&mut self, name: &str, word: &str) -> Result<Option<Formula>, Fault> {
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

    /// Pieces between brackets: `Hb3`, `2+R@home`, `G>C`.
    fn pieces(&mut self) -> Result<Condition, Fault> {
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
    fn optional_pieces(&mut self) -> Result<Condition, Fault> {
        if !self.reader.eat("(") {
            return Ok(board_of(Content::anything(None), Count::SOME));
        }
        self.gap();
        let pieces = self.pieces()?;
        self.close()?;
        Ok(pieces)
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

    fn in_trap(&mut self) -> Result<Option<Square>, Fault> {
        if !self.eat_word("in") {
            return Ok(None);
        }
        self.gap();
        self.trap().map(Some)
    }

    fn trap(&mut self) -> Result<Square, Fault> {
        let at = self.reader.at;
        let square = self.reader.square("a trap: c3, f3, c6 or f6")?;
        if square.is_trap() {
            Ok(square)
        } else {
            Err((at, PatternFault::NotATrap(square)))
        }
    }

    /// `h`, `S>D`, or in words `a rabbit`.
    fn kind(&mut self) -> Result<Content, Fault> {
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
    fn by(&mut self) -> Result<Option<Who>, Fault> {
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
    fn by_mover(&mut self, fact: Fact) -> Result<Formula, Fault> {
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

    /// A comparison as a number of squares.
    fn count_of(&mut self) -> Result<Count, Fault> {
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

    /// `+2`: ahead by two or more; `-2`: behind; or a comparison.
    fn balance(&mut self) -> Result<Span, Fault> {
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
    fn span(&mut self) -> Result<Span, Fault> {
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

    fn signed(&mut self) -> Result<i32, Fault> {
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
    fn integer(&mut self) -> Result<Option<i32>, Fault> {
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

fn self_is_side(name: &str) -> bool {
    // `!G@home` and `!Sd4` are conditions; `!g to move` denies a turn.
    matches!(name, "g" | "w" | "s" | "b")
}

/// A side in words.
fn who(word: &str) -> Option<Who> {
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

/// The word that it was meant to be, if one is like it.
fn nearest(word: &str) -> Option<&'static str> {
    let most = if word.len() < 5 { 1 } else { 2 };
    WORDS
        .into_iter()
        .map(|known| (distance(word, known), known))
        .min()
        .filter(|(distance, _)| *distance <= most)
        .map(|(_, known)| known)
}

/// Letters to change, add or leave out to get from one word to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().take(30).enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let change = before + usize::from(a != *b);
            before = row[j + 1];
            row[j + 1] = change.min(before + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}
