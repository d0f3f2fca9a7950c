//! Positions as rows of the table, in PostgreSQL's binary format, and back.

use postgres::Row;

use crate::index::{BuildGame, Gathered, IndexedGame, IndexedMove, PostingKind, posting_hash};
use crate::model::GameRow;
use crate::seen::{Seen, SeenTrap};
use bytemuck::Zeroable;
use hathi_rules::{Ply, Side};

/// Into the table, in this order.
pub(super) const COLUMNS: &str = "place, plane_0, plane_1, plane_2, enemies, turn, full_key, \
    half_key, area_0, area_1, area_2, area_3, sides_0, sides_1, sides_2, sides_3, archive_id, \
    game_id, started, ply, turns_left, rating, won";
const COLUMN_COUNT: i16 = 23;

/// The column of the keys of this kind of pattern.
pub(super) fn key_column(kind: PostingKind, trap: SeenTrap) -> String {
    match kind {
        PostingKind::Full => "full_key".to_owned(),
        PostingKind::Half => "half_key".to_owned(),
        PostingKind::Area => format!("area_{}", trap.index()),
        PostingKind::Sides => format!("sides_{}", trap.index()),
    }
}

/// All columns that hold keys.
pub(super) fn key_columns() -> impl Iterator<Item = String> {
    PostingKind::ALL.into_iter().flat_map(|kind| {
        let traps = SeenTrap::ALL.into_iter().take(kind.per_position());
        traps.map(move |trap| key_column(kind, trap))
    })
}

/// Rank, game and side in one number: 28, 34 and 1 bits. Within a game only
/// turns of different sides can have the same rank.
pub(super) fn place(rank: u32, game: GameRow, mover: Side) -> i64 {
    let rank = i64::from(rank >> 31 << 27 | rank & 0x07ff_ffff);
    rank << 35 | (game.get() & 0x3_ffff_ffff) << 1 | mover as i64
}

/// The rows of some games, ready for COPY. Each comes with its number in the
/// archive.
pub(super) fn rows_of(games: &[(i64, BuildGame)]) -> Vec<u8> {
    let mut gathered = Gathered::default();
    for (_, game) in games {
        gathered.add(game);
    }
    let mut out = Vec::with_capacity(gathered.boards.len() * 256);
    for (number, (&board, played)) in gathered.boards.iter().zip(&gathered.moves).enumerate() {
        let game = &gathered.games[played.game as usize];
        let gold_moves = played.mover() == Side::Gold;
        let (rating, winner) = if gold_moves {
            (game.gold_rating, 1)
        } else {
            (game.silver_rating, 2)
        };
        out.extend(COLUMN_COUNT.to_be_bytes());
        let mut long = |number: i64| {
            out.extend(8i32.to_be_bytes());
            out.extend(number.to_be_bytes());
        };
        long(place(gathered.rank(number), game.row, played.mover()));
        for plane in board {
            long(plane.cast_signed());
        }
        long(turn_code(played.turn));
        for kind in PostingKind::ALL {
            for trap in SeenTrap::ALL.into_iter().take(kind.per_position()) {
                long(posting_hash(kind, Seen(board), trap).cast_signed());
            }
        }
        long(games[played.game as usize].0);
        long(game.row.get());
        match game.started {
            i64::MIN => out.extend((-1i32).to_be_bytes()),
            started => long(started),
        }
        let left = game.turns.saturating_sub(played.turns_before);
        for number in [played.turns_before, left, rating] {
            out.extend(4i32.to_be_bytes());
            out.extend(i32::from(number).to_be_bytes());
        }
        out.extend(1i32.to_be_bytes());
        out.push(u8::from(game.winner == winner));
    }
    out
}

fn turn_code(turn: [u16; 4]) -> i64 {
    let code = turn
        .iter()
        .rev()
        .fold(0u64, |code, &step| code << 16 | u64::from(step));
    code.cast_signed()
}

/// What questions want to know of a position.
pub(super) const HIT: &str = "place, plane_0, plane_1, plane_2, enemies, turn, game_id, started, \
    ply, turns_left, rating, won";

/// A row of [`HIT`].
pub(super) struct Stored {
    pub(super) place: i64,
    pub(super) board: Seen,
    pub(super) played: IndexedMove,
    pub(super) game: IndexedGame,
}

impl Stored {
    pub(super) fn of(row: &Row) -> Result<Stored, postgres::Error> {
        let plane = |column: usize| row.try_get::<_, i64>(column).map(i64::cast_unsigned);
        let small = |column: usize| -> Result<u16, postgres::Error> {
            let number: i32 = row.try_get(column)?;
            Ok(u16::try_from(number).unwrap_or(u16::MAX))
        };
        let code = row.try_get::<_, i64>(5)?.cast_unsigned();
        let (ply, left, rating) = (small(8)?, small(9)?, small(10)?);
        let winner = match (row.try_get(11)?, Ply::from(ply).side()) {
            (false, _) => 0,
            (true, Side::Gold) => 1,
            (true, Side::Silver) => 2,
        };
        Ok(Stored {
            place: row.try_get(0)?,
            board: Seen([plane(1)?, plane(2)?, plane(3)?, plane(4)?]),
            played: IndexedMove {
                turns_before: ply,
                turn: [0, 16, 32, 48].map(|shift| (code >> shift) as u16),
                ..IndexedMove::zeroed()
            },
            // Only what the mover has to do with is looked at.
            game: IndexedGame {
                row: GameRow::new(row.try_get(6)?),
                started: row.try_get::<_, Option<i64>>(7)?.unwrap_or(i64::MIN),
                gold_rating: rating,
                silver_rating: rating,
                turns: ply.saturating_add(left),
                winner,
                ..IndexedGame::zeroed()
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_ranks_then_games_then_sides() {
        let ranks = [0, 5, 1 << 14, 0x07ff_ffff, 1 << 31, 1 << 31 | 0x4d];
        let mut places = Vec::new();
        for rank in ranks {
            for game in [1, 2, 1 << 33] {
                for mover in Side::ALL {
                    places.push(place(rank, GameRow::new(game), mover));
                }
            }
        }
        assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
        assert!(places[0] > 0);
    }

    #[test]
    fn ten_columns_have_keys() {
        let columns: Vec<String> = key_columns().collect();
        assert_eq!(columns.len(), 10);
        assert!(columns.iter().all(|column| COLUMNS.contains(column)));
        assert_eq!(COLUMNS.split(", ").count(), COLUMN_COUNT as usize);
    }
}
