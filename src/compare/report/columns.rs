//! Folders and entries, as columns.

use super::super::{kind_of, len_of};
use super::{Numbers, number};
use crate::compare::usage::NO_CLASS;
use crate::store::{Entry, Store};

/// Folders, in the order of a walk. The first one is the root: it has no name, and is its own parent.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Folders {
    /// Number of the folder that each one lies in.
    pub parent: Vec<u32>,
    /// Names, without the folders around them.
    pub name: Vec<String>,
}

/// Entries, one value for each in every column.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Columns {
    /// Number of the folder.
    pub folder: Vec<u32>,
    /// Name without folders.
    pub name: Vec<String>,
    /// Row of the type.
    #[serde(rename = "type")]
    pub kind: Vec<u32>,
    /// Row of the class; empty if classes were not asked for.
    pub class: Vec<u32>,
    /// Row of the container.
    pub container: Vec<u32>,
    /// Uncompressed bytes.
    pub raw: Vec<u64>,
    /// Stored bytes.
    pub stored: Vec<u64>,
}

/// For each entry the number of its folder, and its name.
pub(super) type Paths = (Vec<u32>, Vec<String>);

/// Puts entries in the order of a walk over their folders.
pub(super) fn walk(store: &Store, entries: &[Entry]) -> (Vec<Entry>, Folders, Paths) {
    let path = |entry: &Entry| {
        let path = store.display_path(*entry);
        let name = path.rfind('/').map_or(0, |slash| slash + 1);
        (path, name, *entry)
    };
    let mut all: Vec<(String, usize, Entry)> = entries.iter().map(path).collect();
    let parts = |path: &'_ (String, usize, Entry)| -> (String, String) {
        let (folder, name) = path.0.split_at(path.1);
        // Below all characters of names, so that what is in a folder follows it before the next one.
        (folder.replace('/', "\0"), name.to_owned())
    };
    all.sort_by_cached_key(parts);
    let mut folders = Folders { parent: vec![0], name: vec![String::new()] };
    let mut open: Vec<(String, u32)> = Vec::new();
    let (mut numbers, mut names) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
    for (path, name, _) in &all {
        let (folder, name) = path.split_at(*name);
        numbers.push(folders.enter(&mut open, folder));
        names.push(name.to_owned());
    }
    (all.into_iter().map(|(_, _, entry)| entry).collect(), folders, (numbers, names))
}

impl Folders {
    /// Number of a folder, that comes after the `open` one or is it.
    fn enter(&mut self, open: &mut Vec<(String, u32)>, folder: &str) -> u32 {
        let wanted = || folder.split('/').filter(|name| !name.is_empty());
        let common = open.iter().zip(wanted()).take_while(|((name, _), wanted)| name == wanted).count();
        open.truncate(common);
        for name in wanted().skip(common) {
            let parent = open.last().map_or(0, |(_, number)| *number);
            let number = u32::try_from(self.name.len()).unwrap_or(u32::MAX);
            self.parent.push(parent);
            self.name.push(name.to_owned());
            open.push((name.to_owned(), number));
        }
        open.last().map_or(0, |(_, number)| *number)
    }
}

impl Columns {
    pub(super) fn new(
        store: &Store,
        entries: &[Entry],
        (folder, name): Paths,
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
            columns.kind.push(number(&numbers.types, kind_of(store, *entry).name()));
            columns.container.push(containers.get(entry.container).copied().unwrap_or_default());
            columns.raw.push(len_of(store, *entry));
            columns.stored.push(super::super::usage::stored(store, *entry));
            if let Some(class_of) = class_of {
                let class = class_of(*entry);
                columns.class.push(number(&numbers.classes, class.as_deref().unwrap_or(NO_CLASS)));
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_numbered_as_a_walk_meets_them() {
        let mut folders = Folders { parent: vec![0], name: vec![String::new()] };
        let mut open = Vec::new();
        let paths = ["", "A/", "A/B/C/", "A/B/D/", "A/B/D/", "E/"];
        let numbers = paths.map(|path| folders.enter(&mut open, path));
        assert_eq!(numbers, [0, 1, 3, 4, 4, 5]);
        assert_eq!(folders.name, ["", "A", "B", "C", "D", "E"]);
        assert_eq!(folders.parent, [0, 0, 1, 2, 2, 0]);
    }
}
