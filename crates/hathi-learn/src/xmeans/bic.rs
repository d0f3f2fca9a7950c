//! The Bayesian information criterion of a grouping, in two forms.
//!
//! Both take the points as drawn from K round bells of one common variance, in
//! M dimensions, R points in all and Rn in group n, and take (p / 2) ln R off the
//! logarithm of the likelihood, p = (K - 1) + M K + 1 being the number of free
//! parameters. They differ in the likelihood, W being the sum of squared
//! distances:
//!
//! ```text
//! corrected   variance = W / (M (R - K)), from the density of the bells
//!             ln L = sum Rn ln (Rn / R) - (R M / 2) ln (2 pi variance) - M (R - K) / 2
//! as printed  variance = W / (R - K), by the letter of Pelleg and Moore (2000)
//!             ln L = sum Rn ln (Rn / R) - (R / 2) ln (2 pi) - (R M / 2) ln variance
//!                    - sum (Rn - K) / 2
//! ```
//!
//! The corrected one is the default: the printed variance is that of all axes
//! together while the density wants that of one, so that it is M times too
//! large and the likelihood is not one of these points. In one dimension both
//! differ only by the last term. A split changes ln variance by the same
//! amount in both, so that on clear blobs they agree (see the tests); near the
//! border the printed one splits a little more readily, as its last term grows
//! with the square of K.

/// Which form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bic {
    /// From the density of the bells.
    #[default]
    Corrected,
    /// By the letter of Pelleg and Moore.
    AsPrinted,
}

impl Bic {
    /// Both.
    pub const ALL: [Bic; 2] = [Bic::Corrected, Bic::AsPrinted];

    /// "corrected" or "as-printed".
    pub const fn name(self) -> &'static str {
        match self {
            Bic::Corrected => "corrected",
            Bic::AsPrinted => "as-printed",
        }
    }

    /// The criterion; more is better.
    pub(super) fn of<const D: usize>(self, grouping: &Grouping<D>, least_variance: f64) -> f64 {
        use std::f64::consts::TAU;
        let axes = D as f64;
        let groups = grouping.centres.len() as f64;
        let points = grouping.member_of.len() as f64;
        let of_one_axis = grouping.variance().max(least_variance);
        let shares = |size: &usize| {
            let size = *size as f64;
            if size > 0.0 {
                size * (size / points).ln()
            } else {
                0.0
            }
        };
        let mixing: f64 = grouping.sizes.iter().map(shares).sum();
        let free = (groups - 1.0) + axes * groups + 1.0;
        let likelihood = match self {
            Bic::Corrected => {
                mixing
                    - points * axes / 2.0 * (TAU * of_one_axis).ln()
                    - axes * (points - groups) / 2.0
            }
            Bic::AsPrinted => {
                mixing
                    - points / 2.0 * TAU.ln()
                    - points * axes / 2.0 * (axes * of_one_axis).ln()
                    - (points - groups * groups) / 2.0
            }
        };
        likelihood - free / 2.0 * points.ln()
    }
}

/// Points with the centres they belong to.
#[derive(Clone, Debug)]
pub(super) struct Grouping<const D: usize> {
    pub(super) centres: Vec<[f64; D]>,
    pub(super) sizes: Vec<usize>,
    pub(super) member_of: Vec<usize>,
    /// The sum of squared distances.
    within: f64,
}

impl<const D: usize> Grouping<D> {
    /// Every point goes to the nearest centre, and centres to the middle of
    /// their points.
    pub(super) fn of(points: &[[f64; D]], mut centres: Vec<[f64; D]>) -> Grouping<D> {
        let member_of: Vec<usize> = points.iter().map(|p| nearest(&centres, p)).collect();
        let mut sizes = vec![0; centres.len()];
        let mut sums = vec![[0.0; D]; centres.len()];
        for (point, &group) in points.iter().zip(&member_of) {
            sizes[group] += 1;
            for (sum, at) in sums[group].iter_mut().zip(point) {
                *sum += at;
            }
        }
        for ((centre, sum), &size) in centres.iter_mut().zip(sums).zip(&sizes) {
            if size > 0 {
                *centre = sum.map(|sum| sum / size as f64);
            }
        }
        let distances = points.iter().zip(&member_of);
        let within = distances.map(|(point, &group)| square_distance(point, &centres[group]));
        Grouping {
            within: within.sum(),
            centres,
            sizes,
            member_of,
        }
    }

    /// The sum of squared distances.
    pub(super) fn within(&self) -> f64 {
        self.within
    }

    /// Of one axis, as estimated from these points.
    pub(super) fn variance(&self) -> f64 {
        let free = self.member_of.len().saturating_sub(self.centres.len());
        self.within / (D * free.max(1)) as f64
    }
}

/// The number of the nearest centre.
fn nearest<const D: usize>(centres: &[[f64; D]], point: &[f64; D]) -> usize {
    let distances = centres.iter().map(|centre| square_distance(point, centre));
    let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map_or(0, |(group, _)| group)
}

/// How far two points are apart, squared.
pub(crate) fn square_distance<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        // -1, 1, 9, 11 on a line, centres 0 and 10: W = 4, variance 4 / 2 = 2.
        let grouping = Grouping::of(&[[-1.0], [1.0], [9.0], [11.0]], vec![[1.0], [8.0]]);
        assert_eq!(grouping.centres, [[0.0], [10.0]]);
        assert_eq!(grouping.sizes, [2, 2]);
        assert!((grouping.variance() - 2.0).abs() < 1e-12);
        // 4 ln 1/2 - 2 ln (4 pi) - 1, and 4 parameters: -2 ln 4.
        let corrected =
            4.0 * 0.5f64.ln() - 2.0 * (4.0 * std::f64::consts::PI).ln() - 1.0 - 2.0 * 4.0f64.ln();
        assert!((Bic::Corrected.of(&grouping, 0.0) - corrected).abs() < 1e-9);
        // On a line the printed form differs by its last term: (4 - 4) / 2.
        let printed = Bic::AsPrinted.of(&grouping, 0.0);
        assert!((printed - corrected - 1.0).abs() < 1e-9, "{printed}");
    }
}
