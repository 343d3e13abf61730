//! `uncask catalog`, read back by the crate that wrote it, and by another reader where there is one.

use super::made::{Links, linked_with};
use super::run::{corpus, fixture, uncask};
use crate::support::say;
use crate::support::sketch::Sketch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use uncask::container::toc::NewChunk;
use uncask::id::{ChunkKind, RawChunkId};

type Rows = Vec<Map<String, Value>>;

/// Makes a catalog, and reads its tables.
fn catalog(input: &[&str], folder: &Path) -> (Rows, Rows) {
    let output = folder.join("catalog");
    uncask(&[&["catalog", "-o", output.to_str().unwrap()], input].concat()).ok();
    let names: Vec<_> = std::fs::read_dir(&output).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing is left over: {names:?}");
    (rows(&output.join("chunks.parquet")).0, rows(&output.join("packages.parquet")).0)
}

fn rows(path: &Path) -> (Rows, Arc<ParquetMetaData>) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let metadata = Arc::clone(reader.metadata());
    let rows = reader.build().unwrap().flat_map(|batch| rows_of(&batch.unwrap())).collect();
    (rows, metadata)
}

fn rows_of(batch: &RecordBatch) -> Rows {
    let schema = batch.schema();
    let row = |at: usize| {
        let cells = schema.fields().iter().zip(batch.columns());
        cells.map(|(field, column)| (field.name().clone(), cell(&**column, at))).collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

fn cell(column: &dyn Array, at: usize) -> Value {
    if column.is_null(at) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(at).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(at).into(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(at).into(),
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(at);
            (0..list.len()).map(|at| cell(&*list, at)).collect()
        }
        other => panic!("a column of {other}"),
    }
}

#[test]
fn chunks_are_what_a_listing_says() {
    compare_with_listing(&["testdata/demo"]);
    let Some(corpus) = corpus() else { return };
    let [content, global] = fixture(&corpus, "unversioned");
    let classes = compare_with_listing(&[&content, "-i", &global]);
    assert!(classes > 10, "{classes} chunks with a class");
}

/// Returns how many chunks have a class.
fn compare_with_listing(input: &[&str]) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let (chunks, packages) = catalog(input, folder.path());
    let listed = uncask(&[&["list", "--show-class", "--json", "--sort", "none"], input].concat()).ok().json();
    let listed = listed["chunks"].as_array().unwrap();
    assert_eq!(chunks.len(), listed.len());
    for (row, listed) in chunks.iter().zip(listed) {
        for (name, value) in listed.as_object().unwrap() {
            let is_package = listed["type"] == "package";
            let same = match name.as_str() {
                "ratio" => true,
                "class" if !is_package => true,
                _ => row[name] == *value,
            };
            assert!(same, "{name}: {value} in {row:?}");
        }
        let id = u64::from_str_radix(&row["id"].as_str().unwrap()[..16], 16).unwrap().swap_bytes();
        let package = row["package_id"].as_u64();
        assert!(package.is_none_or(|package| package == id), "{row:?}");
        assert_eq!(row["type"] == "package", packages.iter().any(|found| found["path"] == row["path"]));
    }
    chunks.iter().filter(|row| row["class"].is_string()).count()
}

#[test]
fn packages_say_what_they_refer_to() {
    let folder = tempfile::tempdir().unwrap();
    let links = Links {
        hard: &[("/Game/A", &["/Game/B", "/Game/Gone"]), ("/Game/B", &[])],
        soft: &[&["/Game/B"], &["/Game/A"]],
        ..Links::default()
    };
    let input = linked_with(folder.path(), links);
    let (chunks, packages) = catalog(&[input.to_str().unwrap()], folder.path());
    assert_eq!(chunks.len(), 3);
    insta::assert_snapshot!("catalog_packages", serde_json::to_string_pretty(&packages).unwrap());
}

#[test]
fn large_tables_are_written_in_row_groups() {
    const CHUNKS: u64 = 150_000;
    let mut sketch = Sketch::new(64 << 10);
    sketch.add(b"everybody's block");
    let first = sketch.toc.chunks.remove(0);
    let kind = ChunkKind::BulkData.to_wire(sketch.toc.version.chunk_kind_numbering()).unwrap();
    let chunk = |at| NewChunk { id: RawChunkId::new(at, 0, kind), ..first.clone() };
    sketch.toc.chunks.extend((1..=CHUNKS).map(chunk));
    let folder = tempfile::tempdir().unwrap();
    let input = sketch.write(folder.path());
    let (chunks, packages) = catalog(&[input.to_str().unwrap()], folder.path());
    assert_eq!((chunks.len() as u64, packages.len()), (CHUNKS, 0));
    let (_, metadata) = rows(&folder.path().join("catalog/chunks.parquet"));
    let groups: Vec<i64> = metadata.row_groups().iter().map(RowGroupMetaData::num_rows).collect();
    assert_eq!(groups, [1 << 17, i64::try_from(CHUNKS).unwrap() - (1 << 17)]);
    let facts = metadata.file_metadata().key_value_metadata().unwrap();
    assert!(
        facts.iter().any(|fact| fact.key == "schema" && fact.value.as_deref() == Some("uncask.catalog/1"))
    );
    let first = &chunks[0];
    assert_eq!((&first["path"], &first["size"], &first["class"]), (&Value::Null, &json!(17), &Value::Null));
}

#[test]
fn an_empty_selection_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("catalog");
    let ran = uncask(&["catalog", "testdata/demo", "-o", output.to_str().unwrap(), "*.nothing"]);
    assert_eq!((ran.code, output.exists()), (5, false), "{}", ran.err);
}

/// Sums, and one over lists, by DuckDB: `UNCASK_PYTHON` may name a Python that has it.
#[test]
fn another_reader_agrees() {
    let python = std::env::var_os("UNCASK_PYTHON").unwrap_or_else(|| "python3".into());
    let has_duckdb = Command::new(&python).args(["-c", "import duckdb"]).output();
    if !has_duckdb.is_ok_and(|output| output.status.success()) {
        return say("skipped, no DuckDB for Python (UNCASK_PYTHON): another_reader_agrees");
    }
    let folder = tempfile::tempdir().unwrap();
    let (chunks, packages) = catalog(&["testdata/demo"], folder.path());
    let script = "import duckdb, json
def row(query): return duckdb.sql(query).fetchall()[0]
chunks = row(\"SELECT count(*), sum(size), sum(stored) FROM 'catalog/chunks.parquet'\")
imports = row(\"SELECT count(*) FROM (SELECT unnest(imports) FROM 'catalog/packages.parquet')\")
joined = row(\"SELECT count(*) FROM 'catalog/packages.parquet' JOIN 'catalog/chunks.parquet' USING (package_id)\")
print(json.dumps([int(n) for n in chunks + imports + joined]))";
    let output = Command::new(&python).args(["-c", script]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let sum = |name: &str| chunks.iter().map(|row| row[name].as_u64().unwrap()).sum::<u64>();
    let imports: usize = packages.iter().filter_map(|row| row["imports"].as_array()).map(Vec::len).sum();
    let joined = chunks.iter().filter(|row| !row["package_id"].is_null());
    let joined =
        joined.filter(|row| packages.iter().any(|found| found["package_id"] == row["package_id"])).count();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found, json!([chunks.len(), sum("size"), sum("stored"), imports, joined]));
}

#[test]
fn a_name_instead_of_a_folder_is_that_of_the_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("demo.parquet");
    uncask(&["catalog", "testdata/demo", "-o", output.to_str().unwrap()]).ok();
    let (chunks, packages) = (rows(&output).0, rows(&folder.path().join("demo.packages.parquet")).0);
    assert!(!chunks.is_empty() && chunks.iter().all(|row| row.contains_key("container")));
    assert!(packages.iter().all(|row| row.contains_key("imports")));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
