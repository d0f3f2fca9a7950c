//! What every store can do, whatever keeps it: the same questions have the same
//! answers.

use std::ops::ControlFlow;

use hathi_archive::{ArchiveReader, GameId, GameSource, Puzzle};
use hathi_rules::{Position, Setup, Side};

use crate::answer::Answer;
use crate::error::StoreError;
use crate::filter::{Filter, Page};
use crate::hits::Hit;
use crate::import::{ImportOptions, ImportSummary, Remark, import_into};
use crate::index::{FactsInWork, IndexError};
use crate::model::{
    AddedGame, CheckedIndex, GameRow, IndexState, NewGame, ResultCount, SourceCount, StoredGame,
    Totals,
};
use crate::moves::Moves;
use crate::notes::Notes;
use crate::pattern::{FactsNeeded, PatternAnswer, PatternPlay};
use crate::puzzles::{PuzzleHit, PuzzleSummary, UnlinkedPuzzle};
use crate::question::{Matching, PatternQuestion, PositionQuestion};
use crate::setups::Setups;
use crate::sqlite::OpenMode;

/// A store: what was played, every position of it, and what keeps them in
/// order.
pub trait Memory: Games + Positions + Puzzles + Notes + Upkeep + Send {}

impl<S: Games + Positions + Puzzles + Notes + Upkeep + Send> Memory for S {}

/// Questions about games.
pub trait Games {
    /// How much there is.
    fn totals(&self) -> Result<Totals, StoreError>;

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

    /// A whole game, by its row.
    fn game(&self, row: GameRow) -> Result<Option<StoredGame>, StoreError>;

    /// The row of the game that is known by this.
    fn row_of(&self, id: GameId) -> Result<Option<GameRow>, StoreError>;

    /// What the game in this row is known by.
    fn id_of(&self, row: GameRow) -> Result<Option<GameId>, StoreError>;

    /// What the games with exactly these moves are known by, in the order in
    /// which they were added, a few.
    fn with_moves(&self, moves: &Moves) -> Result<Vec<GameId>, StoreError>;

    /// The log of the game in this row, as its archive has it: who came, moved
    /// and went when.
    fn log(&self, row: GameRow) -> Result<Option<Vec<u8>>, StoreError>;

    /// The sources of which there are games, and whether those count where
    /// nobody has chosen sources: all do, but the samples no longer once there
    /// are [real](hathi_archive::GameSource::is_real) games.
    fn sources(&self) -> Result<Vec<SourceCount>, StoreError>;

    /// Names of players that contain `part`, whatever the case of its letters;
    /// those that begin with it first, then by the alphabet.
    fn player_names(&self, part: &str, limit: u32) -> Result<Vec<String>, StoreError>;

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
}

/// Questions about positions.
pub trait Positions {
    /// The best match whose turn is legal on this very board: the mover won,
    /// then the highest rating, then the fewest turns left; of equal ones the
    /// game that was added first.
    fn best(&self, question: &PositionQuestion) -> Result<Option<Hit>, StoreError>;

    /// The best match by the same order, whether its turn is legal on this
    /// very board or not.
    fn first(&self, question: &PositionQuestion) -> Result<Option<Hit>, StoreError> {
        self.first_that(question, &|_| true)
    }

    /// The best match by the same order that `accept` takes.
    fn first_that(
        &self,
        question: &PositionQuestion,
        accept: &dyn Fn(&Hit) -> bool,
    ) -> Result<Option<Hit>, StoreError>;

    /// Everything that was played from positions that match.
    fn find(&self, question: &PositionQuestion) -> Result<Answer, StoreError>;

    /// Compares every position with a pattern.
    fn search(&self, question: &PatternQuestion) -> Result<PatternAnswer, StoreError>;

    /// What was played in all positions that a pattern describes, and how it
    /// scored; of turns and of steps as many as the question wants hits. None
    /// if there are too many to look at one by one.
    fn played_at(&self, question: &PatternQuestion) -> Result<Option<PatternPlay>, StoreError> {
        let all = PatternQuestion {
            limit: PatternPlay::MOST_HITS,
            one_per_game: false,
            ..question.clone()
        };
        let answer = self.search(&all)?;
        // The best of them alone would all have won.
        let complete = answer.hits <= PatternPlay::MOST_HITS as u64;
        Ok(complete.then(|| PatternPlay::of(&answer.best, question.limit)))
    }
}

/// Win-in-two puzzles.
pub trait Puzzles {
    /// Adds puzzles and links every one in the store, old or new, to its game
    /// and position if it can be.
    fn import_puzzles(&mut self, puzzles: &[Puzzle]) -> Result<PuzzleSummary, StoreError>;

    /// Links the puzzles whose game has come into the store since.
    fn link_puzzles(&mut self) -> Result<(), StoreError>;

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
}

/// What changes a store and keeps it in order.
pub trait Upkeep: Puzzles {
    /// How many bytes the games take, without the index where that is apart.
    fn bytes(&self) -> Result<u64, StoreError>;

    /// Adds games in one transaction; the next question finds them. Returns
    /// for each what became of it, or nothing if it was there already. A game
    /// whose id another one has is added as the next copy.
    fn insert(&mut self, games: &[NewGame]) -> Result<Vec<Option<AddedGame>>, StoreError>;

    /// Adds games without making them known to questions yet: for imports,
    /// which build the index when they are done.
    fn insert_for_index(&mut self, games: &[NewGame])
    -> Result<Vec<Option<AddedGame>>, StoreError>;

    /// Takes games out again, with their positions and logs; puzzles of theirs
    /// wait for them to come back. Returns how many there were.
    fn remove(&mut self, games: &[GameRow]) -> Result<u64, StoreError>;

    /// Takes out every game of a source.
    fn remove_source(&mut self, source: GameSource) -> Result<u64, StoreError>;

    /// Reads archives into the store. `progress` is asked now and then with
    /// the figures so far, and stops the import by returning false: what was
    /// added up to there stays, and importing the same files again goes on
    /// from there.
    ///
    /// Puzzles that waited for these games are linked to them. The new games are
    /// found by questions about positions after
    /// [`build_index`](Upkeep::build_index) or [`catch_up`](Upkeep::catch_up).
    fn import(
        &mut self,
        reader: ArchiveReader,
        options: ImportOptions,
        remark: &mut dyn FnMut(&Remark),
        progress: &mut dyn FnMut(&ImportSummary) -> bool,
    ) -> Result<ImportSummary, StoreError> {
        let summary = import_into(
            |games| self.insert_for_index(games),
            reader,
            options,
            remark,
            progress,
        )?;
        self.link_puzzles()?;
        Ok(summary)
    }

    /// Takes notice of games that were added since, by this process or
    /// another.
    fn catch_up(&mut self) -> Result<(), StoreError>;

    /// Can questions be answered? If not, [`prepare`](Upkeep::prepare) first.
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

    /// Works out what questions with these facts look at and is not there yet,
    /// which takes a while for many games; `progress` can end it. Returns
    /// whether there was anything to do. Without this the first such question
    /// does it.
    fn build_facts(
        &mut self,
        needs: FactsNeeded,
        threads: usize,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<bool, StoreError> {
        // Where they are worked out with every question there is nothing to do.
        let _ = (needs, threads, progress);
        Ok(false)
    }

    /// How far another store of this process is with working out what questions
    /// with these facts look at. None if they can be asked; else whoever asks now
    /// waits for it.
    fn facts_in_work(&self, needs: FactsNeeded) -> Option<FactsInWork> {
        let _ = needs;
        None
    }

    /// Reads the whole index and says whether it is what it should be, and what
    /// was looked at.
    fn check_index(&self) -> Result<CheckedIndex, StoreError>;

    /// What the index covers.
    fn index_state(&self) -> IndexState;

    /// Would building the index make answers quicker: are there games that it
    /// does not know, or is there none?
    fn index_is_behind(&self) -> Result<bool, StoreError>;

    /// Why the index is not used, if it is not.
    fn index_trouble(&self) -> Option<&IndexError>;

    /// Is the index still the one that was opened, or has somebody cut it?
    /// Quick, unlike [`check_index`](Upkeep::check_index).
    fn index_is_whole(&self) -> bool {
        true
    }

    /// Can games be added, or only read?
    fn mode(&self) -> OpenMode {
        OpenMode::ReadWrite
    }
}
