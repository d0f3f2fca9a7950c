//! The best several turns at once: the root is searched again and again, each
//! time without the positions that earlier lines lead to.

use hathi_rules::{Outcome, Position, Turn};

use super::worker::{Node, Worker, worth};
use super::{GoalsBy, INFINITE, SURE, Search, WIN, any_turn_from};
use crate::evaluation::Evaluate;
use crate::{Analysis, AnalysisRequest, Limits, Thought};

impl<E: Evaluate + Sync> Search<E> {
    /// The best several turns that can be found within the limits; none if
    /// there is no legal one.
    pub(crate) fn analyse(
        &mut self,
        request: &AnalysisRequest<'_>,
        limits: &Limits,
        deepest: u32,
        listener: &mut dyn FnMut(&Analysis),
    ) -> Option<Analysis> {
        let root = request.root()?;
        let some = any_turn_from(request.game, request.begun, &root)?;
        let mut analysis = Analysis::default();
        if request.lines > 0 {
            analysis.lines.push(Thought {
                line: vec![some],
                ..Thought::default()
            });
        }
        self.with_worker(request.game, &root, limits, deepest, |worker, deepest| {
            worker.begun = request.begun;
            worker.deepen_lines(request, &root, deepest, &mut analysis, listener);
        });
        for thought in analysis.lines.iter_mut().chain(&mut analysis.also) {
            thought.time = limits.elapsed();
        }
        Some(analysis)
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// Looks deeper and deeper; what is kept is the last depth at which every
    /// line was looked at.
    fn deepen_lines(
        &mut self,
        request: &AnalysisRequest<'_>,
        root: &Position,
        deepest: u32,
        analysis: &mut Analysis,
        listener: &mut dyn FnMut(&Analysis),
    ) {
        for depth in 1..=deepest {
            let Some(deeper) = self.lines_at(request, root, depth, analysis) else {
                break;
            };
            *analysis = deeper;
            listener(analysis);
            let known = |thought: &Thought| {
                let score = thought.score.abs();
                score > SURE && (WIN - score) * 4 <= depth as i32
            };
            if analysis.lines.iter().chain(&analysis.also).all(known)
                || !self.limits.has_time_for_more()
                || self.nodes >= self.node_limit
            {
                break;
            }
        }
        self.without(&[]);
        for thought in analysis
            .lines
            .first_mut()
            .into_iter()
            .chain(&mut analysis.also)
        {
            thought.nodes = self.nodes;
        }
    }

    /// Every line at this depth; none if there was no time for all of them.
    fn lines_at(
        &mut self,
        request: &AnalysisRequest<'_>,
        root: &Position,
        depth: u32,
        before: &Analysis,
    ) -> Option<Analysis> {
        // Within the turn at hand all lines that begin alike are one.
        let lines = if depth >= u32::from(root.steps_left()) {
            request.lines
        } else {
            request.lines.min(1)
        };
        let mut found = Analysis::default();
        let mut reached: Vec<u64> = Vec::new();
        for rank in 0..lines {
            self.without(&reached);
            let expected = before.lines.get(rank).map_or(0, |line| line.score);
            let goal = root
                .can_goal()
                .filter(|_| rank == 0 && self.settings.goals == GoalsBy::Search);
            let mut thought = if let Some(rest) = goal {
                // A goal is a goal.
                Thought {
                    score: WIN - 1,
                    line: vec![joined(request.begun, &rest)?],
                    ..self.thought(root, depth, 0)
                }
            } else {
                let score = self.aspire(root, depth as i32, expected)?;
                self.thought(root, depth, score)
            };
            // What is not a turn of its own says that there are no more.
            let turn = thought.line.first().copied().unwrap_or(Turn::EMPTY);
            let Ok((turn, after)) = request.game.check_turn(&turn) else {
                break;
            };
            if reached.contains(&after.hash()) {
                break;
            }
            reached.push(after.hash());
            thought.line[0] = if request.begun.is_empty() {
                root.tidied(&turn)
            } else {
                turn
            };
            found.lines.push(thought);
        }
        self.without(&[]);
        for (index, turn) in request.also.iter().enumerate() {
            let expected = before.also.get(index).map_or(0, |also| also.score);
            let value = self.value_of(request, turn, root, depth, expected, &found)?;
            found.also.push(value);
        }
        // The search is selective: a turn asked about may turn out better than what it took for best.
        if depth >= u32::from(root.steps_left()) {
            let begun = request.begun.steps();
            for also in &found.also {
                let better = found
                    .lines
                    .last()
                    .is_some_and(|last| also.score > last.score);
                let fits = also
                    .line
                    .first()
                    .is_some_and(|turn| turn.steps().starts_with(begun));
                let listed = found.lines.iter().any(|line| line.line == also.line);
                if better && fits && !listed {
                    found.lines.push(also.clone());
                }
            }
        }
        // A line found later may turn out better than one found before.
        found
            .lines
            .sort_by_key(|line| std::cmp::Reverse(line.score));
        found.lines.truncate(lines);
        for (rank, line) in (0..).zip(&mut found.lines) {
            line.rank = rank;
        }
        if found.lines.is_empty() && lines > 0 {
            // Only half a turn was looked at, and it is no turn.
            found.lines.clone_from(&before.lines);
        }
        Some(found)
    }

    /// What a turn comes to at this depth.
    fn value_of(
        &mut self,
        request: &AnalysisRequest<'_>,
        turn: &Turn,
        root: &Position,
        depth: u32,
        expected: i32,
        found: &Analysis,
    ) -> Option<Thought> {
        let Ok((turn, after)) = request.game.check_turn(turn) else {
            return Some(Thought::default());
        };
        let same = found.lines.iter().find(|line| {
            let first = line.line.first().map(|turn| request.game.check_turn(turn));
            matches!(first, Some(Ok((_, there))) if there.board() == after.board())
        });
        if let Some(same) = same {
            return Some(same.clone());
        }
        let mover = root.side_to_move();
        let ply = usize::from(root.steps_left());
        let (score, rest) =
            if let Some(outcome) = Outcome::on_board(after.board(), mover, self.rules) {
                (worth(outcome, mover, 0), Vec::new())
            } else {
                let score = self.aspire_after(&after, depth as i32, ply, expected)?;
                (score, self.turns_from(ply, Turn::EMPTY, 4))
            };
        Some(Thought {
            line: std::iter::once(turn).chain(rest).collect(),
            ..self.thought(root, depth, score)
        })
    }

    /// As if the turn at hand had led to this position, with a window round
    /// the score expected.
    fn aspire_after(
        &mut self,
        after: &Position,
        depth: i32,
        ply: usize,
        expected: i32,
    ) -> Option<i32> {
        let mut width = if depth <= 4 || expected.abs() > SURE {
            2 * INFINITE
        } else {
            self.settings.margins.window
        };
        let (mut alpha, mut beta) = (expected - width, expected + width);
        loop {
            (alpha, beta) = (alpha.max(-INFINITE), beta.min(INFINITE));
            self.trails[ply - 1] = self.trails[0];
            let node = Node {
                depth: (depth - ply as i32).max(0),
                ply,
                alpha: -beta,
                beta: -alpha,
                last: None,
                may_skip: true,
            };
            let score = -self.search(after, node);
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
}

/// The steps taken and those to come.
fn joined(begun: Turn, rest: &Turn) -> Option<Turn> {
    Turn::from_steps(begun.steps().iter().chain(rest.steps()).copied()).ok()
}
