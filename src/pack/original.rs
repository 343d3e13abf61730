//! Container whose layout a new one follows.
//!
//! Two builds of the same packages differ in details that no game needs: the order of chunks, their slots in
//! the table, the compressed form of blocks. All of them are taken from the original, so that unchanged
//! content comes out byte for byte, and a patch between the two is as small as the change.

use crate::codec;
use crate::container::toc::{ContainerFlags, Placement, raw};
use crate::container::{BlockIndex, ChunkIndex, Toc};
use crate::crypto::{AesKey, Cipher, EncryptionMethod};
use crate::error::{Error, Result, UnsupportedFeature};
use crate::id::{ChunkKind, ContainerId, Guid, PackageId, RawChunkId};
use crate::package::convert::to_legacy::{Clue, How};
use crate::source::{Buffer, Source, read_blocking};
use crate::store::Container;
use crate::version::Releases;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Container whose layout a new one follows.
#[derive(Debug)]
pub struct Original {
    container: Arc<Container>,
    data: Arc<dyn Source>,
    /// Chunks by id, with their rank in the order of the data.
    places: HashMap<RawChunkId, (ChunkIndex, u32)>,
    alignment: u64,
    /// Files outside of packages, listed on first use.
    files: OnceLock<HashMap<String, RawChunkId>>,
}

/// Stored block without padding and encryption.
#[derive(Debug)]
pub(super) struct Piece {
    pub bytes: Vec<u8>,
    /// Index of its method; 0 is no compression.
    pub method: u8,
    /// Initialisation vector of its encryption, if that was AES-CTR.
    pub iv: Option<raw::Iv>,
}

impl Original {
    /// Uses an open container. Fails for a pak, and for a container that cannot be decrypted.
    pub fn new(container: Arc<Container>) -> Result<Self> {
        let Some(toc) = container.table().iostore() else {
            let what = UnsupportedFeature::PakAsOriginal;
            return Err(Error::Unsupported { what, path: container.path().to_owned() });
        };
        if let Some(locked) = container.locked() {
            return Err(locked.same_key_problem());
        }
        let mut places = HashMap::new();
        for (rank, chunk) in (0..).zip(toc.chunks_by_offset()) {
            if let Some(id) = toc.chunk_id(chunk) {
                // The first of several chunks with one id counts, as for lookups.
                places.entry(id).or_insert((chunk, rank));
            }
        }
        let alignment = toc.alignment().unwrap_or(Placement::ALIGNMENT);
        Ok(Self { places, alignment, data: container.source(), files: OnceLock::new(), container })
    }

    /// Returns the container.
    #[must_use]
    pub const fn container(&self) -> &Arc<Container> {
        &self.container
    }

    /// True if it is signed. A container made like it is not: only the holder of the key can sign.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.toc().is_some_and(|toc| toc.flags().has(ContainerFlags::SIGNED))
    }

    /// Returns the reason that its data cannot be read, if there is one. All blocks are then compressed
    /// again.
    #[must_use]
    pub fn data_problem(&self) -> Option<Error> {
        let table = self.container.table();
        let of_chunk = |chunk| {
            let blocks = table.blocks_of(chunk).ok()?;
            // Only lengths are checked, so the last block of each chunk is enough.
            let last = table.block(chunk, BlockIndex(blocks.end.checked_sub(1)?))?;
            self.data.check(&last.stored_range()).err()
        };
        table.chunks().find_map(of_chunk)
    }

    /// Returns its table of contents.
    pub(super) fn toc(&self) -> Option<&Toc> {
        self.container.table().iostore()
    }

    /// Returns the id for a container at `toc_path`: under the original's name, its id, even if that was not
    /// made from the name.
    pub(super) fn container_id(&self, toc_path: &Path) -> Option<ContainerId> {
        self.replaced_by(toc_path).and_then(|_| self.container.table().container_id())
    }

    /// Returns its path if a container at `toc_path` has the same name, and so takes its place.
    pub(super) fn replaced_by(&self, toc_path: &Path) -> Option<&Path> {
        let path = self.container.path();
        (path.file_stem() == toc_path.file_stem()).then_some(path)
    }

    /// Returns the bytes of its container header, if that can be read and is no longer than `limit`.
    pub(super) fn header(&self, limit: u64) -> Option<Vec<u8>> {
        let chunk = self.container.find_kind(ChunkKind::ContainerHeader)?;
        self.container.read(chunk, 0..u64::MAX, limit).ok()
    }

    /// True if it contains exactly these packages.
    pub(super) fn has_packages(&self, packages: &[PackageId]) -> bool {
        let table = self.container.table();
        let is_package = |chunk: &ChunkIndex| table.chunk_kind(*chunk) == ChunkKind::ExportBundleData;
        let ids = table.chunks().filter(is_package).filter_map(|chunk| table.chunk_id(chunk));
        let own: HashSet<PackageId> = ids.filter(|id| id.index() == 0).map(RawChunkId::package).collect();
        own.len() == packages.len() && packages.iter().all(|id| own.contains(id))
    }

    /// Returns the releases that may have written it.
    pub(super) fn releases(&self) -> Option<Releases> {
        let (version, header) = (self.toc()?.version(), self.container.header_version());
        Some(Clue::of_container(How::Container, version, header, None).releases)
    }

    /// Returns the uncompressed size of its blocks, in bytes.
    pub(super) fn block_size(&self) -> u32 {
        self.toc().map_or(0, Toc::block_size)
    }

    /// Returns the alignment of its chunks, in bytes.
    pub(super) const fn alignment(&self) -> u64 {
        self.alignment
    }

    /// Returns its key, if it is encrypted.
    pub(super) fn key(&self) -> Option<(Guid, AesKey)> {
        Some((self.toc()?.encryption_key_guid(), self.container.cipher()?.key().clone()))
    }

    /// Returns its encryption method.
    pub(super) fn encryption(&self) -> Option<EncryptionMethod> {
        self.container.cipher().map(Cipher::method)
    }

    /// Returns the names of its compression methods.
    pub(super) fn methods(&self) -> Vec<String> {
        self.container.table().methods().names().map(str::to_owned).collect()
    }

    /// Returns the chunk with an id.
    pub(super) fn chunk(&self, id: RawChunkId) -> Option<ChunkIndex> {
        self.places.get(&id).map(|(chunk, _)| *chunk)
    }

    /// Returns the rank of a chunk in the order of the data. Unknown chunks come after all others.
    pub(super) fn rank(&self, id: RawChunkId) -> u32 {
        self.places.get(&id).map_or(u32::MAX, |(_, rank)| *rank)
    }

    /// Returns the path of a chunk below the root of the game.
    pub(super) fn path(&self, id: RawChunkId) -> Option<String> {
        let mut path = String::new();
        self.container.path_into(self.chunk(id)?, &mut path).then_some(path)
    }

    /// Returns the id of a file outside of packages, by its path below the root of the game.
    pub(super) fn id_of_file(&self, path: &str) -> Option<RawChunkId> {
        self.files.get_or_init(|| self.loose_files()).get(path).copied()
    }

    fn loose_files(&self) -> HashMap<String, RawChunkId> {
        let table = self.container.table();
        let loose = table.chunks().filter(|chunk| !table.chunk_kind(*chunk).belongs_to_package());
        let id = |chunk| {
            let mut path = String::new();
            let id = table.chunk_id(chunk).filter(|_| self.container.path_into(chunk, &mut path))?;
            Some((path, id))
        };
        loose.filter_map(id).collect()
    }

    /// True if no block of a chunk is compressed. For some this is required: the engine maps them, or needs
    /// them before it can decompress.
    pub(super) fn is_stored(&self, chunk: ChunkIndex) -> bool {
        self.toc().and_then(|toc| toc.storage(chunk)).is_some_and(|storage| storage.methods() == [0])
    }

    /// Returns the stored form of a block if its content equals `content`. Any read error counts as
    /// different.
    pub(super) fn piece(
        &self,
        chunk: ChunkIndex,
        at: u32,
        content: &[u8],
        scratch: &mut codec::Scratch,
    ) -> Option<Piece> {
        let table = self.container.table();
        let blocks = table.blocks_of(chunk).ok()?;
        // A chunk that got longer has blocks here that the original lacks.
        let index = blocks.start.checked_add(at).filter(|index| *index < blocks.end).map(BlockIndex)?;
        let block = table.block(chunk, index).filter(|block| block.raw_len as usize == content.len())?;
        let range = block.stored_range();
        self.data.check(&range).ok()?;
        let buffer = Buffer::new(usize::try_from(range.end - range.start).ok()?);
        let secret = read_blocking(&*self.data, range.start, buffer).ok()?;
        let iv = table.block_iv(chunk, index);
        let mut bytes = secret.to_vec();
        if let Some(cipher) = self.container.cipher() {
            cipher.decrypt_part(iv, &secret, &mut bytes).ok()?;
        }
        // The padding is made again later, from the same bytes.
        bytes.truncate(block.stored_len as usize);
        // Decoded and compared: equal content in the original's form saves compressing it.
        let mut decoded = vec![0; content.len()];
        let method = table.methods().lookup(block.method).ok()?;
        table.methods().decode(method, &bytes, &mut decoded, scratch).ok()?;
        (decoded == content).then_some(Piece { bytes, method: block.method, iv: iv.map(|(iv, _)| iv) })
    }
}
