//! Rows as Arrow record batches, handed over by the C stream interface, so that no Arrow library has to be installed.

use crate::shared::Shared;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch, RecordBatchReader, StringArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use uncask::game::{CancelToken, GameRow, RowColumns, RowKind, RowPlan};

/// Columns of a table, in their order.
const COLUMNS: [&str; 9] = ["build", "path", "package", "id", "class", "size", "hash", "", "error"];

/// The columns of a table.
pub(crate) struct Columns {
    names: Vec<&'static str>,
    content: &'static str,
}

impl Columns {
    /// The columns with these names, or all; else, the problem.
    pub(crate) fn new(kind: RowKind, wanted: Option<Vec<String>>) -> Result<Self, String> {
        let content = if kind == RowKind::Values { "values" } else { "bytes" };
        let all = COLUMNS.map(|name| if name.is_empty() { content } else { name });
        let Some(wanted) = wanted else { return Ok(Self { names: all.to_vec(), content }) };
        let known = |name: &String| {
            all.into_iter()
                .find(|known| known == name)
                .ok_or_else(|| format!("there is no column {name:?}, expected some of {}", all.join(", ")))
        };
        Ok(Self { names: wanted.iter().map(known).collect::<Result<_, _>>()?, content })
    }

    fn schema(&self) -> SchemaRef {
        let field = |name: &&'static str| match *name {
            "build" | "path" => Field::new(*name, DataType::Utf8, false),
            "size" => Field::new(*name, DataType::Int64, false),
            "values" => Field::new(*name, DataType::LargeUtf8, true),
            "bytes" => Field::new(*name, DataType::LargeBinary, true),
            _ => Field::new(*name, DataType::Utf8, true),
        };
        Arc::new(Schema::new(self.names.iter().map(field).collect::<Vec<_>>()))
    }

    fn wanted(&self, kind: RowKind) -> RowColumns {
        let is_made = matches!(kind, RowKind::Files | RowKind::Export);
        let has = |name| self.names.contains(&name);
        // What is made of a package is known once it is made; and only reading shows errors.
        RowColumns { content: is_made || has(self.content) || has("error"), class: has("class") }
    }

    fn batch(&self, schema: SchemaRef, build: &str, rows: &[GameRow]) -> Result<RecordBatch, ArrowError> {
        let texts = |of: fn(&GameRow) -> Option<&str>| -> ArrayRef {
            Arc::new(rows.iter().map(of).collect::<StringArray>())
        };
        let values = |row: &GameRow| {
            let text = row.content.as_deref().map(String::from_utf8_lossy);
            text.map(std::borrow::Cow::into_owned)
        };
        let column = |name: &&'static str| -> ArrayRef {
            match *name {
                "build" => Arc::new(StringArray::from_iter_values(rows.iter().map(|_| build))),
                "path" => texts(|row| Some(&row.path)),
                "package" => texts(|row| row.package.as_deref()),
                "id" => texts(|row| row.id.as_deref()),
                "class" => texts(|row| row.class.as_deref()),
                "hash" => texts(|row| row.hash.as_deref()),
                "error" => texts(|row| row.error.as_deref()),
                "values" => Arc::new(rows.iter().map(values).collect::<LargeStringArray>()),
                "bytes" => {
                    Arc::new(rows.iter().map(|row| row.content.as_deref()).collect::<LargeBinaryArray>())
                }
                _ => {
                    let sizes = rows.iter().map(|row| i64::try_from(row.size).unwrap_or(i64::MAX));
                    Arc::new(Int64Array::from_iter_values(sizes))
                }
            }
        };
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows.len()));
        RecordBatch::try_new_with_options(schema, self.names.iter().map(column).collect(), &options)
    }
}

/// A stream of record batches, made by a thread of its own: one batch is on its way while another is used.
#[pyclass(frozen, module = "uncask")]
pub(crate) struct Batches {
    reader: Mutex<Option<Reader>>,
    schema: SchemaRef,
}

struct Reader {
    schema: SchemaRef,
    batches: Receiver<Result<RecordBatch, ArrowError>>,
    cancel: CancelToken,
}

impl Batches {
    pub(crate) fn start(
        shared: Arc<Shared>,
        plan: Arc<RowPlan>,
        range: Range<usize>,
        build: String,
        columns: Columns,
    ) -> Self {
        let (schema, cancel) = (columns.schema(), CancelToken::default());
        let (send, batches) = sync_channel(1);
        let job =
            Job { shared, plan, range, build, columns, schema: Arc::clone(&schema), cancel: cancel.clone() };
        std::thread::spawn(move || job.run(&send));
        let reader = Reader { schema: Arc::clone(&schema), batches, cancel };
        Self { reader: Mutex::new(Some(reader)), schema }
    }
}

/// Work of the thread.
struct Job {
    shared: Arc<Shared>,
    plan: Arc<RowPlan>,
    range: Range<usize>,
    build: String,
    columns: Columns,
    schema: SchemaRef,
    cancel: CancelToken,
}

impl Job {
    fn run(self, send: &SyncSender<Result<RecordBatch, ArrowError>>) {
        let wanted = self.columns.wanted(self.kind());
        let each = |rows: Vec<GameRow>| {
            let batch = self.columns.batch(Arc::clone(&self.schema), &self.build, &rows);
            drop(rows);
            send.send(batch).map_err(|_| uncask::error::Error::Cancelled)
        };
        let read = self.shared.game.read_rows(&self.plan, self.range.clone(), wanted, &self.cancel, each);
        if let Err(error) = read {
            // Nobody listens if the stream was dropped.
            let _ = send.send(Err(ArrowError::ExternalError(error.into())));
        }
    }

    fn kind(&self) -> RowKind {
        self.plan.kind()
    }
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.recv().ok()
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[pymethods]
impl Batches {
    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The stream by the Arrow C interface; it can be taken once.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer converts what it would rather have otherwise, as the interface allows.
        let _ = requested_schema;
        let taken = || PyStopIteration::new_err("the stream has been read");
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(taken)?;
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
