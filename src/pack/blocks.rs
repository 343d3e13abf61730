//! From file content to stored blocks.

use super::data::DataWriter;
use super::files::PackFile;
use super::options::PackOptions;
use crate::codec::{self, Method};
use crate::container::toc::{ChunkMeta, NewChunk, raw};
use crate::crypto::{BLOCK_LEN, Cipher, EncryptionMethod};
use crate::error::{Bound, Error, Result};
use crate::id::{RawChunkId, hash::ChunkHasher};
use crate::pipeline::Cpu;
use std::io::Read;
use std::path::Path;

/// Bytes of a file that are compressed at a time, by all threads together.
const GROUP_LEN: usize = 8 << 20;

/// Makes blocks, and remembers them for the table of contents.
pub(super) struct BlockMaker<'a> {
    pub blocks: Vec<raw::Block>,
    pub ivs: Vec<raw::Iv>,
    options: &'a PackOptions,
    cipher: Option<Cipher>,
    cpu: &'a Cpu,
    group: Vec<u8>,
}

/// A chunk to store, and the file to name where that fails.
struct Chunk<'a> {
    id: RawChunkId,
    /// Length in bytes when it was found.
    len: u64,
    method: Method,
    path: &'a Path,
}

/// A block as it goes to disk, padding included.
struct Stored {
    bytes: Vec<u8>,
    stored_len: u32,
    raw_len: u32,
    compressed: bool,
    iv: Option<raw::Iv>,
}

impl<'a> BlockMaker<'a> {
    pub(super) fn new(options: &'a PackOptions, cipher: Option<Cipher>, cpu: &'a Cpu) -> Self {
        let block_size = options.block_size as usize;
        let group = vec![0; (GROUP_LEN / block_size).max(1) * block_size];
        Self { blocks: Vec::new(), ivs: Vec::new(), options, cipher, cpu, group }
    }

    /// Stores a file, and says what chunk it became.
    pub(super) fn add_file(&mut self, file: &PackFile, data: &mut DataWriter) -> Result<NewChunk> {
        let mut input = file.open()?;
        let chunk = Chunk { id: file.id, len: file.len, method: self.options.method, path: &file.source };
        self.add(&chunk, &mut input, data)
    }

    /// Stores a container header. The engine reads it before it can decompress anything.
    pub(super) fn add_container_header(
        &mut self,
        id: RawChunkId,
        header: &[u8],
        data: &mut DataWriter,
    ) -> Result<NewChunk> {
        let path = data.path().to_owned();
        let chunk = Chunk { id, len: header.len() as u64, method: Method::None, path: &path };
        self.add(&chunk, &mut &*header, data)
    }

    fn add(&mut self, chunk: &Chunk<'_>, input: &mut impl Read, data: &mut DataWriter) -> Result<NewChunk> {
        let first_block = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
        let mut hasher = ChunkHasher::new(self.options.version.chunk_hash_kind());
        let (mut len, mut compressed) = (0, false);
        data.begin_chunk(chunk.len.next_multiple_of(BLOCK_LEN as u64));
        loop {
            let mut group = std::mem::take(&mut self.group);
            let filled = read_full(input, &mut group).map_err(Error::io("read", chunk.path))?;
            let content = group.get(..filled).unwrap_or_default();
            hasher.update(content);
            len += filled as u64;
            for stored in self.store(content, chunk)? {
                compressed |= stored.compressed;
                self.push(&stored, data)?;
            }
            let done = filled < group.len();
            self.group = group;
            if done {
                break;
            }
        }
        let flags = if compressed { ChunkMeta::COMPRESSED } else { 0 };
        Ok(NewChunk { id: chunk.id, first_block, len, meta: ChunkMeta { hash: hasher.finish(), flags } })
    }

    fn push(&mut self, stored: &Stored, data: &mut DataWriter) -> Result<()> {
        let offset = data.append(&stored.bytes)?;
        if offset > raw::Block::MAX_OFFSET {
            let (what, limit) = ("container size", raw::Block::MAX_OFFSET);
            return Err(Error::Limit {
                what,
                found: offset,
                limit,
                bound: Bound::Fixed,
                path: data.path().to_owned(),
            });
        }
        let method = u8::from(stored.compressed);
        self.blocks.push(raw::Block::new(offset, stored.stored_len, stored.raw_len, method));
        self.ivs.extend(stored.iv);
        Ok(())
    }

    /// Compresses and encrypts consecutive blocks, on all threads.
    fn store(&self, content: &[u8], chunk: &Chunk<'_>) -> Result<Vec<Stored>> {
        let block_size = self.options.block_size as usize;
        let one = |scratch: &mut codec::Scratch, raw: &[u8]| {
            self.store_block(chunk.method, raw, scratch, chunk.path)
        };
        let blocks = content.chunks(block_size);
        self.cpu.map_init(blocks, codec::Scratch::default, one).into_iter().collect()
    }

    fn store_block(
        &self,
        method: Method,
        content: &[u8],
        scratch: &mut codec::Scratch,
        path: &Path,
    ) -> Result<Stored> {
        let mut bytes = Vec::new();
        if method != Method::None {
            codec::compress(method, content, self.options.level, &mut bytes, scratch)
                .map_err(|error| Error::CannotPack { reason: error.to_string(), path: path.to_owned() })?;
        }
        let compressed = method != Method::None && bytes.len() < content.len();
        if !compressed {
            bytes.clear();
            bytes.extend_from_slice(content);
        }
        let (stored_len, raw_len) = (len24(bytes.len()), len24(content.len()));
        pad(&mut bytes);
        let mut iv = None;
        if let Some(cipher) = &self.cipher {
            let secret;
            (iv, secret) = encrypt(cipher, &bytes, path)?;
            bytes = secret;
        }
        Ok(Stored { bytes, stored_len, raw_len, compressed, iv })
    }
}

/// Blocks are at most 16 MiB, which `pack` has checked.
fn len24(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(raw::Block::MAX_LEN)
}

/// Fills a block up to 16 bytes with its own bytes from the start, as the engine does.
fn pad(bytes: &mut Vec<u8>) {
    let len = bytes.len();
    for at in len..len.next_multiple_of(BLOCK_LEN) {
        let byte = bytes.get(at - len).copied().unwrap_or(0);
        bytes.push(byte);
    }
}

/// Pads and encrypts. The vector of AES-CTR follows from the content, so equal content stays equal.
pub(super) fn encrypt(cipher: &Cipher, plain: &[u8], path: &Path) -> Result<(Option<raw::Iv>, Vec<u8>)> {
    let mut plain = plain.to_vec();
    pad(&mut plain);
    let iv = match cipher.method() {
        EncryptionMethod::Ecb => None,
        EncryptionMethod::Ctr => blake3::hash(&plain).as_bytes().first_chunk().copied(),
    };
    let mut secret = vec![0; plain.len()];
    cipher
        .encrypt_block(iv, &plain, &mut secret)
        .map_err(|error| Error::CannotPack { reason: error.to_string(), path: path.to_owned() })?;
    Ok((iv, secret))
}

/// Reads until the buffer is full or the file ends.
pub(super) fn read_full(input: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match input.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_repeats_the_block() {
        let mut bytes = b"abc".to_vec();
        pad(&mut bytes);
        assert_eq!(bytes, b"abcabcabcabcabca");
        let mut bytes = vec![7; 32];
        pad(&mut bytes);
        assert_eq!(bytes.len(), 32);
        let mut bytes = Vec::new();
        pad(&mut bytes);
        assert!(bytes.is_empty());
    }
}
