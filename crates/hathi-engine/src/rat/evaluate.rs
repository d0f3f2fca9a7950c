//! The positional evaluation: which plans does this position call for?
//!
//! Every plan has its conditions here ("Add Plan"); what it would play is
//! found by its category.

use hathi_model::phase::Phase;
use hathi_rules::{Bitboard, Role, Square};

use super::commands;
use super::features::Control;
use super::plan::{Flag, Plan, PlanKey, PlanKind, Queue};
use super::scene::{Scene, in_reach, strongest};
use super::view::{FAR_TRAPS, HOME_TRAPS, THEM, US, rank};

/// The queue of plans for a position, without those tried already. `ply` is 0
/// at the root; graphs are matched at the first two plies only.
pub(crate) fn evaluate(scene: &Scene<'_>, tried: &[PlanKey], ply: u32) -> Queue {
    let mut queue = Queue::default();
    let mut add = |plan: Option<Plan>| {
        let plan = plan.map(|plan| Plan {
            flipped: scene.view.is_flipped(),
            ..plan
        });
        if plan.is_none_or(|plan| !tried.contains(&plan.key())) {
            queue.add(plan);
        }
    };
    add(goal(scene));
    add(goal_defence(scene));
    add(capture(scene));
    add(defence(scene));
    if ply < 2 {
        for plan in commands::plans(scene) {
            add(Some(plan));
        }
    }
    add(frame(scene));
    add(hostage(scene));
    add(fork(scene));
    add(camel_hunt(scene));
    add(retreat(scene));
    for trap in HOME_TRAPS {
        add(trap_defence(scene, trap));
    }
    add(goal_preparation(scene));
    add(kidnap(scene));
    add(flip(scene));
    for trap in FAR_TRAPS {
        add(attack(scene, trap));
    }
    add(clear_trap(scene));
    add(centralise(scene));
    add(advance(scene));
    queue
}

fn goal(scene: &Scene<'_>) -> Option<Plan> {
    let steps = usize::from(scene.steps_left());
    let near = scene
        .ours(Role::Rabbit)
        .into_iter()
        .any(|square| 7 - rank(square) <= steps);
    near.then(|| Plan::new(PlanKind::Goal))
}

fn goal_defence(scene: &Scene<'_>) -> Option<Plan> {
    scene
        .features
        .their_goal
        .map(|_| Plan::new(PlanKind::GoalDefence))
}

fn capture(scene: &Scene<'_>) -> Option<Plan> {
    let best = scene.features.our_captures.first()?;
    let (ours, theirs) = scene.features.stakes();
    Some(
        Plan::new(PlanKind::Capture)
            .about(best.victim, best.square)
            .at(best.trap)
            .lowered_by((theirs > ours).then_some(Flag::TheyTakeMore)),
    )
}

fn defence(scene: &Scene<'_>) -> Option<Plan> {
    let worst = scene.features.their_captures.first()?;
    Some(
        Plan::new(PlanKind::Defence)
            .about(worst.victim, worst.square)
            .at(worst.trap),
    )
}

/// An enemy piece stands on a trap, and ours are near.
fn frame(scene: &Scene<'_>) -> Option<Plan> {
    let board = scene.board();
    Square::TRAPS.into_iter().find_map(|trap| {
        let piece = board.piece_at(trap).filter(|piece| piece.side() == THEM)?;
        let near = trap.bit().grow().grow();
        let helpers = (board.side(THEM) & trap.neighbours()).len();
        (helpers <= 2 && scene.stronger(trap).intersects(near)).then(|| {
            Plan::new(PlanKind::Frame)
                .about(piece, trap)
                .at(trap)
                .lowered_by(tied(scene))
        })
    })
}

/// A camel or horse of theirs has come within our reach and is not held yet.
fn hostage(scene: &Scene<'_>) -> Option<Plan> {
    let board = scene.board();
    let prey = scene.theirs(Role::Camel) | scene.theirs(Role::Horse);
    let hunters = scene.ours(Role::Elephant) | scene.ours(Role::Camel);
    let near = in_reach(board, hunters, 3) & (prey - scene.features.hostages) & lower(5);
    let square = strongest(board, near)?;
    Some(
        Plan::new(PlanKind::Hostage)
            .about(board.piece_at(square)?, square)
            .lowered_by(tied(scene)),
    )
}

/// Two enemy pieces, not at home, within reach of one strong piece.
fn fork(scene: &Scene<'_>) -> Option<Plan> {
    let board = scene.board();
    let strong = scene.ours(Role::Elephant) | scene.ours(Role::Camel) | scene.ours(Role::Horse);
    if scene.features.phase == Phase::Opening || scene.steps_left() < 2 {
        return None;
    }
    let can = strong
        .into_iter()
        .any(|hunter| (in_reach(board, hunter.bit(), 4) & lower(6)).len() >= 2);
    can.then(|| Plan::new(PlanKind::Fork).lowered_by(tied(scene)))
}

fn camel_hunt(scene: &Scene<'_>) -> Option<Plan> {
    let camel = (scene.theirs(Role::Camel) & lower(6)).first()?;
    let elephant = scene.features.our_elephant?;
    (elephant.distance(camel) <= 6 && !scene.features.hostages.contains(camel)).then(|| {
        Plan::new(PlanKind::CamelHunt)
            .about(hathi_rules::Piece::SilverCamel, camel)
            .lowered_by(tied(scene))
    })
}

fn retreat(scene: &Scene<'_>) -> Option<Plan> {
    let board = scene.board();
    let square = strongest(board, scene.features.exposed & board.mobile(US))?;
    Some(Plan::new(PlanKind::Retreat).about(board.piece_at(square)?, square))
}

/// The enemy is at a trap of ours, or near it while we are not.
fn trap_defence(scene: &Scene<'_>, trap: Square) -> Option<Plan> {
    let board = scene.board();
    let control = Control::of(board, trap);
    let near = board.side(THEM) - board.role(Role::Rabbit);
    let visitors = (near & trap.bit().grow().grow()).any();
    let weak = control.theirs > 0 && control.balance < 4
        || visitors && control.balance < 2 + control.theirs as i32;
    let lonely = control.ours == 0 && scene.features.phase != Phase::Opening;
    (weak || lonely).then(|| Plan::new(PlanKind::TrapDefence).at(trap))
}

/// Late in the game, or with a rabbit well advanced.
fn goal_preparation(scene: &Scene<'_>) -> Option<Plan> {
    let rabbits = scene.ours(Role::Rabbit);
    let forward = rabbits & scene.board().mobile(US) & !lower(4);
    let end = scene.features.phase == Phase::End;
    (rabbits.any() && (end || forward.any()))
        .then(|| Plan::new(PlanKind::GoalPreparation).lowered_by((!end).then_some(Flag::Early)))
}

/// Enemy pieces that could be dragged to our side.
pub(crate) fn prey(scene: &Scene<'_>) -> Bitboard {
    let board = scene.board();
    let hunters = board.side(US) - board.role(Role::Rabbit);
    in_reach(board, hunters, 3) & lower(6)
}

fn kidnap(scene: &Scene<'_>) -> Option<Plan> {
    if scene.steps_left() < 2 {
        return None;
    }
    let board = scene.board();
    let square = strongest(board, prey(scene))?;
    Some(
        Plan::new(PlanKind::Kidnap)
            .about(board.piece_at(square)?, square)
            .lowered_by(tied(scene)),
    )
}

fn flip(scene: &Scene<'_>) -> Option<Plan> {
    if scene.steps_left() < 4 {
        return None;
    }
    let board = scene.board();
    let square = strongest(board, in_reach(board, board.side(US), 1))?;
    Some(
        Plan::new(PlanKind::Flip)
            .about(board.piece_at(square)?, square)
            .lowered_by(tied(scene)),
    )
}

fn attack(scene: &Scene<'_>, trap: Square) -> Option<Plan> {
    let control = Control::of(scene.board(), trap);
    let flag = if scene.features.elephant_is_out() {
        tied(scene)
    } else {
        Some(Flag::ElephantAtHome)
    };
    (control.ours < 3).then(|| Plan::new(PlanKind::Attack).at(trap).lowered_by(flag))
}

fn clear_trap(scene: &Scene<'_>) -> Option<Plan> {
    let board = scene.board();
    let on_traps = board.side(US) & Bitboard::TRAPS & board.mobile(US);
    let square = strongest(board, on_traps)?;
    Some(Plan::new(PlanKind::ClearTrap).about(board.piece_at(square)?, square))
}

/// The four squares in the middle.
pub(crate) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

fn centralise(scene: &Scene<'_>) -> Option<Plan> {
    let elephant = scene.features.our_elephant?;
    (!CENTRE.contains(elephant) && !scene.features.elephant_tied)
        .then(|| Plan::new(PlanKind::Centralise))
}

fn advance(scene: &Scene<'_>) -> Option<Plan> {
    (scene.ours(Role::Rabbit) & scene.board().mobile(US))
        .any()
        .then(|| Plan::new(PlanKind::Advance))
}

fn tied(scene: &Scene<'_>) -> Option<Flag> {
    scene.features.elephant_tied.then_some(Flag::ElephantTied)
}

/// Our first so many ranks.
pub(crate) const fn lower(ranks: u32) -> Bitboard {
    Bitboard((1u64 << (8 * ranks)) - 1)
}
