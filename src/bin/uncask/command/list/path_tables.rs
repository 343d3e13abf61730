//! Paths of many entries: the folders of a table are built once, as a million chunks are in few of them.

use super::folders::Folders;
use std::collections::HashMap;
use uncask::container::{DirectoryEntryIndex, FolderPaths};
use uncask::game::{Entry, Game};

/// The folders of containers whose indices have most of the paths.
pub(super) struct PathTables<'g> {
    game: &'g Game,
    folders: HashMap<usize, FolderPaths<'g>>,
}

/// The numbers of these folders, by container and directory.
pub(super) struct Numbers(HashMap<usize, Vec<u32>>);

impl<'g> PathTables<'g> {
    pub(super) fn new(game: &'g Game, entries: &[Entry]) -> Self {
        let mut folders = HashMap::new();
        for entry in entries {
            if let Some(container) = game.at(*entry).container() {
                folders.entry(entry.container).or_insert_with(|| container.index().folder_paths());
            }
        }
        Self { game, folders }
    }

    /// Writes the path of an entry, or its id if it has none, into `path`, replacing its content.
    pub(super) fn path_into(&self, entry: &Entry, path: &mut String) {
        if let Some((directory, name)) = self.find(entry) {
            let folders = self.folders.get(&entry.container);
            path.clear();
            path.push_str(folders.and_then(|folders| folders.path(directory)).unwrap_or_default());
            path.push_str(name);
        } else if !self.game.at(*entry).path_into(path) {
            *path = self.game.at(*entry).fallback_path();
        }
    }

    pub(super) fn find(&self, entry: &Entry) -> Option<(DirectoryEntryIndex, &'g str)> {
        self.folders.get(&entry.container)?.find(entry.chunk)
    }

    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.values().flat_map(|table| table.iter().flatten())
    }

    pub(super) fn numbers(&self, folders: &Folders<'_>) -> Numbers {
        let number = |folder: Option<&str>| folder.map_or(u32::MAX, |folder| folders.number(folder));
        Numbers(
            self.folders
                .iter()
                .map(|(container, table)| (*container, table.iter().map(number).collect()))
                .collect(),
        )
    }
}

impl Numbers {
    pub(super) fn of(&self, entry: &Entry, directory: DirectoryEntryIndex) -> u32 {
        let numbers = self.0.get(&entry.container);
        numbers.and_then(|numbers| numbers.get(directory.0 as usize)).copied().unwrap_or(u32::MAX)
    }
}
