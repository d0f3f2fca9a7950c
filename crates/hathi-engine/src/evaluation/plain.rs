//! A plain evaluation: material, rabbits forward, strong pieces to the centre.
//! What the opponents of the papers had.

use hathi_rules::{Bitboard, Board, Role, Side};

use super::{Evaluate, material};

/// Counts material and little else.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plain;

/// ```text
/// 6| . . x o o x . . |
/// 5| . . o o o o . . |
/// 4| . . o o o o . . |
/// 3| . . x o o x . . |
/// ```
const CENTRE: Bitboard = Bitboard(0x0000_183c_3c18_0000);

/// A rabbit's worth by the ranks it has come forward.
const ADVANCE: [i32; 8] = [0, 2, 4, 8, 16, 30, 60, 0];

impl Evaluate for Plain {
    type Track = ();

    fn track(&self) {}

    fn evaluate(&self, board: &Board, side: Side) -> i32 {
        let gold = material::balance(board) + placement(board, Side::Gold)
            - placement(board, Side::Silver);
        match side {
            Side::Gold => gold,
            Side::Silver => -gold,
        }
    }
}

fn placement(board: &Board, side: Side) -> i32 {
    let own = board.side(side);
    let mut total = 0;
    for square in board.rabbits(side) {
        let rank = square.index() / 8;
        total += ADVANCE[match side {
            Side::Gold => rank,
            Side::Silver => 7 - rank,
        }];
    }
    let central = |role: Role| (own & board.role(role) & CENTRE).len() as i32;
    total += 20 * central(Role::Elephant) + 10 * central(Role::Camel) + 6 * central(Role::Horse);
    total - 12 * board.frozen(side).len() as i32
}
