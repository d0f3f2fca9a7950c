//! `hathi.TableStream`: tables of a store that may be larger than memory, read
//! while somebody takes them.

use std::ops::ControlFlow;
use std::sync::PoisonError;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use hathi_store::{ExportTable, Filter, GameRow, Page, StoreError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{exported, failed, names, schema, stream};
use crate::store::{CLOSED, SharedStore};

/// Games that are read at once: some hundred thousand positions.
const BATCH: u64 = 2000;

/// A table of a store, read while it is taken: it may be larger than memory.
///
/// To be taken as a `Table` is, as often as you like; each time it is read anew.
#[pyclass(frozen, module = "hathi")]
pub(crate) struct TableStream {
    store: SharedStore,
    table: ExportTable,
    filter: Filter,
    schema: SchemaRef,
}

impl TableStream {
    pub(crate) fn new(
        store: SharedStore,
        table: ExportTable,
        filter: Filter,
    ) -> PyResult<TableStream> {
        let columns = table.columns(Vec::new(), 0);
        let columns = columns.map_err(crate::errors::of_store)?;
        let schema = exported(columns).map_err(failed)?.schema();
        Ok(TableStream {
            store,
            table,
            filter,
            schema,
        })
    }
}

#[pymethods]
impl TableStream {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        names(&self.schema)
    }

    fn __repr__(&self) -> String {
        format!("<TableStream: {}>", self.column_names().join(", "))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface leaves it to us whether we follow such a wish.
        let _ = requested_schema;
        let rows = Rows {
            store: SharedStore::clone(&self.store),
            table: self.table,
            filter: self.filter.clone(),
            schema: SchemaRef::clone(&self.schema),
            after: None,
            taken: 0,
            over: false,
        };
        stream(py, Box::new(rows))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.schema)
    }
}

/// Rows that are still to come.
struct Rows {
    store: SharedStore,
    table: ExportTable,
    filter: Filter,
    schema: SchemaRef,
    /// The last game that was read.
    after: Option<GameRow>,
    /// Rows so far.
    taken: u64,
    over: bool,
}

impl Rows {
    fn read(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let mut games = Vec::new();
        {
            let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
            let store = store.as_deref().ok_or_else(|| external(CLOSED))?;
            let page = Page {
                limit: Some(BATCH),
                after: self.after,
                ..Page::default()
            };
            store
                .visit_page(&self.filter, page, &mut |game| {
                    games.push(game);
                    ControlFlow::Continue(())
                })
                .map_err(|error: StoreError| external(error.to_string()))?;
        }
        let Some(last) = games.last() else {
            return Ok(None);
        };
        self.after = Some(last.row);
        let columns = self.table.columns(games, self.taken);
        let batch = exported(columns.map_err(|error| external(error.to_string()))?)?;
        self.taken += batch.num_rows() as u64;
        Ok(Some(batch))
    }
}

fn external(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ArrowError {
    ArrowError::ExternalError(error.into())
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let batch = self.read().transpose();
        self.over = !matches!(batch, Some(Ok(_)));
        batch
    }
}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
