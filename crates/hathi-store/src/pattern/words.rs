//! Reading the words of a pattern: `Ed5`, `!2+S<H@near(c6)`, `g to move`.

use hathi_rules::{File, Piece, Rank, Role, Side, Square};

use super::condition::{Area, Condition, Content, Count, Region, strength};
use super::error::{Fault, PatternFault};

/// A single character that says what stands on a square.
pub(super) fn letter(c: char) -> Option<Content> {
    match c {
        'G' => Some(Content::anything(Some(Side::Gold))),
        'S' => Some(Content::anything(Some(Side::Silver))),
        '*' => Some(Content::anything(None)),
        '_' => Some(Content::EMPTY),
        _ => Piece::from_char(c).map(Content::piece),
    }
}

/// Reads words, up to the end of a line.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// The byte it has come to.
    pub(super) at: usize,
}

const CONTENT: &str =
    "what stands there: a piece (RCDHME rcdhme), `G`, `S`, `*`, `_`, `<`, `>` or `=`";
const AREA: &str = "an area: a square, `c3..e5`, `near(c3)`, `trap(c3)`, `file(a)`, `rank(1)`, `home`, \
     `away`, `goal`, `centre`, `edge`, `traps`, `board` or several in parentheses";

impl<'a> Reader<'a> {
    /// Begins at byte `at` of the text.
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Reader { text, at }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn skip(&mut self, what: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(what).len();
    }

    /// Goes past `token` if it stands here.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let there = self.rest().starts_with(token);
        if there {
            self.at += token.len();
        }
        there
    }

    /// The letters that stand here.
    pub(super) fn name(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic());
        &rest[..end.unwrap_or(rest.len())]
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> Fault {
        const LONGEST: usize = 20;
        let word = self.rest().split_whitespace().next();
        let found = match word {
            Some(word) if !self.rest().starts_with(char::is_whitespace) => {
                format!("`{}`", word.chars().take(LONGEST).collect::<String>())
            }
            Some(_) => "a space".to_owned(),
            None => "the end".to_owned(),
        };
        (self.at, PatternFault::Unexpected { expected, found })
    }

    /// `g to move`, unless this is something else. `G` and `S` alone may as
    /// well begin a condition.
    pub(super) fn mover(&mut self) -> Result<Option<Side>, Fault> {
        let name = self.name();
        let side = match name.to_ascii_lowercase().as_str() {
            "g" | "w" | "gold" => Side::Gold,
            "s" | "b" | "silver" => Side::Silver,
            _ => return Ok(None),
        };
        let mut ahead = Reader {
            text: self.text,
            at: self.at + name.len(),
        };
        for word in ["to", "move"] {
            ahead.skip(char::is_whitespace);
            let found = ahead.name();
            if !found.eq_ignore_ascii_case(word) {
                if matches!(name, "G" | "S") {
                    return Ok(None);
                }
                return Err(ahead.unexpected("`to move` after the side"));
            }
            ahead.at += found.len();
        }
        self.at = ahead.at;
        Ok(Some(side))
    }

    /// `!2+S<H@near(c6)`.
    pub(super) fn condition(&mut self) -> Result<Condition, Fault> {
        let negated = self.eat("!");
        let count = self.count()?;
        let letter = self.peek();
        let content = self.content()?;
        let area = if self.eat("@") {
            self.area(content.side)?
        } else if count.is_some() {
            let fault = PatternFault::CountWithoutArea(letter.unwrap_or('*'));
            return Err((self.at, fault));
        } else {
            Area::Square(self.square("a square such as `c3`, or `@` and an area")?)
        };
        Ok(Condition {
            negated,
            count: count.unwrap_or(Count::SOME),
            content,
            area,
        })
    }

    /// `2+`, `2-`, `2..3`, `2` or nothing.
    pub(super) fn count(&mut self) -> Result<Option<Count>, Fault> {
        let start = self.at;
        let Some(number) = self.number()? else {
            return Ok(None);
        };
        let count = if self.eat("+") {
            Count {
                least: number,
                most: Count::MANY,
            }
        } else if self.eat("-") {
            Count {
                least: 0,
                most: number,
            }
        } else if self.eat("..") {
            let most = self.number()?;
            Count {
                least: number,
                most: most.ok_or_else(|| self.unexpected("a number"))?,
            }
        } else {
            Count {
                least: number,
                most: number,
            }
        };
        if count.least > count.most {
            return Err((start, PatternFault::BadCount));
        }
        Ok(Some(count))
    }

    pub(super) fn number(&mut self) -> Result<Option<u8>, Fault> {
        let start = self.at;
        self.skip(|c| c.is_ascii_digit());
        let digits = &self.text[start..self.at];
        if digits.is_empty() {
            return Ok(None);
        }
        match digits.parse() {
            Ok(number) if number <= Count::MANY => Ok(Some(number)),
            _ => Err((start, PatternFault::BadCount)),
        }
    }

    /// `E`, `G`, `_`, `S<H`, `>=D`.
    pub(super) fn content(&mut self) -> Result<Content, Fault> {
        let mut content = Content::anything(None);
        if let Some(c) = self.peek()
            && let Some(found) = letter(c)
        {
            self.at += c.len_utf8();
            content = found;
            if !matches!(c, 'G' | 'S' | '*') || !self.rest().starts_with(['<', '>', '=']) {
                return Ok(content);
            }
        }
        let comparison = ["<=", ">=", "<", ">", "="]
            .into_iter()
            .find(|comparison| self.eat(comparison))
            .ok_or_else(|| self.unexpected(CONTENT))?;
        let start = self.at;
        let role = self
            .peek()
            .and_then(Role::from_char)
            .ok_or_else(|| self.unexpected("an animal to compare with: R, C, D, H, M or E"))?;
        self.at += 1;
        match comparison {
            "<" => content.strongest = strength(role) - 1,
            "<=" => content.strongest = strength(role),
            ">" => content.weakest = strength(role) + 1,
            ">=" => content.weakest = strength(role),
            _ => (content.weakest, content.strongest) = (strength(role), strength(role)),
        }
        if content.weakest > content.strongest {
            return Err((start, PatternFault::beyond(role)));
        }
        Ok(content)
    }

    pub(super) fn square(&mut self, expected: &'static str) -> Result<Square, Fault> {
        let square = self.rest().get(..2).and_then(|text| text.parse().ok());
        let square = square.ok_or_else(|| self.unexpected(expected))?;
        self.at += 2;
        Ok(square)
    }

    /// What follows `@`, for pieces of `owner`: one place or several in
    /// parentheses.
    pub(super) fn area(&mut self, owner: Option<Side>) -> Result<Area, Fault> {
        if !self.eat("(") {
            return self.simple_area(owner);
        }
        self.list(AREA, |reader| reader.simple_area(owner))
    }

    /// Things up to the closing parenthesis, apart by spaces or commas.
    fn list(
        &mut self,
        expected: &'static str,
        one: impl Fn(&mut Self) -> Result<Area, Fault>,
    ) -> Result<Area, Fault> {
        let mut areas = Vec::new();
        loop {
            self.skip(|c| c.is_whitespace() || c == ',');
            if self.eat(")") {
                break;
            }
            if self.peek().is_none() {
                return Err(self.unexpected(if areas.is_empty() { expected } else { "`)`" }));
            }
            if areas.len() == 64 {
                return Err((self.at, PatternFault::TooLong(64)));
            }
            match one(self)? {
                Area::Union(more) => areas.extend(more),
                area => areas.push(area),
            }
            if !matches!(self.peek(), Some(c) if c.is_whitespace() || c == ',' || c == ')') {
                return Err(self.unexpected("a space, a comma or `)`"));
            }
        }
        match areas.pop() {
            None => {
                self.at -= 1;
                Err(self.unexpected(expected))
            }
            Some(only) if areas.is_empty() => Ok(only),
            Some(last) => {
                areas.push(last);
                Ok(Area::Union(areas))
            }
        }
    }

    fn simple_area(&mut self, owner: Option<Side>) -> Result<Area, Fault> {
        let start = self.at;
        let name = self.name();
        // A square: `c3`.
        if name.len() == 1 {
            return self.squares();
        }
        self.at += name.len();
        match name.to_ascii_lowercase().as_str() {
            "near" => {
                self.arguments(|reader| Ok(Area::Near(reader.square("a square such as `c3`")?)))
            }
            "trap" => self.arguments(|reader| {
                let at = reader.at;
                let square = reader.square("a trap: c3, f3, c6 or f6")?;
                if square.is_trap() {
                    Ok(Area::Window(square))
                } else {
                    Err((at, PatternFault::NotATrap(square)))
                }
            }),
            "file" | "files" => self.arguments(|reader| {
                let (one, other) = reader.range("a file, a to h", File::from_char)?;
                Ok(Area::Files(one, other))
            }),
            "rank" | "ranks" => self.arguments(|reader| {
                let (one, other) = reader.range("a rank, 1 to 8", Rank::from_char)?;
                Ok(Area::Ranks(one, other))
            }),
            "home" => self.region("home", Region::Home, owner),
            "away" => self.region("away", Region::Away, owner),
            "goal" => self.region("goal", Region::Goal, owner),
            "centre" | "center" => Ok(Area::Centre),
            "edge" => Ok(Area::Edge),
            "traps" => Ok(Area::Traps),
            "board" => Ok(Area::Board),
            _ => {
                self.at = start;
                Err(self.unexpected(AREA))
            }
        }
    }

    /// `c3` or `c3..e5`.
    fn squares(&mut self) -> Result<Area, Fault> {
        let one = self.square(AREA)?;
        if !self.eat("..") {
            return Ok(Area::Square(one));
        }
        let other = self.square("the other corner, a square such as `e5`")?;
        Ok(Area::Rectangle(one, other))
    }

    /// `(c3)`, `(c3 f3)`, or ` c3`, after a name that needs it.
    fn arguments(&mut self, one: impl Fn(&mut Self) -> Result<Area, Fault>) -> Result<Area, Fault> {
        self.skip(char::is_whitespace);
        if self.eat("(") {
            self.list("which one", one)
        } else {
            one(self)
        }
    }

    /// `a` or `a..c`.
    fn range<T: Copy>(
        &mut self,
        expected: &'static str,
        read: impl Fn(char) -> Option<T>,
    ) -> Result<(T, T), Fault> {
        let end = |reader: &mut Self| {
            let found = reader.peek().and_then(&read);
            let found = found.ok_or_else(|| reader.unexpected(expected))?;
            reader.at += 1;
            Ok(found)
        };
        let one = end(self)?;
        let other = if self.eat("..") { end(self)? } else { one };
        Ok((one, other))
    }

    /// `home`, which is that of the pieces looked for, or `home(s)`.
    fn region(
        &mut self,
        name: &'static str,
        region: Region,
        owner: Option<Side>,
    ) -> Result<Area, Fault> {
        let start = self.at - name.len();
        if !self.eat("(") {
            let side = owner.ok_or((start, PatternFault::WhoseRegion(name)))?;
            return Ok(Area::Own(region, side));
        }
        let side = match self.name().to_ascii_lowercase().as_str() {
            "g" | "w" | "gold" => Side::Gold,
            "s" | "b" | "silver" => Side::Silver,
            _ => return Err(self.unexpected("`g` or `s`")),
        };
        self.at += self.name().len();
        if !self.eat(")") {
            return Err(self.unexpected("`)`"));
        }
        Ok(Area::Own(region, side))
    }
}
