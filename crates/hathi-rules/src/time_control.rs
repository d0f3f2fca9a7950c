//! Time controls as Arimaa writes them: `M/R/P/L/G/T`.
//!
//! A [`TimeControl`] says how much time the players have; a
//! [`Clock`](crate::Clock) runs one. The archive reader, the engine protocol
//! and the match runner all come here to read or print the notation.
//!
//! | field | meaning | bare number | left out |
//! |---|---|---|---|
//! | M | time for a turn | minutes | required |
//! | R | reserve at the start | minutes | required |
//! | P | percentage of unused time that goes to the reserve | per cent | 100 |
//! | L | the reserve does not grow beyond this | minutes | 0, no limit |
//! | G | limit on the whole game: time of both sides, or turns each | **hours** | 0, no limit |
//! | T | no turn may take longer, whatever the reserve | minutes | 0, no limit |
//!
//! A time is written in one of three ways:
//! - a bare number, `2`;
//! - `minutes:seconds`, `2:30` or `:30`, which in G is `hours:minutes`. The
//!   second part may be 60 or more (`0:90` is a minute and a half), since that
//!   has only one sensible meaning;
//! - numbers with the units `d h m s`, in either case, largest first: `90s`,
//!   `2m30s`, `7h13s`. A last number without a unit takes the next smaller one:
//!   `2m30` is two and a half minutes, `1h30` an hour and a half. Other
//!   programs have read `2m30` as 32 minutes, so it is never printed.
//!
//! G may also be a number of turns, `120t`. The notation knows whole seconds
//! only, and so does the type.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use TimeControlField as Field;
use thiserror::Error;

const DEFAULT_PERCENT: u32 = 100;
const MAX_PERCENT: u32 = 1000;
const LONGEST: Duration = Duration::from_secs(1000 * 24 * 60 * 60);
const AT_MOST_LONGEST: &str = "at most 1000 days";
const AT_MOST_PERCENT: &str = "at most 1000 per cent";

/// Letters and seconds of the units, largest first, as a time is written. A
/// unit is known by its place here, so the next smaller one is the next.
const UNITS: [(char, u64); 4] = [('d', 24 * 60 * 60), ('h', 60 * 60), ('m', 60), ('s', 1)];
const HOURS: usize = 1;
const MINUTES: usize = 2;

/// How much time the players of a game have.
///
/// Every value can be written as `M/R/P/L/G/T` and read back unchanged.
///
/// ```
/// use std::time::Duration;
/// use hathi_rules::{GameLimit, TimeControl};
///
/// let blitz: TimeControl = "0:30/3/100/5/8".parse()?;
/// assert_eq!(blitz.per_move(), Duration::from_secs(30));
/// assert_eq!(blitz.reserve(), Duration::from_secs(3 * 60));
/// assert_eq!(blitz.reserve_limit(), Some(Duration::from_secs(5 * 60)));
/// assert_eq!(blitz.game_limit(), Some(GameLimit::Time(Duration::from_secs(8 * 3600))));
/// assert_eq!(blitz.turn_limit(), None);
/// assert_eq!(blitz.to_string(), "30s/3/100/5/8");
/// # Ok::<(), hathi_rules::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    per_move: Duration,
    reserve: Duration,
    reserve_percent: u32,
    reserve_limit: Option<Duration>,
    game_limit: Option<GameLimit>,
    turn_limit: Option<Duration>,
}

/// What ends a game that nobody has won yet.
///
/// ```
/// use hathi_rules::{GameLimit, TimeControl};
/// let control: TimeControl = "4/4/100/4/90t".parse()?;
/// assert_eq!(control.game_limit(), Some(GameLimit::Turns(90)));
/// # Ok::<(), hathi_rules::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameLimit {
    /// The time both sides have used together.
    Time(Duration),
    /// The number of turns of each side, the setup being the first.
    Turns(u32),
}

/// The place of a value in `M/R/P/L/G/T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeControlField {
    /// M, the time for a turn.
    PerMove,
    /// R, the reserve at the start.
    Reserve,
    /// P, how much of the unused time goes to the reserve.
    ReservePercent,
    /// L, the most the reserve may grow to.
    ReserveLimit,
    /// G, the most the game may last.
    GameLimit,
    /// T, the most a turn may take.
    TurnLimit,
}

/// Why a time control could not be read or made.
///
/// ```
/// use hathi_rules::TimeControl;
/// let error = "2/soon".parse::<TimeControl>().unwrap_err().to_string();
/// assert_eq!(error, r#"reserve (R) is "soon", expected a time such as 2, 2:30, 90s or 1h30m"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeControlError {
    /// The value of a field is missing, malformed or beyond all reason.
    #[error("{field} is {text:?}, expected {expected}")]
    BadField {
        /// The field the value was meant for.
        field: TimeControlField,
        /// The value as it was given.
        text: String,
        /// What should have stood there.
        expected: &'static str,
    },
    /// Something follows the sixth field.
    #[error("seventh field {text:?}, expected at most six: M/R/P/L/G/T")]
    TooManyFields {
        /// The text of the first field too many.
        text: String,
    },
}

impl TimeControl {
    /// No clock at all: `0/0`.
    ///
    /// ```
    /// use hathi_rules::TimeControl;
    /// assert_eq!("0/0".parse(), Ok(TimeControl::UNTIMED));
    /// ```
    pub const UNTIMED: TimeControl = TimeControl {
        per_move: Duration::ZERO,
        reserve: Duration::ZERO,
        reserve_percent: DEFAULT_PERCENT,
        reserve_limit: None,
        game_limit: None,
        turn_limit: None,
    };

    /// A time control with everything but M and R left at its default.
    ///
    /// The other fields are set by the `with_` functions. Times must be whole
    /// seconds, at most 1000 days.
    ///
    /// ```
    /// use std::time::Duration;
    /// use hathi_rules::{GameLimit, TimeControl};
    ///
    /// let minutes = |n: u64| Duration::from_secs(60 * n);
    /// let control = TimeControl::new(minutes(2), minutes(6))?
    ///     .with_reserve_percent(50)?
    ///     .with_reserve_limit(minutes(10))?
    ///     .with_game_limit(GameLimit::Turns(120))?
    ///     .with_turn_limit(minutes(5))?;
    /// assert_eq!(control.to_string(), "2/6/50/10/120t/5");
    /// # Ok::<(), hathi_rules::TimeControlError>(())
    /// ```
    pub fn new(per_move: Duration, reserve: Duration) -> Result<Self, TimeControlError> {
        let mut control = TimeControl::UNTIMED;
        control.per_move = Field::PerMove.check_time(per_move)?;
        control.reserve = Field::Reserve.check_time(reserve)?;
        Ok(control)
    }

    /// The same with another percentage P, at most 1000.
    pub fn with_reserve_percent(mut self, percent: u32) -> Result<Self, TimeControlError> {
        if percent > MAX_PERCENT {
            return Err(Field::ReservePercent.bad(percent.to_string(), AT_MOST_PERCENT));
        }
        self.reserve_percent = percent;
        Ok(self)
    }

    /// The same with another reserve limit L; zero takes the limit away.
    pub fn with_reserve_limit(mut self, limit: Duration) -> Result<Self, TimeControlError> {
        self.reserve_limit = non_zero(Field::ReserveLimit.check_time(limit)?);
        Ok(self)
    }

    /// The same with another game limit G; zero takes the limit away.
    pub fn with_game_limit(mut self, limit: GameLimit) -> Result<Self, TimeControlError> {
        self.game_limit = match limit {
            GameLimit::Time(time) => {
                non_zero(Field::GameLimit.check_time(time)?).map(GameLimit::Time)
            }
            GameLimit::Turns(turns) => (turns > 0).then_some(limit),
        };
        Ok(self)
    }

    /// The same with another turn limit T; zero takes the limit away.
    pub fn with_turn_limit(mut self, limit: Duration) -> Result<Self, TimeControlError> {
        self.turn_limit = non_zero(Field::TurnLimit.check_time(limit)?);
        Ok(self)
    }

    /// M, the time for a turn before the reserve is touched.
    pub const fn per_move(&self) -> Duration {
        self.per_move
    }

    /// R, the reserve of each side at the start.
    pub const fn reserve(&self) -> Duration {
        self.reserve
    }

    /// P, the percentage of unused time that goes to the reserve.
    pub const fn reserve_percent(&self) -> u32 {
        self.reserve_percent
    }

    /// L, the most the reserve may grow to.
    pub const fn reserve_limit(&self) -> Option<Duration> {
        self.reserve_limit
    }

    /// G, the most the game may last.
    pub const fn game_limit(&self) -> Option<GameLimit> {
        self.game_limit
    }

    /// T, the most a turn may take, whatever the reserve.
    pub const fn turn_limit(&self) -> Option<Duration> {
        self.turn_limit
    }

    /// Whether M and R are both 0, so that no reserve can ever run out.
    ///
    /// Read to the letter `0/0` would lose every game on its first turn; the
    /// engine protocol takes it for "unlimited", and so do we. A turn limit and
    /// a game limit still hold.
    pub const fn is_untimed(&self) -> bool {
        self.per_move.is_zero() && self.reserve.is_zero()
    }
}

fn non_zero(time: Duration) -> Option<Duration> {
    (!time.is_zero()).then_some(time)
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let mut fields = text.split('/').map(str::trim);
        let mut or_default = |default| match fields.next() {
            None | Some("") => default,
            Some(text) => text,
        };
        // M and R have no default, and nothing is not a time.
        let per_move = read_time(Field::PerMove, or_default(""))?;
        let reserve = read_time(Field::Reserve, or_default(""))?;
        let control = TimeControl::new(per_move, reserve)?
            .with_reserve_percent(read_percent(or_default("100"))?)?
            .with_reserve_limit(read_time(Field::ReserveLimit, or_default("0"))?)?
            .with_game_limit(read_game_limit(or_default("0"))?)?
            .with_turn_limit(read_time(Field::TurnLimit, or_default("0"))?)?;
        match fields.next().map(str::to_owned) {
            None => Ok(control),
            Some(text) => Err(TimeControlError::TooManyFields {
                text: crate::shorten(&text),
            }),
        }
    }
}

fn read_percent(text: &str) -> Result<u32, TimeControlError> {
    let field = Field::ReservePercent;
    let percent = read_number(text).ok_or_else(|| field.unreadable(text))?;
    u32::try_from(percent).map_err(|_| field.bad(text, AT_MOST_PERCENT))
}

fn read_game_limit(text: &str) -> Result<GameLimit, TimeControlError> {
    let field = Field::GameLimit;
    let Some(turns) = text.strip_suffix(['t', 'T']) else {
        return read_time(field, text).map(GameLimit::Time);
    };
    let turns = read_number(turns).ok_or_else(|| field.unreadable(text))?;
    let turns = u32::try_from(turns).map_err(|_| field.bad(text, "at most 4294967295 turns"))?;
    Ok(GameLimit::Turns(turns))
}

fn read_time(field: Field, text: &str) -> Result<Duration, TimeControlError> {
    let seconds = read_seconds(field.bare_unit(), text).ok_or_else(|| field.unreadable(text))?;
    // Sums saturate, so whatever overflowed ends up here as well.
    if seconds > LONGEST.as_secs() {
        return Err(field.bad(text, AT_MOST_LONGEST));
    }
    Ok(Duration::from_secs(seconds))
}

fn read_seconds(bare: usize, text: &str) -> Option<u64> {
    let seconds = |number: u64, unit: usize| Some(UNITS.get(unit)?.1.saturating_mul(number));
    if let Some((large, small)) = text.split_once(':') {
        let large = if large.is_empty() { "0" } else { large };
        let large = seconds(read_number(large)?, bare)?;
        let small = seconds(read_number(small)?, bare + 1)?;
        return Some(large.saturating_add(small));
    }

    let mut total = 0_u64;
    let mut previous: Option<usize> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let tail = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = read_number(&rest[..rest.len() - tail.len()])?;
        let mut letters = tail.chars();
        let unit = match (letters.next(), previous) {
            (Some(letter), _) => {
                let letter = letter.to_ascii_lowercase();
                UNITS.iter().position(|unit| unit.0 == letter)?
            }
            (None, Some(previous)) => previous + 1,
            (None, None) => bare,
        };
        // Largest first, and none twice: `2m30m` is a slip, not a sum.
        if previous.is_some_and(|previous| unit <= previous) {
            return None;
        }
        total = total.saturating_add(seconds(number, unit)?);
        previous = Some(unit);
        rest = letters.as_str();
    }
    previous.map(|_| total)
}

/// Digits only, since `str::parse` would let a `+` through. A number too big
/// for `u64` is as good as the biggest: the limits refuse both.
fn read_number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

impl fmt::Display for TimeControl {
    /// Prints the shortest tidy form: no part but the first outgrows its unit
    /// (`2:30` or `90s`, not `1:90`). Defaults are left out at the end only,
    /// since other programs may not know what to make of an empty field.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = |limit: Option<Duration>| write_time(MINUTES, limit.unwrap_or_default());
        let mut fields = vec![
            write_time(MINUTES, self.per_move),
            write_time(MINUTES, self.reserve),
            self.reserve_percent.to_string(),
            limit(self.reserve_limit),
            match self.game_limit {
                None => "0".to_owned(),
                Some(GameLimit::Time(time)) => write_time(HOURS, time),
                Some(GameLimit::Turns(turns)) => format!("{turns}t"),
            },
            limit(self.turn_limit),
        ];
        for default in ["0", "0", "0", "100"] {
            if fields.pop_if(|field| field == default).is_none() {
                break;
            }
        }
        f.pad(&fields.join("/"))
    }
}

fn write_time(bare: usize, time: Duration) -> String {
    let seconds = time.as_secs();
    let (large, small) = (UNITS[bare].1, UNITS[bare + 1].1);
    let (count, rest) = (seconds / large, seconds % large);
    let number = (rest == 0).then(|| count.to_string());
    let colon = (rest % small == 0).then(|| format!("{count}:{:02}", rest / small));
    let units = (0..UNITS.len()).map(|largest| write_with_units(largest, seconds));
    // Zero has no form with units. Of forms of the same length the first wins.
    let forms = number.into_iter().chain(colon).chain(units);
    let forms = forms.filter(|form| !form.is_empty());
    forms.min_by_key(String::len).unwrap_or_default()
}

fn write_with_units(largest: usize, mut seconds: u64) -> String {
    let mut text = String::new();
    for (letter, length) in &UNITS[largest..] {
        let count = seconds / length;
        seconds %= length;
        if count > 0 {
            text.push_str(&count.to_string());
            text.push(*letter);
        }
    }
    text
}

impl TimeControlField {
    /// The unit of a number without one.
    const fn bare_unit(self) -> usize {
        match self {
            Field::GameLimit => HOURS,
            _ => MINUTES,
        }
    }

    /// Lets only those times through that the notation can express.
    fn check_time(self, time: Duration) -> Result<Duration, TimeControlError> {
        if time > LONGEST {
            Err(self.bad(format!("{time:?}"), AT_MOST_LONGEST))
        } else if time.subsec_nanos() != 0 {
            Err(self.bad(format!("{time:?}"), "whole seconds"))
        } else {
            Ok(time)
        }
    }

    fn bad(self, text: impl Into<String>, expected: &'static str) -> TimeControlError {
        TimeControlError::BadField {
            field: self,
            text: crate::shorten(&text.into()),
            expected,
        }
    }

    fn unreadable(self, text: &str) -> TimeControlError {
        let expected = match self {
            Field::ReservePercent => "a percentage such as 100",
            Field::GameLimit => "a time such as 8, 7:30 or 7h30m, or turns such as 120t",
            _ => "a time such as 2, 2:30, 90s or 1h30m",
        };
        self.bad(text, expected)
    }
}

impl fmt::Display for TimeControlField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Field::PerMove => "move time (M)",
            Field::Reserve => "reserve (R)",
            Field::ReservePercent => "reserve percentage (P)",
            Field::ReserveLimit => "reserve limit (L)",
            Field::GameLimit => "game limit (G)",
            Field::TurnLimit => "turn limit (T)",
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> TimeControl {
        let control = text.parse();
        control.unwrap_or_else(|error| panic!("{text:?}: {error}"))
    }

    fn error(text: &str) -> String {
        let control = text.parse::<TimeControl>();
        control.expect_err(text).to_string()
    }

    /// The words of a table, each split at its equals sign.
    fn pairs(table: &str) -> impl Iterator<Item = (&str, &str)> {
        let words = table.split_whitespace();
        words.map(|word| word.split_once('=').expect("an equals sign"))
    }

    #[test]
    fn a_bare_number_is_minutes() {
        let table = "2=120 2:30=150 :30=30 0:1=1 0:90=90 90s=90 2m30s=150 2M30S=150
            24h5m10s=86710 1d1s=86401 2m30=150 1h30=5400 1d12=129600";
        for (time, seconds) in pairs(table) {
            let per_move = parse(&format!("{time}/0")).per_move();
            assert_eq!(per_move.as_secs().to_string(), seconds, "{time}");
        }
    }

    #[test]
    fn a_bare_number_in_the_game_limit_is_hours() {
        let table = "8=28800 1:30=5400 :30=1800 7h12m=25920 7h13s=25213 1h30=5400 60d=5184000";
        for (time, seconds) in pairs(table) {
            let seconds = Duration::from_secs(seconds.parse().expect("seconds"));
            let game_limit = parse(&format!("2/2/100/0/{time}")).game_limit();
            assert_eq!(game_limit, Some(GameLimit::Time(seconds)), "{time}");
        }
    }

    #[test]
    fn fields_left_out_have_defaults() {
        for same in ["2/2/100/0/0/0", "2/2/", " 2 / 2 / / / / ", "2/2///0t"] {
            assert_eq!(parse(same), parse("2/2"), "{same}");
        }
        assert_eq!(parse("2/2").reserve_percent(), 100);
    }

    /// All that the `timecontrol` column of the shared archives holds.
    #[test]
    fn archived_time_controls_are_read() {
        let archived = "
            0/0/0/0/0 0/60/0/0/0 0:1/0 0:30/3/100/5/8 1/1/100/1/0 10/10/100/10/0
            15s/1:30/100/2/4 15s/2m/100 15s/2m30s/100 15s/2m30s/100/0/1h/2m30s
            15s/90s/100/2m/4h 1m/4m/100/0/4h/4m 2/2/100/10/8 2/2/100/2/0 2/2/100/5/0
            2m/6m/100/0/7h12s/0 2m/6m/100/0/7h13s/0 2m/6m/100/0/7h48s/0
            2m/6m/100/0/7h49s/0 2m/6m/100/0/7h50s/0 2m/6m/100/0/7h51s/0
            2m/6m/100/0/7h52s/0 2m/6m/100/0/7h53s/0 2m/6m/100/0/8h/6m 3/3/100/3/0
            30s/3/100/5/8 30s/3m/100/0/2h/3m 30s/5m/100 4/4/100/4/0
            4m/10m/100/0/16h/10m 8/8/100/8/0 8s/0/0 8s/0/100 8s/10s/100";
        for text in archived.split_whitespace() {
            assert_eq!(parse(&parse(text).to_string()), parse(text), "{text}");
        }
    }

    #[test]
    fn the_shortest_tidy_form_is_printed() {
        let table = "
            2/2/100/10/8=2/2/100/10/8  4/4/100/4/0=4/4/100/4    8s/0/100=8s/0
            8s/0/0=8s/0/0              0/60/0/0/0=0/60/0        0:90/100s=90s/1:40
            90/2160=90/36h             14400/86401s=10d/1d1s    1/1//0/150m=1/1/100/0/2:30
            2m/6m/100/0/7h13s/0=2/6/100/0/7h13s
            15s/2m30s/100/0/1h/2m30s=15s/2:30/100/0/1/2:30";
        for (written, printed) in pairs(table) {
            assert_eq!(parse(written).to_string(), printed);
        }
        assert_eq!(format!("{:>6}|", parse("2/2")), "   2/2|");
    }

    #[test]
    fn errors_name_the_field_the_text_and_what_was_expected() {
        let table = r#"
            2/2/all => (P) is "all", expected a percentage such as 100
            2/2/100/-1 => reserve limit (L) is "-1", expected a time such as 2, 2:30,
            2/2/100/0/t => game limit (G) is "t", expected a time such as 8, 7:30 or
            2/2/100/0/0/9t => turn limit (T) is "9t", expected a time such as
            2/2/100/0/0/0/7 => seventh field "7", expected at most six: M/R/P/L/G/T
            2 => reserve (R) is "", expected a time such as
            /2 => move time (M) is "", expected a time such as
            1001d/0 => move time (M) is "1001d", expected at most 1000 days
            0/99999999999999999999 => reserve (R) is "99999999999999999999", expected at most
            18446744073709551615d1h/0 => expected at most 1000 days
            0/0/1001 => reserve percentage (P) is "1001", expected at most 1000 per cent
            0/0/4294967396 => (P) is "4294967396", expected at most 1000 per cent
            0/0/0/0/4294967296t => expected at most 4294967295 turns"#;
        for line in table.trim().lines() {
            let (text, message) = line.trim().split_once(" => ").expect("an arrow");
            let error = error(text);
            assert!(error.contains(message), "{text}: {error}");
        }
        let fraction = TimeControl::new(Duration::from_millis(1500), Duration::ZERO);
        let message = "move time (M) is \"1.5s\", expected whole seconds";
        assert_eq!(fraction.expect_err("a fraction").to_string(), message);
    }

    #[test]
    fn malformed_times_are_refused() {
        for time in "s 2x 2mm 2m2m 30s2m 30s5 2: : 1:2:3 1:30s 2_m +2 -2 0.5 ٣".split(' ') {
            let error = error(&format!("{time}/0"));
            assert!(error.contains(&format!("{time:?}")), "{error}");
        }
    }

    /// Round times and crooked ones, as they print in different ways.
    fn any_control() -> impl Strategy<Value = TimeControl> {
        let time = "(0|[0-9]{1,3}|[0-9]{1,7}s|[0-9]{1,3}[hd])";
        let game = format!("({time}|[0-9]{{1,9}}t)");
        let control = format!("{time}/{time}/(100|[0-9]{{1,2}})/{time}/{game}/{time}");
        let texts = proptest::string::string_regex(&control).expect("a pattern");
        texts.prop_map(|text| parse(&text))
    }

    proptest! {
        #[test]
        fn printing_and_reading_back_changes_nothing(control in any_control()) {
            prop_assert_eq!(parse(&control.to_string()), control);
        }

        #[test]
        fn whatever_the_text_it_is_refused_or_reads_back(text in prop_oneof![
            any::<String>(),
            "([0-9]{0,3}[:dhmstDHMST ]?){1,2}(/([0-9]{0,3}[:dhmstDHMST ]?){0,2}){1,6}",
        ]) {
            if let Ok(control) = text.parse::<TimeControl>() {
                prop_assert_eq!(parse(&control.to_string()), control);
            }
        }
    }
}
