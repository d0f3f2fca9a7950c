//! Ratings of many players from all their games: the Bradley-Terry model by
//! maximum likelihood.

use crate::stats::{Elo, Score, Z95};

/// Elo of one unit of the logistic scale.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Virtual games each player has drawn with an average one, so that nobody's
/// rating runs off to infinity.
const PRIOR_GAMES: f64 = 1.0;

/// Ratings with 95 % intervals; the average is 0. `scores[a][b]` is how `a`
/// fared against `b`; only `a < b` is looked at.
pub fn ratings(scores: &[Vec<Score>]) -> Vec<Elo> {
    let players = scores.len();
    let mut strength = vec![0.0; players];
    // Newton's method; the likelihood is concave, so it converges quickly.
    // Steps are kept short at first, when it is far off.
    for _ in 0..200 {
        let (gradient, hessian) = slope(scores, &strength);
        let Some(inverse) = inverse(hessian) else {
            break;
        };
        let mut largest: f64 = 0.0;
        for (row, own) in inverse.iter().zip(&mut strength) {
            let step: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            let step = step.clamp(-1.0, 1.0);
            *own += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-10 {
            break;
        }
    }
    let average = strength.iter().sum::<f64>() / players.max(1) as f64;
    let (_, hessian) = slope(scores, &strength);
    let spread = dispersion(scores, &strength).sqrt();
    let covariance = inverse(hessian).unwrap_or_else(|| vec![vec![1.0; players]; players]);
    // Only differences can be known. What all ratings share, and the prior alone
    // holds in its place, is taken out: the error is that of the difference
    // from the average.
    let mean = |row: &Vec<f64>| row.iter().sum::<f64>() / players as f64;
    let means: Vec<f64> = covariance.iter().map(mean).collect();
    let shared = mean(&means);
    strength
        .iter()
        .enumerate()
        .map(|(i, own)| {
            let value = SCALE * (own - average);
            let variance = covariance[i][i] - 2.0 * means[i] + shared;
            let margin = Z95 * SCALE * variance.max(0.0).sqrt() * spread;
            Elo {
                value,
                low: value - margin,
                high: value + margin,
            }
        })
        .collect()
}

fn win_chance(own: f64, other: f64) -> f64 {
    1.0 / (1.0 + (other - own).exp())
}

fn pairings(scores: &[Vec<Score>]) -> impl Iterator<Item = (usize, usize, &Score)> {
    scores.iter().enumerate().flat_map(|(a, row)| {
        row.iter()
            .enumerate()
            .skip(a + 1)
            .map(move |(b, score)| (a, b, score))
    })
}

/// Gradient of the log-likelihood and its negated second derivative.
fn slope(scores: &[Vec<Score>], strength: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = strength.len();
    let mut gradient = vec![0.0; players];
    let mut hessian = vec![vec![0.0; players]; players];
    for (a, b, score) in pairings(scores) {
        let games = score.games() as f64;
        let chance = win_chance(strength[a], strength[b]);
        let surplus = score.wins() as f64 - games * chance;
        gradient[a] += surplus;
        gradient[b] -= surplus;
        let weight = games * chance * (1.0 - chance);
        hessian[a][a] += weight;
        hessian[b][b] += weight;
        hessian[a][b] -= weight;
        hessian[b][a] -= weight;
    }
    for i in 0..players {
        let chance = win_chance(strength[i], 0.0);
        gradient[i] += PRIOR_GAMES * (0.5 - chance);
        hessian[i][i] += PRIOR_GAMES * chance * (1.0 - chance);
    }
    (gradient, hessian)
}

/// How much more, or less, pairs of games vary than games on their own would.
fn dispersion(scores: &[Vec<Score>], strength: &[f64]) -> f64 {
    let (mut seen, mut expected) = (1.0, 1.0);
    for (a, b, score) in pairings(scores) {
        let chance = win_chance(strength[a], strength[b]);
        for (won, count) in score.pairs.iter().enumerate() {
            let count = *count as f64;
            seen += count * (won as f64 - 2.0 * chance).powi(2);
            expected += count * 2.0 * chance * (1.0 - chance);
        }
    }
    (seen / expected).clamp(0.25, 4.0)
}

/// Gauss-Jordan; a handful of players makes a small matrix.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| f64::from(i == j)));
    }
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-300 {
            return None;
        }
        matrix.swap(column, pivot);
        let divisor = matrix[column][column];
        matrix[column].iter_mut().for_each(|cell| *cell /= divisor);
        let own = matrix[column].clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            if i != column {
                let factor = row[column];
                for (cell, own) in row.iter_mut().zip(&own) {
                    *cell -= factor * own;
                }
            }
        }
    }
    Some(
        matrix
            .into_iter()
            .map(|mut row| row.split_off(size))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::elo_of;

    fn table(players: usize, results: &[(usize, usize, u64, u64)]) -> Vec<Vec<Score>> {
        let mut scores = vec![vec![Score::default(); players]; players];
        for &(a, b, wins, losses) in results {
            scores[a][b] = Score::of_games(wins, losses);
        }
        scores
    }

    #[test]
    fn two_players_differ_as_their_score_says() {
        let elo = ratings(&table(2, &[(0, 1, 7500, 2500)]));
        assert!((elo[0].value - elo[1].value - elo_of(0.75)).abs() < 0.2);
        assert!((elo[0].value + elo[1].value).abs() < 1e-6);
    }

    #[test]
    fn errors_are_those_of_differences() {
        // Of 10,000 games at 3 : 1 the difference is known to 1.96 * 4.0 Elo, half
        // of it for each.
        let elo = ratings(&table(2, &[(0, 1, 7500, 2500)]));
        for elo in elo {
            let margin = elo.high - elo.value;
            assert!((1.5..6.0).contains(&margin), "{margin}");
        }
        // Whoever is far from all others is known less well.
        let far = [(0, 1, 50, 50), (0, 2, 100, 0), (1, 2, 99, 1)];
        let elo = ratings(&table(3, &far));
        assert!(elo[2].high - elo[2].value > elo[0].high - elo[0].value);
        assert!(elo[2].high - elo[2].value < 400.0, "{elo:?}");
    }

    #[test]
    fn three_in_a_row_add_up() {
        let elo = ratings(&table(3, &[(0, 1, 7500, 2500), (1, 2, 7500, 2500)]));
        let apart = elo[0].value - elo[2].value;
        assert!((apart - 2.0 * elo_of(0.75)).abs() < 1.0, "{apart}");
    }

    #[test]
    fn nobody_runs_off_to_infinity() {
        for games in [0, 1, 10, 100_000] {
            let elo = ratings(&table(3, &[(0, 1, games, 0), (0, 2, games, 0)]));
            for elo in &elo {
                assert!(elo.low.is_finite() && elo.high.is_finite());
                assert!(elo.value.abs() < 5000.0, "{elo:?}");
            }
            assert!(games == 0 || elo[0].value > elo[1].value);
        }
        assert!(ratings(&[]).is_empty());
    }
}
