//! A column: its name, its type, and how its value is got from a row.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::column::writer::{ColumnCloseResult, get_column_writer, get_typed_column_writer};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType,
    Int32Type, Int64Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{WriterPropertiesBuilder, WriterPropertiesPtr};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, Type};

/// A column of rows of the type `R`.
pub(crate) struct Column<R> {
    pub(crate) name: &'static str,
    value: Value<R>,
    optional: bool,
    packing: Packing,
}

/// A column of some rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnValues {
    /// Its name.
    pub name: &'static str,
    /// May rows have no value?
    pub optional: bool,
    /// The values.
    pub values: Values,
}

/// The values of a column, by their type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Numbers.
    Number(Vec<Option<i32>>),
    /// Numbers that may be large.
    Long(Vec<Option<i64>>),
    /// Seconds since 1970.
    Time(Vec<Option<i64>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
    /// Text.
    Text(Vec<Option<String>>),
    /// Packed boards.
    Board(Vec<Option<[u8; 32]>>),
}

/// Where the value comes from, and with that its type.
enum Value<R> {
    Number(fn(&R) -> Option<i32>),
    Long(fn(&R) -> Option<i64>),
    /// Seconds since 1970.
    Time(fn(&R) -> Option<i64>),
    Flag(fn(&R) -> Option<bool>),
    Text(fn(&R) -> Option<ByteArray>),
    Board(fn(&R) -> Option<[u8; 32]>),
}

/// What values of a column have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    /// Many are equal: each is written once.
    Repeated,
    /// Each is a little more than the one before.
    Rising,
    /// Nothing that a general compressor would not find.
    Plain,
}

impl<R> Column<R> {
    const fn new(name: &'static str, value: Value<R>) -> Column<R> {
        Column {
            name,
            value,
            optional: false,
            packing: Packing::Repeated,
        }
    }

    pub(crate) const fn number(name: &'static str, value: fn(&R) -> Option<i32>) -> Column<R> {
        Column::new(name, Value::Number(value))
    }

    pub(crate) const fn long(name: &'static str, value: fn(&R) -> Option<i64>) -> Column<R> {
        Column::new(name, Value::Long(value))
    }

    pub(crate) const fn time(name: &'static str, value: fn(&R) -> Option<i64>) -> Column<R> {
        Column::new(name, Value::Time(value)).optional()
    }

    pub(crate) const fn flag(name: &'static str, value: fn(&R) -> Option<bool>) -> Column<R> {
        Column::new(name, Value::Flag(value))
    }

    pub(crate) const fn text(name: &'static str, value: fn(&R) -> Option<ByteArray>) -> Column<R> {
        Column::new(name, Value::Text(value))
    }

    pub(crate) const fn board(name: &'static str, value: fn(&R) -> Option<[u8; 32]>) -> Column<R> {
        Column::new(name, Value::Board(value)).mostly_different()
    }

    /// Some rows have no value.
    pub(crate) const fn optional(mut self) -> Column<R> {
        self.optional = true;
        self
    }

    /// Each value is a little more than the one before.
    pub(crate) const fn rising(mut self) -> Column<R> {
        self.packing = Packing::Rising;
        self
    }

    /// Hardly any value occurs twice.
    pub(crate) const fn mostly_different(mut self) -> Column<R> {
        self.packing = Packing::Plain;
        self
    }

    /// The column in the schema.
    pub(crate) fn schema(&self) -> Result<Type> {
        let timestamp = LogicalType::timestamp(true, TimeUnit::MILLIS);
        let (physical, logical, length) = match self.value {
            Value::Number(_) => (Physical::INT32, None, -1),
            Value::Long(_) => (Physical::INT64, None, -1),
            Value::Time(_) => (Physical::INT64, Some(timestamp), -1),
            Value::Flag(_) => (Physical::BOOLEAN, None, -1),
            Value::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), -1),
            Value::Board(_) => (Physical::FIXED_LEN_BYTE_ARRAY, None, 32),
        };
        Type::primitive_type_builder(self.name, physical)
            .with_logical_type(logical)
            .with_length(length)
            .with_repetition(if self.optional {
                Repetition::OPTIONAL
            } else {
                Repetition::REQUIRED
            })
            .build()
    }

    /// How it is written.
    pub(crate) fn configure(&self, properties: WriterPropertiesBuilder) -> WriterPropertiesBuilder {
        use parquet::basic::Encoding;
        use parquet::file::properties::EnabledStatistics;

        let path = ColumnPath::from(self.name);
        let properties = match self.value {
            // The smallest board by bytes says nothing.
            Value::Board(_) => {
                properties.set_column_statistics_enabled(path.clone(), EnabledStatistics::None)
            }
            _ => properties,
        };
        match self.packing {
            Packing::Repeated => properties,
            Packing::Rising => properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Packing::Plain => properties.set_column_dictionary_enabled(path, false),
        }
    }

    /// The values of these rows, for who keeps tables in another way.
    pub(crate) fn values(&self, rows: &[R]) -> ColumnValues {
        fn all<R, T>(rows: &[R], value: impl Fn(&R) -> Option<T>) -> Vec<Option<T>> {
            rows.iter().map(value).collect()
        }
        ColumnValues {
            name: self.name,
            optional: self.optional,
            values: match self.value {
                Value::Number(value) => Values::Number(all(rows, value)),
                Value::Long(value) => Values::Long(all(rows, value)),
                Value::Time(value) => Values::Time(all(rows, value)),
                Value::Flag(value) => Values::Flag(all(rows, value)),
                Value::Text(value) => Values::Text(all(rows, |row| {
                    Some(String::from_utf8_lossy(value(row)?.data()).into_owned())
                })),
                Value::Board(value) => Values::Board(all(rows, value)),
            },
        }
    }

    /// The values of these rows, as they will stand in the file.
    pub(crate) fn encode(
        &self,
        rows: &[R],
        column: ColumnDescPtr,
        properties: WriterPropertiesPtr,
    ) -> Result<EncodedColumn> {
        let job = Job {
            rows,
            name: self.name,
            optional: self.optional,
            column,
            properties,
        };
        match self.value {
            Value::Number(value) => job.encode::<Int32Type>(value),
            Value::Long(value) => job.encode::<Int64Type>(value),
            Value::Time(value) => job.encode::<Int64Type>(|row| value(row)?.checked_mul(1000)),
            Value::Flag(value) => job.encode::<BoolType>(value),
            Value::Text(value) => job.encode::<ByteArrayType>(value),
            Value::Board(value) => job.encode::<FixedLenByteArrayType>(|row| {
                Some(FixedLenByteArray::from(value(row)?.to_vec()))
            }),
        }
    }
}

/// A column of a row group, ready to be written.
pub(crate) struct EncodedColumn {
    pub(crate) bytes: Bytes,
    pub(crate) description: ColumnCloseResult,
}

struct Job<'a, R> {
    rows: &'a [R],
    name: &'static str,
    optional: bool,
    column: ColumnDescPtr,
    properties: WriterPropertiesPtr,
}

/// Rows whose values are held at the same time.
const BATCH: usize = 1 << 12;

impl<R> Job<'_, R> {
    fn encode<T: DataType>(self, value: impl Fn(&R) -> Option<T::T>) -> Result<EncodedColumn> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut bytes));
        let writer = get_column_writer(self.column, self.properties, pages);
        let mut writer = get_typed_column_writer::<T>(writer);
        let mut values = Vec::with_capacity(BATCH);
        let mut present = Vec::with_capacity(BATCH);
        for rows in self.rows.chunks(BATCH) {
            values.clear();
            present.clear();
            for row in rows {
                let value = value(row);
                present.push(i16::from(value.is_some()));
                values.extend(value);
            }
            if self.optional {
                writer.write_batch(&values, Some(&present), None)?;
            } else if values.len() == rows.len() {
                writer.write_batch(&values, None, None)?;
            } else {
                // A fault of ours; the file must not hide it.
                let why = format!("a row without a value for `{}`", self.name);
                return Err(ParquetError::General(why));
            }
        }
        let description = writer.close()?;
        Ok(EncodedColumn {
            bytes: bytes.into_inner()?.into(),
            description,
        })
    }
}

/// The schema of a table.
pub(crate) fn schema<R>(name: &str, columns: &[Column<R>]) -> Result<Type> {
    let fields = columns
        .iter()
        .map(|column| column.schema().map(Arc::new))
        .collect::<Result<_>>()?;
    Type::group_type_builder(name).with_fields(fields).build()
}

/// Text as the format wants it.
pub(crate) fn text(text: impl Into<String>) -> ByteArray {
    ByteArray::from(text.into().into_bytes())
}

/// A letter as text.
pub(crate) fn letter(letter: char) -> ByteArray {
    text(letter)
}
