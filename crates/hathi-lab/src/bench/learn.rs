//! What it costs to score turns and steps.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Duration;

use hathi_model::features::{Context, Past, Sum};
use hathi_model::models::Model;
use hathi_rules::{Position, TurnGenerator};
use hathi_view::numbers::{grouped, rounded};
use serde::Serialize;

use super::corpus::{About, Corpus};
use super::measure::measure;

/// The result, with stable keys.
#[derive(Debug, Serialize)]
pub struct Results {
    corpus: About,
    /// Positions whose turns were scored.
    positions: usize,
    turns_per_position: f64,
    /// Listing and scoring the turns of a position; the target is 10.
    ms_per_position: f64,
    /// Only listing them.
    listing_ms_per_position: f64,
    /// Positions whose steps were scored.
    step_positions: usize,
    steps_per_position: f64,
    /// Scoring a step; the target is 200.
    ns_per_step: f64,
}

impl Results {
    /// In words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "corpus: {}\n", self.corpus.text())?;
        writeln!(
            out,
            "turns   {:.2} ms a position (target: 40), {:.2} of them to list its {} turns",
            self.ms_per_position,
            self.listing_ms_per_position,
            grouped(self.turns_per_position.round() as usize)
        )?;
        writeln!(
            out,
            "steps   {:.0} ns a step (target: 200), {:.0} steps a position",
            self.ns_per_step, self.steps_per_position
        )
    }
}

/// Measures for about so many seconds.
pub fn run(corpus: Corpus, seconds: f64) -> anyhow::Result<Results> {
    let budget = |share: f64| Duration::from_secs_f64(seconds * share);
    let (turns, steps) = (Model::shipped()?, Model::shipped_steps()?);
    let past = Past::default();
    let mut generator = TurnGenerator::new();
    let mut scores = Vec::new();
    let scored = measure(&corpus.turn_positions, budget(0.4), |position| {
        turns.score_turns(position, &past, &mut generator, &mut scores);
        black_box(&scores).len() as u64
    });
    let listed = measure(&corpus.turn_positions, budget(0.3), |position| {
        let mut count = 0;
        for reached in generator.generate(position) {
            black_box(reached.board());
            count += 1;
        }
        count
    });
    // The search mixes weights once, at its root.
    let weights = match corpus.positions.get(corpus.positions.len() / 2) {
        Some(position) => steps.weights(position),
        None => anyhow::bail!("there are no positions to score steps of"),
    };
    let each = measure(&corpus.positions, budget(0.3), |position: &Position| {
        let context = Context::at_a_glance(position, &past);
        let mut count = 0;
        position.for_each_step(|step| {
            let mut sum = Sum::new(&weights);
            context.list_step(position, step, &mut sum);
            black_box(sum.total);
            count += 1;
        });
        count
    });
    Ok(Results {
        corpus: corpus.about,
        positions: scored.items,
        turns_per_position: rounded(scored.units as f64 / scored.items as f64, 1),
        ms_per_position: rounded(scored.nanoseconds_per_item() / 1e6, 3),
        listing_ms_per_position: rounded(listed.nanoseconds_per_item() / 1e6, 3),
        step_positions: each.items,
        steps_per_position: rounded(each.units as f64 / each.items as f64, 1),
        ns_per_step: rounded(1e9 / each.units_per_second(), 1),
    })
}
