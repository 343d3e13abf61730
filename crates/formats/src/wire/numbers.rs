//! Higher-level reads of a [`Reader`]: floats, flags, counts and counted lists.

use super::{Fault, FaultKind, Reader};

impl<'a> Reader<'a> {
    /// Creates a reader over `bytes` from `offset` on; its faults count from the start of `bytes`.
    pub fn at(bytes: &'a [u8], offset: u64, field: &'static str) -> Result<Self, Fault> {
        // A start at the very end is allowed: the reader is then empty.
        let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..));
        rest.map(|rest| Self::with_base(rest, offset)).ok_or(Fault {
            offset,
            field,
            kind: FaultKind::TooLarge { found: offset, limit: bytes.len() as u64 },
        })
    }

    /// Creates a reader over `bytes[start..end]`; its faults count from the start of `bytes`.
    pub fn section(bytes: &'a [u8], start: u64, end: u64, field: &'static str) -> Result<Self, Fault> {
        // Checked before the end, so that a start outside of the bytes is reported as such.
        let mut r = Self::at(bytes, start, field)?;
        let Some(len) = end.checked_sub(start) else {
            return Err(r.fault(field, FaultKind::TooLarge { found: start, limit: end }));
        };
        r.bytes64(field, len).map(|part| Self::with_base(part, start))
    }

    /// Reads a little-endian `f32`.
    pub fn f32(&mut self, field: &'static str) -> Result<f32, Fault> {
        self.array(field).map(f32::from_le_bytes)
    }

    /// Reads a four-byte flag; any value except 0 and 1 is damage.
    pub fn bool32(&mut self, field: &'static str) -> Result<bool, Fault> {
        let at = self.clone();
        match self.u32(field)? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(at.fault(field, FaultKind::TooLarge { found: found.into(), limit: 1 })),
        }
    }

    /// Reads an `i32` that must not be negative.
    pub fn size(&mut self, field: &'static str) -> Result<u32, Fault> {
        let at = self.clone();
        // The engine writes sizes as signed numbers; a negative one is damage.
        let found = self.i32(field)?;
        u32::try_from(found).map_err(|_| at.fault(field, FaultKind::Negative { found: found.into() }))
    }

    /// Reads an `i64` that must not be negative.
    pub fn long_size(&mut self, field: &'static str) -> Result<u64, Fault> {
        let at = self.clone();
        let found = self.i64(field)?;
        u64::try_from(found).map_err(|_| at.fault(field, FaultKind::Negative { found }))
    }

    /// Reads an `i32` count of elements of at least `min_len` bytes each, and checks that they can fit.
    pub fn count(&mut self, field: &'static str, min_len: usize) -> Result<usize, Fault> {
        let at = self.clone();
        // Read first, so that `remaining` does not include the count itself.
        let count = self.size(field)?;
        at_most(&at, field, count.into(), self.remaining(), min_len)
    }

    /// Reads an `i32` count, then that many elements of at least `min_len` bytes.
    pub fn list<T>(
        &mut self,
        field: &'static str,
        min_len: usize,
        read: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let count = self.count(field, min_len)?;
        self.repeat(count, read)
    }

    /// Reads `count` elements; the count must have been checked against the remaining bytes.
    pub fn repeat<T>(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        // Bounded once more, in case an element takes no bytes.
        let mut items = Vec::with_capacity(count.min(self.remaining()));
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// Reads an `FUtf8String`: an `i32` byte count without terminator, then UTF-8.
    pub fn utf8(&mut self, field: &'static str) -> Result<String, Fault> {
        let at = self.clone();
        let len = self.count(field, 1)?;
        let bytes = self.bytes(field, len)?;
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| at.fault(field, FaultKind::BadString))
    }
}

/// Rejects a count whose elements cannot fit into the remaining bytes.
pub(super) fn at_most(
    at: &Reader<'_>,
    field: &'static str,
    count: u64,
    left: usize,
    min_len: usize,
) -> Result<usize, Fault> {
    // Elements of no bytes are limited as if they had one.
    let limit = left / min_len.max(1);
    match usize::try_from(count) {
        Ok(count) if count <= limit => Ok(count),
        _ => Err(at.fault(field, FaultKind::TooLarge { found: count, limit: limit as u64 })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_checked_before_anything_is_allocated() {
        let mut r = Reader::new(b"\xFF\xFF\xFF\x7F\0\0\0\0");
        let fault = r.list("rows", 4, |r| r.u32("row")).unwrap_err();
        assert_eq!(fault.kind, FaultKind::TooLarge { found: 0x7FFF_FFFF, limit: 1 });
        assert_eq!(
            Reader::new(&[0xFF; 4]).count("rows", 1).unwrap_err().kind,
            FaultKind::Negative { found: -1 }
        );
    }

    #[test]
    fn sections_keep_their_place() {
        let bytes = [0u8; 16];
        let r = Reader::section(&bytes, 4, 12, "part").unwrap();
        assert_eq!((r.offset(), r.remaining()), (4, 8));
        assert!(Reader::section(&bytes, 12, 4, "part").is_err());
        assert!(Reader::section(&bytes, 4, 17, "part").is_err());
        assert!(Reader::at(&bytes, u64::MAX, "part").is_err());
    }

    #[test]
    fn flags_and_utf8() {
        assert!(Reader::new(&[2, 0, 0, 0]).bool32("flag").is_err());
        assert_eq!(Reader::new(b"\x02\0\0\0\xC3\xA9").utf8("text").unwrap(), "é");
        assert_eq!(Reader::new(b"\x01\0\0\0\xC3").utf8("text").unwrap_err().kind, FaultKind::BadString);
    }
}
