//! `hathi learn evaluate`: how high a model ranks what was played.

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use hathi_learn::evaluate::{Measures, Protocol, Rank, Ranker, won_in_two};
use hathi_learn::lessons::Lesson;
use hathi_model::models::{Model, Unit};
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{grouped, rounded};
use serde::Serialize;

use super::lessons::LessonArgs;
use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::CountBar;
use crate::terminal::stop;

/// Measure how high a model ranks the turns that were played
///
/// For every turn of every game the model scores all distinct legal turns; the percentile of the
/// turn played is the share of turns not ranked above it. Use games the model was not trained on: the
/// model shipped has seen no game in which both players are rated 2100 or more.
///
/// Protocol `paper` (Choksi and others) takes every turn, and counts half of those with the same
/// score as higher. Protocol `wu` counts those scored strictly higher, and leaves out the first two
/// moves, the loser's last two, and positions that are won in two turns (as far as a quick search
/// finds out).
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A model file, or `shipped` for the one that comes with Hathi
    #[arg(long, value_name = "NAME|FILE", default_value = "shipped")]
    model: String,

    #[command(flatten)]
    lessons: LessonArgs,

    /// Which turns count, and how
    #[arg(long, value_name = "PROTOCOL", default_value = "wu")]
    protocol: ProtocolArg,

    /// Look at every Nth turn only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn evaluate --games allgames20*.txt --min-rating 2100
  hathi learn evaluate --games archives/ --min-rating 2100 --protocol paper --json | jq .top_5
  hathi learn evaluate --model mine.json --games allgames2002.txt --every 10";

/// How turns are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolArg {
    /// Choksi and others
    Paper,
    /// Wu
    Wu,
}

impl From<ProtocolArg> for Protocol {
    fn from(protocol: ProtocolArg) -> Protocol {
        match protocol {
            ProtocolArg::Paper => Protocol::Paper,
            ProtocolArg::Wu => Protocol::Wu,
        }
    }
}

/// The result, with stable keys.
#[derive(Serialize)]
struct Summary {
    model: String,
    trained_on: String,
    protocol: Protocol,
    games: usize,
    #[serde(flatten)]
    measures: Measures,
    /// Distinct turns of a position, on average.
    turns_per_position: f64,
    /// Listing and scoring all of them.
    ms_per_position: f64,
    by_move: Vec<Bucket>,
}

/// Ten moves of games.
#[derive(Serialize)]
struct Bucket {
    from: u32,
    to: u32,
    #[serde(flatten)]
    measures: Measures,
}

/// A model by name or file.
pub(crate) fn model(name: &str) -> anyhow::Result<Model> {
    let model = match name {
        "shipped" => Model::shipped(),
        file => Model::read(Path::new(file)),
    };
    let model = model.map_err(|error| BadInput::error(error.to_string()))?;
    if model.training.unit != Unit::Turn {
        return Err(BadInput::error(format!(
            "{name} ranks single steps; `hathi learn train --unit turn` makes a model of turns"
        )));
    }
    Ok(model)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let model = model(&args.model)?;
    let games = args.lessons.read()?;
    let protocol = Protocol::from(args.protocol);
    stop::listen();
    let lessons: Vec<&Lesson> = games
        .iter()
        .flat_map(|game| &game.lessons)
        .step_by(args.every as usize)
        .collect();
    let bar = CountBar::new("turns", lessons.len() as u64);
    let mut ranker = Ranker::default();
    let mut ranks = Vec::new();
    for (number, lesson) in lessons.iter().enumerate() {
        if stop::asked() {
            break;
        }
        if protocol.counts(lesson, won_in_two) {
            ranks.extend(ranker.rank(&model, lesson));
        }
        bar.show(number as u64 + 1);
    }
    drop(bar);
    let positions = ranker.positions.max(1) as f64;
    let turns: usize = ranks.iter().map(|rank| rank.turns).sum();
    let summary = Summary {
        model: args.model.clone(),
        trained_on: model.training.games.clone(),
        protocol,
        games: games.len(),
        measures: Measures::of(&ranks, protocol),
        turns_per_position: rounded(turns as f64 / positions, 1),
        ms_per_position: rounded(ranker.spent.as_secs_f64() * 1000.0 / positions, 3),
        by_move: buckets(&ranks, protocol),
    };
    output::show(args.json, &summary, |out| summary.write(out))?;
    Ok(if stop::asked() {
        Answer::Interrupted
    } else {
        Answer::Yes
    })
}

fn buckets(ranks: &[Rank], protocol: Protocol) -> Vec<Bucket> {
    let last = ranks.iter().map(|rank| rank.number).max().unwrap_or(0);
    (0..=last / 10)
        .filter_map(|ten| {
            let (from, to) = (ten * 10 + 1, ten * 10 + 10);
            let of = |rank: &&Rank| (from..=to).contains(&rank.number);
            let ranks: Vec<Rank> = ranks.iter().filter(of).copied().collect();
            (!ranks.is_empty()).then(|| Bucket {
                from,
                to,
                measures: Measures::of(&ranks, protocol),
            })
        })
        .collect()
}

impl Summary {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "Model {}, trained on {}", self.model, self.trained_on)?;
        writeln!(
            out,
            "{} turns of {} games by protocol {}; {:.0} turns to choose from, {:.1} ms\n",
            grouped(self.measures.positions),
            grouped(self.games),
            self.protocol.name(),
            self.turns_per_position,
            self.ms_per_position
        )?;
        let mut table = Columns::new(&HEADINGS);
        table.row(cells("all", &self.measures));
        for bucket in &self.by_move {
            let name = format!("{} to {}", bucket.from, bucket.to);
            table.row(cells(&name, &bucket.measures));
        }
        table.write(out)
    }
}

const HEADINGS: [(&str, Align); 8] = [
    ("moves", Align::Left),
    ("turns", Align::Right),
    ("mean", Align::Right),
    ("median", Align::Right),
    ("top 1 %", Align::Right),
    ("top 5 %", Align::Right),
    ("top 10 %", Align::Right),
    ("top 20 %", Align::Right),
];

fn cells(name: &str, measures: &Measures) -> Vec<String> {
    let mut cells = vec![name.to_owned(), grouped(measures.positions)];
    cells.extend(
        [
            measures.mean_percentile,
            measures.median_percentile,
            measures.top_1,
            measures.top_5,
            measures.top_10,
            measures.top_20,
        ]
        .map(|number| format!("{number:.1}")),
    );
    cells
}
