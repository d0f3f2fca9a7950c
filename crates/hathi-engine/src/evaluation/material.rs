//! The worth of the pieces left.
//!
//! What a piece can do depends on who is left to stop it, so its worth comes
//! from the number of stronger enemies: Janzen's logarithmic formula ("harlog"),
//! scaled so that the first rabbit lost costs 100. Rabbits matter more the fewer
//! there are.

use hathi_rules::{Board, BySide, Role, Side};

const Q: f64 = 1.447_530_126;
const G: f64 = 0.631_444_203_4;

/// Pieces that have no stronger enemy left.
const UNBEATABLE: f64 = 2.0;

/// Worth for a number of stronger enemies, and of rabbits times pieces.
struct Tables {
    by_stronger: [i32; 17],
    by_product: [i32; 17 * 17],
}

static TABLES: std::sync::LazyLock<Tables> = std::sync::LazyLock::new(|| {
    let scale = 100.0 / (G * (8.0_f64 / 7.0).ln());
    let mut tables = Tables {
        by_stronger: [0; 17],
        by_product: [0; 17 * 17],
    };
    for (stronger, worth) in tables.by_stronger.iter_mut().enumerate() {
        let share = if stronger == 0 {
            UNBEATABLE / Q
        } else {
            1.0 / (Q + stronger as f64)
        };
        *worth = (scale * share).round() as i32;
    }
    for (product, worth) in tables.by_product.iter_mut().enumerate() {
        // A side without rabbits or without other pieces is not worth
        // infinitely little.
        *worth = (scale * G * (product as f64).max(0.5).ln()).round() as i32;
    }
    tables
});

/// How many of each role a side has, rabbit first.
pub(crate) fn counts(board: &Board) -> BySide<[u32; 6]> {
    let of = |side: Side| {
        let own = board.side(side);
        Role::ALL.map(|role| (own & board.role(role)).len())
    };
    BySide::new(of(Side::Gold), of(Side::Silver))
}

/// Gold's material less Silver's.
pub(crate) fn balance(board: &Board) -> i32 {
    let counts = counts(board);
    if counts.gold == counts.silver {
        return 0;
    }
    worth(&counts.gold, &counts.silver) - worth(&counts.silver, &counts.gold)
}

fn worth(own: &[u32; 6], enemy: &[u32; 6]) -> i32 {
    let tables = &*TABLES;
    let mut stronger = 0;
    let mut pieces = 0;
    let mut total = 0;
    // From the elephant down, so that the stronger enemies add up.
    for role in (1..6).rev() {
        total += own[role] as i32 * tables.by_stronger[(stronger as usize).min(16)];
        stronger += enemy[role];
        pieces += own[role];
    }
    let product = (own[0].min(16) * pieces.min(16)) as usize;
    total + tables.by_product[product]
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::Position;

    fn balance_of(text: &str) -> i32 {
        let position: Position = text.parse().expect("a position");
        balance(position.board())
    }

    #[test]
    fn equal_sides_are_worth_the_same() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        assert_eq!(balance_of(start), 0);
    }

    #[test]
    fn a_rabbit_is_a_hundred_and_stronger_pieces_are_worth_more() {
        let without = |piece: char| {
            let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
            balance_of(&start.replacen(piece, " ", 1))
        };
        assert_eq!(without('r'), 100);
        let worths: Vec<i32> = ['c', 'd', 'h', 'm', 'e'].into_iter().map(without).collect();
        assert!(worths.is_sorted(), "{worths:?}");
        assert!(worths[0] > 150, "{worths:?}");
    }

    #[test]
    fn the_last_rabbits_are_dear() {
        let many =
            balance_of("g [rrrrrrrr   e                                    E   RRRRRRRR    ]")
                - balance_of(
                    "g [rrrrrrrr   e                                    E   RRRRRRR     ]",
                );
        let few =
            balance_of("g [rrrrrrrr   e                                    E   RR          ]")
                - balance_of(
                    "g [rrrrrrrr   e                                    E   R           ]",
                );
        assert!(few > 3 * many, "{few} and {many}");
    }
}
