//! Alpha-beta over steps.
//!
//! A node of the tree is a position inside a turn, an edge is one step or the
//! end of the turn; depth is counted in steps. The same search serves all
//! engines that look ahead; they differ in evaluation and [`Settings`].

mod expected;
mod goals;
mod learned;
mod lines;
pub(crate) mod margins;
mod order;
mod quiet;
#[cfg_attr(not(feature = "memory"), allow(dead_code))]
pub(crate) mod recalled;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod threat;
pub(crate) mod tree;
mod visited;
mod worker;

use std::ops::ControlFlow;

#[cfg(feature = "memory")]
use hathi_rules::Outcome;
use hathi_rules::{Board, Game, Position, Turn};

use crate::evaluation::Evaluate;
use crate::{Limits, PhasePruning, Stop, Thought};
use goals::Goals;
use learned::Learned;
pub(crate) use learned::StepModel;
use margins::Margins;
use order::Ordering;
use recalled::Recalled;
use table::Table;
use worker::Worker;
#[cfg(feature = "memory")]
use worker::{Node, worth};

/// A won game; less the number of turns it takes.
pub(crate) const WIN: i32 = 100_000;
/// Scores beyond this are wins in some number of turns.
pub(crate) const SURE: i32 = WIN - 1_000;
/// Beyond every score.
const INFINITE: i32 = WIN + 1;
/// The deepest line in steps.
pub(crate) const DEEPEST: usize = 160;

/// What a search does beside looking ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Captures are played out at the leaves.
    pub(crate) quiescence: bool,
    /// Late steps are searched less deeply, and hopeless positions cut off.
    pub(crate) selective: bool,
    /// How selective.
    pub(crate) margins: Margins,
    /// Positions are the same if the same can be played from them, whatever
    /// step came last.
    pub(crate) by_what_follows: bool,
    /// How goals are seen.
    pub(crate) goals: GoalsBy,
    /// What is done with lines that lead back toward the opening.
    pub(crate) phase_pruning: PhasePruning,
}

/// How goals are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalsBy {
    /// At the start of every turn it is worked out whether it can reach goal.
    Search,
    /// A goal is found like anything else: step by step.
    Steps,
}

/// A search with its memory; keeps what it has learned from turn to turn.
pub(crate) struct Search<E> {
    evaluation: E,
    settings: Settings,
    table: Table,
    kept: Kept,
    /// Workers that share the table.
    threads: usize,
    /// Knows which steps are likely.
    model: Option<StepModel>,
    /// What the memory knows about turns from the root.
    recalled: Option<Recalled>,
}

/// What one worker keeps from search to search.
struct Kept {
    ordering: Ordering,
    goals: Goals,
}

impl Kept {
    fn new() -> Kept {
        Kept {
            ordering: Ordering::new(),
            goals: Goals::new(),
        }
    }
}

/// What came out of a search.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) turn: Turn,
    pub(crate) thought: Thought,
}

impl<E: Evaluate + Sync> Search<E> {
    pub(crate) fn new(evaluation: E, settings: Settings, megabytes: usize) -> Search<E> {
        Search {
            evaluation,
            settings,
            table: Table::new(megabytes),
            kept: Kept::new(),
            threads: 1,
            model: None,
            recalled: None,
        }
    }

    /// The same search, trying steps in the order a model of steps gives.
    pub(crate) fn with_model(mut self, model: Option<StepModel>) -> Search<E> {
        self.model = model;
        self
    }

    /// Goes by what the memory knows about turns from the root, in the searches
    /// that follow.
    #[cfg(feature = "memory")]
    pub(crate) fn recall(&mut self, recalled: Option<Recalled>) {
        self.recalled = recalled;
    }

    /// The same search with several workers.
    pub(crate) fn with_threads(mut self, threads: usize) -> Search<E> {
        self.threads = threads.max(1);
        self
    }

    pub(crate) fn new_game(&mut self) {
        self.table.clear();
        self.kept.ordering = Ordering::new();
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
        if self.settings.goals == GoalsBy::Search
            && let Some(turn) = root.can_goal()
        {
            found.turn = turn;
            found.thought = Thought {
                depth: turn.steps().len() as u32,
                nodes: 1,
                time: limits.elapsed(),
                score: WIN - 1,
                line: vec![turn],
                ..Thought::default()
            };
            listener(&found.thought);
            return Some(found);
        }
        self.with_worker(game, &root, limits, deepest, |worker, deepest| {
            worker.deepen(game, deepest, &mut found, listener);
        });
        found.thought.time = limits.elapsed();
        found.turn = root.tidied(&found.turn);
        if let Some(first) = found.thought.line.first_mut() {
            *first = found.turn;
        }
        Some(found)
    }

    /// Sets up the worker that decides, and others beside it, for as long as it
    /// thinks. It is told how deep it may look.
    fn with_worker(
        &mut self,
        game: &Game,
        root: &Position,
        limits: &Limits,
        deepest: u32,
        think: impl FnOnce(&mut Worker<'_, E>, u32),
    ) {
        self.start_from(root.board());
        self.table.next_search();
        self.kept.ordering.next_search();
        let deepest = deepest
            .min(limits.depth.unwrap_or(u32::MAX))
            .clamp(1, DEEPEST as u32 - 40);
        // Others search the same position for as long; what they find is in
        // the table, and saves the one that decides some work.
        let mut others = limits.clone();
        others.stop = Stop::default();
        let (table, evaluation, settings) = (self.table.shared(), &self.evaluation, self.settings);
        let learned = self.model.as_ref().map(|model| Learned::new(model, root));
        let learned = learned.as_ref();
        let recalled = self.recalled.as_ref();
        std::thread::scope(|scope| {
            for number in 1..self.threads as u32 {
                let others = &others;
                scope.spawn(move || {
                    let mut kept = Kept::new();
                    let mut worker = Worker::new(
                        evaluation, settings, table, &mut kept, game, others, learned,
                    );
                    worker.recalled = recalled;
                    let mut expected = 0;
                    for depth in 1 + number % 2..=deepest {
                        let Some(score) = worker.aspire(root, depth as i32, expected) else {
                            break;
                        };
                        expected = score;
                    }
                });
            }
            let kept = &mut self.kept;
            let mut worker = Worker::new(evaluation, settings, table, kept, game, limits, learned);
            worker.recalled = recalled;
            think(&mut worker, deepest);
            others.stop.now();
        });
    }

    fn start_from(&mut self, root: &Board) {
        if self.evaluation.start_from(root) {
            self.table.forget();
        }
    }

    /// Is this turn worth at least so much, looking as deep as a search of
    /// `depth` steps from the root? None if there is no time to tell.
    #[cfg(feature = "memory")]
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
        self.start_from(position.board());
        let learned = self
            .model
            .as_ref()
            .map(|model| Learned::new(model, &position));
        let mut worker = Worker::new(
            &self.evaluation,
            self.settings,
            self.table.shared(),
            &mut self.kept,
            game,
            limits,
            learned.as_ref(),
        );
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

/// Some legal turn, found in no time: what is played if there is no time.
fn any_turn(game: &Game) -> Option<Turn> {
    any_turn_from(game, Turn::EMPTY, &game.position())
}

/// The same for a turn that has begun and stands here.
fn any_turn_from(game: &Game, begun: Turn, here: &Position) -> Option<Turn> {
    let mut some = game.check_turn(&begun).ok().map(|(turn, _)| turn);
    if some.is_some() {
        return some;
    }
    let _ = here.for_each_turn(|rest, after| {
        if game.is_third_repetition(after) {
            return ControlFlow::Continue(());
        }
        let steps = begun.steps().iter().chain(rest.steps()).copied();
        let whole = Turn::from_steps(steps).ok();
        some = whole.filter(|whole| begun.is_empty() || game.check_turn(whole).is_ok());
        if some.is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    some
}
