//! Adding games, taking notice of them, building the index.

use std::ops::ControlFlow;

use hathi_archive::GameSource;

use super::{OpenMode, Store};
use crate::error::StoreError;
use crate::index::{self, BuildGame, Delta, FactsInWork, IndexError, IndexFile};
use crate::memory::Upkeep;
use crate::model::{AddedGame, CheckedIndex, GameRow, IndexState, NewGame};
use crate::pattern::FactsNeeded;

/// Games outside the index that are held in memory at most. More, and the
/// index has to be built (again) before questions are answered.
const MOST_RECENT_GAMES: u64 = 5_000;

impl Upkeep for Store {
    fn bytes(&self) -> Result<u64, StoreError> {
        Ok(self.database.bytes())
    }

    fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<AddedGame>>, StoreError> {
        let added = self.insert_for_index(games)?;
        self.catch_up()?;
        Ok(added)
    }

    fn insert_for_index(
        &mut self,
        games: &[NewGame],
    ) -> Result<Vec<Option<AddedGame>>, StoreError> {
        Ok(self.database.insert(games)?)
    }

    fn remove(&mut self, games: &[GameRow]) -> Result<u64, StoreError> {
        self.remove_rows(games)
    }

    fn remove_source(&mut self, source: GameSource) -> Result<u64, StoreError> {
        self.remove_all_of(source)
    }

    /// Too many games are not held in memory: the store is not ready then.
    fn catch_up(&mut self) -> Result<(), StoreError> {
        // Games were taken out: what is known of them must go.
        if self.known_as != self.database.store_id()? {
            self.load_index()?;
        }
        let missing = self.database.games_since(self.known_up_to)?;
        self.ready = self.delta.games() as u64 + missing <= MOST_RECENT_GAMES;
        if self.ready {
            for game in self.database.games_after(self.known_up_to)? {
                self.delta.add(&game);
                self.known_up_to = game.row;
            }
        }
        self.look_at_sources()
    }

    fn is_ready(&self) -> bool {
        self.ready
    }

    fn prepare(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64),
    ) -> Result<bool, StoreError> {
        if !self.ready && self.index.is_none() {
            // Perhaps nobody has looked at it yet.
            self.load_index()?;
            self.catch_up()?;
        }
        if self.ready {
            return Ok(false);
        }
        self.build_index(threads, progress)?;
        Ok(true)
    }

    fn build_index_or_stop(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.index = None;
        self.delta = Delta::default();
        // Damaged columns go with a damaged index.
        self.facts_place().clear();
        let threads = crate::cores::threads(threads);
        let games: Vec<BuildGame> = self.database.games_after(GameRow::BEFORE_ALL)?;
        let store_id = self.database.store_id()?;
        let built = index::build(&self.index_path, store_id, &games, threads, progress);
        drop(games);
        self.load_index()?;
        self.catch_up()?;
        Ok(built?)
    }

    fn build_facts(
        &mut self,
        needs: FactsNeeded,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<bool, StoreError> {
        let Some(index) = &self.index else {
            return Ok(false);
        };
        let needs = needs.into();
        if self.facts.has(needs) {
            return Ok(false);
        }
        let place = self.facts_place();
        let threads = crate::cores::threads(threads);
        self.facts
            .prepare(needs, &place, index, threads, progress)?;
        Ok(true)
    }

    fn facts_in_work(&self, needs: FactsNeeded) -> Option<FactsInWork> {
        let index = self.index.as_ref()?;
        self.facts.in_work(needs.into(), &self.facts_place(), index)
    }

    fn check_index(&self) -> Result<CheckedIndex, StoreError> {
        if let Some(index) = &self.index {
            index.check_all()?;
            self.facts.check_all()?;
        }
        Ok(CheckedIndex::Checksums)
    }

    fn index_state(&self) -> IndexState {
        let header = self.index.as_ref().map(|index| &index.header);
        IndexState {
            indexed_games: header.map_or(0, |header| header.games),
            indexed_positions: header.map_or(0, |header| header.positions),
            recent_games: self.delta.games() as u64,
            recent_positions: self.delta.positions() as u64,
            bytes: self.index.as_ref().map_or(0, IndexFile::size),
        }
    }

    fn index_is_behind(&self) -> Result<bool, StoreError> {
        let unknown = self.database.games_since(self.known_up_to)?;
        Ok(unknown + self.delta.games() as u64 > 0)
    }

    fn index_trouble(&self) -> Option<&IndexError> {
        self.index_trouble.as_ref()
    }

    fn index_is_whole(&self) -> bool {
        self.check_index_is_whole().is_ok()
    }

    fn mode(&self) -> OpenMode {
        self.database.mode
    }
}
