//! What a place on the board is worth to the piece that stands there.
//!
//! A category rates its turns by where the pieces they moved end up, not by
//! the whole board: that is for the plans to judge.

use hathi_rules::{Board, Piece, Role, Side, Square};

use super::view::rank;

/// What a piece is worth, in hundredths of a rabbit, when only their order
/// and rough size matter.
pub(crate) const fn worth(role: Role) -> i32 {
    match role {
        Role::Rabbit => 100,
        Role::Cat => 170,
        Role::Dog => 220,
        Role::Horse => 350,
        Role::Camel => 600,
        Role::Elephant => 1500,
    }
}

/// How well a piece stands on a square, by role: a row of values by rank from
/// its own first, and one by distance from the edge.
const BY_RANK: [[i32; 8]; 6] = [
    [3, 2, 1, 2, 4, 7, 14, 0],
    [4, 9, 6, 0, -6, -10, -12, -12],
    [2, 8, 8, 4, 0, -4, -8, -8],
    [0, 4, 9, 11, 12, 11, 4, -2],
    [0, 4, 10, 12, 8, 2, -6, -12],
    [-8, 0, 8, 16, 20, 18, 6, -6],
];
const BY_FILE: [[i32; 4]; 6] = [
    [4, 1, -1, -1],
    [0, 2, 3, 1],
    [0, 2, 3, 2],
    [0, 4, 3, 2],
    [0, 3, 4, 4],
    [-12, -4, 4, 10],
];

/// The square alone.
pub(crate) fn location(piece: Piece, square: Square) -> i32 {
    let seen = match piece.side() {
        Side::Gold => square,
        Side::Silver => square.flip(),
    };
    let file = seen.index() % 8;
    let role = piece.role().index();
    let trap = if square.is_trap() { -10 } else { 0 };
    BY_RANK[role][rank(seen)] + BY_FILE[role][file.min(7 - file)] + trap
}

/// The square and who stands around it.
pub(crate) fn standing(board: &Board, piece: Piece, square: Square) -> i32 {
    let mut value = location(piece, square);
    let side = piece.side();
    let own = board.side(side);
    let worth = worth(piece.role());
    let around = square.neighbours();
    let friends = (own & around).len() as i32;
    let stronger = board.side(side.opponent()) & board.stronger_than(piece.role()) & around;
    if stronger.any() {
        value -= if friends == 0 { worth / 12 } else { worth / 40 };
    }
    if square.is_trap() && friends == 1 {
        value -= worth / 20;
    }
    value
}

/// How much better the pieces that moved stand now, those of `side` and, the
/// other way round, the enemy's; what was captured counts in full.
pub(crate) fn gain(before: &Board, after: &Board, side: Side) -> i32 {
    let mut total = 0;
    for piece in Piece::ALL {
        let (was, is) = (before.pieces(piece), after.pieces(piece));
        if was == is {
            continue;
        }
        let mut change = 0;
        for square in was - is {
            change -= standing(before, piece, square);
        }
        for square in is - was {
            change += standing(after, piece, square);
        }
        let lost = was.len() as i32 - is.len() as i32;
        change -= lost * worth(piece.role());
        total += if piece.side() == side {
            change
        } else {
            -change
        };
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_same_board() {
        for square in Square::all() {
            for piece in Piece::ALL {
                assert_eq!(
                    location(piece, square),
                    location(piece.flip(), square.flip())
                );
                assert_eq!(location(piece, square), location(piece, square.mirror()));
            }
        }
    }

    #[test]
    fn a_capture_and_a_better_place_are_gains() {
        let board = |elephant: &str, rabbit: &str| {
            let mut board = Board::EMPTY;
            for (piece, square) in [('E', elephant), ('r', rabbit), ('R', "h1")] {
                if let (Some(piece), Ok(square)) = (Piece::from_char(piece), square.parse()) {
                    board.place(square, piece);
                }
            }
            board
        };
        let start = board("e2", "d5");
        let centre = board("e4", "d5");
        let alone = board("e2", "none");
        assert!(gain(&start, &centre, Side::Gold) > 0);
        assert!(gain(&start, &alone, Side::Gold) >= 80);
        assert_eq!(
            gain(&start, &alone, Side::Gold),
            -gain(&start, &alone, Side::Silver)
        );
        assert_eq!(gain(&start, &start, Side::Gold), 0);
    }
}
