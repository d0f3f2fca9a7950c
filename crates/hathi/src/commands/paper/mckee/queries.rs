//! Tables 6 and 8 to 11: how long questions take when an eighth of the games
//! is there, two eighths, and so on.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use hathi_engine::Stop;
use hathi_rules::{Setup, Side};
use hathi_store::{Filter, Matching, Memory, Place};
use serde::{Deserialize, Serialize};

use super::{folder, subset};
use crate::questions::{self, KINDS};

/// Games with one setup of Gold's are many; replies are asked so many times.
const REPEATS: usize = 9;

/// One row of the tables.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Eighth {
    pub(super) games: u64,
    pub(super) positions: u64,
    /// Medians: Silver's reply, full, half, area, area by piece.
    pub(super) seconds: [f64; 5],
}

/// Fills a store in eighths, in the order of the games, and asks after each.
/// What is measured already is not measured again.
pub(super) fn measure(memory: &dyn Memory, out: &Path, stop: &Stop) -> anyhow::Result<Vec<Eighth>> {
    let path = out.join("queries.jsonl");
    let mut eighths: Vec<Eighth> = folder::read_lines(&path)?;
    let place = out.join("queries");
    if eighths.len() < 8 && !stop.asked() {
        fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
        let games = memory.totals()?.games;
        for part in eighths.len()..8 {
            let Some(eighth) = fill_and_ask(memory, games, part, &place.join("eighths.db"), stop)?
            else {
                return Ok(eighths);
            };
            folder::append(&path, &eighth)?;
            eighths.push(eighth);
        }
    }
    // It is large and has served its purpose.
    if eighths.len() == 8 && place.exists() {
        fs::remove_dir_all(&place)?;
    }
    Ok(eighths)
}

/// Adds the games up to the end of a part and measures. Games that are there
/// already are left alone by the store, so an interrupted part is no matter.
fn fill_and_ask(
    memory: &dyn Memory,
    games: u64,
    part: usize,
    path: &Path,
    stop: &Stop,
) -> anyhow::Result<Option<Eighth>> {
    let mut store = Place::new(path.as_os_str()).open()?;
    let from = store.totals()?.games;
    let to = games * (part as u64 + 1) / 8;
    let mut number = 0;
    let all = Filter::default();
    let what = format!("games for eighth {} of 8", part + 1);
    let copied = subset::copy(memory, &all, &mut *store, &what, stop, |_| {
        number += 1;
        number > from && number <= to
    })?;
    let Some(contents) = copied else {
        return Ok(None);
    };
    // An empty part (fewer than eight games) has nothing to ask about.
    if contents.positions == 0 {
        anyhow::bail!("the store has too few games for an experiment: {games}");
    }
    let positions = questions::sample(&*store)?;
    let mut seconds = [replies(&*store)?, 0.0, 0.0, 0.0, 0.0];
    for (kind, seconds) in KINDS.iter().zip(&mut seconds[1..]) {
        // Once to bring it into memory, once to measure.
        let ask = || questions::times(&*store, &positions, kind, Matching::Literal);
        ask()?;
        *seconds = questions::median(&ask()?);
    }
    Ok(Some(Eighth {
        games: contents.games,
        positions: contents.positions,
        seconds,
    }))
}

/// Silver's setups after Gold's commonest.
fn replies(store: &dyn Memory) -> anyhow::Result<f64> {
    let all = Filter::default();
    let gold = store.setups(Side::Gold, None, false, &all, 1)?;
    let gold: Option<Setup> = gold.top.first().map(|stats| stats.setup);
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        let started = Instant::now();
        store.setups(Side::Silver, gold.as_ref(), false, &all, 10)?;
        times.push(started.elapsed().as_secs_f64());
    }
    Ok(questions::median(&times))
}
