//! `hathi learn margins`: how selective the search should be, found by games.

use std::io::Write;
use std::path::PathBuf;

use hathi_arena::{Knob, TuneError, Tuning};
use hathi_view::numbers::counted;
use serde::Serialize;

use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::CountBar;
use crate::terminal::stop;

/// Tune margins of the search by games (SPSA)
///
/// In every round all numbers move a little up or down by chance, the engine with these plays the
/// one with the opposite moves, and all of them follow the winner, less and less far. A few hundred
/// rounds with a dozen numbers are a beginning; whether what comes out is any better only a match
/// tells, which is printed as a command, and one against engines of another make.
///
/// The rounds are kept in FILE, a line of JSON each. Ctrl-C loses nothing but the round on the board:
/// the same command resumes, and more --rounds go on.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where the rounds go; if it is there already, tuning resumes
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// A number to find: where to begin, how far to move it, and what it never falls below; with a
    /// reach of 0 it stays
    #[arg(
        long,
        value_name = "NAME:START:REACH[:LEAST]",
        num_args = 1..,
        required = true
    )]
    tune: Vec<Knob>,

    /// How many rounds the file shall hold
    #[arg(long, value_name = "N", default_value_t = 200)]
    rounds: u64,

    /// Games of a round; an even number, as colours change
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,

    /// Who plays, as in `hathi arena`, without margins
    #[arg(long, value_name = "ENGINE", default_value = "hathi:hash=8")]
    engine: String,

    /// Positions to look at for each turn
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Print what came out as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn margins rounds.jsonl --tune ahead:65:20:10 tries:2:1:1 reduction:50:20
  hathi learn margins rounds.jsonl --tune ahead:65:20:10 tries:2:1:1 reduction:50:20 --rounds 400
  hathi arena new=hathi:margins=ahead:80+tries:3 hathi --nodes 8000 --games 400   what came out";

#[derive(Serialize)]
struct Summary {
    rounds: u64,
    games: u64,
    interrupted: bool,
    margins: String,
    values: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    name: String,
    start: f64,
    value: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let tuning = Tuning {
        engine: args.engine.clone(),
        knobs: args.tune.clone(),
        nodes: args.nodes,
        games: args.games,
        seed: args.seed,
    };
    stop::listen();
    let bar = CountBar::new("rounds", args.rounds);
    let show = |rounds| bar.show(rounds);
    let threads = usize::from(args.threads);
    let stop = stop::for_engines();
    let rounds = tuning
        .run(&args.file, args.rounds, threads, &stop, &show)
        .map_err(|error| match error {
            TuneError::Tournament(error) if !error.can_be_mended() => error.into(),
            error => BadInput::error(error.to_string()),
        });
    drop(bar);
    let rounds = rounds?;
    let start: Vec<f64> = args.tune.iter().map(|knob| knob.start).collect();
    let values = rounds.last().map_or(&start, |round| &round.values);
    let done = rounds.len() as u64;
    let summary = Summary {
        rounds: done,
        games: done * args.games,
        interrupted: stop::asked(),
        margins: tuning.margins(values),
        values: args
            .tune
            .iter()
            .zip(values)
            .map(|(knob, &value)| Found {
                name: knob.name.clone(),
                start: knob.start,
                value,
            })
            .collect(),
    };
    output::show(args.json, &summary, |out| {
        writeln!(
            out,
            "{}, {}, {} positions a turn",
            counted(rounds.len(), "round"),
            counted(summary.games as usize, "game"),
            args.nodes
        )?;
        for value in &summary.values {
            writeln!(
                out,
                "  {:<18} {:>8.1}   from {}",
                value.name, value.value, value.start
            )?;
        }
        writeln!(out, "Is it any better? A match tells:")?;
        writeln!(
            out,
            "  hathi arena new={} {} --nodes {} --games 400 --seed {}",
            tuning.engine_with(values),
            args.engine,
            args.nodes,
            args.seed.wrapping_add(1_000_000)
        )
    })?;
    if stop::asked() {
        output::note("stopped; the same command resumes");
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}
