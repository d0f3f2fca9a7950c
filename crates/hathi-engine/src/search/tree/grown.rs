//! The tree itself: nodes and edges, which edge to follow, and what a value found
//! below changes.

use hathi_rules::Step;

use super::{TreeSettings, chance_of};

/// What an edge that was never followed is thought to be worth less than its
/// node, by the priors of those that were.
const UNTRIED: f32 = 0.03;

/// A step, or the end of the turn, and what is known about it, as the side that
/// takes it sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) step: Option<Step>,
    /// How likely a strong player takes it.
    pub(super) prior: f32,
    /// The node it leads to; the root, which no edge leads to, if none yet.
    child: u32,
    pub(super) visits: u32,
    /// The mean of all chances found below.
    pub(super) mean: f32,
    /// The chance if both sides follow what is best so far.
    best: f32,
    /// What it comes to if that is proven: a score, as in the alpha-beta search.
    pub(super) proof: Option<i32>,
}

impl Edge {
    pub(super) const fn new(step: Option<Step>, prior: f32) -> Edge {
        Edge {
            step,
            prior,
            child: Tree::ROOT,
            visits: 0,
            mean: 0.0,
            best: 0.0,
            proof: None,
        }
    }

    /// The node it leads to, if it was followed.
    pub(super) fn child(&self) -> Option<u32> {
        (self.child != Tree::ROOT).then_some(self.child)
    }

    /// The chance to win with it.
    pub(super) fn chance(&self, minimax: f32) -> f32 {
        match self.proof {
            Some(proof) => chance_of(proof),
            None => self.mean + minimax * (self.best - self.mean),
        }
    }
}

/// A position, as the side to move sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TreeNode {
    first: u32,
    edges: u32,
    pub(super) visits: u32,
    pub(super) mean: f32,
    best: f32,
    pub(super) proof: Option<i32>,
}

impl TreeNode {
    pub(super) fn is_expanded(&self) -> bool {
        self.edges > 0
    }
}

/// An edge on the way from the root to a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    pub(super) node: u32,
    pub(super) edge: u32,
    /// The turn ended with it, so what follows is seen from the other side.
    pub(super) ends_turn: bool,
    /// One win is not enough: the other turns are of interest, too.
    pub(super) keeps_looking: bool,
}

pub(super) struct Tree {
    nodes: Vec<TreeNode>,
    edges: Vec<Edge>,
}

impl Tree {
    pub(super) const ROOT: u32 = 0;

    pub(super) fn new() -> Tree {
        Tree {
            nodes: vec![TreeNode::default()],
            edges: Vec::new(),
        }
    }

    pub(super) fn root(&self) -> &TreeNode {
        &self.nodes[0]
    }

    pub(super) fn node(&self, node: u32) -> TreeNode {
        self.nodes[node as usize]
    }

    pub(super) fn edge(&self, edge: u32) -> &Edge {
        &self.edges[edge as usize]
    }

    /// The memory it takes; as if all of it once edges cannot be numbered any more.
    pub(super) fn bytes(&self) -> usize {
        if self.edges.len() > u32::MAX as usize - 1024 {
            return usize::MAX;
        }
        size_of_val(&self.nodes[..]) + size_of_val(&self.edges[..])
    }

    /// The edges of a node.
    pub(super) fn edges_of(&self, node: u32) -> &[Edge] {
        let TreeNode { first, edges, .. } = self.nodes[node as usize];
        &self.edges[first as usize..][..edges as usize]
    }

    pub(super) fn expand(&mut self, node: u32, edges: Vec<Edge>) {
        let first = self.edges.len() as u32;
        let node = &mut self.nodes[node as usize];
        node.first = first;
        node.edges = edges.len() as u32;
        self.edges.extend(edges);
    }

    pub(super) fn prove(&mut self, node: u32, proof: i32) {
        self.nodes[node as usize].proof = Some(proof);
    }

    /// The node an edge leads to, made if need be, and whether it is new.
    pub(super) fn child(&mut self, edge: u32) -> (u32, bool) {
        let next = self.nodes.len() as u32;
        let edge = &mut self.edges[edge as usize];
        if let Some(child) = edge.child() {
            return (child, false);
        }
        edge.child = next;
        self.nodes.push(TreeNode::default());
        (next, true)
    }

    /// The edge to follow next: what was found so far, and more for what is likely
    /// and little tried (PUCT). None if all are proven.
    pub(super) fn select(&self, node: u32, settings: &TreeSettings) -> Option<u32> {
        let at = &self.nodes[node as usize];
        let edges = self.edges_of(node);
        let tried: f32 = edges
            .iter()
            .filter(|edge| edge.visits > 0)
            .map(|edge| edge.prior)
            .sum();
        let untried = at.mean + settings.minimax * (at.best - at.mean) - UNTRIED * tried.sqrt();
        let explore = settings.explore * (at.visits as f32).sqrt();
        let mut best = None;
        let mut top = f32::MIN;
        for (index, edge) in (at.first..).zip(edges) {
            if edge.proof.is_some() {
                continue;
            }
            let found = if edge.visits > 0 {
                edge.chance(settings.minimax)
            } else {
                untried
            };
            let hope = found + explore * edge.prior / (1 + edge.visits) as f32;
            if hope > top {
                (best, top) = (Some(index), hope);
            }
        }
        best
    }

    /// Takes a value found at a leaf back to the root.
    pub(super) fn back_up(&mut self, leaf: u32, chance: f32, way: &[Passed]) {
        let mut chance = chance;
        let node = &mut self.nodes[leaf as usize];
        node.visits += 1;
        node.mean += (chance - node.mean) / node.visits as f32;
        if !node.is_expanded() {
            node.best = chance;
        }
        let mut below = *node;
        for passed in way.iter().rev() {
            let seen = |chance: f32| {
                if passed.ends_turn {
                    1.0 - chance
                } else {
                    chance
                }
            };
            let proof = if passed.ends_turn {
                below.proof.map(|proof| -proof)
            } else {
                below.proof
            };
            chance = proof.map_or(seen(chance), chance_of);
            let edge = &mut self.edges[passed.edge as usize];
            edge.visits += 1;
            edge.mean += (chance - edge.mean) / edge.visits as f32;
            edge.best = proof.map_or(seen(below.best), chance_of);
            edge.proof = proof;
            self.sum_up(passed, chance);
            below = self.nodes[passed.node as usize];
        }
    }

    /// What a node is worth now that one of its edges has changed.
    fn sum_up(&mut self, passed: &Passed, chance: f32) {
        let edges = self.edges_of(passed.node);
        let best = edges
            .iter()
            .filter(|edge| edge.visits > 0)
            .map(|edge| edge.best)
            .fold(0.0, f32::max);
        let proofs = || edges.iter().filter_map(|edge| edge.proof);
        let top = proofs().max();
        let proof = match top {
            Some(top) if top > 0 && !passed.keeps_looking => Some(top),
            Some(top) if proofs().count() == edges.len() => Some(top),
            _ => None,
        };
        let node = &mut self.nodes[passed.node as usize];
        node.visits += 1;
        node.mean += (chance - node.mean) / node.visits as f32;
        node.best = best;
        node.proof = proof;
    }
}
