//! The rules: turns, steps, goals, captures, replay.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Duration;

use hathi_rules::{Position, Replay, RuleSet, TurnGenerator};
use hathi_view::numbers::grouped;
use serde::Serialize;

use super::corpus::{About, Corpus};
use super::measure::{Timing, measure};

/// What came out, each measure beside its target.
#[derive(Debug, Serialize)]
pub struct Results {
    corpus: About,
    measures: Vec<Measure>,
}

#[derive(Debug, Serialize)]
struct Measure {
    name: &'static str,
    value: f64,
    unit: &'static str,
    target: Option<f64>,
    /// Higher is better, or lower.
    better: Better,
    /// How many items were measured, of how many.
    items: usize,
    of: usize,
    detail: Option<Detail>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Better {
    Higher,
    Lower,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Detail {
    /// The share of items with a positive answer.
    YesShare(f64),
    TurnsPerSecond(f64),
}

/// Measures for about so many seconds; `progress` is told what.
pub fn run(corpus: Corpus, seconds: f64, progress: &dyn Fn(&str)) -> Results {
    Results {
        measures: measure_all(&corpus, seconds, progress),
        corpus: corpus.about,
    }
}

fn measure_all(corpus: &Corpus, seconds: f64, progress: &dyn Fn(&str)) -> Vec<Measure> {
    let budget = |share: f64| Duration::from_secs_f64(seconds * share);
    let mut generator = TurnGenerator::new();
    progress("distinct turns");
    // Listing turns takes longest, so it gets the largest share.
    let turns = measure(&corpus.turn_positions, budget(0.4), |position| {
        black_box(generator.count(position)) as u64
    });

    progress("single steps");
    let steps = measure(&corpus.positions, budget(0.15), |position| {
        walk(&mut position.clone(), 2)
    });

    progress("can goal");
    let goals = measure(&corpus.positions, budget(0.15), |position| {
        black_box(position.can_goal()).is_some().into()
    });

    progress("captures");
    let captures = measure(&corpus.positions, budget(0.15), |position| {
        (!black_box(position.capture_threats()).is_empty()).into()
    });

    progress("replay");
    let mut replay = Replay::new(RuleSet::Modern);
    let games = measure(&corpus.games, budget(0.15), |(movelist, rules)| {
        // A broken game is replayed up to where it breaks.
        let _ = black_box(replay.read(movelist, *rules));
        replay.game.turns().len() as u64
    });

    let positions = corpus.positions.len();
    vec![
        Measure {
            name: "distinct turns",
            value: turns.units_per_second(),
            unit: "positions/s",
            target: Some(4e6),
            better: Better::Higher,
            items: turns.items,
            of: corpus.turn_positions.len(),
            detail: None,
        },
        Measure {
            name: "single steps",
            value: steps.units_per_second(),
            unit: "steps/s",
            target: Some(50e6),
            better: Better::Higher,
            items: steps.items,
            of: positions,
            detail: None,
        },
        yes_or_no("can goal", goals, positions, Some(1000.0)),
        yes_or_no("captures", captures, positions, None),
        Measure {
            name: "replay",
            value: games.items_per_second(),
            unit: "games/s",
            target: Some(60e3),
            better: Better::Higher,
            items: games.items,
            of: corpus.games.len(),
            detail: Some(Detail::TurnsPerSecond(games.units_per_second())),
        },
    ]
}

/// A question asked of every position; the units are the times it was
/// answered with yes.
fn yes_or_no(name: &'static str, timing: Timing, of: usize, target: Option<f64>) -> Measure {
    Measure {
        name,
        value: timing.nanoseconds_per_item(),
        unit: "ns",
        target,
        better: Better::Lower,
        items: timing.items,
        of,
        detail: Some(Detail::YesShare(timing.units as f64 / timing.items as f64)),
    }
}

/// Generates, takes and takes back every step, `depth` steps deep in the same
/// turn. Returns how many there were.
fn walk(position: &mut Position, depth: u32) -> u64 {
    let mut steps = 0;
    // A copy generates while the original moves on and comes back.
    let here = *position;
    here.for_each_step(|step| {
        let undo = position.apply(step);
        steps += 1;
        if depth > 1 {
            steps += walk(position, depth - 1);
        } else {
            black_box(&*position);
        }
        position.undo(undo);
    });
    steps
}

impl Results {
    /// In words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "corpus: {}\n", self.corpus.text())?;
        writeln!(
            out,
            "{:<15} {:>20}   {:<18} over",
            "measure", "result", "target"
        )?;
        for measure in &self.measures {
            let target = match measure.target {
                None => "-".to_owned(),
                Some(target) => {
                    let sign = if measure.better == Better::Lower {
                        "< "
                    } else {
                        ""
                    };
                    format!("{sign}{}", amount(target, measure.unit))
                }
            };
            let result = amount(measure.value, measure.unit);
            let over = measure.over();
            writeln!(
                out,
                "{:<15} {result:>20}   {target:<18} {over}",
                measure.name
            )?;
        }
        Ok(())
    }
}

impl Measure {
    /// What was measured, and what came out beside the speed.
    fn over(&self) -> String {
        let what = if self.unit == "games/s" {
            "games"
        } else {
            "positions"
        };
        let of = if self.items == self.of {
            String::new()
        } else {
            format!(" of {}", grouped(self.of))
        };
        let detail = match self.detail {
            None => String::new(),
            Some(Detail::YesShare(share)) => format!(", {:.1} % yes", share * 100.0),
            Some(Detail::TurnsPerSecond(turns)) => format!(", {}", amount(turns, "turns/s")),
        };
        format!("{}{of} {what}{detail}", grouped(self.items))
    }
}

/// `4.12 M positions/s`, `61,200 games/s`, `812 ns`.
fn amount(value: f64, unit: &str) -> String {
    if value >= 1e6 && unit != "ns" {
        let millions = value / 1e6;
        let decimals = if millions.fract() == 0.0 { 0 } else { 2 };
        format!("{millions:.decimals$} M {unit}")
    } else {
        format!("{} {unit}", grouped(value.round() as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        assert_eq!(amount(4e6, "positions/s"), "4 M positions/s");
        assert_eq!(amount(4_123_456.0, "positions/s"), "4.12 M positions/s");
        assert_eq!(amount(61_234.5, "games/s"), "61,235 games/s");
        assert_eq!(amount(812.2, "ns"), "812 ns");
    }

    #[test]
    fn walking_counts_every_step_once() {
        // A lone elephant in the corner: two steps, then three or two of them
        // (back to the corner, or on).
        let text = format!("g [{}E{}]", ".".repeat(56), ".".repeat(7));
        let mut position: Position = text.parse().expect("a position");
        let before = position;
        assert_eq!(walk(&mut position, 1), 2);
        assert_eq!(walk(&mut position, 2), 2 + 6);
        assert_eq!(position, before);
    }
}
