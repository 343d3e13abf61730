//! A reader of stored containers, just enough to reach the packages in them.

use std::path::Path;
use uncask::id::RawChunkId;

/// A chunk and its content.
pub(crate) struct Chunk {
    pub(crate) id: RawChunkId,
    pub(crate) bytes: Vec<u8>,
}

/// Every chunk of a container whose blocks are stored as they are.
pub(crate) fn chunks(utoc: &Path) -> Vec<Chunk> {
    let toc = std::fs::read(utoc).unwrap();
    let ucas = std::fs::read(utoc.with_extension("ucas")).unwrap();
    let word = |at: usize| u32::from_le_bytes(toc[at..at + 4].try_into().unwrap()) as usize;
    let (version, chunks, blocks, block_len) = (toc[16], word(24), word(28), word(44));
    let places = 144 + chunks * 12;
    let seeds = if version >= 4 { word(84) * 4 } else { 0 } + if version >= 5 { word(96) * 4 } else { 0 };
    let table = places + chunks * 10 + seeds;
    let block = |index: usize| {
        assert!(index < blocks);
        let at = table + index * 12;
        let low = u64::from_le_bytes(toc[at..at + 8].try_into().unwrap());
        let high = word(at + 8);
        assert_eq!(high >> 24, 0, "a stored block");
        let start = usize::try_from(low & 0xFF_FFFF_FFFF).unwrap();
        &ucas[start..start + (high & 0xFF_FFFF)]
    };
    let number = |at: usize| toc[at..at + 5].iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    let chunk = |index: usize| {
        let id = toc[144 + index * 12..][..12].try_into().unwrap();
        let at = places + index * 10;
        let (offset, len) = (number(at), number(at + 5));
        let first = offset / block_len;
        let mut bytes: Vec<u8> = (first..first + len.div_ceil(block_len)).flat_map(block).copied().collect();
        bytes.truncate(len);
        Chunk { id: RawChunkId(id), bytes }
    };
    (0..chunks).map(chunk).collect()
}
