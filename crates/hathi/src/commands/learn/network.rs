//! `hathi learn network`: an evaluation network from positions with scores.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hathi_learn::network::{
    Agreement, Lesson, Progress, ResultCurve, Settings, Trainer, agreement, read_scored,
};
use hathi_learn::selfplay::Games;
use hathi_model::drawing::grouped;
use hathi_model::network::{About, Network};
use serde::Serialize;

use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::IndexBar;
use crate::terminal::stop;

/// Train the evaluation network of the engine hathi, or measure one
///
/// Learns from games of `hathi learn selfplay`, from tables of positions scored by another program
/// (--scored: tab-separated columns side, board, score in thousandths of a rabbit; .gz or plain), or
/// from both. Whole games are kept apart for checking; the mean squared error of the chance to win
/// is shown after every epoch, for what was learned and for what was kept apart. The file written
/// says what it was trained on. The same data, seed and number of threads give the same network.
///
/// With --measure no network is trained; the one named is compared with the tables of --scored.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files of self-play
    #[arg(value_name = "FILE")]
    games: Vec<PathBuf>,

    /// Tables of scored positions
    #[arg(long, value_name = "TABLE", num_args = 1..)]
    scored: Vec<PathBuf>,

    /// How much the result of a game counts beside the score of the search, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    results: f32,

    /// Learn further from this network ("shipped" for the one shipped) instead of from nothing
    ///
    /// What it learned from stays in it, though its positions are at hand no more; a lower --rate
    /// keeps more of it.
    #[arg(long, value_name = "NETWORK", conflicts_with = "measure")]
    from: Option<PathBuf>,

    /// Times through all positions
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,

    /// The learning rate at the start; it falls to a hundredth of it
    #[arg(long, value_name = "X", default_value_t = 0.002, value_parser = positive)]
    rate: f32,

    /// Weight decay, 0 to 100: the fewer positions, the more
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = decay)]
    decay: f32,

    /// With --from: hold on to what the network knew, 0 to 100
    ///
    /// Pulls the numbers of the first layer towards what they were; --decay is left for units that
    /// were dead. The fewer the positions beside those of before, the more; 40 did well for two
    /// to three million after twelve.
    #[arg(long, value_name = "X", value_parser = decay, requires = "from")]
    hold: Option<f32>,

    /// Positions between two updates
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// What to call the network
    #[arg(long, value_name = "NAME", default_value = "unnamed")]
    name: String,

    /// Where the network goes
    #[arg(short, long, value_name = "FILE", required_unless_present = "measure")]
    output: Option<PathBuf>,

    /// Measure this network instead ("shipped" for the one shipped)
    #[arg(long, value_name = "NETWORK", conflicts_with = "output")]
    measure: Option<PathBuf>,

    /// Make the mean of these networks instead, which learned further from the same one
    ///
    /// What each learned by heart differs and fades; what all learned stays. Where dead units were
    /// woken, they must have learned with the same --seed.
    #[arg(long, value_name = "NETWORK", num_args = 2.., conflicts_with_all = ["measure", "from", "scored", "games"])]
    mean: Vec<PathBuf>,

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn network games.hsp more.hsp --name mine -o mine.net
  hathi learn network --scored positions.tsv.gz --epochs 20 -o taught.net
  hathi learn network new.hsp --from mine.net --hold 40 --rate 0.001 -o better.net
  hathi learn network --mean one.net other.net --name both -o mean.net
  hathi learn network --measure mine.net --scored positions.tsv.gz
  hathi arena hathi:network=mine.net hathi --games 200 --sprt 0,20 --time 0.1";

/// How large the error is on games that were not learned from.
fn on_checked(error: Option<f64>) -> String {
    error.map_or_else(
        || "too few games to keep any apart".to_owned(),
        |error| format!("{error:.6} on games kept apart"),
    )
}

pub(super) fn positive(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) && number > 0.0 => Ok(number),
        _ => Err("expected a number above 0, up to 1".to_owned()),
    }
}

pub(super) fn decay(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(decay) if (0.0..=100.0).contains(&decay) => Ok(decay),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

#[derive(Serialize)]
struct TrainedNetwork {
    network: String,
    positions: usize,
    epochs: u32,
    trained: f64,
    /// Null if no game was kept apart.
    checked: Option<f64>,
    tempo: f32,
}

#[derive(Serialize)]
struct Measured {
    network: String,
    name: String,
    data: String,
    positions: usize,
    error: f64,
    spread: f64,
    rank_correlation: f64,
}

#[derive(Serialize)]
struct Mean {
    network: String,
    of: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    if !args.mean.is_empty() {
        return mean(args);
    }
    let lessons = read(args)?;
    if lessons.is_empty() {
        return Err(BadInput::error(
            "no positions: name files of `hathi learn selfplay`, or a table with --scored",
        ));
    }
    match &args.measure {
        Some(path) => measure(args, path, &lessons),
        None => train(args, &lessons),
    }
}

fn read(args: &Args) -> anyhow::Result<Vec<Lesson>> {
    let mut lessons = Vec::new();
    for path in &args.scored {
        lessons.extend(read_scored(path).map_err(|error| BadInput::error(error.to_string()))?);
    }
    // Numbers of games that no table uses.
    let mut number = u32::MAX / 2;
    let results = if args.results > 0.0 {
        results_of(&args.games)?
    } else {
        ResultCurve::fit(&[])
    };
    for path in &args.games {
        let mut games = open(path)?;
        while let Some(game) = games.next_game() {
            Lesson::of_game(&game, number, results, args.results, &mut lessons);
            number += 1;
        }
    }
    Ok(lessons)
}

pub(super) fn open(path: &Path) -> anyhow::Result<Games> {
    Games::open(path).map_err(|error| BadInput::error(error.to_string()))
}

/// A network by its file; "shipped" is the one shipped.
pub(super) fn named(path: &Path) -> anyhow::Result<Network> {
    let network = if path.as_os_str() == "shipped" {
        Network::shipped().cloned()
    } else {
        Network::open(path)
    };
    network.map_err(|error| BadInput::error(error.to_string()))
}

/// How often games are won from a score.
fn results_of(paths: &[PathBuf]) -> anyhow::Result<ResultCurve> {
    let mut scores = Vec::new();
    for path in paths {
        let mut games = open(path)?;
        while let Some(game) = games.next_game() {
            let Some(winner) = game.winner else { continue };
            let positions = game.positions[game.chosen_to_the_end()..].iter();
            scores.extend(positions.map(|position| (position.score, position.side == winner)));
        }
    }
    let results = ResultCurve::fit(&scores);
    output::note(&format!(
        "odds to win by results are those of scores {:.2} times as large, over {} positions",
        results.steepness(),
        grouped(scores.len())
    ));
    Ok(results)
}

/// Where the network goes.
fn output_of(args: &Args) -> anyhow::Result<&Path> {
    args.output
        .as_deref()
        .ok_or_else(|| BadInput::error("name a file for the network with -o"))
}

fn train(args: &Args, lessons: &[Lesson]) -> anyhow::Result<Answer> {
    let output = output_of(args)?;
    let settings = Settings {
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.rate,
        decay: args.decay,
        hold: args.hold,
        seed: args.seed,
        threads: usize::from(args.threads),
        ..Settings::default()
    };
    stop::listen();
    let from = args.from.as_deref().map(named).transpose()?;
    let mut trainer = match &from {
        Some(network) => Trainer::from_network(settings.clone(), network),
        None => Trainer::new(settings.clone()),
    };
    let bar = IndexBar::named("training");
    let mut last = None;
    trainer.train(lessons, &mut |progress| {
        match progress {
            Progress::Within { epoch, done, of } => {
                let done = f64::from(epoch - 1) + done as f64 / of.max(1) as f64;
                bar.show(&format!("epoch {epoch}"), done / f64::from(args.epochs));
            }
            Progress::Done(epoch) => {
                bar.pause(|| {
                    output::note(&format!(
                        "epoch {}: error {:.6} on what was learned, {}",
                        epoch.number,
                        epoch.trained,
                        on_checked(epoch.checked)
                    ));
                });
                last = Some(epoch);
            }
        }
        if stop::asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    drop(bar);
    if stop::asked() {
        output::note("stopped; no network was written");
        return Ok(Answer::Interrupted);
    }
    let names = |paths: &[PathBuf]| -> Vec<String> {
        let name = |path: &PathBuf| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        paths.iter().filter_map(name).collect()
    };
    let data = [names(&args.scored), names(&args.games)]
        .concat()
        .join(", ");
    let mut about = About {
        name: args.name.clone(),
        data,
        settings: format!("{settings:?}, results {}", args.results),
        positions: lessons.len() as u64,
    };
    if let Some(before) = from.map(|network| network.about) {
        // What it learned before is what it was trained on, too.
        let About { name, data, .. } = before;
        about.data = format!("{}; before that, as {name}: {data}", about.data);
        about.settings = format!("{}; before that: {}", about.settings, before.settings);
        about.positions += before.positions;
    }
    let network = trainer.network(about);
    let bytes = network.to_bytes()?;
    std::fs::write(output, bytes)
        .map_err(|error| BadInput::error(format!("{}: {error}", output.display())))?;
    let last = last.unwrap_or_default();
    let trained = TrainedNetwork {
        network: output.display().to_string(),
        positions: lessons.len(),
        epochs: last.number,
        trained: last.trained,
        checked: last.checked,
        tempo: trainer.tempo(),
    };
    output::show(args.json, &trained, |out| {
        writeln!(
            out,
            "{}: {} positions, error {}; being on move is worth {:.0} hundredths of a rabbit",
            trained.network,
            grouped(trained.positions),
            on_checked(trained.checked),
            trained.tempo
        )
    })?;
    Ok(Answer::Yes)
}

/// The mean of networks that learned further from the same one.
fn mean(args: &Args) -> anyhow::Result<Answer> {
    let networks = args
        .mean
        .iter()
        .map(|path| named(path))
        .collect::<anyhow::Result<Vec<Network>>>()?;
    let (data, data_before) = joined(&networks, |about| &about.data)?;
    let (settings, settings_before) = joined(&networks, |about| &about.settings)?;
    let Some(mut network) = Network::mean(networks) else {
        return Err(BadInput::error("name two networks or more with --mean"));
    };
    let count = args.mean.len();
    network.about.name.clone_from(&args.name);
    network.about.data = format!("mean of {count}: {data}{data_before}");
    network.about.settings = format!("mean of {count}: {settings}{settings_before}");
    let output = output_of(args)?;
    std::fs::write(output, network.to_bytes()?)
        .map_err(|error| BadInput::error(format!("{}: {error}", output.display())))?;
    let made = Mean {
        network: output.display().to_string(),
        of: count,
    };
    output::show(args.json, &made, |out| {
        writeln!(out, "{}: the mean of {} networks", made.network, made.of)
    })?;
    Ok(Answer::Yes)
}

/// What is told about some networks, one after the other, and what was before that, the same for all.
fn joined(networks: &[Network], told: fn(&About) -> &String) -> anyhow::Result<(String, String)> {
    let parts: Vec<(&str, &str)> = networks
        .iter()
        .map(|network| {
            let told = told(&network.about);
            told.split_at(told.find("; before that").unwrap_or(told.len()))
        })
        .collect();
    let before = parts.first().map_or("", |(_, before)| before);
    if before.is_empty() || parts.iter().any(|(_, other)| *other != before) {
        return Err(BadInput::error(
            "only networks that learned further from the same one (--from) have a mean: units of others have \
             nothing to do with each other",
        ));
    }
    let own: Vec<&str> = parts.iter().map(|(own, _)| *own).collect();
    Ok((own.join(" | "), before.to_owned()))
}

fn measure(args: &Args, path: &std::path::Path, lessons: &[Lesson]) -> anyhow::Result<Answer> {
    let network = named(path)?;
    let Agreement {
        positions,
        error,
        spread,
        rank_correlation,
    } = agreement(&network, lessons);
    let measured = Measured {
        network: path.display().to_string(),
        name: network.about.name.clone(),
        data: network.about.data.clone(),
        positions,
        error,
        spread,
        rank_correlation,
    };
    output::show(args.json, &measured, |out| {
        writeln!(
            out,
            "{} ({}), trained on {}",
            measured.network, measured.name, measured.data
        )?;
        writeln!(
            out,
            "{} positions: mean squared error {error:.6} (of a spread of {spread:.6}), rank correlation {rank_correlation:.4}",
            grouped(positions)
        )
    })?;
    Ok(Answer::Yes)
}
