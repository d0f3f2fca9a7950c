//! What Python's arguments ask for.

use hathi_rules::{Position, Side};
use hathi_store::{Filter, Question};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::errors::{of_question, unreadable};
use crate::position;

/// A position, or text that is one.
#[derive(FromPyObject)]
pub(crate) enum GivenPosition<'py> {
    Position(PyRef<'py, position::Position>),
    Text(String),
}

impl GivenPosition<'_> {
    pub(crate) fn get(&self) -> PyResult<Position> {
        match self {
            GivenPosition::Position(position) => Ok(position.0),
            GivenPosition::Text(text) => text.parse().map_err(unreadable),
        }
    }
}

/// `g` or `s`, or the names of the sides.
pub(crate) fn side(text: &str) -> PyResult<Side> {
    match text {
        "g" | "gold" => Ok(Side::Gold),
        "s" | "silver" => Ok(Side::Silver),
        _ => Err(unreadable(format!("`{text}` is no side: g or s"))),
    }
}

/// Names and values of a question, in the words of the API's addresses.
#[derive(Default)]
pub(crate) struct Pairs(Vec<(String, String)>);

impl Pairs {
    /// The arguments that Python was given by name.
    pub(crate) fn of(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Pairs> {
        let mut pairs = Pairs::default();
        for (name, value) in keywords.into_iter().flatten() {
            let name: String = name.extract()?;
            // `from` and `as` are words of Python: `from_`, `as_`.
            let name = name.strip_suffix('_').unwrap_or(&name).to_owned();
            if !value.is_none() {
                let value = written(&name, &value)?;
                pairs.0.push((name, value));
            }
        }
        Ok(pairs)
    }

    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Pairs {
        self.0.push((name.to_owned(), value.to_string()));
        self
    }

    pub(crate) fn with_some(self, name: &str, value: Option<impl ToString>) -> Pairs {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(crate) fn filter(self) -> PyResult<Filter> {
        Filter::of_pairs(self.0).map_err(unreadable)
    }

    pub(crate) fn question(self) -> PyResult<Question> {
        let pattern = self.0.iter().find(|(name, _)| name == "pattern");
        let pattern = pattern.map(|(_, text)| text.clone());
        Question::of_pairs(self.0).map_err(|error| of_question(error, pattern.as_deref()))
    }
}

fn written(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(yes) = value.cast::<PyBool>() {
        return Ok(yes.is_true().to_string());
    }
    if value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>()
    {
        return value.str()?.extract();
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let parts: Vec<String> = value
            .try_iter()?
            .map(|part| written(name, &part?))
            .collect::<PyResult<_>>()?;
        return Ok(parts.join(","));
    }
    Err(PyTypeError::new_err(format!(
        "{name}: expected text, a number, yes or no, or a list of them"
    )))
}
