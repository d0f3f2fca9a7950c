//! Alpha-beta over the candidates of plans, two plies deep.
//!
//! The search only confirms: the order of the plans says what Rat wants, and
//! a later plan replaces an earlier one only if it gains more material or
//! loses less. Leaves count goals and material, nothing else.

use hathi_rules::{Bitboard, Game, Outcome, Position, RuleSet, Side, Turn, TurnGenerator};

use super::Knowledge;
use super::categories::generate;
use super::commands::in_place;
use super::evaluate::evaluate;
use super::features::most;
use super::plan::{Plan, PlanKey, PlanKind};
use super::rating;
use super::scene::Scene;
use super::view::after_steps;
use crate::Limits;
use crate::evaluation::material;
use crate::search::{SURE, WIN};

/// Beyond every score.
pub(super) const INFINITE: i32 = WIN + 1;

/// Replies that refuted a plan and are tried first against the next.
const REMEMBERED: usize = 4;

/// What coming back to a position costs: it leads nowhere.
const REPEATED: i32 = 25;

/// How the search is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Candidates kept for each plan.
    pub(crate) keep: usize,
    /// Without plans every turn is a candidate.
    pub(crate) plans: bool,
    /// Plans that may share a turn in the search; what is left then is filled in
    /// afterwards.
    pub(crate) shared: usize,
    /// Only turns of the move categories, also where all of them lose.
    pub(crate) strict: bool,
}

/// What the search has settled on.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) turn: Turn,
    /// The position after its steps, in the middle of the turn.
    pub(crate) mid: Position,
    pub(crate) score: i32,
    /// The plans that share the turn.
    pub(crate) plans: Vec<Plan>,
    /// Pieces that should stay where they are for the rest of the turn.
    pub(crate) in_place: Bitboard,
}

/// One search.
pub(crate) struct Search<'a> {
    pub(super) knowledge: &'a Knowledge,
    settings: Settings,
    game: &'a Game,
    limits: &'a Limits,
    node_limit: u64,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// Replies that were too good before.
    refutations: Vec<Turn>,
    turns: TurnGenerator,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        knowledge: &'a Knowledge,
        settings: Settings,
        game: &'a Game,
        limits: &'a Limits,
    ) -> Search<'a> {
        Search {
            knowledge,
            settings,
            game,
            limits,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            stopped: false,
            refutations: Vec::new(),
            turns: TurnGenerator::new(),
        }
    }

    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.node_limit || self.nodes.is_multiple_of(64) && self.limits.is_over() {
            self.stopped = true;
        }
    }

    /// The turn to play; none if there is no legal one.
    pub(crate) fn run(&mut self) -> Option<Found> {
        let root = self.game.position();
        let found = if self.settings.plans {
            self.by_plans(&root)
        } else {
            self.by_turns(&root)
        };
        match found {
            Some(found) if found.score > -SURE || self.settings.strict => Some(found),
            // Every plan loses at once, or there is none.
            other => self.rescue(&root).or(other),
        }
    }

    /// A bird in the hand: a capture that costs nothing is not left alone in the
    /// hope of more, unless the turn played instead threatens as much. The
    /// opponent's replies are not all looked at, so hopes may be too high.
    pub(crate) fn in_hand(&mut self, found: Found) -> Found {
        let root = self.game.position();
        let us = root.side_to_move();
        let theirs = root.with_side(us.opponent());
        let takes = |turn: &Turn| {
            turn.iter()
                .filter_map(|step| step.removed())
                .any(|one| one.piece.side() != us)
        };
        if found.score > SURE
            || takes(&found.turn)
            || theirs.can_capture()
            || theirs.can_goal().is_some()
        {
            return found;
        }
        let threats = root.capture_threats();
        let next = after_steps(&root, &found.turn).end_turn().with_side(us);
        if threats.is_empty() || next.can_goal().is_some() {
            return found;
        }
        let hoped = next
            .capture_threats()
            .iter()
            .map(|threat| threat.victim.role())
            .max();
        let free = threats
            .iter()
            .filter(|threat| Some(threat.victim.role()) > hoped)
            .filter(|threat| {
                let after = root.after_turn(threat.turn.steps());
                !after.can_capture() && after.can_goal().is_none()
            })
            .max_by_key(|threat| threat.victim.role());
        let taken = free.and_then(|threat| {
            let mid = after_steps(&root, &threat.turn);
            let queue = evaluate(&Scene::new(&root, self.knowledge), &[], 0);
            let captures = |plan: &&Plan| plan.kind == PlanKind::Capture;
            Some(Found {
                turn: threat.turn,
                mid,
                score: self.value(&mid, -INFINITE)?,
                plans: queue
                    .plans()
                    .iter()
                    .find(captures)
                    .copied()
                    .into_iter()
                    .collect(),
                in_place: Bitboard::EMPTY,
            })
        });
        taken.unwrap_or(found)
    }

    fn by_plans(&mut self, root: &Position) -> Option<Found> {
        let scene = Scene::new(root, self.knowledge);
        let queue = evaluate(&scene, &[], 0);
        let now = balance(root, root.side_to_move());
        let mut best: Option<Found> = None;
        for plan in queue.plans() {
            let in_place = in_place(&scene, plan);
            for candidate in generate(&scene, plan, self.settings.keep) {
                let turn = scene.view.real(candidate.turn);
                let mid = scene.view.real(candidate.after);
                let alpha = best.as_ref().map_or(-INFINITE, |best| best.score);
                // What a graph has put in its place stays there, too.
                let in_place = match plan.command {
                    Some(_) => in_place | targets(&turn),
                    None => in_place,
                };
                let found = self.extend(turn, &mid, &[plan.key()], in_place, alpha);
                // A search cut short has not heard every reply.
                if self.stopped && best.is_some() {
                    return best;
                }
                if let Some(mut found) = found
                    && found.score > alpha
                {
                    found.plans.insert(0, *plan);
                    let won = found.score > SURE;
                    best = Some(found);
                    if won {
                        return best;
                    }
                }
            }
            // One plan has stood up to every reply: time is better saved.
            let stands = best.as_ref().is_some_and(|best| best.score >= now);
            if stands && !plan.kind.is_loud() && !self.limits.has_time_for_more() {
                break;
            }
        }
        best
    }

    /// The value of a turn so far, completed by plans not yet tried in it.
    fn extend(
        &mut self,
        turn: Turn,
        mid: &Position,
        tried: &[PlanKey],
        in_place: Bitboard,
        alpha: i32,
    ) -> Option<Found> {
        let stop = self.value(mid, alpha).map(|score| Found {
            turn,
            mid: *mid,
            score,
            plans: Vec::new(),
            in_place,
        });
        if mid.steps_left() == 0 || tried.len() >= self.settings.shared || self.stopped {
            return stop;
        }
        let mut best = stop;
        let scene = Scene::new(mid, self.knowledge);
        let queue = evaluate(&scene, tried, 0);
        let mut shared = false;
        for plan in queue.plans() {
            let bound = best
                .as_ref()
                .map_or(-INFINITE, |best| best.score)
                .max(alpha);
            // If the first plan is not better than what there is, only more
            // material would make it so.
            let hopeful = best.as_ref().is_some_and(|best| best.score > alpha);
            if !plan.kind.is_loud() && (shared || !hopeful) {
                continue;
            }
            for candidate in generate(&scene, plan, self.settings.keep) {
                let mut longer = turn;
                let rest = scene.view.real(candidate.turn);
                if moves(&rest, in_place)
                    || rest.steps().iter().any(|&step| longer.push(step).is_err())
                {
                    continue;
                }
                let after = scene.view.real(candidate.after);
                // As good as the turn without it is good enough once.
                let at_least = if shared || !hopeful { bound } else { bound - 1 };
                let with_this = [tried, &[plan.key()]].concat();
                let Some(mut found) = self.extend(longer, &after, &with_this, in_place, at_least)
                else {
                    continue;
                };
                if self.stopped {
                    return best;
                }
                if found.score > at_least {
                    shared = true;
                    found.plans.insert(0, *plan);
                    best = Some(found);
                    break;
                }
            }
        }
        best
    }

    /// What ending the turn here is worth for us; none if that is not allowed.
    /// Exact above `alpha`.
    pub(super) fn value(&mut self, mid: &Position, alpha: i32) -> Option<i32> {
        let root = self.game.position();
        let us = root.side_to_move();
        let after = mid.end_turn();
        if mid.board() == root.board() || self.game.is_third_repetition(&after) {
            return None;
        }
        if let Some(outcome) = Outcome::on_board(mid.board(), us, self.game.rules()) {
            return Some(worth(outcome, us));
        }
        let mut score = -self.reply(&after, -INFINITE, -alpha);
        if score.abs() < SURE && self.game.occurrences(&after) > 0 {
            score -= REPEATED;
        }
        Some(score)
    }

    /// The opponent answers: the value for him.
    fn reply(&mut self, position: &Position, alpha: i32, beta: i32) -> i32 {
        self.count_node();
        if position.can_goal().is_some() {
            return WIN - 2;
        }
        let them = position.side_to_move();
        // Some turn that changes nothing there always is, nearly.
        let mut best = -self.quiet(&position.end_turn(), -beta, -alpha);
        if best >= beta || self.stopped {
            return best;
        }
        // Nothing of his in danger: quiet turns change nothing that counts.
        let threatened = best < balance(position, them);
        for index in 0..self.refutations.len() {
            let reply = self.refutations[index];
            if let Ok((_, after)) = position.check_turn(&reply) {
                best = best.max(self.after_reply(&after, them, alpha.max(best), beta));
                if best >= beta {
                    return best;
                }
            }
        }
        let scene = Scene::new(position, self.knowledge);
        let queue = evaluate(&scene, &[], 1);
        for plan in queue.plans() {
            if !plan.kind.is_loud() && !threatened {
                continue;
            }
            for candidate in generate(&scene, plan, self.settings.keep) {
                let mid = scene.view.real(candidate.after);
                let (score, rest) = self.reply_with(&mid, them, alpha.max(best), beta);
                if self.stopped {
                    return best;
                }
                if score > best {
                    best = score;
                    if best >= beta {
                        let mut reply = scene.view.real(candidate.turn);
                        for &step in rest.steps() {
                            let _ = reply.push(step);
                        }
                        self.remember(reply);
                        return best;
                    }
                }
            }
        }
        if best < -SURE && !self.settings.strict && self.is_saved_by_any(position) {
            best = balance(position, them);
        }
        best
    }

    /// A reply, and a second plan of his with the steps left if something is
    /// still in danger.
    fn reply_with(&mut self, mid: &Position, them: Side, alpha: i32, beta: i32) -> (i32, Turn) {
        let mut best = self.after_reply(&mid.end_turn(), them, alpha, beta);
        let mut rest = Turn::EMPTY;
        if best >= beta || mid.steps_left() == 0 || best >= balance(mid, them) {
            return (best, rest);
        }
        let scene = Scene::new(mid, self.knowledge);
        let queue = evaluate(&scene, &[], 2);
        for plan in queue.plans().iter().filter(|plan| plan.kind.is_loud()) {
            for candidate in generate(&scene, plan, 1) {
                let after = scene.view.real(candidate.after);
                let score = self.after_reply(&after.end_turn(), them, alpha.max(best), beta);
                if score > best {
                    best = score;
                    rest = scene.view.real(candidate.turn);
                    if best >= beta {
                        return (best, rest);
                    }
                }
            }
        }
        (best, rest)
    }

    /// The value for `them`, who have just replied.
    fn after_reply(&mut self, after: &Position, them: Side, alpha: i32, beta: i32) -> i32 {
        self.count_node();
        if let Some(outcome) = Outcome::on_board(after.board(), them, RuleSet::Modern) {
            return worth(outcome, them);
        }
        -self.quiet(after, -beta, -alpha)
    }

    fn remember(&mut self, reply: Turn) {
        self.refutations.retain(|other| *other != reply);
        self.refutations.insert(0, reply);
        self.refutations.truncate(REMEMBERED);
    }

    /// Is there any turn at all after which we cannot reach goal?
    fn is_saved_by_any(&mut self, position: &Position) -> bool {
        let us = position.side_to_move().opponent();
        let mut turns = std::mem::take(&mut self.turns);
        let saved = turns.generate(position).any(|reached| {
            let after = reached.position();
            Outcome::on_board(after.board(), us.opponent(), RuleSet::Modern).is_none()
                && after.can_goal().is_none()
        });
        self.turns = turns;
        self.nodes += 50;
        saved
    }

    /// When all plans lose: the turn of all turns that loses least.
    fn rescue(&mut self, root: &Position) -> Option<Found> {
        let us = root.side_to_move();
        let mut turns = std::mem::take(&mut self.turns);
        let mut best: Option<(i32, Turn)> = None;
        for reached in turns.generate(root) {
            let after = reached.position();
            if self.game.is_third_repetition(&after) {
                continue;
            }
            let safe = match Outcome::on_board(after.board(), us, self.game.rules()) {
                Some(outcome) => worth(outcome, us),
                None if after.can_goal().is_some() => -WIN,
                None => balance(&after, us) - most(&after.capture_threats()),
            };
            let score = safe.saturating_mul(4) + rating::gain(root.board(), after.board(), us);
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, reached.turn()));
            }
        }
        self.turns = turns;
        let (_, turn) = best?;
        let mid = after_steps(root, &turn);
        let score = self.value(&mid, -INFINITE)?;
        Some(Found {
            turn,
            mid,
            score,
            plans: Vec::new(),
            in_place: Bitboard::EMPTY,
        })
    }

    /// Every turn in the order in which its pieces stand best: what the plans
    /// are measured against.
    fn by_turns(&mut self, root: &Position) -> Option<Found> {
        let us = root.side_to_move();
        let mut turns = std::mem::take(&mut self.turns);
        let mut list: Vec<(i32, Turn)> = turns
            .generate(root)
            .map(|reached| {
                let rating = rating::gain(root.board(), reached.board(), us);
                (rating, reached.turn())
            })
            .collect();
        self.turns = turns;
        list.sort_by_key(|&(rating, _)| std::cmp::Reverse(rating));
        let mut best: Option<Found> = None;
        for (_, turn) in list {
            let mid = after_steps(root, &turn);
            let alpha = best.as_ref().map_or(-INFINITE, |best| best.score);
            let score = self.value(&mid, alpha);
            if self.stopped && best.is_some() {
                break;
            }
            if let Some(score) = score
                && score > alpha
            {
                best = Some(Found {
                    turn,
                    mid,
                    score,
                    plans: Vec::new(),
                    in_place: Bitboard::EMPTY,
                });
                if score > SURE {
                    break;
                }
            }
        }
        best
    }
}

/// Does a turn move a piece from one of these squares?
pub(super) fn moves(turn: &Turn, squares: Bitboard) -> bool {
    turn.steps()
        .iter()
        .any(|step| squares.contains(step.from()))
}

/// Where the steps of a turn lead.
fn targets(turn: &Turn) -> Bitboard {
    turn.steps()
        .iter()
        .filter_map(|step| step.to())
        .fold(Bitboard::EMPTY, |set, square| set | square.bit())
}

/// Material for a side, in hundredths of a rabbit.
pub(super) fn balance(position: &Position, side: Side) -> i32 {
    let gold = material::balance(position.board());
    match side {
        Side::Gold => gold,
        Side::Silver => -gold,
    }
}

fn worth(outcome: Outcome, side: Side) -> i32 {
    match outcome.winner {
        Some(winner) if winner == side => WIN - 1,
        Some(_) => -(WIN - 1),
        None => 0,
    }
}
