//! Which forced wins and losses a search sees: positions that another program has scored as decided.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use hathi_engine::{EngineSpec, Limits, winning_chance};
use hathi_learn::network::read_scored_positions;
use hathi_rules::{Game, RuleSet};
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{grouped, rounded};
use serde::Serialize;

use crate::failure::BadInput;
use crate::watcher::Watcher;

/// A win at once, as tables have it; so many thousandths of a rabbit less for each step it takes.
const WON: i32 = 1_000_000;

/// What is worth so much is forced: no board is.
const FORCED: i32 = 900_000;

/// What came out.
#[derive(Debug, Serialize)]
pub struct Results {
    table: String,
    /// Positions of the table, decided or not.
    positions: usize,
    engines: Vec<String>,
    /// Positions each engine looks at for a turn.
    nodes: u64,
    rows: Vec<Row>,
    /// Milliseconds for a position, by engine.
    milliseconds: Vec<f64>,
    #[serde(skip)]
    complete: bool,
}

/// Positions decided in so many steps.
#[derive(Debug, Serialize)]
struct Row {
    /// Won by the side to move, or lost.
    won: bool,
    steps: i32,
    positions: usize,
    /// How many each engine sees.
    seen: Vec<usize>,
}

/// Asks the engines about every position that is decided by the table, but not at once.
pub fn run(
    table: &Path,
    engines: &[EngineSpec],
    nodes: u64,
    watcher: &dyn Watcher,
) -> anyhow::Result<Results> {
    let (mut all, mut decided) = (0, Vec::new());
    read_scored_positions(table, |scored| {
        all += 1;
        // A goal in this turn everybody sees.
        let forced = (FORCED..=WON).contains(&scored.score.saturating_abs());
        if forced && scored.position.can_goal().is_none() {
            decided.push((scored.position, scored.score));
        }
    })
    .map_err(|error| BadInput::error(error.to_string()))?;
    if decided.is_empty() {
        return Err(BadInput::error(format!(
            "no position of {} is decided: forced wins have scores near 1,000,000",
            table.display()
        )));
    }
    let mut players = Vec::new();
    for spec in engines {
        players.push((spec.build()?, 0.0));
    }
    // Wins first, then losses, the quickest first.
    let mut rows: BTreeMap<(bool, i32), Row> = BTreeMap::new();
    let bar = watcher.count("positions", decided.len() as u64);
    let (mut done, total) = (0, decided.len());
    for (position, score) in decided {
        let mut seen = Vec::new();
        for (engine, spent) in &mut players {
            let started = Instant::now();
            engine.new_game(1);
            let game = Game::from_position(RuleSet::Modern, position);
            let limits = Limits::nodes(nodes).with_stop(watcher.stop());
            let decision = engine.decide(&game, &limits, &mut |_| {})?;
            *spent += started.elapsed().as_secs_f64();
            let thought = decision.thought.unwrap_or_default();
            seen.push(is_seen(thought.score, score > 0));
        }
        if watcher.asked_to_stop() {
            break;
        }
        let (won, steps) = (score > 0, WON - score.abs());
        let row = rows.entry((!won, steps)).or_insert_with(|| Row {
            won,
            steps,
            positions: 0,
            seen: vec![0; engines.len()],
        });
        row.positions += 1;
        for (count, seen) in row.seen.iter_mut().zip(seen) {
            *count += usize::from(seen);
        }
        done += 1;
        bar(done as u64);
    }
    let each = |spent: f64| rounded(1e3 * spent / f64::from(done.max(1)), 1);
    Ok(Results {
        table: table.display().to_string(),
        positions: all,
        engines: engines.iter().map(ToString::to_string).collect(),
        nodes,
        rows: rows.into_values().collect(),
        milliseconds: players.iter().map(|&(_, spent)| each(spent)).collect(),
        complete: done as usize == total,
    })
}

/// Does a score say that the game is won, or lost?
fn is_seen(score: i32, won: bool) -> bool {
    let chance = winning_chance(score);
    if won { chance >= 1.0 } else { chance <= 0.0 }
}

impl Results {
    /// Was every position looked at?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// In words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let decided: usize = self.rows.iter().map(|row| row.positions).sum();
        writeln!(
            out,
            "{} of {} positions of {} are decided, but not at once; {} positions a turn\n",
            grouped(decided),
            grouped(self.positions),
            self.table,
            grouped(self.nodes as usize),
        )?;
        let mut table = Columns::new(&[
            ("engine", Align::Left),
            ("decided", Align::Left),
            ("positions", Align::Right),
            ("seen", Align::Right),
            ("a position", Align::Right),
        ]);
        for (engine, name) in self.engines.iter().enumerate() {
            for row in &self.rows {
                let what = if row.won { "won" } else { "lost" };
                table.row([
                    name.clone(),
                    format!("{what} in {} steps", row.steps),
                    grouped(row.positions),
                    grouped(row.seen[engine]),
                    String::new(),
                ]);
            }
            table.row([
                name.clone(),
                "all".to_owned(),
                grouped(decided),
                grouped(self.rows.iter().map(|row| row.seen[engine]).sum()),
                format!("{:.1} ms", self.milliseconds[engine]),
            ]);
        }
        table.write(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_counts_as_seen() {
        assert!(is_seen(99_997, true) && !is_seen(99_997, false));
        assert!(is_seen(-99_997, false) && !is_seen(-99_997, true));
        assert!(!is_seen(5_000, true) && !is_seen(-5_000, false));
    }
}
