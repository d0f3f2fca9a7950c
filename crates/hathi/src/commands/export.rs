//! `hathi export`: games of the store as an archive.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use hathi_archive::{ArchiveWriter, ArchivedGame};
use hathi_store::{Filter, Memory, StoredGame};

use crate::Answer;
use crate::failure::BadInput;
use crate::filter_args::FilterArgs;
use crate::output::{self, counted};
use crate::store_args::StoreArgs;

/// Write games as an archive
///
/// Writes the games that the conditions let through in the format of the game archive, for other
/// programs and for `hathi import`. A name that ends with .gz or .zst gives a compressed file. The
/// moves are those that are stored: takebacks are done, and what came after an illegal move is not
/// there.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: OsString,

    /// Print the number of games as JSON (not with `-`)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    filter: FilterArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi export -o all.txt.gz
  hathi export --min-rating 2000 --humans -o strong.txt
  hathi export --player omar -o - | hathi replay -";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let filter = args.filter.filter()?;
    let to_stdout = args.output == "-";
    if to_stdout && args.json {
        return Err(BadInput::error("--json needs a file: -o FILE"));
    }
    let path = Path::new(&args.output);
    let same = |one: &Path, other: &Path| match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    let place = args.store.place()?;
    if !to_stdout && place.file().is_some_and(|store| same(path, store)) {
        return Err(BadInput::error("-o names the store itself"));
    }
    let store = args.store.open_games()?;
    if to_stdout {
        let mut writer = ArchiveWriter::new(output::plain())?;
        let games = write_games(&*store, &filter, &mut writer)?;
        writer.finish()?;
        return Ok(yes_if_any(games));
    }
    let failed = |error: io::Error| anyhow::anyhow!("cannot write {}: {error}", path.display());
    let mut writer = ArchiveWriter::create(path)
        .map_err(|error| BadInput::error(format!("cannot write {}: {error}", path.display())))?;
    let games = match write_games(&*store, &filter, &mut writer) {
        Ok(games) => games,
        Err(error) => match error.downcast::<io::Error>() {
            Ok(error) => return Err(failed(error)),
            Err(error) => return Err(error),
        },
    };
    writer
        .finish()
        .and_then(hathi_archive::PackedFile::close)
        .map_err(failed)?;
    let mut out = output::plain();
    if args.json {
        output::json(&mut out, &serde_json::json!({ "games": games }))?;
    } else {
        writeln!(out, "{} written.", counted(games, "game"))?;
    }
    out.flush()?;
    Ok(yes_if_any(games))
}

fn yes_if_any(games: usize) -> Answer {
    if games > 0 { Answer::Yes } else { Answer::No }
}

fn write_games<W: Write>(
    store: &dyn Memory,
    filter: &Filter,
    writer: &mut ArchiveWriter<W>,
) -> anyhow::Result<usize> {
    let mut games = 0;
    // The visit cannot be broken off; after an error it does nothing.
    let mut error: Option<anyhow::Error> = None;
    store.for_each_filtered(filter, None, &mut |stored| {
        if error.is_some() {
            return;
        }
        let id = stored.game.id;
        let written = match archived(stored) {
            Ok(game) => writer.write(&game).map_err(anyhow::Error::from),
            Err(damaged) => Err(anyhow::anyhow!("game {id}: {damaged}")),
        };
        match written {
            Ok(()) => games += 1,
            Err(wrong) => error = Some(wrong),
        }
    })?;
    error.map_or(Ok(games), Err)
}

/// With a move list made from the stored moves.
fn archived(stored: StoredGame) -> Result<ArchivedGame, hathi_store::DamagedMoves> {
    let game = stored.moves.replay(stored.game.rules())?;
    // What was written down stays, also where the board says otherwise.
    let (result, termination) = (stored.game.result, stored.game.termination);
    Ok(ArchivedGame {
        result,
        termination,
        ..stored.game.with_game(&game, None)
    })
}
