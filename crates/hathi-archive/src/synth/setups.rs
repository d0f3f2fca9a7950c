//! Setups as often as people play them.
//!
//! `McKee` (2014, Table 5) counted the openings of 261,080 games: ten make up
//! 37 % of them, and 22,737 kinds occur in all. The ten are drawn with their
//! shares; the others by rank from a power law fitted to that number of
//! kinds, each rank being a variation of one of the ten.

use hathi_rules::{Role, Setup, Side};

use super::rng::{Rng, mix};

/// The top ten: number of games, and the roles on the second rank and the
/// first, from the a-file on. Two arrangements occur twice: `McKee` counted
/// texts, and people write the pieces in different orders.
const TOP_TEN: [(u32, [u8; 8], [u8; 8], Order); 10] = [
    (19398, *b"RHDMEDHR", *b"RRRCCRRR", Order::HomeFirst),
    (12784, *b"DHCMECHD", *b"RRRRRRRR", Order::HomeFirst),
    (10996, *b"DHCEMCHD", *b"RRRRRRRR", Order::HomeFirst),
    (10308, *b"RHCMECHR", *b"RRRDDRRR", Order::Mixed),
    (9132, *b"HDCMECDH", *b"RRRRRRRR", Order::HomeFirst),
    (9013, *b"RHCEMCHR", *b"RRRDDRRR", Order::HomeFirst),
    (8604, *b"RHCMECHR", *b"RRRDDRRR", Order::HomeFirst),
    (6295, *b"RHDEMDHR", *b"RRRCCRRR", Order::HomeFirst),
    (5717, *b"RHDEMDHR", *b"RRRCCRRR", Order::FrontFirst),
    (5138, *b"RDHEMHDR", *b"RRRCCRRR", Order::FrontFirst),
];

/// Games `McKee` counted.
const GAMES: u32 = 261_080;

/// The tail: P(rank > x) = (1 + x / SCALE) ^ -EXPONENT. Chosen so that the
/// eleventh kind has 1.8 % of the games and 261,080 games have about 22,737
/// kinds.
const EXPONENT: f64 = 0.345;
const SCALE: f64 = 12.0;

/// The order in which the sixteen pieces are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The rank at the edge of the board first.
    HomeFirst,
    /// The rank facing the opponent first.
    FrontFirst,
    /// Edge first, with two pieces swapped, as number 4 has it.
    Mixed,
    /// Strongest piece first, as on the old site.
    Strongest,
}

/// A setup and how it is written.
pub(super) struct Placed {
    pub(super) setup: Setup,
    pub(super) text: String,
}

/// Draws a setup for a side.
pub(super) fn draw(rng: &mut Rng, side: Side) -> Placed {
    let mut n = rng.below(GAMES);
    for &(games, front, home, order) in &TOP_TEN {
        if n < games {
            return placed(side, roles(front, home), order);
        }
        n -= games;
    }
    let uniform = 1.0 - rng.unit();
    let rank = SCALE * (uniform.powf(-1.0 / EXPONENT) - 1.0);
    // A float beyond the range becomes the largest number.
    ranked(rank as u64, side)
}

/// The setup of a rank below the top ten, always the same.
fn ranked(rank: u64, side: Side) -> Placed {
    let mut rng = Rng::of(0x5e7_0b5, mix(rank));
    let weights: [_; 10] = std::array::from_fn(|i| (i, TOP_TEN[i].0));
    let (_, front, home, _) = TOP_TEN[rng.weighted(&weights)];
    let mut roles = roles(front, home);
    if rng.chance(0.5) {
        roles[..8].reverse();
        roles[8..].reverse();
    }
    // Popular setups differ little from the most popular ones.
    let (fewest, spread) = match rank {
        0..100 => (1, 1),
        100..5_000 => (2, 2),
        _ => (3, 4),
    };
    for _ in 0..fewest + rng.below(spread) {
        swap_unlike(&mut roles, &mut rng);
    }
    let order = rng.weighted(&[
        (Order::HomeFirst, 6),
        (Order::FrontFirst, 3),
        (Order::Strongest, 2),
    ]);
    placed(side, roles, order)
}

/// Swaps two different pieces.
fn swap_unlike(roles: &mut [Role; 16], rng: &mut Rng) {
    loop {
        let (a, b) = (rng.below(16) as usize, rng.below(16) as usize);
        if roles[a] != roles[b] {
            roles.swap(a, b);
            return;
        }
    }
}

/// Roles from the a-file on, the edge of the board first.
fn roles(front: [u8; 8], home: [u8; 8]) -> [Role; 16] {
    let letters: [u8; 16] = std::array::from_fn(|i| if i < 8 { home[i] } else { front[i - 8] });
    letters.map(|letter| Role::from_char(letter as char).unwrap_or(Role::Rabbit))
}

fn placed(side: Side, roles: [Role; 16], order: Order) -> Placed {
    // Silver's lowest squares are those facing the opponent.
    let by_square: [Role; 16] = match side {
        Side::Gold => roles,
        Side::Silver => std::array::from_fn(|i| roles[(i + 8) % 16]),
    };
    let setup = match Setup::new(side, by_square) {
        Ok(setup) => setup,
        Err(error) => unreachable!("swapping keeps the pieces: {error}"),
    };
    let mut places: Vec<_> = setup.placements().collect();
    if side == Side::Silver {
        places.rotate_left(8);
    }
    match order {
        Order::HomeFirst => {}
        Order::FrontFirst => places.rotate_left(8),
        Order::Mixed => {
            places.swap(8, 9);
            places.swap(14, 15);
        }
        Order::Strongest => {
            places.sort_by_key(|(_, piece)| std::cmp::Reverse(piece.role()));
        }
    }
    let words: Vec<String> = places
        .iter()
        .map(|(square, piece)| format!("{piece}{square}"))
        .collect();
    Placed {
        setup,
        text: words.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The texts of Table 5, ranks 1, 4 and 9.
    const TABLE_5: [(&str, f64); 3] = [
        (
            "Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Md2 Ee2 Df2 Hg2 Rh2",
            0.0743,
        ),
        (
            "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Hb2 Ra2 Cc2 Md2 Ee2 Cf2 Rh2 Hg2",
            0.0395,
        ),
        (
            "Ra2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Rh2 Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1",
            0.0219,
        ),
    ];

    #[test]
    fn shares_and_kinds_are_those_of_the_real_archive() {
        let mut rng = Rng::of(7, 7);
        let mut kinds: HashMap<String, u32> = HashMap::new();
        for _ in 0..GAMES {
            let placed = draw(&mut rng, Side::Gold);
            *kinds.entry(placed.text).or_default() += 1;
        }
        let distinct = kinds.len() as f64;
        assert!((distinct / 22_737.0 - 1.0).abs() < 0.05, "{distinct} kinds");
        for (text, share) in TABLE_5 {
            let found = f64::from(kinds[text]) / f64::from(GAMES);
            assert!((found - share).abs() < 0.002, "{text}: {found}");
        }
    }

    #[test]
    fn texts_are_the_setups() {
        let mut rng = Rng::of(1, 1);
        for i in 0..2000 {
            let side = Side::ALL[i % 2];
            let placed = draw(&mut rng, side);
            assert_eq!(placed.text.parse(), Ok(placed.setup));
            assert_eq!(placed.setup.side(), side);
        }
    }
}
