//! Games and index together.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hathi_rules::Position;

use crate::answer::{Answer, Tally};
use crate::database::{Database, DatabaseError, NewGame, Totals};
use crate::filter::Filter;
use crate::index::{self, BuildGame, IndexError, IndexFile, IndexedGame};
use crate::memory::{Delta, Hit, Kind, Matching, RawHit, for_each_hit, tally_hits};
use crate::postgres::ServerError;

/// What can go wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// With its database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// With the server that keeps it.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// With its index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The index has to be built first.
    #[error("there are games without an index; it has to be built before positions can be found")]
    NotReady,
}

/// Games outside the index that are held in memory at most. More, and the
/// index has to be built (again) before questions are answered.
const MOST_RECENT_GAMES: u64 = 5_000;

/// A game database with the index of its positions.
///
/// The index is derived and disposable. A few thousand games are held in
/// memory without one; when it is missing, stale or damaged for more,
/// questions are refused with the reason until
/// [`prepare`](Store::prepare) has built a new one.
pub struct Store {
    database: Database,
    index_path: PathBuf,
    index: Option<IndexFile>,
    index_trouble: Option<IndexError>,
    delta: Delta,
    /// Newest game that the index or the delta knows.
    known_up_to: i64,
    /// Are all games known, so that questions can be answered?
    ready: bool,
}

impl Store {
    /// Opens a store, making it if it is not there.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut store = Store::open_games(path)?;
        store.load_index()?;
        store.catch_up()?;
        Ok(store)
    }

    /// Opens a store without looking at its index: questions about positions
    /// are refused until it is [prepared](Store::prepare).
    pub fn open_games(path: &Path) -> Result<Store, StoreError> {
        let database = Database::open(path)?;
        let mut index_path = path.as_os_str().to_owned();
        index_path.push(".index");
        Ok(Store {
            database,
            index_path: PathBuf::from(index_path),
            index: None,
            index_trouble: None,
            delta: Delta::default(),
            known_up_to: 0,
            ready: false,
        })
    }

    /// Opens a store that exists; a reader must not make one by accident.
    pub fn open_existing(path: &Path) -> Result<Option<Store>, StoreError> {
        if path.exists() {
            Store::open(path).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Maps the index file if it can be used.
    fn load_index(&mut self) -> Result<(), StoreError> {
        self.index = None;
        self.delta = Delta::default();
        self.known_up_to = 0;
        match IndexFile::open(&self.index_path) {
            Ok(index) => {
                let header = &index.header;
                let same = header.store_id == self.database.store_id()?
                    && header.games == self.database.games_up_to(header.last_game)?;
                if same {
                    self.known_up_to = header.last_game;
                    self.index_trouble = None;
                    self.index = Some(index);
                } else {
                    self.index_trouble = Some(IndexError::Stale);
                }
            }
            Err(error) => self.index_trouble = Some(error),
        }
        Ok(())
    }

    /// Takes in games that were added since, by this process or another,
    /// unless they are too many to be held in memory.
    pub fn catch_up(&mut self) -> Result<(), StoreError> {
        let missing = self.database.games_since(self.known_up_to)?;
        self.ready = self.delta.games() as u64 + missing <= MOST_RECENT_GAMES;
        if self.ready {
            for game in self.database.games_after(self.known_up_to)? {
                self.delta.add(&game);
                self.known_up_to = game.id;
            }
        }
        Ok(())
    }

    /// Can questions be answered? If not, [`prepare`](Store::prepare) first.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// Builds the index if questions could not be answered without. Returns
    /// whether it had to.
    pub fn prepare(
        &mut self,
        threads: usize,
        progress: impl FnMut(&str, f64),
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

    /// Why the index is not used, if it is not.
    pub fn index_trouble(&self) -> Option<&IndexError> {
        self.index_trouble.as_ref()
    }

    /// Are there games that the index file does not know?
    pub fn index_is_behind(&self) -> Result<bool, StoreError> {
        let unknown = self.database.games_since(self.known_up_to)?;
        Ok(unknown + self.delta.games() as u64 > 0)
    }

    /// Games and positions in the index file, and in memory beside it.
    pub fn index_state(&self) -> IndexState {
        let header = self.index.as_ref().map(|index| &index.header);
        IndexState {
            indexed_games: header.map_or(0, |header| header.games),
            indexed_positions: header.map_or(0, |header| header.positions),
            recent_games: self.delta.games() as u64,
            recent_positions: self.delta.positions() as u64,
            bytes: self.index.as_ref().map_or(0, IndexFile::size),
        }
    }

    /// The database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The database, to change what is not about games.
    pub fn database_mut(&mut self) -> &mut Database {
        &mut self.database
    }

    /// How much there is.
    pub fn totals(&self) -> Result<Totals, StoreError> {
        Ok(self.database.totals()?)
    }

    /// Adds games in one transaction; the next question finds them. Returns
    /// for each its row, or nothing if it was there already.
    pub fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, StoreError> {
        let added = self.database.insert(games)?;
        self.catch_up()?;
        Ok(added)
    }

    /// Adds games without making them known to questions yet: for imports,
    /// which build the index when they are done.
    pub fn insert_for_index(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, StoreError> {
        Ok(self.database.insert(games)?)
    }

    /// Builds the index of all games and uses it from now on. `threads` of 0
    /// means as many as there are cores.
    pub fn build_index(
        &mut self,
        threads: usize,
        mut progress: impl FnMut(&str, f64),
    ) -> Result<(), StoreError> {
        self.build_index_or_stop(threads, |stage, share| {
            progress(stage, share);
            ControlFlow::Continue(())
        })
    }

    /// The same, but `progress` can end it. The error is then
    /// [`IndexError::Stopped`], and the store is as it was before.
    pub fn build_index_or_stop(
        &mut self,
        threads: usize,
        progress: impl FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.index = None;
        self.delta = Delta::default();
        let threads = crate::cores::threads(threads);
        let games: Vec<BuildGame> = self.database.games_after(0)?;
        let store_id = self.database.store_id()?;
        let built = index::build(&self.index_path, store_id, &games, threads, progress);
        drop(games);
        self.load_index()?;
        self.catch_up()?;
        Ok(built?)
    }

    /// Reads the whole index and compares it with its checksums.
    pub fn check_index(&self) -> Result<(), StoreError> {
        match &self.index {
            Some(index) => Ok(index.check_all()?),
            None => Ok(()),
        }
    }

    /// The best match whose turn is legal on this very board: the mover won,
    /// then the highest rating, then the fewest turns left.
    pub fn best(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
    ) -> Result<Option<Hit>, StoreError> {
        let mut best = None;
        self.hits(position, kind, matching, |hit| {
            best = hit.legal_on(position);
            best.is_none()
        })?;
        Ok(best)
    }

    /// The best match by the same order, whether its turn is legal on this
    /// very board or not.
    pub fn first(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
    ) -> Result<Option<Hit>, StoreError> {
        let side = position.side_to_move();
        let mut first = None;
        self.hits(position, kind, matching, |hit| {
            first = hit.translate(side);
            first.is_none()
        })?;
        Ok(first)
    }

    /// What was played from the best `most` positions that match, by the same
    /// order: quick, however many there are.
    pub fn find_best(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        most: usize,
    ) -> Result<Answer, StoreError> {
        let mut tally = Tally::default();
        let mut games = HashSet::new();
        let mut left = most;
        self.hits(position, kind, matching, |hit| {
            tally.add(hit);
            games.insert(hit.game.id);
            left = left.saturating_sub(1);
            left > 0
        })?;
        // Games of the index and recent ones are numbered apart.
        Ok(Answer {
            games: games.len() as u64,
            ..tally.finish(position)
        })
    }

    /// Everything that was played from positions that match.
    pub fn find(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        filter: &Filter,
    ) -> Result<Answer, StoreError> {
        let allowed = self.allowed_games(filter)?;
        self.check_ready()?;
        let tally = tally_hits(
            self.index.as_ref(),
            &self.delta,
            position,
            kind,
            matching,
            |hit| allowed.contains(hit.game.id) && filter.fits_ply(hit.played.ply),
        )?;
        Ok(tally.finish(position))
    }

    /// An error, with the reason, while games are missing from memory.
    pub(crate) fn check_ready(&self) -> Result<(), StoreError> {
        if self.ready {
            Ok(())
        } else {
            Err(StoreError::NotReady)
        }
    }

    fn hits(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        visit: impl FnMut(&RawHit) -> bool,
    ) -> Result<(), StoreError> {
        self.check_ready()?;
        Ok(for_each_hit(
            self.index.as_ref(),
            &self.delta,
            position,
            kind,
            matching,
            visit,
        )?)
    }

    /// The games a filter lets through.
    pub(crate) fn allowed_games(&self, filter: &Filter) -> Result<AllowedGames, StoreError> {
        if !filter.asks_of_games() {
            return Ok(AllowedGames(None));
        }
        let ids = self.database.filtered_ids(filter)?;
        let last = ids.last().copied().unwrap_or(0);
        let mut bits = vec![0u64; usize::try_from(last).unwrap_or(0) / 64 + 1];
        for id in ids {
            let id = usize::try_from(id).unwrap_or(0);
            bits[id / 64] |= 1 << (id % 64);
        }
        Ok(AllowedGames(Some(bits)))
    }

    /// The mapped index, for scans.
    pub(crate) fn index(&self) -> Option<&IndexFile> {
        self.index.as_ref()
    }

    /// What is in memory beside it.
    pub(crate) fn delta(&self) -> &Delta {
        &self.delta
    }
}

/// A set of games; all of them without a filter.
pub(crate) struct AllowedGames(Option<Vec<u64>>);

impl AllowedGames {
    #[inline]
    pub(crate) fn contains(&self, id: i64) -> bool {
        match &self.0 {
            None => true,
            Some(bits) => usize::try_from(id)
                .ok()
                .and_then(|id| Some(bits.get(id / 64)? >> (id % 64) & 1 != 0))
                .unwrap_or(false),
        }
    }

    #[inline]
    pub(crate) fn contains_game(&self, game: &IndexedGame) -> bool {
        self.contains(game.id)
    }
}

/// What the index covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexState {
    /// Games in the file.
    pub indexed_games: u64,
    /// Positions in the file.
    pub indexed_positions: u64,
    /// Games held in memory beside it.
    pub recent_games: u64,
    /// Positions held in memory beside it.
    pub recent_positions: u64,
    /// Size of the file.
    pub bytes: u64,
}
