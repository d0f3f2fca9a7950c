//! `hathi dpg trace`: what a graph makes of a position.

use std::ffi::OsString;
use std::io::Write;

use hathi_engine::dpg::Graph;
use hathi_engine::{Choice, Fired, Limits, decide_with_graphs, trace_graph};
use hathi_rules::{Game, Position, RuleSet};
use serde::Serialize;

use super::graph;
use crate::Answer;
use crate::args::side::SideArg;
use crate::input;
use crate::terminal::output;

/// Show which nodes match in a position, which commands fire, and what is played
///
/// For each wing the nodes that hold, then the commands that were reached, the nearest first, each
/// with the way that leads to it and the turns that would carry it out; at last the turn that rat
/// plays with this graph alone, and why. Squares of nodes are those of the file (Gold, one wing);
/// turns are those of the board.
///
/// Exit code 0: a command fires. 1: none does.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A .dpg file, `-`, or the name of a graph that comes with Hathi
    #[arg(value_name = "FILE|NAME")]
    file: OsString,

    /// A position `g [64 characters]`, a file that holds one, or `-` for standard input
    #[arg(value_name = "POSITION|FILE")]
    position: OsString,

    /// Whose turn it is, if the position does not say
    #[arg(long, value_name = "SIDE")]
    side: Option<SideArg>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Trace {
    graph: String,
    position: String,
    /// Names of the nodes that hold, in the order they are reached.
    matched: Vec<String>,
    /// The same with left and right changed.
    matched_mirrored: Vec<String>,
    commands: Vec<Reached>,
    turn: Option<String>,
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct Reached {
    command: String,
    depth: usize,
    mirrored: bool,
    path: Vec<String>,
    turns: Vec<String>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    let graph = graph(&args.file)?;
    let position = input::position(&args.position, args.side.map(Into::into))?;
    let found = trace_graph(&graph, &position);
    let command = |fired: Fired| Reached {
        command: fired.command,
        depth: fired.depth,
        mirrored: fired.mirrored,
        path: fired.path,
        turns: fired.turns.iter().map(|t| t.turn.to_string()).collect(),
    };
    let (turn, reasons) = played(&graph, &position)?;
    let trace = Trace {
        graph: graph.name().to_owned(),
        position: position.to_string(),
        matched: found.matched,
        matched_mirrored: found.matched_mirrored,
        commands: found.commands.into_iter().map(command).collect(),
        turn,
        reasons,
    };
    output::show(args.json, &trace, |out| print(&trace, &graph, out))?;
    Ok(if trace.commands.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// What rat plays with this graph alone.
fn played(graph: &Graph, position: &Position) -> anyhow::Result<(Option<String>, Vec<String>)> {
    let game = Game::from_position(RuleSet::Modern, *position);
    if game.outcome().is_some() {
        return Ok((None, vec!["the game is over here".to_owned()]));
    }
    let decision = decide_with_graphs(vec![graph.clone()], &game, &Limits::none())?;
    let turn = match decision.choice {
        Choice::Play(turn) => Some(turn.to_string()),
        Choice::SetUp(_) => None,
    };
    let reasons = decision.reasons.into_iter().take(3).collect();
    Ok((turn, reasons))
}

/// Turns shown for a command.
const SHOWN: usize = 3;

fn print(trace: &Trace, graph: &Graph, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}: {}", graph.name(), graph.about())?;
    for (wing, matched) in [
        ("as written", &trace.matched),
        ("mirrored", &trace.matched_mirrored),
    ] {
        let nodes = if matched.is_empty() {
            "nothing".to_owned()
        } else {
            matched.join("  ")
        };
        writeln!(out, "\nmatched {wing}: {nodes}")?;
    }
    if trace.commands.is_empty() {
        writeln!(out, "\nno command fires")?;
    }
    for fired in &trace.commands {
        let wing = if fired.mirrored { ", mirrored" } else { "" };
        writeln!(out, "\n{} at depth {}{wing}", fired.command, fired.depth)?;
        writeln!(out, "  by   {}", fired.path.join(" -> "))?;
        for turn in fired.turns.iter().take(SHOWN) {
            writeln!(out, "  turn {turn}")?;
        }
        match fired.turns.len() {
            0 => writeln!(out, "  no turn does it")?,
            count if count > SHOWN => writeln!(out, "  and {} more", count - SHOWN)?,
            _ => {}
        }
    }
    if let Some(turn) = &trace.turn {
        writeln!(out, "\nrat plays {turn}")?;
    }
    for reason in &trace.reasons {
        writeln!(out, "  {reason}")?;
    }
    Ok(())
}
