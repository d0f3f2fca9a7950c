//! The columns of games.

use hathi_archive::{Player, PlayerKind};
use hathi_rules::{Game, GameRecord, Side, Termination};
use parquet::data_type::ByteArray;

use super::column::{Column, letter, text};
use super::file::Table;
use crate::model::StoredGame;

/// A row.
pub(crate) struct GameLine {
    stored: StoredGame,
    /// All moves in notation.
    record: String,
    steps: i32,
}

impl GameLine {
    pub(crate) fn new(stored: StoredGame, game: &Game) -> GameLine {
        GameLine {
            stored,
            record: GameRecord::of_game(game).to_string(),
            steps: game.turns().iter().map(|turn| turn.len() as i32).sum(),
        }
    }

    fn player(&self, side: Side) -> &Player {
        &self.stored.game.players[side]
    }
}

pub(crate) const TABLE: Table<GameLine> = Table {
    name: "games",
    columns: &COLUMNS,
    sorted_by: &["store_id"],
    group: 1 << 14,
};

type Of = Column<GameLine>;

const COLUMNS: [Column<GameLine>; 33] = [
    Of::long("store_id", |row| Some(row.stored.row.get())).rising(),
    Of::long("game_id", |row| Some(row.stored.game.id.to_i64())).rising(),
    Of::text("gold", |row| Some(text(&row.player(Side::Gold).name))),
    Of::text("silver", |row| Some(text(&row.player(Side::Silver).name))),
    Of::number("gold_rating", |row| row.player(Side::Gold).rating).optional(),
    Of::number("silver_rating", |row| row.player(Side::Silver).rating).optional(),
    Of::number("gold_rating_k", |row| row.player(Side::Gold).rating_k).optional(),
    Of::number("silver_rating_k", |row| row.player(Side::Silver).rating_k).optional(),
    Of::text("gold_kind", |row| kind(row.player(Side::Gold))).optional(),
    Of::text("silver_kind", |row| kind(row.player(Side::Silver))).optional(),
    Of::text("gold_title", |row| filled(&row.player(Side::Gold).title)).optional(),
    Of::text("silver_title", |row| {
        filled(&row.player(Side::Silver).title)
    })
    .optional(),
    Of::text("gold_country", |row| {
        filled(&row.player(Side::Gold).country)
    })
    .optional(),
    Of::text("silver_country", |row| {
        filled(&row.player(Side::Silver).country)
    })
    .optional(),
    Of::text("event", |row| filled(&row.stored.game.event)).optional(),
    Of::text("site", |row| filled(&row.stored.game.site)).optional(),
    Of::text("timecontrol", |row| filled(&row.stored.game.time_control)).optional(),
    Of::flag("postal", |row| Some(row.stored.game.postal)),
    Of::time("started", |row| row.stored.game.start),
    Of::time("ended", |row| row.stored.game.end),
    Of::text("winner", |row| row.stored.game.result.map(side)).optional(),
    Of::text("termination", |row| {
        termination(row.stored.game.termination)
    })
    .optional(),
    Of::text("mode", |row| filled(&row.stored.game.mode)).optional(),
    Of::flag("rated", |row| Some(row.stored.game.rated)),
    Of::flag("corrupt", |row| Some(row.stored.game.corrupt)),
    Of::text("fault", |row| row.stored.fault.as_deref().map(text)).optional(),
    Of::number("turns", |row| Some(row.stored.moves.turns.len() as i32)),
    Of::number("steps", |row| Some(row.steps)),
    Of::text("gold_setup", |row| {
        Some(text(row.stored.moves.gold.to_string()))
    }),
    Of::text("silver_setup", |row| {
        Some(text(row.stored.moves.silver.to_string()))
    }),
    Of::text("moves", |row| Some(text(&row.record))).mostly_different(),
    Of::text("source", |row| {
        Some(text(row.stored.game.id.source().name()))
    }),
    Of::number("copy", |row| Some(row.stored.game.id.copy().cast_signed())),
];

pub(super) fn side(side: Side) -> ByteArray {
    letter(side.to_char())
}

pub(super) fn termination(termination: Option<Termination>) -> Option<ByteArray> {
    termination.map(|termination| letter(termination.to_char()))
}

/// What the archive leaves empty is no value.
pub(super) fn filled(words: &str) -> Option<ByteArray> {
    (!words.is_empty()).then(|| text(words))
}

fn kind(player: &Player) -> Option<ByteArray> {
    PlayerKind::to_char(player.kind).map(letter)
}
