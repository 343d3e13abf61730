//! From content to stored blocks.

use super::options::PackOptions;
use super::original::{Original, Piece};
use super::scratches::{Lent, Scratches};
use crate::codec::{self, Method};
use crate::container::ChunkIndex;
use crate::container::toc::raw;
use crate::crypto::{BLOCK_LEN, Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::pipeline::Cpu;
use std::io::Read;
use std::path::Path;

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

/// A block as it goes to disk, padding included.
#[derive(Debug)]
pub(super) struct Block {
    pub bytes: Vec<u8>,
    pub stored_len: u32,
    pub raw_len: u32,
    /// Index of its method, as the table of contents counts: 0 is none.
    pub method: u8,
    pub iv: Option<raw::Iv>,
}

/// Makes blocks.
pub(super) struct BlockMaker<'a> {
    options: &'a PackOptions,
    /// Names of the methods, without "None".
    methods: Vec<String>,
    /// Index of the method that blocks are compressed with.
    method: u8,
    cipher: Option<Cipher>,
    original: Option<&'a Original>,
    scratches: Scratches,
}

impl<'a> BlockMaker<'a> {
    pub(super) fn new(options: &'a PackOptions, cipher: Option<Cipher>) -> Self {
        let original = options.original.as_deref();
        let mut methods = original.map(Original::methods).unwrap_or_default();
        let own = |name: &String| Method::from_name(name) == Some(options.method);
        if options.method != Method::None && !methods.iter().any(own) {
            methods.push(options.method.name().to_owned());
        }
        let at = methods.iter().position(own).and_then(|at| u8::try_from(at + 1).ok());
        // Where blocks are cut elsewhere, none is the same.
        let original = original.filter(|original| original.block_size() == options.block_size);
        Self { options, method: at.unwrap_or(0), methods, cipher, original, scratches: Scratches::default() }
    }

    /// Names of the methods that blocks may have.
    pub(super) fn methods(&self) -> &[String] {
        &self.methods
    }

    /// What codecs need, for a thread that is going to make blocks.
    pub(super) fn scratch(&self) -> Lent<'_> {
        self.scratches.take()
    }

    /// Uncompressed size of a full block, in bytes.
    pub(super) const fn block_size(&self) -> usize {
        self.options.block_size as usize
    }

    /// The most that the blocks of some content take on disk, and the least.
    pub(super) fn stored_lens(&self, len: u64) -> std::ops::Range<u64> {
        let granule = BLOCK_LEN as u64;
        let full = u64::from(self.options.block_size);
        let padded = (len / full).saturating_mul(full.next_multiple_of(granule));
        len.div_ceil(full) * granule..padded.saturating_add((len % full).next_multiple_of(granule))
    }

    /// Makes the blocks of consecutive content on all threads. `first` is the position of the first one in its chunk.
    pub(super) fn blocks(
        &self,
        chunk: Chunk<'_>,
        first: u32,
        content: &[u8],
        cpu: &Cpu,
    ) -> Result<Vec<Block>> {
        let blocks = (first..).zip(content.chunks(self.block_size()));
        let make = |scratch: &mut Lent<'_>, (at, content)| self.block(chunk, at, content, scratch);
        cpu.map_init(blocks, || self.scratches.take(), make).into_iter().collect()
    }

    /// Makes the block of a chunk that is at some position there.
    pub(super) fn block(
        &self,
        chunk: Chunk<'_>,
        at: u32,
        content: &[u8],
        scratch: &mut codec::Scratch,
    ) -> Result<Block> {
        let raw_len = len24(content.len());
        let Piece { mut bytes, method, iv } = match self.unchanged(chunk, at, content, scratch) {
            Some(piece) => piece,
            None => self.compressed(chunk, content, scratch)?,
        };
        let stored_len = len24(bytes.len());
        pad(&mut bytes);
        let mut block = Block { bytes, stored_len, raw_len, method, iv: None };
        if let Some(cipher) = &self.cipher {
            (block.iv, block.bytes) = encrypt(cipher, iv, &block.bytes, chunk.path)?;
        }
        Ok(block)
    }

    /// The block that the original has of the same content.
    fn unchanged(
        &self,
        chunk: Chunk<'_>,
        at: u32,
        content: &[u8],
        scratch: &mut codec::Scratch,
    ) -> Option<Piece> {
        self.original?.piece(chunk.before?, at, content, scratch)
    }

    fn compressed(&self, chunk: Chunk<'_>, content: &[u8], scratch: &mut codec::Scratch) -> Result<Piece> {
        let mut bytes = Vec::new();
        if chunk.method != Method::None {
            codec::compress(chunk.method, content, self.options.level, &mut bytes, scratch).map_err(
                |error| Error::CannotPack { reason: error.to_string(), path: chunk.path.to_owned() },
            )?;
            if bytes.len() < content.len() {
                return Ok(Piece { bytes, method: self.method, iv: None });
            }
        }
        bytes.clear();
        bytes.extend_from_slice(content);
        Ok(Piece { bytes, method: 0, iv: None })
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

/// Pads and encrypts. A vector that AES-CTR has to use is that of the same content; otherwise it follows from the content, so
/// that equal content stays equal.
pub(super) fn encrypt(
    cipher: &Cipher,
    iv: Option<raw::Iv>,
    plain: &[u8],
    path: &Path,
) -> Result<(Option<raw::Iv>, Vec<u8>)> {
    let mut plain = plain.to_vec();
    pad(&mut plain);
    let iv = match cipher.method() {
        EncryptionMethod::Ecb => None,
        EncryptionMethod::Ctr => iv.or_else(|| blake3::hash(&plain).as_bytes().first_chunk().copied()),
    };
    let mut secret = vec![0; plain.len()];
    cipher
        .encrypt_block(iv, &plain, &mut secret)
        .map_err(|error| Error::CannotPack { reason: error.to_string(), path: path.to_owned() })?;
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
