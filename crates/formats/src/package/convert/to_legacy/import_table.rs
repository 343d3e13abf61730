//! The import table of the cooker's file, in text form.

use super::class::{CORE, Class, Guess};
use super::loss::Loss;
use crate::id::{ObjectRef, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::legacy::PackageIndex;
use crate::package::placeholder;
use foldhash::HashMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// An import in text form.
#[derive(Debug, Clone)]
pub(super) struct ImportRow {
    /// Index in the zen package; null for packages and for added rows.
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

    /// Returns the object name; for a package, its full name.
    pub(super) fn name(&self) -> &str {
        self.path.name()
    }

    pub(super) fn is_package(&self) -> bool {
        self.path.names().is_empty()
    }

    /// Returns true for native objects, which are in no package of the game.
    pub(super) fn is_native(&self) -> bool {
        self.path.package().starts_with("/Script/")
    }

    /// Returns true if the name is a placeholder.
    pub(super) fn is_unknown(&self) -> bool {
        placeholder::is_object(self.name())
    }

    /// Returns true if it belongs to the core package, which is always loaded.
    pub(super) fn is_core(&self) -> bool {
        self.path.package().eq_ignore_ascii_case(CORE)
    }
}

/// The import table.
#[derive(Debug, Default)]
pub(super) struct Imports {
    pub rows: Vec<ImportRow>,
    /// Index of the first package; the sorted table has different classes before and after it.
    pub first_package: usize,
    by_index: HashMap<PackageObjectIndex, PackageIndex>,
    /// Row of each path, by a hash of its lower-case text.
    by_path: HashMap<u128, PackageIndex>,
    /// Rows that lie in each row.
    children: HashMap<PackageIndex, Vec<PackageIndex>>,
    /// Rows with a guessed class.
    pub guesses: Vec<Guess>,
}

impl Imports {
    /// Creates a table of these rows and their outer objects.
    pub(super) fn new(rows: Vec<ImportRow>) -> Self {
        let mut this = Self { rows, ..Self::default() };
        for at in 0..this.rows.len() {
            this.register(at);
        }
        this.link();
        this.first_package = this.rows.iter().position(ImportRow::is_package).unwrap_or(usize::MAX);
        this
    }

    /// Adds a row to the lookups.
    fn register(&mut self, at: usize) {
        let index = u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default();
        let Some(row) = self.rows.get(at) else { return };
        if !row.index.is_null() {
            // Repeated imports resolve to the first row.
            self.by_index.entry(row.index).or_insert(index);
        }
        self.by_path.entry(key(&row.path)).or_insert(index);
    }

    /// Links every row to its outer, and adds missing outers: packages list only the objects they import.
    fn link(&mut self) {
        let mut at = 0;
        // Added rows are visited, too, so outers of outers are found.
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

    /// Converts an object index of the zen package to a package index.
    pub(super) fn index_of(&self, index: PackageObjectIndex) -> PackageIndex {
        match index.decode() {
            ObjectRef::Export(export) => PackageIndex::export(export).unwrap_or_default(),
            _ => self.by_index.get(&index).copied().unwrap_or_default(),
        }
    }

    /// Finds the import with this path.
    pub(super) fn find(&self, path: &ObjectPath) -> Option<PackageIndex> {
        self.by_path.get(&key(path)).copied()
    }

    /// Returns the row of a package index.
    pub(super) fn get(&self, index: PackageIndex) -> Option<&ImportRow> {
        // Imports are negative: −1 is row 0.
        let at = index.0.checked_add(1).filter(|at| *at <= 0)?;
        self.rows.get(at.unsigned_abs() as usize)
    }

    /// Assigns the class of a row.
    pub(super) fn set_class(&mut self, at: usize, (package, name): Class) {
        if let Some(row) = self.rows.get_mut(at) {
            (row.class_package, row.class_name) = (package, name);
        }
    }

    /// Returns the imports inside another one, in table order.
    pub(super) fn children(&self, index: PackageIndex) -> &[PackageIndex] {
        self.children.get(&index).map_or(&[], Vec::as_slice)
    }

    /// Returns the guessed classes as losses.
    pub(super) fn guesses(&self) -> impl Iterator<Item = Loss> {
        let rows = self.guesses.iter().filter_map(|guess| self.rows.get(guess.at));
        rows.map(|row| Loss::ImportClass {
            import: row.path.clone(),
            class: ObjectPath::new(Arc::clone(&row.class_package), [Arc::clone(&row.class_name)]),
        })
    }

    /// Returns every text that has to be in the name table.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().flat_map(|row| [&*row.class_package, &*row.class_name, row.name()])
    }
}

/// Returns the lookup key of a path: a hash, since paths are long and compared without case.
pub(super) fn key(path: &ObjectPath) -> u128 {
    let mut text = path.text();
    text.make_ascii_lowercase();
    xxh3_128(text.as_bytes())
}
