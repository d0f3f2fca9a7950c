//! Alpha-beta over steps.
//!
//! A node of the tree is a position inside a turn, an edge is one step or the
//! end of the turn; depth is counted in steps. The same search serves all
//! engines that look ahead; they differ in evaluation and [`Settings`].

mod order;
mod quiet;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod worker;

use std::ops::ControlFlow;

use hathi_rules::{Game, Outcome, Position, Turn};

use crate::evaluation::Evaluate;
use crate::{Limits, Thought};
use order::Ordering;
use table::Table;
use worker::{Line, Node, Worker, worth};

/// A won game; less the number of turns it takes.
pub(crate) const WIN: i32 = 100_000;
/// Scores beyond this are wins in some number of turns.
pub(crate) const SURE: i32 = WIN - 1_000;
/// Beyond every score.
const INFINITE: i32 = WIN + 1;
/// The deepest line in steps.
const DEEPEST: usize = 160;

/// What a search does beside looking ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Captures are played out at the leaves.
    pub(crate) quiescence: bool,
    /// Late steps are searched less deeply, and hopeless positions cut off.
    pub(crate) selective: bool,
}

/// A search with its memory; keeps what it has learned from turn to turn.
pub(crate) struct Search<E> {
    evaluation: E,
    settings: Settings,
    table: Table,
    ordering: Ordering,
}

/// What came out of a search.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) turn: Turn,
    pub(crate) thought: Thought,
}

impl<E: Evaluate> Search<E> {
    pub(crate) fn new(evaluation: E, settings: Settings, megabytes: usize) -> Search<E> {
        Search {
            evaluation,
            settings,
            table: Table::new(megabytes),
            ordering: Ordering::new(),
        }
    }

    pub(crate) fn new_game(&mut self) {
        self.table.clear();
        self.ordering = Ordering::new();
    }

    /// The best turn that can be found within the limits; none if there is no
    /// legal one.
    pub(crate) fn run(
        &mut self,
        game: &Game,
        limits: &Limits,
        deepest: u32,
        listener: &mut dyn FnMut(&Thought),
    ) -> Option<Found> {
        let root = game.position();
        let mut found = Found {
            turn: any_turn(game)?,
            thought: Thought::default(),
        };
        // A goal is a goal.
        if let Some(turn) = root.can_goal() {
            found.turn = turn;
            found.thought = Thought {
                depth: turn.steps().len() as u32,
                nodes: 1,
                time: limits.elapsed(),
                score: WIN - 1,
                line: vec![turn],
            };
            listener(&found.thought);
            return Some(found);
        }
        self.table.next_search();
        self.ordering.next_search();
        let mut worker = self.worker(game, limits);
        let deepest = deepest
            .min(limits.depth.unwrap_or(u32::MAX))
            .clamp(1, DEEPEST as u32 - 40);
        let mut score = 0;
        for depth in 1..=deepest {
            let Some(value) = worker.aspire(&root, depth as i32, score) else {
                break;
            };
            score = value;
            if let Some(turn) = worker.first_turn(game) {
                found.turn = turn;
            }
            found.thought = worker.thought(&root, depth, score);
            listener(&found.thought);
            if score.abs() > SURE && (WIN - score.abs()) * 4 <= depth as i32
                || !limits.has_time_for_more()
                || worker.nodes >= worker.node_limit
            {
                break;
            }
        }
        if worker.stopped
            && worker.line[0].len > 0
            && let Some(turn) = worker.first_turn(game)
        {
            // The round that was cut short had already found something that
            // was better than, or the same as, the best of the round before.
            found.turn = turn;
        }
        found.thought.nodes = worker.nodes;
        found.thought.time = limits.elapsed();
        Some(found)
    }
}

impl<E: Evaluate> Search<E> {
    fn worker<'a>(&'a mut self, game: &Game, limits: &'a Limits) -> Worker<'a, E> {
        Worker {
            evaluation: &self.evaluation,
            settings: self.settings,
            table: &self.table,
            ordering: &mut self.ordering,
            limits,
            rules: game.rules(),
            forbidden: repeated(game),
            nodes: 0,
            stopped: false,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            next_look: 0,
            line: vec![Line::EMPTY; DEEPEST + 1],
            turn_starts: [0; DEEPEST + 1],
            steps: Vec::with_capacity(2048),
        }
    }

    /// Is this turn worth at least so much, looking as deep as a search of
    /// `depth` steps from the root? None if there is no time to tell.
    pub(crate) fn stands(
        &mut self,
        game: &Game,
        turn: &Turn,
        depth: u32,
        at_least: i32,
        limits: &Limits,
    ) -> Option<bool> {
        let position = game.position();
        let after = position.after_turn(turn.steps());
        let mover = position.side_to_move();
        if let Some(outcome) = Outcome::on_board(after.board(), mover, game.rules()) {
            return Some(worth(outcome, mover, 0) >= at_least);
        }
        let mut worker = self.worker(game, limits);
        let node = Node {
            depth: (depth as i32 - 4).max(0),
            // As if the turn had been four steps from the root.
            ply: 4,
            alpha: -at_least,
            beta: 1 - at_least,
            last: None,
            may_skip: true,
        };
        let score = -worker.search(&after, node);
        (!worker.stopped).then_some(score >= at_least)
    }
}

/// Positions that have stood twice already: to bring them about again is
/// illegal.
fn repeated(game: &Game) -> Vec<u64> {
    let mut hashes: Vec<u64> = game.positions().iter().map(Position::hash).collect();
    hashes.sort_unstable();
    hashes
        .chunk_by(|a, b| a == b)
        .filter(|same| same.len() >= 2)
        .map(|same| same[0])
        .collect()
}

/// Some legal turn, found in no time: what is played if there is no time.
fn any_turn(game: &Game) -> Option<Turn> {
    let mut some = None;
    let _ = game.position().for_each_turn(|turn, after| {
        if game.is_third_repetition(after) {
            return ControlFlow::Continue(());
        }
        some = Some(*turn);
        ControlFlow::Break(())
    });
    some
}
