use zerocopy::{Immutable, IntoBytes};

/// Writer of little-endian records: the inverse of [`Reader`](super::Reader).
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::wire::{Reader, Writer};
///
/// let mut w = Writer::new();
/// w.u32(7).string("../../../");
/// let bytes = w.into_bytes();
/// let mut r = Reader::new(&bytes);
/// assert_eq!((r.u32("n")?, r.string("mount")?.as_str()), (7, "../../../"));
/// # Ok::<(), uncask::wire::Fault>(())
/// ```
#[derive(Debug, Default, Clone)]
pub struct Writer {
    bytes: Vec<u8>,
}

macro_rules! number {
    ($name:ident) => {
        #[doc = concat!("Appends a little-endian `", stringify!($name), "`.")]
        pub fn $name(&mut self, value: $name) -> &mut Self {
            self.bytes(&value.to_le_bytes())
        }
    };
}

impl Writer {
    /// Creates an empty writer.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    number!(u8);
    number!(u16);
    number!(u32);
    number!(u64);
    number!(i32);
    number!(i64);

    /// Appends raw bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends a record, or a slice of records, as represented in memory.
    pub fn record<T: IntoBytes + Immutable + ?Sized>(&mut self, record: &T) -> &mut Self {
        self.bytes(record.as_bytes())
    }

    /// Appends an `FString`: single bytes if the text is ASCII, UTF-16 otherwise, like the engine.
    ///
    /// # Panics
    /// If the text exceeds the 31-bit length of the format.
    #[expect(
        clippy::expect_used,
        reason = "texts from files have 16-bit or 31-bit lengths; a longer one is a bug in the caller"
    )]
    pub fn string(&mut self, text: &str) -> &mut Self {
        // The terminator counts.
        let length = |units: usize| i32::try_from(units + 1).expect("string under 2 GiB");
        // The empty string has no terminator.
        if text.is_empty() {
            self.i32(0)
        } else if text.is_ascii() {
            self.i32(length(text.len())).bytes(text.as_bytes()).u8(0)
        } else {
            // A negative length marks UTF-16.
            self.i32(-length(text.encode_utf16().count()));
            for unit in text.encode_utf16() {
                self.u16(unit);
            }
            self.u16(0)
        }
    }

    /// Returns the number of bytes written.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns true if nothing was written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Clears it, keeping the allocation.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Returns the written bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Consumes the writer and returns its bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
