//! Many paths in one sorted text, so that a search is a single pass over memory, and a folder is a range.

use std::ops::Range;
use std::sync::OnceLock;

/// Sorted paths, each with the uncompressed length of its file.
#[derive(Debug, Default)]
pub(super) struct Paths {
    /// Lower-case paths, each followed by a line feed.
    text: String,
    /// Start of each path in the text, and the end of the last one.
    starts: Vec<u64>,
    /// Total bytes of all files before each row, and of all files.
    bytes_before: Vec<u64>,
    by_len: OnceLock<Vec<u32>>,
}

/// The form of a path in the text: lower case, without line feeds.
pub(super) fn normal(path: &str) -> String {
    path.to_lowercase().replace('\n', " ")
}

impl Paths {
    /// Builds the text from normal and sorted paths, each with its length in bytes.
    pub(super) fn new<'a>(sorted: impl ExactSizeIterator<Item = (&'a str, u64)> + Clone) -> Self {
        let mut this = Self {
            text: String::with_capacity(sorted.clone().map(|(path, _)| path.len() + 1).sum()),
            starts: Vec::with_capacity(sorted.len() + 1),
            bytes_before: Vec::with_capacity(sorted.len() + 1),
            by_len: OnceLock::new(),
        };
        this.starts.push(0);
        this.bytes_before.push(0);
        let mut bytes = 0_u64;
        for (path, len) in sorted {
            this.text.push_str(path);
            this.text.push('\n');
            this.starts.push(this.text.len() as u64);
            // Running totals: the size of any folder is one subtraction.
            bytes = bytes.saturating_add(len);
            this.bytes_before.push(bytes);
        }
        this
    }

    /// Number of paths.
    pub(super) const fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The lower-case path in a row.
    pub(super) fn path(&self, row: usize) -> &str {
        // Without the line feed at the end.
        let text = self.start(row)..self.start(row.saturating_add(1)).saturating_sub(1);
        self.text.get(text).unwrap_or_default()
    }

    /// The text of some rows, each path followed by a line feed.
    pub(super) fn text(&self, rows: &Range<usize>) -> &str {
        self.text.get(self.start(rows.start)..self.start(rows.end)).unwrap_or_default()
    }

    /// Start of a row's path in the text.
    pub(super) fn start(&self, row: usize) -> usize {
        let last = || self.starts.last().copied().unwrap_or(0);
        usize::try_from(self.starts.get(row).copied().unwrap_or_else(last)).unwrap_or(usize::MAX)
    }

    /// The row of a text position, which is at or after `row`; fast if it is near.
    pub(super) fn row_at(&self, place: usize, row: usize) -> usize {
        // Gallop in doubling steps, then search within the last step: hits of a search are often close together.
        let mut step = 1;
        while self.starts.get(row + step).is_some_and(|start| *start <= place as u64) {
            step *= 2;
        }
        let near = self.starts.get(row..self.starts.len().min(row + step)).unwrap_or_default();
        row + near.partition_point(|start| *start <= place as u64).saturating_sub(1)
    }

    /// Uncompressed length of a row's file, in bytes.
    pub(super) fn bytes(&self, row: usize) -> u64 {
        self.bytes_of(&(row..row.saturating_add(1)))
    }

    /// Total uncompressed length of some rows, in bytes.
    pub(super) fn bytes_of(&self, rows: &Range<usize>) -> u64 {
        let before = |row: usize| self.bytes_before.get(row).copied().unwrap_or(0);
        before(rows.end.min(self.len())).saturating_sub(before(rows.start))
    }

    /// The rows of a folder, given in lower case with a trailing `/`; all rows for the empty one.
    pub(super) fn folder(&self, folder: &str) -> Range<usize> {
        // All paths of a folder share its prefix, so they are neighbours in sorted order.
        let start = self.partition(0..self.len(), |path| path < folder);
        start..self.partition(start..self.len(), |path| path.starts_with(folder))
    }

    /// The rows of a path in any letter case: several, if containers spell it differently or list it under several ids.
    pub(super) fn rows(&self, path: &str) -> Range<usize> {
        let path = normal(path);
        let start = self.partition(0..self.len(), |other| other < path.as_str());
        start..self.partition(start..self.len(), |other| other == path)
    }

    /// The row of a path; of several, the one with the smallest `rank`.
    pub(super) fn find(&self, path: &str, rank: impl Fn(usize) -> u8) -> Option<usize> {
        self.rows(path).min_by_key(|row| rank(*row))
    }

    /// The first of some rows for which `comes_first` is false; binary search.
    pub(super) fn partition(&self, rows: Range<usize>, comes_first: impl Fn(&str) -> bool) -> usize {
        let (mut low, mut high) = (rows.start, rows.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if comes_first(self.path(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// All rows, smallest first. The first call sorts them.
    pub(super) fn by_len(&self) -> &[u32] {
        self.by_len.get_or_init(|| {
            let mut rows: Vec<u32> = (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).collect();
            rows.sort_by_cached_key(|row| self.bytes(*row as usize));
            rows
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Paths in any order, with their lengths in bytes.
    pub(in crate::browse) fn paths_of(paths: &[(&str, u64)]) -> Paths {
        let mut paths: Vec<(String, u64)> =
            paths.iter().map(|(path, len)| (path.to_lowercase(), *len)).collect();
        paths.sort();
        Paths::new(paths.iter().map(|(path, len)| (path.as_str(), *len)))
    }

    #[test]
    fn folders_are_ranges() {
        let paths =
            paths_of(&[("A/b.txt", 1), ("A/b/c.txt", 2), ("A/B/d.txt", 4), ("AB/e.txt", 8), ("z", 16)]);
        assert_eq!(paths.folder(""), 0..5);
        assert_eq!(paths.folder("a/"), 0..3);
        assert_eq!((paths.folder("a/b/"), paths.bytes_of(&paths.folder("a/b/"))), (1..3, 6));
        assert!(paths.folder("q/").is_empty());
        assert_eq!(paths.find("A/B/D.TXT", |_| 0), Some(2));
        assert_eq!(paths.find("a/b/", |_| 0), None);
        assert_eq!(paths.by_len(), [0, 1, 2, 3, 4]);
        assert_eq!(
            (paths.row_at(0, 0), paths.row_at(7, 0), paths.row_at(8, 0), paths.row_at(37, 1)),
            (0, 0, 1, 4)
        );
    }
}
