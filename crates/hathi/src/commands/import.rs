//! `hathi import`: archives into the store.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use hathi_archive::{ArchiveReader, GameSource};
use hathi_store::{ImportOptions, Remark};
use hathi_view::numbers::{counted, grouped, rounded};
use serde::Serialize;

use crate::Answer;
use crate::args::store::{StoreArgs, build_index};
use crate::failure::BadInput;
use crate::terminal::output::{self, line, printable};
use crate::terminal::progress::ImportBar;
use crate::terminal::stop;

/// Read archives of games into the store
///
/// Reads archive files of any year, plain or packed (.gz, .zst, .zip, .tgz), folders of them, or
/// standard input. Every game is played through by the rules. A game that breaks a rule is kept up
/// to its last legal turn; with --strict it is left out. Games that are in the store already are
/// not added again, so the same files can be imported as often as you like.
///
/// Ctrl-C stops after the games being written; the same command goes on from there. At the end the
/// index of all positions is built, which questions need to be fast; Ctrl-C leaves that for later.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools)] // so are flags
pub(crate) struct Args {
    /// Archives, folders of archives, or `-` for standard input
    #[arg(value_name = "FILE|FOLDER", required = true)]
    files: Vec<OsString>,

    /// Leave out games that break a rule
    #[arg(long)]
    strict: bool,

    /// Write every game that was not taken whole to this file
    ///
    /// A line a game, tab separated: its id (empty if it has none), `kept` (up to its last legal
    /// turn) or `rejected`, and the reason.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// The games are of this source, whatever the files say
    ///
    /// Without it a plain number is that of a game of the archive, unless the event says that Hathi
    /// played it (`Hathi arena`, `Hathi play`, `Hathi AEI`) or the number is that of a synthetic
    /// archive (20,000,001 and up). Exports of Hathi name the source themselves: `play:15`.
    #[arg(long, value_name = "SOURCE")]
    source: Option<GameSource>,

    /// Leave out the logs of the games (who came, moved and went when), which take more room than
    /// all the rest
    #[arg(long)]
    no_logs: bool,

    /// Do not build the index now: for when more files are to come
    #[arg(long)]
    no_index: bool,

    /// Work with N threads; 0 for as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi import allgames2002.txt
  hathi import archives/ --report broken.tsv
  curl -s https://example.org/allgames.txt.gz | hathi import -
  hathi import --strict --store strict.db allgames*.zip";

/// The summary, with stable keys.
#[derive(Serialize)]
struct Summary {
    store: String,
    read: u64,
    stored: u64,
    shortened: u64,
    rejected: u64,
    duplicates: u64,
    /// Stored beside another game that has the same number.
    copies: u64,
    reasons: std::collections::BTreeMap<String, u64>,
    positions: u64,
    /// Was it stopped before the end?
    stopped: bool,
    /// Was the index built?
    indexed: bool,
    import_seconds: f64,
    index_seconds: f64,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    check_files(&args.files)?;
    let reader = ArchiveReader::open(&args.files)
        .map_err(|error| BadInput::error(format!("cannot read {error}")))?;
    let mut report = args.report.as_deref().map(Report::create).transpose()?;
    stop::listen();
    let (mut store, place) = args.store.open_or_make()?;
    let started = Instant::now();

    let bar = ImportBar::new(reader.progress());
    let mut unreadable = 0;
    let options = ImportOptions {
        strict: args.strict,
        threads: args.threads,
        source: args.source,
        without_logs: args.no_logs,
        ..ImportOptions::default()
    };
    let imported = store.import(
        reader,
        options,
        &mut |remark| {
            if let Some(report) = &mut report {
                report.add(remark);
            }
            // A file or row that is no game at all is news even without a report.
            if remark.game.is_none() {
                unreadable += 1;
                if unreadable <= MOST_NOTES {
                    bar.pause(|| output::note(&remark.text));
                }
            }
        },
        &mut |summary| {
            bar.show(summary);
            !stop::asked()
        },
    );
    bar.finish();
    if unreadable > MOST_NOTES {
        let more = counted(unreadable - MOST_NOTES, "more note");
        output::note(&format!("{more}; --report FILE lists them all"));
    }
    if let Some(report) = report {
        report.finish()?;
    }
    let imported = imported?;
    let import_seconds = started.elapsed().as_secs_f64();

    let wanted = !args.no_index && !imported.stopped && store.index_is_behind()?;
    let indexed = wanted && build_index(&mut *store, args.threads)?.is_continue();
    let seconds = started.elapsed().as_secs_f64();
    let summary = Summary {
        store: place.to_string(),
        read: imported.read,
        stored: imported.stored,
        shortened: imported.shortened,
        rejected: imported.rejected,
        duplicates: imported.duplicates,
        copies: imported.copies,
        reasons: (imported.reasons.iter())
            .map(|(reason, &count)| (reason.to_string(), count))
            .collect(),
        positions: imported.positions,
        stopped: imported.stopped,
        indexed,
        import_seconds: rounded(import_seconds, 3),
        index_seconds: rounded(seconds - import_seconds, 3),
        seconds: rounded(seconds, 3),
    };
    output::show(args.json, &summary, |out| summary.write(out))?;
    if summary.stopped {
        output::note(&format!(
            "stopped; {} stored and safe, the same command goes on from there",
            counted(summary.stored as usize, "new game")
        ));
        return Ok(Answer::Interrupted);
    }
    if wanted && !indexed {
        output::note(
            "stopped; all games are stored and safe, `hathi index --rebuild` makes the index",
        );
        return Ok(Answer::Interrupted);
    }
    // Nothing usable in all of it.
    let useless = summary.stored + summary.duplicates == 0;
    if useless && summary.rejected == 0 {
        output::note("no game was found in what was read");
    }
    Ok(if useless { Answer::No } else { Answer::Yes })
}

/// Notes about rows and files that are shown one by one.
const MOST_NOTES: usize = 10;

/// A name that was mistyped should not be found out after an hour.
fn check_files(files: &[OsString]) -> anyhow::Result<()> {
    for file in files {
        if file != "-"
            && let Err(error) = std::fs::metadata(file)
        {
            return Err(crate::input::Source::new(file).unreadable(&error));
        }
    }
    Ok(())
}

impl Summary {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let number = |number: u64| grouped(number as usize);
        line(out, "read", &number(self.read))?;
        let shortened = match self.shortened {
            0 => String::new(),
            some => format!(
                ", {} of them only up to their last legal turn",
                number(some)
            ),
        };
        line(
            out,
            "stored",
            &format!("{}{shortened}", number(self.stored)),
        )?;
        if self.copies > 0 {
            let copies = format!(
                "{}  games with the number of another game: known as NUMBER~2 and so on, see --report",
                number(self.copies)
            );
            line(out, "copies", &copies)?;
        }
        line(out, "duplicates", &number(self.duplicates))?;
        line(out, "rejected", &number(self.rejected))?;
        if !self.reasons.is_empty() {
            let mut label = "reasons";
            for (reason, &count) in &self.reasons {
                line(
                    out,
                    label,
                    &format!("{}  {}", number(count), printable(reason)),
                )?;
                label = "";
            }
        }
        line(out, "positions", &number(self.positions))?;
        let index = if self.indexed {
            format!(", {:.1} of them for the index", self.index_seconds)
        } else {
            String::new()
        };
        line(out, "seconds", &format!("{:.1}{index}", self.seconds))
    }
}

/// The file of --report.
struct Report {
    out: BufWriter<File>,
    name: String,
    /// The first thing that went wrong; it is told when the import is done.
    error: Option<io::Error>,
}

impl Report {
    fn create(path: &Path) -> anyhow::Result<Report> {
        let name = path.display().to_string();
        let file = File::create(path)
            .map_err(|error| BadInput::error(format!("cannot write {name}: {error}")))?;
        let mut out = BufWriter::new(file);
        let error = writeln!(out, "game\tkept\treason").err();
        Ok(Report { out, name, error })
    }

    fn add(&mut self, remark: &Remark) {
        let game = remark.game.map(|game| game.to_string()).unwrap_or_default();
        let kept = if remark.kept { "kept" } else { "rejected" };
        // A name in it may hold anything but must not add columns.
        let text = printable(&remark.text).replace('\n', "\\n");
        if self.error.is_none() {
            self.error = writeln!(self.out, "{game}\t{kept}\t{text}").err();
        }
    }

    fn finish(mut self) -> anyhow::Result<()> {
        let flushed = self.out.flush();
        match self.error.map_or(flushed, Err) {
            Ok(()) => Ok(()),
            Err(error) => anyhow::bail!("cannot write {}: {error}", self.name),
        }
    }
}
