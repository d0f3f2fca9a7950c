//! Finds what a graph commands in a position.

use std::collections::VecDeque;

use hathi_rules::{Position, Side, Symmetry};

use super::{Content, Graph};

/// A command that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The place of the command in [`Graph::nodes`].
    pub command: usize,
    /// Edges from the start: the fewer, the more important.
    pub depth: usize,
    /// Found with left and right changed.
    pub mirrored: bool,
    /// The nodes on the way, from the start to the command.
    pub path: Vec<usize>,
}

impl Graph {
    /// What the graph commands the side to move, nearest first, on both wings.
    pub fn matches(&self, position: &Position) -> Vec<Match> {
        let seen = as_gold(position);
        let mut found = self.search(&seen, false);
        found.extend(self.search(&seen, true));
        found.sort_by_key(|found| found.depth);
        found
    }

    /// All nodes that hold on one wing, in the order they are reached.
    pub fn matched_nodes(&self, position: &Position, mirrored: bool) -> Vec<usize> {
        let parents = self.flood(&as_gold(position), mirrored);
        parents.into_iter().map(|(node, _)| node).collect()
    }

    /// Commands on one wing; the position has Gold to move.
    pub(crate) fn search(&self, position: &Position, mirrored: bool) -> Vec<Match> {
        let reached = self.flood(position, mirrored);
        let mut found = Vec::new();
        for &(node, _) in &reached {
            if self.nodes[node].is_command() {
                let path = path_to(node, &reached);
                found.push(Match {
                    command: node,
                    depth: path.len() - 1,
                    mirrored,
                    path,
                });
            }
        }
        found
    }

    /// The nodes that hold, breadth first, each with the one that led there.
    fn flood(&self, position: &Position, mirrored: bool) -> Vec<(usize, usize)> {
        let mut seen = vec![false; self.nodes.len()];
        let mut reached = vec![(0, 0)];
        let mut queue = VecDeque::from([0]);
        while let Some(node) = queue.pop_front() {
            for &next in &self.nodes[node].next {
                if seen[next] {
                    continue;
                }
                // Tested once: what does not hold here holds nowhere.
                seen[next] = true;
                let holds = match &self.nodes[next].content {
                    Content::Test(test) => test.holds(position, mirrored),
                    Content::Start | Content::Command(_) => true,
                };
                if holds {
                    reached.push((next, node));
                    queue.push_back(next);
                }
            }
        }
        reached
    }
}

fn path_to(node: usize, reached: &[(usize, usize)]) -> Vec<usize> {
    let mut path = vec![node];
    let mut at = node;
    while at != 0 {
        let Some(&(_, parent)) = reached.iter().find(|(one, _)| *one == at) else {
            break;
        };
        at = parent;
        path.push(at);
    }
    path.reverse();
    path
}

/// The position with Gold to move.
pub(crate) fn as_gold(position: &Position) -> Position {
    match position.side_to_move() {
        Side::Gold => *position,
        Side::Silver => Symmetry::FLIP.apply(*position),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_matched_on_both_wings_and_for_both_colours() {
        let graph = Graph::parse(
            "graph x
             start -> eb6 -> Ed6 -> !Mg3 -> (go M g3)
             Ed6 -> Mg3 -> !Hd3 -> (go H d3)
             !Mg3 -> !Hd3",
        )
        .expect("a graph");
        let position: Position = "
            g
            8| r . . . . . . . |
            7| . . . . . . . . |
            6| . e x E . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . H . M . . . |
            1| R . . . . . . . |"
            .parse()
            .expect("a position");
        for symmetry in Symmetry::ALL {
            let found = graph.matches(&symmetry.apply(position));
            let commands: Vec<String> = found
                .iter()
                .map(|one| graph.nodes()[one.command].to_string())
                .collect();
            assert_eq!(commands, ["(go M g3)", "(go H d3)"], "{symmetry:?}");
            assert_eq!(found[0].depth, 4);
            assert_eq!(found[1].depth, 5);
            assert_eq!(found[0].mirrored, symmetry.mirror);
            let path: Vec<&str> = found[1]
                .path
                .iter()
                .map(|&node| graph.nodes()[node].name())
                .collect();
            assert_eq!(path, ["start", "eb6", "Ed6", "!Mg3", "!Hd3", "(go H d3)"]);
        }
        // The elephants have met elsewhere, or it is not Gold's turn.
        let other: Position = "g
            8| r . . . . . . . |
            7| . e . E . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . H . M . . . |
            1| R . . . . . . . |"
            .parse()
            .expect("a position");
        assert!(graph.matches(&other).is_empty());
        let not_to_move = position.with_side(Side::Silver);
        assert!(graph.matches(&not_to_move).is_empty());
    }
}
