//! Hathi for Python: positions, games, archives, the memory and the engines.
//!
//! A thin layer: everything is asked of the other crates, and answers are the
//! words of `hathi-view` as dicts, or Arrow tables. The doc comments below are
//! the docstrings of Python; `hathi/_hathi.pyi` has the types.

#![forbid(unsafe_code)]
// Python's arguments come as values, and what an object can do is a method even where it needs nothing of it.
#![allow(clippy::needless_pass_by_value, clippy::unused_self)]
// Docstrings are Python: `answer["hits"]`.
#![allow(clippy::doc_link_with_quotes)]

mod archive;
mod arrays;
mod arrow;
mod asked;
mod engine;
mod errors;
mod game;
mod interrupt;
mod model;
mod position;
mod store;
mod stream;

/// The compiled part of `hathi`.
#[pyo3::pymodule]
mod _hathi {
    #[pymodule_export]
    use crate::archive::{ArchiveGames, read_archive};
    #[pymodule_export]
    use crate::arrow::Table;
    #[pymodule_export]
    use crate::engine::{Engine, engines};
    #[pymodule_export]
    use crate::errors::{EngineError, IllegalMove, ParseError, StoreError};
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::model::{Model, Network};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::store::Store;
    #[pymodule_export]
    use crate::stream::TableStream;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
