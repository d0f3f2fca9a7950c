//! Tunes the weights of the evaluation on the results of games: logistic
//! regression, held near the weights it starts from. Prints a weight file.
//!
//! ```text
//! cargo run --release -p hathi-engine --example tune -- ARCHIVE... > weights.txt
//! ```
//!
//! Every tenth game is held out; the loss on those is what counts. Progress
//! goes to stderr. No part of it is random.

use std::ops::ControlFlow;

use hathi_archive::{ArchiveReader, Replayer};
use hathi_engine::{TERMS, Weights, trace};
use hathi_rules::Side;

/// A quiet position: what the evaluation sees, and who won.
struct Sample {
    material: f64,
    terms: Vec<(usize, f64)>,
    gold_won: f64,
}

/// How strongly weights are held near where they start.
const HOLD: f64 = 2e-7;
const ROUNDS: u32 = 400;
const RATE: f64 = 0.6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        return Err("usage: tune ARCHIVE... > weights.txt".into());
    }
    let (training, held_out) = samples(&files)?;
    eprintln!(
        "{} positions to train, {} held out",
        training.len(),
        held_out.len()
    );
    let start: Vec<f64> = (0..TERMS)
        .map(|term| f64::from(Weights::by_hand().get(term)))
        .collect();
    let scale = best_scale(&training, &start);
    eprintln!("scale {scale:.5}");
    let mut weights = start.clone();
    let (mut first, mut second) = (vec![0.0; TERMS], vec![0.0; TERMS]);
    for round in 1..=ROUNDS {
        let gradient = gradient(&training, &weights, &start, scale);
        for term in 0..TERMS {
            // Adam, on the whole set at once.
            first[term] = 0.9 * first[term] + 0.1 * gradient[term];
            second[term] = 0.999 * second[term] + 0.001 * gradient[term] * gradient[term];
            let mean = first[term] / (1.0 - 0.9f64.powi(round.cast_signed()));
            let spread = second[term] / (1.0 - 0.999f64.powi(round.cast_signed()));
            weights[term] -= RATE * mean / (spread.sqrt() + 1e-12);
        }
        if round % 50 == 0 || round == 1 {
            eprintln!(
                "round {round}: loss {:.5}, held out {:.5}",
                loss(&training, &weights, scale),
                loss(&held_out, &weights, scale)
            );
        }
    }
    let mut tuned = Weights::by_hand();
    for (term, weight) in weights.iter().enumerate() {
        tuned.set(term, weight.round() as i16);
    }
    println!("# Weights of the terms in src/evaluation/terms.rs, in hundredths of a rabbit.");
    println!(
        "# Made by examples/tune.rs from {} positions.",
        training.len()
    );
    print!("{tuned}");
    Ok(())
}

fn samples(files: &[String]) -> Result<(Vec<Sample>, Vec<Sample>), Box<dyn std::error::Error>> {
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
        let positions = replayed.game.positions();
        for position in positions.iter().skip(4) {
            let quiet = position.can_goal().is_none()
                && position.end_turn().can_goal().is_none()
                && !position.can_capture();
            if quiet {
                let (material, terms) = trace(position.board());
                into.push(Sample {
                    material: f64::from(material),
                    terms: terms
                        .into_iter()
                        .map(|(term, count)| (term, f64::from(count)))
                        .collect(),
                    gold_won: f64::from(u8::from(winner == Side::Gold)),
                });
            }
        }
        ControlFlow::Continue(())
    });
    Ok(samples)
}

fn value(sample: &Sample, weights: &[f64]) -> f64 {
    let terms = sample
        .terms
        .iter()
        .map(|&(term, count)| weights[term] * count);
    sample.material + terms.sum::<f64>()
}

fn chance(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-scale * value).exp())
}

fn loss(samples: &[Sample], weights: &[f64], scale: f64) -> f64 {
    let one = |sample: &Sample| {
        let chance = chance(value(sample, weights), scale).clamp(1e-9, 1.0 - 1e-9);
        -(sample.gold_won * chance.ln() + (1.0 - sample.gold_won) * (1.0 - chance).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

fn gradient(samples: &[Sample], weights: &[f64], start: &[f64], scale: f64) -> Vec<f64> {
    let mut gradient = vec![0.0; weights.len()];
    for sample in samples {
        let error = chance(value(sample, weights), scale) - sample.gold_won;
        for &(term, count) in &sample.terms {
            gradient[term] += error * count;
        }
    }
    for ((slope, weight), start) in gradient.iter_mut().zip(weights).zip(start) {
        *slope = scale * *slope / samples.len().max(1) as f64 + 2.0 * HOLD * (weight - start);
    }
    gradient
}

/// The scale between rabbits and chances that fits best, by trying.
fn best_scale(samples: &[Sample], weights: &[f64]) -> f64 {
    let scales = (1..60).map(|i| f64::from(i) * 0.0002);
    scales
        .min_by(|a, b| loss(samples, weights, *a).total_cmp(&loss(samples, weights, *b)))
        .unwrap_or(0.003)
}
