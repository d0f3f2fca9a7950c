//! Answers when nothing of the store is in memory: the page cache of its
//! files is dropped, the store opened, one question asked; again and again.

use std::path::Path;
use std::time::Instant;

use hathi_rules::Position;
use hathi_store::{PositionQuestion, Positions, Store};

use super::{Line, push};
use crate::questions::{self, KINDS};

/// Questions of each kind; each costs an opening.
const ROUNDS: usize = 9;

/// Adds a line for opening and for each kind of question.
pub(super) fn measure(
    database: &Path,
    positions: &[Position],
    lines: &mut Vec<Line>,
) -> anyhow::Result<()> {
    let mut index = database.as_os_str().to_owned();
    index.push(".index");
    let files = [database, Path::new(&index)];
    let mut openings = Vec::new();
    for kind in &KINDS {
        let mut times = Vec::new();
        for round in 0..ROUNDS {
            let i = round * positions.len() / ROUNDS;
            if !drop_cache(&files) {
                return Ok(());
            }
            let before = read_from_disk();
            let started = Instant::now();
            let store = Store::open(database)?;
            openings.push(started.elapsed().as_secs_f64());
            let started = Instant::now();
            let best = store.best(&PositionQuestion::new(positions[i], kind.of(i)))?;
            times.push(started.elapsed().as_secs_f64());
            std::hint::black_box(best);
            if read_from_disk() == before {
                // Nothing was fetched, so nothing was cold.
                return Ok(());
            }
        }
        let worst = times.iter().copied().fold(0.0, f64::max);
        let name = kind.name;
        push(
            lines,
            format!("best hit, {name}, page cache dropped: median of {ROUNDS}"),
            questions::median(&times),
            "-",
        );
        push(
            lines,
            format!("best hit, {name}, page cache dropped: slowest"),
            worst,
            "-",
        );
    }
    push(
        lines,
        "opened, page cache dropped: median".to_owned(),
        questions::median(&openings),
        "-",
    );
    Ok(())
}

/// Asks the system to forget the files. Pages that are not written yet would
/// stay, so they are written first.
#[cfg(target_os = "linux")]
fn drop_cache(files: &[&Path]) -> bool {
    use rustix::fs::{Advice, fadvise};

    files.iter().all(|path| {
        std::fs::File::open(path).is_ok_and(|file| {
            file.sync_all().is_ok() && fadvise(&file, 0, None, Advice::DontNeed).is_ok()
        })
    })
}

#[cfg(not(target_os = "linux"))]
fn drop_cache(_: &[&Path]) -> bool {
    false
}

/// Bytes this process has had fetched from disk so far.
fn read_from_disk() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("read_bytes: "))?;
    line.parse().ok()
}
