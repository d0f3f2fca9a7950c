//! Rat: plans, move categories and pattern graphs that guide a highly
//! selective search, after Trippen (2009).
//!
//! | step | file |
//! |---|---|
//! | what is there to know about the position | [`features`](self::features) |
//! | which plans does it call for, in which order | `evaluate`, [`plan`](self::plan) |
//! | which turns would serve a plan | `categories`, one file each |
//! | what directed position graphs command | `commands`, [`crate::dpg`] |
//! | local patterns round traps | `local` |
//! | does a plan lose material | `search` |
//! | steps that are left over | `fill` |
//! | the engine | `player` |

mod candidates;
mod categories;
mod commands;
mod evaluate;
pub(crate) mod features;
mod fill;
mod local;
pub(crate) mod plan;
mod player;
mod quiet;
mod rating;
mod report;
mod scene;
mod search;
mod shove;
#[cfg(test)]
mod tests;
mod view;
mod walk;

use crate::dpg::Graph;
use local::Patterns;

pub(crate) use features::phase_of;
pub use plan::{Flag, Plan, PlanKind, Queue};
pub(crate) use player::Rat;
pub use player::decide_with_graphs;
pub use report::{Fired, GraphTrace, Planned, PlannedTurn, plans_of, trace_graph};

/// What Rat knows beside the rules.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    pub(crate) patterns: Patterns,
    pub(crate) graphs: Vec<Graph>,
}
