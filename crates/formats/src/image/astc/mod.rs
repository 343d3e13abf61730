//! ASTC with a high dynamic range: blocks of 128 bits, decoded to half floats.
//!
//! ```text
//! bit 0    11 bits of mode │ 2 bits: partitions, less one
//!     13   one partition:  4 bits: form of its endpoints
//!          several:        10 bits: pattern of the partitions │ 6 bits: forms, or how they differ
//!     17, 29   endpoints, as an integer sequence of the widest range that fits
//!          … │ 2 bits: channel of the second plane of weights, if there is one │ what 6 bits of forms do not hold
//!     127  weights, from the last bit backwards, as an integer sequence
//! ```
//!
//! Each pixel lies between the two endpoints of its partition, as far as its weight says. A block of one colour has another
//! form: a mode of its own, and four values of 16 bits.
//!
//! Source: Khronos Data Format Specification 1.3, chapter 23. Verified with Arm's reference decoder: on 141,558 valid blocks of 1.1 million
//! random ones, all half floats are equal, and the others are invalid for both. No texture of a game is at hand.

mod bits;
mod block;
mod endpoints;
mod floats;
mod hdr_endpoints;
mod mode;
mod partitions;
mod sequence;
mod unquantize;
mod weights;

use block::{Block, is_plain, plain};

/// Half floats of a pixel of a block that is not valid: magenta, as decoders of a low dynamic range show it.
const INVALID: [u16; 4] = [floats::ONE, 0, floats::ONE, floats::ONE];

/// Decodes a block of `footprint` pixels to red, green, blue and alpha as half floats.
pub(super) fn decode_block(block: &[u8; 16], footprint: [u32; 2], tile: &mut [[u16; 4]]) {
    let bits = u128::from_le_bytes(*block);
    if is_plain(bits) {
        return tile.fill(plain(bits).unwrap_or(INVALID));
    }
    match Block::parse(bits, footprint) {
        Some(block) => block.fill(tile),
        None => tile.fill(INVALID),
    }
}
