//! The games of an archive one by one, those that cannot be read with them.

use std::ops::ControlFlow;
use std::str::FromStr;

use hathi_archive::{ArchiveError, ArchiveReader, RawRow};
use hathi_rules::{BySide, Label, Outcome, RecordError, RuleSet, Side};
use serde::Serialize;

use crate::failure::BadInput;

/// A row of an archive: a game, or what is left of one.
pub(crate) struct Listed {
    /// Counted from 1, the header aside.
    pub(crate) row: usize,
    /// `#row` if it cannot be read.
    pub(crate) id: String,
    pub(crate) players: BySide<Option<String>>,
    /// By the date the game started.
    pub(crate) rules: RuleSet,
    /// The result written down.
    pub(crate) recorded: Option<Outcome>,
    /// Or why the row cannot be read.
    pub(crate) movelist: Result<Vec<u8>, Fault>,
}

impl Listed {
    fn of_row(row: usize, raw: &RawRow<'_>) -> Listed {
        let name = |side| {
            let name = raw.player_name(side).trim().to_owned();
            (!name.is_empty()).then_some(name)
        };
        Listed {
            row,
            id: raw.id().to_string(),
            players: BySide::new(name(Side::Gold), name(Side::Silver)),
            rules: raw.rules(),
            recorded: raw.recorded(),
            movelist: Ok(raw.movelist().to_vec()),
        }
    }

    fn unreadable(row: usize, error: &ArchiveError) -> Listed {
        let place = &error.place;
        Listed {
            row,
            id: place
                .game
                .map_or_else(|| format!("#{row}"), |game| game.to_string()),
            players: BySide::default(),
            rules: RuleSet::Modern,
            recorded: None,
            movelist: Err(Fault {
                line: place.line.unwrap_or(0) as usize,
                label: None,
                reason: error.fault.to_string(),
            }),
        }
    }
}

/// Shows every game until told to stop. A row that cannot be read is a game
/// too; a file that cannot be is an error.
pub(crate) fn for_each(
    reader: ArchiveReader,
    mut visit: impl FnMut(Listed) -> ControlFlow<()>,
) -> anyhow::Result<()> {
    let mut rows = 0;
    let end = reader.for_each(|row| {
        rows += 1;
        let listed = match row {
            Ok(row) => Listed::of_row(rows, &row),
            Err(error) if error.fault.is_row() => Listed::unreadable(rows, &error),
            Err(error) => return ControlFlow::Break(Some(error)),
        };
        visit(listed).map_break(|()| None)
    });
    match end {
        ControlFlow::Break(Some(error)) => Err(BadInput::error(error.to_string())),
        _ => Ok(()),
    }
}

/// Which game of an archive.
pub(crate) enum Pick {
    Id(String),
    Row(usize),
}

impl FromStr for Pick {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Pick> {
        match text.strip_prefix('#') {
            None => Ok(Pick::Id(text.to_owned())),
            Some(number) => match number.parse() {
                Ok(row) if row > 0 => Ok(Pick::Row(row)),
                _ => Err(BadInput::error(format!(
                    "--game: `{text}` is no row number: expected '#1' for the first game"
                ))),
            },
        }
    }
}

impl Pick {
    pub(crate) fn is(&self, game: &Listed) -> bool {
        match self {
            Pick::Id(id) => *id == game.id,
            Pick::Row(row) => *row == game.row,
        }
    }
}

/// Does the line start with `1g`, `12s` or the like?
pub(crate) fn starts_with_label(line: &[u8]) -> bool {
    let word = line
        .trim_ascii_start()
        .split(u8::is_ascii_whitespace)
        .next();
    word.and_then(|word| std::str::from_utf8(word).ok())
        .is_some_and(|word| word.parse::<Label>().is_ok())
}

/// Why a game or its row cannot be read on.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Fault {
    line: usize,
    #[serde(rename = "move")]
    label: Option<String>,
    pub(crate) reason: String,
}

impl From<RecordError> for Fault {
    fn from(error: RecordError) -> Fault {
        Fault {
            line: error.line,
            label: error.label.map(|label| label.to_string()),
            reason: error.reason.to_string(),
        }
    }
}

impl Fault {
    pub(crate) fn place(&self) -> String {
        match &self.label {
            Some(label) => format!("move {label}"),
            None => format!("line {}", self.line),
        }
    }
}
