//! `hathi bench store`: how fast the memory is made and asked, beside the
//! figures of McKee's thesis.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;

use hathi_archive::{ArchiveReader, ArchiveWriter, Synth};
use hathi_rules::{Position, Role, Side, Square};
use hathi_store::{Filter, ImportOptions, Kind, Matching, Memory, Store};
use serde::Serialize;

use crate::Answer;
use crate::columns::{Align, Columns};
use crate::output::{self, bytes_text, grouped};
use crate::store_args::StoreArgs;

/// Measure making and asking the memory
///
/// Makes a synthetic archive, imports it into a temporary store, builds the index and asks it about
/// positions of its games, beside what McKee measured in 2014 on 261,080 games. With --existing
/// the store you have is asked instead, and nothing is imported.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Games of the synthetic archive; McKee had 261080
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(10..))]
    games: u64,

    /// Seed of the synthetic archive
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Ask the store given by --store instead
    #[arg(long, conflicts_with_all = ["games", "seed"])]
    existing: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench store
  hathi bench store --games 261080
  hathi bench store --existing --json";

/// One line of the report.
#[derive(Serialize)]
struct Line {
    what: String,
    hathi: String,
    seconds: f64,
    mckee: &'static str,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut lines = Vec::new();
    let folder = std::env::temp_dir().join(format!("hathi-bench-{}", std::process::id()));
    let result = if args.existing {
        args.store.open().and_then(|store| ask(&*store, &mut lines))
    } else {
        make_and_ask(args, &folder, &mut lines)
    };
    // Whatever happened, the temporary store goes.
    let _ = std::fs::remove_dir_all(&folder);
    result?;
    if args.json {
        let mut out = output::plain();
        output::json(&mut out, &lines)?;
        out.flush()?;
    } else {
        let mut out = output::styled();
        let mut table = Columns::new(&[
            ("what", Align::Left),
            ("Hathi", Align::Right),
            ("McKee 2014", Align::Right),
        ]);
        for line in lines {
            table.row([line.what, line.hathi, line.mckee.to_owned()]);
        }
        table.write(&mut out)?;
        out.flush()?;
    }
    Ok(Answer::Yes)
}

fn make_and_ask(
    args: &Args,
    folder: &std::path::Path,
    lines: &mut Vec<Line>,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let archive = folder.join("synthetic.txt");
    let started = Instant::now();
    let mut writer = ArchiveWriter::new(BufWriter::new(File::create(&archive)?))?;
    Synth::new(args.seed)
        .with_games(args.games)
        .write(&mut writer, 0, |_| {})?;
    writer.finish()?;
    let seconds = started.elapsed().as_secs_f64();
    let games = grouped(args.games as usize);
    push(lines, format!("{games} synthetic games made"), seconds, "-");

    let started = Instant::now();
    let mut store = Store::open(&folder.join("games.db"))?;
    let reader = ArchiveReader::open([&archive])?;
    let summary = store.import(reader, ImportOptions::default(), |_| {}, |_| true)?;
    let imported = started.elapsed().as_secs_f64();
    let positions = grouped(summary.positions as usize);
    push(
        lines,
        format!("imported, {positions} positions"),
        imported,
        "-",
    );
    let started = Instant::now();
    store.build_index(0, |_, _| {})?;
    let indexed = started.elapsed().as_secs_f64();
    push(lines, "index built".to_owned(), indexed, "-");
    push(
        lines,
        "from text to finished index".to_owned(),
        imported + indexed,
        "86 h (261,080 games)",
    );
    let database = std::fs::metadata(folder.join("games.db"))?.len();
    lines.push(Line {
        what: "database and index".to_owned(),
        hathi: format!(
            "{} + {}",
            bytes_text(database),
            bytes_text(store.index_state().bytes)
        ),
        seconds: 0.0,
        mckee: "-",
    });
    // From nothing in memory: what a first question costs.
    drop(store);
    let started = Instant::now();
    let store = Store::open(&folder.join("games.db"))?;
    push(
        lines,
        "opened".to_owned(),
        started.elapsed().as_secs_f64(),
        "-",
    );
    ask(&store, lines)
}

fn push(lines: &mut Vec<Line>, what: String, seconds: f64, mckee: &'static str) {
    lines.push(Line {
        what,
        hathi: time_text(seconds),
        seconds,
        mckee,
    });
}

fn time_text(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

/// Positions of games all over the store.
fn sample(store: &dyn Memory) -> anyhow::Result<Vec<Position>> {
    let last = store.totals()?.last_game;
    let mut positions = Vec::new();
    for i in 0..300 {
        let id = 1 + i * last / 300;
        if let Some(stored) = store.game(id)?
            && let Ok(game) = stored.moves.replay(stored.game.rules())
        {
            let playable = game.positions().iter().take(game.turns().len());
            positions.extend(playable.skip(i as usize % 7).step_by(7));
        }
    }
    anyhow::ensure!(!positions.is_empty(), "there are no positions to ask about");
    Ok(positions)
}

fn ask(store: &dyn Memory, lines: &mut Vec<Line>) -> anyhow::Result<()> {
    let positions = sample(store)?;
    let kind_of = |name: &str, i: usize| {
        let trap = Square::TRAPS[i % 4];
        match name {
            "full board" => Kind::Full,
            "half board" => Kind::Half,
            "area" => Kind::Area { trap },
            _ => Kind::AreaByPiece {
                trap,
                piece: Role::ALL[1 + i % 5],
            },
        }
    };
    for (name, mckee) in [
        ("full board", "1.28 s"),
        ("half board", "1.8 s"),
        ("area", "2.8 s"),
        ("area by piece", "20.03 s"),
    ] {
        // Once to bring it into memory, once to measure.
        for round in ["first", "again"] {
            let mut times = Vec::with_capacity(positions.len());
            for (i, position) in positions.iter().enumerate() {
                let started = Instant::now();
                let best = store.best(position, kind_of(name, i), Matching::Symmetric)?;
                times.push(started.elapsed().as_secs_f64());
                std::hint::black_box(best);
            }
            times.sort_by(f64::total_cmp);
            let (median, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
            if round == "again" {
                push(lines, format!("best hit, {name}: median"), median, mckee);
                push(lines, format!("best hit, {name}: 99 % within"), p99, "-");
            } else {
                push(
                    lines,
                    format!("best hit, {name}: slowest when first asked"),
                    times[times.len() - 1],
                    "-",
                );
            }
        }
    }
    common_position(store, lines)?;
    let started = Instant::now();
    let setups = store.setups(Side::Gold, None, false, &Filter::default(), 10)?;
    push(
        lines,
        format!("setups, {} kinds", grouped(setups.kinds as usize)),
        started.elapsed().as_secs_f64(),
        "656 s",
    );
    Ok(())
}

/// Everything played from the commonest half board: the one before the first
/// turn, which all games have.
fn common_position(store: &dyn Memory, lines: &mut Vec<Line>) -> anyhow::Result<()> {
    let Some(stored) = store.game(store.totals()?.last_game)? else {
        return Ok(());
    };
    let Ok(game) = stored.moves.replay(stored.game.rules()) else {
        return Ok(());
    };
    let start = game.positions()[0];
    let ask = || store.find(&start, Kind::Half, Matching::Symmetric, &Filter::default());
    ask()?;
    let started = Instant::now();
    let answer = ask()?;
    push(
        lines,
        format!(
            "statistics of {} hits, {} turns",
            grouped(answer.hits as usize),
            grouped(answer.turns.len())
        ),
        started.elapsed().as_secs_f64(),
        "-",
    );
    Ok(())
}
