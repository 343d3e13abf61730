//! Data of the overview page: sums, all entries as columns, and chunks stored twice.
//!
//! ```text
//! names     ""  Game  Maps  Textures  Start.umap  T_A…  T_B…      each name once
//! folders   name   0   1     2     3            in the order of a walk: all that is below a folder
//!           parent  0     0     1         1     follows it, up to the next one that is not
//! entries   folder  2            3        3     one value for each entry in every column,
//!           name    4            5        6     ordered by folder, then by name
//!           type    0            1        1     numbers of `types`, `classes`, `containers`, `methods`
//!           …
//! ```
//!
//! A path is recorded once per folder, not once per entry, and columns compress well: a page with hundreds of thousands
//! of entries stays small.

mod columns;
mod duplicates;
mod walk;

pub use columns::{Columns, Folders};
pub use duplicates::Duplicate;

use super::usage::{By, Usage, UsageRow, usage};
use crate::store::{Entry, Store};
use columns::Numbers;
use std::sync::Arc;
use walk::Walk;

/// Data of the overview page.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Overview {
    /// Sizes of all entries.
    pub total: Usage,
    /// Number of packages.
    pub packages: u64,
    /// Sizes by chunk type, largest stored size first, like all rows here.
    pub types: Vec<UsageRow>,
    /// Sizes by class of the package's main object, if requested.
    pub classes: Vec<UsageRow>,
    /// Sizes by container.
    pub containers: Vec<UsageRow>,
    /// Sizes by compression method, counted in blocks.
    pub methods: Vec<UsageRow>,
    /// Names of folders and entries.
    #[serde(serialize_with = "texts")]
    pub names: Vec<Arc<str>>,
    /// Folders that the entries lie in.
    pub folders: Folders,
    /// The entries.
    pub entries: Columns,
    /// Chunks stored more than once, most wasted bytes first.
    pub duplicates: Vec<Duplicate>,
}

/// Collects the overview of some chunks, from tables of contents alone. `class_of` returns the class of a chunk's
/// package; without it there are no classes.
#[must_use]
pub fn overview(
    store: &Store,
    entries: &[Entry],
    class_of: Option<&dyn Fn(Entry) -> Option<String>>,
) -> Overview {
    let sums = |by: By| usage(store, entries, by, 1, |entry| class_of.and_then(|class| class(entry)));
    let (types, containers, methods) = (sums(By::Type), sums(By::Container), sums(By::Method));
    let classes = if class_of.is_some() { sums(By::Class) } else { Vec::new() };
    let numbers = Numbers::new(&types, &classes, &containers);
    let Walk { entries: order, folder, name, folders, names } = Walk::new(store, entries);
    // Columns store row numbers, so the sums have to come first.
    let columns = Columns::new(store, &order, (folder, name), &numbers, class_of);
    let duplicates = duplicates::duplicates(store, &order);
    let is_package = |entry: &&Entry| store.chunk(**entry).is_package();
    Overview {
        total: types.iter().map(|row| row.usage).sum(),
        packages: entries.iter().filter(is_package).count() as u64,
        types,
        classes,
        containers,
        methods,
        names,
        folders,
        entries: columns,
        duplicates,
    }
}

/// Serializes a list of texts.
fn texts<S: serde::Serializer>(texts: &[Arc<str>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(texts.iter().map(|text| &**text))
}
