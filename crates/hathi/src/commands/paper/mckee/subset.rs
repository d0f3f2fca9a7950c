//! Memories made of some of the games of another.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use hathi_engine::Stop;
use hathi_store::{Filter, Memory, NewGame, Place, StoredGame};
use serde::{Deserialize, Serialize};

use super::folder;
use crate::progress::CountBar;
use crate::store_args;

/// Games added in one transaction.
const BATCH: usize = 4000;

/// What a memory is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Contents {
    pub(super) games: u64,
    pub(super) positions: u64,
    /// Average rating of all players that have one.
    pub(super) rating: Option<f64>,
}

/// Adds the games that `keep` lets through to a store, and builds its index.
/// None if somebody said stop.
pub(super) fn copy(
    from: &dyn Memory,
    filter: &Filter,
    to: &mut dyn Memory,
    what: &str,
    stop: &Stop,
    mut keep: impl FnMut(&StoredGame) -> bool,
) -> anyhow::Result<Option<Contents>> {
    let bar = CountBar::new(what, from.count(filter)?);
    let mut batch = Vec::with_capacity(BATCH);
    let (mut seen, mut ratings, mut rated) = (0, 0.0, 0u32);
    let mut added = Ok(());
    let visited = from.visit_filtered(filter, None, &mut |stored| {
        seen += 1;
        bar.show(seen);
        if keep(&stored) {
            for player in [&stored.game.players.gold, &stored.game.players.silver] {
                if let Some(rating) = player.rating {
                    ratings += f64::from(rating);
                    rated += 1;
                }
            }
            batch.push(NewGame {
                game: stored.game,
                moves: stored.moves,
                takebacks: 0,
                fault: stored.fault,
            });
        }
        if batch.len() == BATCH {
            added = to.insert_for_index(&batch).map(|_| ());
            batch.clear();
        }
        if added.is_err() || stop.asked() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    bar.finish();
    visited?;
    added?;
    to.insert_for_index(&batch)?;
    if stop.asked() {
        return Ok(None);
    }
    if store_args::build_index(to, 0)?.is_break() {
        return Ok(None);
    }
    let totals = to.totals()?;
    Ok(Some(Contents {
        games: totals.games,
        positions: totals.positions,
        rating: (rated > 0).then(|| ratings / f64::from(rated)),
    }))
}

/// Makes a memory of its own in a file, unless it is there already. A file
/// that was not finished is made again.
pub(super) fn make(
    from: &dyn Memory,
    filter: &Filter,
    path: &Path,
    what: &str,
    stop: &Stop,
    keep: impl FnMut(&StoredGame) -> bool,
) -> anyhow::Result<Option<Contents>> {
    let done = path.with_extension("json");
    if let Some(contents) = folder::read(&done)? {
        return Ok(Some(contents));
    }
    if stop.asked() {
        return Ok(None);
    }
    remove(path)?;
    let mut to = Place::File(path.to_owned()).open()?;
    let contents = copy(from, filter, &mut *to, what, stop, keep)?;
    if let Some(contents) = &contents {
        folder::write(&done, contents)?;
    }
    Ok(contents)
}

/// Removes a store and what belongs to it.
pub(super) fn remove(path: &Path) -> std::io::Result<()> {
    for end in ["", "-wal", "-shm", ".index"] {
        let mut file = path.as_os_str().to_owned();
        file.push(end);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
