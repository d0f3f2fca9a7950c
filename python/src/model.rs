//! `hathi.Network` and `hathi.Model`: what was learned, as arrays.

use std::path::PathBuf;
use std::sync::Arc;

use hathi_model::features::{FEATURES, Past};
use hathi_model::models;
use hathi_model::network::{self, BUCKETS, HIDDEN, SECOND, inputs};
use hathi_rules::{Side, TurnGenerator};
use pyo3::prelude::*;

use crate::arrays::array;
use crate::asked::GivenPosition;
use crate::errors::unreadable;

/// The evaluation network: the one that comes with Hathi, or one from a file.
///
/// A first layer, seen by both sides, and a small second one; `docs/learning.md` says how it is trained. The weights are
/// arrays of integers, row by row: `numpy.asarray(n.rows).reshape(n.shape)`.
#[pyclass(frozen, module = "hathi")]
pub(crate) struct Network(Arc<network::Network>);

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (path=None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Network> {
        py.detach(|| match path {
            Some(path) => network::Network::open(&path),
            None => network::Network::shipped().cloned(),
        })
        .map(|network| Network(Arc::new(network)))
        .map_err(unreadable)
    }

    /// What a position is worth for Gold, in hundredths of a rabbit, at the start of a turn.
    fn evaluate(&self, py: Python<'_>, position: GivenPosition<'_>) -> PyResult<i32> {
        let position = position.get()?;
        let side = position.side_to_move();
        let worth = py.detach(|| self.0.evaluate(position.board(), side));
        Ok(match side {
            Side::Gold => worth,
            Side::Silver => -worth,
        })
    }

    /// Rows and units of the first layer.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (inputs::ROWS, HIDDEN)
    }

    /// Sets of output weights: one for each stretch of the game.
    #[getter]
    fn buckets(&self) -> usize {
        BUCKETS
    }

    /// The first layer: what each row adds to each unit.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.rows.iter().flatten().copied())
    }

    /// The first layer of an empty board.
    #[getter]
    fn bias<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.bias)
    }

    /// What each row adds to the score directly.
    #[getter]
    fn direct<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.direct.iter().copied())
    }

    /// What each unit counts, for each stretch of the game.
    #[getter]
    fn out<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.out.into_iter().flatten())
    }

    /// What each unit adds to the worth of being on move, for one to four steps left of the turn, each stretch
    /// of the game: as the side on move sees the board, then as the other does.
    #[getter]
    fn gain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.gain.into_iter().flatten().flatten().flatten())
    }

    /// What being on move is worth on any board, in hundredths of a rabbit, for one to four steps left of the turn.
    #[getter]
    fn tempo<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.tempo)
    }

    /// Units of the second layer.
    #[getter]
    fn second_units(&self) -> usize {
        SECOND
    }

    /// The second layer: its weights for the two views added, then the other view's taken from its own; two units of
    /// the first layer together, for each unit of the second: `numpy.asarray(n.second).reshape(2, -1, n.second_units, 2)`.
    #[getter]
    fn second<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.second.into_iter().flatten().flatten())
    }

    /// The second layer of an empty board.
    #[getter]
    fn second_bias<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.second_bias)
    }

    /// What each unit of the second layer counts, for each stretch of the game.
    #[getter]
    fn second_out<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.0.second_out.into_iter().flatten())
    }

    /// What each unit of the second layer adds to the worth of being on move, in the order of `gain`.
    #[getter]
    fn second_gain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let gains = self.0.second_gain.into_iter().flatten();
        array(py, gains.flatten().flatten())
    }
}

/// A model of the turns that strong players choose: `turns` or `steps`, which come with Hathi, or a file.
#[pyclass(frozen, module = "hathi")]
pub(crate) struct Model(
    // Python gives objects less alignment than its cells want.
    Box<models::Model>,
);

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (name="turns"))]
    fn new(py: Python<'_>, name: &str) -> PyResult<Model> {
        py.detach(|| match name {
            "turns" => models::Model::shipped(),
            "steps" => models::Model::shipped_steps(),
            path => models::Model::read(path.as_ref()),
        })
        .map(|model| Model(Box::new(model)))
        .map_err(unreadable)
    }

    /// Every different turn of a position with its score, best first: the higher, the likelier it is played.
    #[pyo3(signature = (position, limit=None))]
    fn score_turns(
        &self,
        py: Python<'_>,
        position: GivenPosition<'_>,
        limit: Option<usize>,
    ) -> PyResult<Vec<(String, f32)>> {
        let position = position.get()?;
        Ok(py.detach(|| {
            let mut generator = TurnGenerator::new();
            let mut scores = Vec::new();
            (self.0).score_turns(&position, &Past::default(), &mut generator, &mut scores);
            let mut order: Vec<usize> = (0..scores.len()).collect();
            order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
            order.truncate(limit.unwrap_or(usize::MAX));
            let turns: Vec<_> = generator
                .generate(&position)
                .map(|reached| reached.turn())
                .collect();
            let scored = order.into_iter().map(|i| (turns[i].to_string(), scores[i]));
            scored.collect()
        }))
    }

    /// How many features there are.
    #[getter]
    fn features(&self) -> usize {
        FEATURES
    }

    /// The weights of all features: one array, or one for each phase of the game.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let sets = self.0.sets();
        sets.map(|set| array(py, set.iter().copied())).collect()
    }
}
