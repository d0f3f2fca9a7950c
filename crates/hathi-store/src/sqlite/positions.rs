//! Questions about positions: the index file and the games in memory beside it
//! are asked.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::Store;
use crate::answer::{Answer, Tally};
use crate::error::StoreError;
use crate::hits::{Hit, RawHit};
use crate::index::{self, Indexed, for_each_hit, tally_hits};
use crate::memory::Positions;
use crate::pattern::PatternAnswer;
use crate::question::{PatternQuestion, PositionQuestion};

impl Store {
    /// Every hit that the filter lets through, best first, until `visit`
    /// returns false.
    fn hits(
        &self,
        question: &PositionQuestion,
        mut visit: impl FnMut(&RawHit) -> bool,
    ) -> Result<(), StoreError> {
        let allowed = self.allowed_games(&question.filter)?;
        self.check_ready()?;
        let (index, delta) = (self.index.as_ref(), &self.delta);
        let found = for_each_hit(index, delta, question, |hit| {
            let counts =
                allowed.contains(hit.game.row) && question.filter.fits_ply(hit.played.ply());
            !counts || visit(hit)
        });
        self.check_index_is_whole()?;
        Ok(found?)
    }
}

impl Positions for Store {
    fn best(&self, question: &PositionQuestion) -> Result<Option<Hit>, StoreError> {
        let mut best = None;
        self.hits(question, |hit| {
            best = hit.legal_on(&question.position);
            best.is_none()
        })?;
        Ok(best)
    }

    fn first_that(
        &self,
        question: &PositionQuestion,
        accept: &dyn Fn(&Hit) -> bool,
    ) -> Result<Option<Hit>, StoreError> {
        let side = question.position.side_to_move();
        let mut first = None;
        self.hits(question, |hit| {
            first = hit.translate(side).filter(accept);
            first.is_none()
        })?;
        Ok(first)
    }

    fn find(&self, question: &PositionQuestion) -> Result<Answer, StoreError> {
        let Some(most) = question.best_hits else {
            let filter = &question.filter;
            let allowed = self.allowed_games(filter)?;
            self.check_ready()?;
            let tally = tally_hits(self.index.as_ref(), &self.delta, question, |hit| {
                allowed.contains(hit.game.row) && filter.fits_ply(hit.played.ply())
            });
            self.check_index_is_whole()?;
            return Ok(tally?.finish(question));
        };
        let mut tally = Tally::default();
        let mut games = HashSet::new();
        let mut left = most;
        self.hits(question, |hit| {
            tally.add(hit);
            games.insert(hit.game.row);
            left = left.saturating_sub(1);
            left > 0
        })?;
        // Games of the index and recent ones are numbered apart.
        Ok(Answer {
            games: games.len() as u64,
            ..tally.finish(question)
        })
    }

    fn search(&self, question: &PatternQuestion) -> Result<PatternAnswer, StoreError> {
        self.check_ready()?;
        let allowed = self.allowed_games(&question.filter)?;
        let indexed = match &self.index {
            Some(index) => {
                let needs = question.pattern.needs();
                let place = self.facts_place();
                let quietly = &mut |_: &str, _: f64| ControlFlow::Continue(());
                self.facts.prepare(needs, &place, index, 0, quietly)?;
                let facts = &self.facts;
                Some(Indexed { index, facts })
            }
            None => None,
        };
        let found = index::search(indexed, &self.delta, question, &allowed);
        self.check_index_is_whole()?;
        Ok(found?)
    }
}
