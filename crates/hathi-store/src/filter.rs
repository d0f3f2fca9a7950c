//! Which games count: the same filter for every question.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use hathi_archive::{GameSource, ParseGameSourceError};
use hathi_rules::{Ply, Side, Termination, TimeControl};

use crate::model::GameRow;

/// A value of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Integer(i64),
    Text(String),
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

/// Whose SQL it is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// The value with this number, from 1.
    pub(crate) fn parameter(self, number: usize) -> String {
        match self {
            Dialect::Sqlite => format!("?{number}"),
            Dialect::Postgres => format!("${number}"),
        }
    }

    /// A name, whatever the case of its ASCII letters.
    fn caseless(self, text: &str) -> String {
        match self {
            Dialect::Sqlite => format!("lower({text})"),
            // Else the letters of the server's language would count too.
            Dialect::Postgres => format!("lower({text} COLLATE \"C\")"),
        }
    }
}

/// Conditions on games. The empty filter lets every game through.
///
/// ```
/// use hathi_store::Filter;
/// let strong = Filter { min_rating_both: Some(2000), ..Filter::default() };
/// assert!(!strong.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// Games of these sources. Without, all sources that
    /// [count](crate::SourceCount::counted): the samples do not, once there are
    /// real games.
    pub sources: Option<Sources>,
    /// Its number in its source is one of these.
    pub numbers: Option<RangeInclusive<u64>>,
    /// Both players at least this strong.
    pub min_rating_both: Option<i32>,
    /// One of them at least this strong.
    pub min_rating_either: Option<i32>,
    /// Both at most this strong.
    pub max_rating_both: Option<i32>,
    /// A player of that name took part, with that colour if one is given.
    pub player: Option<(String, Option<Side>)>,
    /// Humans only, bots only, or one of each.
    pub kinds: Option<Kinds>,
    /// The event contains this text.
    pub event: Option<String>,
    /// Rated games only, or unrated only.
    pub rated: Option<bool>,
    /// Started within these seconds since 1970.
    pub started: Option<RangeInclusive<i64>>,
    /// Class of the time control.
    pub pace: Option<Pace>,
    /// Who won.
    pub result: Option<Side>,
    /// How it ended.
    pub termination: Option<Termination>,
    /// The move number of the position (2 is the first turn after the
    /// setups). The only condition that is not about the game.
    pub move_numbers: Option<RangeInclusive<u32>>,
}

/// Sources of games that are chosen together.
///
/// ```
/// use hathi_archive::GameSource;
/// use hathi_store::Sources;
/// let own: Sources = "play,arena".parse()?;
/// assert!(own.contains(GameSource::Play) && !own.contains(GameSource::Sample));
/// assert_eq!("all".parse(), Ok(Sources::ALL));
/// # Ok::<(), hathi_archive::ParseGameSourceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sources(u8);

impl Sources {
    /// Every source there is.
    pub const ALL: Sources = Sources(u8::MAX >> (8 - GameSource::ALL.len()));
    /// Every source but the samples: what counts once there are real games.
    pub const WITHOUT_SAMPLES: Sources = Sources(Sources::ALL.0 & !(1 << GameSource::Sample as u8));

    /// Is this source among them?
    pub const fn contains(self, source: GameSource) -> bool {
        self.0 >> source as u8 & 1 != 0
    }

    /// Those that are chosen.
    pub fn iter(self) -> impl Iterator<Item = GameSource> {
        GameSource::ALL
            .into_iter()
            .filter(move |&source| self.contains(source))
    }
}

impl From<GameSource> for Sources {
    fn from(source: GameSource) -> Sources {
        Sources(1 << source as u8)
    }
}

/// As people write them: names with commas between them, or `all`.
impl FromStr for Sources {
    type Err = ParseGameSourceError;

    fn from_str(text: &str) -> Result<Sources, ParseGameSourceError> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Sources::ALL);
        }
        let mut chosen = 0;
        for name in text.split(',') {
            chosen |= Sources::from(name.trim().parse::<GameSource>()?).0;
        }
        Ok(Sources(chosen))
    }
}

/// The class of a time control, by the time for a move: what players filter
/// by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pace {
    /// Up to 20 seconds.
    Lightning,
    /// Up to 45 seconds.
    Blitz,
    /// Up to 90 seconds.
    Fast,
    /// Up to 5 minutes.
    Standard,
    /// Up to an hour.
    Slow,
    /// Longer, or by correspondence.
    Postal,
    /// No limit.
    Untimed,
}

impl Pace {
    /// All of them, the quickest first.
    pub const ALL: [Pace; 7] = [
        Pace::Lightning,
        Pace::Blitz,
        Pace::Fast,
        Pace::Standard,
        Pace::Slow,
        Pace::Postal,
        Pace::Untimed,
    ];

    /// As it is called everywhere, in the store too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Pace::Lightning => "lightning",
            Pace::Blitz => "blitz",
            Pace::Fast => "fast",
            Pace::Standard => "standard",
            Pace::Slow => "slow",
            Pace::Postal => "postal",
            Pace::Untimed => "untimed",
        }
    }

    /// What it means, for people.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Pace::Lightning => "up to 20 seconds a move",
            Pace::Blitz => "up to 45 seconds",
            Pace::Fast => "up to 90 seconds",
            Pace::Standard => "up to 5 minutes",
            Pace::Slow => "up to an hour",
            Pace::Postal => "longer, or by correspondence",
            Pace::Untimed => "no limit",
        }
    }

    /// The class of a time control as archives write it.
    pub(crate) fn of(text: &str, postal: bool) -> Option<Pace> {
        if postal {
            return Some(Pace::Postal);
        }
        let control: TimeControl = text.parse().ok()?;
        Some(match control.per_move().as_secs() {
            _ if control.is_untimed() => Pace::Untimed,
            0..=20 => Pace::Lightning,
            21..=45 => Pace::Blitz,
            46..=90 => Pace::Fast,
            91..=300 => Pace::Standard,
            301..=3600 => Pace::Slow,
            _ => Pace::Postal,
        })
    }
}

impl FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Pace, String> {
        let found = Pace::ALL.into_iter().find(|pace| pace.name() == text);
        found.ok_or_else(|| {
            let names = Pace::ALL.map(Pace::name).join(", ");
            format!("`{text}` is no pace: expected one of {names}")
        })
    }
}

/// The letter of the archive for how a game ended.
pub fn termination(text: &str) -> Result<Termination, String> {
    let mut letters = text.chars();
    let termination = letters.next().and_then(Termination::from_char);
    termination
        .filter(|_| letters.next().is_none())
        .ok_or_else(|| {
            let letters = Termination::ALL.map(|t| t.to_char().to_string());
            format!("expected one of {}", letters.join(", "))
        })
}

/// Which of the games that fit, and in which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// No more than so many.
    pub limit: Option<u64>,
    /// Those added last come first.
    pub newest_first: bool,
    /// Only those after this row, in that order: the last one of the page
    /// before.
    pub after: Option<GameRow>,
    /// With their logs, which are longer than all the rest.
    pub with_logs: bool,
}

impl Page {
    /// The end of the question: a condition on rows, order and limit.
    pub(crate) fn to_sql(self) -> String {
        let (compare, order) = if self.newest_first {
            ("<", " DESC")
        } else {
            (">", "")
        };
        let after = self.after.map_or(String::new(), |row| {
            format!(" AND games.id {compare} {}", row.get())
        });
        let limit = self
            .limit
            .map_or(String::new(), |limit| format!(" LIMIT {limit}"));
        format!("{after} ORDER BY games.id{order}{limit}")
    }
}

/// Who played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kinds {
    /// Two humans.
    Humans,
    /// Two bots.
    Bots,
    /// A human and a bot.
    Mixed,
}

/// Move numbers as people write them: `5`, `5-20` or `5-`.
///
/// ```
/// use hathi_store::move_numbers;
/// assert_eq!(move_numbers("5-20"), Ok(5..=20));
/// assert_eq!(move_numbers("5-"), Ok(5..=u32::MAX));
/// assert!(move_numbers("20-5").is_err());
/// ```
pub fn move_numbers(text: &str) -> Result<RangeInclusive<u32>, String> {
    span(text, u32::MAX, "move numbers such as 5, 5-20 or 5-")
}

/// Numbers of games in their source as people write them: `5000`, `5000-6000` or
/// `5000-`.
///
/// ```
/// use hathi_store::game_numbers;
/// assert_eq!(game_numbers("5000-6000"), Ok(5000..=6000));
/// assert_eq!(game_numbers("5000"), Ok(5000..=5000));
/// assert!(game_numbers("sample:15").is_err());
/// ```
pub fn game_numbers(text: &str) -> Result<RangeInclusive<u64>, String> {
    span(
        text,
        u64::MAX,
        "game numbers such as 5000, 5000-6000 or 5000-",
    )
}

/// From a number to another one, or to the last there is.
fn span<N: Copy + Ord + FromStr + Display>(
    text: &str,
    last: N,
    expected: &str,
) -> Result<RangeInclusive<N>, String> {
    let number = |text: &str| {
        text.parse::<N>()
            .map_err(|_| format!("expected {expected}"))
    };
    let (from, to) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((from, "")) => (number(from)?, last),
        Some((from, to)) => (number(from)?, number(to)?),
    };
    if from > to {
        return Err(format!("{from} is after {to}"));
    }
    Ok(from..=to)
}

impl Filter {
    /// Does it let everything through?
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// The same with the sources that count, if none were chosen.
    pub(crate) fn counting(&self, samples_left_out: bool) -> Cow<'_, Filter> {
        if self.sources.is_some() || !samples_left_out {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Filter {
            sources: Some(Sources::WITHOUT_SAMPLES),
            ..self.clone()
        })
    }

    /// Does it ask anything about games?
    pub(crate) fn asks_of_games(&self) -> bool {
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
            move_numbers: _,
        } = self;
        sources.is_some_and(|sources| sources != Sources::ALL)
            || numbers.is_some()
            || min_rating_both.is_some()
            || min_rating_either.is_some()
            || max_rating_both.is_some()
            || player.is_some()
            || kinds.is_some()
            || event.is_some()
            || rated.is_some()
            || started.is_some()
            || pace.is_some()
            || result.is_some()
            || termination.is_some()
    }

    /// The tables that [`to_sql`](Filter::to_sql) speaks of.
    pub(crate) fn tables(&self) -> &'static str {
        if self.player.is_some() || self.event.is_some() {
            "games JOIN players gold ON gold.id = gold_id
             JOIN players silver ON silver.id = silver_id
             LEFT JOIN events ON events.id = event_id"
        } else {
            "games"
        }
    }

    /// Does the move number of this ply fit?
    #[inline]
    pub(crate) fn fits_ply(&self, ply: Ply) -> bool {
        self.move_numbers
            .as_ref()
            .is_none_or(|numbers| numbers.contains(&ply.move_number()))
    }

    /// The condition in SQL over `games`, `gold`, `silver` and `events`, and
    /// its values.
    pub(crate) fn to_sql(&self, dialect: Dialect) -> (String, Vec<Value>) {
        self.to_sql_after(dialect, 0)
    }

    /// The same where the statement has so many values already.
    pub(crate) fn to_sql_after(&self, dialect: Dialect, others: usize) -> (String, Vec<Value>) {
        let mut conditions = vec!["1 = 1".to_owned()];
        let mut values = Vec::new();
        let mut value = |value: Value| {
            values.push(value);
            dialect.parameter(others + values.len())
        };
        if let Some(sources) = self.sources
            && sources != Sources::ALL
        {
            // Names of ours, so they can stand there as they are.
            let names: Vec<String> = sources.iter().map(|source| format!("'{source}'")).collect();
            conditions.push(format!("games.source IN ({})", names.join(", ")));
        }
        if let Some(numbers) = &self.numbers {
            // No game has a number that the database cannot hold.
            let [from, to] = [numbers.start(), numbers.end()]
                .map(|&number| value(Value::Integer(number.try_into().unwrap_or(i64::MAX))));
            conditions.push(format!("games.archive_id BETWEEN {from} AND {to}"));
        }
        if let Some(rating) = self.min_rating_both {
            let rating = value(Value::Integer(rating.into()));
            conditions.push(format!(
                "gold_rating >= {rating} AND silver_rating >= {rating}"
            ));
        }
        if let Some(rating) = self.min_rating_either {
            let rating = value(Value::Integer(rating.into()));
            conditions.push(format!(
                "(gold_rating >= {rating} OR silver_rating >= {rating})"
            ));
        }
        if let Some(rating) = self.max_rating_both {
            let rating = value(Value::Integer(rating.into()));
            conditions.push(format!(
                "gold_rating <= {rating} AND silver_rating <= {rating}"
            ));
        }
        if let Some((name, side)) = &self.player {
            let name = value(Value::Text(name.to_ascii_lowercase()));
            let (gold, silver) = (
                dialect.caseless("gold.name"),
                dialect.caseless("silver.name"),
            );
            conditions.push(match side {
                Some(Side::Gold) => format!("{gold} = {name}"),
                Some(Side::Silver) => format!("{silver} = {name}"),
                None => format!("({gold} = {name} OR {silver} = {name})"),
            });
        }
        if let Some(kinds) = self.kinds {
            conditions.push(
                match kinds {
                    Kinds::Humans => "gold_kind = 'h' AND silver_kind = 'h'",
                    Kinds::Bots => "gold_kind = 'b' AND silver_kind = 'b'",
                    Kinds::Mixed => "gold_kind <> silver_kind",
                }
                .to_owned(),
            );
        }
        if let Some(event) = &self.event {
            // Not LIKE: a percent sign in the text is a percent sign.
            let event = value(Value::Text(event.to_ascii_lowercase()));
            let name = dialect.caseless("events.name");
            conditions.push(match dialect {
                Dialect::Sqlite => format!("instr({name}, {event}) > 0"),
                Dialect::Postgres => format!("strpos({name}, {event}) > 0"),
            });
        }
        if let Some(rated) = self.rated {
            conditions.push(match dialect {
                Dialect::Sqlite => format!("rated = {}", u8::from(rated)),
                Dialect::Postgres => format!("rated = {rated}"),
            });
        }
        if let Some(started) = &self.started {
            let (from, to) = (
                value(Value::Integer(*started.start())),
                value(Value::Integer(*started.end())),
            );
            conditions.push(format!("started BETWEEN {from} AND {to}"));
        }
        if let Some(pace) = self.pace {
            let pace = value(Value::Text(pace.name().to_owned()));
            conditions.push(format!("pace = {pace}"));
        }
        if let Some(result) = self.result {
            conditions.push(format!("result = '{result}'"));
        }
        if let Some(termination) = self.termination {
            conditions.push(format!("termination = '{}'", termination.to_char()));
        }
        (conditions.join(" AND "), values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_in_order() {
        let filter = Filter {
            min_rating_both: Some(2000),
            player: Some(("x' OR 1=1 --".to_owned(), None)),
            event: Some("100%".to_owned()),
            ..Filter::default()
        };
        let (sql, values) = filter.to_sql(Dialect::Sqlite);
        assert_eq!(values.len(), 3);
        assert!(!sql.contains("or 1=1"), "{sql}");
        assert!(sql.contains("?2"), "{sql}");
        let (sql, _) = filter.to_sql(Dialect::Postgres);
        assert!(sql.contains("$2"), "{sql}");
        let nothing = Filter::default().to_sql(Dialect::Postgres);
        assert_eq!(nothing, ("1 = 1".to_owned(), Vec::new()));
    }

    #[test]
    fn numbers_of_games_are_a_condition_on_games() {
        for (numbers, expected) in [
            (5..=7, [5, 7]),
            (5..=u64::MAX, [5, i64::MAX]),
            (u64::MAX..=u64::MAX, [i64::MAX, i64::MAX]),
        ] {
            let filter = Filter {
                numbers: Some(numbers),
                ..Filter::default()
            };
            assert!(filter.asks_of_games());
            let (sql, values) = filter.to_sql(Dialect::Postgres);
            assert!(sql.contains("archive_id BETWEEN $1 AND $2"), "{sql}");
            assert_eq!(values, expected.map(Value::Integer));
        }
    }

    #[test]
    fn move_numbers_start_at_two() {
        let filter = Filter {
            move_numbers: Some(2..=3),
            ..Filter::default()
        };
        let fits = |turns: u16| filter.fits_ply(turns.into());
        assert!(fits(0) && fits(3) && !fits(4));
        assert!(!filter.asks_of_games());
    }
}
