//! From content to stored blocks.

use super::options::PackOptions;
use super::original::{Original, Piece};
use crate::codec::{self, Method};
use crate::container::ChunkIndex;
use crate::container::toc::raw;
use crate::crypto::{BLOCK_LEN, Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Chunk whose blocks are being made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'a> {
    /// Compression of its blocks.
    pub method: Method,
    /// Chunk with the same id in the original container.
    pub before: Option<ChunkIndex>,
    /// File to name in errors.
    pub path: &'a Path,
}

/// Block in its stored form.
#[derive(Debug)]
pub(super) struct Block {
    /// Bytes on disk, including padding.
    pub len: usize,
    pub stored_len: u32,
    pub raw_len: u32,
    /// Index of its method in the table of contents; 0 is no compression.
    pub method: u8,
    pub iv: Option<raw::Iv>,
}

/// Memory that is reused from block to block.
pub(super) struct BlockScratch<'s> {
    pub codec: &'s mut codec::Scratch,
    /// Compressed form of the current block.
    pub packed: Vec<u8>,
}

impl<'s> BlockScratch<'s> {
    pub(super) const fn new(codec: &'s mut codec::Scratch) -> Self {
        Self { codec, packed: Vec::new() }
    }
}

/// Compresses and encrypts blocks.
pub(super) struct BlockMaker {
    options: Arc<PackOptions>,
    /// Names of the methods, without `None`.
    methods: Vec<String>,
    /// Index of the method that blocks are compressed with.
    method: u8,
    cipher: Option<Cipher>,
    original: Option<Arc<Original>>,
}

impl BlockMaker {
    pub(super) fn new(options: Arc<PackOptions>, cipher: Option<Cipher>) -> Self {
        let original = options.original.clone();
        let mut methods = original.as_deref().map(Original::methods).unwrap_or_default();
        let own = |name: &String| Method::from_name(name) == Some(options.method);
        // The original's methods keep their indices, so that its blocks can be copied unchanged.
        if options.method != Method::None && !methods.iter().any(own) {
            methods.push(options.method.name().to_owned());
        }
        // Index 0 is "not compressed", so methods count from 1.
        let at = methods.iter().position(own).and_then(|at| u8::try_from(at + 1).ok());
        // Blocks cut at other positions have no counterpart in the original.
        let original = original.filter(|original| original.block_size() == options.block_size);
        Self { options, method: at.unwrap_or(0), methods, cipher, original }
    }

    /// Returns the names of all methods that blocks may have.
    pub(super) fn methods(&self) -> &[String] {
        &self.methods
    }

    /// Uncompressed size of a full block, in bytes.
    pub(super) fn block_size(&self) -> usize {
        self.options.block_size as usize
    }

    /// Returns the range of sizes that the blocks of some content may take on disk, in bytes.
    pub(super) fn stored_lens(&self, len: u64) -> std::ops::Range<u64> {
        let granule = BLOCK_LEN as u64;
        let full = u64::from(self.options.block_size);
        // At worst, nothing gets smaller: each block is stored with its padding. At best, each takes 16
        // bytes.
        let padded = (len / full).saturating_mul(full.next_multiple_of(granule));
        len.div_ceil(full) * granule..padded.saturating_add((len % full).next_multiple_of(granule))
    }

    /// Appends the blocks of consecutive content to `out`. `first` is the position of the first one in its
    /// chunk.
    pub(super) fn blocks(
        &self,
        chunk: Chunk<'_>,
        first: u32,
        content: &[u8],
        work: &mut BlockScratch<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Vec<Block>> {
        let blocks = (first..).zip(content.chunks(self.block_size()));
        blocks.map(|(at, content)| self.block(chunk, at, content, work, out)).collect()
    }

    /// Returns the blocks of consecutive content that is stored unchanged, without padding; `None` if it has
    /// to be compressed, encrypted or padded.
    pub(super) fn stored(&self, chunk: Chunk<'_>, content: &[u8]) -> Option<Vec<Block>> {
        // Bytes that are stored unchanged are written from the buffer that they were read into.
        let is_aligned = |len: usize| len.is_multiple_of(BLOCK_LEN);
        let is_plain = chunk.method == Method::None && self.cipher.is_none() && self.original.is_none();
        let block = |content: &[u8]| {
            let len = len24(content.len());
            Block { len: content.len(), stored_len: len, raw_len: len, method: 0, iv: None }
        };
        (is_plain && is_aligned(content.len()) && is_aligned(self.block_size()))
            .then(|| content.chunks(self.block_size()).map(block).collect())
    }

    /// Appends one block to `out`; `at` is its position in the chunk.
    pub(super) fn block(
        &self,
        chunk: Chunk<'_>,
        at: u32,
        content: &[u8],
        work: &mut BlockScratch<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Block> {
        let start = out.len();
        // The original's block first: compressing again, even by the same method, may give other bytes.
        let (method, mut iv) = match self.unchanged(chunk, at, content, work) {
            Some(piece) => {
                out.extend_from_slice(&piece.bytes);
                (piece.method, piece.iv)
            }
            None => (self.compress(chunk, content, work, out)?, None),
        };
        let stored_len = len24(out.len() - start);
        // Padded before encryption: AES takes whole units of 16 bytes.
        pad(out, start);
        if let Some(cipher) = &self.cipher {
            let plain = out.get(start..).unwrap_or_default();
            let (used, secret) = encrypt(cipher, iv, plain, chunk.path)?;
            iv = used;
            out.truncate(start);
            out.extend_from_slice(&secret);
        } else {
            // The original may be encrypted although the new container is not.
            iv = None;
        }
        Ok(Block { len: out.len() - start, stored_len, raw_len: len24(content.len()), method, iv })
    }

    /// Returns the original's block with the same content.
    fn unchanged(
        &self,
        chunk: Chunk<'_>,
        at: u32,
        content: &[u8],
        work: &mut BlockScratch<'_>,
    ) -> Option<Piece> {
        self.original.as_deref()?.piece(chunk.before?, at, content, work.codec)
    }

    /// Appends content, compressed if that makes it smaller. Returns the index of its method.
    fn compress(
        &self,
        chunk: Chunk<'_>,
        content: &[u8],
        work: &mut BlockScratch<'_>,
        out: &mut Vec<u8>,
    ) -> Result<u8> {
        if chunk.method != Method::None {
            codec::compress(chunk.method, content, self.options.level, &mut work.packed, work.codec)
                .map_err(|error| Error::CannotPack { problem: error.into(), path: chunk.path.to_owned() })?;
            // As the engine's packager does, a block that gets no smaller is stored uncompressed.
            if work.packed.len() < content.len() {
                out.extend_from_slice(&work.packed);
                return Ok(self.method);
            }
        }
        out.extend_from_slice(content);
        Ok(0)
    }
}

/// Converts a length of at most 16 MiB, the limit for blocks that `PackOptions` has checked.
fn len24(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(raw::Block::MAX_LEN)
}

/// Pads the block at `start` to a multiple of 16 bytes, by repeating its own bytes, as the engine does.
fn pad(bytes: &mut Vec<u8>, start: usize) {
    let len = bytes.len() - start;
    for at in 0..len.next_multiple_of(BLOCK_LEN) - len {
        // `bytes` grows on the way, so a block shorter than its padding is repeated more than once.
        let byte = bytes.get(start + at).copied().unwrap_or(0);
        bytes.push(byte);
    }
}

/// Pads and encrypts a block. AES-CTR uses the given initialisation vector, else one derived from the
/// content, so that equal content stays equal.
pub(super) fn encrypt(
    cipher: &Cipher,
    iv: Option<raw::Iv>,
    plain: &[u8],
    path: &Path,
) -> Result<(Option<raw::Iv>, Vec<u8>)> {
    let mut plain = plain.to_vec();
    pad(&mut plain, 0);
    let iv = match cipher.method() {
        // ECB has no vector: equal blocks are encrypted to equal bytes anyway.
        EncryptionMethod::Ecb => None,
        EncryptionMethod::Ctr => iv.or_else(|| blake3::hash(&plain).as_bytes().first_chunk().copied()),
    };
    let mut secret = vec![0; plain.len()];
    cipher
        .encrypt_block(iv, &plain, &mut secret)
        .map_err(|error| Error::CannotPack { problem: error.into(), path: path.to_owned() })?;
    Ok((iv, secret))
}

/// Reads until the buffer is full or the file ends, and returns the number of bytes.
pub(super) fn read_full(input: &mut dyn Read, buffer: &mut [u8]) -> std::io::Result<usize> {
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
        pad(&mut bytes, 0);
        assert_eq!(bytes, b"abcabcabcabcabca");
        bytes.extend_from_slice(b"xy");
        pad(&mut bytes, 16);
        assert_eq!(bytes, b"abcabcabcabcabcaxyxyxyxyxyxyxyxy");
        let mut bytes = vec![7; 32];
        pad(&mut bytes, 0);
        assert_eq!(bytes.len(), 32);
        let mut bytes = Vec::new();
        pad(&mut bytes, 0);
        assert!(bytes.is_empty());
    }
}
