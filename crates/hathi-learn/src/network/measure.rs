//! How well a network agrees with scores given by others.

use hathi_model::network::{Accumulator, Network};
use hathi_rules::{Board, Side};

use super::lesson::{Lesson, chance_of};

/// How a network compares with scores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Positions compared.
    pub positions: usize,
    /// Mean squared difference of the chances to win.
    pub error: f64,
    /// The same for a network that knows only the average.
    pub spread: f64,
    /// Spearman's rank correlation.
    pub rank_correlation: f64,
}

/// Compares a network, as it plays, with the scores of lessons. What being on
/// move is worth is in the scores and not in the network, so the mean difference is taken off.
pub fn agreement(network: &Network, lessons: &[Lesson]) -> Agreement {
    let mut pairs: Vec<(i32, f32)> = Vec::with_capacity(lessons.len());
    for lesson in lessons {
        if let Ok(board) = Board::try_from(lesson.board) {
            let worth = Accumulator::new(network, &board).worth(network, Side::Gold, lesson.left);
            pairs.push((worth, lesson.chance));
        }
    }
    let count = pairs.len().max(1) as f64;
    let mean = pairs.iter().map(|pair| f64::from(pair.1)).sum::<f64>() / count;
    let tempo = best_tempo(&pairs);
    let mut agreement = Agreement {
        positions: pairs.len(),
        ..Agreement::default()
    };
    for &(worth, chance) in &pairs {
        let seen = chance_of(worth + tempo);
        agreement.error += f64::from((seen - chance).powi(2)) / count;
        agreement.spread += (f64::from(chance) - mean).powi(2) / count;
    }
    let worths: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.0)).collect();
    let chances: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.1)).collect();
    agreement.rank_correlation = correlation(&ranks(&worths), &ranks(&chances));
    agreement
}

/// What to add to every score so that the error is least, to ten hundredths.
fn best_tempo(pairs: &[(i32, f32)]) -> i32 {
    let error = |tempo: i32| -> f64 {
        let some = pairs.iter().step_by((pairs.len() / 20_000).max(1));
        some.map(|&(worth, chance)| f64::from((chance_of(worth + tempo) - chance).powi(2)))
            .sum()
    };
    let mut candidates: Vec<i32> = (-20..=20).map(|tenth| 10 * tenth).collect();
    candidates.sort_by(|&a, &b| error(a).total_cmp(&error(b)));
    candidates.first().copied().unwrap_or(0)
}

/// The place of each number among all; equal ones share theirs.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut place = 0;
    while place < order.len() {
        let mut end = place + 1;
        while end < order.len()
            && numbers[order[end]]
                .total_cmp(&numbers[order[place]])
                .is_eq()
        {
            end += 1;
        }
        let shared = (place + end - 1) as f64 / 2.0;
        for &index in &order[place..end] {
            ranks[index] = shared;
        }
        place = end;
    }
    ranks
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let count = a.len().max(1) as f64;
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / count;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut both, mut own, mut other) = (0.0, 0.0, 0.0);
    for (&a, &b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        both += a * b;
        own += a * a;
        other += b * b;
    }
    if own == 0.0 || other == 0.0 {
        return 0.0;
    }
    both / (own * other).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shared_by_equals() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
    }

    #[test]
    fn correlation_is_one_for_the_same_order_and_minus_one_for_the_opposite() {
        let up = ranks(&[1.0, 5.0, 9.0]);
        let bent = ranks(&[2.0, 3.0, 400.0]);
        assert!((correlation(&up, &bent) - 1.0).abs() < 1e-12);
        let down = ranks(&[9.0, 5.0, 1.0]);
        assert!((correlation(&up, &down) + 1.0).abs() < 1e-12);
        assert!(correlation(&[], &[]).abs() < 1e-12);
    }
}
