//! Dates of the calendar (UTC) from seconds since 1970, and back.

use std::ops::RangeInclusive;
use std::str::FromStr;

const DAY: i64 = 86_400;

/// `2011-11-01` for a moment; none if it is too far from our time to be one.
pub fn date(seconds: i64) -> Option<String> {
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    (1..=9999)
        .contains(&year)
        .then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// `2011-11-01 03:46:22` for a moment; none if it is too far from our time.
pub fn moment(seconds: i64) -> Option<String> {
    let day = date(seconds)?;
    let second = seconds.rem_euclid(DAY);
    let (hours, minutes) = (second / 3600, second / 60 % 60);
    Some(format!("{day} {hours:02}:{minutes:02}:{:02}", second % 60))
}

/// The other way round; the time of day may be missing.
pub fn read_moment(text: &str) -> Option<i64> {
    let (day, time) = text.split_once(' ').unwrap_or((text, "00:00:00"));
    if day.len() != 10 {
        return None;
    }
    let Period(seconds) = day.parse().ok()?;
    let mut parts = time.split(':').map(|part| {
        let digits = part.len() == 2 && part.bytes().all(|c| c.is_ascii_digit());
        digits.then(|| part.parse::<i64>().ok()).flatten()
    });
    let (hours, minutes, second) = (parts.next()??, parts.next()??, parts.next()??);
    let real = hours < 24 && minutes < 60 && second < 60 && parts.next().is_none();
    real.then_some(seconds.start() + hours * 3600 + minutes * 60 + second)
}

/// The year, month and day that is `days` after 1 January 1970.
///
/// Counted in years that begin in March, so that the leap day comes last, and
/// in cycles of 400 years, which all have 146,097 days.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (cycle * 400 + year + next, month, day)
}

/// The reverse.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let (cycle, year) = (year.div_euclid(400), year.rem_euclid(400));
    let month = if month > 2 { month - 3 } else { month + 9 };
    let day = (153 * month + 2) / 5 + day - 1;
    cycle * 146_097 + year * 365 + year / 4 - year / 100 + day - 719_468
}

/// A year, a month or a day, as the user gave it: all its seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period(pub RangeInclusive<i64>);

impl Period {
    /// From the beginning of one to the end of the other, both open if they
    /// are not given. Everything if none is; an empty range if they are in
    /// the wrong order.
    #[must_use]
    pub fn between(from: Option<&Period>, to: Option<&Period>) -> Option<RangeInclusive<i64>> {
        if from.is_none() && to.is_none() {
            return None;
        }
        let from = from.map_or(i64::MIN, |Period(from)| *from.start());
        let to = to.map_or(i64::MAX, |Period(to)| *to.end());
        Some(from..=to)
    }
}

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Period, String> {
        let wrong = || {
            format!("`{text}` is no date: expected YYYY, YYYY-MM or YYYY-MM-DD, such as 2011-11-30")
        };
        let mut parts = text.split('-');
        let mut part = |digits: usize, range: RangeInclusive<i64>| {
            parts
                .next()
                .map(|part| {
                    Some(part)
                        .filter(|part| {
                            part.len() == digits && part.bytes().all(|c| c.is_ascii_digit())
                        })
                        .and_then(|part| part.parse().ok())
                        .filter(|number| range.contains(number))
                        .ok_or_else(wrong)
                })
                .transpose()
        };
        let year = part(4, 1..=9999)?.ok_or_else(wrong)?;
        let month = part(2, 1..=12)?;
        let day = part(2, 1..=31)?;
        if parts.next().is_some() {
            return Err(wrong());
        }
        let (first, next) = match (month, day) {
            (None, _) => (days(year, 1, 1), days(year + 1, 1, 1)),
            (Some(12), None) => (days(year, 12, 1), days(year + 1, 1, 1)),
            (Some(month), None) => (days(year, month, 1), days(year, month + 1, 1)),
            (Some(month), Some(day)) => {
                let this = days(year, month, day);
                // 31 April would be 1 May.
                if civil(this) != (year, month, day) {
                    return Err(wrong());
                }
                (this, this + 1)
            }
        };
        Ok(Period(first * DAY..=next * DAY - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for number in -800_000..800_000 {
            let (year, month, day) = civil(number);
            assert_eq!(days(year, month, day), number);
        }
        assert_eq!(date(0).as_deref(), Some("1970-01-01"));
        assert_eq!(date(-1).as_deref(), Some("1969-12-31"));
        assert_eq!(date(951_825_599).as_deref(), Some("2000-02-29"));
        assert_eq!(date(1_320_119_182).as_deref(), Some("2011-11-01"));
        assert_eq!((date(i64::MAX), date(i64::MIN)), (None, None));
    }

    #[test]
    fn moments_come_back() {
        for seconds in [0, 1, 951_825_599, 1_320_119_182, -1, 86_399, 86_400] {
            let text = moment(seconds).expect("a moment");
            assert_eq!(read_moment(&text), Some(seconds), "{text}");
        }
        assert_eq!(
            moment(1_320_119_182).as_deref(),
            Some("2011-11-01 03:46:22")
        );
        assert_eq!(read_moment("2011-11-01"), Some(1_320_105_600));
        for bad in [
            "",
            "?",
            "2011",
            "2011-11",
            "2011-11-01 24:00:00",
            "2011-11-01 1:00:00",
            "2011-11-01 01:00",
        ] {
            assert_eq!(read_moment(bad), None, "{bad}");
        }
    }

    #[test]
    fn periods() {
        let span = |text: &str| {
            let Period(seconds) = text.parse().expect("a date");
            (date(*seconds.start()), date(*seconds.end()))
        };
        let from_to = |from: &str, to: &str| (Some(from.to_owned()), Some(to.to_owned()));
        assert_eq!(span("2008"), from_to("2008-01-01", "2008-12-31"));
        assert_eq!(span("2008-02"), from_to("2008-02-01", "2008-02-29"));
        assert_eq!(span("2011-12"), from_to("2011-12-01", "2011-12-31"));
        assert_eq!(span("2011-11-30"), from_to("2011-11-30", "2011-11-30"));
        for bad in [
            "",
            "11",
            "2011-13",
            "2011-02-29",
            "2011-1",
            "2011-11-01-1",
            "-2011",
        ] {
            assert!(bad.parse::<Period>().is_err(), "{bad}");
        }
    }
}
