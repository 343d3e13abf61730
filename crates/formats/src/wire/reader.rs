use super::{Fault, FaultKind};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// A checked little-endian cursor over a slice. Every read names its field, so that a failure can say which.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::wire::Reader;
///
/// let mut r = Reader::new(&[2, 0, 0, 0, b'o', b'k']);
/// let count = r.u32("name_count")?;
/// assert_eq!(r.bytes("name", count as usize)?, b"ok");
/// assert!(r.u8("flags").unwrap_err().to_string().starts_with("flags: cut off"));
/// # Ok::<(), uncask::wire::Fault>(())
/// ```
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Added to positions in faults, for a slice of a larger structure.
    base: u64,
}

macro_rules! number {
    ($name:ident) => {
        #[doc = concat!("Reads a little-endian `", stringify!($name), "`.")]
        pub fn $name(&mut self, field: &'static str) -> Result<$name, Fault> {
            self.array(field).map($name::from_le_bytes)
        }
    };
}

impl<'a> Reader<'a> {
    /// Creates a reader at the start of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, base: 0 }
    }

    /// Creates a reader at the start of `bytes`; faults refer to a structure in which they begin at `base`.
    #[must_use]
    pub const fn with_base(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, at: 0, base }
    }

    number!(u8);
    number!(u16);
    number!(u32);
    number!(u64);
    number!(i32);
    number!(i64);

    /// Returns the position from the start of the slice, plus the base.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the position from the start of the slice.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Returns the number of remaining bytes.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Returns the remaining bytes without consuming them.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Takes `len` bytes.
    pub fn bytes(&mut self, field: &'static str, len: usize) -> Result<&'a [u8], Fault> {
        let Some(taken) = self.rest().get(..len) else {
            return Err(self.truncated(field, len as u64));
        };
        // Only now: a failed read consumes nothing, so callers may try another form.
        self.at += len;
        Ok(taken)
    }

    /// Takes `len` bytes; the number may exceed the address space of this machine.
    pub fn bytes64(&mut self, field: &'static str, len: u64) -> Result<&'a [u8], Fault> {
        match usize::try_from(len) {
            Ok(len) => self.bytes(field, len),
            Err(_) => Err(self.truncated(field, len)),
        }
    }

    /// Takes `N` bytes.
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], Fault> {
        // Split off as an array reference, so that the copy needs no conversion that can fail.
        let Some((taken, _)) = self.rest().split_first_chunk::<N>() else {
            return Err(self.truncated(field, N as u64));
        };
        self.at += N;
        Ok(*taken)
    }

    /// Takes a fixed-size record as an overlay.
    pub fn record<T>(&mut self, field: &'static str) -> Result<&'a T, Fault>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let len = size_of::<T>();
        // Prepared first: the position moves with the read.
        let at = self.truncated(field, len as u64);
        T::ref_from_bytes(self.bytes(field, len)?).map_err(|_| at)
    }

    /// Takes `count` records as an overlay, after checking the count against the remaining bytes.
    pub fn table<T>(&mut self, field: &'static str, count: usize) -> Result<&'a [T], Fault>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        // In 64 bits: the product may overflow a 32-bit `usize`.
        let needed = (count as u64).saturating_mul(size_of::<T>() as u64);
        let at = self.truncated(field, needed);
        <[T]>::ref_from_bytes_with_elems(self.bytes64(field, needed)?, count).map_err(|_| at)
    }

    /// Reads a `u32` count, then that many records as an overlay.
    pub fn counted_table<T>(&mut self, field: &'static str) -> Result<&'a [T], Fault>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let count = self.u32(field)?;
        self.table(field, count as usize)
    }

    /// Reads a field that only some versions have.
    pub fn when<T>(
        &mut self,
        present: bool,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        present.then(|| read(self)).transpose()
    }

    /// Fails if bytes remain.
    pub fn finish(&self, field: &'static str) -> Result<(), Fault> {
        match self.remaining() {
            0 => Ok(()),
            left => Err(self.fault(field, FaultKind::Trailing { left: left as u64 })),
        }
    }

    /// Creates a fault at the current position.
    #[must_use]
    pub const fn fault(&self, field: &'static str, kind: FaultKind) -> Fault {
        Fault { offset: self.offset(), field, kind }
    }

    const fn truncated(&self, field: &'static str, needed: u64) -> Fault {
        self.fault(field, FaultKind::Truncated { needed, left: self.remaining() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerocopy::little_endian::U32;

    #[test]
    fn a_table_larger_than_the_rest_is_refused_before_it_is_touched() {
        let mut r = Reader::with_base(&[0xFF; 10], 0x90);
        let fault = r.table::<U32>("seeds", usize::MAX / 2).unwrap_err();
        assert_eq!(fault.offset, 0x90);
        assert!(matches!(fault.kind, FaultKind::Truncated { left: 10, .. }));
        assert_eq!(r.remaining(), 10, "a failed read consumes nothing");
    }

    #[test]
    fn finish_reports_what_is_left() {
        let mut r = Reader::new(&[1, 2, 3]);
        assert_eq!(r.u16("a").unwrap(), 0x0201);
        assert_eq!(r.finish("record").unwrap_err().kind, FaultKind::Trailing { left: 1 });
        assert_eq!(r.when(false, |r| r.u8("absent")).unwrap(), None);
        assert_eq!(r.when(true, |r| r.u8("present")).unwrap(), Some(3));
        r.finish("record").unwrap();
    }
}
