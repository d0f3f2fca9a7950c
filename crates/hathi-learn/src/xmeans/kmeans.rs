//! K-means by hand: Lloyd's iteration from centres drawn as k-means++ does
//! (Arthur and Vassilvitskii, 2007). For some ten thousand points of a few
//! numbers each this is all that a library would do.

use super::bic::{Grouping, square_distance};

/// Centres that still move are moved on this often at most.
const MOST_ITERATIONS: usize = 300;
/// Centres that move no further than this, all together, have arrived.
const TOLERANCE: f64 = 1e-6;

/// The best of several runs, each from centres of its own: the one whose
/// points are nearest to their centres.
pub(super) fn k_means<const D: usize>(
    points: &[[f64; D]],
    count: usize,
    runs: usize,
    seed: u64,
) -> Vec<[f64; D]> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut run = || settle(points, spread(points, count, &mut random));
    let mut best = run();
    for _ in 1..runs {
        let other = run();
        if other.within() < best.within() {
            best = other;
        }
    }
    best.centres
}

/// Moves centres to the middle of the points nearest to them until they rest.
/// A centre that no point is nearest to stays where it is.
pub(super) fn settle<const D: usize>(points: &[[f64; D]], centres: Vec<[f64; D]>) -> Grouping<D> {
    let mut before = centres;
    let mut now = Grouping::of(points, before.clone());
    for _ in 1..MOST_ITERATIONS {
        let pairs = before.iter().zip(&now.centres);
        let moved: f64 = pairs.map(|(a, b)| square_distance(a, b)).sum();
        if moved <= TOLERANCE * TOLERANCE {
            break;
        }
        before = now.centres;
        now = Grouping::of(points, before.clone());
    }
    now
}

/// Points far from each other: the first by chance, each further one with a
/// chance that grows with the square of its distance to those already chosen.
fn spread<const D: usize>(
    points: &[[f64; D]],
    count: usize,
    random: &mut fastrand::Rng,
) -> Vec<[f64; D]> {
    let mut centres = Vec::with_capacity(count);
    let mut distances = vec![f64::INFINITY; points.len()];
    let mut next = random.usize(..points.len());
    loop {
        let centre = points[next];
        centres.push(centre);
        if centres.len() == count {
            return centres;
        }
        for (distance, point) in distances.iter_mut().zip(points) {
            *distance = distance.min(square_distance(point, &centre));
        }
        next = drawn_by_weight(&distances, random);
    }
}

/// A place in the list, with a chance by its weight; any one if none has any.
fn drawn_by_weight(weights: &[f64], random: &mut fastrand::Rng) -> usize {
    let total: f64 = weights.iter().sum();
    let mut left = random.f64() * total;
    let mut drawn = None;
    for (place, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            drawn = Some(place);
            if left < weight {
                break;
            }
            left -= weight;
        }
    }
    drawn.unwrap_or_else(|| random.usize(..weights.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centres_rest_in_the_middle_of_their_points() {
        let points = [[-1.0], [1.0], [9.0], [11.0]];
        let settled = settle(&points, vec![[1.0], [2.0]]);
        assert_eq!(settled.centres, [[0.0], [10.0]]);
        assert_eq!(settled.sizes, [2, 2]);
        for seed in 0..20 {
            let mut centres = k_means(&points, 2, 3, seed);
            centres.sort_by(|a, b| a[0].total_cmp(&b[0]));
            assert_eq!(centres, [[0.0], [10.0]], "seed {seed}");
        }
    }

    #[test]
    fn a_centre_without_points_stays() {
        let settled = settle(&[[0.0], [1.0]], vec![[0.5], [9.0]]);
        assert_eq!(settled.centres, [[0.5], [9.0]]);
        assert_eq!(settled.sizes, [2, 0]);
    }

    #[test]
    fn chances_go_by_weight() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut drawn = [0_u32; 4];
        for _ in 0..4000 {
            drawn[drawn_by_weight(&[0.0, 1.0, 0.0, 3.0], &mut random)] += 1;
        }
        assert_eq!((drawn[0], drawn[2]), (0, 0));
        assert!((900..1100).contains(&drawn[1]), "{drawn:?}");
        // Points that all lie on centres already: any one will do.
        let mut any = [false; 3];
        for _ in 0..100 {
            any[drawn_by_weight(&[0.0; 3], &mut random)] = true;
        }
        assert_eq!(any, [true; 3]);
    }
}
