//! The memory bot as the thesis wished it: symmetric memory, only legal turns,
//! all levels heard together, every candidate checked before it is played, a
//! real search when nothing is remembered.

use std::time::Duration;

use hathi_rules::{Game, Setup, Side, Symmetry};
use hathi_store::{Filter, Matching, Memory};

use super::candidates::{self, Candidate, Suggestions};
use crate::Level;
use crate::engines::searcher::reason;
use crate::evaluation::ByNetwork;
use crate::recall;
use crate::search::margins::Margins;
use crate::search::{Found, GoalsBy, Search, Settings};
use crate::solve::{Solution, Solver};
use crate::{
    Choice, Decision, Engine, EngineError, EngineOptions, Limits, PhasePruning, Thought, setups,
};

/// Candidates that are looked at closely.
const CLOSELY: usize = 6;

/// Own turns without a full-board hit after which it is no longer asked for.
const MISSES: u32 = 3;

/// How the time is shared: proving wins, asking the memory, searching for the
/// best turn; the rest is for checking candidates.
const PROVE: f64 = 0.2;
const ASK: f64 = 0.3;
const SEARCH: f64 = 0.85;

/// With less time than this a search finds what there is to prove as well.
const WORTH_PROVING: Duration = Duration::from_millis(100);

/// Our memory bot.
pub(crate) struct Mimic {
    memory: Box<dyn Memory>,
    search: Search<ByNetwork>,
    solver: Solver,
    random: fastrand::Rng,
    depth: u32,
    nodes: u64,
    /// Full-board questions in a row that had no answer.
    misses: u32,
}

impl Mimic {
    pub(crate) fn new(options: &EngineOptions) -> Result<Mimic, EngineError> {
        let settings = Settings {
            quiescence: true,
            selective: true,
            margins: options.margins.of(Margins::REMEMBERING),
            by_what_follows: true,
            goals: GoalsBy::Search,
            phase_pruning: PhasePruning::Off,
        };
        Ok(Mimic {
            memory: recall::open(options)?,
            search: Search::new(
                ByNetwork::from_file(&options.network)?,
                settings,
                options.hash,
            )
            .with_threads(options.threads),
            solver: Solver::default(),
            random: fastrand::Rng::with_seed(0),
            depth: if options.depth == 0 {
                u32::MAX
            } else {
                options.depth
            },
            nodes: options.nodes,
            misses: 0,
        })
    }

    /// Of the setups that are used often, the one that wins most.
    fn set_up(&mut self, game: &Game, side: Side) -> Result<Decision, EngineError> {
        let gold = game.setups().0.copied();
        let found = self
            .memory
            .setups(side, gold.as_ref(), true, &Filter::default(), 40)?;
        // A prior of ten games keeps chance finds down.
        let rate = |games: u64, wins: u64| (wins as f64 + 5.0) / (games as f64 + 10.0);
        let best = found
            .top
            .iter()
            .filter(|setup| setup.games * 200 >= found.games)
            .max_by(|a, b| rate(a.games, a.wins).total_cmp(&rate(b.games, b.wins)));
        let (setup, reason): (Setup, String) = match (best, gold) {
            (Some(best), _) => {
                let setup = if gold.is_none() && self.random.bool() {
                    Symmetry::MIRROR.apply(best.setup)
                } else {
                    best.setup
                };
                let reason = format!(
                    "of the setups in use the one that wins most: {} of {} games",
                    best.wins, best.games
                );
                (setup, reason)
            }
            (None, Some(gold)) => (
                Symmetry::FLIP.apply(gold),
                "nobody has replied to this setup yet: the same, facing it".to_owned(),
            ),
            (None, None) => (
                setups::usual(side),
                "the memory is empty: a sound setup".to_owned(),
            ),
        };
        Ok(Decision {
            level: Some(Level::Setup),
            ..Decision::because(Choice::SetUp(setup), reason)
        })
    }

    /// A win at once or in two: from the table, or proven.
    fn win(&mut self, game: &Game, limits: &Limits) -> Result<Option<Decision>, EngineError> {
        let position = game.position();
        if let Some(turn) = position.can_goal() {
            return Ok(Some(Decision {
                level: Some(Level::Proof),
                ..Decision::because(Choice::Play(turn), "reaches goal")
            }));
        }
        let allowed = |turn: &hathi_rules::Turn| {
            !game.is_third_repetition(&position.after_turn(turn.steps()))
        };
        let puzzles = self.memory.puzzles_at(&position, Matching::Symmetric)?;
        if let Some(puzzle) = puzzles.iter().find(|puzzle| allowed(&puzzle.turn)) {
            return Ok(Some(Decision {
                level: Some(Level::Puzzle),
                ..Decision::because(
                    Choice::Play(puzzle.turn),
                    format!(
                        "wins in two, as in game {} at {}",
                        puzzle.game, puzzle.label
                    ),
                )
            }));
        }
        // Without a rabbit in the enemy's half there is nothing to prove.
        let side = position.side_to_move();
        let far = position.board().rabbits(side) - setups::own_half(side);
        if far.is_empty() || limits.most.is_some_and(|most| most < WORTH_PROVING) {
            return Ok(None);
        }
        match self.solver.solve(&position, 2, &part(limits, PROVE)) {
            Solution::WinNow { turn } => Ok(Some(Decision {
                level: Some(Level::Proof),
                ..Decision::because(Choice::Play(turn), "wins at once")
            })),
            Solution::WinInTwo { turn, replies, .. } if allowed(&turn) => Ok(Some(Decision {
                level: Some(Level::Proof),
                ..Decision::because(
                    Choice::Play(turn),
                    format!("wins in two: none of the {replies} replies saves the opponent"),
                )
            })),
            _ => Ok(None),
        }
    }

    /// The first candidate that stands up to a closer look, and why the ones
    /// before it did not.
    fn check(
        &mut self,
        game: &Game,
        found: &Found,
        suggestions: &Suggestions,
        limits: &Limits,
    ) -> (Option<Candidate>, Vec<String>) {
        let mut rejected = Vec::new();
        for candidate in suggestions.candidates.iter().take(CLOSELY) {
            if candidate.after.can_goal().is_some() {
                rejected.push(format!("{}: lets a rabbit through", candidate.turn));
                continue;
            }
            let at_least = found.thought.score - tolerance(candidate.level);
            match self
                .search
                .stands(game, &candidate.turn, found.thought.depth, at_least, limits)
            {
                Some(true) => return (Some(candidate.clone()), rejected),
                Some(false) => rejected.push(format!(
                    "{}: more than {:.2} rabbits worse than what search finds",
                    candidate.turn,
                    f64::from(tolerance(candidate.level)) / 100.0
                )),
                None => {
                    rejected.push(format!("{}: no time left to check it", candidate.turn));
                    break;
                }
            }
        }
        (None, rejected)
    }
}

/// What a candidate may cost by the search's judgement, in hundredths of a
/// rabbit: those who have seen more of the board are trusted more. The network
/// itself is off by half a rabbit on average, measured by its teacher.
fn tolerance(level: Level) -> i32 {
    match level {
        Level::Full => 60,
        Level::Half => 40,
        Level::Area => 20,
        _ => 10,
    }
}

/// A part of the time, counted from the start.
fn part(limits: &Limits, share: f64) -> Limits {
    let mut limits = limits.clone();
    limits.most = limits.most.map(|most| most.mul_f64(share));
    limits.aim = limits.aim.map(|aim| aim.min(limits.most.unwrap_or(aim)));
    limits
}

impl Engine for Mimic {
    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
        self.search.new_game();
        self.misses = 0;
    }

    fn decide(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        if game.outcome().is_some() {
            return Err(EngineError::GameOver);
        }
        self.memory.catch_up()?;
        if let Some(side) = game.must_set_up() {
            return self.set_up(game, side);
        }
        let limits = limits.at_most(self.nodes);
        if let Some(win) = self.win(game, &limits)? {
            return Ok(win);
        }
        let full = self.misses < MISSES;
        let asking = part(&limits, ASK);
        let suggestions = candidates::gather(self.memory.as_ref(), game, full, &asking)?;
        if full {
            let hit = suggestions
                .hits
                .iter()
                .any(|&(level, hits)| level == Level::Full && hits > 0);
            self.misses = if hit { 0 } else { self.misses + 1 };
        }
        let searching = part(&limits, SEARCH);
        let found = self
            .search
            .run(game, &searching, self.depth, listener)
            .ok_or(EngineError::NoTurn)?;
        let (chosen, rejected) = self.check(game, &found, &suggestions, &limits);
        let mut decision = match chosen {
            Some(candidate) => Decision {
                level: Some(candidate.level),
                thought: Some(found.thought),
                ..Decision::because(
                    Choice::Play(candidate.turn),
                    describe(self.memory.as_ref(), &candidate)?,
                )
            },
            None => Decision {
                level: Some(Level::Search),
                reasons: vec![reason(&found.thought)],
                choice: Choice::Play(found.turn),
                thought: Some(found.thought),
            },
        };
        decision.reasons.extend(remembered(&suggestions.hits));
        decision.reasons.extend(
            rejected
                .into_iter()
                .map(|why| format!("did not follow {why}")),
        );
        Ok(decision)
    }
}

/// How much of the position the memory has seen; nothing if none of it.
fn remembered(hits: &[(Level, u64)]) -> Option<String> {
    let (level, hits) = hits.iter().find(|(_, hits)| *hits > 0)?;
    let times = if *hits == 1 { "once" } else { "before" };
    Some(match level {
        Level::Full => format!("has seen this position {times}"),
        Level::Half => format!("has seen the middle of the board {times}"),
        _ => format!("has seen this fight round a trap {times}"),
    })
}

fn describe(memory: &dyn Memory, candidate: &Candidate) -> Result<String, EngineError> {
    let rating = candidate.rating.map_or_else(String::new, |rating| {
        format!(", average rating {rating:.0}")
    });
    let games: Vec<String> = (candidate.games.iter().take(3))
        .map(|&row| recall::game_name(memory, row))
        .collect::<Result<_, _>>()?;
    Ok(format!(
        "{}: played {} times in the best games with positions like this, {} of them won{rating}; \
         see game {}",
        candidate.level.name(),
        candidate.count,
        candidate.wins,
        games.join(", ")
    ))
}
