//! Entries, as columns.

use crate::compare::usage::{NO_CLASS, UsageRow};
use crate::store::{Entry, Store};
use std::collections::HashMap;

/// Folders, in walk order. The first one is the root: it has no name, and is its own parent.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Folders {
    /// Number of each folder's parent.
    pub parent: Vec<u32>,
    /// Name number of each folder, without its parents.
    pub name: Vec<u32>,
}

/// Entries, as columns with one value per entry.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Columns {
    /// Number of the folder.
    pub folder: Vec<u32>,
    /// Number of the name, without folders.
    pub name: Vec<u32>,
    /// Row of the type.
    #[serde(rename = "type")]
    pub kind: Vec<u32>,
    /// Row of the class; empty if classes were not requested.
    pub class: Vec<u32>,
    /// Row of the container.
    pub container: Vec<u32>,
    /// Uncompressed bytes.
    pub raw: Vec<u64>,
    /// Stored bytes.
    pub stored: Vec<u64>,
}

impl Columns {
    pub(super) fn new(
        store: &Store,
        entries: &[Entry],
        (folder, name): (Vec<u32>, Vec<u32>),
        numbers: &Numbers<'_>,
        class_of: Option<&dyn Fn(Entry) -> Option<String>>,
    ) -> Self {
        let mut columns = Self { folder, name, ..Self::default() };
        let containers: Vec<u32> = store
            .containers()
            .iter()
            .map(|container| number(&numbers.containers, &container.name()))
            .collect();
        for entry in entries {
            columns.kind.push(number(&numbers.types, store.chunk(*entry).kind().name()));
            columns.container.push(containers.get(entry.container).copied().unwrap_or_default());
            columns.raw.push(store.chunk(*entry).len());
            columns.stored.push(super::super::usage::stored(store, *entry));
            if let Some(class_of) = class_of {
                let class = class_of(*entry);
                columns.class.push(number(&numbers.classes, class.as_deref().unwrap_or(NO_CLASS)));
            }
        }
        columns
    }
}

/// Row numbers by name.
pub(super) struct Numbers<'a> {
    types: HashMap<&'a str, u32>,
    classes: HashMap<&'a str, u32>,
    containers: HashMap<&'a str, u32>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(types: &'a [UsageRow], classes: &'a [UsageRow], containers: &'a [UsageRow]) -> Self {
        let number =
            |rows: &'a [UsageRow]| (0..).zip(rows).map(|(at, row)| (row.name.as_str(), at)).collect();
        Self { types: number(types), classes: number(classes), containers: number(containers) }
    }
}

/// Row number of a name. Every name comes from the entries summed up in the table, so it exists.
fn number(rows: &HashMap<&str, u32>, name: &str) -> u32 {
    rows.get(name).copied().unwrap_or_default()
}
