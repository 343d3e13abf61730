//! Arrays inside arrays: what run lengths, concatenations and multi-arrays need from the decoder of arrays.

use crate::error::Result;
use crate::views::{Arena, Input, Padded};

/// Decodes arrays of any coding.
///
/// The codings that hold arrays know only this, so that [`Entropy`](super::Entropy), which knows all codings, can
/// use them.
pub(crate) trait Arrays {
    /// Decodes the array at the front of `input`, which may have up to `limit` bytes: raw bytes in place, others
    /// into the arena.
    fn array<'a, 'i: 'a>(
        &mut self,
        input: &mut Input<'i>,
        arena: &mut Arena<'a>,
        limit: usize,
    ) -> Result<Padded<'a>>;

    /// Decodes the array at the front of `input` into the front of `dst`; returns its length.
    fn array_into(&mut self, input: &mut Input<'_>, dst: &mut [u8], arena: Arena<'_>) -> Result<usize>;
}

/// A payload that holds arrays, the place for its bytes, and memory for the arrays.
pub(super) struct Compound<'a, 'd> {
    pub(super) payload: Input<'a>,
    pub(super) dst: &'d mut [u8],
    pub(super) arena: Arena<'a>,
}
