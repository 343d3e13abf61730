//! A container that a new one is made like.
//!
//! What makes two builds of the same packages differ is nothing that a game needs: in what order chunks lie, which slots of the
//! table they have, how blocks were compressed. All of that is taken from the original, so that what was not changed comes out
//! as it was, byte for byte, and a patch of the two is as small as the change.

use crate::codec;
use crate::container::container_header::ContainerHeader;
use crate::container::toc::{ContainerFlags, Placement, raw};
use crate::container::{BlockIndex, ChunkIndex, Toc};
use crate::crypto::{AesKey, Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::id::{ChunkKind, ContainerId, Guid, RawChunkId};
use crate::package::convert::to_legacy::{Clue, How};
use crate::source::{Buffer, Source, read_blocking};
use crate::store::Container;
use crate::version::Releases;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Bytes of the longest container header that is read.
const MAX_HEADER_LEN: u64 = 1 << 30;

/// A container whose layout a new one takes over.
#[derive(Debug)]
pub struct Original {
    container: Arc<Container>,
    data: Arc<dyn Source>,
    /// Each chunk, and its place in the order of the data.
    places: HashMap<RawChunkId, (ChunkIndex, u32)>,
    alignment: u64,
}

/// A block as it is stored, but for padding and encryption.
#[derive(Debug)]
pub(super) struct Piece {
    pub bytes: Vec<u8>,
    /// Index of its method: 0 is none.
    pub method: u8,
    /// What it was encrypted with, if that was AES-CTR.
    pub iv: Option<raw::Iv>,
}

impl Original {
    /// An opened container. A pak is an error, and so is one that cannot be decrypted.
    pub fn new(container: Arc<Container>) -> Result<Self> {
        let Some(toc) = container.table().iostore() else {
            let what = "a .pak as the original of a container".to_owned();
            return Err(Error::Unsupported { what, path: container.path().to_owned() });
        };
        if let Some(locked) = container.locked() {
            return Err(locked.same_key_problem());
        }
        let mut places = HashMap::new();
        for (rank, chunk) in (0..).zip(toc.chunks_by_offset()) {
            if let Some(id) = toc.chunk_id(chunk) {
                places.entry(id).or_insert((chunk, rank));
            }
        }
        let alignment = toc.alignment().unwrap_or(Placement::ALIGNMENT);
        Ok(Self { places, alignment, data: container.source(), container })
    }

    /// The container.
    #[must_use]
    pub const fn container(&self) -> &Arc<Container> {
        &self.container
    }

    /// Whether it is signed, which what is made like it is not: only its maker can sign.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.toc().is_some_and(|toc| toc.flags().has(ContainerFlags::SIGNED))
    }

    /// Why its data cannot be read, if it cannot. Then all blocks are compressed anew.
    #[must_use]
    pub fn data_problem(&self) -> Option<Error> {
        let table = self.container.table();
        let of_chunk = |chunk| {
            let blocks = table.blocks_of(chunk).ok()?;
            let last = table.block(chunk, BlockIndex(blocks.end.checked_sub(1)?))?;
            self.data.check(&last.stored_range()).err()
        };
        table.chunks().find_map(of_chunk)
    }

    /// Its table of contents.
    pub(super) fn toc(&self) -> Option<&Toc> {
        self.container.table().iostore()
    }

    /// The id of a container that is written to a path: the same under the same name, whatever name it stands for.
    pub(super) fn container_id(&self, toc_path: &Path) -> Option<ContainerId> {
        let is_same = self.container.path().file_stem() == toc_path.file_stem();
        self.container.table().container_id().filter(|_| is_same)
    }

    /// Its container header, if it has one that can be read.
    pub(super) fn header(&self) -> Option<ContainerHeader> {
        let chunk = self.container.find_kind(ChunkKind::ContainerHeader)?;
        let bytes = self.container.read(chunk, 0..u64::MAX, MAX_HEADER_LEN).ok()?;
        ContainerHeader::parse(&bytes).ok()
    }

    /// The releases that may have written it.
    pub(super) fn releases(&self) -> Option<Releases> {
        let version = self.toc()?.version();
        let (header, how) = (self.header(), How::Container);
        let hash_len = header
            .as_ref()
            .filter(|header| header.packages.iter().any(|package| !package.shader_map_hashes.is_empty()));
        let hash_len = hash_len.map(|header| header.layout.shader_hash_len);
        let layout = header.as_ref().map(|header| header.layout.version);
        Some(Clue::of_container(how, version, layout, hash_len).releases)
    }

    /// Uncompressed size of its blocks.
    pub(super) fn block_size(&self) -> u32 {
        self.toc().map_or(0, Toc::block_size)
    }

    /// How its chunks are placed.
    pub(super) const fn alignment(&self) -> u64 {
        self.alignment
    }

    /// Its key, if it is encrypted.
    pub(super) fn key(&self) -> Option<(Guid, AesKey)> {
        Some((self.toc()?.encryption_key_guid(), self.container.cipher()?.key().clone()))
    }

    /// How it is encrypted.
    pub(super) fn encryption(&self) -> Option<EncryptionMethod> {
        self.container.cipher().map(Cipher::method)
    }

    /// Names of its methods.
    pub(super) fn methods(&self) -> Vec<String> {
        self.container.table().methods().names().map(str::to_owned).collect()
    }

    /// The chunk of an id.
    pub(super) fn chunk(&self, id: RawChunkId) -> Option<ChunkIndex> {
        self.places.get(&id).map(|(chunk, _)| *chunk)
    }

    /// The place of a chunk in the order of the data; chunks that it does not have come after all others.
    pub(super) fn rank(&self, id: RawChunkId) -> u32 {
        self.places.get(&id).map_or(u32::MAX, |(_, rank)| *rank)
    }

    /// The path of a chunk below the root of the game.
    pub(super) fn path(&self, id: RawChunkId) -> Option<String> {
        let mut path = String::new();
        self.container.path_into(self.chunk(id)?, &mut path).then_some(path)
    }

    /// Whether no block of a chunk is compressed. Some have to be so: the engine maps them, or needs them before it can decompress.
    pub(super) fn is_stored(&self, chunk: ChunkIndex) -> bool {
        self.toc().and_then(|toc| toc.storage(chunk)).is_some_and(|storage| storage.methods() == [0])
    }

    /// A block of a chunk as it is stored, if `content` is its content. One that cannot be read is not the same.
    pub(super) fn piece(
        &self,
        chunk: ChunkIndex,
        at: u32,
        content: &[u8],
        scratch: &mut codec::Scratch,
    ) -> Option<Piece> {
        let table = self.container.table();
        let blocks = table.blocks_of(chunk).ok()?;
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
        bytes.truncate(block.stored_len as usize);
        let mut decoded = vec![0; content.len()];
        let method = table.methods().lookup(block.method).ok()?;
        table.methods().decode(method, &bytes, &mut decoded, scratch).ok()?;
        (decoded == content).then_some(Piece { bytes, method: block.method, iv: iv.map(|(iv, _)| iv) })
    }
}
