//! Descriptions inside a container: the `.utoc` table of contents, its directory index and perfect hash, and
//! the descriptive chunks (container header, script objects and shader libraries).
//!
//! Everything here is a pure function from bytes to facts; nothing reads a file.

pub mod container_header;
mod directory_index;
mod lists;
pub mod perfect_hash;
pub mod script_objects;
pub mod shader_library;
pub mod toc;

pub use directory_index::{
    DirectoryEntryIndex, DirectoryIndex, DirectoryIndexBuilder, FileEntryIndex, FolderPaths,
};
pub use lists::Lists;
pub use toc::{BlockIndex, ChunkIndex, Toc};
