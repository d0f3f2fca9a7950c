//! How fast and how deep an engine searches.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use hathi_engine::{EngineSpec, Limits};
use hathi_rules::{Game, Position, RuleSet};
use hathi_view::numbers::grouped;
use serde::Serialize;

use super::corpus::{About, Corpus};
use crate::watcher::Watcher;

/// Middle-game positions looked at.
const MIDDLE: usize = 20;

/// What came out.
#[derive(Debug, Serialize)]
pub struct Results {
    engine: String,
    corpus: About,
    /// All positions, to the fixed depth.
    fixed: Option<Fixed>,
    timed: Timed,
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
    }))
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
        )
    }
}
