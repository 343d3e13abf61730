use crate::container::ChunkIndex;

/// Position of a chunk in a store: its container, and its place in that container's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// Position of the container in [`Store::containers`](super::Store::containers).
    pub container: usize,
    /// Position of the chunk in its table of contents.
    pub chunk: ChunkIndex,
}
