//! The levels people play against: hathi, but it thinks of less.

use hathi_rules::{Game, Position, Square, Turn};

use super::Searcher;
use super::searcher::reason;
use crate::evaluation::{ByNetwork, Evaluate};
use crate::levels::{LevelSettings, Sight};
use crate::{
    Analysis, AnalysisRequest, Choice, Decision, Engine, EngineError, EngineOptions, Limits,
    PlayLevel, Thought, setups, winning_chance,
};

/// Megabytes that a few thousand positions need: it soon forgets.
const SMALL_TABLE: usize = 2;

/// How often the piece that has just moved goes on.
const GOES_ON: f64 = 0.7;

/// One of the levels.
pub(crate) struct Leveled {
    level: PlayLevel,
    evaluation: ByNetwork,
    searcher: Searcher<ByNetwork>,
    random: fastrand::Rng,
}

impl Leveled {
    pub(crate) fn new(level: PlayLevel, options: &EngineOptions) -> Result<Leveled, EngineError> {
        let mut options = options.clone();
        if let Sight::Search { depth, nodes, .. } = level.settings().sight {
            // What is asked for may be less than the level, not more.
            let least = |own: u64, asked: u64| if asked == 0 { own } else { own.min(asked) };
            options.depth = least(depth.into(), options.depth.into()) as u32;
            options.nodes = least(nodes, options.nodes);
            options.threads = 1;
        }
        if !matches!(level.settings().sight, Sight::Full) {
            options.hash = SMALL_TABLE;
        }
        Ok(Leveled {
            level,
            evaluation: ByNetwork::from_file(&options.network)?,
            searcher: Searcher::hathi(&options)?,
            random: fastrand::Rng::with_seed(0),
        })
    }

    const fn settings(&self) -> &'static LevelSettings {
        self.level.settings()
    }

    /// Takes one of the turns that come to mind.
    fn glance(&mut self, game: &Game, turns: usize, goal: usize) -> Result<Decision, EngineError> {
        let position = game.position();
        if let Some(turn) = position.can_goal()
            && turn.steps().len() <= goal
        {
            return Ok(Decision::because(
                Choice::Play(turn),
                "a rabbit reaches its goal",
            ));
        }
        let mover = position.side_to_move();
        let mut considered: Vec<(Turn, f64)> = Vec::new();
        // A walk may end inside a push or where it began.
        for _ in 0..turns * 20 {
            if considered.len() >= turns {
                break;
            }
            if let Some(turn) = self.come_to_mind(&position)
                && let Ok((turn, after)) = game.check_turn(&turn)
            {
                let worth = self.evaluation.evaluate(after.board(), mover);
                considered.push((turn, winning_chance(worth)));
            }
        }
        let chances: Vec<f64> = considered.iter().map(|(_, chance)| *chance).collect();
        let Some(chosen) = self.choose(&chances) else {
            // Hardly anything can move: then all of it is seen.
            return self.search(game, 1, &Limits::nodes(1_000), &mut |_| {});
        };
        let (turn, _) = considered[chosen];
        let words = match considered.len() {
            1 => "the only turn that came to mind".to_owned(),
            count => {
                format!("the nicest of {count} turns that came to mind, answers not looked at")
            }
        };
        Ok(Decision::because(
            Choice::Play(position.tidied(&turn)),
            words,
        ))
    }

    /// A turn as people think of one: a piece is taken and mostly goes on.
    fn come_to_mind(&mut self, position: &Position) -> Option<Turn> {
        let mut position = *position;
        let mut turn = Turn::EMPTY;
        let wanted = self.random.usize(2..=4);
        let mut walker: Option<(Square, Square)> = None;
        while turn.steps().len() < wanted || position.is_mid_push() {
            let steps = position.legal_steps();
            let onwards = |step: &&hathi_rules::Step| {
                walker.is_some_and(|(from, at)| step.from() == at && step.to() != Some(from))
            };
            let on = steps.iter().filter(onwards).count();
            let step = if on > 0 && self.random.f64() < GOES_ON {
                steps.iter().filter(onwards).nth(self.random.usize(..on))
            } else {
                self.random.choice(&steps)
            };
            let Some(&step) = step else {
                break;
            };
            position.apply(step);
            turn.push(step).ok()?;
            walker = step.to().map(|to| (step.from(), to));
        }
        position.can_end_turn().then_some(turn)
    }

    /// Takes one of the best turns of a search.
    fn search(
        &mut self,
        game: &Game,
        lines: usize,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        // Nothing is kept from the turn before.
        self.searcher.new_game(0);
        let request = AnalysisRequest {
            lines,
            ..AnalysisRequest::of(game)
        };
        let mut analysis = self.searcher.analyse(&request, limits, &mut |analysis| {
            analysis.lines.iter().take(1).for_each(&mut *listener);
        })?;
        let chances: Vec<f64> = analysis
            .lines
            .iter()
            .map(|line| winning_chance(line.score))
            .collect();
        let chosen = self.choose(&chances).ok_or(EngineError::NoTurn)?;
        let thought = analysis.lines.swap_remove(chosen);
        let turn = thought.line.first().ok_or(EngineError::NoTurn)?;
        Ok(Decision {
            choice: Choice::Play(*turn),
            reasons: vec![reason(&thought)],
            thought: Some(thought),
            level: None,
        })
    }

    /// One of the turns with these chances to win: the less likely, the more it
    /// gives away.
    fn choose(&mut self, chances: &[f64]) -> Option<usize> {
        let best = chances.iter().copied().reduce(f64::max)?;
        let weight = |chance: &f64| ((chance - best) / self.settings().temperature).exp();
        let weights: Vec<f64> = chances.iter().map(weight).collect();
        let mut left = self.random.f64() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        Some(drawn.unwrap_or(0))
    }
}

impl Engine for Leveled {
    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
        self.searcher.new_game(seed);
    }

    fn decide(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        if let Some(setup) = setups::sound(game, &mut self.random)? {
            return Ok(setup);
        }
        match self.settings().sight {
            Sight::Glance { turns, goal } => self.glance(game, turns, goal),
            Sight::Search { lines, .. } if lines > 1 => self.search(game, lines, limits, listener),
            // The best turn alone needs no comparison, and is found deeper so.
            Sight::Search { .. } | Sight::Full => self.searcher.decide(game, limits, listener),
        }
    }

    fn analyse(
        &mut self,
        request: &AnalysisRequest<'_>,
        limits: &Limits,
        listener: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        self.searcher.analyse(request, limits, listener)
    }
}
