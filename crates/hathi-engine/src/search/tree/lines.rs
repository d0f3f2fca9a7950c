//! What a tree says: the best turns from its root and what is expected to follow.

use std::cmp::Reverse;
use std::collections::HashMap;

use hathi_rules::{Outcome, Position, Side, Turn};

use super::grown::Tree;
use super::{Growing, Growth, WIN, taken};
use crate::chance::CHANCE_SCALE;
use crate::evaluation::Evaluate;
use crate::search::SURE;
use crate::{Analysis, AnalysisRequest, Thought};

/// A turn that is to be valued, beside the best ones.
pub(super) struct Valued {
    /// Where it leads to, if it can be played.
    turn: Option<(Turn, u64)>,
    /// What it comes to if it ends the game.
    over: Option<i32>,
    tree: Option<Growing>,
}

impl Valued {
    pub(super) fn new(
        request: &AnalysisRequest<'_>,
        turn: &Turn,
        mover: Side,
        grow_from: impl FnOnce(Position) -> Growing,
    ) -> Valued {
        let Ok((turn, after)) = request.game.check_turn(turn) else {
            return Valued {
                turn: None,
                over: None,
                tree: None,
            };
        };
        let outcome = Outcome::on_board(after.board(), mover, request.game.rules());
        let over = outcome.map(|outcome| match outcome.winner {
            Some(winner) if winner == mover => WIN - 1,
            Some(_) => 1 - WIN,
            None => 0,
        });
        Valued {
            turn: Some((turn, after.hash())),
            over,
            tree: over.is_none().then(|| grow_from(after)),
        }
    }

    pub(super) fn tree(&mut self) -> Option<&mut Growing> {
        self.tree.as_mut()
    }
}

/// A turn from the root that was looked at, by whatever order of steps.
struct Ending {
    turn: Turn,
    after: u64,
    visits: u32,
    /// Chances, each as often as it was found.
    chances: f64,
    proof: Option<i32>,
    /// The node after it that was visited most, and how often.
    node: u32,
    node_visits: u32,
}

impl Ending {
    fn chance(&self) -> f64 {
        self.chances / f64::from(self.visits.max(1))
    }

    /// Wins first, then what was tried most, then what is lost latest.
    fn merit(&self) -> (i32, u32, Reverse<u64>) {
        let sure = match self.proof {
            Some(proof) if proof != 0 => proof,
            _ => 0,
        };
        // Of equals the same one on every machine.
        (sure, self.visits, Reverse(self.after))
    }
}

impl<E: Evaluate> Growth<'_, '_, E> {
    /// What is known so far.
    pub(super) fn report(
        &mut self,
        request: &AnalysisRequest<'_>,
        main: Option<&Growing>,
        also: &[Valued],
        goal: Option<Turn>,
        some: Turn,
    ) -> Analysis {
        let mut analysis = Analysis::default();
        let mut reached = Vec::new();
        if let Some(main) = main {
            let goal = goal.and_then(|rest| joined(request.begun, &rest));
            if let Some((turn, after)) = goal.and_then(|turn| request.game.check_turn(&turn).ok()) {
                reached.push(after.hash());
                analysis.lines.push(self.thought_of(vec![turn], WIN - 1));
            }
            for ending in endings(main, request.begun, self.settings.minimax) {
                if analysis.lines.len() >= request.lines {
                    break;
                }
                let Ok((turn, after)) = request.game.check_turn(&ending.turn) else {
                    continue;
                };
                if reached.contains(&after.hash()) {
                    continue;
                }
                reached.push(after.hash());
                let turn = if request.begun.is_empty() {
                    main.root.tidied(&turn)
                } else {
                    turn
                };
                let score = ending.proof.unwrap_or_else(|| score_of(ending.chance()));
                let rest = follow(&main.tree, ending.node, after);
                let line = std::iter::once(turn).chain(rest).collect();
                analysis.lines.push(self.thought_of(line, score));
            }
            if analysis.lines.is_empty() {
                let turn = self.likely_turn(request, main).unwrap_or(some);
                let score = score_of(f64::from(main.tree.root().mean));
                let score = if main.tree.root().visits > 0 {
                    score
                } else {
                    0
                };
                analysis.lines.push(self.thought_of(vec![turn], score));
            }
            for (rank, line) in (0..).zip(&mut analysis.lines) {
                line.rank = rank;
            }
        }
        for valued in also {
            let thought = self.valued(valued, &analysis, &reached);
            analysis.also.push(thought);
        }
        analysis
    }

    fn thought_of(&self, line: Vec<Turn>, score: i32) -> Thought {
        Thought {
            depth: line.iter().map(|turn| turn.steps().len() as u32).sum(),
            nodes: self.worker.nodes,
            time: self.worker.limits.elapsed(),
            score,
            line,
            ..Thought::default()
        }
    }

    fn valued(&self, valued: &Valued, analysis: &Analysis, reached: &[u64]) -> Thought {
        let Some((turn, after)) = valued.turn else {
            return Thought::default();
        };
        // Found among the best: one turn has one value.
        let place = reached.iter().position(|&hash| hash == after);
        if let Some(same) = place.and_then(|place| analysis.lines.get(place)) {
            return same.clone();
        }
        match (&valued.tree, valued.over) {
            (Some(growing), _) => {
                let root = growing.tree.root();
                let chance = if root.visits > 0 { root.mean } else { 0.5 };
                let score = root
                    .proof
                    .map_or_else(|| score_of(1.0 - f64::from(chance)), |proof| -proof);
                let rest = follow(&growing.tree, Tree::ROOT, growing.root);
                self.thought_of(std::iter::once(turn).chain(rest).collect(), score)
            }
            (None, score) => self.thought_of(vec![turn], score.unwrap_or(0)),
        }
    }

    /// The turn that the priors suggest, where the tree has not come to the end
    /// of any.
    fn likely_turn(&mut self, request: &AnalysisRequest<'_>, main: &Growing) -> Option<Turn> {
        let mut turn = request.begun;
        let mut position = main.root;
        let mut last = None;
        // Within a turn all positions stand on the trail of the root.
        for _ in 0..=Turn::MAX_STEPS {
            let edges = self.edges(&position, 0, last);
            let likely = edges
                .iter()
                .max_by(|one, other| one.prior.total_cmp(&other.prior))?;
            let (next, ends_turn) = taken(&position, likely.step);
            if let Some(step) = likely.step {
                turn.push(step).ok()?;
            }
            if ends_turn {
                break;
            }
            last = likely
                .step
                .filter(|step| step.side() == position.side_to_move());
            position = next;
        }
        request.game.check_turn(&turn).ok().map(|(turn, _)| turn)
    }
}

/// Every turn from the root that the tree has seen the end of, best first.
fn endings(growing: &Growing, begun: Turn, minimax: f32) -> Vec<Ending> {
    let mut found = Vec::new();
    let mut places = HashMap::new();
    collect(
        growing,
        Tree::ROOT,
        growing.root,
        begun,
        minimax,
        &mut |ending: Ending| {
            let place = *places.entry(ending.after).or_insert(found.len());
            let Some(known) = found.get_mut(place) else {
                found.push(ending);
                return;
            };
            let known: &mut Ending = known;
            known.visits += ending.visits;
            known.chances += ending.chances;
            known.proof = known.proof.or(ending.proof);
            if ending.node_visits > known.node_visits {
                (known.node, known.node_visits) = (ending.node, ending.node_visits);
            }
        },
    );
    found.sort_by_key(|ending| Reverse(ending.merit()));
    found
}

fn collect(
    growing: &Growing,
    node: u32,
    position: Position,
    turn: Turn,
    minimax: f32,
    found: &mut impl FnMut(Ending),
) {
    for edge in growing.tree.edges_of(node) {
        let Some(child) = edge.child().filter(|_| edge.visits > 0) else {
            continue;
        };
        let mut longer = turn;
        if let Some(step) = edge.step
            && longer.push(step).is_err()
        {
            continue;
        }
        let (next, ends_turn) = taken(&position, edge.step);
        if ends_turn {
            found(Ending {
                turn: longer,
                after: next.hash(),
                visits: edge.visits,
                chances: f64::from(edge.chance(minimax)) * f64::from(edge.visits),
                proof: edge.proof,
                node: child,
                node_visits: edge.visits,
            });
        } else {
            collect(growing, child, next, longer, minimax, found);
        }
    }
}

/// What is expected from a node on: what was tried most. The last turn may be
/// incomplete.
fn follow(tree: &Tree, node: u32, position: Position) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut turn = Turn::EMPTY;
    let (mut node, mut position) = (node, position);
    loop {
        let edges = tree.edges_of(node).iter().filter(|edge| edge.visits > 0);
        let next = edges.max_by_key(|edge| (edge.proof.unwrap_or(0), edge.visits));
        let Some((edge, child)) = next.and_then(|edge| Some((edge, edge.child()?))) else {
            break;
        };
        if let Some(step) = edge.step
            && turn.push(step).is_err()
        {
            break;
        }
        let (next, ends_turn) = taken(&position, edge.step);
        if ends_turn {
            turns.push(std::mem::replace(&mut turn, Turn::EMPTY));
        }
        (node, position) = (child, next);
    }
    if !turn.is_empty() {
        turns.push(turn);
    }
    turns
}

/// The score that goes with a chance to win, in hundredths of a rabbit: never one
/// that says the game is decided.
fn score_of(chance: f64) -> i32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    let score = CHANCE_SCALE * (chance / (1.0 - chance)).ln();
    (score.round() as i32).clamp(-SURE, SURE)
}

/// The steps taken and those to come.
fn joined(begun: Turn, rest: &Turn) -> Option<Turn> {
    Turn::from_steps(begun.steps().iter().chain(rest.steps()).copied()).ok()
}
