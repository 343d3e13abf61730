//! Zstandard frames: with the feature `zstd` the C library, else ruzstd, which only decodes here.
//!
//! Both take one frame that is all of the block, without a dictionary. Of damaged frames without a checksum, ruzstd takes a few that
//! the C library refuses; the hash of the chunk finds those.

#[cfg(feature = "zstd")]
mod c;
#[cfg(any(test, not(feature = "zstd")))]
mod frame;
#[cfg(any(test, not(feature = "zstd")))]
mod rust;

#[cfg(feature = "zstd")]
pub(super) use c::{Scratch, compress, decompress};
#[cfg(not(feature = "zstd"))]
pub(super) use rust::{Scratch, decompress};

/// Bytes of memory that decoding a block of `raw_len` bytes takes beside the block itself.
#[cfg(feature = "zstd")]
pub(super) const fn scratch_len(_raw_len: usize) -> usize {
    256 << 10
}

/// Bytes of memory that decoding a block of `raw_len` bytes takes beside the block itself.
#[cfg(not(feature = "zstd"))]
pub(super) const fn scratch_len(raw_len: usize) -> usize {
    rust::scratch_len(raw_len)
}

#[cfg(test)]
mod tests;
