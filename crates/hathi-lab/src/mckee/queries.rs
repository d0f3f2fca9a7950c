//! Tables 6 and 8 to 11: how long questions take when an eighth of the games
//! is there, two eighths, and so on.

use std::fs;
use std::path::Path;

use anyhow::Context;
use hathi_store::{Filter, Matching, Memory, Place};

use super::subset;
use crate::eighths::Eighth;
use crate::folder;
use crate::watcher::Watcher;

/// Fills a store in eighths, in the order of the games, and asks after each.
/// What is measured already is not measured again.
pub(super) fn measure(
    memory: &dyn Memory,
    out: &Path,
    watcher: &dyn Watcher,
) -> anyhow::Result<Vec<Eighth>> {
    let path = out.join("queries.jsonl");
    let mut eighths: Vec<Eighth> = folder::read_lines(&path)?;
    let place = out.join("queries");
    if eighths.len() < 8 && !watcher.asked_to_stop() {
        fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
        let games = memory.totals()?.games;
        for part in eighths.len()..8 {
            let Some(eighth) =
                fill_and_ask(memory, games, part, &place.join("eighths.db"), watcher)?
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
    watcher: &dyn Watcher,
) -> anyhow::Result<Option<Eighth>> {
    let mut store = Place::File(path.to_owned()).open()?;
    let from = store.totals()?.games;
    let to = games * (part as u64 + 1) / 8;
    let mut number = 0;
    let all = Filter::default();
    let what = format!("games for eighth {} of 8", part + 1);
    let copied = subset::copy(memory, &all, &mut *store, &what, watcher, |_| {
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
    Eighth::measure(&*store, Matching::Literal).map(Some)
}
