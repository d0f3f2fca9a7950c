//! X-means (Pelleg and Moore, 2000): k-means that finds the number of groups
//! itself. K-means stands in `kmeans.rs`; what stands here is when to split a
//! group.
//!
//! A group is split in two if the Bayesian information criterion of its points
//! is better with two centres than with one; then all centres move together,
//! and so on until no split pays or there are enough groups. Of all that was
//! tried the best by the criterion over all points is taken.
//!
//! One thing is ours: where no split pays, the least bad one is made all the
//! same, once, as the next ones may. Four blobs in a square are no better off
//! as two pairs than as one heap, but much better off as four.

mod bic;
mod kmeans;

pub use bic::Bic;
pub(crate) use bic::square_distance;

use bic::Grouping;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct XMeans {
    /// No fewer groups than this.
    pub minimum: usize,
    /// No more groups than this.
    pub maximum: usize,
    /// When a split pays.
    pub bic: Bic,
    /// The smallest variance of a group. Whole numbers stand for whatever was
    /// rounded to them: without this, a group whose points are all the same
    /// would be infinitely likely.
    pub least_variance: f64,
    /// The random seed.
    pub seed: u64,
    /// How often k-means starts anew; the best is taken.
    pub runs: usize,
}

impl Default for XMeans {
    fn default() -> XMeans {
        XMeans {
            minimum: 1,
            maximum: 10,
            bic: Bic::default(),
            least_variance: 1e-9,
            seed: 1,
            runs: 5,
        }
    }
}

/// Groups of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups<const D: usize> {
    /// Their centres.
    pub centres: Vec<[f64; D]>,
    /// How many points each has.
    pub sizes: Vec<usize>,
    /// The variance of points round their centres, along each axis.
    pub variance: f64,
    /// The criterion for every number of groups that was tried.
    pub tried: Vec<(usize, f64)>,
}

/// Why points cannot be grouped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XMeansError {
    /// Too few.
    #[error("{points} points are too few for {groups} groups")]
    TooFewPoints {
        /// How many there are.
        points: usize,
        /// How many groups were asked for.
        groups: usize,
    },
    /// The bounds.
    #[error(
        "at least {minimum} and at most {maximum} groups cannot be; the first number is 1 or more"
    )]
    BadBounds {
        /// The lower one.
        minimum: usize,
        /// The upper one.
        maximum: usize,
    },
}

/// Centres, some of them in two.
struct Split<const D: usize> {
    centres: Vec<[f64; D]>,
    pays: bool,
}

impl XMeans {
    /// Groups the points.
    pub fn run<const D: usize>(&self, points: &[[f64; D]]) -> Result<Groups<D>, XMeansError> {
        let XMeans {
            minimum, maximum, ..
        } = *self;
        if minimum == 0 || minimum > maximum {
            return Err(XMeansError::BadBounds { minimum, maximum });
        }
        if points.len() <= minimum {
            return Err(XMeansError::TooFewPoints {
                points: points.len(),
                groups: minimum,
            });
        }
        let mut now = Grouping::of(points, self.k_means(points, minimum));
        let mut best = now.clone();
        let mut tried = vec![(now.centres.len(), self.criterion(&now))];
        let mut forced = false;
        while now.centres.len() < maximum {
            let Some(Split { centres, pays }) = self.split(points, &now) else {
                break;
            };
            if forced && !pays {
                break;
            }
            forced = !pays;
            let count = centres.len();
            now = kmeans::settle(points, centres);
            let criterion = self.criterion(&now);
            if criterion > self.criterion(&best) {
                best = now.clone();
            }
            tried.push((count, criterion));
        }
        Ok(Groups {
            variance: best.variance().max(self.least_variance),
            sizes: best.sizes.clone(),
            centres: best.centres,
            tried,
        })
    }

    fn criterion<const D: usize>(&self, grouping: &Grouping<D>) -> f64 {
        self.bic.of(grouping, self.least_variance)
    }

    /// The centres with the splits that pay, the best ones first as long as
    /// there is room; with the least bad one if none does.
    fn split<const D: usize>(&self, points: &[[f64; D]], now: &Grouping<D>) -> Option<Split<D>> {
        let mut splits = Vec::new();
        for (group, centre) in now.centres.iter().enumerate() {
            let members = points.iter().zip(&now.member_of);
            let members: Vec<[f64; D]> = members
                .filter(|&(_, of)| *of == group)
                .map(|(point, _)| *point)
                .collect();
            let one = Grouping::of(&members, vec![*centre]);
            // Nothing to split, or too few to tell.
            if members.len() < 4 || one.variance() <= self.least_variance {
                continue;
            }
            let two = Grouping::of(&members, self.k_means(&members, 2));
            let gain = self.criterion(&two) - self.criterion(&one);
            if two.sizes.iter().all(|&size| size > 0) {
                splits.push((gain, group, two.centres));
            }
        }
        splits.sort_by(|a, b| b.0.total_cmp(&a.0));
        let paying = splits.iter().filter(|(gain, ..)| *gain > 0.0).count();
        splits.truncate(paying.clamp(1, self.maximum - now.centres.len()));
        if splits.is_empty() {
            return None;
        }
        let mut centres = now.centres.clone();
        for (_, group, halves) in splits {
            centres[group] = halves[0];
            centres.push(halves[1]);
        }
        Some(Split {
            centres,
            pays: paying > 0,
        })
    }

    /// Centres by k-means from points that lie far apart.
    fn k_means<const D: usize>(&self, points: &[[f64; D]], count: usize) -> Vec<[f64; D]> {
        kmeans::k_means(points, count, self.runs, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round blobs of points about the centres.
    fn blobs(centres: &[[f64; 2]], each: usize, spread: f64, seed: u64) -> Vec<[f64; 2]> {
        let mut random = fastrand::Rng::with_seed(seed);
        // Twelve draws make a bell.
        let mut bell = || (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
        let mut points = Vec::new();
        for centre in centres {
            for _ in 0..each {
                points.push(centre.map(|at| at + spread * bell()));
            }
        }
        points
    }

    const SPOTS: [[f64; 2]; 5] = [[0.0, 0.0], [6.0, 0.0], [0.0, 6.0], [6.0, 6.0], [3.0, 12.0]];

    #[test]
    fn as_many_groups_as_blobs() {
        for bic in Bic::ALL {
            for number in 1..=SPOTS.len() {
                let points = blobs(&SPOTS[..number], 300, 0.6, number as u64);
                let x_means = XMeans {
                    bic,
                    ..XMeans::default()
                };
                let groups = x_means.run(&points).expect("groups");
                assert_eq!(groups.centres.len(), number, "{bic:?} {:?}", groups.tried);
                for spot in &SPOTS[..number] {
                    let near =
                        |centre: &&[f64; 2]| (centre[0] - spot[0]).hypot(centre[1] - spot[1]) < 0.2;
                    assert_eq!(groups.centres.iter().filter(near).count(), 1, "{spot:?}");
                }
                assert_eq!(groups.sizes.iter().sum::<usize>(), points.len());
                assert!((groups.variance - 0.36).abs() < 0.05, "{}", groups.variance);
            }
        }
    }

    #[test]
    fn bounds_are_kept() {
        let points = blobs(&SPOTS, 200, 0.5, 9);
        let few = XMeans {
            maximum: 3,
            ..XMeans::default()
        };
        assert_eq!(few.run(&points).expect("groups").centres.len(), 3);
        let one = blobs(&SPOTS[..1], 200, 0.5, 9);
        let many = XMeans {
            minimum: 4,
            ..XMeans::default()
        };
        assert!(many.run(&one).expect("groups").centres.len() >= 4);
        for (minimum, maximum) in [(0, 3), (4, 3)] {
            let bad = XMeans {
                minimum,
                maximum,
                ..XMeans::default()
            };
            let error = XMeansError::BadBounds { minimum, maximum };
            assert_eq!(bad.run(&points), Err(error));
        }
        assert!(XMeans::default().run(&points[..1]).is_err());
    }

    #[test]
    fn the_same_seed_gives_the_same_groups() {
        let points = blobs(&SPOTS[..3], 100, 2.0, 4);
        let run = |seed| {
            XMeans {
                seed,
                ..XMeans::default()
            }
            .run(&points)
        };
        assert_eq!(run(3), run(3));
    }

    #[test]
    fn equal_points_are_one_group() {
        let points = vec![[1.0, 2.0]; 50];
        let groups = XMeans::default().run(&points).expect("groups");
        assert_eq!(groups.centres, [[1.0, 2.0]]);
    }
}
