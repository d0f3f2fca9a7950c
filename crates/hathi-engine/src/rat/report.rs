//! What Rat thinks, in words: the queue of plans with their candidates, and
//! why it plays what it plays.

use hathi_model::phase::Phase;
use hathi_rules::{Position, Side, Symmetry, Turn};

use super::candidates::{Candidate, Candidates};
use super::categories::generate;
use super::commands;
use super::evaluate::evaluate;
use super::local::Patterns;
use super::plan::{Plan, PlanKind};
use super::scene::Scene;
use super::search::Found;
use super::{Knowledge, rating};
use crate::dpg::{Command, Graph, Match};
use crate::{EngineError, EngineOptions};

/// A plan with the turns it would play.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// Why, in words.
    pub reason: String,
    /// Its candidates, best first.
    pub turns: Vec<PlannedTurn>,
}

/// A candidate of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlannedTurn {
    /// The turn, or the part of one that the plan needs.
    pub turn: Turn,
    /// How its category rates it.
    pub rating: i32,
    /// The position after its steps, perhaps in the middle of the turn.
    pub after: Position,
}

/// The phase of the game and the queue of plans with their candidates, as the
/// engine would see them with these options.
pub fn plans_of(
    position: &Position,
    options: &EngineOptions,
) -> Result<(Phase, Vec<Planned>), EngineError> {
    let knowledge = Knowledge::of(options)?;
    let scene = Scene::new(position, &knowledge);
    let queue = evaluate(&scene, &[], 0);
    let planned = queue.plans().iter().map(|plan| Planned {
        plan: *plan,
        reason: reason(plan, &knowledge),
        turns: planned_turns(&scene, generate(&scene, plan, options.keep)),
    });
    Ok((scene.features.phase, planned.collect()))
}

/// The turns, or parts of turns, that carry out a command of a graph in a
/// position where it matched, best first.
pub(crate) fn command_turns(position: &Position, graph: &Graph, found: &Match) -> Vec<PlannedTurn> {
    let knowledge = Knowledge {
        patterns: Patterns::shipped(),
        graphs: Vec::new(),
    };
    let scene = Scene::new(position, &knowledge);
    let mut turns = Candidates::new(scene.position());
    let node = graph.nodes().get(found.command);
    if let Some(command) = node.and_then(|node| node.command()) {
        commands::obey(&scene, command, found.mirrored, &mut turns);
    }
    planned_turns(&scene, turns.best(usize::MAX))
}

/// What a graph makes of a position: names of the nodes that hold on either
/// wing, and the commands that fire.
#[derive(Clone, Debug)]
pub struct GraphTrace {
    /// Nodes that hold as the graph is written, in the order they are reached.
    pub matched: Vec<String>,
    /// The same with left and right changed.
    pub matched_mirrored: Vec<String>,
    /// The commands reached, the nearest first.
    pub commands: Vec<Fired>,
}

/// A command that fires.
#[derive(Clone, Debug)]
pub struct Fired {
    /// As it is written.
    pub command: String,
    /// What it does, in words, with the squares of the real board.
    pub sentence: String,
    /// Edges from the start: the fewer, the more important.
    pub depth: usize,
    /// Found with left and right changed.
    pub mirrored: bool,
    /// The nodes on the way to it, without the start.
    pub path: Vec<String>,
    /// The turns, or parts of turns, that carry it out, best first.
    pub turns: Vec<PlannedTurn>,
}

/// What a graph makes of a position.
pub fn trace_graph(graph: &Graph, position: &Position) -> GraphTrace {
    let names = |nodes: &[usize]| -> Vec<String> {
        let names = nodes.iter().skip(1);
        names
            .map(|&node| graph.nodes()[node].name().to_owned())
            .collect()
    };
    let fired = |found: &Match| {
        let node = &graph.nodes()[found.command];
        let symmetry = Symmetry {
            mirror: found.mirrored,
            flip: position.side_to_move() == Side::Silver,
        };
        let sentence = node.command().map_or_else(String::new, Command::sentence);
        Fired {
            command: node.to_string(),
            sentence: turned(&sentence, symmetry),
            depth: found.depth,
            mirrored: found.mirrored,
            path: names(&found.path),
            turns: command_turns(position, graph, found),
        }
    };
    GraphTrace {
        matched: names(&graph.matched_nodes(position, false)),
        matched_mirrored: names(&graph.matched_nodes(position, true)),
        commands: graph.matches(position).iter().map(fired).collect(),
    }
}

fn planned_turns(scene: &Scene<'_>, candidates: Vec<Candidate>) -> Vec<PlannedTurn> {
    let real = |candidate: Candidate| PlannedTurn {
        turn: scene.view.real(candidate.turn),
        rating: candidate.rating,
        after: scene.view.real(candidate.after),
    };
    candidates.into_iter().map(real).collect()
}

/// Why this plan: for patterns the graph and its command.
pub(super) fn reason(plan: &Plan, knowledge: &Knowledge) -> String {
    let Some(key) = plan.command else {
        return plan.reason();
    };
    let Some(graph) = knowledge.graphs.get(usize::from(key.graph)) else {
        return plan.reason();
    };
    let command = graph
        .nodes()
        .get(usize::from(key.node))
        .and_then(|node| node.command());
    let text = command.map_or_else(String::new, Command::sentence);
    let symmetry = Symmetry {
        mirror: key.mirrored,
        flip: plan.flipped,
    };
    format!("{} {}", graph.name(), turned(&text, symmetry))
}

/// Squares in a sentence as they are on the real board.
fn turned(text: &str, symmetry: Symmetry) -> String {
    let words = text.split(' ').map(|word| {
        let squares = word.split('-').map(|part| {
            part.parse::<hathi_rules::Square>().map_or_else(
                |_| part.to_owned(),
                |square| symmetry.apply(square).to_string(),
            )
        });
        squares.collect::<Vec<_>>().join("-")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Why the turn found: what it does, and the plan behind it.
pub(super) fn explain(root: &Position, found: &Found, knowledge: &Knowledge) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    let deed = deed(root, &found.turn);
    match found.plans.first() {
        Some(plan) => reasons.push(format!("{deed} because {}", reason(plan, knowledge))),
        None => reasons.push(format!("{deed} as nothing better is left")),
    }
    for plan in found.plans.iter().skip(1) {
        let why = if plan.kind == PlanKind::TrapDefence && plan.trap.is_none() {
            "spare steps guard the traps".to_owned()
        } else {
            format!("also {}: {}", plan.kind.name(), reason(plan, knowledge))
        };
        reasons.push(why);
    }
    reasons
}

/// What a turn does, in words: "pulls the horse from d7 to d6".
fn deed(root: &Position, turn: &Turn) -> String {
    let us = root.side_to_move();
    for step in turn.steps() {
        if let Some(removal) = step.removed()
            && removal.piece.side() != us
        {
            return format!(
                "takes the {} in {}",
                removal.piece.role().name(),
                removal.square
            );
        }
    }
    let mut moved: Vec<(hathi_rules::Piece, hathi_rules::Square, hathi_rules::Square)> = Vec::new();
    for step in turn.steps() {
        let Some(to) = step.to() else { continue };
        match moved
            .iter_mut()
            .find(|(piece, _, at)| *piece == step.piece() && *at == step.from())
        {
            Some(known) => known.2 = to,
            None => moved.push((step.piece(), step.from(), to)),
        }
    }
    // What happens to them is more telling than what we do; then the strongest.
    let telling = moved
        .iter()
        .max_by_key(|(piece, _, _)| (piece.side() != us, rating::worth(piece.role())));
    match telling {
        Some((piece, _, to)) if piece.side() != us => {
            let pulled = turn.steps().first().is_some_and(|step| step.side() == us);
            let verb = if pulled { "drags" } else { "pushes" };
            format!("{verb} the {} to {to}", piece.role().name())
        }
        Some((piece, from, to)) => {
            format!("moves the {} from {from} to {to}", piece.role().name())
        }
        None => "waits".to_owned(),
    }
}
