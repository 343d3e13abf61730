//! Tables of contents drawn by hand, for what no packer would write.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::container::toc::{ChunkMeta, NewChunk, TocBuilder, raw};
use uncask::container::{DirectoryIndexBuilder, Toc};
use uncask::id::{ChunkHash, ChunkKind, ContainerId, Guid, RawChunkId};
use uncask::source::MemorySource;
use uncask::table::Table;
use uncask::version::TocVersion;

/// A container in memory. Its parts are open to vandalism.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub(crate) toc: TocBuilder,
    pub(crate) mount_point: String,
    /// Path of each chunk below the mount point; chunks past the end have none.
    pub(crate) paths: Vec<String>,
    /// The `.ucas`.
    pub(crate) data: Vec<u8>,
}

impl Sketch {
    /// An empty container of version 3, whose chunks stay in the order they are added, in one partition.
    pub(crate) fn new(block_size: u32) -> Self {
        let toc = TocBuilder {
            version: TocVersion::PartitionSize,
            container_id: ContainerId::from_name("sketch"),
            encryption_key_guid: Guid::ZERO,
            encryption: None,
            block_size,
            partition_size: u64::MAX,
            partition_count: 1,
            methods: Vec::new(),
            chunks: Vec::new(),
            blocks: Vec::new(),
            ivs: Vec::new(),
            compressed: false,
        };
        Self { toc, mount_point: "../../../".to_owned(), paths: Vec::new(), data: Vec::new() }
    }

    /// Appends a chunk, stored as it is, after everything else.
    pub(crate) fn add(&mut self, content: &[u8]) {
        let first_block = u32::try_from(self.toc.blocks.len()).expect("few blocks");
        for block in content.chunks(self.toc.block_size as usize) {
            let len = u32::try_from(block.len()).expect("a block");
            self.toc.blocks.push(raw::Block::new(self.data.len() as u64, len, len, 0));
            self.data.extend_from_slice(block);
        }
        self.add_entry(first_block, content);
    }

    /// Appends a chunk whose blocks exist already.
    pub(crate) fn add_entry(&mut self, first_block: u32, content: &[u8]) {
        let version = self.toc.version;
        let kind =
            ChunkKind::ExportBundleData.to_wire(version.chunk_kind_numbering()).expect("packages exist");
        self.toc.chunks.push(NewChunk {
            id: RawChunkId::new(self.toc.chunks.len() as u64 + 1, 0, kind),
            first_block,
            len: content.len() as u64,
            meta: ChunkMeta { hash: ChunkHash::of(version.chunk_hash_kind(), content), flags: 0 },
        });
    }

    /// Bytes that belong to nothing, to keep blocks apart.
    pub(crate) fn skip(&mut self, len: usize) {
        self.data.resize(self.data.len() + len, 0xEE);
    }

    /// The `.utoc`.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let order = self.toc.order();
        let mut index = Vec::new();
        if !self.paths.is_empty() {
            let mut builder = DirectoryIndexBuilder::new(&self.mount_point);
            for (slot, position) in (0_u32..).zip(&order.slots) {
                if let Some(path) = self.paths.get(*position as usize) {
                    builder.add(path, slot);
                }
            }
            index = builder.finish();
        }
        self.toc.finish(&order, &index)
    }

    /// The parsed table.
    pub(crate) fn parse(&self) -> Arc<Table> {
        Arc::new(Toc::parse(self.bytes().into()).expect("a table that parses").into())
    }

    /// The data.
    pub(crate) fn source(&self) -> Arc<MemorySource> {
        Arc::new(MemorySource::new(self.data.clone().into()))
    }

    /// Writes `sketch.utoc` and `sketch.ucas` into a folder.
    pub(crate) fn write(&self, folder: &Path) -> PathBuf {
        let toc = folder.join("sketch.utoc");
        std::fs::write(&toc, self.bytes()).expect("a file");
        std::fs::write(toc.with_extension("ucas"), &self.data).expect("a file");
        toc
    }
}
