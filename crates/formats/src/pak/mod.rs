//! `.pak` files: the containers beside `.utoc` and `.ucas`, with configuration, localization, asset registry, shaders,
//! movies, and in games without IoStore everything.
//!
//! ```text
//! data       per file: entry header (53 bytes and more), stored bytes
//! index      versions 1–9:   mount point, every path with its entry
//!            versions 10–15: mount point, packed entries │ path-hash index │ full directory index
//! footer     44 to 262 bytes at the end of the file: magic, version, place of the index, method names
//! ```
//!
//! Nothing here reads a file: [`Footer`] is parsed from its last bytes, [`Primary`] from the region named by
//! the footer, [`Index`] from both and the region named by the primary index. All of them may have to be
//! decrypted first.
//!
//! UE 4.0 to 6.0. Source: the container sheet, section 9, checked on real files of versions 3, 5, 8, 11 and
//! 12; version 15 on bytes spelled out from its tables.

mod build;
mod directory;
mod entry;
mod footer;
mod index;
mod primary;
mod region;
mod table;

pub use build::{Encrypt, PakBuilder};
pub use directory::MAX_FILES;
pub use entry::{Block, Entry};
pub use footer::{Footer, PakEncryption};
pub use index::{File, FileIndex, Index};
pub use primary::Primary;
pub use region::{IndexMismatch, IndexPart, Region};
pub use table::{RecordedHash, Table, TableBlock};

#[cfg(test)]
mod tests;
