//! Entries in the order of a walk over their folders.
//!
//! Paths are not kept: a small table can give hundreds of thousands of chunks the same long name. Each name and each
//! folder is stored once, and sorting uses their numbers.

use super::columns::Folders;
use crate::store::{Entry, Store};
use std::collections::HashMap;
use std::sync::Arc;

/// Result of a walk.
pub(super) struct Walk {
    /// The entries, by folder and name; those of a folder come before its subfolders.
    pub(super) entries: Vec<Entry>,
    /// Folder number of each entry.
    pub(super) folder: Vec<u32>,
    /// Name number of each entry.
    pub(super) name: Vec<u32>,
    pub(super) folders: Folders,
    /// All names of entries and folders.
    pub(super) names: Vec<Arc<str>>,
}

impl Walk {
    pub(super) fn new(store: &Store, entries: &[Entry]) -> Self {
        let mut tree = Tree::default();
        tree.enter("");
        let mut path = String::new();
        let mut places: Vec<(u32, u32, Entry)> = Vec::with_capacity(entries.len());
        for entry in entries {
            if !store.path_into(*entry, &mut path) {
                path = store.fallback_path(*entry);
            }
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            places.push((tree.enter(folder), tree.names.number(name), *entry));
        }
        let Tree { names, folders, .. } = tree;
        let (numbers, folders, ranks) = number(&folders, &names.texts);
        let new = |numbers: &[u32], old: u32| numbers.get(old as usize).copied().unwrap_or_default();
        // Folder and name by rank: comparing numbers, not texts.
        places.sort_by_key(|(folder, name, _)| (new(&numbers, *folder), new(&ranks, *name)));
        Self {
            entries: places.iter().map(|(_, _, entry)| *entry).collect(),
            folder: places.iter().map(|(folder, _, _)| new(&numbers, *folder)).collect(),
            name: places.iter().map(|(_, name, _)| *name).collect(),
            folders,
            names: names.texts,
        }
    }
}

/// Distinct texts, by number.
#[derive(Default)]
struct Names {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Names {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }
}

/// Folders, in order of first use.
#[derive(Default)]
struct Tree {
    names: Names,
    /// Parent and name of each folder. The root is its own parent.
    folders: Vec<(u32, u32)>,
    by_name: HashMap<(u32, u32), u32>,
    /// Path and number of the last folder: the next entry is often in the same one.
    last: (String, u32),
}

impl Tree {
    /// The number of a folder, by its path.
    fn enter(&mut self, path: &str) -> u32 {
        if self.folders.is_empty() {
            let root = (0, self.names.number(""));
            self.folders.push(root);
        }
        // Chunks of a folder usually follow each other in the table, so this often spares the walk.
        if self.last.0 != path {
            let mut at = 0;
            for name in path.split('/').filter(|name| !name.is_empty()) {
                let folder = (at, self.names.number(name));
                let next = u32::try_from(self.folders.len()).unwrap_or(u32::MAX);
                at = *self.by_name.entry(folder).or_insert(next);
                if at == next {
                    self.folders.push(folder);
                }
            }
            path.clone_into(&mut self.last.0);
            self.last.1 = at;
        }
        self.last.1
    }
}

/// Renumbers folders in walk order, by name. Returns the new number of each folder, the folders in that order, and the
/// rank of each name among all names.
fn number(folders: &[(u32, u32)], names: &[Arc<str>]) -> (Vec<u32>, Folders, Vec<u32>) {
    let sorted = |len: usize| (0..u32::try_from(len).unwrap_or(u32::MAX)).collect::<Vec<u32>>();
    let mut by_text = sorted(names.len());
    by_text.sort_by_key(|name| names.get(*name as usize));
    let mut ranks = vec![0; names.len()];
    for (rank, name) in (0..).zip(by_text) {
        ranks.get_mut(name as usize).into_iter().for_each(|slot| *slot = rank);
    }
    let rank = |folder: u32| {
        let (_, name) = folders.get(folder as usize)?;
        ranks.get(*name as usize).copied()
    };
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); folders.len()];
    // The root is skipped: it is its own parent and would be walked forever.
    for (folder, (parent, _)) in (0..).zip(folders).skip(1) {
        below.get_mut(*parent as usize).into_iter().for_each(|below| below.push(folder));
    }
    let mut numbers = vec![0; folders.len()];
    let mut made =
        Folders { parent: Vec::with_capacity(folders.len()), name: Vec::with_capacity(folders.len()) };
    let mut open = vec![0_u32];
    while let Some(folder) = open.pop() {
        let Some((parent, name)) = folders.get(folder as usize).copied() else { continue };
        let number = u32::try_from(made.name.len()).unwrap_or(u32::MAX);
        numbers.get_mut(folder as usize).into_iter().for_each(|slot| *slot = number);
        made.parent.push(numbers.get(parent as usize).copied().unwrap_or_default());
        made.name.push(name);
        // The stack is popped from its end, so push in reverse order.
        let mut inside = below.get_mut(folder as usize).map(std::mem::take).unwrap_or_default();
        inside.sort_by_key(|folder| std::cmp::Reverse(rank(*folder)));
        open.extend(inside);
    }
    (numbers, made, ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_numbered_as_a_walk_meets_them() {
        let mut tree = Tree::default();
        let entered = ["", "E", "A/B/D", "A", "A//B/C/", "A/B/D"].map(|path| tree.enter(path));
        let (numbers, folders, _) = number(&tree.folders, &tree.names.texts);
        assert_eq!(entered.map(|folder| numbers[folder as usize]), [0, 5, 4, 1, 3, 4]);
        let names: Vec<&str> = folders.name.iter().map(|name| &*tree.names.texts[*name as usize]).collect();
        assert_eq!(names, ["", "A", "B", "C", "D", "E"]);
        assert_eq!(folders.parent, [0, 0, 1, 2, 2, 0]);
    }
}
