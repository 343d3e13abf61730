//! Disk usage: raw and stored sizes by folder, type, class, container or method.

use crate::store::{Entry, Store};
use crate::table::{BlockSum, Table};
use std::collections::BTreeMap;

/// Key by which sizes are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// Folder, with the folders around it.
    Folder,
    /// Type of chunk.
    Type,
    /// Class of the package's main object.
    Class,
    /// Container.
    Container,
    /// Compression method, block by block.
    Method,
}

/// Total size of some chunks.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Usage {
    /// Number of chunks; by method, of blocks.
    pub count: u64,
    /// Uncompressed bytes.
    pub raw: u64,
    /// Stored bytes.
    pub stored: u64,
}

/// A row of the result.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UsageRow {
    /// Name of the folder without its parents, type, class, container or method.
    pub name: String,
    /// Number of enclosing folders that are rows, too.
    pub depth: u32,
    /// Total size of its content.
    #[serde(flatten)]
    pub usage: Usage,
}

/// Name of the row for chunks without a class.
pub(crate) const NO_CLASS: &str = "(no class)";
/// Name of the row for chunks outside any folder.
pub(crate) const NO_FOLDER: &str = "(no folder)";

/// Sums up the sizes of chunks. Rows are sorted by stored size, largest first, each folder directly followed by its
/// subfolders, up to `depth` levels. `class_of` is only called for [`By::Class`].
pub fn usage(
    store: &Store,
    entries: &[Entry],
    by: By,
    depth: u32,
    class_of: impl Fn(Entry) -> Option<String>,
) -> Vec<UsageRow> {
    let mut tree = Node::default();
    for entry in entries {
        // Container headers and global data are counted as any other chunk.
        let usage = Usage { count: 1, raw: store.chunk(*entry).len(), stored: stored(store, *entry) };
        match by {
            By::Folder => {
                let path = store.display_path(*entry);
                let folder = path.rsplit_once('/').map_or(NO_FOLDER, |(folder, _)| folder);
                tree.add(folder.split('/').take(depth as usize), usage);
            }
            By::Type => tree.add([store.chunk(*entry).kind().name()], usage),
            By::Class => tree.add([class_of(*entry).as_deref().unwrap_or(NO_CLASS)], usage),
            By::Container => {
                let name = store.container(*entry).map(|container| container.name());
                tree.add(name.as_deref(), usage);
            }
            By::Method => by_method(store, *entry, &mut tree),
        }
    }
    let mut rows = Vec::new();
    tree.flatten(0, &mut rows);
    rows
}

/// Sums up the sizes of things by their folders, or by any other path; the rows are as those of [`usage`].
pub fn usage_rows<'a, P: IntoIterator<Item = &'a str>>(
    items: impl IntoIterator<Item = (P, Usage)>,
) -> Vec<UsageRow> {
    let mut tree = Node::default();
    for (path, usage) in items {
        tree.add(path, usage);
    }
    let mut rows = Vec::new();
    tree.flatten(0, &mut rows);
    rows
}

/// Sum of top-level rows.
impl std::iter::Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, usage| {
            sum.add(usage);
            sum
        })
    }
}

impl Usage {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        // A crafted table may name the same bytes again and again, beyond any sum.
        self.raw = self.raw.saturating_add(other.raw);
        self.stored = self.stored.saturating_add(other.stored);
    }
}

#[derive(Default)]
struct Node {
    usage: Usage,
    children: BTreeMap<String, Node>,
}

impl Node {
    fn add<'a>(&mut self, path: impl IntoIterator<Item = &'a str>, usage: Usage) {
        let mut node = self;
        node.usage.add(usage);
        for name in path {
            // `entry` would need an owned key for each look-up, and most names exist already.
            if !node.children.contains_key(name) {
                node.children.insert(name.to_owned(), Self::default());
            }
            // It was inserted above if it was missing.
            let Some(child) = node.children.get_mut(name) else { return };
            child.usage.add(usage);
            node = child;
        }
    }

    fn flatten(self, depth: u32, rows: &mut Vec<UsageRow>) {
        let mut children: Vec<(String, Self)> = self.children.into_iter().collect();
        // Largest first; equal sizes by name, so that the order is reproducible.
        children.sort_by(|(a, x), (b, y)| (y.usage.stored, a).cmp(&(x.usage.stored, b)));
        for (name, node) in children {
            rows.push(UsageRow { name, depth, usage: node.usage });
            node.flatten(depth + 1, rows);
        }
    }
}

/// Stored length of a chunk, in bytes.
pub(super) fn stored(store: &Store, entry: Entry) -> u64 {
    let storage = store.container(entry).and_then(|container| container.table().storage(entry.chunk));
    storage.map_or(0, |storage| storage.stored_len)
}

/// Adds a chunk's blocks by method: a block that does not shrink is stored uncompressed.
fn by_method(store: &Store, entry: Entry, tree: &mut Node) {
    let Some(toc): Option<&Table> = store.container(entry).map(|container| &**container.table()) else {
        return;
    };
    for BlockSum { method, count, raw_len: raw, stored_len: stored } in toc.block_sums(entry.chunk) {
        tree.add([toc.methods().name(method).unwrap_or("?")], Usage { count, raw, stored });
    }
}
