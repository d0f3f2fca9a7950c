//! Logistic regression on the results of games.
#![allow(missing_docs, unreachable_pub)] // not a library

use std::ops::ControlFlow;

use hathi_archive::{ArchiveReader, Replayer};
use hathi_rules::{Position, Side};

/// A quiet position: what does not change, what has a weight, and who won.
pub struct Sample {
    pub fixed: f64,
    pub terms: Vec<(usize, f64)>,
    pub gold_won: f64,
}

/// How tuning goes.
pub struct Plan {
    /// How strongly weights are held near where they start.
    pub hold: f64,
    pub rounds: i32,
    pub rate: f64,
}

/// The quiet positions of games with a winner: those to train on, and those of
/// every tenth game, held out.
pub fn quiet_positions(
    files: &[String],
    mut sample: impl FnMut(&Position, f64) -> Sample,
) -> Result<(Vec<Sample>, Vec<Sample>), Box<dyn std::error::Error>> {
    let mut samples = (Vec::new(), Vec::new());
    let mut replayer = Replayer::new();
    let mut games = 0;
    let _ = ArchiveReader::open(files)?.for_each(|row| {
        let Ok(row) = row else {
            return ControlFlow::<()>::Continue(());
        };
        let recorded = row.recorded();
        let replayed = replayer.replay(&row);
        let Some(winner) = replayed
            .outcome
            .or(recorded)
            .and_then(|outcome| outcome.winner)
        else {
            return ControlFlow::Continue(());
        };
        games += 1;
        let into = if games % 10 == 0 {
            &mut samples.1
        } else {
            &mut samples.0
        };
        let gold_won = f64::from(u8::from(winner == Side::Gold));
        for position in replayed.game.positions().iter().skip(4) {
            let quiet = position.can_goal().is_none()
                && position.end_turn().can_goal().is_none()
                && !position.can_capture();
            if quiet {
                into.push(sample(position, gold_won));
            }
        }
        ControlFlow::Continue(())
    });
    eprintln!(
        "{} positions to train, {} held out",
        samples.0.len(),
        samples.1.len()
    );
    Ok(samples)
}

/// The weights that fit best, found with Adam on the whole set at once. No
/// part of it is random.
pub fn tune(
    training: &[Sample],
    held_out: &[Sample],
    start: &[f64],
    scale: f64,
    plan: &Plan,
) -> Vec<f64> {
    let mut weights = start.to_vec();
    let (mut first, mut second) = (vec![0.0; start.len()], vec![0.0; start.len()]);
    for round in 1..=plan.rounds {
        let gradient = gradient(training, &weights, start, scale, plan.hold);
        for (term, slope) in gradient.into_iter().enumerate() {
            first[term] = 0.9 * first[term] + 0.1 * slope;
            second[term] = 0.999 * second[term] + 0.001 * slope * slope;
            let mean = first[term] / (1.0 - 0.9f64.powi(round));
            let spread = second[term] / (1.0 - 0.999f64.powi(round));
            weights[term] -= plan.rate * mean / (spread.sqrt() + 1e-12);
        }
        if round % 50 == 0 || round == 1 {
            eprintln!(
                "round {round}: loss {:.5}, held out {:.5}",
                loss(training, &weights, scale),
                loss(held_out, &weights, scale)
            );
        }
    }
    weights
}

fn value(sample: &Sample, weights: &[f64]) -> f64 {
    let terms = sample
        .terms
        .iter()
        .map(|&(term, count)| weights[term] * count);
    sample.fixed + terms.sum::<f64>()
}

fn chance(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-scale * value).exp())
}

pub fn loss(samples: &[Sample], weights: &[f64], scale: f64) -> f64 {
    let one = |sample: &Sample| {
        let chance = chance(value(sample, weights), scale).clamp(1e-9, 1.0 - 1e-9);
        -(sample.gold_won * chance.ln() + (1.0 - sample.gold_won) * (1.0 - chance).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

fn gradient(samples: &[Sample], weights: &[f64], start: &[f64], scale: f64, hold: f64) -> Vec<f64> {
    let mut gradient = vec![0.0; weights.len()];
    for sample in samples {
        let error = chance(value(sample, weights), scale) - sample.gold_won;
        for &(term, count) in &sample.terms {
            gradient[term] += error * count;
        }
    }
    for ((slope, weight), start) in gradient.iter_mut().zip(weights).zip(start) {
        *slope = scale * *slope / samples.len().max(1) as f64 + 2.0 * hold * (weight - start);
    }
    gradient
}

/// The scale between rabbits and chances that fits best, by trying.
pub fn best_scale(samples: &[Sample], weights: &[f64]) -> f64 {
    let scales = (1..60).map(|i| f64::from(i) * 0.0002);
    scales
        .min_by(|a, b| loss(samples, weights, *a).total_cmp(&loss(samples, weights, *b)))
        .unwrap_or(0.003)
}
