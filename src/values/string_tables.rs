//! String tables: texts as assets, which an `FText` refers to by the table's path and a key.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::options::{ValueOptions, ValuesRead};
use crate::error::Result;
use crate::id::PackageObjectIndex;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::package::legacy::{Export, PackageIndex};
use crate::property::{FromValue, Object, Record, Scope, Value};
use crate::store::packages::Packages;
use std::sync::Arc;

/// `UStringTable`: a table of texts by key.
#[doc(alias = "UStringTable")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringTable {
    /// Table id in references: `/Game/Texts/ST_Menu.ST_Menu`.
    pub id: String,
    /// Localization namespace of its texts.
    pub namespace: String,
    /// Its texts, in file order.
    pub entries: Vec<TableEntry>,
    /// Index of the object among the exports of its package.
    pub export: usize,
}

/// A text of a string table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableEntry {
    /// Key of the text.
    pub key: String,
    /// The text, in the source language of the game.
    pub source: String,
}

/// Class name and path of string tables.
const CLASS: &str = "StringTable";
const CLASS_PATH: &str = "/Script/Engine/StringTable";

/// Reads every string table in some packages, in their order.
pub async fn string_tables(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    options: ValueOptions,
) -> Result<(Vec<StringTable>, Outcome<ValuesRead>)> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let mut found = Vec::new();
    let mut outcome = Outcome::of(Kind::Package);
    let done = |_: &mut Tally<'_, _>, _: &PackageInput, tables: Vec<StringTable>| {
        found.extend(tables);
        Ok(())
    };
    job.each(context, &mut outcome, |job, _, item| of_package(job, item), done).await?;
    outcome.done = job.finish(&mut outcome);
    Ok((found, outcome))
}

fn of_package(job: &PackageJob, item: &PackageInput) -> Worked<Vec<StringTable>> {
    // A cheap check before the costly decoding. The header of a zen package takes one block, the package all of them.
    let class = PackageObjectIndex::script(CLASS_PATH);
    if let Some(header) = job.library.names(item)
        && header.exports.iter().all(|export| export.class != class)
    {
        return Ok((Vec::new(), None));
    }
    let mut loaded = job.library.load(item)?;
    let mismatch = loaded.mismatch.take();
    let tables = in_package(&job.scope(&loaded));
    let scope = job.scope(&loaded);
    let count = loaded.package.exports.iter().filter(|export| is_table(&scope, export)).count();
    // A table that was not decoded may lack mappings: that is the only case in which the user has to know.
    if tables.len() < count {
        job.note_missing(&loaded);
    }
    Ok((tables, mismatch))
}

/// The string tables among a package's exports.
pub(super) fn in_package(scope: &Scope<'_>) -> Vec<StringTable> {
    let package = scope.package;
    let exports = package.exports.iter().enumerate();
    let tables = exports.filter(|(_, export)| is_table(scope, export));
    let table = |(at, export)| {
        let tail = Object::read(scope, export).tail;
        let index = PackageIndex::export(u32::try_from(at).ok()?)?;
        Some(StringTable {
            id: package.path(index, scope.name())?.to_string(),
            namespace: text(&tail, "TableNamespace")?,
            entries: tail.records("KeysToEntries").filter_map(entry).collect(),
            export: at,
        })
    };
    tables.filter_map(table).collect()
}

fn is_table(scope: &Scope<'_>, export: &Export) -> bool {
    scope.package.class_path(export).rsplit('.').next() == Some(CLASS)
}

fn entry(record: &Record) -> Option<TableEntry> {
    Some(TableEntry { key: text(record, "Key")?, source: text(record, "Value")? })
}

fn text(record: &Record, field: &str) -> Option<String> {
    <&str>::from_value(record.get(field)?).map(str::to_owned)
}

/// Replaces texts of a string table, by the positions of their entries.
pub(super) fn set_entries(table: &mut Object, texts: &[(usize, String)]) {
    let entries = table.tail.fields.iter_mut().find(|(field, _)| *field == "KeysToEntries");
    let Some((_, Value::Array(entries))) = entries else { return };
    for (place, text) in texts {
        let Some(Value::Struct(entry)) = entries.get_mut(*place) else { continue };
        let crate::property::Body::Native(record) = &mut entry.body else { continue };
        if let Some((_, value)) = record.fields.iter_mut().find(|(field, _)| *field == "Value") {
            *value = Value::Str(Box::new(text.clone().into()));
        }
    }
}
