//! `hathi.Game`.

use std::sync::OnceLock;

use hathi_archive::{ArchiveWriter, ArchivedGame, GameId, Replayed, plain};
use hathi_rules::{Choice, GameRecord, Outcome, Replay, RuleSet, Setup, Side, Turn};
use hathi_store::StoredGame;
use hathi_view::{GameView, OutcomeView};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::asked::GivenPosition;
use crate::errors::{illegal, of_store, unreadable};
use crate::position::Position;

/// A game: setups, turns, positions and how it ended, judged by the rules.
///
/// Begins with the setups. `rules` is `modern`, or `old` for games before July 2008.
///
/// >>> game = Game()
/// >>> game.set_up("Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2")
/// >>> game.must_set_up
/// 's'
#[pyclass(module = "hathi", skip_from_py_object)]
#[derive(Clone)]
#[allow(clippy::struct_field_names)] // Python's game around that of the rules
pub(crate) struct Game {
    pub(crate) game: hathi_rules::Game,
    about: About,
    /// An end that the board does not show.
    pub(crate) given_up: Option<Outcome>,
    /// Why it was shortened.
    pub(crate) fault: Option<String>,
}

/// Who played and when, as far as that is known. Of moves alone it is made up only when
/// somebody asks: most who replay games do not.
#[derive(Clone, Default)]
struct About {
    known: OnceLock<Option<ArchivedGame>>,
    moves: Option<String>,
}

impl About {
    fn told(about: Option<ArchivedGame>) -> About {
        About {
            known: OnceLock::from(about),
            moves: None,
        }
    }

    fn in_moves(text: &str) -> About {
        About {
            known: OnceLock::new(),
            moves: Some(text.to_owned()),
        }
    }

    fn get(&self) -> Option<&ArchivedGame> {
        let read = || {
            plain::games(self.moves.as_ref()?.as_bytes())
                .into_iter()
                .next()
        };
        self.known.get_or_init(read).as_ref()
    }
}

impl Game {
    fn of(game: hathi_rules::Game) -> Game {
        Game {
            game,
            about: About::default(),
            given_up: None,
            fault: None,
        }
    }

    /// A row of an archive, replayed.
    pub(crate) fn of_archive(about: ArchivedGame, replayed: &Replayed<'_>) -> Game {
        Game {
            game: replayed.game.clone(),
            given_up: about.recorded().or(replayed.outcome),
            about: About::told(Some(about)),
            fault: replayed.fault.as_ref().map(ToString::to_string),
        }
    }

    /// A game of a store.
    pub(crate) fn of_store(stored: StoredGame) -> PyResult<Game> {
        let game = stored.moves.replay(stored.game.rules()).map_err(of_store)?;
        Ok(Game {
            game,
            given_up: stored.game.recorded(),
            about: About::told(Some(stored.game)),
            fault: stored.fault,
        })
    }

    /// Plays what an engine has chosen.
    pub(crate) fn make(&mut self, choice: &Choice) -> PyResult<()> {
        self.game.make(choice).map(|_| ()).map_err(illegal)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or(self.given_up)
    }

    /// Who played and when, with the moves and the end as they are now.
    pub(crate) fn archived(&self) -> ArchivedGame {
        let about = self.about.get().cloned().unwrap_or_else(|| ArchivedGame {
            time_control: "0/0".to_owned(),
            mode: "IGS".to_owned(),
            ..ArchivedGame::default()
        });
        about.with_game(&self.game, self.given_up)
    }
}

fn rules_named(name: &str) -> PyResult<RuleSet> {
    match name {
        "modern" => Ok(RuleSet::Modern),
        "old" => Ok(RuleSet::Before2008),
        _ => Err(unreadable(format!(
            "`{name}` are no rules: expected modern or old"
        ))),
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules="modern"))]
    fn new(rules: &str) -> PyResult<Game> {
        Ok(Game::of(hathi_rules::Game::new(rules_named(rules)?)))
    }

    /// Reads a move list: lines such as `2g Ed2n Ed3n`, with takebacks and resignations; comments
    /// (`# Gold  omar (1702)`) say who played. Raises `IllegalMove`, with the place and the reason, if
    /// a move cannot be.
    #[staticmethod]
    #[pyo3(signature = (text, rules="modern"))]
    fn parse(py: Python<'_>, text: &str, rules: &str) -> PyResult<Game> {
        let rules = rules_named(rules)?;
        py.detach(|| {
            let mut replay = Replay::new(rules);
            replay.read(text.as_bytes(), rules).map_err(illegal)?;
            // Only comments can tell of an end that the moves do not have.
            let about = if text.contains('#') {
                About::told(plain::games(text.as_bytes()).into_iter().next())
            } else {
                About::in_moves(text)
            };
            let comments = about.known.get().and_then(Option::as_ref);
            let given_up = comments.and_then(ArchivedGame::recorded);
            Ok(Game {
                given_up: replay.outcome().or(given_up),
                game: replay.game,
                about,
                fault: None,
            })
        })
    }

    /// A game that begins in the middle.
    #[staticmethod]
    #[pyo3(signature = (position, rules="modern"))]
    fn from_position(position: GivenPosition<'_>, rules: &str) -> PyResult<Game> {
        let position = position.get()?;
        if !position.at_turn_start() {
            return Err(illegal("a game begins at the start of a turn"));
        }
        let rules = rules_named(rules)?;
        Ok(Game::of(hathi_rules::Game::from_position(rules, position)))
    }

    /// Places the pieces of the side that must set up: `Ra1 Rb1 ... Hh2`.
    fn set_up(&mut self, setup: &str) -> PyResult<()> {
        let setup: Setup = setup.parse().map_err(unreadable)?;
        self.game.set_up(&setup).map_err(illegal)
    }

    /// Plays a turn; raises `IllegalMove` and says why if it is not allowed, repetitions included.
    /// Returns the result if the game is over by it.
    fn play<'py>(&mut self, py: Python<'py>, turn: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let turn: Turn = turn.parse().map_err(unreadable)?;
        self.game.play(&turn).map_err(illegal)?;
        self.result(py)
    }

    /// Takes the last turn or setup back. False if there is none.
    fn take_back(&mut self) -> bool {
        self.given_up = None;
        self.game.take_back()
    }

    /// The side that has to set up first, or None: `g` or `s`.
    #[getter]
    fn must_set_up(&self) -> Option<char> {
        self.game.must_set_up().map(Side::to_char)
    }

    /// Whose turn it is: `g` or `s`.
    #[getter]
    fn side(&self) -> char {
        self.game.side_to_move().to_char()
    }

    /// The position now.
    #[getter]
    fn position(&self) -> Position {
        Position(self.game.position())
    }

    /// Every position from the setups on, one more than there are turns.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        match self.game.must_set_up() {
            Some(_) => Vec::new(),
            None => self
                .game
                .positions()
                .iter()
                .copied()
                .map(Position)
                .collect(),
        }
    }

    /// The turns played.
    #[getter]
    fn turns(&self) -> Vec<String> {
        self.game.turns().iter().map(ToString::to_string).collect()
    }

    /// Every move with its label, setups included: `[('1g', 'Ra1 ...'), ...]`.
    #[getter]
    fn moves(&self) -> Vec<(String, String)> {
        let record = GameRecord::of_game(&self.game);
        let moves = record.moves.iter();
        moves
            .map(|(label, action)| (label.to_string(), action.to_string()))
            .collect()
    }

    /// The label of the move that is due: `12g`.
    #[getter]
    fn next_label(&self) -> String {
        self.game.next_label().to_string()
    }

    /// How it ended: a dict with `winner`, `termination` and `words`; None if it goes on. What an archive
    /// says counts where the board does not show it.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let outcome = self.outcome().map(OutcomeView::from);
        outcome
            .map(|outcome| Ok(pythonize(py, &outcome)?))
            .transpose()
    }

    /// Who, when and how it ended, as `hathi games --json` says it; None for a game made here.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(about) = self.about.get() else {
            return Ok(None);
        };
        let view = GameView::new(about, self.game.turns().len(), self.fault.clone());
        Ok(Some(pythonize(py, &view)?))
    }

    /// Why the game ends before its record does: the first move that cannot be. None for most.
    #[getter]
    fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The rules: `modern` or `old`.
    #[getter]
    fn rules(&self) -> &'static str {
        match self.game.rules() {
            RuleSet::Modern => "modern",
            RuleSet::Before2008 => "old",
        }
    }

    /// The moves as text, below who played, when and how it ended; `Game.parse` reads it.
    fn notation(&self) -> String {
        plain::notation(&self.archived(), &self.game, self.fault.as_deref())
    }

    /// The row of an archive file with this game, without the line end. `number` is its number there.
    #[pyo3(signature = (number=None))]
    fn archive_row(&self, number: Option<u64>) -> PyResult<String> {
        let mut row = self.archived();
        if let Some(number) = number {
            row.id = GameId::new(number).ok_or_else(|| unreadable("0 is no number of a game"))?;
        }
        let mut writer = ArchiveWriter::without_header(Vec::new());
        writer.write(&row)?;
        let text = String::from_utf8_lossy(&writer.finish()?).into_owned();
        Ok(text.trim_end_matches('\n').to_owned())
    }

    fn __len__(&self) -> usize {
        self.game.turns().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> String {
        GameRecord::of_game(&self.game).to_string()
    }

    fn __repr__(&self) -> String {
        let id = self.about.get().filter(|about| about.id.is_some());
        let id = id.map_or(String::new(), |about| format!(" {}", about.id));
        format!("<Game{id}, {} turns>", self.game.turns().len())
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }
}
