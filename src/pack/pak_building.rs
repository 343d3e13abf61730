//! The entry of a file in a pak, while its blocks are made.

use crate::id::ChunkHash;
use crate::pak::{Block, Entry};
use crate::wire::Writer;

/// A block as it goes to disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    /// Bytes without padding.
    pub len: u64,
    /// Bytes with padding.
    pub padded_len: u64,
}

impl Stored {
    /// How many of its bytes count as stored. Padding does where something is compressed; a file as it is has its own length.
    pub(super) const fn counted(self, is_compressed: bool) -> u64 {
        if is_compressed { self.padded_len } else { self.len }
    }
}

/// An entry while its blocks are made.
pub(super) struct Building {
    entry: Entry,
    /// Where the next block goes.
    end: u64,
}

impl Building {
    /// An entry without blocks, whose header takes some bytes.
    pub(super) const fn new(entry: Entry, header_len: u64) -> Self {
        let end = entry.offset + header_len;
        Self { entry, end }
    }

    /// Bytes that count as stored so far.
    pub(super) const fn stored_len(&self) -> u64 {
        self.entry.stored_len
    }

    /// Bytes of the header: blocks start after it.
    pub(super) const fn header_len(&self) -> u64 {
        self.end - self.entry.offset
    }

    /// Adds a block.
    pub(super) fn add(&mut self, stored: Stored) {
        let is_compressed = self.entry.method != 0;
        if is_compressed {
            self.entry.blocks.push(Block { offset: self.end, len: stored.len });
        }
        self.entry.stored_len += stored.counted(is_compressed);
        self.end += stored.padded_len;
    }

    /// Ends the entry; the hash is that of all bytes that count as stored.
    pub(super) fn finish(self, hash: ChunkHash) -> Entry {
        Entry { hash: Some(hash.0), ..self.entry }
    }
}

/// Whether compressing a file was worth it.
pub(super) const fn is_smaller(entry: &Entry) -> bool {
    entry.raw_len > 0 && entry.stored_len < entry.raw_len
}

/// The header that stands in front of the data, with offset 0.
pub(super) fn header_of(entry: &Entry) -> Vec<u8> {
    let mut w = Writer::new();
    let relative = |block: &Block| Block { offset: block.offset - entry.offset, ..*block };
    let blocks = entry.blocks.iter().map(relative).collect();
    Entry { offset: 0, blocks, ..entry.clone() }.write(&mut w);
    w.into_bytes()
}
