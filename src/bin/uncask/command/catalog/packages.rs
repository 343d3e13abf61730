//! `packages.parquet`: one row per package, with its references.

use super::chunks::signed;
use crate::shared::table::{Column, GROUP, Repeats, Table, list_of, repeated_names};
use arrow_array::builder::{ListBuilder, StringDictionaryBuilder, UInt64Builder};
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, Int64Array, StringArray, UInt64Array};
use arrow_schema::{DataType, Field};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use uncask::game::{Cpu, Entry, Game, Link, LinkKind, Sink};
use uncask::id::PackageId;

/// Names, types and order of the columns. New ones are added at the end; any other change raises the schema number.
fn columns() -> [Column; 10] {
    use DataType::{Int64, UInt64, Utf8};
    [
        Column::new("package_id", UInt64, false, Repeats::Never),
        Column::new("name", Utf8, true, Repeats::AtTheStart),
        Column::new("path", Utf8, true, Repeats::AtTheStart),
        Column::new("class", Utf8, true, Repeats::Often),
        Column::new("container", Utf8, false, Repeats::Often),
        Column::new("size", Int64, false, Repeats::Nearly),
        Column::new("chunks", Int64, false, Repeats::Nearly),
        Column::new("imports", list_of(repeated_names()), true, Repeats::Often),
        Column::new("import_ids", list_of(UInt64), true, Repeats::Often),
        Column::new("soft_references", list_of(repeated_names()), true, Repeats::Often),
    ]
}

/// A package.
struct Row {
    id: PackageId,
    name: Option<String>,
    path: Option<String>,
    container: String,
    size: u64,
    /// Its references; `None` if unknown.
    links: Option<Links>,
}

/// References of a package.
struct Links {
    imports: Vec<Named>,
    /// Soft references.
    soft: Vec<Named>,
}

/// A referenced package, by name, or by its id in digits.
struct Named {
    id: PackageId,
    name: Arc<str>,
}

/// Cache of names of referenced packages: many packages refer to the same ones, so each name is stored once.
#[derive(Default)]
struct Names {
    known: Mutex<HashMap<PackageId, Arc<str>>>,
}

impl Names {
    fn get_or(&self, id: PackageId, find: impl FnOnce() -> String) -> Arc<str> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&id) {
            return Arc::clone(known);
        }
        // Not under the lock: finding a name may read a header. If two threads find it, the first one's text is kept.
        let found = find().into();
        Arc::clone(lock().entry(id).or_insert(found))
    }
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
    // Counted over the whole selection, since a package's bulk data may be anywhere in it.
    let owned = count_chunks(game, entries);
    let chosen: Vec<Entry> = entries.iter().copied().filter(|entry| game.at(*entry).is_package()).collect();
    for entries in chosen.chunks(GROUP) {
        // A new cache per group, to bound memory.
        let names = Names::default();
        let rows: Vec<Row> =
            cpu.map(entries, |entry| row(game, *entry, &names)).into_iter().flatten().collect();
        table.write(arrays(&rows, classes, &owned))?;
    }
    Ok(table)
}

/// Number of chunks per package.
fn count_chunks(game: &Game, entries: &[Entry]) -> HashMap<PackageId, i64> {
    let mut counts = HashMap::new();
    for id in entries.iter().filter_map(|entry| game.at(*entry).package_id()) {
        *counts.entry(id).or_default() += 1;
    }
    counts
}

fn row(game: &Game, entry: Entry, names: &Names) -> Option<Row> {
    let packages = game.packages();
    let container = game.at(entry).container()?;
    let id = game.at(entry).id().package();
    // Built only if some name is not found in another way.
    let own_list = OnceCell::new();
    let linked = |link: &Link| {
        let listed = |id: &PackageId| {
            own_list.get_or_init(|| packages.names_in_importer(entry)).get(id).map(ToString::to_string)
        };
        let find = || packages.name(link.id).or_else(|| listed(&link.id));
        Named { id: link.id, name: names.get_or(link.id, || find().unwrap_or_else(|| link.id.to_string())) }
    };
    let links = packages.links_of(id).map(|links| {
        // Optional imports count as imports, too.
        let (soft, imports): (Vec<Link>, Vec<Link>) =
            links.into_iter().partition(|link| link.kind == LinkKind::Soft);
        Links { imports: imports.iter().map(linked).collect(), soft: soft.iter().map(linked).collect() }
    });
    Some(Row {
        id,
        name: packages.name(id),
        path: game.at(entry).path(),
        container: container.name(),
        size: container.table().chunk_len(entry.chunk),
        links,
    })
}

fn arrays(
    rows: &[Row],
    classes: &HashMap<PackageId, String>,
    owned: &HashMap<PackageId, i64>,
) -> Vec<ArrayRef> {
    vec![
        Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.id.0))),
        Arc::new(rows.iter().map(|row| row.name.as_deref()).collect::<StringArray>()),
        Arc::new(rows.iter().map(|row| row.path.as_deref()).collect::<StringArray>()),
        Arc::new(rows.iter().map(|row| classes.get(&row.id)).collect::<StringArray>()),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.container))),
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| signed(row.size)))),
        Arc::new(Int64Array::from_iter_values(
            rows.iter().map(|row| owned.get(&row.id).copied().unwrap_or_default()),
        )),
        names(rows, |links| &links.imports),
        ids(rows),
        names(rows, |links| &links.soft),
    ]
}

/// A list of names per row.
fn names(rows: &[Row], of: fn(&Links) -> &[Named]) -> ArrayRef {
    // The builder has to declare its items exactly as the schema does, or the batch is refused.
    let item = Field::new_list_field(repeated_names(), false);
    let mut lists = ListBuilder::new(StringDictionaryBuilder::<UInt32Type>::new()).with_field(item);
    for row in rows {
        for named in row.links.iter().flat_map(of) {
            lists.values().append_value(&*named.name);
        }
        // Unknown references are null, which is not the same as an empty list.
        lists.append(row.links.is_some());
    }
    Arc::new(lists.finish())
}

/// A list of import ids per row.
fn ids(rows: &[Row]) -> ArrayRef {
    let item = Field::new_list_field(DataType::UInt64, false);
    let mut lists = ListBuilder::new(UInt64Builder::new()).with_field(item);
    for row in rows {
        let ids = row.links.as_ref().map(|links| links.imports.iter().map(|named| Some(named.id.0)));
        lists.append_option(ids);
    }
    Arc::new(lists.finish())
}
