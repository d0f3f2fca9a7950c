//! `hathi learn steps`: which steps a search should try first.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hathi_learn::steps::{
    Foresight, StepLesson, StepProgress, StepSettings, StepTrainer, by_model, by_network,
};
use hathi_model::drawing::grouped;
use hathi_model::models::Model;
use hathi_model::steps::{AboutSteps, StepNetwork};
use serde::Serialize;

use super::network::{decay, named, open, positive};
use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::IndexBar;
use crate::terminal::stop;

/// Train the network that says which steps a search should try first
///
/// Learns from the turns chosen in games of `hathi learn selfplay`: at each point of a turn, which
/// steps lead to the board it ended on. The engine hathi tries steps in this order, and most of those
/// that come late never. Whole games are kept apart for checking: how often the likeliest step is
/// right, and how surprised the order is on average (minus the logarithm of the chance it gave to
/// what was right), beside the model of steps that other engines go by.
///
/// With --measure nothing is learned; the network named is measured on all games.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files of self-play
    #[arg(value_name = "FILE", required = true)]
    games: Vec<PathBuf>,

    /// The evaluation network whose first layer it begins with ("shipped" for the one shipped)
    #[arg(long, value_name = "NETWORK", default_value = "shipped")]
    network: PathBuf,

    /// Learn further from this network of steps ("shipped" for the one shipped) instead of from nothing
    ///
    /// What it learned from stays in it, though its games are at hand no more; a lower --rate keeps
    /// more of it.
    #[arg(long, value_name = "NETWORK", conflicts_with = "network")]
    from: Option<PathBuf>,

    /// Times through all turns
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,

    /// The learning rate at the start; it falls to a hundredth of it
    #[arg(long, value_name = "X", default_value_t = 0.015, value_parser = positive)]
    rate: f32,

    /// Weight decay, 0 to 100: the fewer turns, the more
    #[arg(long, value_name = "X", default_value_t = 0.3, value_parser = decay)]
    decay: f32,

    /// With --from: hold on to what the network knew, 0 to 100, instead of --decay
    #[arg(long, value_name = "X", value_parser = decay, requires = "from", conflicts_with = "decay")]
    hold: Option<f32>,

    /// Points between two updates
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..))]
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

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn selfplay games.hsp --games 20000 --random-turns 0
  hathi learn steps games.hsp --name mine -o mine.steps
  hathi learn steps more-games.hsp --from shipped --rate 0.003 -o further.steps
  hathi learn steps other-games.hsp --measure mine.steps
  hathi arena hathi:ordering=mine.steps hathi --games 200 --sprt 0,20 --time 0.1";

#[derive(Serialize)]
struct Summary {
    network: String,
    points: usize,
    kept_apart: usize,
    order: Measured,
    model_of_steps: Measured,
}

#[derive(Serialize)]
struct Measured {
    surprise: f64,
    first: f64,
    in_three: f64,
    in_six: f64,
}

impl From<Foresight> for Measured {
    fn from(foresight: Foresight) -> Measured {
        let Foresight {
            surprise,
            first,
            in_three,
            in_six,
            ..
        } = foresight;
        Measured {
            surprise,
            first,
            in_three,
            in_six,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let bar = IndexBar::named("reading");
    let Some(lessons) = read(&args.games, args.seed, &bar)? else {
        drop(bar);
        output::note("stopped; nothing was written");
        return Ok(Answer::Interrupted);
    };
    drop(bar);
    if lessons.is_empty() {
        return Err(BadInput::error(
            "no turns in these games: name files of `hathi learn selfplay` with whole turns",
        ));
    }
    let settings = StepSettings {
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.rate,
        decay: args.decay,
        hold: args.hold,
        seed: args.seed,
        threads: usize::from(args.threads),
        ..StepSettings::default()
    };
    let (network, apart): (StepNetwork, Vec<&StepLesson>) = if let Some(path) = &args.measure {
        (named_steps(path)?, lessons.iter().collect())
    } else {
        let from = args.from.as_deref().map(named_steps).transpose()?;
        let mut trainer = match &from {
            Some(network) => StepTrainer::from_steps(network, settings.clone()),
            None => StepTrainer::new(&named(&args.network)?, settings.clone()),
        };
        if !train(args, &mut trainer, &lessons) {
            output::note("stopped; nothing was written");
            return Ok(Answer::Interrupted);
        }
        let mut about = AboutSteps {
            name: args.name.clone(),
            data: names(&args.games),
            settings: format!("{settings:?}"),
            points: lessons.len() as u64,
        };
        if let Some(before) = from.map(|network| network.about) {
            // What it learned before is what it was trained on, too.
            let AboutSteps { name, data, .. } = before;
            about.data = format!("{}; before that, as {name}: {data}", about.data);
            about.settings = format!("{}; before that: {}", about.settings, before.settings);
            about.points += before.points;
        }
        let apart = lessons.iter().filter(|lesson| trainer.is_apart(lesson));
        (trainer.network(about), apart.collect())
    };
    let order = by_network(&network, apart.iter().copied());
    let model = by_model(&Model::shipped_steps()?, apart.iter().copied());
    if let Some(output) = &args.output {
        std::fs::write(output, network.to_bytes()?)
            .map_err(|error| BadInput::error(format!("{}: {error}", output.display())))?;
    }
    let written = args.output.as_ref().or(args.measure.as_ref());
    let written = written.map(|path| path.display().to_string());
    let summary = Summary {
        network: written.unwrap_or_default(),
        points: lessons.len(),
        kept_apart: apart.len(),
        order: order.into(),
        model_of_steps: model.into(),
    };
    output::show(args.json, &summary, |out| {
        writeln!(
            out,
            "{}: {} points of turns, {} measured",
            summary.network,
            grouped(summary.points),
            grouped(summary.kept_apart)
        )?;
        for (name, measured) in [
            ("order of steps", &summary.order),
            ("model of steps", &summary.model_of_steps),
        ] {
            let percent = |share: f64| 100.0 * share;
            writeln!(
                out,
                "{name}: surprise {:.3}, right at once {:.1} %, in the first three {:.1} %, in the first six {:.1} %",
                measured.surprise,
                percent(measured.first),
                percent(measured.in_three),
                percent(measured.in_six)
            )?;
        }
        Ok(())
    })?;
    Ok(Answer::Yes)
}

fn names(paths: &[PathBuf]) -> String {
    let names = paths.iter().filter_map(|path| path.file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    names.join(", ")
}

/// The lessons of all games; none if it was stopped.
fn read(paths: &[PathBuf], seed: u64, bar: &IndexBar) -> anyhow::Result<Option<Vec<StepLesson>>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut lessons = Vec::new();
    let mut number = 0;
    for path in paths {
        let mut games = open(path)?;
        let name = shown(path);
        let bytes = std::fs::metadata(path).map_or(1, |file| file.len().max(1));
        while let Some(game) = games.next_game() {
            if number % 64 == 0 {
                bar.show(&name, games.read_so_far() as f64 / bytes as f64);
                if stop::asked() {
                    return Ok(None);
                }
            }
            StepLesson::of_game(&game, number, &mut random, &mut lessons);
            number += 1;
        }
    }
    Ok(Some(lessons))
}

fn shown(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// A network of steps by its file; "shipped" is the one shipped.
fn named_steps(path: &Path) -> anyhow::Result<StepNetwork> {
    if path.as_os_str() == "shipped" {
        return Ok(StepNetwork::shipped()?.clone());
    }
    let fail = |why: String| BadInput::error(format!("{}: {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
    StepNetwork::read(&bytes).map_err(|error| fail(error.to_string()))
}

/// True unless it was stopped.
fn train(args: &Args, trainer: &mut StepTrainer, lessons: &[StepLesson]) -> bool {
    let bar = IndexBar::named("training");
    trainer.train(lessons, &mut |progress| {
        match progress {
            StepProgress::Within { epoch, done, of } => {
                let done = f64::from(epoch - 1) + done as f64 / of.max(1) as f64;
                bar.show(&format!("epoch {epoch}"), done / f64::from(args.epochs));
            }
            StepProgress::Done(epoch) => bar.pause(|| {
                output::note(&format!(
                    "epoch {}: surprise {:.4} on what was learned",
                    epoch.number, epoch.learned
                ));
            }),
        }
        if stop::asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    drop(bar);
    !stop::asked()
}
