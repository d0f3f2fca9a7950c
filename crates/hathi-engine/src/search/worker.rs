//! The recursion itself: one worker, one tree.

use hathi_model::phase::PhaseFeatures;
use hathi_model::steps::StepSums;
use hathi_rules::{Game, Outcome, Position, PushPull, RuleSet, Side, Step, Turn};

use super::expected::Line;
use super::learned::{Learned, Trail};
use super::order::{self, Scored};
use super::recalled::Recalled;
use super::table::{Best, Bound, Entry, Shared};
use super::threat::Threat;
use super::visited::Reservoir;
use super::{DEEPEST, Found, GoalsBy, INFINITE, Kept, SURE, Settings, WIN};
use crate::evaluation::Evaluate;
use crate::{Limits, PhasePruning, Thought};

/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 500;

/// Steps that a line which leads back toward the opening is searched less deeply.
const LESS_FOR_EARLIER: i32 = 2;

/// How early in the game it is: the more, the earlier.
#[inline]
fn phase_index(position: &Position) -> usize {
    PhaseFeatures::quick(position.board()).score().index()
}

pub(super) struct Worker<'a, E: Evaluate> {
    pub(super) evaluation: &'a E,
    /// What the evaluation keeps of the boards on the way.
    pub(super) track: E::Track,
    pub(super) settings: Settings,
    pub(super) table: Shared<'a>,
    pub(super) kept: &'a mut Kept,
    pub(super) limits: &'a Limits,
    pub(super) rules: RuleSet,
    pub(super) forbidden: Vec<u64>,
    /// How early in the game the search started.
    phase_at_root: usize,
    /// Steps of the turn at the root that were taken before.
    pub(super) begun: Turn,
    /// Positions that the turn at the root must not lead to: other lines do.
    excluded: Vec<u64>,
    /// Keeps what is found without them apart in the table; 0 if there are none.
    excluded_key: u64,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    pub(super) node_limit: u64,
    /// When to look at the clock again.
    pub(super) next_look: u64,
    /// For each ply the best line from there; `None` ends a turn.
    pub(super) line: Vec<Line>,
    /// The line that turned out better than expected in this round.
    better: Line,
    /// For each ply how its turn began.
    pub(super) trails: Vec<Trail>,
    /// Scores steps by what games have taught.
    pub(super) learned: Option<&'a Learned<'a>>,
    /// What it keeps of the boards on the way.
    pub(super) step_track: Vec<StepSums>,
    /// What the memory knows about turns from the root.
    pub(super) recalled: Option<&'a Recalled>,
    /// Keeps some of the positions looked at, if anybody wants them.
    pub(super) reservoir: Option<Box<Reservoir>>,
    /// Steps of all nodes on the way, one after the other.
    pub(super) steps: Vec<Scored>,
}

/// What a node knows about where it is.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// The step that led here, inside the same turn.
    pub(super) last: Option<Step>,
    /// No turn without a move: not twice in a row.
    pub(super) may_skip: bool,
}

impl<'a, E: Evaluate> Worker<'a, E> {
    pub(super) fn new(
        evaluation: &'a E,
        settings: Settings,
        table: Shared<'a>,
        kept: &'a mut Kept,
        game: &Game,
        limits: &'a Limits,
        learned: Option<&'a Learned<'a>>,
    ) -> Worker<'a, E> {
        Worker {
            evaluation,
            track: evaluation.track(),
            step_track: learned.map(Learned::track).unwrap_or_default(),
            learned,
            recalled: None,
            reservoir: None,
            settings,
            table,
            kept,
            limits,
            rules: game.rules(),
            forbidden: repeated(game),
            phase_at_root: phase_index(&game.position()),
            begun: Turn::EMPTY,
            excluded: Vec::new(),
            excluded_key: 0,
            nodes: 0,
            stopped: false,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            next_look: 0,
            line: vec![Line::EMPTY; DEEPEST + 1],
            better: Line::EMPTY,
            trails: vec![Trail::of(game); DEEPEST + 1],
            steps: Vec::with_capacity(2048),
        }
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// Looks deeper and deeper, and keeps what it finds.
    pub(super) fn deepen(
        &mut self,
        game: &Game,
        deepest: u32,
        found: &mut Found,
        listener: &mut dyn FnMut(&Thought),
    ) {
        let root = game.position();
        let mut score = 0;
        let mut settled = 0;
        for depth in 1..=deepest {
            let Some(value) = self.aspire(&root, depth as i32, score) else {
                break;
            };
            score = value;
            if let Some(turn) = self.first_turn(game) {
                settled = if turn == found.turn { settled + 1 } else { 0 };
                found.turn = turn;
            }
            found.thought = self.thought(&root, depth, score);
            listener(&found.thought);
            if score.abs() > SURE && (WIN - score.abs()) * 4 <= depth as i32
                || !self.limits.has_time_to_deepen(settled)
                || self.nodes >= self.node_limit
            {
                break;
            }
        }
        if self.stopped && self.line[0].len == 0 && self.better.len > 0 {
            self.line[0] = self.better;
        }
        if self.stopped
            && self.line[0].len > 0
            && let Some(turn) = self.first_turn(game)
        {
            // The round that was cut short had already found something that
            // was better than, or the same as, the best of the round before.
            let changed = found.turn != turn;
            found.turn = turn;
            if changed {
                let Thought { depth, score, .. } = found.thought;
                found.thought = self.thought(&root, depth, score);
                found.thought.unfinished = true;
                listener(&found.thought);
            }
        }
        found.thought.nodes = self.nodes;
        if self.stopped && found.thought.depth < u32::from(root.steps_left()) {
            self.complete(game, found);
        }
    }

    /// Searches with a window round the score expected.
    pub(super) fn aspire(&mut self, root: &Position, depth: i32, expected: i32) -> Option<i32> {
        let mut width = if depth <= 4 || expected.abs() > SURE {
            2 * INFINITE
        } else {
            self.settings.margins.window
        };
        self.better.len = 0;
        let (mut alpha, mut beta) = (expected - width, expected + width);
        loop {
            (alpha, beta) = (alpha.max(-INFINITE), beta.min(INFINITE));
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
                // If there is no time to find out how good, it is still better.
                self.better = self.line[0];
                beta = score + width;
            } else {
                return Some(score);
            }
        }
    }

    /// Searches from now on without the turns from the root that lead to these
    /// positions.
    pub(super) fn without(&mut self, reached: &[u64]) {
        self.excluded = reached.to_vec();
        // Mixed, so that no position's own hash can undo it.
        self.excluded_key = reached.iter().fold(0, |key: u64, hash| {
            (key ^ hash)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        });
    }

    /// What a position is known by in the table.
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        if self.settings.by_what_follows {
            position.play_hash()
        } else {
            position.hash()
        }
    }

    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
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
    pub(super) fn search(&mut self, position: &Position, node: Node) -> i32 {
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
        let at_start = position.at_turn_start();

        if at_start && ply > 0 {
            self.trails[ply] = self.trails[ply - 1].next(position);
            if self.settings.goals == GoalsBy::Search && self.kept.goals.reaches(position) {
                return WIN - turns_down(ply) - 1;
            }
            if self.leads_back(position) {
                depth = match self.settings.phase_pruning {
                    PhasePruning::Off => depth,
                    PhasePruning::Reduce => depth - LESS_FOR_EARLIER,
                    PhasePruning::Cut => 0,
                };
            }
        }
        self.show_visited(position, ply);
        if depth <= 0 {
            if position.is_mid_push() {
                depth = 1;
            } else if self.must_look_on(position, ply) {
                // The opponent would win: is there no way out?
                depth = 1;
            } else {
                return self.known_leaf(position, ply, alpha, beta);
            }
        }
        if ply >= DEEPEST - 2 {
            return self.worth(position, ply);
        }

        let in_window = beta - alpha > 1;
        let mut hash = self.key(position);
        if self.excluded_key != 0 && self.trails[ply].at_root {
            hash ^= self.excluded_key;
        }
        if let Some(recalled) = self.recalled
            && self.trails[ply].at_root
        {
            hash ^= recalled.key();
        }
        let entry = self.table.get(hash);
        if let Some(entry) = entry
            && !in_window
            && entry.depth >= depth
        {
            let score = from_table(entry.score, ply);
            if entry.bound.settles(score, alpha, beta) {
                return score;
            }
        }

        let margins = self.settings.margins;
        // What the board is worth, worked out once it is needed.
        let mut seen = entry.and_then(|entry| entry.seen);
        let mut worth = |worker: &mut Self| {
            let seen = *seen.get_or_insert_with(|| worker.worth(position, ply));
            match entry {
                Some(entry) if margins.known > 0 => entry.corrects(seen),
                _ => seen,
            }
        };
        // So far ahead near the end of the line that it will do.
        if self.settings.selective
            && margins.ahead > 0
            && !in_window
            && ply > 0
            && depth <= margins.ahead_depth
            && beta.abs() < SURE
            && !position.is_mid_push()
        {
            let sure_of = worth(self) - margins.ahead * depth;
            if sure_of >= beta && !self.must_look_on(position, ply) {
                return sure_of;
            }
        }
        // Would it be good enough even without a move?
        if self.settings.selective
            && may_skip
            && at_start
            && !in_window
            && depth >= self.settings.margins.skip_depth
            && beta.abs() < SURE
            && worth(self) >= beta
        {
            let score = -self.search(
                &position.end_turn(),
                Node {
                    depth: depth - self.settings.margins.skip,
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

        if at_start && self.settings.margins.ground > 0 && self.settings.goals == GoalsBy::Search {
            self.trails[ply].threat = Threat::of(position, &mut self.kept.goals);
        }

        let first = entry.map_or(Best::Unknown, |entry| entry.best);
        let from = self.steps.len();
        let threat = self.trails[ply].threat;
        self.list_steps(position, ply, first, last.filter(|_| !threat.was_there()));
        // Loud steps come first, so the model is asked only when these were not enough.
        let mut ordered = self.learned.is_none() || depth < margins.order_depth;
        let mut best = -INFINITE;
        let mut best_step = Best::Unknown;
        let original_alpha = alpha;
        // So far behind near the end of the line that only a loud step helps.
        let hopeless = self.settings.selective
            && !in_window
            && depth <= self.settings.margins.futility_depth
            && alpha.abs() < SURE
            && !position.is_mid_push()
            && worth(self) + self.settings.margins.futility * (1 + depth) <= alpha;
        // Near the leaves, quiet steps that come late in the order are not tried,
        // unless all before them lose.
        let enough = if self.settings.selective
            && self.settings.margins.tries > 0
            && !in_window
            && depth <= self.settings.margins.tries_depth
            && alpha.abs() < SURE
            && !position.is_mid_push()
        {
            (self.settings.margins.tries * (1 + depth)).cast_unsigned() as usize
        } else {
            usize::MAX
        };
        let mut skipped = false;
        let mut tried = 0;
        for index in from..self.steps.len() {
            let mut step = order::pick(&mut self.steps[from..], index - from);
            if tried > 0 && !step.is_loud() && (hopeless || tried >= enough && best > -SURE) {
                // Nor is any after it: the loud ones came first.
                skipped = hopeless;
                break;
            }
            if !ordered && !step.is_loud() {
                ordered = true;
                self.ask_model(position, ply, from);
                step = order::pick(&mut self.steps[from..], index - from);
            }
            if threat.makes_idle(position, step.as_step()) {
                if best == -INFINITE {
                    (best, best_step) = (lost_next_turn(ply + 1), step.best());
                }
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
        if skipped && self.settings.margins.hope > 0 && best < original_alpha {
            let hoped = worth(self) + self.settings.margins.futility * (1 + depth);
            best = best.max(hoped.min(original_alpha));
        }
        if best >= beta {
            self.kept
                .ordering
                .reward(ply, best_step, depth, &self.steps[from..][..tried]);
        }
        self.steps.truncate(from);
        if tried == 0 && best == -INFINITE {
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
                    bound: Bound::of(best, original_alpha, beta),
                    best: best_step,
                    seen,
                },
            );
        }
        best
    }

    /// Is it an earlier phase of the game than where the search started?
    #[inline]
    fn leads_back(&self, position: &Position) -> bool {
        self.settings.phase_pruning != PhasePruning::Off
            && phase_index(position) > self.phase_at_root
    }

    /// The value of a position where the search ends, if it was reached
    /// before in another order of steps the one found then.
    fn known_leaf(&mut self, position: &Position, ply: usize, alpha: i32, beta: i32) -> i32 {
        let hash = self.key(position);
        let entry = self.table.get(hash);
        if let Some(entry) = entry {
            let score = from_table(entry.score, ply);
            if entry.bound.settles(score, alpha, beta) {
                return score;
            }
        }
        let seen = entry.and_then(|entry| entry.seen);
        let seen = seen.unwrap_or_else(|| self.worth(position, ply));
        let score = self.leaf(position, ply, alpha, beta, seen);
        let entry = Entry {
            score: to_table(score, ply),
            depth: 0,
            bound: Bound::of(score, alpha, beta),
            best: Best::Unknown,
            seen: Some(seen),
        };
        self.table.put(hash, entry);
        score
    }

    /// What the board is worth as it stands to the side to move.
    #[inline]
    pub(super) fn worth(&mut self, position: &Position, ply: usize) -> i32 {
        let side = position.side_to_move();
        self.evaluation.evaluate_at(
            &mut self.track,
            ply,
            position.board(),
            side,
            position.steps_left(),
        )
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
        let next = if ends { next.end_turn() } else { next };
        self.table.prefetch(self.key(&next));
        // What the memory says for or against the turn that is complete now.
        let evidence = match self.recalled {
            Some(recalled) if ends && self.trails[ply].at_root => recalled.evidence(next.hash()),
            _ => 0,
        };
        let value = |worker: &mut Self, depth: i32, alpha: i32, beta: i32| {
            if ends {
                let node = Node {
                    depth,
                    ply: ply + 1,
                    alpha: evidence - beta,
                    beta: evidence - alpha,
                    last: None,
                    may_skip: true,
                };
                let score = -worker.search(&next, node);
                // What is decided needs no evidence.
                if score.abs() > SURE {
                    score
                } else {
                    score + evidence
                }
            } else {
                worker.trails[ply + 1] = worker.trails[ply];
                if let Some(step) = step.as_step() {
                    let threat = &mut worker.trails[ply + 1].threat;
                    *threat = threat.after(step, &next, &mut worker.kept.goals);
                }
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
            if *next.board() == self.trails[ply].start {
                return None;
            }
            if !self.forbidden.is_empty() && self.forbidden.binary_search(&next.hash()).is_ok() {
                return None;
            }
            if self.excluded_key != 0
                && self.trails[ply].at_root
                && self.excluded.contains(&next.hash())
            {
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
        let reduction = if self.settings.selective
            && depth >= self.settings.margins.reduction_depth
            && best > -SURE
        {
            order::reduction(step, tried, depth, &self.settings.margins)
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
    fn must_look_on(&mut self, position: &Position, ply: usize) -> bool {
        ply < DEEPEST - 8
            && self.settings.quiescence
            && self.settings.goals == GoalsBy::Search
            && !position.at_turn_start()
            && position.steps_left() > 0
            && self.kept.goals.reaches(&position.end_turn())
    }

    fn list_steps(&mut self, position: &Position, ply: usize, first: Best, last: Option<Step>) {
        let steps = &mut self.steps;
        let from = steps.len();
        let ordering = &self.kept.ordering;
        position.for_each_step(|step| {
            if is_out_of_order(position, step, last) {
                return;
            }
            let score = ordering.score(position, step, ply, first, last);
            steps.push(Scored::step(step, score));
        });
        if position.can_end_turn() {
            let score = if first == Best::Pass { order::FIRST } else { 0 };
            steps.push(Scored::pass(score));
        }
        if let Some(recalled) = self.recalled
            && self.trails[ply].at_root
        {
            recalled.order(position, &mut steps[from..]);
        }
    }

    /// Steps from this place on, but for the loud ones, are put in the order of the model.
    fn ask_model(&mut self, position: &Position, ply: usize, from: usize) {
        if let Some(learned) = self.learned {
            let track = &mut self.step_track;
            let scorer = learned.at(position, &self.trails[ply], track, ply);
            scorer.order(&mut self.steps[from..]);
        }
    }
}

/// After a step that could have come later, only one order is tried: is this step
/// out of it? `last` is the step before, in the same turn, with a piece of the mover.
#[inline]
pub(super) fn is_out_of_order(position: &Position, step: Step, last: Option<Step>) -> bool {
    let Some(last) = last else {
        return false;
    };
    matches!(position.push_pull(), PushPull::MayPull { .. })
        && step.side() == position.side_to_move()
        && step.from() < last.from()
        && step.commutes_with(last)
        && !(position.enemy()
            & position.board().weaker_than(step.piece().role())
            & step.from().neighbours())
        .any()
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

/// The opponent reaches goal with its turn, which begins at this ply.
fn lost_next_turn(ply: usize) -> i32 {
    -(WIN - turns_down(ply) - 1)
}

/// Turns gone by at this ply, roughly: wins that take fewer steps come first.
fn turns_down(ply: usize) -> i32 {
    ply as i32 / 4
}

pub(super) fn worth(outcome: Outcome, side: Side, ply: usize) -> i32 {
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
