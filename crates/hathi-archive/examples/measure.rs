//! Figures of an archive, and how fast it is made, read and replayed.
//!
//! ```text
//! cargo run --release -p hathi-archive --example measure -- synth 20000 /tmp/synth.txt
//! cargo run --release -p hathi-archive --example measure -- read /tmp/synth.txt
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::Instant;

use hathi_archive::{ArchiveError, ArchiveReader, ArchiveWriter, Replayer, Synth};
use hathi_rules::{Setup, Termination};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["synth", games, file] => synth(games.parse()?, file),
        ["read", ref files @ ..] if !files.is_empty() => read(files),
        _ => Err("usage: measure synth GAMES FILE | measure read FILE...".into()),
    }
}

fn synth(games: u64, file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut writer = ArchiveWriter::create(file)?;
    Synth::new(1)
        .with_games(games)
        .write(&mut writer, 0, |_| {})?;
    writer.finish()?.close()?;
    report("synth", games, start);
    Ok(())
}

#[allow(clippy::cast_precision_loss)]
fn report(what: &str, games: u64, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{what:20} {games:8} games {seconds:8.3} s {:10.0} games/s",
        games as f64 / seconds
    );
}

/// What a replay says about a game.
struct Figures {
    positions: usize,
    takebacks: usize,
    captures: u32,
    setup_text: u64,
    setup: Option<Setup>,
    end: String,
    fault: Option<String>,
}

fn read(files: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let (mut rows, mut bytes) = (0, 0);
    let _ = ArchiveReader::open(files)?.for_each(|row| {
        match row {
            Ok(row) => {
                rows += 1;
                bytes += row.line().len();
            }
            Err(error) => println!("{error}"),
        }
        ControlFlow::<()>::Continue(())
    });
    report("read", rows, start);
    println!("{bytes} bytes");

    let start = Instant::now();
    let mut names = 0;
    let _ = ArchiveReader::open(files)?.for_each(|row| {
        names += row.map_or(0, |row| row.to_game().players.gold.name.len());
        ControlFlow::<()>::Continue(())
    });
    report("read to games", rows, start);

    for threads in [1, 2] {
        let start = Instant::now();
        let mut positions = 0;
        let _ = ArchiveReader::open(files)?.for_each_parallel(
            threads,
            Replayer::new,
            |replayer, row| row.map_or(0, |row| replayer.replay(&row).game.positions().len()),
            |n| {
                positions += n;
                ControlFlow::<()>::Continue(())
            },
        );
        report(&format!("replay, {threads} threads"), rows, start);
        println!("{positions} positions");
    }

    let mut games = Vec::new();
    let _ = ArchiveReader::open(files)?.for_each_parallel(
        0,
        Replayer::new,
        |replayer, row| row.map(|row| figures(replayer, &row)),
        |result: Result<Figures, ArchiveError>| {
            games.extend(result);
            ControlFlow::<()>::Continue(())
        },
    );
    print_figures(&games);
    Ok(())
}

fn figures(replayer: &mut Replayer, row: &hathi_archive::RawRow<'_>) -> Figures {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    let moves = row.movelist();
    moves[..moves.iter().position(|&c| c == b'\\').unwrap_or(0)].hash(&mut hasher);
    let replayed = replayer.replay(row);
    Figures {
        positions: replayed.game.positions().len(),
        takebacks: replayed.takebacks,
        captures: 32 - replayed.game.position().board().occupied().len().min(32),
        setup_text: hasher.finish(),
        setup: replayed.setups().gold,
        end: format!(
            "{} {:?}",
            row.termination().map_or('-', Termination::to_char),
            replayed.agreement
        ),
        fault: replayed.fault.map(|fault| format!("{}: {fault}", row.id())),
    }
}

#[allow(clippy::cast_precision_loss)]
fn print_figures(games: &[Figures]) {
    let n = games.len() as f64;
    let mean = |f: &dyn Fn(&Figures) -> f64| games.iter().map(f).sum::<f64>() / n;
    println!("positions a game     {:.2}", mean(&|g| g.positions as f64));
    println!("captures a game      {:.2}", mean(&|g| g.captures.into()));
    println!("takebacks a game     {:.4}", mean(&|g| g.takebacks as f64));
    let texts: HashSet<u64> = games.iter().map(|g| g.setup_text).collect();
    let mut setups: HashMap<Setup, u32> = HashMap::new();
    for setup in games.iter().filter_map(|g| g.setup) {
        *setups.entry(setup).or_default() += 1;
    }
    println!(
        "gold setups          {} as written, {} kinds",
        texts.len(),
        setups.len()
    );
    let mut ends: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for game in games {
        let entry = ends.entry(&game.end).or_default();
        entry.0 += 1;
        entry.1 += game.positions;
    }
    for (end, (count, positions)) in ends {
        let (share, length) = (100.0 * count as f64 / n, positions as f64 / count as f64);
        println!("{end:20} {count:8} {share:6.2} %  {length:6.1} positions");
    }
    let faults: Vec<_> = games.iter().filter_map(|g| g.fault.as_ref()).collect();
    println!("faults               {}", faults.len());
    for fault in faults.iter().take(5) {
        println!("  {fault}");
    }
}
