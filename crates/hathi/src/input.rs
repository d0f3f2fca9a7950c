//! Where input comes from: an argument, a file or standard input; and what is
//! found there.

#[cfg(feature = "lab")]
pub(crate) mod corpus;
#[cfg(feature = "lab")]
pub(crate) mod drawn_games;
pub(crate) mod given;
pub(crate) mod listed;
pub(crate) mod position_table;
pub(crate) mod table;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use hathi_rules::{Position, Side};

use crate::failure::BadInput;

/// What a source is read with.
pub(crate) type Reader = Box<dyn BufRead + Send>;

/// A file, or standard input for `-`.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
}

/// No drawn position is longer than this; what is longer is another file.
const LONGEST_POSITION: usize = 1 << 16;

impl Source {
    pub(crate) fn new(argument: &OsStr) -> Source {
        if argument == "-" {
            Source::Stdin
        } else {
            Source::File(argument.into())
        }
    }

    /// For messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::Stdin => "standard input".to_owned(),
            Source::File(path) => path.display().to_string(),
        }
    }

    pub(crate) fn open(&self) -> anyhow::Result<Reader> {
        match self {
            Source::Stdin => Ok(Box::new(BufReader::new(io::stdin()))),
            Source::File(path) => {
                let file = File::open(path).map_err(|error| self.unreadable(&error))?;
                Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
            }
        }
    }

    /// The error for input that cannot be read.
    pub(crate) fn unreadable(&self, error: &io::Error) -> anyhow::Error {
        BadInput::error(format!("cannot read {}: {}", self.name(), plain(error)))
    }
}

/// The error without "(os error 2)".
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((text, _)) => text.to_owned(),
        None => text,
    }
}

/// Is this argument itself a position, short or drawn, rather than the name
/// of a file?
pub(crate) fn is_position(text: &str) -> bool {
    text.contains('[') || (text.contains('\n') && text.contains('|'))
}

/// Reads the POSITION|FILE argument. `side` is the one given separately.
pub(crate) fn position(argument: &OsStr, side: Option<Side>) -> anyhow::Result<Position> {
    if let Some(text) = argument.to_str()
        && is_position(text)
    {
        return parse_position(text, side).map_err(|reason| {
            let file = if Path::new(text).exists() {
                format!("\nThere is a file of that name; to read it: hathi ... - < '{text}'")
            } else {
                String::new()
            };
            BadInput::error(format!("the position cannot be read: {reason}{file}"))
        });
    }
    let source = Source::new(argument);
    let bytes = match source.open() {
        Ok(mut reader) => read_at_most(&mut reader, LONGEST_POSITION)
            .map_err(|error| source.unreadable(&error))?,
        Err(error) => {
            return Err(BadInput::error(format!(
                "{error}\nGive the name of a file, or a position such as \
                 'g [64 characters]' with its brackets, in quotes."
            )));
        }
    };
    let Some(bytes) = bytes else {
        let name = source.name();
        return Err(BadInput::error(format!("{name}: too long for a position")));
    };
    position_in(&bytes, &source.name(), side)
}

/// The position in a file of this name.
pub(crate) fn position_in(
    bytes: &[u8],
    name: &str,
    side: Option<Side>,
) -> anyhow::Result<Position> {
    let wrong = |reason: &str| BadInput::error(format!("{name}: {reason}"));
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(wrong("this is not text"));
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(wrong("empty: expected a position"));
    }
    if text.lines().next().is_some_and(|line| line.contains('\t')) {
        return Err(wrong(
            "this is a table, not one position: `hathi turns` and `hathi goal` read tables \
             with --positions, `hathi replay` reads archives",
        ));
    }
    parse_position(text, side).map_err(|reason| wrong(&reason))
}

/// A position whose side is in the text or given separately, but not both in
/// contradiction.
fn parse_position(text: &str, side: Option<Side>) -> Result<Position, String> {
    let position = Position::parse_with_side(text, side).map_err(|error| match error {
        hathi_rules::ParsePositionError::MissingSide => {
            "the side to move is missing: start with `g` or `s`, or give --side".to_owned()
        }
        error => error.to_string(),
    })?;
    match side {
        Some(side) if side != position.side_to_move() => Err(format!(
            "it is {}'s turn in it, --side says {}: leave one of them out",
            position.side_to_move().name(),
            side.name(),
        )),
        _ => Ok(position),
    }
}

/// All of the input, or nothing if it is longer than `longest`.
pub(crate) fn read_at_most(
    reader: &mut dyn BufRead,
    longest: usize,
) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(longest as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= longest).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_file_names_are_told_apart() {
        assert!(is_position("g [...]"));
        assert!(is_position("g\n8| . . |\n"));
        assert!(!is_position("position.txt"));
        assert!(!is_position("odd|name.txt"));
        assert!(!is_position("-"));
    }

    #[test]
    fn two_sides_must_agree() {
        let board = format!("[{}E{}R]", ".".repeat(20), ".".repeat(42));
        assert!(parse_position(&board, None).is_err());
        assert!(parse_position(&board, Some(Side::Silver)).is_ok());
        let gold = format!("g {board}");
        assert!(parse_position(&gold, Some(Side::Gold)).is_ok());
        let error = parse_position(&gold, Some(Side::Silver)).unwrap_err();
        assert_eq!(
            error,
            "it is Gold's turn in it, --side says Silver: leave one of them out"
        );
    }
}
