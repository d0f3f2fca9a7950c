//! The strongest search with a memory inside it: what was played in positions
//! like the one at the root is looked at first, and its results count.

use hathi_rules::Game;
use hathi_store::{Filter, Memory, SetupStats};

use super::mimic::candidates::{self, Suggestions};
use super::searcher::Searcher;
use crate::evaluation::ByNetwork;
use crate::recall;
use crate::search::recalled::Recalled;
use crate::{
    Analysis, AnalysisRequest, CHANCE_SCALE, Decision, Engine, EngineError, EngineOptions, Limits,
    RecallUse, Tally, Thought, setups,
};

/// Turns that are tried first.
const FIRST: usize = 8;

/// Setups of the memory that are looked at, the most used first.
const SETUPS: usize = 40;

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

    /// If the game is to be set up, a setup by our results and the memory's.
    fn set_up(&mut self, game: &Game) -> Result<Option<Decision>, EngineError> {
        let Some(side) = game.must_set_up() else {
            return Ok(None);
        };
        self.memory.catch_up()?;
        let gold = game.setups().0.copied();
        let all = Filter::default();
        let found = self
            .memory
            .setups(side, gold.as_ref(), true, &all, SETUPS)?;
        let count = |games: u64| u32::try_from(games).unwrap_or(u32::MAX);
        let tally = |stats: &SetupStats| Tally {
            won: count(stats.wins),
            games: count(stats.games),
        };
        let known: Vec<_> = found
            .top
            .iter()
            .map(|stats| (stats.setup, tally(stats)))
            .collect();
        setups::sound_or_remembered(game, &known, &mut self.searcher.random)
    }

    /// Asks the memory about the position the search starts from.
    fn remember(&mut self, game: &Game, limits: &Limits) -> Result<(), EngineError> {
        self.searcher.search.recall(None);
        if game.outcome().is_some() {
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
        if let Some(setup) = self.set_up(game)? {
            return Ok(setup);
        }
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
