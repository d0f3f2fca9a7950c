//! Questions asked when an eighth of the games is there, two eighths, and so
//! on: the tables of McKee's thesis again.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use hathi_archive::{ArchiveReader, ArchiveWriter, RawRow, Source};
use hathi_store::{ImportOptions, Matching, Store, Upkeep};
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{grouped, time_text};
use hathi_view::plot::Plot;
use serde::Serialize;

use crate::eighths::{self, Eighth};
use crate::mckee::waited;

/// One row of the table.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    eighth: Eighth,
    /// His, where he gives a number.
    mckee: [Option<f64>; 5],
}

/// Imports the archive into `folder` in eighths and asks after each.
pub(super) fn measure(archive: &Path, games: u64, folder: &Path) -> anyhow::Result<Vec<Row>> {
    let path = folder.join("eighths.db");
    let mut store = Store::open(&path)?;
    let mut eighths = Vec::new();
    for (i, part) in parts(archive, games)?.into_iter().enumerate() {
        let reader = ArchiveReader::new([Source::reader("part", io::Cursor::new(part))]);
        store.import(reader, ImportOptions::default(), &mut |_| {}, &mut |_| true)?;
        store.build_index(0, &mut |_, _| {})?;
        eighths.push(Row {
            eighth: Eighth::measure(&store, Matching::Symmetric)?,
            mckee: waited::TABLES.map(|table| table.seconds[i]),
        });
    }
    Ok(eighths)
}

/// The archive cut into eight archives, in memory: an eighth of a large one
/// is some 60 MB.
fn parts(archive: &Path, games: u64) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut parts = Vec::new();
    for _ in 0..8 {
        parts.push(ArchiveWriter::new(Vec::new())?);
    }
    let mut number = 0;
    let mut write = |row: &RawRow<'_>| {
        let part = (number * 8 / games.max(1)).min(7) as usize;
        number += 1;
        parts[part].write_row(row)
    };
    let end = ArchiveReader::open([archive])?.for_each(|row| {
        let written = row
            .map_err(anyhow::Error::from)
            .and_then(|row| Ok(write(&row)?));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    });
    if let ControlFlow::Break(error) = end {
        return Err(error);
    }
    parts.into_iter().map(|part| Ok(part.finish()?)).collect()
}

/// Ours and his as a drawing.
pub(super) fn plot(rows: &[Row]) -> Plot {
    let eighths: Vec<Eighth> = rows.iter().map(|row| row.eighth).collect();
    eighths::plot(&eighths)
}

/// Ours, with his behind.
pub(super) fn write(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let mut headings = vec![("positions", Align::Right), ("McKee had", Align::Right)];
    headings.extend(waited::TABLES.map(|table| (table.name, Align::Right)));
    let mut table = Columns::new(&headings);
    for (row, his_size) in rows.iter().zip(waited::POSITIONS) {
        let mut cells = vec![
            grouped(row.eighth.positions as usize),
            grouped(his_size as usize),
        ];
        for (ours, his) in row.eighth.seconds.iter().zip(row.mckee) {
            let his = his.map_or("< 1 s".to_owned(), |seconds| format!("{seconds} s"));
            cells.push(format!("{} ({his})", time_text(*ours)));
        }
        table.row(cells);
    }
    writeln!(
        out,
        "\nIn eighths of the games, medians; McKee's times behind them:"
    )?;
    table.write(out)
}
