//! Games of archives, of a store or of the samples, some of them drawn by chance.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hathi_archive::{ArchiveReader, Source};
use hathi_lab::carlini::{DrawnGames, GameDraw};
use hathi_store::{Filter, Memory, Place};

use crate::failure::BadInput;

/// From archives; files and folders.
pub(crate) fn of_archives(paths: &[PathBuf], wanted: usize) -> anyhow::Result<DrawnGames> {
    let names: Vec<_> = paths.iter().map(|path| name(path)).collect();
    read(ArchiveReader::open(paths)?, wanted, names.join(", "))
}

/// From an archive that was made of other games, as `source` says.
pub(crate) fn of_copy(archive: &Path, wanted: usize, source: &str) -> anyhow::Result<DrawnGames> {
    read(ArchiveReader::open([archive])?, wanted, source.to_owned())
}

/// From the games that come with Hathi.
pub(crate) fn of_samples(wanted: usize) -> anyhow::Result<DrawnGames> {
    let games = Cursor::new(hathi_web::sample_games());
    let reader = ArchiveReader::new([Source::reader("samples", games)]);
    let source = "the samples that come with Hathi, engines against each other; \
                  an archive or --store takes others";
    read(reader, wanted, source.to_owned())
}

/// From a store.
pub(crate) fn of_store(
    store: &dyn Memory,
    place: &Place,
    wanted: usize,
) -> anyhow::Result<DrawnGames> {
    let mut draw = GameDraw::new(wanted);
    store.visit_filtered(&Filter::default(), None, &mut |stored| {
        draw.offer_game(|| stored.moves.replay(stored.game.rules()).ok());
        ControlFlow::Continue(())
    })?;
    let source = match place.file() {
        Some(file) => name(file),
        // Without its password.
        None => place.to_string(),
    };
    Ok(draw.finish(format!("the store {source}")))
}

fn read(reader: ArchiveReader, wanted: usize, source: String) -> anyhow::Result<DrawnGames> {
    let mut draw = GameDraw::new(wanted);
    let end = reader.for_each(|row| {
        match row {
            Ok(row) => draw.offer(|| Some((row.movelist().to_vec(), row.rules()))),
            Err(error) if error.fault.is_row() => {}
            Err(error) => return ControlFlow::Break(error),
        }
        ControlFlow::Continue(())
    });
    match end {
        ControlFlow::Break(error) => Err(BadInput::error(error.to_string())),
        ControlFlow::Continue(()) => Ok(draw.finish(source)),
    }
}

/// A report names the file, not where it lies on this machine.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
