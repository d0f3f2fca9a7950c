//! `hathi dpg draw`: a graph as a drawing.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context;

use super::graph;
use crate::Answer;
use crate::input;
use crate::terminal::output;

/// Draw a graph as SVG
///
/// From left to right by the fewest edges from the start, as it is matched: tests in boxes, dashed
/// if something must not be so, commands round. Edges that lead back are drawn in grey below. With
/// --position tests that hold there are drawn thick, and the ways to the commands that fire are lit.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A .dpg file, `-`, or the name of a graph that comes with Hathi
    #[arg(value_name = "FILE|NAME")]
    file: OsString,

    /// Where to write the drawing; standard output if left out
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,

    /// Light up what holds in this position: `g [64 characters]` or a file that holds one
    #[arg(long, value_name = "POSITION|FILE")]
    position: Option<OsString>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    let graph = graph(&args.file)?;
    let position = match &args.position {
        Some(position) => Some(input::position(position, None)?),
        None => None,
    };
    let drawing = graph.svg(position.as_ref());
    if let Some(path) = &args.output {
        std::fs::write(path, drawing)
            .with_context(|| format!("{} cannot be written", path.display()))?;
        output::note(&format!(
            "{}: {} nodes, {} edges",
            path.display(),
            graph.nodes().len(),
            graph.edges()
        ));
    } else {
        let mut out = output::plain();
        out.write_all(drawing.as_bytes())?;
        out.flush()?;
    }
    Ok(Answer::Yes)
}
