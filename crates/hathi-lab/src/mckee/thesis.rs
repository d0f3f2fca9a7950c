//! What the thesis says: its tables, number for number.

use super::bins::{BINS, Rates};

/// Games in his database.
pub(super) const GAMES: u64 = 261_080;
/// Different setups of Gold in them.
pub(super) const SETUP_KINDS: u64 = 22_737;
/// Seconds to list them.
pub(super) const SETUP_SECONDS: f64 = 656.0;
/// Games his bot played.
pub(super) const PLAYED: u64 = 1000;
/// His win rate "mostly hovered above the 65% mark", which is so many of them;
/// no other number is given.
pub(super) const WON: u64 = 650;
/// His average hit rate: the plain mean of the ten rows of table 12.
pub(super) const AVERAGE_HIT_RATE: f64 = 30.416;
/// Seconds a turn may take.
pub(super) const TURN_SECONDS: u64 = 30;

/// A row of table 5: games, setup as written, per cent.
pub(super) struct PopularSetup {
    pub(super) games: u64,
    pub(super) setup: &'static str,
    pub(super) percent: f64,
}

const fn popular(games: u64, setup: &'static str, percent: f64) -> PopularSetup {
    PopularSetup {
        games,
        setup,
        percent,
    }
}

/// Table 5. Rows 4 and 7 are the same arrangement written in two orders, and
/// so are 8 and 9: he counted texts.
pub(super) const SETUPS: [PopularSetup; 10] = [
    popular(
        19_398,
        "Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Md2 Ee2 Df2 Hg2 Rh2",
        7.43,
    ),
    popular(
        12_784,
        "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2",
        4.90,
    ),
    popular(
        10_996,
        "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Ed2 Me2 Cf2 Hg2 Dh2",
        4.21,
    ),
    popular(
        10_308,
        "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Hb2 Ra2 Cc2 Md2 Ee2 Cf2 Rh2 Hg2",
        3.95,
    ),
    popular(
        9132,
        "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2",
        3.5,
    ),
    popular(
        9013,
        "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Ed2 Me2 Cf2 Hg2 Rh2",
        3.45,
    ),
    popular(
        8604,
        "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2",
        3.3,
    ),
    popular(
        6295,
        "Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Rh2",
        2.41,
    ),
    popular(
        5717,
        "Ra2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Rh2 Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1",
        2.19,
    ),
    popular(
        5138,
        "Ra2 Db2 Hc2 Ed2 Me2 Hf2 Dg2 Rh2 Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1",
        1.97,
    ),
];

/// A row of table 12, in per cent.
pub(super) struct HitRow {
    /// Full, half, area, area by piece.
    pub(super) levels: [f64; 4],
    /// The "overall hit rate" as printed.
    pub(super) overall: f64,
}

impl HitRow {
    /// The levels as shares.
    pub(super) fn rates(&self) -> Rates {
        Rates(self.levels.map(|percent| percent / 100.0))
    }
}

const fn hits(full: f64, half: f64, area: f64, by_piece: f64, overall: f64) -> HitRow {
    HitRow {
        levels: [full, half, area, by_piece],
        overall,
    }
}

/// Table 12; figures 8 to 11 are its columns.
pub(super) const HITS: [HitRow; BINS] = [
    hits(3.63, 13.83, 26.82, 32.86, 43.0),
    hits(0.904, 11.06, 28.32, 34.8, 21.99),
    hits(0.13, 9.82, 24.12, 36.82, 25.16),
    hits(0.13, 9.65, 18.49, 38.4, 28.24),
    hits(0.13, 8.46, 16.37, 39.38, 30.11),
    hits(0.13, 7.41, 12.87, 40.12, 32.32),
    hits(0.13, 8.42, 16.3, 42.18, 32.29),
    hits(0.13, 8.41, 19.98, 43.15, 31.58),
    hits(0.13, 7.03, 24.82, 43.16, 30.13),
    hits(0.13, 4.06, 32.1, 45.1, 29.34),
];

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use hathi_rules::Setup;

    use super::*;

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    /// Row 1 is the sum of his four "Just" terms; rows 2 to 10 are the last
    /// of them alone. Both reproduce to the rounding of the printed levels.
    #[test]
    fn his_formula_gives_his_first_row_only() {
        close(100.0 * HITS[0].rates().exactly_one(), 43.0, 0.01);
        for row in &HITS[1..] {
            close(100.0 * row.rates().only_last(), row.overall, 0.02);
            assert!(100.0 * row.rates().exactly_one() > row.overall + 10.0);
        }
        for (bin, row) in HITS.iter().enumerate() {
            close(100.0 * row.rates().as_printed(bin), row.overall, 0.02);
        }
    }

    #[test]
    fn the_plain_union_of_his_own_figures() {
        let unions = HITS.map(|row| 100.0 * row.rates().union());
        let least = unions.iter().copied().fold(f64::INFINITY, f64::min);
        let most = unions.iter().copied().fold(0.0, f64::max);
        close(least, 51.7, 0.1);
        close(most, 64.3, 0.1);
    }

    #[test]
    fn his_average_is_the_mean_of_the_rows() {
        let sum: f64 = HITS.iter().map(|row| row.overall).sum();
        close(sum / BINS as f64, AVERAGE_HIT_RATE, 0.0005);
    }

    /// His shares are of the games of his database.
    #[test]
    fn his_shares_of_setups() {
        for row in &SETUPS {
            close(100.0 * row.games as f64 / GAMES as f64, row.percent, 0.006);
        }
    }

    #[test]
    fn two_of_his_setups_are_there_twice() {
        let mut games: HashMap<Setup, Vec<u64>> = HashMap::new();
        for row in &SETUPS {
            let setup: Setup = row.setup.parse().expect("a setup");
            games.entry(setup).or_default().push(row.games);
        }
        let mut twice: Vec<&Vec<u64>> = games.values().filter(|games| games.len() > 1).collect();
        twice.sort();
        assert_eq!(twice, [&vec![6295, 5717], &vec![10_308, 8604]]);
    }
}
