//! What a match says about strength.
//!
//! Games come in pairs: the same opening, once with each colour. The two are
//! correlated, so the pair is the unit that errors are computed from. Arimaa
//! has no draws, and small matches are often 0-n or n-0: a pseudo-deviation of
//! one pair keeps every error finite and a little on the safe side.

use serde::{Deserialize, Serialize};

/// How often a player won against another, with the pairs behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Games won in complete pairs: none, one, both.
    pub pairs: [u64; 3],
    /// Wins in games whose partner is not played yet.
    pub single_wins: u64,
    /// Losses in games whose partner is not played yet.
    pub single_losses: u64,
}

/// An Elo difference with its 95 % interval. Always finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Elo {
    /// Half the width of the interval.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Half of the 95 % interval of a normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The Elo difference that gives this expected score. Infinite at 0 and 1.
pub(crate) fn elo_of(score: f64) -> f64 {
    // Adding 0 makes nothing of the minus of -0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The score expected with this Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The share of a normal distribution below `z`.
pub(crate) fn normal_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

impl Score {
    /// A score of games that are not paired.
    pub fn of_games(wins: u64, losses: u64) -> Score {
        Score {
            single_wins: wins,
            single_losses: losses,
            ..Score::default()
        }
    }

    /// Games won.
    pub fn wins(&self) -> u64 {
        self.pairs[1] + 2 * self.pairs[2] + self.single_wins
    }

    /// Games lost.
    pub fn losses(&self) -> u64 {
        self.pairs[1] + 2 * self.pairs[0] + self.single_losses
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins() + self.losses()
    }

    /// The same, seen by the opponent.
    #[must_use]
    pub fn reversed(&self) -> Score {
        let [none, one, both] = self.pairs;
        Score {
            pairs: [both, one, none],
            single_wins: self.single_losses,
            single_losses: self.single_wins,
        }
    }

    /// Wins by games; one half before the first game.
    pub fn mean(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.wins() as f64 / games as f64,
        }
    }

    /// The variance of [`mean`](Score::mean). Never 0.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let square = |score: f64| (score - mean).powi(2);
        let [none, one, both] = self.pairs.map(|count| count as f64);
        // A pair weighs two games, so its deviation counts four times.
        let pairs = 4.0 * (none * square(0.0) + one * square(0.5) + both * square(1.0));
        let singles =
            self.single_wins as f64 * square(1.0) + self.single_losses as f64 * square(0.0);
        // One pair by half a game off the mean, which nobody has seen.
        let unseen = 4.0 * 0.25 * 0.25;
        let games = self.games().max(1) as f64;
        (pairs + singles + unseen) / (games * games)
    }

    /// The Elo difference, with its error.
    pub fn elo(&self) -> Elo {
        let (mean, error) = (self.mean(), self.variance().sqrt());
        let games = self.games() as f64;
        let finite = |score: f64, room: f64| {
            let edge = 1.0 / (room * (games + 1.0));
            elo_of(score.clamp(edge, 1.0 - edge))
        };
        Elo {
            value: finite(mean, 2.0),
            low: finite(mean - Z95 * error, 4.0),
            high: finite(mean + Z95 * error, 4.0),
        }
    }

    /// Likelihood of superiority: how probable it is that the player is the
    /// better one.
    pub fn los(&self) -> f64 {
        normal_below((self.mean() - 0.5) / self.variance().sqrt())
    }
}

/// A sequential probability ratio test: is the Elo difference rather
/// `elo0` or `elo1`?
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The hypothesis to reject.
    pub elo0: f64,
    /// The hypothesis to accept.
    pub elo1: f64,
    /// Chance to accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Chance to accept `elo0` when `elo1` is true.
    pub beta: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtState {
    /// More games are needed.
    Running,
    /// `elo0` it is.
    Rejected,
    /// `elo1` it is.
    Accepted,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio, by the normal approximation of the
    /// generalised test over pairs.
    pub fn llr(&self, score: &Score) -> f64 {
        if score.games() == 0 {
            return 0.0;
        }
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        (s1 - s0) * (2.0 * score.mean() - s0 - s1) / (2.0 * score.variance())
    }

    /// Where the test stands.
    pub fn state(&self, score: &Score) -> SprtState {
        let (low, high) = self.bounds();
        match self.llr(score) {
            llr if llr <= low => SprtState::Rejected,
            llr if llr >= high => SprtState::Accepted,
            _ => SprtState::Running,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(none: u64, one: u64, both: u64) -> Score {
        Score {
            pairs: [none, one, both],
            ..Score::default()
        }
    }

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn degenerate_scores_stay_finite_and_sane() {
        close(Score::default().elo().value, 0.0, 1e-12);
        for games in [1, 2, 10, 1000] {
            let lost = Score::of_games(0, games).elo();
            let won = Score::of_games(games, 0).elo();
            close(won.value, -lost.value, 1e-9);
            close(won.low, -lost.high, 1e-9);
            assert!(won.high.is_finite() && won.low.is_finite());
            assert!(won.low < won.value && won.value < won.high);
            assert!(won.high < 1600.0, "{won:?}");
        }
        let swept = pairs(0, 0, 5).elo();
        close(swept.value, 528.9, 0.1);
        assert!(swept.low > 100.0, "{swept:?}");
        // All pairs shared is no proof of equality.
        let shared = pairs(0, 5, 0).elo();
        close(shared.value, 0.0, 1e-9);
        assert!(shared.margin() > 20.0);
        // More of the same is more certain.
        assert!(pairs(0, 0, 50).elo().low > swept.low);
    }

    #[test]
    fn known_values() {
        close(elo_of(0.75), 190.85, 0.01);
        close(expected_score(190.85), 0.75, 1e-5);
        close(elo_of(0.5), 0.0, 1e-12);
        close(Score::of_games(75, 25).elo().value, 190.85, 0.01);
        // 75 of 100: 1.96 * sqrt(.75 * .25 / 100) is 8.5 %.
        let elo = Score::of_games(75, 25).elo();
        close(elo.low, elo_of(0.75 - 0.0849), 2.0);
        close(elo.high, elo_of(0.75 + 0.0849), 2.0);
        close(normal_below(1.644_853_6), 0.95, 1e-6);
        close(normal_below(0.0), 0.5, 1e-12);
    }

    #[test]
    fn los_by_the_usual_formula() {
        // Phi((wins - losses) / sqrt(wins + losses)), near equality.
        for (wins, losses) in [(520u64, 480u64), (510, 490), (1050, 1000)] {
            let (w, l) = (wins as f64, losses as f64);
            let usual = normal_below((w - l) / (w + l).sqrt());
            close(Score::of_games(wins, losses).los(), usual, 0.002);
        }
        close(Score::default().los(), 0.5, 1e-12);
    }

    #[test]
    fn pairs_that_cancel_out_make_the_error_small() {
        let correlated = pairs(10, 80, 10);
        let single = Score::of_games(100, 100);
        assert_eq!(correlated.games(), 200);
        assert!(correlated.elo().margin() < 0.65 * single.elo().margin());
        let opposite = pairs(50, 0, 50);
        assert!(opposite.elo().margin() > 1.3 * single.elo().margin());
    }

    #[test]
    fn the_usual_bounds() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (low, high) = sprt.bounds();
        close(low, -2.944, 0.001);
        close(high, 2.944, 0.001);
        close(sprt.llr(&Score::default()), 0.0, 1e-12);
    }

    /// Without draws and pairs the exact ratio is
    /// `W ln(p1 / p0) + L ln((1 - p1) / (1 - p0))`.
    #[test]
    fn llr_is_near_the_exact_one() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (p0, p1) = (expected_score(0.0), expected_score(20.0));
        for (wins, losses) in [(500u64, 500u64), (540, 460), (480, 520)] {
            let exact =
                wins as f64 * (p1 / p0).ln() + losses as f64 * ((1.0 - p1) / (1.0 - p0)).ln();
            close(sprt.llr(&Score::of_games(wins, losses)), exact, 0.05);
        }
        assert_eq!(sprt.state(&Score::of_games(700, 300)), SprtState::Accepted);
        assert_eq!(sprt.state(&Score::of_games(300, 700)), SprtState::Rejected);
        assert_eq!(sprt.state(&Score::of_games(3, 2)), SprtState::Running);
    }

    proptest! {
        #[test]
        fn never_nan(none in 0u64..1000, one in 0u64..1000, both in 0u64..1000,
                     wins in 0u64..3, losses in 0u64..3) {
            let score = Score { pairs: [none, one, both], single_wins: wins, single_losses: losses };
            let elo = score.elo();
            prop_assert!(elo.low.is_finite() && elo.high.is_finite());
            prop_assert!(elo.low <= elo.value && elo.value <= elo.high);
            prop_assert!((0.0..=1.0).contains(&score.los()));
            let back = score.reversed().elo();
            prop_assert!((elo.value + back.value).abs() < 1e-6);
            let sprt = Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
            prop_assert!(sprt.llr(&score).is_finite());
        }
    }
}
