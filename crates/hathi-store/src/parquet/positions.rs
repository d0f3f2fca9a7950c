//! The columns of positions: those of McKee's table, by his names, then ours.

use std::sync::Arc;

use hathi_rules::{Board, Label, PackedBoard, Ply, Side, Turn};
use parquet::data_type::ByteArray;

use super::column::{Column, text};
use super::file::Table;
use super::games::{filled, side, termination};
use crate::model::StoredGame;
use crate::sql::board_text;

/// A row.
pub(crate) struct PositionRow {
    pub(crate) id: u64,
    pub(crate) game: Arc<OfGame>,
    pub(crate) ply: Ply,
    pub(crate) board: Board,
    pub(crate) turn: Turn,
}

/// What all positions of a game have in common, ready to be written.
pub(crate) struct OfGame {
    store_id: i64,
    game_id: i64,
    source: ByteArray,
    gold: ByteArray,
    silver: ByteArray,
    gold_rating: Option<i32>,
    silver_rating: Option<i32>,
    winner: Option<ByteArray>,
    termination: Option<ByteArray>,
    event: Option<ByteArray>,
    started: Option<i64>,
    turns: u32,
}

impl OfGame {
    pub(crate) fn new(stored: &StoredGame, turns: usize) -> OfGame {
        let game = &stored.game;
        let (gold, silver) = (&game.players.gold, &game.players.silver);
        OfGame {
            store_id: stored.row.get(),
            game_id: game.id.to_i64(),
            source: text(game.id.source().name()),
            gold: text(&gold.name),
            silver: text(&silver.name),
            gold_rating: gold.rating,
            silver_rating: silver.rating,
            winner: game.result.map(side),
            termination: termination(game.termination),
            event: filled(&game.event),
            started: game.start,
            turns: turns as u32,
        }
    }
}

impl PositionRow {
    fn label(&self) -> Label {
        self.ply.label()
    }

    /// The number of the mover's last turn in this game; the setup is 1.
    fn last_number(&self) -> u32 {
        match self.label().side {
            Side::Gold => self.game.turns.div_ceil(2) + 1,
            Side::Silver => self.game.turns / 2 + 1,
        }
    }
}

pub(crate) const TABLE: Table<PositionRow> = Table {
    name: "positions",
    columns: &COLUMNS,
    sorted_by: &["store_id", "ply"],
    group: 1 << 17,
};

type Of = Column<PositionRow>;

const COLUMNS: [Column<PositionRow>; 21] = [
    Of::long("id", |row| Some(row.id.cast_signed())).rising(),
    Of::long("game_id", |row| Some(row.game.game_id)).rising(),
    Of::number("turn", |row| Some(row.label().number as i32)),
    Of::text("side", |row| Some(side(row.label().side))),
    Of::number("brating", |row| row.game.silver_rating).optional(),
    Of::number("wrating", |row| row.game.gold_rating).optional(),
    Of::text("winner", |row| row.game.winner.clone()).optional(),
    Of::text("boardstatus", |row| Some(text(board_text(&row.board)))).mostly_different(),
    Of::text("next_move", |row| Some(text(row.turn.to_string()))).mostly_different(),
    Of::number("maxturns", |row| Some(row.last_number() as i32)),
    Of::long("store_id", |row| Some(row.game.store_id)).rising(),
    Of::number("ply", |row| Some(row.ply.get() as i32)),
    Of::text("label", |row| Some(text(row.label().to_string()))),
    Of::number("steps", |row| Some(row.turn.len() as i32)),
    Of::board("board", |row| Some(PackedBoard::from(&row.board).0)),
    Of::text("termination", |row| row.game.termination.clone()).optional(),
    Of::text("gold", |row| Some(row.game.gold.clone())),
    Of::text("silver", |row| Some(row.game.silver.clone())),
    Of::text("event", |row| row.game.event.clone()).optional(),
    Of::time("started", |row| row.game.started),
    Of::text("source", |row| Some(row.game.source.clone())),
];
