//! Assigns an output file to each chunk.

use crate::container::ChunkIndex;
use crate::sink::{NameClash, OutputNames, OutputPath};
use crate::store::{Entry, Store};
use std::collections::HashSet;

/// A chunk and its output file.
#[derive(Debug, Clone)]
pub struct Output {
    /// The chunk.
    pub entry: Entry,
    /// The file, relative to the output folder.
    pub path: OutputPath,
}

/// The most containers whose first output is cached: more than any game has.
const MOST_CONTAINERS: usize = 1 << 16;

/// Output files of a job, by chunk.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    /// Sorted by entry.
    outputs: Vec<Output>,
    /// Position of the first output of each container.
    firsts: Vec<usize>,
    /// Paths changed to keep them distinct.
    pub clashes: Vec<NameClash>,
}

impl Outputs {
    /// Assigns a safe and unique path to each entry. `strip_prefix` is removed from paths that start with it.
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
        // Sorted before names are claimed: the threads above finish in any order.
        outputs.sort_by_key(|output| output.entry);
        let mut names = OutputNames::default();
        // First announce all wanted names, so that a made-up name cannot take one that a later chunk wants.
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

    /// Outputs with given paths.
    pub(super) fn with_paths(mut outputs: Vec<Output>, clashes: Vec<NameClash>) -> Self {
        outputs.sort_by_key(|output| output.entry);
        Self { firsts: firsts(&outputs), outputs, clashes }
    }

    /// Drops the files of all chunks but these; the others keep their names.
    pub fn retain(&mut self, entries: &[Entry]) {
        let wanted: HashSet<Entry> = entries.iter().copied().collect();
        self.outputs.retain(|output| wanted.contains(&output.entry));
        self.firsts = firsts(&self.outputs);
    }

    /// All outputs, sorted by entry.
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

    /// The file of a chunk, if any.
    pub(super) fn find(&self, entry: Entry) -> Option<&Output> {
        // Usually every chunk of a container is selected, so its index is the offset from the first. Binary search
        // would miss the cache at each step.
        let first = self.firsts.get(entry.container);
        let likely = first.and_then(|first| self.outputs.get(first.saturating_add(entry.chunk.0 as usize)));
        let search = || {
            let found = self.outputs.binary_search_by_key(&entry, |output| output.entry).ok()?;
            self.outputs.get(found)
        };
        likely.filter(|likely| likely.entry == entry).or_else(search)
    }
}

/// Position of the first output per container, up to the last container with outputs.
fn firsts(sorted: &[Output]) -> Vec<usize> {
    let mut firsts = Vec::new();
    for (at, Output { entry, .. }) in sorted.iter().enumerate() {
        // `resize` also fills the containers skipped since the last one, which have no outputs.
        if (firsts.len()..MOST_CONTAINERS).contains(&entry.container) {
            firsts.resize(entry.container + 1, at);
        }
    }
    firsts
}

/// Removes a folder prefix, in any letter case; other paths stay as they are.
fn strip<'a>(path: &'a str, prefix: &str) -> &'a str {
    let prefix = prefix.trim_matches('/');
    match path.split_at_checked(prefix.len()) {
        // The prefix must end at a folder: `Maps` is none of `MapsOld/A`.
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
