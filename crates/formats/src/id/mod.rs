//! Chunk ids, package ids, container ids, GUIDs and custom versions, and the hash functions of ids.
//!
//! ```text
//! chunk id, 12 bytes   │ id u64 LE        │ index u16 BE │ extra │ kind │
//!                      │ package id, …    │ 1 = optional │       │      │
//! shader code          │ first 11 bytes of a group hash          │ kind │
//! ```
//!
//! Ids of texts are CityHash64 over the UTF-16LE bytes of the ASCII-lower-cased text ([`hash::lower_utf16`]).
//! Two chunk ids are equal only if all twelve bytes are.

mod chunk;
mod container;
pub mod crc;
mod custom_version;
pub mod hash;
mod package;
mod serialize;
pub mod tree_hash;

pub use chunk::{ChunkKind, ParseChunkIdError, RawChunkId};
pub use container::{ContainerId, Guid, ParseGuidError};
pub use custom_version::CustomVersion;
pub use hash::ChunkHash;
pub use package::{ObjectRef, PackageId, PackageImport, PackageObjectIndex, public_export_hash};

/// Writes bytes as lower-case hex; `text` must have exactly the right length.
fn pad_hex(bytes: &[u8], text: &mut [u8], f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    hex::encode_to_slice(bytes, text).map_err(|_| std::fmt::Error)?;
    f.pad(std::str::from_utf8(text).map_err(|_| std::fmt::Error)?)
}
