//! Which forced wins and losses a search sees: positions that another program has scored as decided.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use hathi_engine::EngineSpec;
use hathi_learn::network::read_scored_positions;
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::grouped;
use serde::Serialize;

use super::scorer::{Call, Scorer, WON, worth_a_look};
use crate::failure::BadInput;
use crate::watcher::Watcher;

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
        if let Some(call) = Call::by_table(scored.score)
            && let Some(game) = worth_a_look(scored.position)
        {
            decided.push((game, call, WON - scored.score.abs()));
        }
    })
    .map_err(|error| BadInput::error(error.to_string()))?;
    if decided.is_empty() {
        return Err(BadInput::error(format!(
            "no position of {} is decided: forced wins have scores near 1,000,000",
            table.display()
        )));
    }
    let mut scorers = engines
        .iter()
        .map(Scorer::build)
        .collect::<anyhow::Result<Vec<_>>>()?;
    // Wins first, then losses, the quickest first.
    let mut rows: BTreeMap<(bool, i32), Row> = BTreeMap::new();
    let bar = watcher.count("positions", decided.len() as u64);
    let (mut done, total) = (0, decided.len());
    for (game, call, steps) in decided {
        let mut seen = Vec::new();
        for scorer in &mut scorers {
            let score = scorer.score(&game, nodes, watcher)?;
            seen.push(score.and_then(Call::by_engine) == Some(call));
        }
        if watcher.asked_to_stop() {
            break;
        }
        let won = call == Call::Won;
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
    Ok(Results {
        table: table.display().to_string(),
        positions: all,
        engines: engines.iter().map(ToString::to_string).collect(),
        nodes,
        rows: rows.into_values().collect(),
        milliseconds: scorers.iter().map(Scorer::milliseconds).collect(),
        complete: done == total,
    })
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
