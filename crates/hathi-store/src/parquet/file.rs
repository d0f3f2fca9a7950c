//! A Parquet file while it is written.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use super::ExportError;
use super::column::{Column, EncodedColumn, schema};
use crate::draft::Draft;

/// What a file holds.
pub(crate) struct Table<R: 'static> {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [Column<R>],
    /// Rows come in the order of these columns.
    pub(crate) sorted_by: &'static [&'static str],
    /// Rows of a row group: what is held in memory, and what a reader can
    /// skip at once.
    pub(crate) group: usize,
}

/// A file under another name, rows being added.
pub(crate) struct TableFile<R: 'static> {
    draft: Draft,
    writer: SerializedFileWriter<BufWriter<File>>,
    table: &'static Table<R>,
    rows: Vec<R>,
    threads: usize,
}

impl<R: Sync> TableFile<R> {
    pub(crate) fn create(
        path: &Path,
        table: &'static Table<R>,
        threads: usize,
    ) -> Result<TableFile<R>, ExportError> {
        let (draft, file) = Draft::create(path).map_err(|error| ExportError::Io {
            path: path.to_owned(),
            error,
        })?;
        let out = BufWriter::with_capacity(1 << 18, file);
        let writer = open(out, table).map_err(|error| failed(path.to_owned(), error))?;
        Ok(TableFile {
            draft,
            writer,
            table,
            rows: Vec::with_capacity(table.group),
            threads,
        })
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: R) -> Result<(), ExportError> {
        self.rows.push(row);
        if self.rows.len() >= self.table.group {
            self.write_group()?;
        }
        Ok(())
    }

    /// Rows that are not in a row group yet.
    pub(crate) fn rows_held(&self) -> usize {
        self.rows.len()
    }

    /// Writes the rows that are held as a row group.
    pub(crate) fn write_group(&mut self) -> Result<(), ExportError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let path = self.draft.path();
        let failed = |error| failed(path.to_owned(), error);
        let encoded = encode(self.table, &self.rows, &self.writer, self.threads);
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for column in encoded {
            let EncodedColumn { bytes, description } = column.map_err(failed)?;
            group.append_column(&bytes, description).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        self.rows.clear();
        Ok(())
    }

    /// Writes what is left, and the end of the file.
    pub(crate) fn complete(mut self) -> Result<CompleteFile, ExportError> {
        self.write_group()?;
        let failed = |error| failed(self.draft.path().to_owned(), error);
        let mut out = self.writer.into_inner().map_err(failed)?;
        let file = out.flush().and_then(|()| out.get_ref().try_clone());
        match file {
            Ok(file) => Ok(CompleteFile {
                draft: self.draft,
                file,
            }),
            Err(error) => Err(ExportError::Io {
                path: self.draft.path().to_owned(),
                error,
            }),
        }
    }
}

/// A file that lacks nothing but its name.
pub(crate) struct CompleteFile {
    draft: Draft,
    file: File,
}

impl CompleteFile {
    pub(crate) fn publish(self) -> Result<(), ExportError> {
        let path = self.draft.path().to_owned();
        let published = self.draft.publish(&self.file);
        published.map_err(|error| ExportError::Io { path, error })
    }
}

fn failed(path: PathBuf, error: ParquetError) -> ExportError {
    match error {
        // A full disk is not a matter of the format.
        ParquetError::External(error) => match error.downcast() {
            Ok(error) => ExportError::Io {
                path,
                error: *error,
            },
            Err(error) => ExportError::Format {
                path,
                error: ParquetError::External(error),
            },
        },
        error => ExportError::Format { path, error },
    }
}

fn open<R>(
    out: BufWriter<File>,
    table: &Table<R>,
) -> ParquetResult<SerializedFileWriter<BufWriter<File>>> {
    let order = table.sorted_by.iter().filter_map(|name| {
        let column = table
            .columns
            .iter()
            .position(|column| column.name == *name)?;
        Some(SortingColumn {
            column_idx: column as i32,
            descending: false,
            nulls_first: false,
        })
    });
    let properties = WriterProperties::builder()
        .set_created_by(format!("hathi {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_sorting_columns(Some(order.collect()));
    let properties = table.columns.iter().fold(properties, |properties, column| {
        column.configure(properties)
    });
    let schema = schema(table.name, table.columns)?;
    SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))
}

/// The columns of a row group, in order, made on several threads.
fn encode<R: Sync>(
    table: &Table<R>,
    rows: &[R],
    writer: &SerializedFileWriter<BufWriter<File>>,
    threads: usize,
) -> Vec<ParquetResult<EncodedColumn>> {
    let schema = writer.schema_descr();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(table.columns.len()));
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, table.columns.len()) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(column) = table.columns.get(i) else {
                        return;
                    };
                    let encoded =
                        column.encode(rows, schema.column(i), writer.properties().clone());
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((i, encoded));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, encoded)| encoded).collect()
}
