//! `hathi dpg draw`: a graph as a drawing.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context;
use hathi_engine::dpg::Graph;

use super::graph;
use crate::Answer;
use crate::output;
use crate::plot::escape;

/// Draw a graph as SVG
///
/// From left to right by the fewest edges from the start, as it is matched: tests in boxes, dashed
/// if something must not be so, commands round. Edges that lead back are drawn in grey below.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A .dpg file, `-`, or the name of a graph that comes with Hathi
    #[arg(value_name = "FILE|NAME")]
    file: OsString,

    /// Where to write the drawing; standard output if left out
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    let graph = graph(&args.file)?;
    let drawing = svg(&graph);
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

const ROW: f64 = 30.0;
const HIGH: f64 = 22.0;
const LETTER: f64 = 7.2;
const GAP: f64 = 70.0;
const TOP: f64 = 60.0;

const STYLE: &str = "\
.dpg{font:12px monospace}.dpg .ground{fill:#fff}.dpg text{fill:#222}\
.dpg .title{font:17px sans-serif}.dpg .about{font:12px sans-serif}\
.dpg .test{fill:#eef4fa;stroke:#0072b2}.dpg .not{stroke-dasharray:4 3}\
.dpg .command{fill:#fdf0e6;stroke:#d55e00}.dpg .start{fill:#222}.dpg .start+text{fill:#fff}\
.dpg path{fill:none;stroke:#888;stroke-width:.8}.dpg .back{stroke:#bbb;stroke-dasharray:2 3}\
@media(prefers-color-scheme:dark){.dpg .ground{fill:#1b1d21}.dpg text{fill:#ddd}\
.dpg .test{fill:#1d2a35;stroke:#56b4e9}.dpg .command{fill:#38271c;stroke:#ff8c4a}\
.dpg .start{fill:#ddd}.dpg .start+text{fill:#222}.dpg path{stroke:#777}.dpg .back{stroke:#555}}";

/// Where a node stands.
#[derive(Clone, Copy, Default)]
struct Place {
    x: f64,
    y: f64,
    wide: f64,
    level: usize,
}

fn svg(graph: &Graph) -> String {
    let (places, width, height) = lay_out(graph);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dpg\" role=\"img\" \
         width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{STYLE}</style>\n<title>{name}</title>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"title\" x=\"20\" y=\"26\">{name}</text>\n\
         <text class=\"about\" x=\"20\" y=\"44\">{about}</text>\n",
        name = escape(graph.name()),
        about = escape(graph.about()),
    );
    for (from, node) in places.iter().zip(graph.nodes()) {
        for &next in node.next() {
            edge(&mut text, *from, places[next]);
        }
    }
    for (place, node) in places.iter().zip(graph.nodes()) {
        let (kind, round) = if node.line() == 1 && node.name() == "start" {
            ("start", 4.0)
        } else if node.is_command() {
            ("command", HIGH / 2.0)
        } else if node.is_negated() {
            ("test not", 2.0)
        } else {
            ("test", 2.0)
        };
        let label = node.to_string();
        let _ = writeln!(
            text,
            "<g><title>line {}: {}</title><rect class=\"{kind}\" x=\"{:.1}\" y=\"{:.1}\" \
             width=\"{:.1}\" height=\"{HIGH}\" rx=\"{round}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
            node.line(),
            escape(node.name()),
            place.x,
            place.y - HIGH / 2.0,
            place.wide,
            place.x + place.wide / 2.0,
            place.y + 4.0,
            escape(label.trim_start_matches('(').trim_end_matches(')')),
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Columns by level; in each the nodes near those that lead to them.
fn lay_out(graph: &Graph) -> (Vec<Place>, f64, f64) {
    let levels: Vec<usize> = graph
        .levels()
        .into_iter()
        .map(Option::unwrap_or_default)
        .collect();
    let deepest = levels.iter().copied().max().unwrap_or(0);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); deepest + 1];
    for (node, &level) in levels.iter().enumerate() {
        columns[level].push(node);
    }
    let tallest = columns.iter().map(Vec::len).max().unwrap_or(1);
    let height = TOP + (tallest as f64 + 1.0) * ROW;
    let mut parents: Vec<Vec<usize>> = vec![Vec::new(); levels.len()];
    for (from, node) in graph.nodes().iter().enumerate() {
        for &next in node.next() {
            parents[next].push(from);
        }
    }
    let mut places = vec![Place::default(); levels.len()];
    let mut x = 20.0;
    for (level, column) in columns.iter_mut().enumerate() {
        // The middle of those that lead here, as far as they have a place.
        let middle = |node: usize| {
            let known = parents[node].iter().filter(|&&from| levels[from] < level);
            let heights: Vec<f64> = known.map(|&from| places[from].y).collect();
            heights.iter().sum::<f64>() / heights.len().max(1) as f64
        };
        column.sort_by(|&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        let wide = |node: usize| {
            let letters = graph.nodes()[node].to_string().chars().count();
            letters as f64 * LETTER + 14.0
        };
        let widest = column.iter().map(|&node| wide(node)).fold(0.0, f64::max);
        let above = (tallest - column.len()) as f64 / 2.0;
        for (row, &node) in column.iter().enumerate() {
            places[node] = Place {
                x: x + (widest - wide(node)) / 2.0,
                y: TOP + (above + row as f64 + 1.0) * ROW,
                wide: wide(node),
                level,
            };
        }
        x += widest + GAP;
    }
    (places, x - GAP + 20.0, height)
}

fn edge(text: &mut String, from: Place, to: Place) {
    let (x1, x2) = (from.x + from.wide, to.x);
    let _ = if to.level > from.level {
        let bend = ((x2 - x1) / 2.0).max(20.0);
        writeln!(
            text,
            "<path d=\"M{x1:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x2:.1} {:.1}\"/>",
            from.y,
            x1 + bend,
            from.y,
            x2 - bend,
            to.y,
            to.y
        )
    } else {
        let (low, x1, x2) = (
            from.y.max(to.y) + 20.0,
            from.x + from.wide / 2.0,
            to.x + to.wide / 2.0,
        );
        writeln!(
            text,
            "<path class=\"back\" d=\"M{x1:.1} {:.1}C{x1:.1} {low:.1} {x2:.1} {low:.1} {x2:.1} {:.1}\"/>",
            from.y + HIGH / 2.0,
            to.y + HIGH / 2.0
        )
    };
}
