//! `hathi bench rules`: turns, steps, goals, captures, replay.

use std::hint::black_box;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use hathi_rules::{Position, Replay, RuleSet, TurnGenerator};
use serde::Serialize;

use super::corpus::{About, Corpus};
use super::measure::{Timing, measure};
use crate::Answer;
use crate::output::{self, grouped};

/// Measure the rules: turns, steps, goals, captures, replay
///
/// Five measures, each beside its target:
/// distinct turns: positions reached per second, as `hathi turns` finds them;
/// single steps: steps generated, taken and taken back per second, two deep;
/// can goal: average time to answer, in positions of games;
/// captures: the same for all captures of a turn;
/// replay: games per second, read from memory with every move checked.
///
/// With --data the positions and games are those of a directory that holds `turn-counts.tsv` and
/// archives `allgames*.txt`. Without, games are made on the fly, always the same ones.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Args {
    /// A directory with turn-counts.tsv and allgames*.txt
    #[arg(long, value_name = "DIR", env = "HATHI_DATA")]
    data: Option<PathBuf>,

    /// About how long to measure, in all
    #[arg(long, value_name = "S", default_value = "20", value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench rules
  hathi bench rules --data archives --seconds 60
  hathi bench rules --json";

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.01 to 3600".to_owned()),
    }
}

#[derive(Serialize)]
struct Results {
    corpus: About,
    measures: Vec<Measure>,
}

#[derive(Serialize)]
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

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Better {
    Higher,
    Lower,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Detail {
    /// The share of items with a positive answer.
    YesShare(f64),
    TurnsPerSecond(f64),
}

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    if cfg!(debug_assertions) {
        output::note("this is not a release build; measure with `cargo run --release`");
    }
    let progress = Progress::new();
    let corpus = match &args.data {
        Some(directory) => Corpus::of_directory(directory)?,
        None => Corpus::built_in(|text| progress.say(text))?,
    };
    let results = Results {
        measures: measure_all(&corpus, args.seconds, &progress),
        corpus: corpus.about,
    };
    progress.clear();
    let mut out = output::plain();
    if args.json {
        output::json(&mut out, &results)?;
    } else {
        results.write(&mut out)?;
    }
    out.flush()?;
    Ok(Answer::Yes)
}

fn measure_all(corpus: &Corpus, seconds: f64, progress: &Progress) -> Vec<Measure> {
    let budget = |share: f64| Duration::from_secs_f64(seconds * share);
    let mut generator = TurnGenerator::new();
    progress.say("distinct turns");
    // Listing turns takes longest, so it gets the largest share.
    let turns = measure(&corpus.turn_positions, budget(0.4), |position| {
        black_box(generator.count(position)) as u64
    });

    progress.say("single steps");
    let steps = measure(&corpus.positions, budget(0.15), |position| {
        walk(&mut position.clone(), 2)
    });

    progress.say("can goal");
    let goals = measure(&corpus.positions, budget(0.15), |position| {
        black_box(position.can_goal()).is_some().into()
    });

    progress.say("captures");
    let captures = measure(&corpus.positions, budget(0.15), |position| {
        (!black_box(position.capture_threats()).is_empty()).into()
    });

    progress.say("replay");
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
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
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

/// A line on standard error that says what is going on, on a terminal only.
struct Progress {
    shown: bool,
}

impl Progress {
    fn new() -> Progress {
        Progress {
            shown: io::stderr().is_terminal(),
        }
    }

    fn say(&self, text: &str) {
        if self.shown {
            // Back to the start of the line, and clear it.
            let _ = write!(io::stderr(), "\r\x1b[K{text} ...");
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
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
