//! How near a match comes to all that the thesis says: its win rate and its hit
//! rates by move number.

use serde::Serialize;

use super::super::matches::Match;
use super::super::thesis;

/// Differences to the thesis, in percentage points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Fit {
    /// Of the win rate from 65 %.
    pub(super) wins: f64,
    /// Of the hit rates of full, half, area and area by piece, counting any
    /// result: the mean over his ten rows, those without moves left out.
    pub(super) hits: [f64; 4],
    /// All five together: the root of the mean of their squares.
    pub(super) distance: f64,
}

impl Fit {
    pub(super) fn of(played: &Match) -> Fit {
        let wins = 100.0 * played.rate.value - 100.0 * super::HIS_RATE;
        let rows: Vec<_> = played
            .bins
            .rows
            .iter()
            .zip(&thesis::HITS)
            .filter(|(bin, _)| bin.moves > 0)
            .collect();
        let hits = [0, 1, 2, 3].map(|level: usize| {
            let differences = rows
                .iter()
                .map(|(bin, his)| 100.0 * bin.share(bin.found[level]) - his.levels[level]);
            differences.sum::<f64>() / rows.len().max(1) as f64
        });
        Fit {
            wins,
            hits,
            distance: root_mean_square(&[wins, hits[0], hits[1], hits[2], hits[3]]),
        }
    }
}

fn root_mean_square(values: &[f64]) -> f64 {
    let squares: f64 = values.iter().map(|value| value * value).sum();
    (squares / values.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_grows_with_every_difference() {
        let at = |values: &[f64]| root_mean_square(values);
        assert!(at(&[0.0; 5]).abs() < 1e-12);
        assert!((at(&[3.0, 4.0, 0.0, 0.0, 0.0]) - 5f64.sqrt()).abs() < 1e-12);
        assert!((at(&[-10.0; 5]) - 10.0).abs() < 1e-12);
    }
}
