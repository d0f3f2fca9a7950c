//! `hathi.Store`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use hathi_archive::{ArchiveReader, ArchivedGame, GameId, Occasion, unix_time};
use hathi_engine::Stop;
use hathi_rules::{Setup, Side};
use hathi_store::{
    Answer, ExportTable, FactsNeeded, GameRow, ImportOptions, IndexError, Kind, Memory, Motif,
    Moves, NewGame, Page, PatternAnswer, PatternQuestion, Place, PositionQuestion, Question,
    StoreError, StoredGame,
};
use hathi_view::{
    ExploredAnswer, FoundAnswer, GameView, MotifTag, MotifView, PatternHitView, SetupView,
    SourceList, TurnView,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pythonize::pythonize;
use serde::Serialize;

use crate::archive::Paths;
use crate::arrow::{Columns, Table};
use crate::asked::{self, GivenPosition, Pairs};
use crate::errors::{of_store, unreadable};
use crate::game::Game;
use crate::interrupt::interruptible;
use crate::stream::TableStream;

/// An open store, shared with the tables that are read from it.
pub(crate) type SharedStore = Arc<Mutex<Option<Box<dyn Memory>>>>;

pub(crate) const CLOSED: &str = "the store is closed";

/// The memory: games and every position of them, in a file or on a PostgreSQL server.
///
/// `place` is a file or `postgres://...`; without, the usual store of this user. With `create=True` a
/// store that is not there is made. An index that is missing is built first.
///
/// Questions take a filter by name, in the words of the API: `min_rating`, `min_rating_either`, `max_rating`,
/// `player`, `as_`, `who` (humans, bots, mixed), `event`, `rated`, `from_`, `to`, `pace`, `result`, `termination`,
/// `moves` (`"5-20"`), `source`, `numbers` (`"5000-6000"`).
///
/// >>> with Store("games.db") as store:
/// ...     store.search("hostage(m by E)", min_rating=1800)["hits"]
#[pyclass(frozen, module = "hathi")]
pub(crate) struct Store {
    store: SharedStore,
    place: Place,
}

/// The best of what a pattern has found.
#[derive(Serialize)]
struct Searched {
    pattern: String,
    hits: u64,
    games: u64,
    best: Vec<PatternHitView>,
}

#[derive(Serialize)]
struct SetupsAnswer {
    side: char,
    reply_to: Option<String>,
    games: u64,
    kinds: u64,
    setups: Vec<SetupView>,
}

#[derive(Serialize)]
struct StoreTotals {
    games: u64,
    positions: u64,
    players: u64,
    puzzles: u64,
}

#[derive(Serialize)]
struct Imported {
    read: u64,
    stored: u64,
    shortened: u64,
    rejected: u64,
    duplicates: u64,
    copies: u64,
    positions: u64,
    remarks: Vec<String>,
}

#[pymethods]
impl Store {
    #[new]
    #[pyo3(signature = (place=None, *, create=false))]
    fn new(py: Python<'_>, place: Option<PathBuf>, create: bool) -> PyResult<Store> {
        let place = match place {
            Some(place) => Place::new(place.as_os_str()).map_err(of_store)?,
            None => Place::usual()
                .ok_or_else(|| of_store("there is no data directory: say where the store is"))?,
        };
        if !create && !place.exists() {
            return Err(of_store(format!(
                "there is no store at {place}; create=True makes one"
            )));
        }
        let stop = Stop::default();
        let opened = interruptible(py, &stop, || {
            let mut store = if create {
                place.open_or_make()?
            } else {
                place.open()?
            };
            if !store.is_ready() {
                build_index(&mut *store, &stop)?;
            }
            Ok::<_, StoreError>(store)
        })?;
        Ok(Store {
            store: Arc::new(Mutex::new(Some(opened.map_err(of_store)?))),
            place,
        })
    }

    /// Closes it; `with` does so at its end.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
            store.take();
        });
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        format!("Store('{}')", self.place)
    }

    /// How much there is: `games`, `positions`, `players`, `puzzles`.
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let totals = self.ask(py, |store, _| store.totals())?;
        let totals = StoreTotals {
            games: totals.games,
            positions: totals.positions,
            players: totals.players,
            puzzles: totals.puzzles,
        };
        Ok(pythonize(py, &totals)?)
    }

    /// Where the games are from, and which of them count where no `source` is chosen.
    fn sources<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let sources = self.ask(py, |store, _| SourceList::of(store))?;
        Ok(pythonize(py, &sources)?)
    }

    /// Reads archive files into the store, as `hathi import` does, and builds the index. Ctrl-C keeps what
    /// was read up to there. Returns the counts, and what is wrong with games under `remarks`.
    fn import_archive<'py>(&self, py: Python<'py>, path: Paths) -> PyResult<Bound<'py, PyAny>> {
        let paths: Vec<PathBuf> = path.list();
        let reader = ArchiveReader::open(paths).map_err(unreadable)?;
        let imported = self.ask(py, |store, stop| {
            let mut remarks = Vec::new();
            let summary = store.import(
                reader,
                ImportOptions::default(),
                &mut |remark| remarks.push(remark.text.clone()),
                &mut |_| !stop.asked(),
            )?;
            if summary.stored > 0 {
                build_index(store, stop)?;
            }
            Ok(Imported {
                read: summary.read,
                stored: summary.stored,
                shortened: summary.shortened,
                rejected: summary.rejected,
                duplicates: summary.duplicates,
                copies: summary.copies,
                positions: summary.positions,
                remarks,
            })
        })?;
        Ok(pythonize(py, &imported)?)
    }

    /// Adds a game; the next question finds it. Returns what it is known by, or None if it was there already.
    fn add(&self, py: Python<'_>, game: PyRef<'_, Game>) -> PyResult<Option<String>> {
        let moves = Moves::of_game(&game.game)
            .ok_or_else(|| of_store("the game began from a position, not from setups"))?;
        let mut about: ArchivedGame = game.archived();
        if !about.id.is_some() {
            about.id = GameId::own(Occasion::Play, unix_time());
        }
        let new = NewGame {
            game: about,
            moves,
            takebacks: 0,
            fault: game.fault.clone(),
        };
        let added = self.ask(py, |store, _| store.insert(&[new]))?;
        let added = added.into_iter().next().flatten();
        Ok(added.map(|added| added.id.to_string()))
    }

    /// A game by what it is known by (`15`, `sample:3`), or None.
    fn game(&self, py: Python<'_>, id: Bound<'_, PyAny>) -> PyResult<Option<Game>> {
        let stored = self.stored(py, &id)?;
        stored.map(Game::of_store).transpose()
    }

    /// Games that the filter lets through, as dicts, the newest first unless `newest_first=False`.
    #[pyo3(signature = (*, limit=10, newest_first=true, **filter))]
    fn games<'py>(
        &self,
        py: Python<'py>,
        limit: Option<u64>,
        newest_first: bool,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let filter = Pairs::of(filter)?.filter()?;
        let page = Page {
            limit,
            newest_first,
            ..Page::default()
        };
        let games = self.ask(py, |store, stop| {
            let mut games = Vec::new();
            store.visit_page(&filter, page, &mut |stored| {
                games.push(GameView::from(&stored));
                flow(stop)
            })?;
            Ok(games)
        })?;
        Ok(pythonize(py, &games)?)
    }

    /// How many games the filter lets through.
    #[pyo3(signature = (**filter))]
    fn count(&self, py: Python<'_>, filter: Option<&Bound<'_, PyDict>>) -> PyResult<u64> {
        let filter = Pairs::of(filter)?.filter()?;
        self.ask(py, |store, _| store.count(&filter))
    }

    /// What was played in positions like this one, and how it fared: a dict as of `hathi find --json`.
    ///
    /// `kind` says what must be alike: `full`, `half` (ranks 3 to 6), `area` (round a `trap`), `area-by-piece`
    /// (friends are friends, enemies compared with a `piece`). Mirror images and exchanged colours count unless
    /// `literal=True`.
    #[pyo3(signature = (position, *, kind="full", trap=None, piece=None, literal=false, limit=10, **filter))]
    #[allow(clippy::too_many_arguments)] // they have names in Python
    fn find<'py>(
        &self,
        py: Python<'py>,
        position: GivenPosition<'py>,
        kind: &str,
        trap: Option<&str>,
        piece: Option<&str>,
        literal: bool,
        limit: Option<usize>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pairs = about_position(&position, kind, trap, piece, literal, limit, filter)?;
        let question = position_question(pairs)?;
        let found = self.ask(py, |store, _| {
            let answer = store.find(&question)?;
            FoundAnswer::new(&question, &answer, store)
        })?;
        Ok(pythonize(py, &found)?)
    }

    /// The turns of `find` as a table.
    #[pyo3(signature = (position, *, kind="full", trap=None, piece=None, literal=false, limit=None, **filter))]
    #[allow(clippy::too_many_arguments)] // they have names in Python
    fn find_table<'py>(
        &self,
        py: Python<'py>,
        position: GivenPosition<'py>,
        kind: &str,
        trap: Option<&str>,
        piece: Option<&str>,
        literal: bool,
        limit: Option<usize>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Table> {
        let pairs = about_position(&position, kind, trap, piece, literal, limit, filter)?;
        let question = position_question(pairs)?;
        let turns = self.ask(py, |store, _| {
            let Answer { turns, .. } = store.find(&question)?;
            let views = turns.iter().map(|stats| TurnView::new(stats, store));
            views.collect::<Result<Vec<TurnView>, StoreError>>()
        })?;
        Columns::default()
            .text("turn", turns.iter().map(|turn| &turn.turn))
            .number("count", turns.iter().map(|turn| turn.count))
            .number("wins", turns.iter().map(|turn| turn.wins))
            .reals("win_rate", turns.iter().map(|turn| Some(turn.win_rate)))
            .reals("rating", turns.iter().map(|turn| turn.rating))
            .texts(
                "last_played",
                turns.iter().map(|turn| turn.last_played.as_ref()),
            )
            .text(
                "position_after",
                turns.iter().map(|turn| &turn.position_after),
            )
            .table()
    }

    /// One step through the tree of everything that was played: a dict as of `hathi explore --json`, with
    /// the turns, how often where they lead to was reached, and strong and recent games.
    #[pyo3(signature = (position, *, literal=false, limit=10, **filter))]
    fn explore<'py>(
        &self,
        py: Python<'py>,
        position: GivenPosition<'py>,
        literal: bool,
        limit: Option<usize>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let full = Kind::Full.name();
        let pairs = about_position(&position, full, None, None, literal, limit, filter)?;
        let question = position_question(pairs)?;
        let explored = self.ask(py, |store, _| {
            let answer = store.find(&question)?;
            ExploredAnswer::new(&question, &answer, store)
        })?;
        Ok(pythonize(py, &explored)?)
    }

    /// How games begin: the setups of a side, or Silver's replies to a setup of Gold's (`reply_to`), most
    /// frequent first. A setup and its mirror image are one unless `literal=True`.
    #[pyo3(signature = (side="g", *, reply_to=None, literal=false, limit=10, **filter))]
    fn setups<'py>(
        &self,
        py: Python<'py>,
        side: &str,
        reply_to: Option<&str>,
        literal: bool,
        limit: Option<usize>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let answer = self.setups_of(py, side, reply_to, literal, limit, filter)?;
        Ok(pythonize(py, &answer)?)
    }

    /// The same as a table.
    #[pyo3(signature = (side="g", *, reply_to=None, literal=false, limit=None, **filter))]
    fn setups_table(
        &self,
        py: Python<'_>,
        side: &str,
        reply_to: Option<&str>,
        literal: bool,
        limit: Option<usize>,
        filter: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let setups = self.setups_of(py, side, reply_to, literal, limit, filter)?;
        let setups = setups.setups;
        Columns::default()
            .number("rank", setups.iter().map(|setup| setup.rank as u64))
            .number("games", setups.iter().map(|setup| setup.games))
            .reals("share", setups.iter().map(|setup| Some(setup.share)))
            .number("wins", setups.iter().map(|setup| setup.wins))
            .reals("win_rate", setups.iter().map(|setup| Some(setup.win_rate)))
            .reals("rating", setups.iter().map(|setup| setup.rating))
            .text("setup", setups.iter().map(|setup| &setup.setup))
            .table()
    }

    /// Every position that a pattern describes (`docs/patterns.md`), the best first: a dict with `hits`,
    /// `games` and `best`. A whole question in one line, as addresses of the API have it
    /// (`pattern=...&min_rating=2000`, `position=...&kind=half`), is answered, too.
    ///
    /// A pattern that cannot be read raises `ParseError`, whose message marks the place. What facts need and is
    /// not there yet is worked out first, which takes a while for many games; Ctrl-C ends it.
    #[pyo3(signature = (pattern, *, one_per_game=false, literal=false, limit=10, **filter))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        pattern: &str,
        one_per_game: bool,
        literal: bool,
        limit: Option<usize>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match asked_question(pattern, one_per_game, literal, limit, filter)? {
            Question::Position(question) => {
                let found = self.ask(py, |store, _| {
                    let answer = store.find(&question)?;
                    FoundAnswer::new(&question, &answer, store)
                })?;
                Ok(pythonize(py, &found)?)
            }
            Question::Pattern(question) => {
                let searched = self.ask(py, |store, stop| {
                    let answer = search(store, &question, stop)?;
                    Ok(Searched {
                        pattern: question.pattern.to_string(),
                        hits: answer.hits,
                        games: answer.games,
                        best: PatternHitView::all(&question, &answer, store)?,
                    })
                })?;
                Ok(pythonize(py, &searched)?)
            }
        }
    }

    /// What a pattern finds, as a table: all of it, the best first.
    #[pyo3(signature = (pattern, *, one_per_game=false, literal=false, limit=None, **filter))]
    fn search_table(
        &self,
        py: Python<'_>,
        pattern: &str,
        one_per_game: bool,
        literal: bool,
        limit: Option<usize>,
        filter: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let question = asked_question(pattern, one_per_game, literal, limit, filter)?;
        let Question::Pattern(question) = question else {
            return Err(unreadable("a table of hits is about a pattern"));
        };
        let (hits, ids) = self.ask(py, |store, stop| {
            let hits = search(store, &question, stop)?.best;
            let mut known: HashMap<GameRow, String> = HashMap::new();
            let mut ids = Vec::with_capacity(hits.len());
            for hit in &hits {
                let id = match known.entry(hit.game) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let id = store.id_of(hit.game)?;
                        new.insert(id.map_or(String::new(), |id| id.to_string()))
                    }
                };
                ids.push(id.clone());
            }
            Ok((hits, ids))
        })?;
        Columns::default()
            .text("game", ids.iter())
            .text("move", hits.iter().map(|hit| hit.ply.label().to_string()))
            .number("ply", hits.iter().map(|hit| u64::from(hit.ply.get())))
            .number("last_ply", hits.iter().map(|hit| u64::from(hit.last.get())))
            .text("position", hits.iter().map(|hit| hit.position.to_string()))
            .text("turn", hits.iter().map(|hit| hit.turn.to_string()))
            .flag("won", hits.iter().map(|hit| hit.won))
            .numbers("rating", hits.iter().map(|hit| hit.rating.map(i64::from)))
            .flag("mirrored", hits.iter().map(|hit| hit.symmetry.mirror))
            .flag("flipped", hits.iter().map(|hit| hit.symmetry.flip))
            .texts(
                "winner",
                hits.iter()
                    .map(|hit| hit.winner.map(|side| side.to_string())),
            )
            .numbers(
                "gold_rating",
                hits.iter().map(|hit| hit.ratings.gold.map(i64::from)),
            )
            .numbers(
                "silver_rating",
                hits.iter().map(|hit| hit.ratings.silver.map(i64::from)),
            )
            .times("started", hits.iter().map(|hit| hit.started))
            .table()
    }

    /// The named patterns: how often they happen, how they score for whoever has them, by rating and by year, and
    /// the best examples. `names` are those wanted, all of them without. `folder` has your own (`.motif`).
    #[pyo3(signature = (names=None, *, examples=3, folder=None, **filter))]
    fn motifs<'py>(
        &self,
        py: Python<'py>,
        names: Option<Vec<String>>,
        examples: usize,
        folder: Option<PathBuf>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let filter = Pairs::of(filter)?.filter()?;
        let mut motifs = all_motifs(folder)?;
        if let Some(names) = names {
            for name in &names {
                if !motifs.iter().any(|motif| motif.id == *name) {
                    let known: Vec<&str> = motifs.iter().map(|motif| motif.id.as_str()).collect();
                    let known = known.join(", ");
                    return Err(unreadable(format!(
                        "there is no motif {name:?}; there are {known}"
                    )));
                }
            }
            motifs.retain(|motif| names.contains(&motif.id));
        }
        let views = self.ask(py, |store, stop| {
            let mut views = Vec::new();
            for motif in &motifs {
                build_facts(store, motif.pattern.facts_needed(), stop)?;
                if stop.asked() {
                    break;
                }
                views.push(MotifView::ask(motif, store, &filter, examples)?);
            }
            Ok(views)
        })?;
        Ok(pythonize(py, &views)?)
    }

    /// Where a game has which motifs, in the order of the game.
    #[pyo3(signature = (id, *, folder=None))]
    fn motifs_of_game<'py>(
        &self,
        py: Python<'py>,
        id: Bound<'py, PyAny>,
        folder: Option<PathBuf>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let motifs = all_motifs(folder)?;
        let Some(stored) = self.stored(py, &id)? else {
            return Err(of_store(format!("there is no game {id}")));
        };
        let tags = py.detach(|| MotifTag::of_game(&motifs, &stored));
        Ok(pythonize(py, &tags)?)
    }

    /// All games that the filter lets through, with their moves, in the columns of `docs/parquet.md`.
    #[pyo3(signature = (**filter))]
    fn games_table(&self, filter: Option<&Bound<'_, PyDict>>) -> PyResult<TableStream> {
        let filter = Pairs::of(filter)?.filter()?;
        TableStream::new(Arc::clone(&self.store), ExportTable::Games, filter)
    }

    /// Every position of the games that the filter lets through, with the turn played from it, in the columns of
    /// `docs/parquet.md`.
    #[pyo3(signature = (**filter))]
    fn positions_table(&self, filter: Option<&Bound<'_, PyDict>>) -> PyResult<TableStream> {
        let filter = Pairs::of(filter)?.filter()?;
        TableStream::new(Arc::clone(&self.store), ExportTable::Positions, filter)
    }
}

impl Store {
    /// Asks the store something, without Python's lock; Ctrl-C sets `Stop`.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Memory, &Stop) -> Result<T, StoreError> + Send,
    ) -> PyResult<T> {
        let stop = Stop::default();
        let answer = interruptible(py, &stop, || {
            let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
            store.as_mut().map(|store| work(&mut **store, &stop))
        })?;
        match answer {
            Some(answer) => answer.map_err(of_store),
            None => Err(of_store(CLOSED)),
        }
    }

    fn stored(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Option<StoredGame>> {
        let id: GameId = id.str()?.to_cow()?.parse().map_err(unreadable)?;
        self.ask(py, |store, _| match store.row_of(id)? {
            Some(row) => store.game(row),
            None => Ok(None),
        })
    }

    fn setups_of(
        &self,
        py: Python<'_>,
        side: &str,
        reply_to: Option<&str>,
        literal: bool,
        limit: Option<usize>,
        filter: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<SetupsAnswer> {
        let filter = Pairs::of(filter)?.filter()?;
        let reply_to: Option<Setup> = reply_to
            .map(|setup| setup.parse().map_err(unreadable))
            .transpose()?;
        if reply_to.is_some_and(|setup| setup.side() == Side::Silver) {
            return Err(unreadable(
                "reply_to: this is a setup of Silver, who sets up second",
            ));
        }
        let side = match reply_to {
            Some(_) => Side::Silver,
            None => asked::side(side)?,
        };
        let limit = limit.unwrap_or(usize::MAX);
        let found = self.ask(py, |store, _| {
            store.setups(side, reply_to.as_ref(), !literal, &filter, limit)
        })?;
        Ok(SetupsAnswer {
            side: side.to_char(),
            reply_to: reply_to.map(|setup| setup.to_string()),
            games: found.games,
            kinds: found.kinds,
            setups: SetupView::ranked(&found.top),
        })
    }
}

fn flow(stop: &Stop) -> ControlFlow<()> {
    if stop.asked() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// After Ctrl-C nobody looks at the answer, so being stopped is no fault.
fn build_index(store: &mut dyn Memory, stop: &Stop) -> Result<(), StoreError> {
    match store.build_index_or_stop(0, &mut |_, _| flow(stop)) {
        Err(StoreError::Index(IndexError::Stopped)) => Ok(()),
        built => built,
    }
}

fn build_facts(store: &mut dyn Memory, needs: FactsNeeded, stop: &Stop) -> Result<(), StoreError> {
    match store.build_facts(needs, 0, &mut |_, _| flow(stop)) {
        Err(StoreError::Index(IndexError::Stopped)) | Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

fn search(
    store: &mut dyn Memory,
    question: &PatternQuestion,
    stop: &Stop,
) -> Result<PatternAnswer, StoreError> {
    build_facts(store, question.pattern.facts_needed(), stop)?;
    if stop.asked() {
        return Ok(PatternAnswer::default());
    }
    store.search(question)
}

fn about_position(
    position: &GivenPosition<'_>,
    kind: &str,
    trap: Option<&str>,
    piece: Option<&str>,
    literal: bool,
    limit: Option<usize>,
    filter: Option<&Bound<'_, PyDict>>,
) -> PyResult<Pairs> {
    Ok(Pairs::of(filter)?
        .with("position", position.get()?)
        .with("kind", kind)
        .with_some("trap", trap)
        .with_some("piece", piece)
        .with("literal", literal)
        .with_some("limit", limit))
}

fn position_question(pairs: Pairs) -> PyResult<PositionQuestion> {
    match pairs.question()? {
        Question::Position(question) => Ok(question),
        Question::Pattern(_) => Err(unreadable("the question is about a pattern")),
    }
}

/// A pattern with what else was said, or a whole question in a line.
fn asked_question(
    text: &str,
    one_per_game: bool,
    literal: bool,
    limit: Option<usize>,
    filter: Option<&Bound<'_, PyDict>>,
) -> PyResult<Question> {
    if text.starts_with("pattern=") || text.starts_with("position=") {
        if filter.is_some_and(|filter| !filter.is_empty()) || one_per_game || literal {
            return Err(unreadable("a question in one line says all of it itself"));
        }
        let mut question: Question = text.parse().map_err(unreadable)?;
        let most = match &mut question {
            Question::Position(about) => &mut about.limit,
            Question::Pattern(about) => &mut about.limit,
        };
        if *most == usize::MAX {
            *most = limit.unwrap_or(usize::MAX);
        }
        return Ok(question);
    }
    Pairs::of(filter)?
        .with("pattern", text)
        .with("one_per_game", one_per_game)
        .with("literal", literal)
        .with_some("limit", limit)
        .question()
}

/// Those that come with Hathi and your own; one that cannot be read is an error.
fn all_motifs(folder: Option<PathBuf>) -> PyResult<Vec<Motif>> {
    let folder = folder.or_else(Motif::usual_folder);
    let (motifs, errors) = Motif::all(folder.as_deref());
    match errors.into_iter().next() {
        Some(error) => Err(unreadable(error)),
        None => Ok(motifs),
    }
}
