//! Everything that was measured, for the report and for programs.

use serde::Serialize;

use super::matches::Match;
use super::memories::MemoryMatch;
use super::setups::Popular;
use crate::eighths::Eighth;

/// The whole experiment.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub(super) experiment: Experiment,
    /// Was it done to its end?
    pub(super) complete: bool,
    pub(super) setups: Popular,
    pub(super) queries: Vec<Eighth>,
    /// The memory bots, his first.
    pub(super) matches: Vec<Match>,
    /// His bot against random moves.
    pub(super) against_random: Match,
    pub(super) memories: Vec<MemoryMatch>,
}

/// What was asked for.
#[derive(Debug, Serialize)]
pub(super) struct Experiment {
    /// Games of each match.
    pub(super) games: u64,
    /// How long engines that search may think.
    pub(super) limit: String,
    pub(super) drawn_setups: bool,
    pub(super) seed: u64,
    pub(super) store_games: u64,
    pub(super) store_positions: u64,
    pub(super) puzzles: u64,
    /// Those whose position is known: only they can be met.
    pub(super) puzzles_linked: u64,
}
