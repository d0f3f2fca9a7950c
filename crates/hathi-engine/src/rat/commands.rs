//! What directed position graphs command, as plans and turns.

use hathi_rules::{Bitboard, Position, Turn};

use super::candidates::Candidates;
use super::categories;
use super::plan::{CommandKey, Plan, PlanKind};
use super::scene::Scene;
use super::view::{THEM, US, after_steps};
use crate::dpg::{Command, Pieces};

/// A command counts for more than where pieces happen to stand.
const OBEYED: i32 = 40;

/// A plan for every command that a graph reaches: the graphs in their order,
/// in each the nearest first.
pub(super) fn plans(scene: &Scene<'_>) -> Vec<Plan> {
    let mut found = Vec::new();
    for (graph, number) in scene.knowledge.graphs.iter().zip(0..) {
        for one in graph.matches(scene.position()) {
            // A plan is the same on both wings.
            let known = |plan: &Plan| {
                plan.command
                    .is_some_and(|key| key.graph == number && usize::from(key.node) == one.command)
            };
            let command = graph.nodes()[one.command].command();
            if matches!(command, Some(Command::Plan(_))) && found.iter().any(known) {
                continue;
            }
            found.push(Plan {
                command: Some(CommandKey {
                    graph: number,
                    node: one.command as u16,
                    mirrored: one.mirrored,
                }),
                depth: found.len() as u16,
                ..Plan::new(PlanKind::Pattern)
            });
        }
    }
    found
}

/// Pieces of ours that the graph has found in their places on the way to a
/// command: the rest of the turn leaves them there. As on the real board.
pub(super) fn in_place(scene: &Scene<'_>, plan: &Plan) -> Bitboard {
    let Some(key) = plan.command else {
        return Bitboard::EMPTY;
    };
    let graph = scene.knowledge.graphs.get(usize::from(key.graph));
    let found = graph.and_then(|graph| {
        let found = graph.search(scene.position(), key.mirrored);
        let one = found
            .into_iter()
            .find(|one| one.command == usize::from(key.node))?;
        let places = one
            .path
            .iter()
            .filter_map(|&node| graph.nodes()[node].place());
        Some(
            places
                .map(|place| place.moved(key.mirrored, false))
                .filter(|place| place.wants_ours())
                .fold(Bitboard::EMPTY, |set, place| set | place.square.bit()),
        )
    });
    scene.view.real(found.unwrap_or_default())
}

/// The turns that carry out a command.
pub(super) fn turns(scene: &Scene<'_>, plan: &Plan, found: &mut Candidates<'_>) {
    let Some(key) = plan.command else { return };
    let node = scene
        .knowledge
        .graphs
        .get(usize::from(key.graph))
        .and_then(|graph| graph.nodes().get(usize::from(key.node)));
    let Some(command) = node.and_then(|node| node.command()) else {
        return;
    };
    obey(scene, command, key.mirrored, found);
}

/// The turns that carry out a command on one wing.
pub(super) fn obey(
    scene: &Scene<'_>,
    command: &Command,
    mirrored: bool,
    found: &mut Candidates<'_>,
) {
    let board = scene.board();
    let set = |pieces: Pieces| {
        pieces
            .iter()
            .fold(Bitboard::EMPTY, |set, piece| set | board.pieces(piece))
    };
    match command {
        Command::Go { pieces, to } => {
            let target = to.on(mirrored);
            for walk in scene.walks_of(set(*pieces) - target) {
                if target.contains(walk.to) {
                    found.offer(walk.turn, &walk.after, OBEYED);
                }
            }
        }
        Command::Near { pieces, to } => {
            let to = if mirrored { to.mirror() } else { *to };
            for walk in scene.walks_of(set(*pieces)) {
                let nearer = walk.from.distance(to) as i32 - walk.to.distance(to) as i32;
                if nearer > 0 {
                    found.offer(walk.turn, &walk.after, 8 * nearer);
                }
            }
        }
        Command::Bring {
            victims,
            from,
            to,
            with,
        } => {
            for victim in set(*victims) & board.side(THEM) & from.on(mirrored) {
                for shove in scene.shoves_of(victim) {
                    let there = shove.to.is_some_and(|at| to.on(mirrored).contains(at));
                    let placed = with.as_ref().is_none_or(|(who, at)| {
                        who.contains(shove.by) && at.on(mirrored).contains(shove.by_to)
                    });
                    if there && placed {
                        found.offer(shove.turn, &shove.after, OBEYED);
                    }
                }
            }
        }
        Command::Capture(trap) => {
            let trap = if mirrored { trap.mirror() } else { *trap };
            for threat in &scene.features.our_captures {
                if threat.trap == trap {
                    let after = after_steps(scene.position(), &threat.turn);
                    found.offer(threat.turn, &after, OBEYED);
                }
            }
        }
        Command::Turn(turn) => {
            let symmetry = hathi_rules::Symmetry {
                mirror: mirrored,
                flip: false,
            };
            let turn = symmetry.apply(*turn);
            if turn.steps().len() <= usize::from(scene.steps_left())
                && let Some((turn, after)) = checked(scene.position(), &turn)
            {
                found.offer(turn, &after, OBEYED);
            }
        }
        Command::Plan(kind) => {
            let mut plan = Plan::new(*kind);
            // What the plan is about is for its own conditions to say.
            let queue = super::evaluate::evaluate(scene, &[], 2);
            if let Some(known) = queue.plans().iter().find(|plan| plan.kind == *kind) {
                plan = *known;
            }
            for candidate in categories::generate(scene, &plan, 3) {
                found.offer(candidate.turn, &candidate.after, OBEYED / 2);
            }
        }
    }
}

/// Steps of ours as far as they are legal here; none if one is not.
fn checked(position: &Position, turn: &Turn) -> Option<(Turn, Position)> {
    let mut mid = *position;
    let mut legal = Turn::EMPTY;
    for &step in turn.steps() {
        let step = mid.check_step(step.bare()).ok()?;
        mid.apply(step);
        legal.push(step).ok()?;
    }
    (!mid.is_mid_push() && mid.side_to_move() == US).then_some((legal, mid))
}
