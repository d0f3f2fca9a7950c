//! Games as rows of a table, whichever database keeps it.

use std::hash::Hasher as _;

use hathi_archive::{ArchivedGame, GameId, GameSource, Player, PlayerKind};
use hathi_rules::{BySide, Ply, Side, Termination};
use twox_hash::XxHash3_64;

use crate::log::unpack;
use crate::model::{GameRow, NewGame, SourceCount, StoredGame};
use crate::moves::Moves;

/// The same game has the same fingerprint, however its moves were written.
pub(crate) fn fingerprint(new: &NewGame, moves: &[u8]) -> i64 {
    let mut hash = XxHash3_64::new();
    for side in Side::ALL {
        hash.write(new.game.players[side].name.as_bytes());
        hash.write(&[0]);
    }
    hash.write(&new.game.start.unwrap_or(0).to_le_bytes());
    hash.write(moves);
    hash.finish().cast_signed()
}

/// What [`read_game`] reads, up to a condition.
pub(crate) fn select_game(with_logs: bool) -> String {
    // A value of that type, which servers insist on.
    let (log, join) = if with_logs {
        ("log", "LEFT JOIN logs ON logs.game_id = games.id")
    } else {
        ("nullif(moves, moves)", "")
    };
    format!("{SELECT_GAME}, {log} {FROM_GAMES} {join}")
}

const SELECT_GAME: &str = "
    SELECT games.id, games.archive_id, gold.name, silver.name, gold_rating, silver_rating,
        gold_kind, silver_kind, gold_title, silver_title, gold_country, silver_country,
        gold_rating_k, silver_rating_k, events.name, site, time_control, postal, started, ended,
        result, termination, mode, rated, corrupt, fault, moves, games.source, copy, gold_number,
        silver_number";

const FROM_GAMES: &str = "
    FROM games
    JOIN players gold ON gold.id = gold_id JOIN players silver ON silver.id = silver_id
    LEFT JOIN events ON events.id = event_id";

pub(crate) fn side_of(text: Option<String>) -> Option<Side> {
    text?.chars().next().and_then(Side::from_char)
}

/// What a game is known by, from its three columns. A source that a newer
/// version has written is not known here; its migration count says so before.
pub(crate) fn game_id(source: &str, number: i64, copy: i64) -> GameId {
    let source: GameSource = source.parse().unwrap_or_default();
    GameId::of(source, number.cast_unsigned())
        .unwrap_or_default()
        .with_copy(u32::try_from(copy).unwrap_or(1))
}

/// Which of the games with a number a new one will be, if others have it
/// already: what it asks for, if that is free, or the next.
pub(crate) fn free_copy(asked: u32, taken: impl Iterator<Item = i64> + Clone) -> i64 {
    if taken.clone().any(|copy| copy == i64::from(asked)) {
        taken.max().unwrap_or(0) + 1
    } else {
        asked.into()
    }
}

/// Names of sources with games and positions, as a list in a fixed order.
pub(crate) fn source_counts(
    rows: &[(String, u64, u64)],
    samples_left_out: bool,
) -> Vec<SourceCount> {
    let of = |source: GameSource| {
        let (_, games, positions) = rows.iter().find(|(name, ..)| name == source.name())?;
        Some(SourceCount {
            source,
            games: *games,
            positions: *positions,
            counted: source != GameSource::Sample || !samples_left_out,
        })
    };
    GameSource::ALL.into_iter().filter_map(of).collect()
}

/// The columns of [`select_game`], whoever gives them.
pub(crate) trait GameColumns {
    type Error;
    fn number(&self, column: usize) -> Result<Option<i64>, Self::Error>;
    fn text(&self, column: usize) -> Result<Option<String>, Self::Error>;
    fn flag(&self, column: usize) -> Result<bool, Self::Error>;
    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>, Self::Error>;
}

/// None if the moves cannot be read.
pub(crate) fn read_game<R: GameColumns>(row: &R) -> Result<Option<StoredGame>, R::Error> {
    let text = |column| row.text(column).map(Option::unwrap_or_default);
    let letter = |column| -> Result<Option<char>, R::Error> {
        Ok(row.text(column)?.and_then(|text| text.chars().next()))
    };
    let small = |column| -> Result<Option<i32>, R::Error> {
        Ok(row
            .number(column)?
            .and_then(|number| i32::try_from(number).ok()))
    };
    let player = |name: usize, rating, kind, title, country, k, id| -> Result<Player, R::Error> {
        Ok(Player {
            id: row.number(id)?.map(i64::cast_unsigned),
            name: text(name)?,
            title: text(title)?,
            country: text(country)?,
            rating: small(rating)?,
            rating_k: small(k)?,
            kind: letter(kind)?.map_or(PlayerKind::Unknown, PlayerKind::from_char),
        })
    };
    let Ok(moves) = Moves::decode(&row.bytes(26)?.unwrap_or_default()) else {
        return Ok(None);
    };
    let id = game_id(
        &text(27)?,
        row.number(1)?.unwrap_or(0),
        row.number(28)?.unwrap_or(1),
    );
    Ok(Some(StoredGame {
        row: GameRow::new(row.number(0)?.unwrap_or(0)),
        game: ArchivedGame {
            id,
            players: BySide::new(
                player(2, 4, 6, 8, 10, 12, 29)?,
                player(3, 5, 7, 9, 11, 13, 30)?,
            ),
            event: text(14)?,
            site: text(15)?,
            time_control: text(16)?,
            postal: row.flag(17)?,
            start: row.number(18)?,
            end: row.number(19)?,
            result: letter(20)?.and_then(Side::from_char),
            termination: letter(21)?.and_then(Termination::from_char),
            last_move: Some(Ply::after(moves.turns.len()).move_number()),
            mode: text(22)?,
            rated: row.flag(23)?,
            corrupt: row.flag(24)?,
            movelist: Vec::new(),
            events: row.bytes(31)?.and_then(|packed| unpack(&packed)),
        },
        moves,
        fault: row.text(25)?,
    }))
}
