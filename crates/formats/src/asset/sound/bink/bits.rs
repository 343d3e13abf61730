use crate::wire::{Fault, FaultKind};

/// Bits of a block, the lowest of each byte first.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// Position of the next bit.
    at: usize,
    /// Offset of the block in the sound, for faults.
    base: u64,
}

impl<'a> Bits<'a> {
    pub(super) const fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, at: 0, base }
    }

    /// Skips to the next boundary of 32 bits.
    pub(super) const fn align(&mut self) {
        self.at = self.at.next_multiple_of(32);
    }

    /// Takes up to 32 bits.
    pub(super) fn take(&mut self, field: &'static str, count: u32) -> Result<u32, Fault> {
        let end = self.at + count as usize;
        if end > self.bytes.len() * 8 {
            let kind = FaultKind::Truncated { needed: end.div_ceil(8) as u64, left: self.bytes.len() as u64 };
            return Err(Fault { offset: self.base, field, kind });
        }
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        let word = match rest.first_chunk::<8>() {
            // Up to 32 bits start inside the first byte, so eight bytes always suffice.
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        let shifted = word >> (self.at % 8);
        self.at = end;
        Ok(u32::try_from(shifted & ((1 << count) - 1)).unwrap_or_default())
    }

    /// Takes one bit.
    pub(super) fn flag(&mut self, field: &'static str) -> Result<bool, Fault> {
        self.take(field, 1).map(|bit| bit == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_bit_comes_first() {
        let mut bits = Bits::new(&[0b1010_0110, 0xFF, 0, 0, 0x34, 0x12, 0, 0x80], 0x40);
        assert_eq!(bits.take("a", 3), Ok(0b110));
        assert_eq!(bits.take("b", 7), Ok(0b111_0100));
        bits.align();
        assert_eq!(bits.take("c", 32), Ok(0x8000_1234));
        let fault = bits.flag("d").unwrap_err();
        assert_eq!((fault.offset, fault.field), (0x40, "d"));
        assert_eq!(fault.kind, FaultKind::Truncated { needed: 9, left: 8 });
    }
}
