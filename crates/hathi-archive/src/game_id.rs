//! How a game is known: where it is from, its number there, and which one it
//! is should several games have that number.

use std::fmt;
use std::str::FromStr;

use crate::finished::Occasion;

/// Where a game is from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameSource {
    /// The archive of games played on arimaa.com. Plain numbers are its.
    #[default]
    Arimaa,
    /// The games that come with the program.
    Sample,
    /// A synthetic archive.
    Synth,
    /// Somebody against an engine, on the page or in the terminal.
    Play,
    /// A match between engines.
    Arena,
    /// A game of an engine under a foreign controller.
    Aei,
    /// A move list from a file, which says no more than who played.
    File,
}

impl GameSource {
    /// All of them, the archive first.
    pub const ALL: [GameSource; 7] = [
        GameSource::Arimaa,
        GameSource::Sample,
        GameSource::Synth,
        GameSource::Play,
        GameSource::Arena,
        GameSource::Aei,
        GameSource::File,
    ];

    /// As it is called everywhere, in stores and files too.
    pub const fn name(self) -> &'static str {
        match self {
            GameSource::Arimaa => "arimaa",
            GameSource::Sample => "sample",
            GameSource::Synth => "synth",
            GameSource::Play => "play",
            GameSource::Arena => "arena",
            GameSource::Aei => "aei",
            GameSource::File => "file",
        }
    }

    /// What it means, for people.
    pub const fn meaning(self) -> &'static str {
        match self {
            GameSource::Arimaa => "games of the archive of arimaa.com",
            GameSource::Sample => "sample games of Hathi's engines, which come with the program",
            GameSource::Synth => "games of a synthetic archive",
            GameSource::Play => "games played here, on the page or in the terminal",
            GameSource::Arena => "matches between engines",
            GameSource::Aei => "games of an engine under another program",
            GameSource::File => "move lists read from files",
        }
    }

    /// Did somebody else play these games somewhere else? The samples only
    /// stand in for them.
    pub const fn is_real(self) -> bool {
        matches!(self, GameSource::Arimaa | GameSource::File)
    }

    /// Whose number a plain one is, by what else the row of an archive says:
    /// files written before games had sources name it so.
    pub(crate) fn of_plain_number(number: u64, event: &[u8]) -> GameSource {
        let own = [Occasion::Play, Occasion::Arena, Occasion::Aei]
            .into_iter()
            .find(|occasion| event == occasion.event().as_bytes());
        match own {
            Some(occasion) => occasion.source(),
            None if crate::synth::NUMBERS.contains(&number) => GameSource::Synth,
            None => GameSource::Arimaa,
        }
    }
}

impl fmt::Display for GameSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no source of games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no source of games: expected one of {names}", names = GameSource::ALL.map(GameSource::name).join(", "))]
pub struct ParseGameSourceError(String);

impl FromStr for GameSource {
    type Err = ParseGameSourceError;

    fn from_str(text: &str) -> Result<GameSource, ParseGameSourceError> {
        let found = GameSource::ALL
            .into_iter()
            .find(|source| text.eq_ignore_ascii_case(source.name()));
        found.ok_or_else(|| ParseGameSourceError(crate::text::shorten(text.as_bytes())))
    }
}

/// What a game is known by: its source, its number there, and which of the
/// games with that number it is. The number fits a signed 64-bit integer, so
/// that any database can hold it.
///
/// ```
/// use hathi_archive::{GameId, GameSource};
/// let real: GameId = "15".parse()?;
/// let sample: GameId = "sample:15".parse()?;
/// let other: GameId = "15~2".parse()?;
/// assert_eq!(real, "arimaa:15".parse()?);
/// assert_eq!((sample.source(), sample.number()), (GameSource::Sample, 15));
/// assert_eq!((other.number(), other.copy()), (15, 2));
/// assert!(real != sample && real != other);
/// assert_eq!([real, sample, other].map(|id| id.to_string()), ["15", "sample:15", "15~2"]);
/// # Ok::<(), hathi_archive::ParseGameIdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    source: GameSource,
    number: u64,
    copy: u32,
}

impl Default for GameId {
    /// The number 0, which no game has.
    fn default() -> GameId {
        GameId {
            source: GameSource::Arimaa,
            number: 0,
            copy: 1,
        }
    }
}

impl GameId {
    /// The game of the archive with this number, unless that is beyond
    /// `i64::MAX`.
    pub const fn new(number: u64) -> Option<GameId> {
        GameId::of(GameSource::Arimaa, number)
    }

    /// The game of this source with this number, unless that is beyond
    /// `i64::MAX`.
    pub const fn of(source: GameSource, number: u64) -> Option<GameId> {
        if number <= i64::MAX as u64 {
            Some(GameId {
                source,
                number,
                copy: 1,
            })
        } else {
            None
        }
    }

    /// The same number of another source.
    #[must_use]
    pub const fn in_source(self, source: GameSource) -> GameId {
        GameId { source, ..self }
    }

    /// Another game with the same number; 0 is taken for 1, the first.
    #[must_use]
    pub const fn with_copy(self, copy: u32) -> GameId {
        let copy = if copy == 0 { 1 } else { copy };
        GameId { copy, ..self }
    }

    /// Where the game is from.
    pub const fn source(self) -> GameSource {
        self.source
    }

    /// Its number there.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Which of the games with that number: 1 is the first.
    pub const fn copy(self) -> u32 {
        self.copy
    }

    /// The number as databases want it.
    #[allow(clippy::cast_possible_wrap)] // the constructor has checked it
    pub const fn to_i64(self) -> i64 {
        self.number as i64
    }

    /// Does a game have it, or is it what is written for none?
    pub const fn is_some(self) -> bool {
        self.number > 0
    }

    /// For names of files, where a colon is not welcome everywhere.
    pub fn file_stem(self) -> String {
        self.to_string().replace([':', '~'], "-")
    }

    /// Reads the id of an archive's row, whose event tells what a plain number
    /// means.
    pub(crate) fn of_row(text: &[u8], event: &[u8]) -> Option<GameId> {
        let text = text.trim_ascii();
        let id = GameId::read(text)?;
        if text.contains(&b':') {
            return Some(id);
        }
        Some(id.in_source(GameSource::of_plain_number(id.number, event)))
    }

    /// Reads `15`, `sample:15` or `15~2`.
    pub(crate) fn read(text: &[u8]) -> Option<GameId> {
        let text = text.trim_ascii();
        let (source, rest) = match memchr::memchr(b':', text) {
            None => (GameSource::Arimaa, text),
            Some(colon) => {
                let name = std::str::from_utf8(&text[..colon]).ok()?;
                (name.parse().ok()?, &text[colon + 1..])
            }
        };
        let (number, copy) = match memchr::memchr(b'~', rest) {
            None => (digits(rest)?, 1),
            Some(tilde) => {
                let copy = u32::try_from(digits(&rest[tilde + 1..])?).ok()?;
                (digits(&rest[..tilde])?, copy)
            }
        };
        if copy == 0 {
            return None;
        }
        Some(GameId::of(source, number)?.with_copy(copy))
    }
}

/// A number of digits alone.
fn digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 19 || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |number: u64, digit: &u8| number * 10 + u64::from(digit - b'0');
    Some(text.iter().fold(0, digit))
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match self.source {
            GameSource::Arimaa => String::new(),
            other => format!("{other}:"),
        };
        let copy = match self.copy {
            1 => String::new(),
            more => format!("~{more}"),
        };
        let text = format!("{source}{}{copy}", self.number);
        f.pad(&text)
    }
}

/// The text is no game id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a game id: expected a number, or a source and a number such as sample:15, \
     with ~2 for the second game of that number"
)]
pub struct ParseGameIdError(String);

impl FromStr for GameId {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> Result<GameId, ParseGameIdError> {
        GameId::read(text.as_bytes())
            .ok_or_else(|| ParseGameIdError(crate::text::shorten(text.as_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits_only() {
        assert_eq!(GameId::read(b" 12 ").map(GameId::number), Some(12));
        for bad in [
            "",
            "-1",
            "+1",
            "1.0",
            "9223372036854775808",
            "99999999999999999999",
            ":1",
            "sample:",
            "sample",
            "nowhere:1",
            "1~",
            "1~0",
            "1~2~3",
            "sample:play:1",
            "1~4294967296",
        ] {
            assert!(bad.parse::<GameId>().is_err(), "{bad}");
        }
        assert_eq!(
            "9223372036854775807".parse::<GameId>().unwrap().to_i64(),
            i64::MAX
        );
    }

    #[test]
    fn every_id_comes_back_from_its_text() {
        for source in GameSource::ALL {
            for (number, copy) in [(1, 1), (412, 2), (i64::MAX as u64, u32::MAX)] {
                let id = GameId::of(source, number).unwrap().with_copy(copy);
                assert_eq!(id.to_string().parse(), Ok(id));
            }
        }
        assert_eq!(
            "SAMPLE:3".parse::<GameId>().unwrap().to_string(),
            "sample:3"
        );
        assert_eq!(
            format!(
                "{:>5}|{:<4}|",
                GameId::new(7).unwrap(),
                GameId::new(8).unwrap()
            ),
            "    7|8   |"
        );
    }

    #[test]
    fn rows_of_old_files_tell_their_source_by_what_they_say() {
        let of = |id: &str, event: &str| {
            GameId::of_row(id.as_bytes(), event.as_bytes()).map(|id| id.to_string())
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("15", "Casual game"), some("15"));
        assert_eq!(of("15", "Hathi arena"), some("arena:15"));
        assert_eq!(
            of("179480407412345", "Hathi play"),
            some("play:179480407412345")
        );
        assert_eq!(of("3", "Hathi AEI"), some("aei:3"));
        assert_eq!(of("20000001", "Casual game"), some("synth:20000001"));
        assert_eq!(of("arimaa:3", "Hathi AEI"), some("3"));
        assert_eq!(of("sample:15~2", "Hathi arena"), some("sample:15~2"));
        assert_eq!(of("x", ""), None);
    }
}
