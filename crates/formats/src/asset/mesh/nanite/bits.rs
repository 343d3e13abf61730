//! Numbers in pages: at offsets, and of any number of bits.

use crate::wire::{Fault, FaultKind};

/// A page, with offsets that count from its start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page<'a>(pub(super) &'a [u8]);

impl<'a> Page<'a> {
    /// Returns `len` bytes from an offset.
    pub(super) fn bytes(self, at: usize, len: usize, field: &'static str) -> Result<&'a [u8], Fault> {
        let end = at.checked_add(len);
        let found = end.and_then(|end| self.0.get(at..end));
        let left = self.0.len().saturating_sub(at) as u64;
        let kind = FaultKind::Truncated { needed: len as u64, left };
        found.ok_or(Fault { offset: at as u64, field, kind })
    }

    /// Returns a number of four bytes.
    pub(super) fn word(self, at: usize, field: &'static str) -> Result<u32, Fault> {
        let bytes = self.bytes(at, 4, field)?;
        Ok(bytes.first_chunk().copied().map_or(0, u32::from_le_bytes))
    }

    /// Returns a number of at most 32 bits, which start at a bit from an offset. What lies behind the page is 0.
    pub(super) fn bits(self, at: usize, bit: usize, width: u32) -> u32 {
        let left = self.0.get(at.saturating_add(bit / 8)..).unwrap_or_default();
        // At most 7 bits are before the number, so that 39 are enough.
        let bytes = left.first_chunk().copied().unwrap_or_else(|| {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(left).for_each(|(to, from)| *to = *from);
            bytes
        });
        let value = u64::from_le_bytes(bytes) >> (bit % 8) & ((1_u64 << width.min(32)) - 1);
        u32::try_from(value).unwrap_or_default()
    }
}

/// Returns `width` bits of a word, from bit `at`.
pub(super) const fn field(word: u32, at: u32, width: u32) -> u32 {
    (word >> at) & ((1 << width) - 1)
}
