//! Zstandard frames: the C library with the feature `zstd`, else ruzstd, used for decoding only.
//!
//! Both accept exactly one frame per block, without a dictionary. Of damaged frames without a checksum,
//! ruzstd accepts a few that the C library refuses; the chunk's hash catches those.

#[cfg(feature = "zstd")]
mod c;
#[cfg(any(test, not(feature = "zstd")))]
mod frame;
#[cfg(any(test, not(feature = "zstd")))]
mod rust;

use crate::codec::LevelRange;
#[cfg(feature = "zstd")]
pub(super) use c::LibZstd as Zstd;
#[cfg(not(feature = "zstd"))]
pub(super) use rust::Ruzstd as Zstd;

/// The levels of the C library, without the negative ones, which hardly compress.
const LEVELS: LevelRange = LevelRange { lowest: 1, highest: 22, usual: 3 };

#[cfg(test)]
mod tests;
