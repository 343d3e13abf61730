//! Nested arrays: the decoder of arrays as run lengths, concatenations and multi-arrays see it.

use crate::error::Result;
use crate::views::{Arena, Input, Padded};

/// Decoder of arrays of any coding.
///
/// Codings that contain arrays depend only on this trait, so that [`Entropy`](super::Entropy), which depends
/// on all codings, can use them.
pub(crate) trait Arrays {
    /// Decodes the array at the front of `input`, of up to `limit` bytes: raw bytes in place, others into the
    /// arena.
    fn array<'a, 'i: 'a>(
        &mut self,
        input: &mut Input<'i>,
        arena: &mut Arena<'a>,
        limit: usize,
    ) -> Result<Padded<'a>>;

    /// Decodes the array at the front of `input` into the front of `dst`, and returns its length.
    fn array_into(&mut self, input: &mut Input<'_>, dst: &mut [u8], arena: Arena<'_>) -> Result<usize>;
}

/// Payload that contains arrays, its destination, and memory for the arrays.
pub(super) struct Compound<'a, 'd> {
    pub(super) payload: Input<'a>,
    pub(super) dst: &'d mut [u8],
    pub(super) arena: Arena<'a>,
}
