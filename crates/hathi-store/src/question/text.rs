//! A whole question as one line of text: names and values as addresses have
//! them, `position=g+%5B...%5D&kind=half&min_rating=2000&limit=10`.
//!
//! The names are those of the API's parameters. What is left out is as in
//! [`PositionQuestion::new`] and [`PatternQuestion::new`].

use std::fmt::{self, Display, Write as _};
use std::ops::RangeInclusive;
use std::str::FromStr;

use hathi_rules::{Position, Role, Side, Termination};

use super::{Kind, KindError, KindWords, Matching, PatternQuestion, PositionQuestion};
use crate::dates::{Period, date};
use crate::filter::{Filter, Kinds, Sources, game_numbers, move_numbers, termination};
use crate::pattern::Pattern;

/// Everything that can be asked about positions.
///
/// ```
/// use hathi_store::Question;
/// let text = "pattern=Ed5 hc6&player=omar&as=g&moves=5-20&limit=3";
/// let question: Question = text.parse()?;
/// let Question::Pattern(about) = &question else { panic!("about a pattern") };
/// assert_eq!(about.filter.move_numbers, Some(5..=20));
/// assert_eq!(question.to_string(), "pattern=Ed5+hc6&player=omar&as=g&moves=5-20&limit=3");
/// # Ok::<(), hathi_store::QuestionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// What was played in positions like this one?
    Position(PositionQuestion),
    /// Where was it like this?
    Pattern(PatternQuestion),
}

/// Text that is no question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// Something without a value.
    #[error("`{0}` has no value: expected NAME=VALUE")]
    NoValue(String),
    /// A name nobody knows, or one that belongs to the other sort of question.
    #[error("`{0}` is nothing that such a question has")]
    Unknown(String),
    /// A name with two values.
    #[error("`{0}` stands there twice")]
    Twice(String),
    /// A percent sign without two digits behind it, or bytes that are no text.
    #[error("the value of `{0}` is not written as addresses are")]
    Encoding(String),
    /// A value that means nothing.
    #[error("`{name}`: {why}")]
    Value {
        /// Of this name.
        name: &'static str,
        /// What is wrong.
        why: String,
    },
    /// Neither a position nor a pattern.
    #[error("a question is about a `position` or a `pattern`")]
    AboutNothing,
    /// Words that mean no part of the board.
    #[error(transparent)]
    Kind(#[from] KindError),
}

const WHO: [(Kinds, &str); 3] = [
    (Kinds::Humans, "humans"),
    (Kinds::Bots, "bots"),
    (Kinds::Mixed, "mixed"),
];

// --- writing ----------------------------------------------------------------

impl Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::default();
        let (matching, filter, limit) = match self {
            Question::Position(about) => {
                line.add("position", about.position);
                if about.kind != Kind::Full {
                    line.add("kind", about.kind.name());
                }
                line.add_some("trap", about.kind.trap());
                line.add_some("piece", about.kind.piece().map(Role::to_char));
                line.add_some("best_hits", about.best_hits);
                (about.matching, &about.filter, about.limit)
            }
            Question::Pattern(about) => {
                line.add("pattern", &about.pattern);
                line.add_some("one_per_game", about.one_per_game.then_some(true));
                (about.matching, &about.filter, about.limit)
            }
        };
        line.add_some("literal", (matching == Matching::Literal).then_some(true));
        line.add_filter(filter);
        line.add_some("limit", (limit != usize::MAX).then_some(limit));
        f.write_str(&line.text)
    }
}

/// Names and values, written one behind the other.
#[derive(Default)]
struct Line {
    text: String,
}

impl Line {
    fn add(&mut self, name: &str, value: impl Display) {
        if !self.text.is_empty() {
            self.text.push('&');
        }
        self.text.push_str(name);
        self.text.push('=');
        for byte in value.to_string().bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'*' => {
                    self.text.push(char::from(byte));
                }
                b' ' => self.text.push('+'),
                _ => {
                    // Writing to a string does not fail.
                    let _ = write!(self.text, "%{byte:02X}");
                }
            }
        }
    }

    fn add_some(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    fn add_filter(&mut self, filter: &Filter) {
        let Filter {
            sources,
            numbers,
            min_rating_both,
            min_rating_either,
            max_rating_both,
            player,
            kinds,
            event,
            rated,
            started,
            pace,
            result,
            termination,
            move_numbers,
        } = filter;
        self.add_some("source", sources.map(source_names));
        let numbers = numbers.as_ref();
        self.add_some(
            "numbers",
            numbers.map(|these| shown_numbers(these, u64::MAX)),
        );
        self.add_some("min_rating", *min_rating_both);
        self.add_some("min_rating_either", *min_rating_either);
        self.add_some("max_rating", *max_rating_both);
        if let Some((name, side)) = player {
            self.add("player", name);
            self.add_some("as", *side);
        }
        let who = kinds.and_then(|kinds| WHO.iter().find(|(known, _)| *known == kinds));
        self.add_some("who", who.map(|(_, name)| name));
        self.add_some("event", event.as_ref());
        self.add_some("rated", *rated);
        if let Some(started) = started {
            self.add_started(started);
        }
        self.add_some("pace", pace.map(crate::Pace::name));
        self.add_some("result", *result);
        self.add_some("termination", termination.map(Termination::to_char));
        let moves = move_numbers.as_ref();
        self.add_some("moves", moves.map(|these| shown_numbers(these, u32::MAX)));
    }

    /// Days where they are whole, else seconds since 1970.
    fn add_started(&mut self, started: &RangeInclusive<i64>) {
        let (start, end) = (*started.start(), *started.end());
        // What is open need not be said, but something must be.
        if start != i64::MIN || end == i64::MAX {
            let day = date(start).filter(|day| moment(day, first_second) == Ok(start));
            self.add("from", day.unwrap_or_else(|| format!("@{start}")));
        }
        if end != i64::MAX {
            let day = date(end).filter(|day| moment(day, last_second) == Ok(end));
            self.add("to", day.unwrap_or_else(|| format!("@{end}")));
        }
    }
}

fn source_names(sources: Sources) -> String {
    if sources == Sources::ALL {
        return "all".to_owned();
    }
    let names: Vec<String> = sources.iter().map(|source| source.to_string()).collect();
    names.join(",")
}

fn shown_numbers<N: Copy + PartialEq + Display>(numbers: &RangeInclusive<N>, most: N) -> String {
    match (*numbers.start(), *numbers.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) if last == most => format!("{first}-"),
        (first, last) => format!("{first}-{last}"),
    }
}

// --- reading ----------------------------------------------------------------

impl FromStr for Question {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Question, QuestionError> {
        Given::read(text)?.question()
    }
}

impl Question {
    /// The question of these names and values, for who has them apart already.
    pub fn of_pairs(pairs: Vec<(String, String)>) -> Result<Question, QuestionError> {
        Given::of(pairs)?.question()
    }
}

impl Filter {
    /// The filter of these names and values, which are those of a [`Question`].
    ///
    /// ```
    /// use hathi_store::Filter;
    /// let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    /// let filter = Filter::of_pairs(vec![pair("min_rating", "2000")])?;
    /// assert_eq!(filter.min_rating_both, Some(2000));
    /// let error = Filter::of_pairs(vec![pair("strength", "2000")]).unwrap_err();
    /// assert_eq!(error.to_string(), "`strength` is nothing that such a question has");
    /// # Ok::<(), hathi_store::QuestionError>(())
    /// ```
    pub fn of_pairs(pairs: Vec<(String, String)>) -> Result<Filter, QuestionError> {
        let mut given = Given::of(pairs)?;
        let filter = given.filter()?;
        given.nothing_left().map(|()| filter)
    }
}

fn about_position(text: &str, given: &mut Given) -> Result<PositionQuestion, QuestionError> {
    let position: Position = value("position", text, str::parse)?;
    let (kind, trap, last, piece) = (
        given.take("kind"),
        given.take("trap"),
        given.take("last"),
        given.take("piece"),
    );
    let words = KindWords {
        kind: kind.as_deref().unwrap_or(Kind::NAMES[0]),
        trap: trap.as_deref(),
        last: last.as_deref(),
        piece: piece.as_deref(),
    };
    Ok(PositionQuestion {
        position,
        kind: words.read(&position)?,
        matching: given.matching()?,
        filter: given.filter()?,
        best_hits: given.value("best_hits", str::parse)?,
        limit: given.value("limit", str::parse)?.unwrap_or(usize::MAX),
    })
}

fn about_pattern(text: &str, given: &mut Given) -> Result<PatternQuestion, QuestionError> {
    Ok(PatternQuestion {
        pattern: value("pattern", text, str::parse::<Pattern>)?,
        matching: given.matching()?,
        filter: given.filter()?,
        limit: given.value("limit", str::parse)?.unwrap_or(usize::MAX),
        one_per_game: given.value("one_per_game", str::parse)?.unwrap_or_default(),
    })
}

/// Names and values that nobody has asked for yet.
struct Given(Vec<(String, String)>);

impl Given {
    fn read(text: &str) -> Result<Given, QuestionError> {
        let mut given: Vec<(String, String)> = Vec::new();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| QuestionError::NoValue(super::shown(part)))?;
            if given.iter().any(|(known, _)| known == name) {
                return Err(QuestionError::Twice(super::shown(name)));
            }
            let value =
                decoded(value).ok_or_else(|| QuestionError::Encoding(super::shown(name)))?;
            given.push((super::shown(name), value));
        }
        Ok(Given(given))
    }

    fn of(pairs: Vec<(String, String)>) -> Result<Given, QuestionError> {
        for (i, (name, _)) in pairs.iter().enumerate() {
            if pairs[..i].iter().any(|(known, _)| known == name) {
                return Err(QuestionError::Twice(super::shown(name)));
            }
        }
        Ok(Given(pairs))
    }

    fn question(mut self) -> Result<Question, QuestionError> {
        let question = match (self.take("position"), self.take("pattern")) {
            (Some(position), None) => Question::Position(about_position(&position, &mut self)?),
            (None, Some(pattern)) => Question::Pattern(about_pattern(&pattern, &mut self)?),
            (None, None) => return Err(QuestionError::AboutNothing),
            (Some(_), Some(_)) => return Err(QuestionError::Unknown("pattern".to_owned())),
        };
        self.nothing_left().map(|()| question)
    }

    fn nothing_left(mut self) -> Result<(), QuestionError> {
        match self.0.pop() {
            None => Ok(()),
            Some((name, _)) => Err(QuestionError::Unknown(super::shown(&name))),
        }
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(index).1)
    }

    fn value<T, E: Display>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, QuestionError> {
        let text = self.take(name);
        text.map(|text| value(name, &text, parse)).transpose()
    }

    fn matching(&mut self) -> Result<Matching, QuestionError> {
        Ok(match self.value("literal", str::parse)? {
            Some(true) => Matching::Literal,
            Some(false) | None => Matching::Symmetric,
        })
    }

    fn filter(&mut self) -> Result<Filter, QuestionError> {
        let player = self.take("player");
        let colour = self.value("as", side)?;
        if colour.is_some() && player.is_none() {
            return Err(QuestionError::Value {
                name: "as",
                why: "is the colour of a player: give `player`, too".to_owned(),
            });
        }
        Ok(Filter {
            sources: self.value("source", str::parse)?,
            numbers: self.value("numbers", game_numbers)?,
            min_rating_both: self.value("min_rating", str::parse)?,
            min_rating_either: self.value("min_rating_either", str::parse)?,
            max_rating_both: self.value("max_rating", str::parse)?,
            player: player.map(|name| (name, colour)),
            kinds: self.value("who", who)?,
            event: self.take("event"),
            rated: self.value("rated", str::parse)?,
            started: self.started()?,
            pace: self.value("pace", str::parse)?,
            result: self.value("result", side)?,
            termination: self.value("termination", termination)?,
            move_numbers: self.value("moves", move_numbers)?,
        })
    }

    fn started(&mut self) -> Result<Option<RangeInclusive<i64>>, QuestionError> {
        let from = self.value("from", |text| moment(text, first_second))?;
        let to = self.value("to", |text| moment(text, last_second))?;
        if from.is_none() && to.is_none() {
            return Ok(None);
        }
        let (from, to) = (from.unwrap_or(i64::MIN), to.unwrap_or(i64::MAX));
        if from > to {
            return Err(QuestionError::Value {
                name: "from",
                why: "is later than `to`".to_owned(),
            });
        }
        Ok(Some(from..=to))
    }
}

fn value<T, E: Display>(
    name: &'static str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, QuestionError> {
    parse(text).map_err(|error| QuestionError::Value {
        name,
        why: error.to_string(),
    })
}

/// `+` for a space, `%20` for a byte.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let (digits, after) = rest.split_at_checked(2)?;
                rest = after;
                let digit = |byte: u8| char::from(byte).to_digit(16);
                ((digit(digits[0])? << 4) | digit(digits[1])?) as u8
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// A year, a month or a day, of which one end is meant, or `@` and seconds
/// since 1970.
fn moment(text: &str, end: impl FnOnce(&Period) -> i64) -> Result<i64, String> {
    match text.strip_prefix('@') {
        Some(seconds) => seconds
            .parse()
            .map_err(|_| format!("`{}` is no number of seconds", super::shown(seconds))),
        None => text.parse().map(|period| end(&period)),
    }
}

fn first_second(Period(period): &Period) -> i64 {
    *period.start()
}

fn last_second(Period(period): &Period) -> i64 {
    *period.end()
}

fn side(text: &str) -> Result<Side, String> {
    match text {
        "g" | "gold" => Ok(Side::Gold),
        "s" | "silver" => Ok(Side::Silver),
        _ => Err(format!("`{}` is no side: g or s", super::shown(text))),
    }
}

fn who(text: &str) -> Result<Kinds, String> {
    let found = WHO.into_iter().find(|(_, name)| *name == text);
    found.map(|(kinds, _)| kinds).ok_or_else(|| {
        let text = super::shown(text);
        format!("`{text}` says nobody: expected humans, bots or mixed")
    })
}

#[cfg(test)]
mod tests {
    use hathi_archive::GameSource;
    use hathi_rules::Square;
    use proptest::option::of;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::Pace;

    const POSITIONS: [&str; 3] = [
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
        "s [rrrrrrrrhdc mcdh    e          E                HDCM CDHRRRRRRRR]",
        "g [ r                 e                  E                       R ]",
    ];

    const PATTERNS: [&str; 4] = [
        "Ed5 hc6",
        "E@near(c6) h@trap(c6) _c6 g to move",
        "S<H@near(c6) g to move",
        "s to move",
    ];

    fn kinds() -> impl Strategy<Value = Kind> {
        let (trap, piece) = (select(Square::TRAPS.to_vec()), select(Role::ALL.to_vec()));
        (0..4usize, trap, piece)
            .prop_map(|(i, trap, piece)| Kind::all(crate::Focus { trap, piece })[i])
    }

    fn sources() -> impl Strategy<Value = Sources> {
        let one = select(GameSource::ALL.to_vec()).prop_map(Sources::from);
        let two = Just(Sources::WITHOUT_SAMPLES);
        prop_oneof![one, two, Just(Sources::ALL)]
    }

    /// Whole days, open ends and any moments.
    fn started() -> impl Strategy<Value = RangeInclusive<i64>> {
        let day = (10_000..20_000i64).prop_map(|day| day * 86_400);
        let start = prop_oneof![Just(i64::MIN), day.clone(), any::<i64>()];
        let end = prop_oneof![Just(i64::MAX), day.prop_map(|day| day - 1), any::<i64>()];
        (start, end).prop_map(|(a, b)| a.min(b)..=a.max(b))
    }

    fn filters() -> impl Strategy<Value = Filter> {
        let sides = || select(Side::ALL.to_vec());
        let rating = || of(any::<i32>());
        let who = select(WHO.map(|(kinds, _)| kinds).to_vec());
        let moves = (any::<u32>(), any::<u32>());
        let numbers = prop_oneof![
            moves.prop_map(|(a, b)| a.min(b)..=a.max(b)),
            any::<u32>().prop_map(|a| a..=a),
            any::<u32>().prop_map(|a| a..=u32::MAX),
        ];
        let ids = prop_oneof![
            (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a.min(b)..=a.max(b)),
            any::<u64>().prop_map(|a| a..=a),
            any::<u64>().prop_map(|a| a..=u64::MAX),
        ];
        let of_games = (
            of(sources()),
            (rating(), rating(), rating()),
            of((any::<String>(), of(sides()))),
            of(who),
            of(any::<String>()),
            of(any::<bool>()),
            of(ids),
        );
        let of_play = (
            of(started()),
            of(select(Pace::ALL.to_vec())),
            of(sides()),
            of(select(Termination::ALL.to_vec())),
            of(numbers),
        );
        (of_games, of_play).prop_map(|(games, play)| Filter {
            sources: games.0,
            numbers: games.6,
            min_rating_both: games.1.0,
            min_rating_either: games.1.1,
            max_rating_both: games.1.2,
            player: games.2,
            kinds: games.3,
            event: games.4,
            rated: games.5,
            started: play.0,
            pace: play.1,
            result: play.2,
            termination: play.3,
            move_numbers: play.4,
        })
    }

    fn questions() -> impl Strategy<Value = Question> {
        let matching = || select(vec![Matching::Symmetric, Matching::Literal]);
        let limit = || prop_oneof![Just(usize::MAX), any::<usize>()];
        let position = select(POSITIONS.to_vec());
        let pattern = select(PATTERNS.to_vec());
        let about_position = (
            position,
            kinds(),
            matching(),
            filters(),
            of(any::<usize>()),
            limit(),
        )
            .prop_map(|(text, kind, matching, filter, best_hits, limit)| {
                Question::Position(PositionQuestion {
                    position: text.parse().expect("a position"),
                    kind,
                    matching,
                    filter,
                    best_hits,
                    limit,
                })
            });
        let about_pattern = (pattern, matching(), filters(), limit(), any::<bool>()).prop_map(
            |(text, matching, filter, limit, one_per_game)| {
                Question::Pattern(PatternQuestion {
                    pattern: text.parse().expect("a pattern"),
                    matching,
                    filter,
                    limit,
                    one_per_game,
                })
            },
        );
        prop_oneof![about_position, about_pattern]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same_question(question in questions()) {
            let text = question.to_string();
            prop_assert!(text.is_ascii(), "{}", text);
            prop_assert_eq!(text.parse::<Question>(), Ok(question), "{}", text);
        }

        #[test]
        fn whatever_is_read_is_written_and_read_again(
            parts in proptest::collection::vec(
                ("position|pattern|kind|trap|limit|player|as|moves|from|to|x", "g|full|5-|%4|\\PC{0,8}"),
                0..6,
            ),
        ) {
            let parts = parts.into_iter().map(|(name, value)| format!("{name}={value}"));
            let text = parts.collect::<Vec<String>>().join("&");
            if let Ok(question) = text.parse::<Question>() {
                prop_assert_eq!(question.to_string().parse(), Ok(question));
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let position =
            "position=g+[rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
        for (text, wanted) in [
            ("", "a question is about a `position` or a `pattern`"),
            ("position=x", "`position`: "),
            ("pattern=Ed5&limit", "`limit` has no value"),
            (
                "pattern=Ed5&kind=half",
                "`kind` is nothing that such a question has",
            ),
            ("pattern=Ed5&limit=1&limit=2", "`limit` stands there twice"),
            (
                "pattern=%E",
                "the value of `pattern` is not written as addresses are",
            ),
            (
                "pattern=%FF",
                "the value of `pattern` is not written as addresses are",
            ),
            ("pattern=Ed5&as=g", "`as`: is the colour of a player"),
            (
                "pattern=Ed5&from=2012&to=2011",
                "`from`: is later than `to`",
            ),
            ("pattern=Ed5&limit=-1", "`limit`: "),
            ("pattern=Ed5&who=cats", "`who`: `cats` says nobody"),
            (&format!("{position}&kind=area&trap=c4"), "`c4` is no trap"),
            (&format!("{position}&pattern=Ed5"), "`pattern` is nothing"),
        ] {
            let said = text.parse::<Question>().expect_err(text).to_string();
            assert!(said.starts_with(wanted), "{text}: {said}");
        }
        let short = format!("{position}&kind=area&last=b6");
        let Ok(Question::Position(about)) = short.parse() else {
            panic!("{short}");
        };
        assert_eq!(about.kind, Kind::Area { trap: Square::C6 });
    }
}
