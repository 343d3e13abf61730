//! A Parquet file that is written in row groups, and gets its name once it is whole.

use anyhow::Context as _;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use std::sync::Arc;
use uncask::game::{AppendingFile, OutputPath, Sink};

/// Rows that are made at once, on all threads.
pub(super) const GROUP: usize = 1 << 12;

/// Rows of a row group: few enough to be in memory, enough to be worth their own dictionaries and statistics.
const ROW_GROUP: usize = GROUP * 32;

/// Bytes that a row group may take in memory. Rows are as long as names and import lists make them.
const ROW_GROUP_LEN: usize = 16 << 20;

/// Bytes of the different names in a column of lists. As long as they fit, a name that many packages import is there once.
const DICTIONARY_LEN: usize = ROW_GROUP_LEN;

/// How the values of a column repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// Few different values: types, classes, containers.
    Often,
    /// Texts that start like the one before.
    AtTheStart,
    /// Numbers that are near the one before, or small.
    Nearly,
    /// Hashes and ids.
    Never,
}

/// A column of a table.
pub(super) struct Column {
    pub name: &'static str,
    pub data: DataType,
    pub nullable: bool,
    pub repeats: Repeats,
}

impl Column {
    pub(super) const fn new(name: &'static str, data: DataType, nullable: bool, repeats: Repeats) -> Self {
        Self { name, data, nullable, repeats }
    }
}

/// Names of which most come again and again.
pub(super) fn repeated_names() -> DataType {
    DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8))
}

/// A list of values that are never absent.
pub(super) fn list_of(data: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(data, false)))
}

/// A table on its way to its file.
pub(super) struct Table {
    writer: ArrowWriter<AppendingFile>,
    schema: SchemaRef,
    rows: u64,
}

impl Table {
    pub(super) fn create(sink: &dyn Sink, name: &str, columns: &[Column]) -> anyhow::Result<Self> {
        let field = |column: &Column| Field::new(column.name, column.data.clone(), column.nullable);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let file = AppendingFile::new(sink.create(&OutputPath::sanitize(name), 0)?);
        // That names are shared in memory here is nothing that readers have to do, too.
        let options =
            ArrowWriterOptions::new().with_properties(properties(columns)?).with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options)?;
        Ok(Self { writer, schema, rows: 0 })
    }

    /// Adds rows, one array for each column.
    pub(super) fn write(&mut self, columns: Vec<ArrayRef>) -> anyhow::Result<()> {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        self.rows += batch.num_rows() as u64;
        self.writer.write(&batch)?;
        if self.writer.memory_size() > ROW_GROUP_LEN {
            self.writer.flush()?;
        }
        Ok(())
    }

    pub(super) const fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes what is left, and gives the file its name.
    pub(super) fn commit(self) -> anyhow::Result<()> {
        self.writer.into_inner().context("cannot finish a table")?.commit()?;
        Ok(())
    }
}

/// Zstandard over encodings that fit the columns.
fn properties(columns: &[Column]) -> anyhow::Result<WriterProperties> {
    let schema = KeyValue { key: "schema".to_owned(), value: Some("uncask.catalog/1".to_owned()) };
    let builder = WriterProperties::builder()
        .set_created_by(concat!("uncask ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(vec![schema]))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_dictionary_page_size_limit(DICTIONARY_LEN)
        .set_max_row_group_row_count(Some(ROW_GROUP));
    let encoded = columns.iter().fold(builder, |builder, column| {
        let path = ColumnPath::from(column.name);
        match column.repeats {
            Repeats::Often => builder,
            Repeats::AtTheStart => builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BYTE_ARRAY),
            Repeats::Nearly => builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Repeats::Never => builder.set_column_dictionary_enabled(path, false),
        }
    });
    Ok(encoded.build())
}
