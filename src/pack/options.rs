//! What can be chosen about a container, and what is said about it once it is made.

use crate::codec::Method;
use crate::crypto::AesKey;
use crate::id::Guid;
use crate::version::{Release, TocVersion};
use std::path::PathBuf;

/// How a container is made.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// Layout.
    pub version: TocVersion,
    /// Compression of the blocks.
    pub method: Method,
    /// Its level; `None` for the method's usual one.
    pub level: Option<i32>,
    /// Uncompressed size of a full block, in bytes: 1 to 0xFF_FFFF.
    pub block_size: u32,
    /// Largest size of a `.ucas`, in bytes; `None` for a single file.
    pub partition_size: Option<u64>,
    /// Key and its GUID.
    pub key: Option<(Guid, AesKey)>,
    /// What paths are relative to.
    pub mount_point: String,
    /// Whether chunks get paths.
    pub directory_index: bool,
    /// The engine release of the game, where several share the layout; `None` for the newest that the packages allow.
    pub engine: Option<&'static Release>,
    /// Whether to pack what no game would take, and to replace a container that is there.
    pub force: bool,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            version: TocVersion::ReplaceIoChunkHashWithIoHash,
            method: Method::None,
            level: None,
            block_size: 64 << 10,
            partition_size: None,
            key: None,
            mount_point: "../../../".to_owned(),
            directory_index: true,
            engine: None,
            force: false,
        }
    }
}

/// Files that were left out, and why.
pub(super) type LeftOut = Vec<(PathBuf, String)>;

/// What was made.
#[derive(Debug, Default)]
pub struct Packed {
    /// Chunks in the container.
    pub chunks: u64,
    /// Their uncompressed bytes.
    pub raw_bytes: u64,
    /// Bytes of all `.ucas` files.
    pub stored_bytes: u64,
    /// Number of `.ucas` files.
    pub partitions: u32,
    /// Files that were left out, and why.
    pub skipped: Vec<(PathBuf, String)>,
    /// What was done otherwise than one might expect, and what games will not take.
    pub warnings: Vec<String>,
}
