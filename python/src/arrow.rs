//! `hathi.Table`: answers as Arrow tables, handed over by Arrow's C data interface, so
//! that pandas, polars, DuckDB and pyarrow take them without a copy.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, Float64Array, Int32Array, Int64Array,
    RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray, TimestampMillisecondArray,
};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef, ffi::FFI_ArrowSchema};
use hathi_store::{ColumnValues, Values};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The names that the interface gives to its capsules.
const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// Columns while they are put together.
#[derive(Default)]
pub(crate) struct Columns(Vec<(Field, ArrayRef)>);

impl Columns {
    fn add(mut self, name: &str, array: impl Array + 'static, optional: bool) -> Columns {
        let field = Field::new(name, array.data_type().clone(), optional);
        self.0.push((field, Arc::new(array)));
        self
    }

    pub(crate) fn text<T: AsRef<str>>(
        self,
        name: &str,
        values: impl Iterator<Item = T>,
    ) -> Columns {
        let array = StringArray::from_iter_values(values);
        self.add(name, array, false)
    }

    pub(crate) fn texts<T: AsRef<str>>(
        self,
        name: &str,
        values: impl Iterator<Item = Option<T>>,
    ) -> Columns {
        let array: StringArray = values.collect();
        self.add(name, array, true)
    }

    pub(crate) fn numbers(self, name: &str, values: impl Iterator<Item = Option<i64>>) -> Columns {
        let array: Int64Array = values.collect();
        self.add(name, array, true)
    }

    pub(crate) fn number(self, name: &str, values: impl Iterator<Item = u64>) -> Columns {
        let array = Int64Array::from_iter_values(values.map(u64::cast_signed));
        self.add(name, array, false)
    }

    pub(crate) fn reals(self, name: &str, values: impl Iterator<Item = Option<f64>>) -> Columns {
        let array: Float64Array = values.collect();
        self.add(name, array, true)
    }

    pub(crate) fn flag(self, name: &str, values: impl Iterator<Item = bool>) -> Columns {
        let array = BooleanArray::from(values.collect::<Vec<bool>>());
        self.add(name, array, false)
    }

    pub(crate) fn times(self, name: &str, seconds: impl Iterator<Item = Option<i64>>) -> Columns {
        let millis = seconds.map(|seconds| seconds?.checked_mul(1000));
        let array: TimestampMillisecondArray = millis.collect();
        self.add(name, array.with_timezone("UTC"), true)
    }

    fn batch(self) -> Result<RecordBatch, ArrowError> {
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = self.0.into_iter().unzip();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }

    pub(crate) fn table(self) -> PyResult<Table> {
        self.batch().map(Table).map_err(failed)
    }
}

/// The columns of an export.
pub(crate) fn exported(columns: Vec<ColumnValues>) -> Result<RecordBatch, ArrowError> {
    let mut table = Columns::default();
    for ColumnValues {
        name,
        optional,
        values,
    } in columns
    {
        table = match values {
            Values::Number(values) => table.add(name, Int32Array::from(values), optional),
            Values::Long(values) => table.add(name, Int64Array::from(values), optional),
            Values::Time(values) => table.times(name, values.into_iter()),
            Values::Flag(values) => table.add(name, BooleanArray::from(values), optional),
            Values::Text(values) => table.add(name, StringArray::from(values), optional),
            Values::Board(values) => {
                let boards = FixedSizeBinaryArray::try_from_sparse_iter_with_size(
                    values.into_iter(),
                    BOARD_BYTES,
                )?;
                table.add(name, boards, optional)
            }
        };
    }
    table.batch()
}

/// Bytes of a packed board.
const BOARD_BYTES: i32 = 32;

/// Arrow found something that we have made wrong.
pub(crate) fn failed(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Hands rows over.
pub(crate) fn stream(
    py: Python<'_>,
    rows: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(rows), STREAM)
}

/// Hands the names and types of columns over.
pub(crate) fn schema<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(&**schema).map_err(failed)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// The names of columns.
pub(crate) fn names(schema: &SchemaRef) -> Vec<String> {
    let fields = schema.fields().iter();
    fields.map(|field| field.name().clone()).collect()
}

/// An answer as an Arrow table.
///
/// `pyarrow.table(t)`, `polars.DataFrame(t)`, `pandas.DataFrame.from_arrow(t)` and DuckDB's
/// `SELECT ... FROM t` take it without a copy, by Arrow's C data interface.
#[pyclass(frozen, module = "hathi")]
pub(crate) struct Table(RecordBatch);

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        names(&self.0.schema())
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let columns = self.column_names().join(", ");
        format!("<Table of {} rows: {columns}>", self.0.num_rows())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface leaves it to us whether we follow such a wish.
        let _ = requested_schema;
        let rows = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        stream(py, Box::new(rows))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.0.schema())
    }
}
