//! Which file each chunk goes to.

use crate::container::ChunkIndex;
use crate::sink::{NameClash, OutputNames, OutputPath};
use crate::store::{Entry, Store};
use std::collections::HashSet;

/// A chunk and the file it goes to.
#[derive(Debug, Clone)]
pub struct Output {
    /// The chunk.
    pub entry: Entry,
    /// The file, relative to the output folder.
    pub path: OutputPath,
}

/// Containers whose first output is remembered: more than any game has.
const MOST_CONTAINERS: usize = 1 << 16;

/// The files of a job, by chunk.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    /// Sorted by entry.
    outputs: Vec<Output>,
    /// For each container, the position of its first output.
    firsts: Vec<usize>,
    /// Paths that had to change so that no two files meet.
    pub clashes: Vec<NameClash>,
}

impl Outputs {
    /// Gives every entry a safe path of its own. `strip_prefix` is removed from the front of those that have it.
    ///
    /// Names are claimed container by container in table order, so that the same selection always gives the same names.
    #[must_use]
    pub fn new(store: &Store, entries: &[Entry], strip_prefix: Option<&str>) -> Self {
        let output = |entry: &Entry| {
            let path = store.display_path(*entry);
            let path = strip_prefix.map_or(path.as_str(), |prefix| strip(&path, prefix));
            Output { entry: *entry, path: OutputPath::sanitize(path) }
        };
        let mut outputs = store.cpu().map(entries, output);
        outputs.sort_by_key(|output| output.entry);
        let mut names = OutputNames::default();
        for output in &outputs {
            names.announce(&output.path);
        }
        let mut clashes = Vec::new();
        for output in &mut outputs {
            let id = store.chunk_id(output.entry).unwrap_or_default();
            let (path, clash) = names.claim(output.path.clone(), id);
            output.path = path;
            clashes.extend(clash);
        }
        Self { firsts: firsts(&outputs), outputs, clashes }
    }

    /// These files.
    pub(super) fn with_paths(mut outputs: Vec<Output>, clashes: Vec<NameClash>) -> Self {
        outputs.sort_by_key(|output| output.entry);
        Self { firsts: firsts(&outputs), outputs, clashes }
    }

    /// Drops the files of all chunks but these; those that stay keep their names.
    pub fn retain(&mut self, entries: &[Entry]) {
        let wanted: HashSet<Entry> = entries.iter().copied().collect();
        self.outputs.retain(|output| wanted.contains(&output.entry));
        self.firsts = firsts(&self.outputs);
    }

    /// All of them, sorted by entry.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Output> {
        self.outputs.iter()
    }

    /// The file of a chunk.
    pub(super) fn path(&self, container: usize, chunk: ChunkIndex) -> &OutputPath {
        static NOWHERE: std::sync::OnceLock<OutputPath> = std::sync::OnceLock::new();
        let found = self.find(Entry { container, chunk });
        found.map_or_else(|| NOWHERE.get_or_init(|| OutputPath::sanitize("unnamed")), |output| &output.path)
    }

    /// The file of a chunk, if it has one.
    pub(super) fn find(&self, entry: Entry) -> Option<&Output> {
        // Mostly all chunks of a container are there, and a search would wait for memory at each step.
        let first = self.firsts.get(entry.container);
        let likely = first.and_then(|first| self.outputs.get(first.saturating_add(entry.chunk.0 as usize)));
        let search = || {
            let found = self.outputs.binary_search_by_key(&entry, |output| output.entry).ok()?;
            self.outputs.get(found)
        };
        likely.filter(|likely| likely.entry == entry).or_else(search)
    }
}

/// For each container up to the last that has an output, the position of its first one.
fn firsts(sorted: &[Output]) -> Vec<usize> {
    let mut firsts = Vec::new();
    for (at, Output { entry, .. }) in sorted.iter().enumerate() {
        if (firsts.len()..MOST_CONTAINERS).contains(&entry.container) {
            firsts.resize(entry.container + 1, at);
        }
    }
    firsts
}

/// Removes a folder prefix, in any letter case; a path that does not have it stays as it is.
fn strip<'a>(path: &'a str, prefix: &str) -> &'a str {
    let prefix = prefix.trim_matches('/');
    match path.split_at_checked(prefix.len()) {
        Some((front, rest)) if front.eq_ignore_ascii_case(prefix) && rest.starts_with('/') => {
            rest.trim_start_matches('/')
        }
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_a_whole_folder() {
        assert_eq!(strip("Game/Content/A.uasset", "game/content/"), "A.uasset");
        assert_eq!(strip("Game/Content2/A.uasset", "Game/Content"), "Game/Content2/A.uasset");
        assert_eq!(strip("A.uasset", "Game"), "A.uasset");
    }
}
