//! How fast and how deep an engine searches.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use hathi_engine::{EngineSpec, Limits, StaticEvaluation};
use hathi_rules::{Game, Outcome, Position, RuleSet};
use hathi_view::numbers::{grouped, rounded};
use serde::Serialize;

use super::corpus::{About, Corpus};
use super::measure::measure;
use crate::watcher::Watcher;

/// Middle-game positions looked at.
const MIDDLE: usize = 20;

/// Lines that evaluations are timed along from each position, and their steps.
const LINES: usize = 24;
const LINE_STEPS: usize = 16;

/// What the lines follow from.
const LINE_SEED: u64 = 1;

/// About how long evaluations are timed: a hundred rounds or so.
const LEAF_TIME: Duration = Duration::from_millis(600);

/// What came out.
#[derive(Debug, Serialize)]
pub struct Results {
    engine: String,
    corpus: About,
    /// All positions, to the fixed depth.
    fixed: Option<Fixed>,
    timed: Timed,
    /// None if the engine has no evaluation of its own.
    leaf: Option<Leaf>,
}

#[derive(Debug, Serialize)]
struct Fixed {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

#[derive(Debug, Serialize)]
struct Timed {
    seconds: f64,
    start_depth: u32,
    middle_depth_median: u32,
    middle_depth_least: u32,
    middle_depth_most: u32,
    nodes_per_second: f64,
    slowest_answer_seconds: f64,
}

/// What a static evaluation costs.
#[derive(Debug, Serialize)]
struct Leaf {
    /// Evaluations of a round.
    evaluations: u64,
    /// For one of them, the best of several rounds.
    nanoseconds: f64,
}

/// Searches to a depth in steps, unless it is 0, and then for a time. None if it
/// was stopped.
pub fn run(
    corpus: Corpus,
    spec: &EngineSpec,
    depth: u32,
    time: Duration,
    watcher: &dyn Watcher,
) -> anyhow::Result<Option<Results>> {
    let positions = choose(&corpus.positions);
    anyhow::ensure!(
        positions.len() > 1,
        "there are no middle-game positions to search"
    );
    let mut engine = spec.build()?;
    let mut search = |position: &Position, limits: &Limits| {
        engine.new_game(1);
        let game = Game::from_position(RuleSet::Modern, *position);
        let started = Instant::now();
        let decision = engine.decide(&game, limits, &mut |_| {})?;
        let seconds = started.elapsed().as_secs_f64();
        let thought = decision.thought.unwrap_or_default();
        Ok::<_, anyhow::Error>((thought.depth, thought.nodes, seconds))
    };

    let mut fixed = None;
    if depth > 0 {
        let (mut nodes, mut seconds) = (0, 0.0);
        for position in &positions {
            if watcher.asked_to_stop() {
                return Ok(None);
            }
            let (_, looked_at, took) = search(position, &Limits::depth(depth))?;
            nodes += looked_at;
            seconds += took;
        }
        fixed = Some(Fixed {
            depth,
            nodes,
            seconds,
            nodes_per_second: nodes as f64 / seconds,
        });
    }

    let mut depths = Vec::new();
    let (mut nodes, mut seconds, mut slowest) = (0, 0.0, 0.0f64);
    for position in &positions {
        if watcher.asked_to_stop() {
            return Ok(None);
        }
        let (reached, looked_at, took) = search(position, &Limits::time(time))?;
        depths.push(reached);
        nodes += looked_at;
        seconds += took;
        slowest = slowest.max(took);
    }
    let evaluation = spec.evaluation()?;
    let leaf = evaluation.map(|evaluation| time_leaves(evaluation, &positions));
    let start_depth = depths.remove(0);
    depths.sort_unstable();
    Ok(Some(Results {
        engine: spec.kind.name().to_owned(),
        corpus: corpus.about,
        fixed,
        timed: Timed {
            seconds: time.as_secs_f64(),
            start_depth,
            middle_depth_median: depths[depths.len() / 2],
            middle_depth_least: depths[0],
            middle_depth_most: depths[depths.len() - 1],
            nodes_per_second: nodes as f64 / seconds,
            slowest_answer_seconds: slowest,
        },
        leaf,
    }))
}

/// Times an evaluation along lines from the positions, which it is called on as a search calls it.
fn time_leaves(mut evaluation: StaticEvaluation, positions: &[Position]) -> Leaf {
    let mut random = fastrand::Rng::with_seed(LINE_SEED);
    let mut from_each = Vec::new();
    for root in positions {
        let lines = (0..LINES).map(|_| walk(root, &mut random));
        from_each.push((*root, lines.collect::<Vec<_>>()));
    }
    let timing = measure(&from_each, LEAF_TIME, |(root, lines)| {
        evaluation.start_from(root.board());
        let mut evaluations = 0;
        for line in lines {
            black_box(evaluation.value_line(line));
            evaluations += line.len() as u64;
        }
        evaluations
    });
    Leaf {
        evaluations: timing.units,
        nanoseconds: rounded(1e9 / timing.units_per_second(), 1),
    }
}

/// The positions along a line of random steps, until the game is over; turns end after four.
fn walk(root: &Position, random: &mut fastrand::Rng) -> Vec<Position> {
    let mut line = Vec::new();
    let mut here = *root;
    while line.len() < LINE_STEPS {
        let steps = here.legal_steps();
        let Some(&step) = random.choice(&steps) else {
            break;
        };
        here = here.after(step);
        if here.steps_left() == 0 && !here.is_mid_push() {
            let mover = here.side_to_move();
            here = here.end_turn();
            if Outcome::on_board(here.board(), mover, RuleSet::Modern).is_some() {
                break;
            }
        }
        line.push(here);
    }
    line
}

/// The start of the first game, and positions spread over all games in which
/// the armies have met.
fn choose(positions: &[Position]) -> Vec<Position> {
    let middle: Vec<&Position> = positions
        .iter()
        .filter(|position| {
            let count = position.board().count();
            let pieces = count.gold + count.silver;
            (20..=30).contains(&pieces) && position.can_goal().is_none()
        })
        .collect();
    let spread = (0..MIDDLE.min(middle.len())).map(|i| *middle[i * middle.len() / MIDDLE]);
    positions
        .first()
        .copied()
        .into_iter()
        .chain(spread)
        .collect()
}

impl Results {
    /// In words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.engine, self.corpus.text())?;
        if let Some(fixed) = &self.fixed {
            writeln!(
                out,
                "depth {}: {} positions looked at, {:.2} s, {} a second",
                fixed.depth,
                grouped(fixed.nodes as usize),
                fixed.seconds,
                grouped(fixed.nodes_per_second as usize)
            )?;
        }
        let timed = &self.timed;
        writeln!(
            out,
            "{} s each: depth {} from the start, {} in the middle game ({} to {}), {} positions a \
         second, slowest answer {:.3} s",
            timed.seconds,
            timed.start_depth,
            timed.middle_depth_median,
            timed.middle_depth_least,
            timed.middle_depth_most,
            grouped(timed.nodes_per_second as usize),
            timed.slowest_answer_seconds
        )?;
        if let Some(leaf) = &self.leaf {
            writeln!(
                out,
                "a leaf: {:.1} ns for a static evaluation, step by step along lines; {} of them, \
                 best of several rounds",
                leaf.nanoseconds,
                grouped(leaf.evaluations as usize)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_always_the_same_and_legal() {
        let start: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
                .parse()
                .expect("a position");
        let lines = || {
            let mut random = fastrand::Rng::with_seed(LINE_SEED);
            [(); 3].map(|()| walk(&start, &mut random))
        };
        let walked = lines();
        assert_eq!(walked, lines());
        assert_ne!(walked[0], walked[1]);
        for line in walked {
            assert_eq!(line.len(), LINE_STEPS);
            let mut before = start;
            for here in line {
                let follows = before.legal_steps().into_iter().any(|step| {
                    let after = before.after(step);
                    after == here || after.end_turn() == here
                });
                assert!(follows, "{here:?} does not follow {before:?}");
                before = here;
            }
        }
    }
}
