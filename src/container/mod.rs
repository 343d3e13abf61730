//! What a container says about itself: the `.utoc` table of contents, its directory index and its perfect hash.
//!
//! Everything here is a pure function from bytes to facts; nothing reads a file.

mod directory_index;
mod directory_index_builder;
pub mod perfect_hash;
pub mod toc;

pub use directory_index::{DirectoryIndex, FileIndex};
pub use directory_index_builder::DirectoryIndexBuilder;
pub use toc::{BlockIndex, ChunkIndex, Toc};
