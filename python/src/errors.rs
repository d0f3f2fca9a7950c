//! Our errors as exceptions of Python, with our messages.

use std::fmt::Display;

use hathi_store::{Pattern, QuestionError};
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

create_exception!(
    hathi,
    ParseError,
    PyValueError,
    "Text that cannot be read: a position, a turn, a pattern, a filter, the name of an engine."
);
create_exception!(
    hathi,
    IllegalMove,
    PyValueError,
    "A turn, a step or a setup that the rules do not allow here."
);
create_exception!(
    hathi,
    StoreError,
    PyRuntimeError,
    "A store that cannot be opened, read or written."
);
create_exception!(
    hathi,
    EngineError,
    PyRuntimeError,
    "An engine that has no answer."
);

/// Text that cannot be read.
pub(crate) fn unreadable(error: impl Display) -> PyErr {
    ParseError::new_err(error.to_string())
}

/// What the rules do not allow.
pub(crate) fn illegal(error: impl Display) -> PyErr {
    IllegalMove::new_err(error.to_string())
}

/// What a store says.
pub(crate) fn of_store(error: impl Display) -> PyErr {
    StoreError::new_err(error.to_string())
}

/// What an engine says.
pub(crate) fn of_engine(error: impl Display) -> PyErr {
    EngineError::new_err(error.to_string())
}

/// A question that cannot be read; the place in its pattern is marked.
pub(crate) fn of_question(error: QuestionError, pattern: Option<&str>) -> PyErr {
    match pattern.map(|text| (text, Pattern::parse(text))) {
        Some((text, Err(fault))) => unreadable(format!("{fault}\n{}", fault.marked(text))),
        _ => unreadable(error),
    }
}
