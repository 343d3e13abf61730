//! All paths of a game in one sorted text, so that a search is one pass over memory and a folder is a range.

use crate::game::Game;
use crate::store::Entry;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The chunks of a game that win, in the order of their paths.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Paths in lower case, each with a line feed after it.
    text: String,
    /// Where each path starts in it, and where the last one ends.
    starts: Vec<u64>,
    entries: Vec<Entry>,
    /// Bytes of all chunks before each, and of all.
    bytes_before: Vec<u64>,
    classes: Classes,
    by_len: OnceLock<Vec<u32>>,
}

/// Names of classes, and which chunk has which, as far as headers were read.
#[derive(Debug, Default)]
struct Classes {
    names: std::sync::Mutex<Vec<String>>,
    /// 0 for those that are not known yet, 1 for those that have none; else the place of the name plus 2.
    of: Vec<AtomicU32>,
}

const NOT_READ: u32 = 0;
const NO_CLASS: u32 = 1;

impl Index {
    /// The index of a game. Of more chunks than 32 bits number, the rest is left out.
    pub(super) fn new(game: &Game) -> Self {
        let entries: Vec<Entry> = game.chunks().map(|chunk| chunk.entry()).collect();
        let store = game.store();
        let path = |entry: &Entry| (store.display_path(*entry).to_lowercase().replace('\n', " "), *entry);
        let mut paths = store.cpu().map(&entries, path);
        paths.truncate(u32::MAX as usize);
        paths.sort_unstable_by(|(a, at), (b, other)| a.cmp(b).then(at.cmp(other)));
        let mut this = Self::with_capacity(&paths);
        let mut bytes = 0;
        for (path, entry) in paths {
            this.text.push_str(&path);
            this.text.push('\n');
            this.starts.push(this.text.len() as u64);
            this.entries.push(entry);
            bytes += store.chunk(entry).len();
            this.bytes_before.push(bytes);
        }
        this
    }

    fn with_capacity(paths: &[(String, Entry)]) -> Self {
        let mut this = Self {
            text: String::with_capacity(paths.iter().map(|(path, _)| path.len() + 1).sum()),
            starts: Vec::with_capacity(paths.len() + 1),
            entries: Vec::with_capacity(paths.len()),
            bytes_before: Vec::with_capacity(paths.len() + 1),
            ..Self::default()
        };
        this.starts.push(0);
        this.bytes_before.push(0);
        this.classes.of.resize_with(paths.len(), || AtomicU32::new(NOT_READ));
        this
    }

    /// Number of chunks.
    pub(super) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// The chunk in a row.
    pub(super) fn entry(&self, row: usize) -> Option<Entry> {
        self.entries.get(row).copied()
    }

    /// The path in a row, in lower case.
    pub(super) fn path(&self, row: usize) -> &str {
        let text = self.start(row)..self.start(row.saturating_add(1)).saturating_sub(1);
        self.text.get(text).unwrap_or_default()
    }

    /// The paths of some rows, each with a line feed after it.
    pub(super) fn text(&self, rows: &Range<usize>) -> &str {
        self.text.get(self.start(rows.start)..self.start(rows.end)).unwrap_or_default()
    }

    /// Where the path in a row starts in the text of all.
    pub(super) fn start(&self, row: usize) -> usize {
        let last = || self.starts.last().copied().unwrap_or(0);
        usize::try_from(self.starts.get(row).copied().unwrap_or_else(last)).unwrap_or(usize::MAX)
    }

    /// The row that a place in the text of all is in, which is this one or one after it; soon found if it is near.
    pub(super) fn row_at(&self, place: usize, row: usize) -> usize {
        let mut step = 1;
        while self.starts.get(row + step).is_some_and(|start| *start <= place as u64) {
            step *= 2;
        }
        let near = self.starts.get(row..self.starts.len().min(row + step)).unwrap_or_default();
        row + near.partition_point(|start| *start <= place as u64).saturating_sub(1)
    }

    /// Uncompressed bytes of a chunk.
    pub(super) fn bytes(&self, row: usize) -> u64 {
        self.bytes_of(&(row..row.saturating_add(1)))
    }

    /// Uncompressed bytes of some rows.
    pub(super) fn bytes_of(&self, rows: &Range<usize>) -> u64 {
        let before = |row: usize| self.bytes_before.get(row).copied().unwrap_or(0);
        before(rows.end.min(self.len())).saturating_sub(before(rows.start))
    }

    /// The rows of a folder, which is in lower case and ends in `/`; all of them for the empty one.
    pub(super) fn folder(&self, folder: &str) -> Range<usize> {
        let start = self.partition(0..self.len(), |path| path < folder);
        start..self.partition(start..self.len(), |path| path.starts_with(folder))
    }

    /// The row of a path, in any letter case.
    pub(super) fn find(&self, path: &str) -> Option<usize> {
        let path = path.to_lowercase();
        let row = self.partition(0..self.len(), |other| other < path.as_str());
        (row < self.len() && self.path(row) == path).then_some(row)
    }

    /// The first of some rows whose path is not one of those that come first.
    pub(super) fn partition(&self, rows: Range<usize>, comes_first: impl Fn(&str) -> bool) -> usize {
        let (mut low, mut high) = (rows.start, rows.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if comes_first(self.path(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// All rows, the smallest first. The first caller waits until they are sorted.
    pub(super) fn by_len(&self) -> &[u32] {
        self.by_len.get_or_init(|| {
            let mut rows: Vec<u32> = (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).collect();
            rows.sort_by_cached_key(|row| self.bytes(*row as usize));
            rows
        })
    }

    /// Whether the class of a chunk is known, or that it has none.
    pub(super) fn knows_class(&self, row: usize) -> bool {
        self.class_number(row) != NOT_READ
    }

    fn class_number(&self, row: usize) -> u32 {
        self.classes.of.get(row).map_or(NO_CLASS, |class| class.load(Ordering::Relaxed))
    }

    /// The number by which `has_class` knows each class of which the name is one that is meant.
    pub(super) fn classes_like(&self, is_meant: impl Fn(&str) -> bool) -> Vec<u32> {
        let names = self.class_names();
        let numbered = (NO_CLASS + 1..).zip(&*names).filter(|(_, name)| is_meant(name));
        numbered.map(|(number, _)| number).collect()
    }

    /// Whether the class of a chunk is one of some.
    pub(super) fn has_class(&self, row: usize, classes: &[u32]) -> bool {
        classes.contains(&self.class_number(row))
    }

    /// The class of the main object of a package, from its header.
    pub(super) fn class(&self, game: &Game, row: usize) -> Option<String> {
        match self.class_number(row) {
            NOT_READ => {}
            NO_CLASS => return None,
            number => return self.class_names().get((number - NO_CLASS - 1) as usize).cloned(),
        }
        let entry = self.entry(row)?;
        let is_package = game.store().chunk(entry).is_package();
        let class = is_package.then(|| game.packages().main_class(entry)).flatten();
        let number = class.as_deref().map_or(NO_CLASS, |class| self.number(class));
        self.classes.of.get(row)?.store(number, Ordering::Relaxed);
        class
    }

    fn number(&self, class: &str) -> u32 {
        let mut names = self.class_names();
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
pub(super) mod tests {
    use super::*;
    use crate::container::ChunkIndex;

    /// An index of paths and lengths, all in one container.
    pub(in crate::browse) fn index_of(paths: &[(&str, u64)]) -> Index {
        let mut paths: Vec<(String, u64)> =
            paths.iter().map(|(path, len)| (path.to_lowercase(), *len)).collect();
        paths.sort();
        let entry = |at: usize| Entry { container: 0, chunk: ChunkIndex(u32::try_from(at).unwrap()) };
        let named: Vec<_> =
            paths.iter().enumerate().map(|(at, (path, _))| (path.clone(), entry(at))).collect();
        let mut index = Index::with_capacity(&named);
        let mut bytes = 0;
        for ((path, entry), (_, len)) in named.into_iter().zip(&paths) {
            index.text.push_str(&path);
            index.text.push('\n');
            index.starts.push(index.text.len() as u64);
            index.entries.push(entry);
            bytes += len;
            index.bytes_before.push(bytes);
        }
        index
    }

    #[test]
    fn folders_are_ranges() {
        let index =
            index_of(&[("A/b.txt", 1), ("A/b/c.txt", 2), ("A/B/d.txt", 4), ("AB/e.txt", 8), ("z", 16)]);
        assert_eq!(index.folder(""), 0..5);
        assert_eq!(index.folder("a/"), 0..3);
        assert_eq!((index.folder("a/b/"), index.bytes_of(&index.folder("a/b/"))), (1..3, 6));
        assert!(index.folder("q/").is_empty());
        assert_eq!(index.find("A/B/D.TXT"), Some(2));
        assert_eq!(index.find("a/b/"), None);
        assert_eq!(index.by_len(), [0, 1, 2, 3, 4]);
        assert_eq!(
            (index.row_at(0, 0), index.row_at(7, 0), index.row_at(8, 0), index.row_at(37, 1)),
            (0, 0, 1, 4)
        );
    }

    #[test]
    fn the_demo_is_in_order_and_has_classes() {
        let game = Game::open("testdata/demo").unwrap();
        let index = Index::new(&game);
        assert_eq!(index.len(), game.chunks().len());
        assert!((1..index.len()).all(|row| index.path(row - 1) <= index.path(row)));
        let map = (0..index.len()).find(|row| index.path(*row).ends_with("start.umap")).unwrap();
        assert!(!index.knows_class(map));
        assert_eq!(index.class(&game, map).as_deref(), Some("/Script/Engine.World"));
        let worlds = index.classes_like(|class| class.ends_with(".World"));
        assert!(index.has_class(map, &worlds) && !index.has_class(map, &[]));
    }
}
