//! A row of an archive file, split into its fields and not yet copied.

use std::borrow::Cow;
use std::sync::Arc;

use hathi_rules::{BySide, Outcome, RuleSet, Side, Termination};

use crate::model::{recorded, rules_at};
use crate::text::{decode, number, shorten};
use crate::{
    ArchiveError, ArchiveFault, ArchivedGame, Column, Columns, GameId, Place, Player, PlayerKind,
};

/// One game of an archive file, borrowed from the reader.
///
/// The id is known to be good; everything else is read when asked for, and is
/// missing if the file lacks the column, the field is empty or `NULL`, or
/// makes no sense.
#[derive(Clone, Copy, Debug)]
pub struct RawRow<'a> {
    id: GameId,
    line: &'a [u8],
    /// Where each field ends in `line`.
    ends: &'a [u32],
    columns: &'a Columns,
    file: &'a Arc<str>,
    line_number: u64,
}

impl<'a> RawRow<'a> {
    /// Splits a line; `ends` is scratch space.
    pub(crate) fn split(
        line: &'a [u8],
        line_number: u64,
        file: &'a Arc<str>,
        columns: &'a Columns,
        ends: &'a mut Vec<u32>,
    ) -> Result<RawRow<'a>, ArchiveError> {
        let error = |fault, game| ArchiveError {
            place: Place {
                file: Arc::clone(file),
                line: Some(line_number),
                game,
            },
            fault,
        };
        ends.clear();
        ends.extend(memchr::memchr_iter(b'\t', line).map(|end| end as u32));
        ends.push(line.len() as u32);
        let field = |i: usize| field(line, ends, i);
        let id_text = columns.place(Column::Id).and_then(field).unwrap_or(b"");
        let event = columns.place(Column::Event).and_then(field).unwrap_or(b"");
        let id = GameId::of_row(id_text, event);
        if ends.len() != columns.count() {
            let fault = ArchiveFault::ColumnCount {
                expected: columns.count(),
                found: ends.len(),
            };
            return Err(error(fault, id));
        }
        if memchr::memchr(0, line).is_some() {
            return Err(error(ArchiveFault::NulBytes, id));
        }
        let id = id.ok_or_else(|| error(ArchiveFault::BadId(shorten(id_text)), None))?;
        Ok(RawRow {
            id,
            line,
            ends,
            columns,
            file,
            line_number,
        })
    }

    /// What the game is known by. A plain number is the archive's, unless the
    /// event tells that Hathi played the game.
    pub fn id(&self) -> GameId {
        self.id
    }

    /// Where the row stands, for messages.
    pub fn place(&self) -> Place {
        Place {
            file: Arc::clone(self.file),
            line: Some(self.line_number),
            game: Some(self.id),
        }
    }

    /// The whole line, without its end.
    pub fn line(&self) -> &'a [u8] {
        self.line
    }

    /// A field exactly as written; nothing if the file lacks the column.
    #[inline]
    pub fn raw(&self, column: Column) -> Option<&'a [u8]> {
        field(self.line, self.ends, self.columns.place(column)?)
    }

    /// A field; nothing if it is empty or `NULL`.
    #[inline]
    pub fn get(&self, column: Column) -> Option<&'a [u8]> {
        match self.raw(column)? {
            b"" | b"NULL" => None,
            field => Some(field),
        }
    }

    /// A field as text; empty if missing.
    pub fn text(&self, column: Column) -> Cow<'a, str> {
        decode(self.get(column).unwrap_or_default())
    }

    fn number<T: std::str::FromStr>(&self, column: Column) -> Option<T> {
        number(self.get(column)?)
    }

    /// A positive number; the archive writes 0 for what is not known.
    fn positive<T: std::str::FromStr + Default + PartialOrd>(&self, column: Column) -> Option<T> {
        self.number(column).filter(|value| *value > T::default())
    }

    fn letter(&self, column: Column) -> Option<char> {
        Some(*self.get(column)?.trim_ascii().first()? as char)
    }

    fn flag(&self, column: Column) -> bool {
        self.letter(column)
            .is_some_and(|c| !matches!(c, '0' | 'n' | 'f' | 'N' | 'F'))
    }

    /// The name of the player of a side.
    pub fn player_name(&self, side: Side) -> Cow<'a, str> {
        self.text(Column::of(side, Column::GoldName, Column::SilverName))
    }

    /// The rating of the player of a side.
    pub fn rating(&self, side: Side) -> Option<i32> {
        self.positive(Column::of(side, Column::GoldRating, Column::SilverRating))
    }

    /// Human or bot?
    pub(crate) fn player_kind(&self, side: Side) -> PlayerKind {
        self.letter(Column::of(side, Column::GoldKind, Column::SilverKind))
            .map_or(PlayerKind::Unknown, PlayerKind::from_char)
    }

    /// The number of the player of a side on the game server.
    pub(crate) fn player_id(&self, side: Side) -> Option<u64> {
        self.positive::<i64>(Column::of(side, Column::GoldId, Column::SilverId))
            .and_then(|id| u64::try_from(id).ok())
    }

    /// Everything about the player of a side.
    pub fn player(&self, side: Side) -> Player {
        let of = |gold, silver| Column::of(side, gold, silver);
        let text = |gold, silver| self.text(of(gold, silver)).into_owned();
        Player {
            id: self.player_id(side),
            name: text(Column::GoldName, Column::SilverName),
            title: text(Column::GoldTitle, Column::SilverTitle),
            country: text(Column::GoldCountry, Column::SilverCountry),
            rating: self.rating(side),
            rating_k: self.number(of(Column::GoldRatingK, Column::SilverRatingK)),
            kind: self.player_kind(side),
        }
    }

    /// Played by correspondence?
    pub fn postal(&self) -> bool {
        self.flag(Column::Postal)
    }

    /// Did it count for the ratings?
    pub fn rated(&self) -> bool {
        self.flag(Column::Rated)
    }

    /// Does the archive mark it as damaged?
    pub fn corrupt(&self) -> bool {
        self.flag(Column::Corrupt)
    }

    /// Start in seconds since 1970.
    pub fn start(&self) -> Option<i64> {
        self.positive(Column::Start)
    }

    /// End in seconds since 1970.
    pub fn end(&self) -> Option<i64> {
        self.positive(Column::End)
    }

    /// The rules in force when it was played.
    pub fn rules(&self) -> RuleSet {
        rules_at(self.start())
    }

    /// Who won, as recorded.
    pub fn result(&self) -> Option<Side> {
        self.letter(Column::Result).and_then(Side::from_char)
    }

    /// Why, as recorded.
    pub fn termination(&self) -> Option<Termination> {
        self.letter(Column::Termination)
            .and_then(|c| Termination::from_char(c.to_ascii_lowercase()))
    }

    /// The recorded outcome.
    pub fn recorded(&self) -> Option<Outcome> {
        recorded(self.result(), self.termination())
    }

    /// The last full-move number as recorded.
    pub fn last_move(&self) -> Option<u32> {
        self.number(Column::PlyCount)
    }

    /// The moves as written; empty if there are none.
    pub fn movelist(&self) -> &'a [u8] {
        self.get(Column::MoveList).unwrap_or_default()
    }

    /// A copy that outlives the row, without the event log.
    pub fn to_game(&self) -> ArchivedGame {
        ArchivedGame {
            id: self.id,
            players: BySide::new(self.player(Side::Gold), self.player(Side::Silver)),
            event: self.text(Column::Event).into_owned(),
            site: self.text(Column::Site).into_owned(),
            time_control: self.text(Column::TimeControl).into_owned(),
            postal: self.postal(),
            start: self.start(),
            end: self.end(),
            result: self.result(),
            termination: self.termination(),
            last_move: self.last_move(),
            mode: self.text(Column::Mode).into_owned(),
            rated: self.rated(),
            corrupt: self.corrupt(),
            movelist: self.movelist().to_vec(),
            events: None,
        }
    }

    /// As [`to_game`](RawRow::to_game), with the event log, which is most of
    /// a real file.
    pub fn to_game_with_events(&self) -> ArchivedGame {
        ArchivedGame {
            events: self
                .raw(Column::Events)
                .filter(|&events| events != b"NULL")
                .map(<[u8]>::to_vec),
            ..self.to_game()
        }
    }
}

#[inline]
fn field<'a>(line: &'a [u8], ends: &[u32], i: usize) -> Option<&'a [u8]> {
    let end = *ends.get(i)? as usize;
    let start = match i.checked_sub(1) {
        Some(before) => ends[before] as usize + 1,
        None => 0,
    };
    line.get(start..end)
}
