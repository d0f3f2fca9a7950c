//! What every store can do, whatever keeps it, and where stores are.

use std::ffi::OsStr;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;

use hathi_archive::{ArchiveReader, GameId, Puzzle};
use hathi_rules::{Position, Setup, Side};

use crate::answer::Answer;
use crate::database::{NewGame, ResultCount, StoredGame, Totals};
use crate::filter::{Filter, Page};
use crate::import::{ImportOptions, ImportSummary, Remark, import_into};
use crate::index::IndexError;
use crate::memory::{Hit, Kind, Matching};
use crate::pattern::Pattern;
use crate::postgres::{PostgresStore, ServerUrl};
use crate::puzzles::{PuzzleHit, PuzzleSummary, UnlinkedPuzzle};
use crate::search::PatternAnswer;
use crate::setups::Setups;
use crate::store::{IndexState, Store, StoreError};

/// Games and every position of them: what can be asked, and what is taken in.
/// The same questions have the same answers, whatever keeps the games.
pub trait Memory: Send {
    /// How much there is.
    fn totals(&self) -> Result<Totals, StoreError>;

    /// How many bytes the games take, without the index where that is apart.
    fn bytes(&self) -> Result<u64, StoreError>;

    /// How many games the filter lets through.
    fn count(&self, filter: &Filter) -> Result<u64, StoreError>;

    /// How often each side won in each way.
    fn results(&self, filter: &Filter) -> Result<Vec<ResultCount>, StoreError>;

    /// The setups of a side: Gold's, or Silver's replies to a setup of
    /// Gold's (or to any). With `merge_mirrors` a setup and its mirror image
    /// count as one; a reply to a mirrored setup is mirrored too.
    fn setups(
        &self,
        side: Side,
        reply_to: Option<&Setup>,
        merge_mirrors: bool,
        filter: &Filter,
        limit: usize,
    ) -> Result<Setups, StoreError>;

    /// The best match whose turn is legal on this very board: the mover won,
    /// then the highest rating, then the fewest turns left; of equal ones the
    /// game that was added first.
    fn best(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
    ) -> Result<Option<Hit>, StoreError>;

    /// The best match by the same order, whether its turn is legal on this
    /// very board or not.
    fn first(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
    ) -> Result<Option<Hit>, StoreError>;

    /// Everything that was played from positions that match.
    fn find(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        filter: &Filter,
    ) -> Result<Answer, StoreError>;

    /// The same for no more than `most` hits, the best ones by the order of
    /// [`best`](Memory::best): quick, however many there are.
    fn find_best(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        most: usize,
    ) -> Result<Answer, StoreError>;

    /// Compares every position with a pattern. At most `limit` hits are given
    /// back, all are counted; with `one_per_game` only the best of each game.
    fn search(
        &self,
        pattern: &Pattern,
        matching: Matching,
        filter: &Filter,
        limit: usize,
        one_per_game: bool,
    ) -> Result<PatternAnswer, StoreError>;

    /// A whole game, by its row.
    fn game(&self, id: i64) -> Result<Option<StoredGame>, StoreError>;

    /// The row of the game with this number in the archive.
    fn game_of_archive(&self, id: GameId) -> Result<Option<i64>, StoreError>;

    /// The number in the archive of the game in this row.
    fn archive_id(&self, row: i64) -> Result<Option<GameId>, StoreError>;

    /// Calls `visit` with every game the filter lets through, in the order in
    /// which they were added, until it has seen enough.
    fn visit_filtered(
        &self,
        filter: &Filter,
        limit: Option<u64>,
        visit: &mut dyn FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let page = Page {
            limit,
            ..Page::default()
        };
        self.visit_page(filter, page, visit)
    }

    /// The same for a part of them.
    fn visit_page(
        &self,
        filter: &Filter,
        page: Page,
        visit: &mut dyn FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// Adds puzzles and links every one in the store, old or new, to its game
    /// and position if it can be.
    fn import_puzzles(&mut self, puzzles: &[Puzzle]) -> Result<PuzzleSummary, StoreError>;

    /// How many puzzles of the store are linked, and how many are not.
    fn puzzle_counts(&self) -> Result<PuzzleSummary, StoreError>;

    /// Is the position a puzzle, and what wins there?
    fn puzzles_at(
        &self,
        position: &Position,
        matching: Matching,
    ) -> Result<Vec<PuzzleHit>, StoreError>;

    /// The puzzles that could not be linked although their game is there.
    fn broken_puzzles(&self) -> Result<Vec<UnlinkedPuzzle>, StoreError>;

    /// The position of the puzzle with this number, from 0, among the linked
    /// ones.
    fn linked_puzzle(&self, number: u64) -> Result<Option<(PuzzleHit, Position)>, StoreError>;

    /// Adds games in one transaction; the next question finds them. Returns
    /// for each its row, or nothing if it was there already.
    fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, StoreError>;

    /// Adds games without making them known to questions yet: for imports,
    /// which build the index when they are done.
    fn insert_for_index(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, StoreError>;

    /// Reads archives into the store. `progress` is asked now and then with
    /// the figures so far, and stops the import by returning false: what was
    /// added up to there stays, and importing the same files again goes on
    /// from there.
    ///
    /// The new games are found by questions after
    /// [`build_index`](Memory::build_index) or [`catch_up`](Memory::catch_up).
    fn import(
        &mut self,
        reader: ArchiveReader,
        options: ImportOptions,
        remark: &mut dyn FnMut(&Remark),
        progress: &mut dyn FnMut(&ImportSummary) -> bool,
    ) -> Result<ImportSummary, StoreError> {
        import_into(
            |games| self.insert_for_index(games),
            reader,
            options,
            remark,
            progress,
        )
    }

    /// Takes notice of games that were added since, by this process or
    /// another.
    fn catch_up(&mut self) -> Result<(), StoreError>;

    /// Can questions be answered? If not, [`prepare`](Memory::prepare) first.
    fn is_ready(&self) -> bool;

    /// Builds the index if questions could not be answered without. Returns
    /// whether it had to.
    fn prepare(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64),
    ) -> Result<bool, StoreError>;

    /// Builds the index of all games and uses it from now on. `threads` of 0
    /// means as many as there are cores.
    fn build_index(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64),
    ) -> Result<(), StoreError> {
        self.build_index_or_stop(threads, &mut |stage, share| {
            progress(stage, share);
            ControlFlow::Continue(())
        })
    }

    /// The same, but `progress` can end it. The error is then
    /// [`IndexError::Stopped`], and the store is as it was before.
    fn build_index_or_stop(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// Reads the whole index and says whether it is what it should be.
    fn check_index(&self) -> Result<(), StoreError>;

    /// What the index covers.
    fn index_state(&self) -> IndexState;

    /// Would building the index make answers quicker: are there games that it
    /// does not know, or is there none?
    fn index_is_behind(&self) -> Result<bool, StoreError>;

    /// Why the index is not used, if it is not.
    fn index_trouble(&self) -> Option<&IndexError>;
}

/// Where a store is.
#[derive(Clone, Debug)]
pub enum Place {
    /// A file, and the index beside it.
    File(PathBuf),
    /// A database of a PostgreSQL server.
    Server(ServerUrl),
}

impl Place {
    /// What a user wrote: the name of a file, or `postgres://...`.
    pub fn new(text: &OsStr) -> Result<Place, StoreError> {
        match text.to_str().filter(|text| ServerUrl::is_meant(text)) {
            Some(url) => Ok(Place::Server(url.parse()?)),
            None => Ok(Place::File(text.into())),
        }
    }

    /// Where a store is when nobody says otherwise: `hathi/hathi.db` in the
    /// user's data directory. None if there is no such directory.
    pub fn usual() -> Option<Place> {
        // By the XDG specification a relative path is to be ignored.
        let absolute = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let data = absolute("XDG_DATA_HOME")
            .or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)))
            .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))?;
        Some(Place::File(data.join("hathi/hathi.db")))
    }

    /// Opens the store, making it if it is not there.
    pub fn open_or_make(&self) -> Result<Box<dyn Memory>, StoreError> {
        match self {
            Place::File(path) => Ok(Box::new(Store::open(path)?)),
            Place::Server(url) => Ok(Box::new(PostgresStore::open(url)?)),
        }
    }

    /// Opens the store. A server that has none is an error; a file is made.
    pub fn open(&self) -> Result<Box<dyn Memory>, StoreError> {
        match self {
            Place::File(_) => self.open_or_make(),
            Place::Server(url) => Ok(Box::new(PostgresStore::open_existing(url)?)),
        }
    }

    /// Opens it for questions about games: those about positions are refused
    /// until it is [prepared](Memory::prepare). Quicker for a file with many
    /// games beside its index.
    pub fn open_games(&self) -> Result<Box<dyn Memory>, StoreError> {
        match self {
            Place::File(path) => Ok(Box::new(Store::open_games(path)?)),
            Place::Server(_) => self.open(),
        }
    }

    /// Is there anything to open? What is not a file says so when it is
    /// opened.
    pub fn exists(&self) -> bool {
        self.file().is_none_or(std::path::Path::is_file)
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&std::path::Path> {
        match self {
            Place::File(path) => Some(path),
            Place::Server(_) => None,
        }
    }
}

/// As messages name it.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(f),
            Place::Server(url) => url.fmt(f),
        }
    }
}

/// The file of games and the index file beside it.
impl Memory for Store {
    fn totals(&self) -> Result<Totals, StoreError> {
        Store::totals(self)
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        Ok(self.database().bytes())
    }

    fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        Ok(self.database().count(filter)?)
    }

    fn results(&self, filter: &Filter) -> Result<Vec<ResultCount>, StoreError> {
        Ok(self.database().results(filter)?)
    }

    fn setups(
        &self,
        side: Side,
        reply_to: Option<&Setup>,
        merge_mirrors: bool,
        filter: &Filter,
        limit: usize,
    ) -> Result<Setups, StoreError> {
        let database = self.database();
        Ok(database.setups(side, reply_to, merge_mirrors, filter, limit)?)
    }

    fn best(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
    ) -> Result<Option<Hit>, StoreError> {
        Store::best(self, position, kind, matching)
    }

    fn first(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
    ) -> Result<Option<Hit>, StoreError> {
        Store::first(self, position, kind, matching)
    }

    fn find(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        filter: &Filter,
    ) -> Result<Answer, StoreError> {
        Store::find(self, position, kind, matching, filter)
    }

    fn find_best(
        &self,
        position: &Position,
        kind: Kind,
        matching: Matching,
        most: usize,
    ) -> Result<Answer, StoreError> {
        Store::find_best(self, position, kind, matching, most)
    }

    fn search(
        &self,
        pattern: &Pattern,
        matching: Matching,
        filter: &Filter,
        limit: usize,
        one_per_game: bool,
    ) -> Result<PatternAnswer, StoreError> {
        Store::search(self, pattern, matching, filter, limit, one_per_game)
    }

    fn game(&self, id: i64) -> Result<Option<StoredGame>, StoreError> {
        Ok(self.database().game(id)?)
    }

    fn game_of_archive(&self, id: GameId) -> Result<Option<i64>, StoreError> {
        Ok(self.database().game_of_archive(id)?)
    }

    fn archive_id(&self, row: i64) -> Result<Option<GameId>, StoreError> {
        Ok(self.database().archive_id(row)?)
    }

    fn visit_page(
        &self,
        filter: &Filter,
        page: Page,
        visit: &mut dyn FnMut(StoredGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        Ok(self.database().visit_page(filter, page, visit)?)
    }

    fn import_puzzles(&mut self, puzzles: &[Puzzle]) -> Result<PuzzleSummary, StoreError> {
        Ok(self.database_mut().import_puzzles(puzzles)?)
    }

    fn puzzle_counts(&self) -> Result<PuzzleSummary, StoreError> {
        Ok(self.database().puzzle_counts()?)
    }

    fn puzzles_at(
        &self,
        position: &Position,
        matching: Matching,
    ) -> Result<Vec<PuzzleHit>, StoreError> {
        Ok(self.database().puzzles_at(position, matching)?)
    }

    fn broken_puzzles(&self) -> Result<Vec<UnlinkedPuzzle>, StoreError> {
        Ok(self.database().broken_puzzles()?)
    }

    fn linked_puzzle(&self, number: u64) -> Result<Option<(PuzzleHit, Position)>, StoreError> {
        Ok(self.database().linked_puzzle(number)?)
    }

    fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, StoreError> {
        Store::insert(self, games)
    }

    fn insert_for_index(&mut self, games: &[NewGame]) -> Result<Vec<Option<i64>>, StoreError> {
        Store::insert_for_index(self, games)
    }

    fn catch_up(&mut self) -> Result<(), StoreError> {
        Store::catch_up(self)
    }

    fn is_ready(&self) -> bool {
        Store::is_ready(self)
    }

    fn prepare(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64),
    ) -> Result<bool, StoreError> {
        Store::prepare(self, threads, progress)
    }

    fn build_index_or_stop(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        Store::build_index_or_stop(self, threads, progress)
    }

    fn check_index(&self) -> Result<(), StoreError> {
        Store::check_index(self)
    }

    fn index_state(&self) -> IndexState {
        Store::index_state(self)
    }

    fn index_is_behind(&self) -> Result<bool, StoreError> {
        Store::index_is_behind(self)
    }

    fn index_trouble(&self) -> Option<&IndexError> {
        Store::index_trouble(self)
    }
}
