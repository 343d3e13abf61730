//! The import table of the cooker's file, as text.

use super::class::{CORE, Class, Guess};
use super::loss::Loss;
use crate::id::{ObjectRef, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::legacy::PackageIndex;
use crate::package::placeholder;
use foldhash::HashMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// An import, as text.
#[derive(Debug, Clone)]
pub(super) struct ImportRow {
    /// What the zen package has; null for packages, and for rows that were added.
    pub index: PackageObjectIndex,
    pub path: ObjectPath,
    pub class_package: Arc<str>,
    pub class_name: Arc<str>,
    pub outer: PackageIndex,
}

impl ImportRow {
    pub(super) fn new(index: PackageObjectIndex, path: ObjectPath) -> Self {
        let (class_package, class_name) = Default::default();
        Self { index, path, class_package, class_name, outer: PackageIndex::NONE }
    }

    /// Name of the object; of a package, its full name.
    pub(super) fn name(&self) -> &str {
        self.path.name()
    }

    pub(super) fn is_package(&self) -> bool {
        self.path.names().is_empty()
    }

    /// Whether it is native: no package of the game has it.
    pub(super) fn is_native(&self) -> bool {
        self.path.package().starts_with("/Script/")
    }

    /// Whether its name only stands for one that is not known.
    pub(super) fn is_unknown(&self) -> bool {
        placeholder::is_object(self.name())
    }

    /// Whether it belongs to the core, which is always loaded.
    pub(super) fn is_core(&self) -> bool {
        self.path.package().eq_ignore_ascii_case(CORE)
    }
}

/// All rows.
#[derive(Debug, Default)]
pub(super) struct Imports {
    pub rows: Vec<ImportRow>,
    /// The first place of a package; what the sorted table has before and after it is of different classes.
    pub first_package: usize,
    by_index: HashMap<PackageObjectIndex, PackageIndex>,
    /// Row of each path, by a hash of it in lower case.
    by_path: HashMap<u128, PackageIndex>,
    /// For each row that has some, the rows it is the outer of.
    children: HashMap<PackageIndex, Vec<PackageIndex>>,
    /// Rows whose class is only likely.
    pub guesses: Vec<Guess>,
}

impl Imports {
    /// A table of these rows, and of the objects that they lie in.
    pub(super) fn new(rows: Vec<ImportRow>) -> Self {
        let mut this = Self { rows, ..Self::default() };
        for at in 0..this.rows.len() {
            this.register(at);
        }
        this.link();
        this.first_package = this.rows.iter().position(ImportRow::is_package).unwrap_or(usize::MAX);
        this
    }

    /// Makes a row findable.
    fn register(&mut self, at: usize) {
        let index = u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default();
        let Some(row) = self.rows.get(at) else { return };
        if !row.index.is_null() {
            self.by_index.entry(row.index).or_insert(index);
        }
        self.by_path.entry(key(&row.path)).or_insert(index);
    }

    /// Finds the outer of every row, and adds those that are missing: packages know only objects that they import.
    fn link(&mut self) {
        let mut at = 0;
        while let Some(row) = self.rows.get(at) {
            if let Some(outer) = row.path.outer() {
                let key = key(&outer);
                if !self.by_path.contains_key(&key) {
                    self.rows.push(ImportRow::new(PackageObjectIndex::NULL, outer));
                    self.register(self.rows.len() - 1);
                }
                let own = u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default();
                let outer = self.by_path.get(&key).copied().unwrap_or_default();
                self.children.entry(outer).or_default().push(own);
                if let Some(row) = self.rows.get_mut(at) {
                    row.outer = outer;
                }
            }
            at += 1;
        }
    }

    /// The package index of what an object index of the zen package refers to.
    pub(super) fn index_of(&self, index: PackageObjectIndex) -> PackageIndex {
        match index.decode() {
            ObjectRef::Export(export) => PackageIndex::export(export).unwrap_or_default(),
            _ => self.by_index.get(&index).copied().unwrap_or_default(),
        }
    }

    /// The import with this path.
    pub(super) fn find(&self, path: &ObjectPath) -> Option<PackageIndex> {
        self.by_path.get(&key(path)).copied()
    }

    /// The row that a package index refers to.
    pub(super) fn get(&self, index: PackageIndex) -> Option<&ImportRow> {
        let at = index.0.checked_add(1).filter(|at| *at <= 0)?;
        self.rows.get(at.unsigned_abs() as usize)
    }

    /// Gives a row its class.
    pub(super) fn set_class(&mut self, at: usize, (package, name): Class) {
        if let Some(row) = self.rows.get_mut(at) {
            (row.class_package, row.class_name) = (package, name);
        }
    }

    /// Imports that lie in another one, in the order of the table.
    pub(super) fn children(&self, index: PackageIndex) -> &[PackageIndex] {
        self.children.get(&index).map_or(&[], Vec::as_slice)
    }

    /// The classes that are only likely.
    pub(super) fn guesses(&self) -> impl Iterator<Item = Loss> {
        let rows = self.guesses.iter().filter_map(|guess| self.rows.get(guess.at));
        rows.map(|row| Loss::ImportClass {
            import: row.path.clone(),
            class: ObjectPath::new(Arc::clone(&row.class_package), [Arc::clone(&row.class_name)]),
        })
    }

    /// Every text that has to be a name.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().flat_map(|row| [&*row.class_package, &*row.class_name, row.name()])
    }
}

/// What paths are compared by: a hash, for a path is as long as its names, and letter case does not count.
pub(super) fn key(path: &ObjectPath) -> u128 {
    let mut text = path.text();
    text.make_ascii_lowercase();
    xxh3_128(text.as_bytes())
}
