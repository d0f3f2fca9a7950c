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

use std::ops::ControlFlow;

use hathi_rules::{Game, Outcome, Position, PushPull, RuleSet, Side, Step, Turn};

use crate::evaluation::Evaluate;
use crate::{Limits, Thought};
use order::{Ordering, Scored};
use table::{Best, Bound, Entry, Table};

/// A won game; less the number of turns it takes.
pub(crate) const WIN: i32 = 100_000;
/// Scores beyond this are wins in some number of turns.
pub(crate) const SURE: i32 = WIN - 1_000;
/// Beyond every score.
const INFINITE: i32 = WIN + 1;
/// The deepest line in steps.
const DEEPEST: usize = 160;

/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 500;

/// What a search does beside looking ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Captures are played out at the leaves.
    pub(crate) quiescence: bool,
    /// Late steps are searched less deeply, and hopeless positions cut off.
    pub(crate) selective: bool,
    pub(crate) tweak: u32,
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

/// The line expected from a node on.
#[derive(Clone, Copy)]
struct Line {
    steps: [Option<Step>; DEEPEST],
    len: usize,
}

impl Line {
    const EMPTY: Line = Line {
        steps: [None; DEEPEST],
        len: 0,
    };
}

struct Worker<'a, E> {
    evaluation: &'a E,
    settings: Settings,
    table: &'a Table,
    ordering: &'a mut Ordering,
    limits: &'a Limits,
    rules: RuleSet,
    forbidden: Vec<u64>,
    nodes: u64,
    stopped: bool,
    node_limit: u64,
    /// When to look at the clock again.
    next_look: u64,
    /// For each ply the best line from there; `None` ends a turn.
    line: Vec<Line>,
    /// For each ply the hash of the board at the start of its turn.
    turn_starts: [u64; DEEPEST + 1],
    /// Steps of all nodes on the way, one after the other.
    steps: Vec<Scored>,
}

/// What a node knows about where it is.
#[derive(Clone, Copy)]
struct Node {
    depth: i32,
    ply: usize,
    alpha: i32,
    beta: i32,
    /// The step that led here, inside the same turn.
    last: Option<Step>,
    /// No turn without a move: not twice in a row.
    may_skip: bool,
}

impl<E: Evaluate> Worker<'_, E> {
    /// Searches with a window round the score expected.
    fn aspire(&mut self, root: &Position, depth: i32, expected: i32) -> Option<i32> {
        let mut width = if depth <= 4 || expected.abs() > SURE {
            2 * INFINITE
        } else {
            60
        };
        let (mut alpha, mut beta) = (expected - width, expected + width);
        loop {
            (alpha, beta) = (alpha.max(-INFINITE), beta.min(INFINITE));
            self.turn_starts[0] = root.board().hash();
            let score = self.search(
                root,
                Node {
                    depth,
                    ply: 0,
                    alpha,
                    beta,
                    last: None,
                    may_skip: false,
                },
            );
            if self.stopped {
                return None;
            }
            width = width.saturating_mul(4);
            if score <= alpha && alpha > -INFINITE {
                alpha = score - width;
            } else if score >= beta && beta < INFINITE {
                beta = score + width;
            } else {
                return Some(score);
            }
        }
    }

    /// The first turn of the best line, made complete and checked.
    fn first_turn(&self, game: &Game) -> Option<Turn> {
        let line = &self.line[0];
        let mut position = game.position();
        let mut turn = Turn::EMPTY;
        for step in line.steps[..line.len].iter().map_while(|&step| step) {
            if position.steps_left() == 0 {
                break;
            }
            position.apply(step);
            turn.push(step).ok()?;
        }
        let (turn, after) = game.position().check_turn(&turn).ok()?;
        (!game.is_third_repetition(&after)).then_some(turn)
    }

    fn thought(&self, root: &Position, depth: u32, score: i32) -> Thought {
        let line = &self.line[0];
        let mut turns = Vec::new();
        let mut turn = Turn::EMPTY;
        let mut left = root.steps_left();
        for step in &line.steps[..line.len] {
            if let Some(step) = step {
                left = left.saturating_sub(1);
                if turn.push(*step).is_err() {
                    break;
                }
            }
            if step.is_none() || left == 0 {
                if !turn.steps().is_empty() {
                    turns.push(std::mem::replace(&mut turn, Turn::EMPTY));
                }
                left = 4;
            }
        }
        if !turn.steps().is_empty() {
            turns.push(turn);
        }
        Thought {
            depth,
            nodes: self.nodes,
            time: self.limits.elapsed(),
            score,
            line: turns,
        }
    }

    #[inline]
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.next_look = (self.nodes + LOOK_EVERY).min(self.node_limit);
            if self.limits.is_over() || self.nodes >= self.node_limit {
                self.stopped = true;
            }
        }
        self.stopped
    }

    /// The value of a position for the side to move.
    fn search(&mut self, position: &Position, node: Node) -> i32 {
        let Node {
            mut depth,
            ply,
            mut alpha,
            beta,
            last,
            may_skip,
        } = node;
        self.line[ply].len = 0;
        if self.count_node() {
            return alpha;
        }
        let side = position.side_to_move();
        let at_start = position.at_turn_start();

        if at_start && ply > 0 {
            self.turn_starts[ply] = position.board().hash();
            if position.can_goal().is_some() {
                return WIN - turns_down(ply) - 1;
            }
        }
        if depth <= 0 {
            if position.is_mid_push() {
                depth = 1;
            } else if self.must_look_on(position, ply) {
                // The opponent would win: is there no way out?
                depth = 1;
            } else {
                return self.leaf(position, alpha, beta);
            }
        }
        if ply >= DEEPEST - 2 {
            return self.evaluation.evaluate(position.board(), side);
        }

        let in_window = beta - alpha > 1;
        let hash = position.hash();
        let entry = self.table.get(hash);
        if let Some(entry) = entry
            && !in_window
            && entry.depth >= depth
        {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= beta => return score,
                Bound::Upper if score <= alpha => return score,
                _ => {}
            }
        }

        // Would it be good enough even without a move?
        if self.settings.selective
            && may_skip
            && at_start
            && !in_window
            && depth >= 4
            && beta.abs() < SURE
            && self.evaluation.evaluate(position.board(), side) >= beta
        {
            let score = -self.search(
                &position.end_turn(),
                Node {
                    depth: depth - 6,
                    ply: ply + 1,
                    alpha: -beta,
                    beta: 1 - beta,
                    last: None,
                    may_skip: false,
                },
            );
            if self.stopped {
                return alpha;
            }
            if score >= beta && score < SURE {
                return score;
            }
        }

        let first = entry.map_or(Best::Unknown, |entry| entry.best);
        let from = self.steps.len();
        self.list_steps(position, ply, first, last);
        let mut best = -INFINITE;
        let mut best_step = Best::Unknown;
        let original_alpha = alpha;
        let hopeless = self.settings.tweak & 2 != 0
            && !in_window
            && depth <= 3
            && alpha.abs() < SURE
            && !position.is_mid_push()
            && self.evaluation.evaluate(position.board(), side) + 60 + 60 * depth <= alpha;
        let mut tried = 0;
        for index in from..self.steps.len() {
            let step = order::pick(&mut self.steps[from..], index - from);
            if hopeless && tried > 0 && !step.is_loud() {
                continue;
            }
            let Some(score) = self.try_step(position, step, tried, best, node, depth, alpha) else {
                continue;
            };
            tried += 1;
            if self.stopped {
                self.steps.truncate(from);
                return alpha;
            }
            if score > best {
                best = score;
                best_step = step.best();
                if score > alpha {
                    alpha = score;
                    self.extend_line(ply, step);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if best >= beta {
            self.ordering.reward(
                position,
                ply,
                best_step,
                depth,
                &self.steps[from..][..tried],
            );
        }
        self.steps.truncate(from);
        if tried == 0 {
            // Nothing to do in this turn: it was wrong to come here, or the
            // game is lost for want of a move.
            return if at_start {
                -(WIN - turns_down(ply))
            } else {
                -INFINITE
            };
        }
        if best > -INFINITE {
            self.table.put(
                hash,
                Entry {
                    score: to_table(best, ply),
                    depth,
                    bound: if best >= beta {
                        Bound::Lower
                    } else if best > original_alpha {
                        Bound::Exact
                    } else {
                        Bound::Upper
                    },
                    best: best_step,
                },
            );
        }
        best
    }

    /// The value of a step or of ending the turn; none if it is not allowed.
    #[allow(clippy::too_many_arguments)]
    fn try_step(
        &mut self,
        position: &Position,
        step: Scored,
        tried: usize,
        best: i32,
        node: Node,
        depth: i32,
        alpha: i32,
    ) -> Option<i32> {
        let ply = node.ply;
        let beta = node.beta;
        let (next, ends, cost) = match step.best() {
            Best::Step(step) => {
                let next = position.after(step);
                (next, next.steps_left() == 0 && !next.is_mid_push(), 1)
            }
            _ => (*position, true, i32::from(position.steps_left())),
        };
        let value = |worker: &mut Self, depth: i32, alpha: i32, beta: i32| {
            if ends {
                let next = next.end_turn();
                let node = Node {
                    depth,
                    ply: ply + 1,
                    alpha: -beta,
                    beta: -alpha,
                    last: None,
                    may_skip: true,
                };
                -worker.search(&next, node)
            } else {
                worker.turn_starts[ply + 1] = worker.turn_starts[ply];
                let last = match step.best() {
                    Best::Step(step) if step.side() == position.side_to_move() => Some(step),
                    _ => None,
                };
                let node = Node {
                    depth,
                    ply: ply + 1,
                    alpha,
                    beta,
                    last,
                    may_skip: true,
                };
                worker.search(&next, node)
            }
        };
        if ends {
            if next.board().hash() == self.turn_starts[ply] {
                return None;
            }
            let after = next.end_turn();
            if !self.forbidden.is_empty() && self.forbidden.binary_search(&after.hash()).is_ok() {
                return None;
            }
            let mover = position.side_to_move();
            if let Some(outcome) = Outcome::on_board(next.board(), mover, self.rules) {
                return Some(worth(outcome, mover, ply));
            }
        } else if next.steps_left() == 0 {
            // Four steps are gone and a push is not complete.
            return None;
        }

        let depth_left = depth - cost;
        if tried == 0 {
            return Some(value(self, depth_left, alpha, beta));
        }
        let reduction = if self.settings.selective && depth >= 3 && best > -SURE {
            if self.settings.tweak & 1 != 0 {
                order::reduction2(step, tried, depth)
            } else if self.settings.tweak & 8 != 0 {
                order::reduction3(step, tried, depth)
            } else {
                order::reduction(step, tried, depth)
            }
        } else {
            0
        };
        let mut score = value(self, depth_left - reduction, alpha, alpha + 1);
        if score > alpha && reduction > 0 && !self.stopped {
            score = value(self, depth_left, alpha, alpha + 1);
        }
        if score > alpha && score < beta && !self.stopped {
            score = value(self, depth_left, alpha, beta);
        }
        Some(score)
    }

    /// Inside a turn, with the opponent about to win: the rest of the turn is
    /// looked at for a defence.
    fn must_look_on(&self, position: &Position, ply: usize) -> bool {
        ply < DEEPEST - 8
            && self.settings.quiescence
            && !position.at_turn_start()
            && position.steps_left() > 0
            && position.end_turn().can_goal().is_some()
    }

    fn list_steps(&mut self, position: &Position, ply: usize, first: Best, last: Option<Step>) {
        let steps = &mut self.steps;
        let ordering = &*self.ordering;
        let board = position.board();
        let mover = position.side_to_move();
        // After a step that could have come later, only one order is tried.
        let order_matters =
            last.is_none() || !matches!(position.push_pull(), PushPull::MayPull { .. });
        position.for_each_step(|step| {
            if !order_matters
                && let Some(last) = last
                && step.side() == mover
                && step.from() < last.from()
                && step.commutes_with(last)
                && !(position.enemy()
                    & board.weaker_than(step.piece().role())
                    & step.from().neighbours())
                .any()
            {
                return;
            }
            let score = ordering.score(position, step, ply, first, last);
            steps.push(Scored::step(step, score));
        });
        if position.can_end_turn() {
            let score = if first == Best::Pass { order::FIRST } else { 0 };
            steps.push(Scored::pass(score));
        }
    }

    fn extend_line(&mut self, ply: usize, step: Scored) {
        let (head, tail) = self.line.split_at_mut(ply + 1);
        let (line, rest) = (&mut head[ply], &tail[0]);
        line.steps[0] = match step.best() {
            Best::Step(step) => Some(step),
            _ => None,
        };
        let len = rest.len.min(DEEPEST - 1);
        line.steps[1..=len].copy_from_slice(&rest.steps[..len]);
        line.len = len + 1;
    }
}

/// Turns gone by at this ply, roughly: wins that take fewer steps come first.
fn turns_down(ply: usize) -> i32 {
    ply as i32 / 4
}

fn worth(outcome: Outcome, side: Side, ply: usize) -> i32 {
    match outcome.winner {
        Some(winner) if winner == side => WIN - turns_down(ply) - 1,
        Some(_) => -(WIN - turns_down(ply) - 1),
        None => 0,
    }
}

/// Wins are stored by their distance from the node, not from the root.
fn to_table(score: i32, ply: usize) -> i32 {
    if score > SURE {
        score + turns_down(ply)
    } else if score < -SURE {
        score - turns_down(ply)
    } else {
        score
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    if score > SURE {
        score - turns_down(ply)
    } else if score < -SURE {
        score + turns_down(ply)
    } else {
        score
    }
}
