//! Reads graphs from text.

use std::collections::HashMap;

use super::{Command, Condition, Content, Graph, Node, Placement, check};

/// What is wrong with a graph, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct GraphError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it, and what would be right.
    pub what: String,
}

impl GraphError {
    /// A word of a file that is something else may be a file long: no message
    /// gets longer than a few lines.
    pub(super) fn new(line: usize, what: &str) -> GraphError {
        const MOST_BYTES: usize = 500;
        let end = (0..=MOST_BYTES.min(what.len()))
            .rev()
            .find(|&end| what.is_char_boundary(end));
        let mut short = what[..end.unwrap_or(0)].to_owned();
        if short.len() < what.len() {
            short.push('…');
        }
        GraphError { line, what: short }
    }
}

impl Graph {
    /// Reads and checks a graph. The first error comes back; see
    /// [`Graph::parse_all`] for all of them.
    pub fn parse(text: &str) -> Result<Graph, GraphError> {
        Graph::parse_all(text).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Reads and checks a graph; all that is wrong with it, at least one
    /// error, in the order of the lines.
    pub fn parse_all(text: &str) -> Result<Graph, Vec<GraphError>> {
        let mut parser = Parser::new();
        let lines = || {
            (1..)
                .zip(text.lines().map(bare))
                .filter(|(_, line)| !line.is_empty())
        };
        if lines().next().is_none() {
            return Err(vec![GraphError::new(
                1,
                "there is nothing in this file: a graph has a name (`graph NAME`), nodes and \
                 edges from `start` to a command",
            )]);
        }
        // Names first: an edge may stand above what it names.
        for (number, line) in lines().filter(|(_, line)| !line.contains("->")) {
            parser.line(number, line);
        }
        for (number, line) in lines().filter(|(_, line)| line.contains("->")) {
            parser.edges(number, line);
        }
        let (graph, mut errors) = parser.finish();
        if errors.is_empty() {
            errors = check::all(&graph);
        }
        errors.sort_by_key(|error| error.line);
        if errors.is_empty() {
            Ok(graph)
        } else {
            Err(errors)
        }
    }
}

struct Parser {
    graph: Graph,
    by_name: HashMap<String, usize>,
    named: bool,
    errors: Vec<GraphError>,
}

impl Parser {
    fn new() -> Parser {
        let start = Node {
            name: "start".to_owned(),
            line: 1,
            content: Content::Start,
            next: Vec::new(),
        };
        Parser {
            graph: Graph {
                name: String::new(),
                about: String::new(),
                nodes: vec![start],
            },
            by_name: HashMap::from([("start".to_owned(), 0)]),
            named: false,
            errors: Vec::new(),
        }
    }

    fn error(&mut self, line: usize, what: impl AsRef<str>) {
        self.errors.push(GraphError::new(line, what.as_ref()));
    }

    fn line(&mut self, number: usize, line: &str) {
        if let Some(name) = line.strip_prefix("graph ") {
            if self.named {
                self.error(number, "a second name: one file holds one graph");
            }
            name.trim().clone_into(&mut self.graph.name);
            self.named = true;
        } else if let Some(text) = line.strip_prefix("about ") {
            if !self.graph.about.is_empty() {
                self.graph.about.push(' ');
            }
            self.graph.about.push_str(text.trim());
        } else if let Some((name, content)) = line.split_once('=') {
            self.define(number, name.trim(), content.trim());
        } else {
            self.error(
                number,
                format!("{line:?} is neither `A -> B` nor `name = test` nor graph nor about"),
            );
        }
    }

    fn define(&mut self, line: usize, name: &str, content: &str) {
        if !is_name(name) {
            self.error(
                line,
                format!("{name:?} is no name: use letters, digits, `-` and `.`, and nothing that is a placement"),
            );
            return;
        }
        match parse_content(content) {
            Ok(content) => {
                if self.by_name.contains_key(name) {
                    self.error(line, format!("there is a node {name:?} already"));
                } else {
                    self.add(line, name, content);
                }
            }
            Err(what) => self.error(line, what),
        }
    }

    fn add(&mut self, line: usize, name: &str, content: Content) -> usize {
        let index = self.graph.nodes.len();
        self.graph.nodes.push(Node {
            name: name.to_owned(),
            line,
            content,
            next: Vec::new(),
        });
        self.by_name.insert(name.to_owned(), index);
        index
    }

    /// `A B -> C -> D E`: every node of a group leads to every node of the
    /// next.
    fn edges(&mut self, line: usize, text: &str) {
        let mut before: Option<Vec<usize>> = None;
        for group in text.split("->") {
            let items = match items(group) {
                Ok(items) if items.is_empty() => {
                    self.error(line, "an arrow leads from nothing or to nothing");
                    return;
                }
                Ok(items) => items,
                Err(what) => {
                    self.error(line, what);
                    return;
                }
            };
            let mut nodes = Vec::new();
            for item in items {
                if let Some(node) = self.node(line, &item) {
                    nodes.push(node);
                }
            }
            for &from in before.iter().flatten() {
                for &to in &nodes {
                    if to == 0 {
                        self.error(line, "nothing leads back to start");
                    } else if !self.graph.nodes[from].next.contains(&to) {
                        self.graph.nodes[from].next.push(to);
                    }
                }
            }
            before = Some(nodes);
        }
    }

    /// The node that an item of an edge means.
    fn node(&mut self, line: usize, item: &str) -> Option<usize> {
        if let Some(&index) = self.by_name.get(item) {
            return Some(index);
        }
        let content = if item.starts_with(['(', '[']) || Placement::parse(item).is_some() {
            parse_content(item)
        } else {
            Err(format!(
                "there is no node {item:?}: define it with `{item} = ...`, or write a placement \
                 such as Ed6, a [test] or a (command)"
            ))
        };
        match content {
            Ok(content) => Some(self.add(line, item, content)),
            Err(what) => {
                self.error(line, what);
                None
            }
        }
    }

    fn finish(mut self) -> (Graph, Vec<GraphError>) {
        if !self.named {
            self.error(1, "the graph has no name: begin with `graph NAME`");
        }
        (self.graph, self.errors)
    }
}

/// A line without its comment.
fn bare(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name != "start"
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.')
        && Placement::parse(name).is_none()
}

/// `(command)`, `[test]` or a bare test.
fn parse_content(text: &str) -> Result<Content, String> {
    if let Some(inner) = text.strip_prefix('(') {
        let inner = inner.strip_suffix(')').ok_or("a `)` is missing")?;
        return Command::parse(inner).map(Content::Command);
    }
    let inner = match text.strip_prefix('[') {
        Some(inner) => inner.strip_suffix(']').ok_or("a `]` is missing")?,
        None => text,
    };
    Condition::parse(inner).map(Content::Test)
}

/// The items of one side of an arrow: words, `[...]` and `(...)`, the last
/// with parentheses inside.
fn items(text: &str) -> Result<Vec<String>, String> {
    let mut items = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '(' => closing(rest, '(', ')').ok_or("a `)` is missing")?,
            '[' => closing(rest, '[', ']').ok_or("a `]` is missing")?,
            _ => rest
                .find(|c: char| c.is_whitespace() || c == '(' || c == '[')
                .unwrap_or(rest.len()),
        };
        let item = &rest[..end];
        items.push(item.split_whitespace().collect::<Vec<_>>().join(" "));
        rest = rest[end..].trim_start();
    }
    Ok(items)
}

/// The place after the bracket that closes the first one.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (index, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(index + 1);
            }
        }
    }
    None
}
