//! Games and positions as Parquet tables.

use std::path::Path;

use hathi_store::{ExportError, Filter, Memory, ParquetExport, YearlyExport};

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
    let mut export = ParquetExport::create(games, positions, 0).map_err(bad_name)?;
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

/// The same into folders, one for each year.
pub(super) fn write_by_year(
    store: &dyn Memory,
    filter: &Filter,
    games: &Path,
    positions: Option<&Path>,
) -> anyhow::Result<Option<Summary>> {
    let mut export = YearlyExport::create(games, positions, 0).map_err(bad_name)?;
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

/// A name that leads nowhere is a mistake of whoever wrote it.
fn bad_name(error: ExportError) -> anyhow::Error {
    match error {
        ExportError::Io { .. } => BadInput::error(error.to_string()),
        error => error.into(),
    }
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
