//! Entry of a file in a pak, while its blocks are made.

use crate::id::ChunkHash;
use crate::pak::{Block, Entry};
use crate::wire::Writer;

/// Stored block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    /// Length in bytes, without padding.
    pub len: u64,
    /// Length in bytes, with padding.
    pub padded_len: u64,
}

impl Stored {
    /// Returns its share of the stored length: with padding if the file is compressed, else without.
    pub(super) const fn counted(self, is_compressed: bool) -> u64 {
        if is_compressed { self.padded_len } else { self.len }
    }
}

/// Entry in progress.
pub(super) struct Building {
    entry: Entry,
    /// Position of the next block.
    end: u64,
}

impl Building {
    /// Entry without blocks, with a header of `header_len` bytes.
    pub(super) const fn new(entry: Entry, header_len: u64) -> Self {
        let end = entry.offset + header_len;
        Self { entry, end }
    }

    /// Returns the stored length so far, in bytes.
    pub(super) const fn stored_len(&self) -> u64 {
        self.entry.stored_len
    }

    /// Returns the length of the header in bytes: blocks start after it.
    pub(super) const fn header_len(&self) -> u64 {
        self.end - self.entry.offset
    }

    /// Adds a block.
    pub(super) fn add(&mut self, stored: Stored) {
        let is_compressed = self.entry.method != 0;
        // Only compressed files have a block table: the data of others is one run of bytes.
        if is_compressed {
            self.entry.blocks.push(Block { offset: self.end, len: stored.len });
        }
        self.entry.stored_len += stored.counted(is_compressed);
        self.end += stored.padded_len;
    }

    /// Completes the entry. `hash` covers all bytes of the stored length.
    pub(super) fn finish(self, hash: ChunkHash) -> Entry {
        Entry { hash: Some(hash.0), ..self.entry }
    }
}

/// True if compression made a file smaller.
pub(super) const fn is_smaller(entry: &Entry) -> bool {
    entry.raw_len > 0 && entry.stored_len < entry.raw_len
}

/// Returns the entry header in front of the data. It records offset 0, and block offsets from its own start.
pub(super) fn header_of(entry: &Entry) -> Vec<u8> {
    let mut w = Writer::new();
    let relative = |block: &Block| Block { offset: block.offset - entry.offset, ..*block };
    let blocks = entry.blocks.iter().map(relative).collect();
    Entry { offset: 0, blocks, ..entry.clone() }.write(&mut w);
    w.into_bytes()
}
