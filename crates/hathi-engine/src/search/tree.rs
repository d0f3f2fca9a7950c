//! Monte-Carlo tree search over steps, with learned priors, and alpha-beta's own
//! view of a position instead of a blind playout.
//!
//! A node is a position inside a turn, as in the alpha-beta search: some 25 steps
//! lead on from it, where a tree of whole turns would have 17,000 edges to make and
//! to score before the first one is tried. The model of steps gives each edge its
//! prior (PUCT), the network knows what steps that are left are worth, and orders
//! of steps that come to the same are tried in one order only. A goal within the
//! turn is found exactly where a turn begins; games that are over, and what follows
//! from them, are proofs and are not averaged.
//!
//! `engines/uct.rs` plays by it.

mod grown;
mod lines;

use hathi_rules::{Outcome, Position, Step, Turn, TurnGenerator};

use super::worker::{Node, Worker, is_out_of_order};
use super::{DEEPEST, INFINITE, SURE, Search, WIN};
use crate::chance::winning_chance;
use crate::evaluation::Evaluate;
use crate::playout::RandomPlayouts;
use crate::{Analysis, AnalysisRequest, Limits, Playouts};
use grown::{Edge, Passed, Tree};
use lines::Valued;

/// Simulations in a row that add nothing: there is nothing more to see.
const IDLE: u32 = 4_096;

/// Simulations between two looks at the clock.
const LOOK_EVERY: u64 = 32;

/// Simulations before a first report.
const FIRST_REPORT: u64 = 64;

/// How a tree is grown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeSettings {
    /// How much priors count against what was found.
    pub(crate) explore: f32,
    /// How much of an edge's worth is its best answer's, not the mean of all.
    pub(crate) minimax: f32,
    /// Depth in steps of the alpha-beta search that values a leaf.
    pub(crate) leaf: u32,
    /// What values a leaf.
    pub(crate) playouts: Playouts,
    /// Bytes that a tree may take.
    pub(crate) most_bytes: usize,
}

/// How a simulation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Simulated {
    /// A new position was looked at.
    Added,
    /// Nothing new: a proof, or as deep as allowed.
    Nothing,
    /// A limit was reached, or the memory is full.
    Ended,
}

/// A tree that grows from a position.
struct Growing {
    tree: Tree,
    root: Position,
    /// Steps between the root of the search and this one.
    base: usize,
    /// Turns between them.
    turns: i32,
    /// No node deeper than this, in steps from the root of the search.
    deepest: usize,
    /// Every turn from the root is of interest, so a win does not end it all.
    all_turns: bool,
    /// Simulations in a row that added nothing.
    idle: u32,
    way: Vec<Passed>,
}

impl Growing {
    fn is_done(&self) -> bool {
        self.idle >= IDLE || self.tree.root().proof.is_some()
    }
}

impl<E: Evaluate + Sync> Search<E> {
    /// The best several turns by Monte-Carlo tree search; none if there is no
    /// legal one. `listener` hears whenever twice as much has been looked at.
    pub(crate) fn grow(
        &mut self,
        request: &AnalysisRequest<'_>,
        limits: &Limits,
        deepest: u32,
        settings: &TreeSettings,
        playouts: &mut RandomPlayouts,
        listener: &mut dyn FnMut(&Analysis),
    ) -> Option<Analysis> {
        let root = request.root()?;
        let some = super::any_turn_from(request.game, request.begun, &root)?;
        let mut analysis = Analysis::default();
        self.with_worker(request.game, &root, limits, deepest, |worker, deepest| {
            worker.begun = request.begun;
            let mut growth = Growth {
                worker,
                settings,
                playouts,
            };
            analysis = growth.analyse(request, &root, some, deepest, listener);
        });
        for thought in analysis.lines.iter_mut().chain(&mut analysis.also) {
            thought.time = limits.elapsed();
        }
        listener(&analysis);
        Some(analysis)
    }
}

/// Somebody who lets trees grow: the worker values leaves and knows the limits.
struct Growth<'g, 'w, E: Evaluate> {
    worker: &'g mut Worker<'w, E>,
    settings: &'g TreeSettings,
    playouts: &'g mut RandomPlayouts,
}

impl<E: Evaluate> Growth<'_, '_, E> {
    /// Grows a tree for the lines wanted and one for each turn to be valued, in
    /// turn, until a limit is reached.
    fn analyse(
        &mut self,
        request: &AnalysisRequest<'_>,
        root: &Position,
        some: Turn,
        deepest: u32,
        listener: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let deepest = (deepest as usize).min(DEEPEST - 40);
        let grow_from = |position: Position, base: usize, turns: i32| Growing {
            tree: Tree::new(),
            root: position,
            base,
            turns,
            deepest: deepest.max(base),
            all_turns: base == 0 && request.lines > 1,
            idle: 0,
            way: Vec::new(),
        };
        let mut main = (request.lines > 0).then(|| grow_from(*root, 0, 0));
        let ply = usize::from(root.steps_left());
        let mut also: Vec<Valued> = request
            .also
            .iter()
            .map(|turn| {
                Valued::new(request, turn, root.side_to_move(), |after| {
                    grow_from(after, ply, 1)
                })
            })
            .collect();
        // A goal is a goal; where nothing else is asked, there is no more to do.
        let goal = root.can_goal();
        let nothing_else = goal.is_some() && request.lines <= 1 && also.is_empty();
        let mut rounds = 0;
        let mut next_report = FIRST_REPORT;
        loop {
            let mut left = 0;
            let mut ended = nothing_else;
            let trees = main
                .iter_mut()
                .chain(also.iter_mut().filter_map(Valued::tree));
            for growing in trees.filter(|growing| !nothing_else && !growing.is_done()) {
                left += 1;
                match self.simulate(growing) {
                    Simulated::Added => growing.idle = 0,
                    Simulated::Nothing => growing.idle += 1,
                    Simulated::Ended => {
                        ended = true;
                        break;
                    }
                }
            }
            rounds += 1;
            if ended
                || left == 0
                || (rounds % LOOK_EVERY == 0 && !self.worker.limits.has_time_for_more())
            {
                break;
            }
            if rounds == next_report {
                next_report *= 2;
                listener(&self.report(request, main.as_ref(), &also, goal, some));
            }
        }
        let mut analysis = self.report(request, main.as_ref(), &also, goal, some);
        if goal.is_none() && request.begun.is_empty() {
            self.defend(request, root, &mut analysis);
        }
        analysis
    }

    /// If the turn it would play lets the opponent reach goal, all turns are looked
    /// at for one that does not: of these the one that is worth most.
    fn defend(&self, request: &AnalysisRequest<'_>, root: &Position, analysis: &mut Analysis) {
        let mover = root.side_to_move();
        let Some(thought) = analysis.lines.first_mut() else {
            return;
        };
        let allows_goal = thought.line.first().is_some_and(|turn| {
            let after = root.after_turn(turn.steps());
            Outcome::on_board(after.board(), mover, self.worker.rules).is_none()
                && after.reaches_goal()
        });
        if !allows_goal {
            return;
        }
        let mut turns = TurnGenerator::new();
        let mut best: Option<(i32, Turn)> = None;
        for reached in turns.generate(root) {
            if self.worker.limits.is_over() {
                break;
            }
            let after = reached.position();
            if Outcome::on_board(after.board(), mover, self.worker.rules).is_some()
                || after.reaches_goal()
                || request.game.is_third_repetition(&after)
            {
                continue;
            }
            let worth = self.worker.evaluation.evaluate(after.board(), mover);
            if best.is_none_or(|(known, _)| worth > known) {
                best = Some((worth, reached.turn()));
            }
        }
        if let Some((score, turn)) = best {
            thought.score = score;
            thought.depth = turn.steps().len() as u32;
            thought.line = vec![turn];
        }
    }

    /// One simulation: down the tree to a position that was not valued yet, and
    /// its value back up.
    fn simulate(&mut self, growing: &mut Growing) -> Simulated {
        let rules = self.worker.rules;
        let mut position = growing.root;
        let mut turns = growing.turns;
        let mut ply = growing.base;
        let mut node = Tree::ROOT;
        let mut last = None;
        let mut simulated = Simulated::Nothing;
        growing.way.clear();
        if let Some(before) = ply.checked_sub(1) {
            self.worker.trails[before] = self.worker.trails[0];
        }
        let chance = loop {
            self.enter(&position, ply);
            let at = growing.tree.node(node);
            if let Some(proof) = at.proof {
                break chance_of(proof);
            }
            if at.visits == 0 {
                let Some(score) = self.value(&position, ply) else {
                    return Simulated::Ended;
                };
                simulated = Simulated::Added;
                // What a search of its own says is a strong hint; this is a proof.
                if score > SURE
                    && self.settings.playouts == Playouts::None
                    && position.at_turn_start()
                    && position.reaches_goal()
                {
                    growing.tree.prove(node, WIN - turns - 1);
                }
                break winning_chance(score) as f32;
            }
            if ply >= growing.deepest {
                break at.mean;
            }
            if !at.is_expanded() {
                if growing.tree.bytes() >= self.settings.most_bytes {
                    return Simulated::Ended;
                }
                let edges = self.edges(&position, ply, last);
                if edges.is_empty() {
                    // Nothing to do in this turn: it was wrong to come here, or the
                    // game is lost for want of a move.
                    growing.tree.prove(node, turns - WIN);
                    break 0.0;
                }
                growing.tree.expand(node, edges);
            }
            let Some(edge) = growing.tree.select(node, self.settings) else {
                break at.mean;
            };
            let step = growing.tree.edge(edge).step;
            let (next, ends_turn) = taken(&position, step);
            growing.way.push(Passed {
                node,
                edge,
                ends_turn,
                keeps_looking: growing.all_turns && turns == 0,
            });
            let (child, is_new) = growing.tree.child(edge);
            if is_new
                && ends_turn
                && let Some(outcome) =
                    Outcome::on_board(next.board(), position.side_to_move(), rules)
            {
                let proof = match outcome.winner {
                    Some(winner) if winner == next.side_to_move() => WIN - turns - 1,
                    Some(_) => turns + 1 - WIN,
                    None => 0,
                };
                growing.tree.prove(child, proof);
                simulated = Simulated::Added;
            }
            last = step.filter(|step| !ends_turn && step.side() == position.side_to_move());
            turns += i32::from(ends_turn);
            position = next;
            node = child;
            ply += 1;
        };
        if simulated == Simulated::Nothing && self.worker.count_node() {
            return Simulated::Ended;
        }
        growing.tree.back_up(node, chance, &growing.way);
        simulated
    }

    /// Notes how the turn at this place of the line began.
    fn enter(&mut self, position: &Position, ply: usize) {
        if ply > 0 {
            let before = self.worker.trails[ply - 1];
            self.worker.trails[ply] = if position.at_turn_start() {
                before.next(position)
            } else {
                before
            };
        }
    }

    /// What a position is worth to the side to move, in hundredths of a rabbit;
    /// a playout's result as a won or lost game. None if a limit was reached.
    fn value(&mut self, position: &Position, ply: usize) -> Option<i32> {
        match self.settings.playouts {
            Playouts::None => {
                let node = Node {
                    depth: self.settings.leaf.cast_signed(),
                    ply,
                    alpha: -INFINITE,
                    beta: INFINITE,
                    last: None,
                    may_skip: true,
                };
                let score = self.worker.search(position, node);
                (!self.worker.stopped).then_some(score)
            }
            Playouts::Random => {
                if self.worker.count_node() {
                    return None;
                }
                let played = self.playouts.play(position, self.worker.rules);
                self.worker.nodes += u64::from(played.turns);
                Some(match played.winner {
                    Some(winner) if winner == position.side_to_move() => WIN,
                    Some(_) => -WIN,
                    None => 0,
                })
            }
        }
    }

    /// What can be done in a position, with priors.
    fn edges(&mut self, position: &Position, ply: usize, last: Option<Step>) -> Vec<Edge> {
        let trail = &self.worker.trails[ply];
        let track = &mut self.worker.step_track;
        let scorer = self
            .worker
            .learned
            .map(|learned| learned.at(position, trail, track, ply));
        let forbidden = &self.worker.forbidden;
        let allowed = |step: Option<Step>| {
            let (next, ends_turn) = taken(position, step);
            if ends_turn {
                *next.board() != trail.start && forbidden.binary_search(&next.hash()).is_err()
            } else {
                // Four steps are gone and a push is not complete.
                next.steps_left() > 0
            }
        };
        let mut edges = Vec::new();
        let mut top = f32::MIN;
        position.for_each_step(|step| {
            if !is_out_of_order(position, step, last) && allowed(Some(step)) {
                let score = scorer.as_ref().map_or(0.0, |scorer| scorer.score(step));
                top = top.max(score);
                edges.push(Edge::new(Some(step), score));
            }
        });
        if position.can_end_turn() && allowed(None) {
            let ending = scorer.as_ref().map_or(top, |scorer| scorer.score_end(top));
            let score = if edges.is_empty() { 0.0 } else { ending };
            top = top.max(score);
            edges.push(Edge::new(None, score));
        }
        // Scores become chances.
        let mut sum = 0.0;
        for edge in &mut edges {
            edge.prior = (edge.prior - top).exp();
            sum += edge.prior;
        }
        for edge in &mut edges {
            edge.prior /= sum;
        }
        edges
    }
}

/// The position after a step or the end of a turn, and whether the turn is over.
fn taken(position: &Position, step: Option<Step>) -> (Position, bool) {
    let Some(step) = step else {
        return (position.end_turn(), true);
    };
    let next = position.after(step);
    if next.steps_left() == 0 && !next.is_mid_push() {
        (next.end_turn(), true)
    } else {
        (next, false)
    }
}

/// The chance to win that a proof stands for.
fn chance_of(proof: i32) -> f32 {
    match proof.signum() {
        1 => 1.0,
        -1 => 0.0,
        _ => 0.5,
    }
}
