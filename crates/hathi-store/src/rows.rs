//! Games as rows of a table, whichever database keeps it.

use hathi_archive::{ArchivedGame, GameId, Player, PlayerKind};
use hathi_rules::{BySide, Ply, Side, Termination};
use xxhash_rust::xxh3::Xxh3;

use crate::model::{GameRow, NewGame, StoredGame};
use crate::moves::Moves;

/// The same game has the same fingerprint, however its moves were written.
pub(crate) fn fingerprint(new: &NewGame, moves: &[u8]) -> i64 {
    let mut hash = Xxh3::new();
    for side in Side::ALL {
        hash.update(new.game.players[side].name.as_bytes());
        hash.update(&[0]);
    }
    hash.update(&new.game.start.unwrap_or(0).to_le_bytes());
    hash.update(moves);
    hash.digest().cast_signed()
}

pub(crate) const SELECT_GAME: &str = "
    SELECT games.id, archive_id, gold.name, silver.name, gold_rating, silver_rating, gold_kind,
        silver_kind, gold_title, silver_title, gold_country, silver_country, gold_rating_k,
        silver_rating_k, events.name, site, time_control, postal, started, ended, result,
        termination, mode, rated, corrupt, fault, moves
    FROM games
    JOIN players gold ON gold.id = gold_id JOIN players silver ON silver.id = silver_id
    LEFT JOIN events ON events.id = event_id";

pub(crate) fn side_of(text: Option<String>) -> Option<Side> {
    text?.chars().next().and_then(Side::from_char)
}

/// The columns of [`SELECT_GAME`], whoever gives them.
pub(crate) trait GameColumns {
    type Error;
    fn number(&self, column: usize) -> Result<Option<i64>, Self::Error>;
    fn text(&self, column: usize) -> Result<Option<String>, Self::Error>;
    fn flag(&self, column: usize) -> Result<bool, Self::Error>;
    fn bytes(&self, column: usize) -> Result<Vec<u8>, Self::Error>;
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
    let player = |name: usize, rating, kind, title, country, k| -> Result<Player, R::Error> {
        Ok(Player {
            id: None,
            name: text(name)?,
            title: text(title)?,
            country: text(country)?,
            rating: small(rating)?,
            rating_k: small(k)?,
            kind: letter(kind)?.map_or(PlayerKind::Unknown, PlayerKind::from_char),
        })
    };
    let Ok(moves) = Moves::decode(&row.bytes(26)?) else {
        return Ok(None);
    };
    let archive_id = row.number(1)?.unwrap_or(0);
    Ok(Some(StoredGame {
        row: GameRow::new(row.number(0)?.unwrap_or(0)),
        game: ArchivedGame {
            id: GameId::new(archive_id.cast_unsigned()).unwrap_or_default(),
            players: BySide::new(player(2, 4, 6, 8, 10, 12)?, player(3, 5, 7, 9, 11, 13)?),
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
            events: None,
        },
        moves,
        fault: row.text(25)?,
    }))
}
