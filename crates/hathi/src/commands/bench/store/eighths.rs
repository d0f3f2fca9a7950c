//! Questions asked when an eighth of the games is there, two eighths, and so
//! on: the tables of McKee's thesis again.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use hathi_archive::{ArchiveReader, ArchiveWriter, RawRow, Source};
use hathi_rules::{Setup, Side};
use hathi_store::{Filter, ImportOptions, Memory, Store};
use serde::Serialize;

use super::{mckee, questions, time_text};
use crate::columns::{Align, Columns};
use crate::output::grouped;

/// One row of the table.
#[derive(Serialize)]
pub(super) struct Eighth {
    pub(super) games: u64,
    pub(super) positions: u64,
    /// Medians, in the order of [`mckee::TABLES`].
    pub(super) seconds: [f64; 5],
    /// His, where he gives a number.
    pub(super) mckee: [Option<f64>; 5],
}

/// Games with one setup of Gold's are many; replies are asked so many times.
const REPEATS: usize = 9;

/// Imports the archive into `folder` in eighths and asks after each.
pub(super) fn measure(archive: &Path, games: u64, folder: &Path) -> anyhow::Result<Vec<Eighth>> {
    let path = folder.join("eighths.db");
    let mut store = Store::open(&path)?;
    let mut eighths = Vec::new();
    for (i, part) in parts(archive, games)?.into_iter().enumerate() {
        let reader = ArchiveReader::new([Source::reader("part", io::Cursor::new(part))]);
        store.import(reader, ImportOptions::default(), |_| {}, |_| true)?;
        store.build_index(0, |_, _| {})?;
        let totals = store.totals()?;
        let positions = questions::sample(&store)?;
        let mut seconds = [replies(&store)?, 0.0, 0.0, 0.0, 0.0];
        for (kind, seconds) in questions::KINDS.iter().zip(&mut seconds[1..]) {
            // Once to bring it into memory, once to measure.
            questions::times(&store, &positions, kind)?;
            *seconds = questions::median(&questions::times(&store, &positions, kind)?);
        }
        eighths.push(Eighth {
            games: totals.games,
            positions: totals.positions,
            seconds,
            mckee: mckee::TABLES.map(|table| table.seconds[i]),
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

/// Silver's setups after Gold's commonest.
fn replies(store: &dyn Memory) -> anyhow::Result<f64> {
    let all = Filter::default();
    let gold = store.setups(Side::Gold, None, false, &all, 1)?;
    let gold: Option<Setup> = gold.top.first().map(|stats| stats.setup);
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        let started = std::time::Instant::now();
        store.setups(Side::Silver, gold.as_ref(), false, &all, 10)?;
        times.push(started.elapsed().as_secs_f64());
    }
    Ok(questions::median(&times))
}

/// Ours, with his behind.
pub(super) fn write(out: &mut impl Write, eighths: &[Eighth]) -> io::Result<()> {
    let mut headings = vec![("positions", Align::Right), ("McKee had", Align::Right)];
    headings.extend(mckee::TABLES.map(|table| (table.name, Align::Right)));
    let mut table = Columns::new(&headings);
    for (eighth, his_size) in eighths.iter().zip(mckee::POSITIONS) {
        let mut cells = vec![
            grouped(eighth.positions as usize),
            grouped(his_size as usize),
        ];
        for (ours, his) in eighth.seconds.iter().zip(eighth.mckee) {
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
