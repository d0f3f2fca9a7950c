//! The line a search expects, and the turns it is made of.

use hathi_rules::{Game, Position, Step, Turn};

use super::order::Scored;
use super::table::Best;
use super::worker::Worker;
use super::{DEEPEST, Found, GoalsBy, INFINITE, WIN};
use crate::Thought;
use crate::evaluation::Evaluate;

/// The line expected from a node on.
#[derive(Clone, Copy)]
pub(super) struct Line {
    steps: [Option<Step>; DEEPEST],
    pub(super) len: usize,
}

impl Line {
    pub(super) const EMPTY: Line = Line {
        steps: [None; DEEPEST],
        len: 0,
    };
}

impl<E: Evaluate> Worker<'_, E> {
    /// Takes the rest of a turn whose end the search had no time to look at:
    /// step by step what is worth most, unless the opponent could then win.
    pub(super) fn complete(&self, game: &Game, found: &mut Found) {
        let mut position = game.position();
        let side = position.side_to_move();
        // Before the first round is over, the turn is just any.
        let seen = found.thought.depth > 0 || !found.thought.line.is_empty();
        let mut turn = if seen { found.turn } else { Turn::EMPTY };
        for &step in turn.steps() {
            position.apply(step);
        }
        let value = |worker: &Self, position: &Position| {
            let sees_goals = worker.settings.goals == GoalsBy::Search;
            if sees_goals && position.end_turn().reaches_goal() {
                -WIN
            } else {
                worker.evaluation.evaluate(position.board(), side)
            }
        };
        let mut best = if seen {
            value(self, &position)
        } else {
            -INFINITE
        };
        while position.steps_left() > 0 {
            let mut better = None;
            for step in position.legal_steps() {
                let next = position.after(step);
                if next.is_mid_push() {
                    continue;
                }
                let value = value(self, &next);
                if value > best {
                    best = value;
                    better = Some((step, next));
                }
            }
            let Some((step, next)) = better else {
                break;
            };
            if turn.push(step).is_err() {
                break;
            }
            position = next;
        }
        if turn != found.turn
            && let Ok((turn, _)) = game.check_turn(&turn)
        {
            found.turn = turn;
            found.thought.line = vec![turn];
        }
    }

    /// The first turn of the best line, made complete and checked.
    pub(super) fn first_turn(&self, game: &Game) -> Option<Turn> {
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
        Some(game.check_turn(&turn).ok()?.0)
    }

    pub(super) fn thought(&self, root: &Position, depth: u32, score: i32) -> Thought {
        Thought {
            depth,
            unfinished: false,
            nodes: self.nodes,
            time: self.limits.elapsed(),
            score,
            line: self.turns_from(0, self.begun, root.steps_left()),
            rank: 0,
        }
    }

    /// The best line from a ply on, turn by turn; the first has begun with
    /// these steps and has so many left.
    pub(super) fn turns_from(&self, ply: usize, begun: Turn, steps_left: u8) -> Vec<Turn> {
        let line = &self.line[ply];
        let mut turns = Vec::new();
        let mut turn = begun;
        let mut left = steps_left;
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
        turns
    }

    /// The best line from a ply on begins with this step.
    pub(super) fn extend_line(&mut self, ply: usize, step: Scored) {
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
