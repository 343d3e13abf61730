use super::{Directory, File, NONE};
use crate::wire::Writer;
use std::collections::HashMap;
use zerocopy::little_endian::U32;

/// Builds a directory index from paths: the inverse of [`DirectoryIndex`](super::DirectoryIndex).
#[derive(Debug)]
pub struct DirectoryIndexBuilder {
    mount_point: String,
    directories: Vec<Directory>,
    files: Vec<File>,
    strings: Vec<String>,
    string_index: HashMap<String, u32>,
    children: HashMap<(u32, u32), u32>,
}

impl DirectoryIndexBuilder {
    /// Creates an index with only a root directory.
    #[must_use]
    pub fn new(mount_point: &str) -> Self {
        Self {
            mount_point: mount_point.to_owned(),
            // The root has no name.
            directories: vec![directory(NONE)],
            files: Vec::new(),
            strings: Vec::new(),
            string_index: HashMap::new(),
            children: HashMap::new(),
        }
    }

    /// Adds a file by its path relative to the mount point, for the chunk at index `chunk` of the table.
    pub fn add(&mut self, path: &str, chunk: u32) {
        let (directories, name) =
            path.rsplit_once('/').map_or((None, path), |(left, right)| (Some(left), right));
        // Directory 0 is the root.
        let mut parent = 0;
        for part in directories.into_iter().flat_map(|path| path.split('/')).filter(|part| !part.is_empty()) {
            parent = self.child(parent, part);
        }
        let name = self.string(name);
        let at = count(&self.files);
        if let Some(directory) = self.directories.get_mut(parent as usize) {
            // New entries become the head of their list, like in the engine's own indices.
            let next_file = directory.first_file;
            directory.first_file = U32::new(at);
            self.files.push(File { name: U32::new(name), next_file, chunk: U32::new(chunk) });
        }
    }

    /// Writes the index.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut w = Writer::new();
        w.string(&self.mount_point);
        w.u32(count(&self.directories)).record(self.directories.as_slice());
        w.u32(count(&self.files)).record(self.files.as_slice());
        w.u32(count(&self.strings));
        for text in &self.strings {
            w.string(text);
        }
        w.into_bytes()
    }

    fn child(&mut self, parent: u32, name: &str) -> u32 {
        let name = self.string(name);
        if let Some(child) = self.children.get(&(parent, name)) {
            return *child;
        }
        let at = count(&self.directories);
        let mut entry = directory(name);
        if let Some(parent) = self.directories.get_mut(parent as usize) {
            entry.next_sibling = parent.first_child;
            parent.first_child = U32::new(at);
        }
        self.directories.push(entry);
        // Children are looked up by name index, which makes adding a file linear in its path.
        self.children.insert((parent, name), at);
        at
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(index) = self.string_index.get(text) {
            return *index;
        }
        let index = count(&self.strings);
        self.strings.push(text.to_owned());
        self.string_index.insert(text.to_owned(), index);
        index
    }
}

const fn directory(name: u32) -> Directory {
    let none = U32::new(NONE);
    Directory { name: U32::new(name), first_child: none, next_sibling: none, first_file: none }
}

/// Converts a table length to `u32`, the type of all links; a container has no more chunks than that.
fn count<T>(table: &[T]) -> u32 {
    u32::try_from(table.len()).unwrap_or(NONE)
}
