use crate::container::ChunkIndex;

/// A chunk of a container of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// Position of the container in [`Store::containers`](super::Store::containers).
    pub container: usize,
    /// Position of the chunk in its table of contents.
    pub chunk: ChunkIndex,
}
