//! Tunes how much each theme of the evaluation counts in each phase of the
//! game, on the results of games. Prints a file for the option `tweaks`.
//!
//! ```text
//! cargo run --release -p hathi-learn --example tune_phases -- [HOLD] ARCHIVE... > smooth.txt
//! ```
//!
//! The weights of `fairy` stay, and so does the share of each theme over all
//! phases together: positions of games say little about what material is worth
//! beside the rest, so only how a theme rises and falls with the
//! phase is sought, blended by the chances of the phases as the engine blends
//! them. It is held near "no change", HOLD (such as 1e-6) saying how strongly.
//! Every tenth game is held out; the loss on those is what counts. Progress goes
//! to stderr. No part of it is random.

mod regression;

use hathi_engine::{KNOBS, Tweaks, Weights, knobs};
use hathi_model::phase::{Phase, PhaseFeatures};
use regression::{Plan, Sample, best_scale, loss, quiet_positions, tune};

/// Shares are in per cent, so a change by ten is little.
const PLAN: Plan = Plan {
    hold: 1e-6,
    rounds: 400,
    rate: 0.5,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut plan = PLAN;
    if let Some(hold) = files.first().and_then(|first| first.parse().ok()) {
        plan.hold = hold;
        files.remove(0);
    }
    if files.is_empty() {
        return Err("usage: tune_phases [HOLD] ARCHIVE... > smooth.txt".into());
    }
    let weights = Weights::shipped();
    let none = Tweaks::none();
    // What a theme counts without any change: all or, for those that the
    // paper adds, nothing.
    let usual = |knob: usize| f64::from(none.get(knob, Phase::Middle)) / 100.0;
    let (mut training, mut held_out) = quiet_positions(&files, |position, gold_won| {
        let values = knobs(&weights, position.board());
        let chances = PhaseFeatures::without_goals(position).probabilities();
        let mut sample = Sample {
            fixed: 0.0,
            terms: Vec::new(),
            gold_won,
        };
        for (knob, value) in values.into_iter().enumerate() {
            let value = f64::from(value);
            sample.fixed += usual(knob) * value;
            for phase in Phase::ALL {
                let part = chances.of(phase) * value / 100.0;
                sample.terms.push((place(knob, phase), part));
            }
            // Remembered until the mean chances are known.
            sample.terms.push((3 * KNOBS + knob, value / 100.0));
        }
        for phase in Phase::ALL {
            sample
                .terms
                .push((4 * KNOBS + phase.index(), chances.of(phase)));
        }
        sample
    })?;
    let means = mean_chances(&training);
    eprintln!("mean chances of opening, middle, end: {means:.3?}");
    for sample in training.iter_mut().chain(&mut held_out) {
        centre(sample, means);
    }
    let start = vec![0.0; 3 * KNOBS];
    let scale = best_scale(&training, &start);
    eprintln!("scale {scale:.5}");
    let tuned = tune(&training, &held_out, &start, scale, &plan);
    let mut tweaks = Tweaks::none();
    for knob in 0..KNOBS {
        let change = |phase| tuned[place(knob, phase)];
        let mean: f64 = Phase::ALL
            .map(|p| means[p.index()] * change(p))
            .iter()
            .sum();
        for phase in Phase::ALL {
            let share = 100.0 * usual(knob) + change(phase) - mean;
            tweaks.set(knob, phase, share.round() as i16);
        }
    }
    println!("# Shares of the themes of the evaluation in per cent: opening, middle, end game.");
    println!(
        "# Made by the example tune_phases, held by {:e}, from {} positions; on {} held out\n\
         # the loss fell from {:.5} to {:.5}.",
        plan.hold,
        training.len(),
        held_out.len(),
        loss(&held_out, &start, scale),
        loss(&held_out, &tuned, scale),
    );
    print!("{tweaks}");
    eprintln!(
        "on those held out the shares that are shipped have a loss of {:.5}",
        loss(&held_out, &changes(&Tweaks::shipped()), scale)
    );
    Ok(())
}

/// Shares as what is tuned: changes against none.
fn changes(tweaks: &Tweaks) -> Vec<f64> {
    let none = Tweaks::none();
    let mut changes = vec![0.0; 3 * KNOBS];
    for knob in 0..KNOBS {
        for phase in Phase::ALL {
            let change = tweaks.get(knob, phase) - none.get(knob, phase);
            changes[place(knob, phase)] = f64::from(change);
        }
    }
    changes
}

fn place(knob: usize, phase: Phase) -> usize {
    3 * knob + phase.index()
}

fn mean_chances(samples: &[Sample]) -> [f64; 3] {
    let mut means = [0.0; 3];
    for sample in samples {
        for &(term, chance) in &sample.terms[sample.terms.len() - 3..] {
            means[term - 4 * KNOBS] += chance / samples.len() as f64;
        }
    }
    means
}

/// Takes the mean chances off, so that only the rise and fall is left.
fn centre(sample: &mut Sample, means: [f64; 3]) {
    let mut values = [0.0; KNOBS];
    sample.terms.retain(|&(term, value)| {
        if let Some(knob) = term.checked_sub(3 * KNOBS).filter(|&knob| knob < KNOBS) {
            values[knob] = value;
        }
        term < 3 * KNOBS
    });
    for (term, part) in &mut sample.terms {
        *part -= means[*term % 3] * values[*term / 3];
    }
}
