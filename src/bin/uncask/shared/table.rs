//! Parquet file written in row groups, which gets its name when it is complete.

use anyhow::Context as _;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnPath;
use std::path::Path;
use std::sync::Arc;
use uncask::game::{AppendingFile, OutputPath, Sink};

/// Rows made at once, on all threads.
pub(crate) const GROUP: usize = 1 << 12;

/// Rows per row group: few enough to fit in memory, enough to be worth their own dictionaries and statistics.
const ROW_GROUP: usize = GROUP * 32;

/// The most memory for a row group, in bytes. Rows are as long as their names and import lists.
const ROW_GROUP_LEN: usize = 16 << 20;

/// Size limit in bytes of the dictionary of a list column. While its names fit, a name that many packages import is
/// stored once.
const DICTIONARY_LEN: usize = ROW_GROUP_LEN;

/// Repetition of values in a column, which decides its encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// Few distinct values: types, classes, containers.
    Often,
    /// Texts with the same beginning as the previous one.
    AtTheStart,
    /// Numbers close to the previous one, or small.
    Nearly,
    /// No repetition: hashes and ids.
    Never,
}

/// A column of a table.
pub(crate) struct Column {
    pub name: &'static str,
    pub data: DataType,
    pub nullable: bool,
    pub repeats: Repeats,
}

impl Column {
    pub(crate) const fn new(name: &'static str, data: DataType, nullable: bool, repeats: Repeats) -> Self {
        Self { name, data, nullable, repeats }
    }
}

/// Type of names of which most occur repeatedly.
pub(crate) fn repeated_names() -> DataType {
    DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8))
}

/// Type of lists whose values are never null.
pub(crate) fn list_of(data: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(data, false)))
}

/// A table being written.
pub(crate) struct Table {
    writer: ArrowWriter<AppendingFile>,
    schema: SchemaRef,
    rows: u64,
}

impl Table {
    /// Starts a file with these columns; the metadata of the file are keys with values.
    pub(crate) fn create(
        sink: &dyn Sink,
        name: &str,
        columns: &[Column],
        metadata: &[(&str, &str)],
    ) -> anyhow::Result<Self> {
        let field = |column: &Column| Field::new(column.name, column.data.clone(), column.nullable);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        // The length is unknown until the end.
        let file = AppendingFile::new(sink.create(&OutputPath::sanitize(name), 0)?);
        // The dictionaries are an optimisation in memory; readers should see plain strings.
        let options = ArrowWriterOptions::new()
            .with_properties(properties(columns, metadata)?)
            .with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options)?;
        Ok(Self { writer, schema, rows: 0 })
    }

    /// Adds rows, as one array per column.
    pub(crate) fn write(&mut self, columns: Vec<ArrayRef>) -> anyhow::Result<()> {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        self.rows += batch.num_rows() as u64;
        self.writer.write(&batch)?;
        // Row counts alone do not bound memory: one row may have thousands of imports.
        if self.writer.memory_size() > ROW_GROUP_LEN {
            self.writer.flush()?;
        }
        Ok(())
    }

    pub(crate) const fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes the rest, and gives the file its name.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        self.writer.into_inner().context("cannot finish a table")?.commit()?;
        Ok(())
    }
}

/// The metadata of a table on disk that has this key; `None` if there is no such table.
pub(crate) fn metadata_of(path: &Path, key: &str) -> Option<String> {
    let reader = SerializedFileReader::new(uncask::game::open_file(path).ok()?).ok()?;
    let pairs = reader.metadata().file_metadata().key_value_metadata()?;
    pairs.iter().find(|pair| pair.key == key)?.value.clone()
}

/// Writer properties: Zstandard, with encodings that suit the columns.
fn properties(columns: &[Column], metadata: &[(&str, &str)]) -> anyhow::Result<WriterProperties> {
    let pair = |(key, value): &(&str, &str)| KeyValue::new((*key).to_owned(), (*value).to_owned());
    let builder = WriterProperties::builder()
        .set_created_by(concat!("uncask ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(metadata.iter().map(pair).collect()))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_dictionary_page_size_limit(DICTIONARY_LEN)
        .set_max_row_group_row_count(Some(ROW_GROUP));
    let encoded = columns.iter().fold(builder, |builder, column| {
        let path = ColumnPath::from(column.name);
        match column.repeats {
            Repeats::Often => builder,
            // Neighbouring paths share long beginnings: a dictionary would store each path in full.
            Repeats::AtTheStart => builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BYTE_ARRAY),
            // Differences of neighbouring numbers need few bits.
            Repeats::Nearly => builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Repeats::Never => builder.set_column_dictionary_enabled(path, false),
        }
    });
    Ok(encoded.build())
}
