//! The chunks of a game in path order, with facts about each.

use super::paths::{Paths, normal};
use crate::game::{CancelToken, Entry, Game};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The winning chunks of a game, in path order.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub paths: Paths,
    entries: Vec<Entry>,
    /// Row numbers, sorted by entry.
    by_entry: OnceLock<Vec<u32>>,
    classes: Classes,
}

/// Class names, and the class of each chunk, as far as headers were read.
#[derive(Debug, Default)]
struct Classes {
    names: std::sync::Mutex<Vec<String>>,
    /// Class number per row: 0 if unknown, 1 for none, else the position of the name plus 2.
    of: Vec<AtomicU32>,
}

const NOT_READ: u32 = 0;
const NO_CLASS: u32 = 1;

impl Index {
    /// The index of a game; `None` if cancelled. Chunks beyond the range of 32-bit row numbers are left out.
    pub(super) fn new(game: &Game, cancel: &CancelToken) -> Option<Self> {
        let path = |entry: &Entry| {
            (!cancel.is_cancelled()).then(|| (normal(&game.at(*entry).display_path()), *entry))
        };
        // Making millions of paths takes seconds, so it runs on all threads and can be cancelled.
        let sorted = game.cpu().map(game.entries(), path);
        let mut sorted: Vec<(String, Entry)> = sorted.into_iter().collect::<Option<_>>()?;
        sorted.truncate(u32::MAX as usize);
        // Equal paths are ordered by entry, that is, by priority of their containers.
        sorted.sort_unstable_by(|(a, at), (b, other)| a.cmp(b).then(at.cmp(other)));
        let paths = sorted.iter().map(|(path, entry)| (path.as_str(), game.at(*entry).len()));
        let mut this = Self {
            paths: Paths::new(paths),
            entries: sorted.iter().map(|(_, entry)| *entry).collect(),
            ..Self::default()
        };
        // Classes are filled in later, as headers are read; atomics allow that without a lock.
        this.classes.of.resize_with(sorted.len(), || AtomicU32::new(NOT_READ));
        Some(this)
    }

    /// Number of chunks.
    pub(super) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// The chunk in a row.
    pub(super) fn entry(&self, row: usize) -> Option<Entry> {
        self.entries.get(row).copied()
    }

    /// The row of a chunk. The first call sorts all entries.
    pub(super) fn row(&self, entry: Entry) -> Option<usize> {
        // Only needed for links between packages, so it is not built when a game is opened.
        let by_entry = self.by_entry.get_or_init(|| {
            let mut rows: Vec<u32> = (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).collect();
            rows.sort_unstable_by_key(|row| self.entry(*row as usize));
            rows
        });
        let at = by_entry.binary_search_by_key(&Some(entry), |row| self.entry(*row as usize)).ok()?;
        by_entry.get(at).map(|row| *row as usize)
    }

    /// True if the class of a chunk is known, even if it has none.
    pub(super) fn knows_class(&self, row: usize) -> bool {
        self.class_number(row) != NOT_READ
    }

    fn class_number(&self, row: usize) -> u32 {
        // Relaxed suffices: the number stands for itself, and names are behind a lock.
        self.classes.of.get(row).map_or(NO_CLASS, |class| class.load(Ordering::Relaxed))
    }

    /// Numbers of the classes with a matching name, for `has_class`.
    pub(super) fn classes_like(&self, is_meant: impl Fn(&str) -> bool) -> Vec<u32> {
        let names = self.class_names();
        let numbered = (NO_CLASS + 1..).zip(&*names).filter(|(_, name)| is_meant(name));
        numbered.map(|(number, _)| number).collect()
    }

    /// True if the class of a chunk is one of these.
    pub(super) fn has_class(&self, row: usize, classes: &[u32]) -> bool {
        classes.contains(&self.class_number(row))
    }

    /// The class of a package's main object, read from its header.
    pub(super) fn class(&self, game: &Game, row: usize) -> Option<String> {
        match self.class_number(row) {
            NOT_READ => {}
            NO_CLASS => return None,
            number => return self.class_names().get((number - NO_CLASS - 1) as usize).cloned(),
        }
        let entry = self.entry(row)?;
        // Other chunks have no class, which is recorded as well, so that they are asked only once.
        let is_package = game.at(entry).is_package() || game.at(entry).is_cooked_header();
        let class = is_package.then(|| game.packages().main_class(entry)).flatten();
        let number = class.as_deref().map_or(NO_CLASS, |class| self.number(class));
        self.classes.of.get(row)?.store(number, Ordering::Relaxed);
        class
    }

    fn number(&self, class: &str) -> u32 {
        let mut names = self.class_names();
        // Games have some hundreds of classes, so a linear search will do.
        let at = names.iter().position(|name| name == class).unwrap_or_else(|| {
            names.push(class.to_owned());
            names.len() - 1
        });
        u32::try_from(at).unwrap_or(u32::MAX - NO_CLASS - 1) + NO_CLASS + 1
    }

    fn class_names(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.classes.names.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_is_in_order_and_has_classes() {
        let game = Game::open("testdata/demo").unwrap();
        let index = Index::new(&game, &CancelToken::default()).unwrap();
        assert_eq!(index.len(), game.chunks().len());
        assert!((1..index.len()).all(|row| index.paths.path(row - 1) <= index.paths.path(row)));
        let map = (0..index.len()).find(|row| index.paths.path(*row).ends_with("start.umap")).unwrap();
        assert!((0..index.len()).all(|row| index.entry(row).and_then(|entry| index.row(entry)) == Some(row)));
        assert!(Index::new(&game, &CancelToken::after(0)).is_none(), "given up");
        assert!(!index.knows_class(map));
        assert_eq!(index.class(&game, map).as_deref(), Some("/Script/Engine.World"));
        let worlds = index.classes_like(|class| class.ends_with(".World"));
        assert!(index.has_class(map, &worlds) && !index.has_class(map, &[]));
    }
}
