//! What several test files share.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::PathBuf;

use hathi_archive::{ArchiveError, ArchiveReader, ArchivedGame, Source};

/// The folder with real games and test oracles: `HATHI_SHARED`, or
/// `../shared/data` beside the workspace. Without it the caller skips, except
/// in CI, where it must be there.
pub fn data_dir() -> Option<PathBuf> {
    let dir = std::env::var_os("HATHI_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    if dir.is_dir() {
        return Some(dir);
    }
    let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(!in_ci, "in CI the shared data must be there");
    eprintln!("skipped: no shared data folder (set HATHI_SHARED to use one)");
    None
}

/// The archives that tests count the games of. Others may come to lie beside
/// them.
pub const ARCHIVES: [&str; 4] = [
    "allgames-sharp.txt",
    "allgames2002.txt",
    "allgames201111-part.txt",
    "allgames202602-part.txt",
];

/// The real archive files.
pub fn archive_files() -> Option<Vec<PathBuf>> {
    let folder = data_dir()?;
    Some(ARCHIVES.map(|name| folder.join(name)).to_vec())
}

/// Bytes as a source.
pub fn bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Source {
    Source::reader(name, Cursor::new(bytes.into()))
}

/// Everything a reader gives: the games with their events, and the errors.
pub fn read_all(reader: ArchiveReader) -> (Vec<ArchivedGame>, Vec<ArchiveError>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    let _ = reader.for_each(|row| {
        match row {
            Ok(row) => games.push(row.to_game_with_events()),
            Err(error) => errors.push(error),
        }
        ControlFlow::<()>::Continue(())
    });
    (games, errors)
}

/// The ids of the games and the messages of the errors.
pub fn ids_and_errors(sources: impl IntoIterator<Item = Source>) -> (Vec<u64>, Vec<String>) {
    let (games, errors) = read_all(ArchiveReader::new(sources));
    let ids = games.iter().map(|game| game.id.number()).collect();
    let errors = errors.iter().map(ToString::to_string).collect();
    (ids, errors)
}
