//! A graph as an SVG drawing, with what holds in a position lit up.

use std::collections::HashSet;
use std::fmt::Write as _;

use hathi_model::drawing::escape;
use hathi_rules::Position;

use super::{Graph, Node};

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
.dpg .holds{stroke-width:2.5}.dpg .way rect{fill:#f0e442;stroke:#8a6d00;stroke-width:3}\
.dpg .way text{fill:#222;font-weight:bold}.dpg path.lit{stroke:#d55e00;stroke-width:3}\
@media(prefers-color-scheme:dark){.dpg .ground{fill:#1b1d21}.dpg text{fill:#ddd}\
.dpg .test{fill:#1d2a35;stroke:#56b4e9}.dpg .command{fill:#38271c;stroke:#ff8c4a}\
.dpg .start{fill:#ddd}.dpg .start+text{fill:#222}.dpg path{stroke:#777}.dpg .back{stroke:#555}\
.dpg path.lit{stroke:#ff8c4a}}";

/// Where a node stands.
#[derive(Clone, Copy, Default)]
struct Place {
    x: f64,
    y: f64,
    wide: f64,
    level: usize,
}

/// What holds in a position, on either wing.
#[derive(Default)]
struct Lit {
    /// Nodes that hold.
    holds: HashSet<usize>,
    /// Nodes on the way to a command that is reached.
    ways: HashSet<usize>,
    /// Edges on such a way.
    edges: HashSet<(usize, usize)>,
}

impl Lit {
    fn of(graph: &Graph, position: &Position) -> Lit {
        let mut lit = Lit::default();
        for mirrored in [false, true] {
            lit.holds.extend(graph.matched_nodes(position, mirrored));
        }
        for found in graph.matches(position) {
            lit.ways.extend(&found.path);
            let edges = found.path.windows(2).map(|pair| (pair[0], pair[1]));
            lit.edges.extend(edges);
        }
        lit
    }
}

impl Graph {
    /// The graph as SVG: from left to right by the fewest edges from the
    /// start. For a position the tests that hold are drawn thick, and the ways
    /// to the commands that fire are lit, on whichever wing they do.
    pub fn svg(&self, position: Option<&Position>) -> String {
        let lit = position.map(|position| Lit::of(self, position));
        svg(self, &lit.unwrap_or_default())
    }
}

fn svg(graph: &Graph, lit: &Lit) -> String {
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
    // What is lit lies above the rest.
    for lit_now in [false, true] {
        for (number, node) in graph.nodes().iter().enumerate() {
            for &next in node.next() {
                if lit.edges.contains(&(number, next)) == lit_now {
                    edge(&mut text, places[number], places[next], lit_now);
                }
            }
        }
    }
    for (number, (place, node)) in places.iter().zip(graph.nodes()).enumerate() {
        let (kind, round) = shape(node);
        let way = if lit.ways.contains(&number) {
            " class=\"way\""
        } else {
            ""
        };
        let holds = if lit.holds.contains(&number) {
            " holds"
        } else {
            ""
        };
        let label = node.to_string();
        let _ = writeln!(
            text,
            "<g{way}><title>line {}: {}</title><rect class=\"{kind}{holds}\" x=\"{:.1}\" y=\"{:.1}\" \
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

/// How a node is drawn: its class and its corners.
fn shape(node: &Node) -> (&'static str, f64) {
    if node.line() == 1 && node.name() == "start" {
        ("start", 4.0)
    } else if node.is_command() {
        ("command", HIGH / 2.0)
    } else if node.is_negated() {
        ("test not", 2.0)
    } else {
        ("test", 2.0)
    }
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

fn edge(text: &mut String, from: Place, to: Place, lit: bool) {
    let class = match (to.level > from.level, lit) {
        (true, false) => "",
        (true, true) => " class=\"lit\"",
        (false, false) => " class=\"back\"",
        (false, true) => " class=\"back lit\"",
    };
    let (x1, x2) = (from.x + from.wide, to.x);
    let _ = if to.level > from.level {
        let bend = ((x2 - x1) / 2.0).max(20.0);
        writeln!(
            text,
            "<path{class} d=\"M{x1:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x2:.1} {:.1}\"/>",
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
            "<path{class} d=\"M{x1:.1} {:.1}C{x1:.1} {low:.1} {x2:.1} {low:.1} {x2:.1} {:.1}\"/>",
            from.y + HIGH / 2.0,
            to.y + HIGH / 2.0
        )
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_is_lit() {
        let graph = Graph::parse(
            "graph a < b
             start -> Ed6 -> !Mg3 -> (go M g3)
             start -> eb6 -> (go H d3)",
        )
        .expect("a graph");
        let plain = graph.svg(None);
        assert!(plain.contains("a &lt; b"), "{plain}");
        for class in [" holds", "class=\"way\"", "class=\"lit\""] {
            assert!(!plain.contains(class), "{plain}");
        }
        let position: Position = "
            g
            8| r . . . . . . . |
            7| . . . . . . . . |
            6| . . x E . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . H . M . . . |
            1| R . . . . . . . |"
            .parse()
            .expect("a position");
        let lit = graph.svg(Some(&position));
        // Start, the elephant, no camel, the command; not the other way.
        assert_eq!(lit.matches("class=\"way\"").count(), 4, "{lit}");
        assert_eq!(lit.matches(" holds\"").count(), 4, "{lit}");
        assert_eq!(lit.matches("class=\"lit\"").count(), 3, "{lit}");
    }
}
