//! A graph and its nodes.

use std::collections::VecDeque;
use std::fmt;

use super::{Command, Condition, Placement};

/// A strategy: tests that lead to commands.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) nodes: Vec<Node>,
}

/// A node of a graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// How edges name it.
    pub(super) name: String,
    /// Where it is first written.
    pub(super) line: usize,
    pub(super) content: Content,
    /// Where its edges lead, in the order they are written.
    pub(super) next: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Always holds.
    Start,
    Test(Condition),
    Command(Command),
}

impl Graph {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// All nodes; the first is the start.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.nodes.iter().map(|node| node.next.len()).sum()
    }

    /// How many nodes a tree of the same paths would have, one for every way
    /// to every node, without going round in circles; counting stops at
    /// `most`. What sharing saves.
    pub fn paths(&self, most: usize) -> usize {
        let mut on_path = vec![false; self.nodes.len()];
        let mut count = 0;
        self.walk(0, &mut on_path, &mut count, most);
        count
    }

    fn walk(&self, node: usize, on_path: &mut [bool], count: &mut usize, most: usize) {
        *count += 1;
        on_path[node] = true;
        for &next in &self.nodes[node].next {
            if *count < most && !on_path[next] {
                self.walk(next, on_path, count, most);
            }
        }
        on_path[node] = false;
    }

    /// For each node the fewest edges from the start; none if it cannot be
    /// reached.
    pub fn levels(&self) -> Vec<Option<usize>> {
        let mut levels = vec![None; self.nodes.len()];
        let mut queue = VecDeque::new();
        if let Some(first) = levels.first_mut() {
            *first = Some(0);
            queue.push_back(0);
        }
        while let Some(node) = queue.pop_front() {
            let level = levels[node].map_or(0, |level: usize| level + 1);
            for &next in &self.nodes[node].next {
                if levels[next].is_none() {
                    levels[next] = Some(level);
                    queue.push_back(next);
                }
            }
        }
        levels
    }
}

impl Node {
    /// How edges name it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line of the file where it is first written.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The places in [`Graph::nodes`] its edges lead to.
    pub fn next(&self) -> &[usize] {
        &self.next
    }

    /// Is it a command?
    pub fn is_command(&self) -> bool {
        matches!(self.content, Content::Command(_))
    }

    /// Is it a test that something is not so?
    pub(crate) fn is_negated(&self) -> bool {
        match &self.content {
            Content::Test(Condition::Place(place)) => place.negated,
            Content::Test(Condition::In { negated, .. }) => *negated,
            _ => false,
        }
    }

    pub(crate) fn place(&self) -> Option<Placement> {
        match &self.content {
            Content::Test(Condition::Place(place)) => Some(*place),
            _ => None,
        }
    }

    pub(crate) fn command(&self) -> Option<&Command> {
        match &self.content {
            Content::Command(command) => Some(command),
            _ => None,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            Content::Start => f.write_str("start"),
            Content::Test(test) => test.fmt(f),
            Content::Command(command) => write!(f, "({command})"),
        }
    }
}
