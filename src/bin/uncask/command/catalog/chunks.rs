//! `chunks.parquet`: one row per chunk.

use crate::shared::chunk_row::{ChunkRow, Class};
use crate::shared::table::{Column, GROUP, Repeats, Table};
use arrow_array::{ArrayRef, Int64Array, StringArray, UInt64Array};
use arrow_schema::DataType;
use std::collections::HashMap;
use std::sync::Arc;
use uncask::game::{Cpu, Entry, Game, Sink};
use uncask::id::PackageId;

/// Names, types and order of the columns. New ones are added at the end; any other change raises the schema number.
fn columns() -> [Column; 13] {
    use DataType::{Int64, UInt64, Utf8};
    [
        Column::new("path", Utf8, true, Repeats::AtTheStart),
        Column::new("id", Utf8, false, Repeats::Never),
        Column::new("type", Utf8, false, Repeats::Often),
        Column::new("package_id", UInt64, true, Repeats::Never),
        Column::new("class", Utf8, true, Repeats::Often),
        Column::new("size", Int64, false, Repeats::Nearly),
        Column::new("stored", Int64, false, Repeats::Nearly),
        Column::new("method", Utf8, false, Repeats::Often),
        Column::new("container", Utf8, false, Repeats::Often),
        Column::new("partition", Int64, false, Repeats::Nearly),
        Column::new("offset", Int64, false, Repeats::Nearly),
        Column::new("hash", Utf8, true, Repeats::Never),
        Column::new("overridden_by", Utf8, true, Repeats::Often),
    ]
}

/// Writes all rows; the caller commits the file.
pub(super) fn write(
    sink: &dyn Sink,
    name: &str,
    game: &Game,
    entries: &[Entry],
    classes: &HashMap<PackageId, String>,
    cpu: &Cpu,
) -> anyhow::Result<Table> {
    let mut table = Table::create(sink, name, &columns(), &[("schema", "uncask.catalog/1")])?;
    let names: Vec<String> = game.containers().iter().map(|container| container.name()).collect();
    // Rows borrow their paths from these buffers, which are reused for each group.
    let mut paths = vec![String::new(); entries.len().min(GROUP)];
    for entries in entries.chunks(GROUP) {
        let row = |(entry, path): (&Entry, _)| {
            let Entry { container, .. } = *entry;
            let container = names.get(container).map_or("", String::as_str);
            // Classes have a column of their own here, filled from the map below.
            ChunkRow::new(game, *entry, Class::default(), container, true, path)
        };
        let rows: Vec<ChunkRow<'_>> = cpu.map(entries.iter().zip(&mut paths), row);
        table.write(arrays(game, entries, &rows, classes))?;
    }
    Ok(table)
}

fn arrays(
    game: &Game,
    entries: &[Entry],
    rows: &[ChunkRow<'_>],
    classes: &HashMap<PackageId, String>,
) -> Vec<ArrayRef> {
    // A closure per column keeps the order of arrays and columns side by side.
    let texts = |value: &dyn Fn(&ChunkRow<'_>) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(value)))
    };
    let numbers = |value: fn(&ChunkRow<'_>) -> u64| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| signed(value(row)))))
    };
    let packages = || entries.iter().map(|entry| game.at(*entry).package_id());
    let class = |id: Option<PackageId>| Some(classes.get(&id?)?.as_str());
    vec![
        Arc::new(rows.iter().map(|row| row.path).collect::<StringArray>()),
        texts(&|row| row.id.to_string()),
        texts(&|row| row.kind.to_owned()),
        Arc::new(packages().map(|id| id.map(|id| id.0)).collect::<UInt64Array>()),
        Arc::new(packages().map(class).collect::<StringArray>()),
        numbers(|row| row.size),
        numbers(|row| row.stored),
        texts(&|row| row.method.to_string()),
        texts(&|row| row.container.to_owned()),
        numbers(|row| row.partition),
        numbers(|row| row.offset),
        Arc::new(rows.iter().map(|row| row.hash.map(|hash| hash.to_string())).collect::<StringArray>()),
        Arc::new(rows.iter().map(|row| row.overridden_by.as_deref()).collect::<StringArray>()),
    ]
}

/// Converts a size to a signed SQL integer. Sizes of 2⁶³ and more only come from crafted tables, and become the largest
/// number.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
