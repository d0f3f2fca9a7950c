//! Games and positions as Parquet tables.

use std::path::Path;

use hathi_store::{ExportError, Filter, Memory, ParquetExport};

use super::{Summary, for_each_game};
use crate::failure::BadInput;
use crate::terminal::stop;

/// None if the user stopped it; there are no files then.
pub(super) fn write(
    store: &dyn Memory,
    filter: &Filter,
    games: &Path,
    positions: Option<&Path>,
) -> anyhow::Result<Option<Summary>> {
    for path in [Some(games), positions].into_iter().flatten() {
        refuse_special(path)?;
    }
    let mut export = ParquetExport::create(games, positions, 0).map_err(|error| match error {
        // A name that leads nowhere.
        ExportError::Io { .. } => BadInput::error(error.to_string()),
        error => error.into(),
    })?;
    for_each_game(store, filter, false, |stored| Ok(export.write(stored)?))?;
    if stop::asked() {
        return Ok(None);
    }
    let summary = export.finish()?;
    Ok(Some(Summary {
        games: summary.games,
        positions: positions.map(|_| summary.positions),
    }))
}

/// The file is renamed into its place: that must not be a folder, nor a
/// device, which would be gone.
fn refuse_special(path: &Path) -> anyhow::Result<()> {
    match path.metadata() {
        Ok(there) if !there.is_file() => Err(BadInput::error(format!(
            "cannot write {}: it is there and is not a file",
            path.display()
        ))),
        _ => Ok(()),
    }
}
