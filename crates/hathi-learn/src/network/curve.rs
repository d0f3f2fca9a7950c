//! How often games are won from a score.

use hathi_model::network::UNIT;

use super::lesson::chance;

/// How often games are won from a score: what is better than that is news. It is a flatter curve
/// than the network's own where chance plays a part in games; mixed with results as they are,
/// positions with a result would be valued on another scale than those without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultCurve {
    /// So many times as steep as the network's own curve.
    steepness: f64,
}

/// Scores beyond this, proven wins among them, say no more: 40 rabbits.
const MOST_SCORE: i32 = 4_000;

/// A fit does not leave these: without results, or where scores tell all of them, there is no best.
const LEAST_STEEP: f64 = 0.05;
const MOST_STEEP: f64 = 20.0;

/// Rounds of Newton's method, and how often a step of it is halved; few are ever needed.
const ROUNDS: u32 = 50;
const HALVINGS: u32 = 40;

/// Nobody sees a shorter step.
const CLOSE: f64 = 1e-9;

impl ResultCurve {
    /// Fitted to positions of games that somebody won: the score in hundredths of a rabbit and
    /// whether its side did.
    pub fn fit(scores: &[(i32, bool)]) -> ResultCurve {
        let mut curve = ResultCurve { steepness: 1.0 };
        let mut loss = curve.mean_loss(scores);
        // Newton's method for logistic regression with one number; it has one optimum.
        for _ in 0..ROUNDS {
            let (mut slope, mut bend) = (0.0, 1e-9);
            for &(score, won) in scores {
                let score = in_units(score);
                let seen = 1.0 / (1.0 + (-curve.steepness * score).exp());
                slope += (f64::from(u8::from(won)) - seen) * score;
                bend += seen * (1.0 - seen) * score * score;
            }
            // From far away a step may lead beyond the optimum, to where it is worse.
            let mut step = slope / bend;
            if step.abs() < CLOSE {
                break;
            }
            let mut better = None;
            for _ in 0..HALVINGS {
                let next = ResultCurve {
                    steepness: (curve.steepness + step).clamp(LEAST_STEEP, MOST_STEEP),
                };
                let next_loss = next.mean_loss(scores);
                if next_loss < loss {
                    better = Some((next, next_loss));
                    break;
                }
                step /= 2.0;
            }
            let Some((next, next_loss)) = better else {
                break;
            };
            (curve, loss) = (next, next_loss);
        }
        curve
    }

    /// The curve whose odds grow e-fold by so many hundredths of a rabbit.
    pub fn with_scale(hundredths: f64) -> ResultCurve {
        ResultCurve {
            steepness: f64::from(UNIT) / hundredths,
        }
    }

    /// Hundredths of a rabbit that make the odds e times as good.
    pub fn scale(self) -> f64 {
        f64::from(UNIT) / self.steepness
    }

    /// So many times as steep as the network's own curve.
    pub fn steepness(self) -> f32 {
        self.steepness as f32
    }

    pub(super) fn expected(self, score: i32) -> f32 {
        let score = score.clamp(-MOST_SCORE, MOST_SCORE) as f32 / UNIT as f32;
        chance(self.steepness() * score)
    }

    /// What a result costs a score that did not expect it: the negative natural logarithm of the
    /// chance it gave.
    pub fn loss(self, score: i32, won: bool) -> f64 {
        let by = self.steepness * in_units(score);
        (if won { -by } else { by }).exp().ln_1p()
    }

    /// The mean of these, 0 of none.
    pub fn mean_loss(self, scores: &[(i32, bool)]) -> f64 {
        let sum: f64 = scores
            .iter()
            .map(|&(score, won)| self.loss(score, won))
            .sum();
        sum / scores.len().max(1) as f64
    }
}

/// A score in the network's own unit.
fn in_units(score: i32) -> f64 {
    f64::from(score.clamp(-MOST_SCORE, MOST_SCORE)) / f64::from(UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that end as a scale says, however large it is; the score of each is so many times
    /// what that scale is about.
    fn games(scale: f64, times: i32) -> Vec<(i32, bool)> {
        let mut random = fastrand::Rng::with_seed(5);
        (0..20_000)
            .map(|_| {
                let score = random.i32(-1500..1500);
                let chance = 1.0 / (1.0 + (-f64::from(score) / scale).exp());
                (score * times, random.f64() < chance)
            })
            .collect()
    }

    #[test]
    fn a_scale_is_found_again() {
        let games = games(300.0, 1);
        let curve = ResultCurve::fit(&games);
        assert!((280.0..320.0).contains(&curve.scale()), "{curve:?}");
        for other in [0.97, 1.03] {
            let other = ResultCurve::with_scale(curve.scale() * other);
            assert!(curve.mean_loss(&games) < other.mean_loss(&games));
        }
    }

    #[test]
    fn what_scores_are_counted_in_changes_nothing_but_the_scale() {
        let (ones, twos) = (games(1_000.0, 1), games(1_000.0, 2));
        let (one, two) = (ResultCurve::fit(&ones), ResultCurve::fit(&twos));
        assert!(
            (two.scale() / one.scale() - 2.0).abs() < 1e-6,
            "{one:?} {two:?}"
        );
        assert!((one.mean_loss(&ones) - two.mean_loss(&twos)).abs() < 1e-9);
    }

    #[test]
    fn where_there_is_no_best_the_fit_ends_all_the_same() {
        assert_eq!(ResultCurve::fit(&[]), ResultCurve { steepness: 1.0 });
        assert_eq!(
            ResultCurve::fit(&[(0, true)]),
            ResultCurve { steepness: 1.0 }
        );
        let told = [(i32::MAX, true), (i32::MIN, false), (1, true)];
        let steepest = ResultCurve::fit(&told);
        assert!((steepest.scale() - 20.0).abs() < 1.0, "{steepest:?}");
        let flattest = ResultCurve::fit(&told.map(|(score, won)| (score, !won)));
        assert!((flattest.scale() - 8_000.0).abs() < 1.0, "{flattest:?}");
        assert!(flattest.mean_loss(&told).is_finite());
    }
}
