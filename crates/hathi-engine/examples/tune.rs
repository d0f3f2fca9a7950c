//! Tunes the weights of the evaluation on the results of games: logistic
//! regression, held near the weights it starts from. Prints a weight file.
//!
//! ```text
//! cargo run --release -p hathi-engine --example tune -- ARCHIVE... > weights.txt
//! ```
//!
//! Every tenth game is held out; the loss on those is what counts. Progress
//! goes to stderr. No part of it is random.

mod tuning;

use hathi_engine::{TERMS, Weights, trace};
use tuning::{Plan, Sample, best_scale, quiet_positions, tune};

const PLAN: Plan = Plan {
    hold: 2e-7,
    rounds: 400,
    rate: 0.6,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        return Err("usage: tune ARCHIVE... > weights.txt".into());
    }
    let (training, held_out) = quiet_positions(&files, |position, gold_won| {
        let (material, terms) = trace(position.board());
        let terms = terms.into_iter();
        Sample {
            fixed: f64::from(material),
            terms: terms.map(|(term, n)| (term, f64::from(n))).collect(),
            gold_won,
        }
    })?;
    let start: Vec<f64> = (0..TERMS)
        .map(|term| f64::from(Weights::by_hand().get(term)))
        .collect();
    let scale = best_scale(&training, &start);
    eprintln!("scale {scale:.5}");
    let weights = tune(&training, &held_out, &start, scale, &PLAN);
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
