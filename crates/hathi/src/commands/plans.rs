//! `hathi plans`: what rat wants in a position.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use hathi_engine::{EngineKind, EngineSpec, Planned, plans_of};
#[cfg(feature = "lab")]
use hathi_lab::survey;
use hathi_model::phase::Phase;
use serde::Serialize;

use crate::Answer;
use crate::args::side::SideArg;
use crate::failure::BadInput;
use crate::input;
#[cfg(feature = "lab")]
use crate::input::corpus;
use crate::terminal::draw::{self, Charset};
use crate::terminal::output;
#[cfg(feature = "lab")]
use crate::terminal::stop;
#[cfg(feature = "lab")]
use crate::terminal::watcher::Terminal;

/// Show the plans of rat in a position, with the turns it considers for each
///
/// The queue of plans that the position calls for, the most urgent first, each with its reason and
/// its candidate turns, best first; then the board after the best candidate of the first plan. A
/// candidate may need fewer than four steps: the rest goes to other plans.
///
/// With --survey, figures over many positions of real games instead: how many candidates there are
/// out of how many turns, how many positions are looked at, and how long a turn takes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(
        value_name = "POSITION|FILE",
        required_unless_present = "survey",
        conflicts_with = "survey"
    )]
    position: Option<OsString>,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE", conflicts_with = "survey")]
    side: Option<SideArg>,

    /// Rat and its options
    #[arg(long, value_name = "rat[:OPTIONS]", default_value = "rat")]
    engine: EngineSpec,

    /// Survey the games of a directory that holds turn-counts.tsv and allgames*.txt
    #[arg(long, value_name = "DIR")]
    survey: Option<PathBuf>,

    /// Positions to survey, spread over all middle-game positions
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "survey")]
    positions: usize,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi plans position.txt
  hathi plans --engine rat:dpg=my-graphs,keep=1 position.txt
  hathi plans --survey archives --positions 1000";

#[derive(Serialize)]
struct Report {
    position: String,
    phase: &'static str,
    plans: Vec<PlanRow>,
}

#[derive(Serialize)]
struct PlanRow {
    plan: &'static str,
    reason: String,
    priority: u16,
    lowered: Option<String>,
    turns: Vec<TurnRow>,
}

#[derive(Serialize)]
struct TurnRow {
    turn: String,
    rating: i32,
    after: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    if args.engine.kind != EngineKind::Rat {
        return Err(BadInput::error(format!(
            "only rat has plans, not {}: leave --engine out, or write rat:OPTION=VALUE",
            args.engine.kind.name()
        )));
    }
    #[cfg(not(feature = "lab"))]
    if args.survey.is_some() {
        return Err(BadInput::error(
            "this Hathi was built without the feature `lab`: it makes no surveys",
        ));
    }
    #[cfg(feature = "lab")]
    if let Some(directory) = &args.survey {
        stop::listen();
        let corpus = corpus::of(Some(directory), |_| {})?;
        let survey = survey::run(&args.engine, &corpus, args.positions, &Terminal)?;
        let Some(survey) = survey else {
            return Ok(Answer::Interrupted);
        };
        output::show(args.json, &survey, |out| survey.write(out))?;
        return Ok(Answer::Yes);
    }
    let Some(position) = &args.position else {
        return Ok(Answer::No); // clap asks for one of the two
    };
    let position = input::position(position, args.side.map(Into::into))?;
    let (phase, planned) = plans_of(&position, &args.engine.options)?;
    let report = Report {
        position: position.to_string(),
        phase: phase.name(),
        plans: planned.iter().map(row).collect(),
    };
    output::show(args.json, &report, |out| {
        let game = if phase == Phase::Opening { "" } else { " game" };
        writeln!(out, "{}{game}, {} plans", report.phase, report.plans.len())?;
        for (number, plan) in (1..).zip(&planned) {
            writeln!(out, "{number:2} {}: {}", plan.plan.kind.name(), plan.reason)?;
            if let Some(flag) = plan.plan.lowered {
                writeln!(out, "     later, as {}", flag.text())?;
            }
            for turn in &plan.turns {
                writeln!(out, "     {:5}  {}", turn.rating, turn.turn)?;
            }
            if plan.turns.is_empty() {
                writeln!(out, "     no turn serves it")?;
            }
        }
        let first = planned.iter().find_map(|plan| plan.turns.first());
        if let Some(first) = first {
            writeln!(out, "\nafter {}", first.turn)?;
            draw::board(out, first.after.board(), Charset::new(args.ascii))?;
        }
        Ok(())
    })?;
    Ok(Answer::Yes)
}

fn row(planned: &Planned) -> PlanRow {
    PlanRow {
        plan: planned.plan.kind.name(),
        reason: planned.reason.clone(),
        priority: planned.plan.priority(),
        lowered: planned.plan.lowered.map(|flag| flag.text().to_owned()),
        turns: planned
            .turns
            .iter()
            .map(|turn| TurnRow {
                turn: turn.turn.to_string(),
                rating: turn.rating,
                after: turn.after.board().short_form(),
            })
            .collect(),
    }
}
