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

use crate::codec::LevelRange;
#[cfg(feature = "zstd")]
pub(super) use c::LibZstd as Zstd;
#[cfg(not(feature = "zstd"))]
pub(super) use rust::Ruzstd as Zstd;

/// Levels of the C library, but for the negative ones, which hardly compress.
const LEVELS: LevelRange = LevelRange { lowest: 1, highest: 22, usual: 3 };

#[cfg(test)]
mod tests;
