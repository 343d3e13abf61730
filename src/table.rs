//! Tables of contents of containers and paks in one form, for the pipeline and the store.
//!
//! A container lists its chunks in a `.utoc`, a pak its files in an index at its end. Here both are chunks in blocks,
//! so both feed the same stages, and one mount order covers both.

use crate::codec::MethodTable;
use crate::container::toc::{BlockRangeError, ChunkMeta, Notice, Storage};
use crate::container::{BlockIndex, ChunkIndex, Toc};
use crate::crypto::IV_LEN;
use crate::id::{ChunkHash, ChunkKind, ContainerId, Guid, RawChunkId};
use crate::pak::{self, FileIndex, RecordedHash};
use crate::version::{ChunkHashKind, ChunkKindNumbering};
use crate::wire::Fault;
use std::borrow::Cow;
use std::ops::Range;

/// A compression block of either kind of table.
pub use crate::pak::TableBlock as Block;

/// The table of contents of a container or a pak.
#[derive(Debug)]
pub enum Table {
    /// From a `.utoc`.
    IoStore(Toc),
    /// From a `.pak`: every file is a chunk of kind [`ChunkKind::ExternalFile`].
    Pak(pak::Table),
}

/// Data covered by the recorded hashes.
#[derive(Debug, Clone, Copy)]
pub enum Hashed<'a> {
    /// The uncompressed content of a chunk.
    Content,
    /// The stored bytes of a file: compressed, encrypted, padded.
    Stored(&'a pak::Table),
}

/// Total of blocks with the same method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockSum {
    /// Method index, for [`Table::methods`]; 0 is none.
    pub method: u8,
    /// Number of blocks.
    pub count: u64,
    /// Their uncompressed bytes.
    pub raw_len: u64,
    /// Their stored bytes, without padding.
    pub stored_len: u64,
}

impl From<Toc> for Table {
    fn from(toc: Toc) -> Self {
        Self::IoStore(toc)
    }
}

impl From<pak::Table> for Table {
    fn from(table: pak::Table) -> Self {
        Self::Pak(table)
    }
}

/// Converts a chunk index of a pak to its file index, which is the same number.
const fn file(chunk: ChunkIndex) -> FileIndex {
    FileIndex(chunk.0)
}

impl Table {
    /// The table of contents of a container; `None` for a pak.
    #[must_use]
    pub const fn iostore(&self) -> Option<&Toc> {
        match self {
            Self::IoStore(toc) => Some(toc),
            Self::Pak(_) => None,
        }
    }

    /// The table of a pak; `None` for a container.
    #[must_use]
    pub const fn pak(&self) -> Option<&pak::Table> {
        match self {
            Self::IoStore(_) => None,
            Self::Pak(table) => Some(table),
        }
    }

    /// Number of chunks.
    #[must_use]
    pub fn chunk_count(&self) -> u32 {
        match self {
            Self::IoStore(toc) => toc.chunk_count(),
            Self::Pak(table) => table.file_count(),
        }
    }

    /// All chunk indices, in table order.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = ChunkIndex> + use<> {
        (0..self.chunk_count()).map(ChunkIndex)
    }

    /// The id of a chunk; `None` if the index is outside the table.
    #[must_use]
    pub fn chunk_id(&self, chunk: ChunkIndex) -> Option<RawChunkId> {
        match self {
            Self::IoStore(toc) => toc.chunk_id(chunk),
            Self::Pak(table) => table.id(file(chunk)),
        }
    }

    /// The type of a chunk.
    #[must_use]
    pub fn chunk_kind(&self, chunk: ChunkIndex) -> ChunkKind {
        match self {
            Self::IoStore(toc) => toc.chunk_kind(chunk),
            Self::Pak(_) => ChunkKind::ExternalFile,
        }
    }

    /// Uncompressed length of a chunk in bytes; 0 if the index is outside the table.
    #[must_use]
    pub fn chunk_len(&self, chunk: ChunkIndex) -> u64 {
        match self {
            Self::IoStore(toc) => toc.chunk_len(chunk),
            Self::Pak(table) => table.raw_len(file(chunk)),
        }
    }

    /// Finds a chunk by its id.
    #[must_use]
    pub fn find(&self, id: RawChunkId) -> Option<ChunkIndex> {
        match self {
            Self::IoStore(toc) => toc.find(id),
            Self::Pak(table) => table.find(id).map(|file| ChunkIndex(file.0)),
        }
    }

    /// The recorded hash, all zero if there is none, and flags of a chunk. For a pak it is the SHA-1 of the stored
    /// bytes.
    #[must_use]
    pub fn meta(&self, chunk: ChunkIndex) -> Option<ChunkMeta> {
        match self {
            Self::IoStore(toc) => toc.meta(chunk),
            Self::Pak(table) => {
                let hash = match table.hash(file(chunk))?.0 {
                    RecordedHash::Known(hash) => hash,
                    // The index has no hash; it stands in front of the file's data, which is not read here.
                    RecordedHash::InFile(_) => [0; 20],
                };
                Some(ChunkMeta { hash: ChunkHash(hash), flags: 0 })
            }
        }
    }

    /// The data covered by its hashes.
    #[must_use]
    pub const fn hashed(&self) -> Hashed<'_> {
        match self {
            Self::IoStore(_) => Hashed::Content,
            Self::Pak(table) => Hashed::Stored(table),
        }
    }

    /// True for a delete record: an entry without content that hides files of its path in lower paks.
    #[must_use]
    pub fn is_delete_record(&self, chunk: ChunkIndex) -> bool {
        self.pak().is_some_and(|table| table.is_deleted(file(chunk)))
    }

    /// The hash function required by the table's version.
    #[must_use]
    pub const fn chunk_hash_kind(&self) -> ChunkHashKind {
        match self {
            Self::IoStore(toc) => toc.version().chunk_hash_kind(),
            Self::Pak(_) => ChunkHashKind::Sha1,
        }
    }

    /// Numbering of chunk types in its chunk ids.
    #[must_use]
    pub const fn chunk_kind_numbering(&self) -> ChunkKindNumbering {
        match self {
            Self::IoStore(toc) => toc.version().chunk_kind_numbering(),
            // Ids of files in paks are made up, in the newer numbering.
            Self::Pak(_) => ChunkKindNumbering::Ue5,
        }
    }

    /// Compression methods by index.
    #[must_use]
    pub const fn methods(&self) -> &MethodTable {
        match self {
            Self::IoStore(toc) => toc.methods(),
            Self::Pak(table) => table.methods(),
        }
    }

    /// Position and encoding of a chunk's stored bytes; `None` if its blocks lie outside the table, or if it has none.
    #[must_use]
    pub fn storage(&self, chunk: ChunkIndex) -> Option<Storage> {
        match self {
            Self::IoStore(toc) => toc.storage(chunk),
            Self::Pak(table) => {
                // All blocks of a file have one method and follow each other, so the first one tells everything.
                let first = table.block(file(chunk), 0)?;
                Some(Storage {
                    stored_len: table.stored_len(file(chunk)),
                    method: first.method,
                    other_methods: Vec::new(),
                    partition: 0,
                    offset: first.offset,
                    blocks: table.block_count(file(chunk)),
                })
            }
        }
    }

    /// Names of a chunk's compression methods, joined by `+`; `?` for an index without a name.
    #[must_use]
    pub fn method_names(&self, storage: &Storage) -> Cow<'_, str> {
        let name = |index: u8| self.methods().name(index).unwrap_or("?");
        if storage.other_methods.is_empty() {
            return name(storage.method).into();
        }
        storage.methods().into_iter().map(name).collect::<Vec<_>>().join("+").into()
    }

    /// Stored length in bytes of some blocks of a chunk, without padding; blocks that do not exist count nothing.
    #[must_use]
    pub fn stored_len(&self, chunk: ChunkIndex, blocks: &Range<u32>) -> u64 {
        match self {
            Self::IoStore(toc) => toc.stored_len(blocks),
            // The usual case, in constant time: a file may have millions of blocks.
            Self::Pak(table) if *blocks == (0..table.block_count(file(chunk))) => {
                table.stored_len(file(chunk))
            }
            Self::Pak(_) => {
                let blocks = blocks.clone().filter_map(|number| self.block(chunk, BlockIndex(number)));
                blocks.map(|block| u64::from(block.stored_len)).sum()
            }
        }
    }

    /// The fault that makes a chunk's entry unreadable, if any.
    #[must_use]
    pub fn fault(&self, chunk: ChunkIndex) -> Option<Fault> {
        self.pak()?.fault(file(chunk))
    }

    /// The blocks of a chunk; none for a chunk of length zero. Blocks of a container are numbered throughout; in a pak
    /// each file counts its own.
    pub fn blocks_of(&self, chunk: ChunkIndex) -> Result<Range<u32>, BlockRangeError> {
        match self {
            Self::IoStore(toc) => toc.blocks_of(chunk),
            Self::Pak(table) => Ok(0..table.block_count(file(chunk))),
        }
    }

    /// A block of a chunk; `None` if there is no such block.
    #[must_use]
    pub fn block(&self, chunk: ChunkIndex, block: BlockIndex) -> Option<Block> {
        match self {
            Self::IoStore(toc) => {
                let found = toc.block(block)?;
                Some(Block {
                    offset: found.offset(),
                    stored_len: found.stored_len(),
                    raw_len: found.raw_len(),
                    method: found.method(),
                    is_encrypted: toc.is_encrypted(),
                })
            }
            Self::Pak(table) => table.block(file(chunk), block.0),
        }
    }

    /// Sums of a chunk's blocks by method; a method may occur repeatedly. All blocks of a file in a pak have one
    /// method, so there is a single sum, however large the file.
    pub fn block_sums(&self, chunk: ChunkIndex) -> impl Iterator<Item = BlockSum> {
        let (whole, blocks) = match self {
            Self::IoStore(toc) => (None, toc.blocks_of(chunk).unwrap_or_default()),
            Self::Pak(table) => {
                let sum = |first: pak::TableBlock| BlockSum {
                    method: first.method,
                    count: table.block_count(file(chunk)).into(),
                    raw_len: table.raw_len(file(chunk)),
                    stored_len: table.stored_len(file(chunk)),
                };
                (table.block(file(chunk), 0).map(sum), 0..0)
            }
        };
        let single = move |at| {
            let Block { method, raw_len, stored_len, .. } = self.block(chunk, BlockIndex(at))?;
            Some(BlockSum { method, count: 1, raw_len: raw_len.into(), stored_len: stored_len.into() })
        };
        whole.into_iter().chain(blocks.filter_map(single))
    }

    /// The initialisation vector of a block (AES-CTR), and its start in the key stream, in units of 16 bytes.
    #[must_use]
    pub fn block_iv(&self, chunk: ChunkIndex, block: BlockIndex) -> Option<([u8; IV_LEN], u32)> {
        match self {
            Self::IoStore(toc) => Some((toc.block_iv(block)?, 0)),
            Self::Pak(table) => table.block_iv(file(chunk), block.0),
        }
    }

    /// Uncompressed size of every block of a chunk but the last, in bytes.
    #[must_use]
    pub fn block_size(&self, chunk: ChunkIndex) -> u32 {
        match self {
            Self::IoStore(toc) => toc.block_size(),
            Self::Pak(table) => table.block_size(file(chunk)),
        }
    }

    /// Size of a partition in the address space, in bytes; unlimited for a container with a single file, and for a pak.
    #[must_use]
    pub const fn partition_size(&self) -> u64 {
        match self {
            Self::IoStore(toc) => toc.partition_size(),
            Self::Pak(_) => u64::MAX,
        }
    }

    /// True if a chunk is encrypted.
    #[must_use]
    pub(crate) fn is_chunk_encrypted(&self, chunk: ChunkIndex) -> bool {
        match self {
            Self::IoStore(toc) => toc.is_encrypted(),
            Self::Pak(table) => table.is_encrypted(file(chunk)),
        }
    }

    /// True if blocks and directory index of a container, or the index of a pak, are encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        match self {
            Self::IoStore(toc) => toc.is_encrypted(),
            Self::Pak(table) => table.index().footer().is_index_encrypted,
        }
    }

    /// GUID of its encryption key; zero for the main key.
    #[must_use]
    pub const fn encryption_key_guid(&self) -> Guid {
        match self {
            Self::IoStore(toc) => toc.encryption_key_guid(),
            Self::Pak(table) => table.index().footer().key_guid,
        }
    }

    /// Hash of the container's base name, if recorded.
    #[must_use]
    pub fn container_id(&self) -> Option<ContainerId> {
        self.iostore().and_then(Toc::container_id)
    }

    /// Oddities of the table that did not prevent reading it.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        self.iostore().map_or(&[], Toc::notices)
    }
}
