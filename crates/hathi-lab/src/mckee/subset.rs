//! Memories made of some of the games of another.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use hathi_store::{Filter, IndexError, Memory, NewGame, Place, StoreError, StoredGame};
use serde::{Deserialize, Serialize};

use crate::folder;
use crate::watcher::Watcher;

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
    watcher: &dyn Watcher,
    mut keep: impl FnMut(&StoredGame) -> bool,
) -> anyhow::Result<Option<Contents>> {
    let bar = watcher.count(what, from.count(filter)?);
    let mut batch = Vec::with_capacity(BATCH);
    let (mut seen, mut ratings, mut rated) = (0, 0.0, 0u32);
    let mut added = Ok(());
    let visited = from.visit_filtered(filter, None, &mut |stored| {
        seen += 1;
        bar(seen);
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
        if added.is_err() || watcher.asked_to_stop() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    drop(bar);
    visited?;
    added?;
    to.insert_for_index(&batch)?;
    if watcher.asked_to_stop() || build_index(to, watcher)?.is_break() {
        return Ok(None);
    }
    let totals = to.totals()?;
    Ok(Some(Contents {
        games: totals.games,
        positions: totals.positions,
        rating: (rated > 0).then(|| ratings / f64::from(rated)),
    }))
}

/// Builds the index, or breaks off when somebody says stop.
fn build_index(store: &mut dyn Memory, watcher: &dyn Watcher) -> anyhow::Result<ControlFlow<()>> {
    let bar = watcher.indexing();
    let built = store.build_index_or_stop(0, &mut |stage, share| {
        bar(stage, share);
        if watcher.asked_to_stop() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    match built {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(StoreError::Index(IndexError::Stopped)) => Ok(ControlFlow::Break(())),
        Err(error) => Err(error.into()),
    }
}

/// Makes a memory of its own in a file, unless it is there already. A file
/// that was not finished is made again.
pub(super) fn make(
    from: &dyn Memory,
    filter: &Filter,
    path: &Path,
    what: &str,
    watcher: &dyn Watcher,
    keep: impl FnMut(&StoredGame) -> bool,
) -> anyhow::Result<Option<Contents>> {
    let done = path.with_extension("json");
    if let Some(contents) = folder::read(&done)? {
        return Ok(Some(contents));
    }
    if watcher.asked_to_stop() {
        return Ok(None);
    }
    remove(path)?;
    let mut to = Place::File(path.to_owned()).open()?;
    let contents = copy(from, filter, &mut *to, what, watcher, keep)?;
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
