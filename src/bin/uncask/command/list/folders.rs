//! Folders of many paths, in order.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

/// Length from which a name is stored once: a container may refer to one long name a million times, with a few bytes each.
const LONG: usize = 256;

/// Paths that are not in the directory index of a container, each as its folder and its name.
#[derive(Default)]
pub(super) struct OtherPaths {
    /// Folders, each with its `/`.
    folders: Vec<Box<str>>,
    known_folders: HashMap<Box<str>, u32>,
    /// Names.
    text: String,
    known_names: HashMap<Box<str>, Place>,
    /// Number of the folder of each path, and place of its name.
    paths: Vec<(u32, Place)>,
}

/// Range in a text of at most 4,096 names.
type Place = Range<u32>;

impl OtherPaths {
    pub(super) fn push(&mut self, path: &str) {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
        // Most paths are in the folder of the one before.
        let last = self.paths.last().map(|(folder, _)| *folder);
        let same = last.filter(|last| self.folders.get(*last as usize).is_some_and(|it| **it == *folder));
        let folder = same.or_else(|| self.known_folders.get(folder).copied()).unwrap_or_else(|| {
            let number = short(self.folders.len());
            self.folders.push(folder.into());
            self.known_folders.insert(folder.into(), number);
            number
        });
        let place = match self.known_names.get(name).filter(|_| name.len() >= LONG) {
            Some(place) => place.clone(),
            None => self.append(name),
        };
        self.paths.push((folder, place));
    }

    fn append(&mut self, name: &str) -> Place {
        let start = short(self.text.len());
        self.text.push_str(name);
        let place = start..short(self.text.len());
        if name.len() >= LONG {
            self.known_names.insert(name.into(), place.clone());
        }
        place
    }

    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(|folder| &**folder)
    }

    pub(super) fn keys<'a>(&'a self, folders: &Folders<'_>) -> impl Iterator<Item = PathKey<'a>> + use<'a> {
        let numbers: Vec<u32> = self.folders.iter().map(|folder| folders.number(folder)).collect();
        self.paths.iter().map(move |(folder, place)| PathKey {
            folder: numbers.get(*folder as usize).copied().unwrap_or_default(),
            name: self.text.get(place.start as usize..place.end as usize).unwrap_or_default(),
            ..PathKey::default()
        })
    }
}

/// Converts a position in a part's text, which is far below 4 GiB, because a path is shorter than a table.
fn short(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// A path: the number of its folder, and its name.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PathKey<'a> {
    pub(super) folder: u32,
    /// Position of its entry.
    pub(super) at: u32,
    pub(super) name: &'a str,
}

/// The folders of all paths, in order.
pub(super) struct Folders<'a> {
    sorted: Vec<&'a str>,
    /// For each, the number of the first that is not below it.
    ends: Vec<u32>,
}

impl<'a> Folders<'a> {
    pub(super) fn new(folders: impl Iterator<Item = &'a str>) -> Self {
        let mut sorted: Vec<&str> = folders.collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut ends = vec![short(sorted.len()); sorted.len()];
        // The folders that the current one may be below.
        let mut above: Vec<usize> = Vec::new();
        for (at, folder) in sorted.iter().enumerate() {
            let is_above = |above: &usize| sorted.get(*above).is_some_and(|above| folder.starts_with(above));
            while let Some(ended) = above.pop_if(|above| !is_above(above)) {
                if let Some(end) = ends.get_mut(ended) {
                    *end = short(at);
                }
            }
            above.push(at);
        }
        Self { sorted, ends }
    }

    pub(super) fn number(&self, folder: &str) -> u32 {
        self.sorted.binary_search(&folder).map_or(u32::MAX, short)
    }

    /// Compares two paths as whole texts.
    pub(super) fn compare(&self, a: &PathKey<'_>, b: &PathKey<'_>) -> Ordering {
        match a.folder.cmp(&b.folder) {
            Ordering::Equal => a.name.cmp(b.name),
            Ordering::Less => self.compare_below(a, b),
            Ordering::Greater => self.compare_below(b, a).reverse(),
        }
    }

    /// Compares two paths, of which the folder of the first comes before that of the other.
    fn compare_below(&self, first: &PathKey<'_>, other: &PathKey<'_>) -> Ordering {
        if self.ends.get(first.folder as usize).is_none_or(|end| other.folder >= *end) {
            return Ordering::Less;
        }
        // The other path starts with the folder of the first: what follows there is compared with the name.
        let text = |key: &PathKey<'_>| self.sorted.get(key.folder as usize).copied().unwrap_or_default();
        let below = text(other).get(text(first).len()..).unwrap_or_default();
        first.name.bytes().cmp(below.bytes().chain(other.name.bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_parts_compare_as_whole_ones() {
        let whole = [
            "", "a", "a/", "a/b", "a/b/c", "a/b-c", "a/b.c", "a-b", "a-b/c", "a.c", "ab/c", "b", "ü/a", "ü",
            "/a", "//",
        ];
        let long = "l".repeat(LONG);
        let longer = whole
            .iter()
            .flat_map(|path| [format!("{path}{long}"), format!("{long}/{path}"), format!("{long}{path}")]);
        let whole: Vec<String> = whole.iter().map(ToString::to_string).chain(longer).collect();
        let mut parts = [OtherPaths::default(), OtherPaths::default()];
        let (first, second) = whole.split_at(whole.len() / 2);
        for (part, paths) in parts.iter_mut().zip([first, second]) {
            for path in paths {
                part.push(path);
            }
        }
        let folders = Folders::new(parts.iter().flat_map(OtherPaths::folders));
        let keys: Vec<PathKey<'_>> = parts.iter().flat_map(|part| part.keys(&folders)).collect();
        for (a, left) in whole.iter().zip(&keys) {
            for (b, right) in whole.iter().zip(&keys) {
                assert_eq!(folders.compare(left, right), a.cmp(b), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn what_is_long_stands_once() {
        let mut names = OtherPaths::default();
        let (folder, name) = ("f".repeat(1000), "n".repeat(1000));
        for n in 0..100 {
            names.push(&format!("{folder}/{name}"));
            names.push(&format!("{folder}/{n}"));
            names.push(&format!("{n}/{name}"));
        }
        let folders: usize = names.folders.iter().map(|folder| folder.len()).sum();
        assert_eq!((folders, names.text.len()), (1001 + 290, 1190));
    }
}
