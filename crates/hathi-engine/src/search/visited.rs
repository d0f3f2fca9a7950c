//! Positions that a search looks at, drawn by chance: an evaluation should know such boards, and
//! games alone do not lead to them.

use hathi_rules::{Bitboard, Board, Game, Position};

use super::Search;
use super::worker::Worker;
use crate::evaluation::Evaluate;
use crate::{Limits, Visited};

/// Keeps some of the positions it is shown, each as likely as any other.
pub(super) struct Reservoir {
    random: fastrand::Rng,
    wanted: usize,
    shown: u64,
    kept: Vec<Visited>,
}

impl Reservoir {
    fn new(wanted: usize, seed: u64) -> Reservoir {
        Reservoir {
            random: fastrand::Rng::with_seed(seed),
            wanted,
            shown: 0,
            kept: Vec::with_capacity(wanted),
        }
    }

    /// A position, the board its turn began with, and what the turn before had changed.
    pub(super) fn show(&mut self, position: &Position, start: &Board, changed: Bitboard) {
        self.shown += 1;
        let visited = || Visited {
            start: *start,
            position: *position,
            changed,
        };
        if self.kept.len() < self.wanted {
            self.kept.push(visited());
        } else {
            let place = self.random.u64(..self.shown);
            if let Some(kept) = usize::try_from(place)
                .ok()
                .and_then(|place| self.kept.get_mut(place))
            {
                *kept = visited();
            }
        }
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// Shows a position to the reservoir, if there is one. Half a push is no position to value.
    #[inline]
    pub(super) fn show_visited(&mut self, position: &Position, ply: usize) {
        if let Some(reservoir) = &mut self.reservoir
            && ply > 0
            && !position.is_mid_push()
        {
            let trail = &self.trails[ply];
            reservoir.show(position, &trail.start, trail.changed_before());
        }
    }
}

impl<E: Evaluate + Sync> Search<E> {
    /// Some of the positions that a search of this game's position looks at.
    pub(crate) fn visited(
        &mut self,
        game: &Game,
        limits: &Limits,
        deepest: u32,
        wanted: usize,
        seed: u64,
    ) -> Vec<Visited> {
        let root = game.position();
        let mut reservoir = Some(Box::new(Reservoir::new(wanted, seed)));
        self.with_worker(game, &root, limits, deepest, |worker, deepest| {
            worker.reservoir = reservoir.take();
            let mut expected = 0;
            for depth in 1..=deepest {
                let Some(score) = worker.aspire(&root, depth as i32, expected) else {
                    break;
                };
                expected = score;
                if !worker.limits.has_time_for_more() || worker.nodes >= worker.node_limit {
                    break;
                }
            }
            reservoir = worker.reservoir.take();
        });
        reservoir.map_or_else(Vec::new, |reservoir| reservoir.kept)
    }
}
