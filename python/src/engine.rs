//! `hathi.Engine`.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hathi_engine::{AnalysisRequest, EngineKind, EngineSpec, Limits, MOST_LINES, PlayLevel, Stop};
use hathi_rules::{Choice, RuleSet, Turn};
use hathi_view::{AnalysedView, for_gold};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::pythonize;

use crate::asked::GivenPosition;
use crate::errors::{of_engine, unreadable};
use crate::game::Game;
use crate::interrupt::interruptible;

/// Thinking without any other limit ends after this, as on the command line.
const USUAL_TIME: Duration = Duration::from_secs(5);

/// What an engine is to think about.
#[derive(FromPyObject)]
enum About<'py> {
    Game(Bound<'py, Game>),
    Position(GivenPosition<'py>),
}

impl About<'_> {
    /// The game up to the turn at hand, and the steps of it that are taken.
    fn game(&self) -> PyResult<hathi_rules::Game> {
        match self {
            About::Game(game) => Ok(game.borrow().game.clone()),
            About::Position(position) => {
                let position = position.get()?;
                if position.at_turn_start() {
                    Ok(hathi_rules::Game::from_position(RuleSet::Modern, position))
                } else {
                    Err(unreadable(
                        "a position inside a turn: give the one before it, and `steps`",
                    ))
                }
            }
        }
    }
}

/// An engine by name and options, such as `hathi` or `fairy:depth=8,hash=32`; `engines()` lists them.
///
/// Without a limit it thinks for five seconds. The same number of `nodes` gives the same answer on every
/// machine. Other threads run meanwhile, and Ctrl-C ends the thinking. `store` is the memory of the engines
/// that remember.
///
/// >>> with Engine("hathi") as engine:
/// ...     engine.analyse(position, nodes=100_000, lines=3)["lines"][0]["turn"]
#[pyclass(frozen, module = "hathi")]
pub(crate) struct Engine {
    spec: EngineSpec,
    engine: Mutex<Option<Box<dyn hathi_engine::Engine>>>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (spec="hathi", *, store=None, seed=1))]
    fn new(py: Python<'_>, spec: &str, store: Option<PathBuf>, seed: u64) -> PyResult<Engine> {
        let mut spec: EngineSpec = spec.parse().map_err(unreadable)?;
        if let Some(store) = store {
            let store = store.to_string_lossy();
            spec.options.set("store", &store).map_err(unreadable)?;
        }
        let mut engine = py.detach(|| spec.build()).map_err(of_engine)?;
        engine.new_game(seed);
        Ok(Engine {
            spec,
            engine: Mutex::new(Some(engine)),
        })
    }

    /// The best several turns (`lines`, 1 to 5), all looked at to the same depth: a dict with `depth`,
    /// `nodes`, `seconds` and `lines`, each with `turn`, `gold_score` in hundredths of a rabbit, `gold_chance`,
    /// `words` and the `line` expected. Takes a `Game`, whose repetitions count, or a `Position`; `steps` of
    /// the turn that are taken already; `also`, a turn to value beside the best ones.
    #[pyo3(signature = (position, *, nodes=None, time=None, depth=None, lines=1, steps="", also=None))]
    #[allow(clippy::too_many_arguments)] // they have names in Python
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        position: About<'py>,
        nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
        lines: usize,
        steps: &str,
        also: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(unreadable(format!("lines: expected 1 to {MOST_LINES}")));
        }
        let game = position.game()?;
        let begun = turn_of(steps)?;
        let also: Option<Turn> = also.map(turn_of).transpose()?;
        let (limits, stop) = limits(nodes, time, depth)?;
        let view = self.thinking(py, &stop, |engine| {
            let request = AnalysisRequest {
                game: &game,
                begun,
                lines,
                also: also.as_slice(),
            };
            let analysis = engine.analyse(&request, &limits, &mut |_| {})?;
            Ok(AnalysedView::new(&game, &analysis))
        })?;
        Ok(pythonize(py, &view)?)
    }

    /// Chooses a turn, or the setup if the game is not set up, and plays it in the game. Returns a dict
    /// with `choice`, `reasons` and, for engines that search, `depth`, `nodes`, `gold_score` and `line`.
    /// Of a `Position` only says what it would play.
    #[pyo3(signature = (game, *, nodes=None, time=None, depth=None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        game: About<'py>,
        nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let about = game.game()?;
        let (limits, stop) = match (nodes, time, depth) {
            // A level says itself how long it thinks.
            (None, None, None) if self.spec.is_limited() => limits_of(Limits::none()),
            _ => limits(nodes, time, depth)?,
        };
        let decision = self.thinking(py, &stop, |engine| {
            engine.decide(&about, &limits, &mut |_| {})
        })?;
        if let About::Game(game) = &game {
            game.borrow_mut().make(&decision.choice)?;
        }
        let dict = PyDict::new(py);
        dict.set_item("choice", decision.choice.to_string())?;
        dict.set_item("setup", matches!(decision.choice, Choice::SetUp(_)))?;
        dict.set_item("reasons", &decision.reasons)?;
        if let Some(thought) = &decision.thought {
            dict.set_item("depth", thought.depth)?;
            dict.set_item("nodes", thought.nodes)?;
            let score = for_gold(thought.score, about.side_to_move());
            dict.set_item("gold_score", score)?;
            let line: Vec<String> = thought.line.iter().map(ToString::to_string).collect();
            dict.set_item("line", line)?;
        }
        Ok(dict)
    }

    /// A new game begins: forgets what was thought about the last one.
    #[pyo3(signature = (seed=1))]
    fn new_game(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.thinking(py, &Stop::default(), |engine| {
            engine.new_game(seed);
            Ok(())
        })
    }

    /// Gives its memory back. Afterwards it cannot be asked any more.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            engine.take();
        });
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        format!("Engine('{}')", self.spec)
    }
}

impl Engine {
    fn thinking<T: Send>(
        &self,
        py: Python<'_>,
        stop: &Stop,
        work: impl FnOnce(&mut dyn hathi_engine::Engine) -> Result<T, hathi_engine::EngineError> + Send,
    ) -> PyResult<T> {
        let result = interruptible(py, stop, || {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            engine.as_mut().map(|engine| work(&mut **engine))
        })?;
        match result {
            Some(result) => result.map_err(of_engine),
            None => Err(of_engine("the engine is closed")),
        }
    }
}

fn turn_of(text: &str) -> PyResult<Turn> {
    if text.trim().is_empty() {
        return Ok(Turn::EMPTY);
    }
    text.parse().map_err(unreadable)
}

fn limits(nodes: Option<u64>, time: Option<f64>, depth: Option<u32>) -> PyResult<(Limits, Stop)> {
    let limits = match time {
        Some(seconds) => Limits::time(
            Duration::try_from_secs_f64(seconds)
                .map_err(|error| unreadable(format!("time: {error}")))?,
        ),
        None if nodes.is_some() || depth.is_some() => Limits::none(),
        None => Limits::time(USUAL_TIME),
    };
    Ok(limits_of(Limits {
        nodes,
        depth,
        ..limits
    }))
}

fn limits_of(limits: Limits) -> (Limits, Stop) {
    let stop = Stop::default();
    (limits.with_stop(stop.clone()), stop)
}

/// The engines there are: name and what it does, weakest first, then the levels for people.
#[pyfunction]
pub(crate) fn engines() -> Vec<(&'static str, &'static str)> {
    EngineKind::ALL
        .into_iter()
        .chain(PlayLevel::all().map(EngineKind::Level))
        .map(|kind| (kind.name(), kind.about()))
        .collect()
}
