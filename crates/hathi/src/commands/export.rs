//! `hathi export`: games of the store for other programs.

#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "export/no_parquet.rs"]
mod parquet;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hathi_archive::{ArchiveWriter, ArchivedGame};
use hathi_store::{Filter, Memory, Page, StoredGame};
use hathi_view::numbers::counted;
use serde::Serialize;

use crate::Answer;
use crate::args::filter::FilterArgs;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::GamesBar;
use crate::terminal::stop;

/// Write games as an archive, or games and positions as Parquet tables
///
/// Writes the games that the conditions let through. As an archive they are in the format of the
/// game archive, for other programs and for `hathi import`; a name that ends with .gz or .zst gives
/// a compressed file. As Parquet tables DuckDB, pandas, Spark and the like can read them: a row a
/// game, and with --positions a row for each position, with the turn that was played from it.
///
/// The moves are those that are stored: takebacks are done, and what came after an illegal move is
/// not there.
#[derive(Debug, clap::Args)]
#[allow(clippy::doc_markdown)] // help is read as it is
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: OsString,

    /// The format; by default the ending of the file's name decides
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Write the positions to this file as well (Parquet only)
    ///
    /// A row for each position of these games from which a turn was played. The first columns are
    /// those of McKee's database, by his names: id, game_id, turn, side, brating, wrating, winner,
    /// boardstatus (64 characters, a8 to h8, then a7 and so on to h1, `-` for an empty square),
    /// next_move, maxturns.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,

    /// Write a folder for each year (Parquet only)
    ///
    /// -o and --positions name folders then, new or empty. In them are folders `year=2011` and so
    /// on, by when a game began, as Hive has them: DuckDB, Spark, ClickHouse and the like read them
    /// as one table with a column `year`, and leave out the years that a question is not about.
    #[arg(long)]
    by_year: bool,

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
  hathi export --player omar -o - | hathi replay -
  hathi export -o games.parquet --positions positions.parquet
  hathi export --by-year -o games --positions positions
  duckdb -c \"SELECT next_move, count(*) FROM 'positions.parquet' WHERE turn = 2 GROUP BY ALL\"";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The game archive: tab separated text
    Archive,
    /// Parquet tables
    Parquet,
}

/// What was written, with stable keys.
#[derive(Serialize)]
struct Summary {
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let filter = args.filter.filter()?;
    let format = args.check()?;
    let store = args.store.open_games()?;
    stop::listen();
    let written = match format {
        Format::Archive if args.output == "-" => {
            let mut writer = ArchiveWriter::new(output::plain())?;
            let games = write_games(&*store, &filter, &mut writer)?;
            writer.finish()?;
            return Ok(if stop::asked() {
                Answer::Interrupted
            } else {
                yes_if_any(games)
            });
        }
        Format::Archive => args.write_archive(&*store, &filter)?,
        Format::Parquet if args.by_year => parquet::write_by_year(
            &*store,
            &filter,
            Path::new(&args.output),
            args.positions.as_deref(),
        )?,
        Format::Parquet => parquet::write(
            &*store,
            &filter,
            Path::new(&args.output),
            args.positions.as_deref(),
        )?,
    };
    let Some(summary) = written else {
        output::note("stopped; the export is not complete");
        return Ok(Answer::Interrupted);
    };
    let mut out = output::plain();
    if args.json {
        output::json(&mut out, &summary)?;
    } else {
        let games = counted(summary.games as usize, "game");
        match summary.positions {
            None => writeln!(out, "{games} written.")?,
            Some(positions) => {
                let positions = counted(positions as usize, "position");
                writeln!(out, "{games} and {positions} written.")?;
            }
        }
    }
    out.flush()?;
    Ok(yes_if_any(summary.games))
}

fn yes_if_any(games: u64) -> Answer {
    if games > 0 { Answer::Yes } else { Answer::No }
}

impl Args {
    /// Looks for contradictions before anything is written.
    fn check(&self) -> anyhow::Result<Format> {
        let to_stdout = self.output == "-";
        let by_name = || {
            let ending = Path::new(&self.output).extension().unwrap_or_default();
            if self.by_year || ending.eq_ignore_ascii_case("parquet") {
                Format::Parquet
            } else {
                Format::Archive
            }
        };
        let format = self.format.unwrap_or_else(by_name);
        if to_stdout && self.json {
            return Err(BadInput::error("--json needs a file: -o FILE"));
        }
        if format == Format::Archive && self.positions.is_some() {
            return Err(BadInput::error(
                "--positions is for Parquet only: give -o a name that ends with .parquet, or say \
                 --format parquet",
            ));
        }
        if format == Format::Archive && self.by_year {
            return Err(BadInput::error("--by-year is for Parquet only"));
        }
        if to_stdout && format == Format::Parquet {
            return Err(BadInput::error("Parquet needs a file: -o FILE"));
        }
        let place = self.store.place()?;
        let is_store = |path: &Path| place.file().is_some_and(|store| same_file(path, store));
        let output = (!to_stdout).then(|| Path::new(&self.output));
        if output.is_some_and(is_store) {
            return Err(BadInput::error("-o names the store itself"));
        }
        if let Some(positions) = &self.positions {
            if is_store(positions) {
                return Err(BadInput::error("--positions names the store itself"));
            }
            if Some(positions.as_path()) == output
                || output.is_some_and(|output| same_file(positions, output))
            {
                return Err(BadInput::error(
                    "-o and --positions name the same file or folder",
                ));
            }
        }
        Ok(format)
    }

    /// None if the user stopped it.
    fn write_archive(
        &self,
        store: &dyn Memory,
        filter: &Filter,
    ) -> anyhow::Result<Option<Summary>> {
        let path = Path::new(&self.output);
        let failed = |error: io::Error| anyhow::anyhow!("cannot write {}: {error}", path.display());
        let unfinished = Unfinished::beside(path);
        let mut writer = ArchiveWriter::create(unfinished.path()).map_err(|error| {
            BadInput::error(format!("cannot write {}: {error}", path.display()))
        })?;
        let games = match write_games(store, filter, &mut writer) {
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
        if stop::asked() {
            return Ok(None);
        }
        unfinished.finish().map_err(failed)?;
        Ok(Some(Summary {
            games,
            positions: None,
        }))
    }
}

/// An archive under another name until it is complete: whatever goes wrong, no
/// half of it stays behind, and what was there before is still there.
struct Unfinished {
    /// None if it is written in place: a device or a pipe is no file to replace.
    draft: Option<PathBuf>,
    path: PathBuf,
}

impl Unfinished {
    fn beside(path: &Path) -> Unfinished {
        // A link stays a link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let replaces = !path.exists() || path.is_file();
        let name = path.file_name().filter(|_| replaces);
        let draft = name.map(|name| {
            // The end of the name says how it is packed.
            let mut hidden = OsString::from(format!(".{}.", std::process::id()));
            hidden.push(name);
            path.with_file_name(hidden)
        });
        Unfinished { draft, path }
    }

    fn path(&self) -> &Path {
        self.draft.as_ref().unwrap_or(&self.path)
    }

    /// Gives it its name.
    fn finish(mut self) -> io::Result<()> {
        match self.draft.take() {
            Some(draft) => fs::rename(&draft, &self.path).inspect_err(|_| {
                let _ = fs::remove_file(&draft);
            }),
            None => Ok(()),
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            let _ = fs::remove_file(draft);
        }
    }
}

/// Do both names lead to one file?
fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Hands every game to `write`, with a bar, until that fails or the user
/// stops it. Returns how many there were.
fn for_each_game(
    store: &dyn Memory,
    filter: &Filter,
    with_logs: bool,
    mut write: impl FnMut(StoredGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let bar = GamesBar::new(store.count(filter)?);
    let mut games = 0;
    let mut result = Ok(());
    let page = Page {
        with_logs,
        ..Page::default()
    };
    let visited = store.visit_page(filter, page, &mut |stored| {
        result = write(stored);
        if result.is_err() {
            return ControlFlow::Break(());
        }
        games += 1;
        if games % 256 == 0 {
            bar.show(games);
        }
        stop::flow()
    });
    bar.finish();
    visited?;
    result.map(|()| games)
}

fn write_games<W: Write>(
    store: &dyn Memory,
    filter: &Filter,
    writer: &mut ArchiveWriter<W>,
) -> anyhow::Result<u64> {
    for_each_game(store, filter, true, |stored| {
        let id = stored.game.id;
        let game = archived(stored).map_err(|damaged| anyhow::anyhow!("game {id}: {damaged}"))?;
        Ok(writer.write(&game)?)
    })
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
