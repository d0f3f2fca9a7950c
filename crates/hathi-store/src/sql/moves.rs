//! The rows of McKee's table (his table 3): every move of a game, with the board
//! before it.

use hathi_rules::{Board, Ply, Side};

use crate::model::StoredGame;
use crate::moves::DamagedMoves;

/// A row. The setups are the first move of each side, as with him; the other
/// views of the same, `4-moves.sql` for SQLite and `7-moves.sql` for PostgreSQL,
/// have the same rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRow {
    /// Its number: that of the game's row, five digits for the move. So a span of
    /// games is a span of numbers, as he wants it (section 3.1).
    pub id: i64,
    /// The number of the game in its source.
    pub game_id: i64,
    /// The number of the move: 1 for the setups.
    pub turn: u32,
    /// Who moves.
    pub side: Side,
    /// Silver's rating, once Black's; 0 if unknown.
    pub brating: i32,
    /// Gold's rating, once White's; 0 if unknown.
    pub wrating: i32,
    /// Who won.
    pub winner: Option<Side>,
    /// The board before the move, see [`board_text`].
    pub boardstatus: String,
    /// The move.
    pub next_move: String,
    /// Moves of this side in the game.
    pub maxturns: u32,
}

/// Numbers of rows of one game.
const OF_A_GAME: i64 = 100_000;

impl MoveRow {
    /// The rows of a game.
    pub fn of_game(stored: &StoredGame) -> Result<Vec<MoveRow>, DamagedMoves> {
        let game = stored.moves.replay(stored.game.rules())?;
        let turns = game.turns().len();
        let row = |number: usize, board: &Board, next_move: String| {
            // The setups are two plies before the first turn.
            let label = Ply::after(number % 2).label();
            MoveRow {
                id: stored.row.get() * OF_A_GAME + number as i64,
                game_id: stored.game.id.to_i64(),
                turn: number as u32 / 2 + 1,
                side: label.side,
                brating: stored.game.players.silver.rating.unwrap_or(0),
                wrating: stored.game.players.gold.rating.unwrap_or(0),
                winner: stored.game.result,
                boardstatus: board_text(board),
                next_move,
                maxturns: match label.side {
                    Side::Gold => turns.div_ceil(2) + 1,
                    Side::Silver => turns / 2 + 1,
                } as u32,
            }
        };
        let mut board = Board::EMPTY;
        let mut rows = vec![row(0, &board, stored.moves.gold.to_string())];
        stored.moves.gold.place_on(&mut board);
        rows.push(row(1, &board, stored.moves.silver.to_string()));
        for (number, (position, turn)) in game.positions().iter().zip(game.turns()).enumerate() {
            rows.push(row(number + 2, position.board(), turn.to_string()));
        }
        Ok(rows)
    }
}

/// A board as he wrote it: 64 characters, a8 to h8, a7 and so on to h1, `-` for an
/// empty square.
pub fn board_text(board: &Board) -> String {
    let squares = board.short_form();
    let squares = squares.chars().filter(|c| !"[]".contains(*c));
    squares.map(|c| if c == ' ' { '-' } else { c }).collect()
}
