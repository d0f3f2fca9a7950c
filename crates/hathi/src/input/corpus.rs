//! Positions and games to measure on: those of `--data`, or made on the fly.

use std::path::{Path, PathBuf};

use hathi_lab::bench::Corpus;
use hathi_rules::Position;

use crate::input::Source;
use crate::input::position_table::PositionTable;

/// `turn-counts.tsv` and the archives of a directory if there is one, else games
/// that are always the same; `progress` is told how far these are.
pub(crate) fn of(directory: Option<&Path>, progress: impl FnMut(&str)) -> anyhow::Result<Corpus> {
    match directory {
        Some(directory) => Corpus::of_directory(directory, positions),
        None => Corpus::built_in(progress),
    }
}

fn positions(table: PathBuf) -> anyhow::Result<Vec<Position>> {
    let mut positions = Vec::new();
    let mut table = PositionTable::open(Source::File(table))?;
    while let Some((_, position)) = table.next_position()? {
        positions.push(position);
    }
    Ok(positions)
}
