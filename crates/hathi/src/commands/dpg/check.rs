//! `hathi dpg check`: is a graph in order?

use std::ffi::OsString;
use std::io::Write;

use hathi_engine::dpg::{Graph, shipped_names};
use hathi_view::numbers::grouped;
use serde::Serialize;

use super::text_of;
use crate::Answer;
use crate::terminal::output;

/// Say what is wrong with graphs, or how large they are
///
/// Every error names its line: words that cannot be read, nodes that do not exist, that nothing
/// leads to, or that lead to no command, places where no such piece can stand, tests in a row that
/// contradict each other. Without a file the graphs that come with Hathi are checked.
///
/// Exit code 0: all are in order. 1: one is not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A .dpg file, `-`, or the name of a graph that comes with Hathi
    #[arg(value_name = "FILE|NAME")]
    files: Vec<OsString>,

    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Beyond this it is enough to say that a tree would be large.
const MOST_PATHS: usize = 1_000_000;

#[derive(Serialize)]
struct Row {
    file: String,
    name: Option<String>,
    nodes: usize,
    edges: usize,
    commands: usize,
    /// Nodes of a tree with the same paths, without sharing; counted up to a
    /// million.
    as_a_tree: usize,
    errors: Vec<Wrong>,
}

#[derive(Serialize)]
struct Wrong {
    line: usize,
    what: String,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut files = args.files.clone();
    if files.is_empty() {
        files = shipped_names().map(OsString::from).collect();
    }
    let mut out = output::plain();
    let mut fine = true;
    for file in &files {
        let (name, text) = text_of(file)?;
        let row = check(name, &text);
        fine &= row.errors.is_empty();
        if args.json {
            output::json(&mut out, &row)?;
            continue;
        }
        for error in &row.errors {
            writeln!(out, "{}: line {}: {}", row.file, error.line, error.what)?;
        }
        if row.errors.is_empty() {
            let tree = if row.as_a_tree >= MOST_PATHS {
                "over a million".to_owned()
            } else {
                grouped(row.as_a_tree)
            };
            writeln!(
                out,
                "{}: {} nodes ({} commands), {} edges; {tree} nodes without sharing",
                row.file, row.nodes, row.commands, row.edges,
            )?;
        }
    }
    out.flush()?;
    Ok(if fine { Answer::Yes } else { Answer::No })
}

fn check(file: String, text: &str) -> Row {
    match Graph::parse_all(text) {
        Ok(graph) => Row {
            file,
            name: Some(graph.name().to_owned()),
            nodes: graph.nodes().len(),
            edges: graph.edges(),
            commands: graph
                .nodes()
                .iter()
                .filter(|node| node.is_command())
                .count(),
            as_a_tree: graph.paths(MOST_PATHS),
            errors: Vec::new(),
        },
        Err(errors) => Row {
            file,
            name: None,
            nodes: 0,
            edges: 0,
            commands: 0,
            as_a_tree: 0,
            errors: errors
                .into_iter()
                .map(|error| Wrong {
                    line: error.line,
                    what: error.what,
                })
                .collect(),
        },
    }
}
