//! The strongest search with a memory inside it: what was played in positions
//! like the one at the root is looked at first, and its results count.

use hathi_rules::Game;
use hathi_store::Memory;

use super::mimic::candidates::{self, Suggestions};
use super::searcher::Searcher;
use crate::evaluation::ByNetwork;
use crate::recall;
use crate::search::recalled::Recalled;
use crate::{
    Analysis, AnalysisRequest, CHANCE_SCALE, Decision, Engine, EngineError, EngineOptions, Limits,
    RecallUse, Thought,
};

/// Turns that are tried first.
const FIRST: usize = 8;

/// No more than this part of the time is for asking.
const ASKING: f64 = 0.2;

/// `hathi` with a memory inside its search.
pub(crate) struct Remembering {
    searcher: Searcher<ByNetwork>,
    memory: Box<dyn Memory>,
    how: RecallUse,
}

impl Remembering {
    pub(crate) fn new(options: &EngineOptions) -> Result<Remembering, EngineError> {
        Ok(Remembering {
            searcher: Searcher::hathi(options)?,
            memory: recall::open(options)?,
            how: options.recall,
        })
    }

    /// Asks the memory about the position the search starts from.
    fn remember(&mut self, game: &Game, limits: &Limits) -> Result<(), EngineError> {
        self.searcher.search.recall(None);
        if game.must_set_up().is_some() || game.outcome().is_some() {
            return Ok(());
        }
        self.memory.catch_up()?;
        let mut asking = limits.clone();
        asking.most = asking.most.map(|most| most.mul_f64(ASKING));
        asking.aim = asking.aim.map(|aim| aim.min(asking.most.unwrap_or(aim)));
        let found = candidates::gather(self.memory.as_ref(), game, true, &asking)?;
        let recalled = recalled(game, &found, self.how);
        self.searcher
            .search
            .recall(Some(recalled).filter(|recalled| !recalled.is_empty()));
        Ok(())
    }
}

/// What was found, as the search uses it.
fn recalled(game: &Game, found: &Suggestions, how: RecallUse) -> Recalled {
    let mut recalled = Recalled::default();
    if how.orders() {
        for candidate in found.candidates.iter().take(FIRST) {
            recalled.suggest(&game.position(), &candidate.turn);
        }
    }
    if how.weighs() {
        for (after, odds) in &found.evidence {
            recalled.weigh(after, (odds * CHANCE_SCALE) as i32);
        }
    }
    recalled
}

impl Engine for Remembering {
    fn new_game(&mut self, seed: u64) {
        self.searcher.search.recall(None);
        self.searcher.new_game(seed);
    }

    fn decide(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        self.remember(game, limits)?;
        self.searcher.decide(game, limits, listener)
    }

    fn analyse(
        &mut self,
        request: &AnalysisRequest<'_>,
        limits: &Limits,
        listener: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        // What an analysis shows is what the search finds by itself.
        self.searcher.search.recall(None);
        self.searcher.analyse(request, limits, listener)
    }
}
