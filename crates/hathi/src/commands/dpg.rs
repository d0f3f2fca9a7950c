//! `hathi dpg`: directed position graphs, the strategies of rat.

mod check;
mod draw;
mod trace;

use std::ffi::OsStr;

use hathi_engine::dpg::{Graph, GraphError, SHIPPED, shipped_names};

use crate::Answer;
use crate::failure::BadInput;
use crate::input::{Source, read_at_most};

/// Check, draw and try directed position graphs, the strategies of rat
///
/// A graph is a text file: nodes that test where pieces stand, and commands. The engine `rat` reads
/// them at run time: `rat:dpg=FOLDER` plays with the graphs of a folder. docs/dpg.md explains the
/// format. In place of a file the name of a graph that comes with Hathi will do, such as
/// flash-kidnapping.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

const EXAMPLES: &str = "\
Examples:
  hathi dpg check my-strategy.dpg
  hathi dpg check
  hathi dpg draw flash-kidnapping -o flash.svg
  hathi dpg trace flash-kidnapping position.txt";

#[derive(Debug, clap::Subcommand)]
enum What {
    Check(check::Args),
    Draw(draw::Args),
    Trace(trace::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.what {
        What::Check(args) => check::run(args),
        What::Draw(args) => draw::run(args),
        What::Trace(args) => trace::run(args),
    }
}

/// The longest file that is read.
const LONGEST: usize = 1 << 22;

/// The name and the text of a graph: one that is shipped, or a file.
fn text_of(argument: &OsStr) -> anyhow::Result<(String, String)> {
    if let Some(name) = argument.to_str()
        && let Some((_, text)) = SHIPPED
            .iter()
            .find(|(file, _)| file.strip_suffix(".dpg") == Some(name))
    {
        return Ok((name.to_owned(), (*text).to_owned()));
    }
    let source = Source::new(argument);
    let bytes = source
        .open()
        .and_then(|mut reader| {
            read_at_most(&mut reader, LONGEST).map_err(|error| source.unreadable(&error))
        })
        .map_err(|error| {
            let names: Vec<&str> = shipped_names().collect();
            BadInput::error(format!(
                "{error}\nGive a file, or one of the graphs that come with Hathi: {}.",
                names.join(", ")
            ))
        })?;
    let name = source.name().clone();
    let text = bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| {
            BadInput::error(format!("{name}: this is not a graph but something else"))
        })?;
    Ok((name, text))
}

/// A graph without errors.
fn graph(argument: &OsStr) -> anyhow::Result<Graph> {
    let (name, text) = text_of(argument)?;
    Graph::parse_all(&text).map_err(|errors| BadInput::error(complaint(&name, &errors)))
}

/// Everything that is wrong with a file, a line each.
fn complaint(name: &str, errors: &[GraphError]) -> String {
    let lines: Vec<String> = errors
        .iter()
        .map(|error| format!("{name}: {error}"))
        .collect();
    lines.join("\n")
}
