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

/// A chunk on its way to its blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'a> {
    /// How its blocks are compressed.
    pub method: Method,
    /// The chunk of that id in the container that the new one is made like.
    pub before: Option<ChunkIndex>,
    /// The file to name where something fails.
    pub path: &'a Path,
}

/// A block as it goes to disk.
#[derive(Debug)]
pub(super) struct Block {
    /// Bytes on disk, padding included.
    pub len: usize,
    pub stored_len: u32,
    pub raw_len: u32,
    /// Index of its method, as the table of contents counts: 0 is none.
    pub method: u8,
    pub iv: Option<raw::Iv>,
}

/// Memory that making blocks uses again and again.
pub(super) struct BlockScratch<'s> {
    pub codec: &'s mut codec::Scratch,
    /// A block as it was compressed.
    pub packed: Vec<u8>,
}

impl<'s> BlockScratch<'s> {
    pub(super) const fn new(codec: &'s mut codec::Scratch) -> Self {
        Self { codec, packed: Vec::new() }
    }
}

/// Makes blocks.
pub(super) struct BlockMaker {
    options: Arc<PackOptions>,
    /// Names of the methods, without "None".
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
        if options.method != Method::None && !methods.iter().any(own) {
            methods.push(options.method.name().to_owned());
        }
        let at = methods.iter().position(own).and_then(|at| u8::try_from(at + 1).ok());
        // Where blocks are cut elsewhere, none is the same.
        let original = original.filter(|original| original.block_size() == options.block_size);
        Self { options, method: at.unwrap_or(0), methods, cipher, original }
    }

    /// Names of the methods that blocks may have.
    pub(super) fn methods(&self) -> &[String] {
        &self.methods
    }

    /// Uncompressed size of a full block, in bytes.
    pub(super) fn block_size(&self) -> usize {
        self.options.block_size as usize
    }

    /// The most that the blocks of some content take on disk, and the least.
    pub(super) fn stored_lens(&self, len: u64) -> std::ops::Range<u64> {
        let granule = BLOCK_LEN as u64;
        let full = u64::from(self.options.block_size);
        let padded = (len / full).saturating_mul(full.next_multiple_of(granule));
        len.div_ceil(full) * granule..padded.saturating_add((len % full).next_multiple_of(granule))
    }

    /// Appends the blocks of consecutive content to `out`. `first` is the position of the first one in its chunk.
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

    /// The blocks of consecutive content that goes to disk as it is, without padding; `None` if it does not.
    pub(super) fn stored(&self, chunk: Chunk<'_>, content: &[u8]) -> Option<Vec<Block>> {
        let is_aligned = |len: usize| len.is_multiple_of(BLOCK_LEN);
        let is_plain = chunk.method == Method::None && self.cipher.is_none() && self.original.is_none();
        let block = |content: &[u8]| {
            let len = len24(content.len());
            Block { len: content.len(), stored_len: len, raw_len: len, method: 0, iv: None }
        };
        (is_plain && is_aligned(content.len()) && is_aligned(self.block_size()))
            .then(|| content.chunks(self.block_size()).map(block).collect())
    }

    /// Appends the block of a chunk that is at some position there to `out`.
    pub(super) fn block(
        &self,
        chunk: Chunk<'_>,
        at: u32,
        content: &[u8],
        work: &mut BlockScratch<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Block> {
        let start = out.len();
        let (method, mut iv) = match self.unchanged(chunk, at, content, work) {
            Some(piece) => {
                out.extend_from_slice(&piece.bytes);
                (piece.method, piece.iv)
            }
            None => (self.compress(chunk, content, work, out)?, None),
        };
        let stored_len = len24(out.len() - start);
        pad(out, start);
        if let Some(cipher) = &self.cipher {
            let plain = out.get(start..).unwrap_or_default();
            let (used, secret) = encrypt(cipher, iv, plain, chunk.path)?;
            iv = used;
            out.truncate(start);
            out.extend_from_slice(&secret);
        } else {
            iv = None;
        }
        Ok(Block { len: out.len() - start, stored_len, raw_len: len24(content.len()), method, iv })
    }

    /// The block that the original has of the same content.
    fn unchanged(
        &self,
        chunk: Chunk<'_>,
        at: u32,
        content: &[u8],
        work: &mut BlockScratch<'_>,
    ) -> Option<Piece> {
        self.original.as_deref()?.piece(chunk.before?, at, content, work.codec)
    }

    /// Appends content, compressed if that makes it smaller, and says by which method.
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
            if work.packed.len() < content.len() {
                out.extend_from_slice(&work.packed);
                return Ok(self.method);
            }
        }
        out.extend_from_slice(content);
        Ok(0)
    }
}

/// Blocks are at most 16 MiB, which `pack` has checked.
fn len24(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(raw::Block::MAX_LEN)
}

/// Fills the block that starts at `start` up to 16 bytes with its own bytes from its start, as the engine does.
fn pad(bytes: &mut Vec<u8>, start: usize) {
    let len = bytes.len() - start;
    for at in 0..len.next_multiple_of(BLOCK_LEN) - len {
        let byte = bytes.get(start + at).copied().unwrap_or(0);
        bytes.push(byte);
    }
}

/// Pads and encrypts. A vector that AES-CTR has to use is that of the same content; otherwise it follows from the content, so
/// that equal content stays equal.
pub(super) fn encrypt(
    cipher: &Cipher,
    iv: Option<raw::Iv>,
    plain: &[u8],
    path: &Path,
) -> Result<(Option<raw::Iv>, Vec<u8>)> {
    let mut plain = plain.to_vec();
    pad(&mut plain, 0);
    let iv = match cipher.method() {
        EncryptionMethod::Ecb => None,
        EncryptionMethod::Ctr => iv.or_else(|| blake3::hash(&plain).as_bytes().first_chunk().copied()),
    };
    let mut secret = vec![0; plain.len()];
    cipher
        .encrypt_block(iv, &plain, &mut secret)
        .map_err(|error| Error::CannotPack { problem: error.into(), path: path.to_owned() })?;
    Ok((iv, secret))
}

/// Reads until the buffer is full or the file ends.
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
