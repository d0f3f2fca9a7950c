//! Uct: Monte-Carlo tree search with learned priors and a learned evaluation.

use hathi_rules::Game;

use crate::evaluation::ByNetwork;
use crate::playout::RandomPlayouts;
use crate::search::tree::TreeSettings;
use crate::setups;
use crate::{
    Analysis, AnalysisRequest, Choice, Decision, Engine, EngineError, EngineOptions, Limits,
    MOST_LINES, Thought,
};

use super::searcher::{Searcher, reason};

/// Plays the turn it has tried most.
pub(crate) struct Uct {
    /// The search of hathi: it values leaves, and keeps the model of steps.
    searcher: Searcher<ByNetwork>,
    settings: TreeSettings,
    playouts: RandomPlayouts,
}

impl Uct {
    pub(crate) fn new(options: &EngineOptions) -> Result<Uct, EngineError> {
        // Half of the memory is for the tree, half for the table of its leaves.
        let half = options.hash.div_ceil(2);
        let searcher = Searcher::hathi(&EngineOptions {
            hash: half,
            threads: 1,
            ..options.clone()
        })?;
        Ok(Uct {
            searcher,
            settings: TreeSettings {
                explore: options.explore as f32 / 1000.0,
                minimax: options.minimax as f32 / 100.0,
                leaf: options.leaf,
                playouts: options.playouts,
                most_bytes: half << 20,
            },
            playouts: RandomPlayouts::new(0),
        })
    }

    fn grow(
        &mut self,
        request: &AnalysisRequest<'_>,
        limits: &Limits,
        listener: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        let limits = limits.at_most(self.searcher.nodes);
        self.searcher
            .search
            .grow(
                request,
                &limits,
                self.searcher.deepest,
                &self.settings,
                &mut self.playouts,
                listener,
            )
            .ok_or(EngineError::NoTurn)
    }
}

impl Engine for Uct {
    fn new_game(&mut self, seed: u64) {
        self.searcher.new_game(seed);
        self.playouts = RandomPlayouts::new(seed);
    }

    fn decide(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        if let Some(setup) = setups::sound(game, &mut self.searcher.random)? {
            return Ok(setup);
        }
        let request = AnalysisRequest {
            lines: self.searcher.lines,
            ..AnalysisRequest::of(game)
        };
        let analysis = self.grow(&request, limits, &mut |analysis| {
            analysis.lines.iter().for_each(&mut *listener);
        })?;
        let thought = analysis.lines.into_iter().next();
        let thought = thought.ok_or(EngineError::NoTurn)?;
        let turn = thought.line.first().ok_or(EngineError::NoTurn)?;
        Ok(Decision {
            choice: Choice::Play(*turn),
            reasons: vec![reason(&thought)],
            thought: Some(thought),
            level: None,
        })
    }

    fn analyse(
        &mut self,
        request: &AnalysisRequest<'_>,
        limits: &Limits,
        listener: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        let request = AnalysisRequest {
            lines: request.lines.min(MOST_LINES),
            ..*request
        };
        request.check()?;
        self.grow(&request, limits, listener)
    }
}
