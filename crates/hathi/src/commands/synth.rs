//! `hathi synth`: an archive of made-up games, of any size.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use hathi_archive::{ArchiveWriter, Synth};
use hathi_view::numbers::{counted, per_second, rounded};
use serde::Serialize;

use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::GamesBar;

/// Make up an archive of any size
///
/// Writes games that never were, in the format of the game archive: the setups as common as in the
/// real one, legal turns played by a quick and greedy engine, ratings, results and ends of all
/// kinds, some takebacks. The same seed and number of games give the same archive, byte for byte. A
/// name that ends with .gz or .zst gives a compressed file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: OsString,

    /// Work with N threads; 0 for as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,

    /// Print the summary as JSON (not with `-`)
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi synth --games 10000 --seed 7 -o synthetic.txt
  hathi synth --games 261080 -o mckee.txt.zst      as many games as McKee had
  hathi synth --games 500 -o - | hathi import - --store try.db";

#[derive(Serialize)]
struct Summary {
    games: u64,
    seed: u64,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let synth = Synth::new(args.seed).with_games(args.games);
    let started = Instant::now();
    if args.output == "-" {
        if args.json {
            return Err(BadInput::error("--json needs a file: -o FILE"));
        }
        let mut writer = ArchiveWriter::new(output::plain())?;
        write(&synth, args.threads, &mut writer)?;
        writer.finish()?;
        return Ok(Answer::Yes);
    }
    let path = Path::new(&args.output);
    let mut writer = ArchiveWriter::create(path)
        .map_err(|error| BadInput::error(format!("cannot write {}: {error}", path.display())))?;
    write(&synth, args.threads, &mut writer)
        .and_then(|()| writer.finish()?.close())
        .map_err(|error| anyhow::anyhow!("cannot write {}: {error}", path.display()))?;
    let seconds = started.elapsed().as_secs_f64();
    let mut out = output::plain();
    if args.json {
        let summary = Summary {
            games: args.games,
            seed: args.seed,
            seconds: rounded(seconds, 3),
        };
        output::json(&mut out, &summary)?;
    } else {
        let rate = per_second(args.games, seconds);
        let games = counted(args.games as usize, "game");
        writeln!(out, "{games} written in {seconds:.1} s, {rate} a second.")?;
    }
    out.flush()?;
    Ok(Answer::Yes)
}

fn write<W: Write>(synth: &Synth, threads: usize, writer: &mut ArchiveWriter<W>) -> io::Result<()> {
    let bar = GamesBar::new(synth.games());
    let written = synth.write(writer, threads, |games| bar.show(games));
    bar.finish();
    written
}
