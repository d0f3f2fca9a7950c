//! What McKee asked his database, in the words of the thesis.

use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

use hathi_rules::{Board, Piece, Position, Role, Setup, Side, Square};

use super::board_text;
use crate::question::{Kind, area};

/// One of his questions; printed it is the SQL of the thesis.
#[derive(Clone, Debug)]
pub enum HisQuestion {
    /// How often each setup of Gold was used (section 3.1).
    Setups,
    /// What Silver answered to a setup, perhaps in a span of rows only.
    Replies {
        /// Gold's.
        gold: Setup,
        /// From one row to another, both included.
        within: Option<RangeInclusive<i64>>,
    },
    /// What was played from a position, best first (sections 3.3 to 3.6).
    Played {
        /// The position.
        position: Position,
        /// As much of it as must be the same.
        kind: Kind,
    },
}

/// The order of all his answers, and what they tell.
const TOLD: &str = "SELECT IF(side=winner,1,0) AS iswinner, IF(side='w' OR side='g', wrating, brating) AS \
    rating, next_move FROM moves WHERE";
const BEST_FIRST: &str = "ORDER BY iswinner DESC, rating DESC, (maxturns-turn) ASC";

impl fmt::Display for HisQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HisQuestion::Setups => f.write_str(
                "SELECT COUNT(*) AS number_repeats, next_move FROM moves WHERE turn=1 AND (side='w' OR side='g') \
                 GROUP BY next_move",
            ),
            HisQuestion::Replies { gold, within } => {
                let mut board = Board::EMPTY;
                gold.place_on(&mut board);
                write!(
                    f,
                    "SELECT next_move FROM moves WHERE turn=1 AND (side='b' OR side='s') AND boardstatus='{}'",
                    board_text(&board)
                )?;
                match within {
                    None => Ok(()),
                    Some(rows) => write!(f, " AND id BETWEEN {} and {}", rows.start(), rows.end()),
                }
            }
            HisQuestion::Played { position, kind } => {
                let [new, old] = match position.side_to_move() {
                    Side::Gold => ['g', 'w'],
                    Side::Silver => ['s', 'b'],
                };
                let side = format!("(side='{new}' OR side='{old}')");
                match condition(position, *kind) {
                    Condition::Is(board) => {
                        write!(f, "{TOLD} BINARY boardstatus='{board}' AND {side} {BEST_FIRST}")
                    }
                    Condition::Like(pattern) => write!(
                        f,
                        "{TOLD} boardstatus LIKE BINARY '{pattern}' AND {side} AND turn <> 1 {BEST_FIRST}"
                    ),
                    Condition::Matches(pattern) => write!(
                        f,
                        "{TOLD} boardstatus REGEXP BINARY '{pattern}' AND {side} AND turn <> 1 {BEST_FIRST}"
                    ),
                }
            }
        }
    }
}

enum Condition {
    Is(String),
    Like(String),
    Matches(String),
}

fn condition(position: &Position, kind: Kind) -> Condition {
    let board = position.board();
    // In the order in which a board is written.
    let squares = || (0..64).map(|place| Square::from_index(place ^ 0b11_1000));
    match kind {
        Kind::Full => Condition::Is(board_text(board)),
        Kind::Half | Kind::Area { .. } => {
            let text = board_text(board);
            let wanted = match kind.trap() {
                Some(trap) => area(trap),
                None => squares()
                    .flatten()
                    .filter(|square| (2..6).contains(&square.rank().index()))
                    .fold(hathi_rules::Bitboard::EMPTY, |set, square| {
                        set | square.bit()
                    }),
            };
            let letter = |(square, letter): (Option<Square>, char)| match square {
                Some(square) if wanted.contains(square) => letter,
                _ => '_',
            };
            Condition::Like(squares().zip(text.chars()).map(letter).collect())
        }
        Kind::AreaByPiece { trap, piece } => {
            let wanted = area(trap);
            let mut pattern = String::from("^");
            let mut any = 0;
            for square in squares().flatten() {
                if !wanted.contains(square) {
                    any += 1;
                    continue;
                }
                push_any(&mut pattern, &mut any);
                pattern.push_str(&like_it(
                    board.piece_at(square),
                    position.side_to_move(),
                    piece,
                ));
            }
            push_any(&mut pattern, &mut any);
            pattern.push('$');
            Condition::Matches(pattern)
        }
    }
}

fn push_any(pattern: &mut String, any: &mut u32) {
    if *any > 0 {
        let _ = write!(pattern, ".{{{any}}}");
    }
    *any = 0;
}

/// Friends are as good as rabbits; enemies are weaker than the piece to move, as
/// strong, or stronger.
fn like_it(piece: Option<Piece>, mover: Side, to_move: Role) -> String {
    let Some(piece) = piece else {
        return "-".to_owned();
    };
    let alike = Role::ALL
        .into_iter()
        .filter(|&role| piece.side() == mover || role.cmp(&to_move) == piece.role().cmp(&to_move));
    let letters: String = alike
        .map(|role| Piece::new(piece.side(), role).to_char())
        .collect();
    format!("[{letters}]")
}
