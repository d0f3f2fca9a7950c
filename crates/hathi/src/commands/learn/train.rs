//! `hathi learn train`: a model from games.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use hathi_learn::lessons::read_selfplay;
use hathi_learn::pipeline::Pipeline;
use hathi_learn::samples::{Drawing, Sampling};
use hathi_learn::train::Recipe;
use hathi_model::features::GROUPS;
use hathi_model::models::{Method, Phases, Unit};
use hathi_view::numbers::counted;
use serde::Serialize;

use super::lessons::{self, LessonArgs};
use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::stop;
use crate::terminal::watcher::Terminal;

/// Train a model that ranks turns, or steps, by what was played in games
///
/// Of every turn played, the features (see `hathi learn features`) are set against those of a sample
/// of the other legal turns. The method finds weights for the features; the model is a file with the
/// weights, the list of features, the games and the seed. The same games and seed give the same file.
///
/// With --phases hard or blended there are weights for the opening, the middle game and the end game.
/// With --hidden a layer of cells sees the features of a turn and the board together.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // so are flags
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    lessons: LessonArgs,

    /// More archives, whose games count whatever the ratings
    #[arg(long, value_name = "ARCHIVE", num_args = 1..)]
    also: Vec<PathBuf>,

    /// More archives, whose games count and are emphasized whatever the ratings
    #[arg(long, value_name = "ARCHIVE", num_args = 1..)]
    people: Vec<PathBuf>,

    /// Files of `hathi learn selfplay`, whose turns count, too
    #[arg(long, value_name = "FILE", num_args = 1..)]
    selfplay: Vec<PathBuf>,

    /// Take every Nth turn of self-play only
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..), requires = "selfplay")]
    selfplay_every: u32,

    /// Go through the games of --games and --people N times for once through the others
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    emphasis: u32,

    /// Of --games the emphasis is only for those with both players rated N or more
    #[arg(long, value_name = "N", requires = "emphasis")]
    emphasis_rating: Option<i32>,

    /// How weights are found
    #[arg(long, value_name = "METHOD", default_value = "bradley-terry")]
    method: MethodArg,

    /// One set of weights, or one a phase
    #[arg(long, value_name = "PHASES", default_value = "blended")]
    phases: PhasesArg,

    /// What is ranked: whole turns, or single steps as the search needs them
    #[arg(long, value_name = "UNIT", default_value = "turn")]
    unit: UnitArg,

    /// Add a hidden layer, for bradley-terry on whole turns: better with some hundred games,
    /// --hard 100, --restraint 300 and --rounds 2
    #[arg(long)]
    hidden: bool,

    /// Train N hidden layers, each from a random seed of its own, and take their mean
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8), requires = "hidden")]
    layers: u32,

    /// Look at what comes of a turn, too: what the evaluation network makes of it, which pieces
    /// can be captured next, and how likely the network of steps finds it. Scoring turns takes
    /// four times as long
    #[arg(long)]
    outlook: bool,

    /// Only the features the paper had
    #[arg(long)]
    paper_features: bool,

    /// Do not use these groups of features
    #[arg(long, value_name = "GROUP", value_delimiter = ',')]
    without: Vec<String>,

    /// Other turns drawn by chance for each that was played
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    others: u32,

    /// Train twice: the second time also against the N turns the first model likes best
    #[arg(long, value_name = "N", default_value_t = 0)]
    hard: u32,

    /// Look for these among N turns drawn by chance only; saves time
    #[arg(long, value_name = "N", requires = "hard", value_parser = clap::value_parser!(u32).range(1..))]
    pool: Option<u32>,

    /// Times through all turns
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// How strongly weights are drawn to zero; more for fewer games
    #[arg(long, value_name = "X", default_value_t = 2.0)]
    restraint: f32,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Where the model goes
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn train --games allgames-sharp.txt -o sharp.json
  hathi learn train --games allgames20*.txt --min-rating 2100 --method bayes --phases one \\
      --paper-features -o paper.json
  hathi learn train --games allgames-sharp.txt --unit step -o steps.json
  hathi learn train --also allgames-sharp.txt --games allgames20*.txt --below-rating 2100 \\
      --people games-found.txt --emphasis 5 --emphasis-rating 1500 --hidden --layers 3 --outlook \\
      --others 120 --hard 120 --pool 2500 --restraint 500 --rounds 2 -o turns.json
  hathi learn evaluate --model sharp.json --games allgames20*.txt --min-rating 2100";

/// How weights are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodArg {
    /// Naive Bayes
    Bayes,
    /// Logistic regression
    Logistic,
    /// A linear support vector machine
    Svm,
    /// The turn played won against all others (Coulom, Wu)
    BradleyTerry,
}

/// One set of weights or three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PhasesArg {
    /// The same weights throughout
    One,
    /// Those of the phase by cut-offs
    Hard,
    /// Mixed by how likely each phase is
    Blended,
}

/// What is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UnitArg {
    /// Whole turns
    Turn,
    /// Single steps
    Step,
}

impl Args {
    fn recipe(&self) -> anyhow::Result<Recipe> {
        if let Some(name) = self
            .without
            .iter()
            .find(|name| !GROUPS.iter().any(|group| group.name == name.as_str()))
        {
            return Err(BadInput::error(format!(
                "there is no group of features {name:?}; `hathi learn features` lists them"
            )));
        }
        let method = match self.method {
            MethodArg::Bayes => Method::Bayes,
            MethodArg::Logistic => Method::Logistic,
            MethodArg::Svm => Method::Svm,
            MethodArg::BradleyTerry => Method::BradleyTerry,
        };
        let phases = match self.phases {
            PhasesArg::One => Phases::One,
            PhasesArg::Hard => Phases::Hard,
            PhasesArg::Blended => Phases::Blended,
        };
        let mut recipe = Recipe::new(method, phases);
        if self.paper_features {
            recipe = recipe.with_paper_features();
        }
        recipe.without.extend(self.without.iter().cloned());
        recipe.unit = match self.unit {
            UnitArg::Turn => Unit::Turn,
            UnitArg::Step => Unit::Step,
        };
        recipe.layers = if self.hidden { self.layers } else { 0 };
        if self.hidden && (recipe.method, recipe.unit) != (Method::BradleyTerry, Unit::Turn) {
            return Err(BadInput::error(
                "--hidden goes with --method bradley-terry and --unit turn only",
            ));
        }
        if self.outlook && recipe.unit == Unit::Step {
            return Err(BadInput::error("--outlook goes with --unit turn only"));
        }
        if !self.selfplay.is_empty() && recipe.unit == Unit::Step {
            return Err(BadInput::error(
                "--selfplay goes with --unit turn only: such files keep boards, not steps",
            ));
        }
        recipe.rounds = self.rounds;
        recipe.restraint = self.restraint;
        recipe.seed = self.seed;
        recipe.games = lessons::names(&self.also)
            .into_iter()
            .chain(lessons::names(&self.selfplay))
            .chain(lessons::names(&self.people))
            .chain([self.lessons.describe()])
            .collect::<Vec<String>>()
            .join("; ");
        Ok(recipe)
    }

    fn drawing(&self) -> Drawing {
        Drawing {
            random: self.others as usize,
            best: self.hard as usize,
            pool: self.pool.map_or(usize::MAX, |pool| pool as usize),
            outlook: self.outlook,
        }
    }
}

#[derive(Serialize)]
struct Summary {
    model: String,
    games: usize,
    positions: usize,
    features: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let recipe = args.recipe()?;
    let mut games = if args.also.is_empty() {
        Vec::new()
    } else {
        lessons::read(&args.also, |_| true)?
    };
    let rating = args.emphasis_rating.unwrap_or(i32::MIN);
    let [plain, mut emphasized] = args.lessons.read_apart(rating)?;
    games.extend(plain);
    if !args.people.is_empty() {
        emphasized.extend(lessons::read(&args.people, |_| true)?);
    }
    for file in &args.selfplay {
        games.extend(
            read_selfplay(file, args.selfplay_every)
                .map_err(|error| BadInput::error(error.to_string()))?,
        );
    }
    stop::listen();
    let pipeline = Pipeline {
        sampling: Sampling {
            unit: recipe.unit,
            drawing: args.drawing(),
            seed: args.seed,
        },
        recipe,
        emphasis: args.emphasis,
    };
    let model = pipeline.run(&games, &emphasized, &Terminal);
    let Some(model) = model.filter(|_| !stop::asked()) else {
        output::note("stopped; no model was written");
        return Ok(Answer::Interrupted);
    };
    model
        .write(&args.output)
        .map_err(|error| BadInput::error(error.to_string()))?;
    let summary = Summary {
        model: args.output.display().to_string(),
        games: model.training.game_count,
        positions: model.training.positions,
        features: hathi_model::features::FEATURES,
    };
    output::show(args.json, &summary, |out| {
        writeln!(
            out,
            "{}: {} {} of {}, {} features",
            summary.model,
            counted(summary.positions, "choice"),
            pipeline.recipe.method.name(),
            counted(summary.games, "game"),
            summary.features
        )
    })?;
    Ok(Answer::Yes)
}
