//! Move categories: for each kind of plan all turns of its kind, built up
//! from the pieces concerned, rated, and the best few kept.

mod advance;
mod attack;
mod camel_hunt;
mod capture;
mod centralise;
mod clear_trap;
mod defence;
mod flip;
mod fork;
mod frame;
mod goal;
mod goal_defence;
mod goal_preparation;
mod hostage;
mod kidnap;
mod retreat;
mod trap_defence;

use super::candidates::{Candidate, Candidates};
use super::commands;
use super::plan::{Plan, PlanKind};
use super::scene::Scene;

/// The best turns, or parts of turns, for a plan: all of its category are
/// made and rated, the best `keep` come back, best first.
pub(crate) fn generate(scene: &Scene<'_>, plan: &Plan, keep: usize) -> Vec<Candidate> {
    let mut found = Candidates::new(scene.position());
    fill(scene, plan, &mut found);
    found.best(keep)
}

fn fill(scene: &Scene<'_>, plan: &Plan, found: &mut Candidates<'_>) {
    match plan.kind {
        PlanKind::Goal => goal::turns(scene, found),
        PlanKind::GoalDefence => goal_defence::turns(scene, found),
        PlanKind::Capture => capture::turns(scene, found),
        PlanKind::Defence => defence::turns(scene, found),
        PlanKind::Pattern => commands::turns(scene, plan, found),
        PlanKind::Frame => frame::turns(scene, plan, found),
        PlanKind::Hostage => hostage::turns(scene, found),
        PlanKind::Fork => fork::turns(scene, found),
        PlanKind::CamelHunt => camel_hunt::turns(scene, plan, found),
        PlanKind::Retreat => retreat::turns(scene, found),
        PlanKind::TrapDefence => trap_defence::turns(scene, plan, found),
        PlanKind::GoalPreparation => goal_preparation::turns(scene, found),
        PlanKind::Kidnap => kidnap::turns(scene, found),
        PlanKind::Flip => flip::turns(scene, found),
        PlanKind::Attack => attack::turns(scene, plan, found),
        PlanKind::ClearTrap => clear_trap::turns(scene, found),
        PlanKind::Centralise => centralise::turns(scene, found),
        PlanKind::Advance => advance::turns(scene, found),
    }
}
