use super::{Fault, FaultKind, Reader, WireString, Writer, numbers};

/// One description of a record for both directions.
///
/// A two-way record lists its fields once, in a function over some `Archive`; a [`Reader`] fills them, a
/// [`Writer`] appends them, and a [`Tracer`] does the same while recording which bytes belong to which field.
/// So the fields that are read and those that are written cannot drift apart.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::wire::{Archive, Fault, Reader, Writer};
///
/// #[derive(Default, PartialEq, Debug)]
/// struct Pair { count: i32, extra: Option<u8> }
///
/// fn pair<A: Archive>(a: &mut A, pair: &mut Pair, newer: bool) -> Result<(), Fault> {
///     a.i32("count", &mut pair.count)?;
///     a.optional(newer, &mut pair.extra, |a, extra| a.u8("extra", extra))
/// }
///
/// let mut read = Pair::default();
/// pair(&mut Reader::new(&[7, 0, 0, 0, 9]), &mut read, true)?;
/// let mut w = Writer::new();
/// pair(&mut w, &mut read, true)?;
/// assert_eq!(w.into_bytes(), [7, 0, 0, 0, 9]);
/// # Ok::<(), Fault>(())
/// ```
pub trait Archive: Sized {
    /// Fills `bytes` from the file, or appends them to it.
    fn raw(&mut self, field: &'static str, bytes: &mut [u8]) -> Result<(), Fault>;

    /// Archives an `FString`.
    fn string(&mut self, field: &'static str, value: &mut WireString) -> Result<(), Fault>;

    /// Archives the `i32` count of a list of `len` elements of at least `min_len` bytes each: reads it,
    /// checks it against the remaining bytes and returns it; or writes `len` and returns that.
    fn count(&mut self, field: &'static str, len: usize, min_len: usize) -> Result<usize, Fault>;

    /// Archives `len` raw bytes; the length is known from elsewhere.
    fn blob(&mut self, field: &'static str, value: &mut Vec<u8>, len: usize) -> Result<(), Fault>;

    /// Rejects a number of elements that cannot fit; a writer rejects nothing.
    fn room(&self, field: &'static str, count: usize, min_len: usize) -> Result<(), Fault>;

    /// Returns the position in the file.
    fn offset(&self) -> u64;

    /// Archives a `u8`.
    fn u8(&mut self, field: &'static str, value: &mut u8) -> Result<(), Fault> {
        self.raw(field, std::slice::from_mut(value))
    }

    /// Archives a `u16`.
    fn u16(&mut self, field: &'static str, value: &mut u16) -> Result<(), Fault> {
        let mut bytes = value.to_le_bytes();
        self.raw(field, &mut bytes)?;
        *value = u16::from_le_bytes(bytes);
        Ok(())
    }

    /// Archives a `u32`.
    fn u32(&mut self, field: &'static str, value: &mut u32) -> Result<(), Fault> {
        let mut bytes = value.to_le_bytes();
        self.raw(field, &mut bytes)?;
        *value = u32::from_le_bytes(bytes);
        Ok(())
    }

    /// Archives an `i32`.
    fn i32(&mut self, field: &'static str, value: &mut i32) -> Result<(), Fault> {
        let mut bytes = value.to_le_bytes();
        self.raw(field, &mut bytes)?;
        *value = i32::from_le_bytes(bytes);
        Ok(())
    }

    /// Archives a `u64`.
    fn u64(&mut self, field: &'static str, value: &mut u64) -> Result<(), Fault> {
        let mut bytes = value.to_le_bytes();
        self.raw(field, &mut bytes)?;
        *value = u64::from_le_bytes(bytes);
        Ok(())
    }

    /// Archives an `i64`.
    fn i64(&mut self, field: &'static str, value: &mut i64) -> Result<(), Fault> {
        let mut bytes = value.to_le_bytes();
        self.raw(field, &mut bytes)?;
        *value = i64::from_le_bytes(bytes);
        Ok(())
    }

    /// Archives an `f32`.
    fn f32(&mut self, field: &'static str, value: &mut f32) -> Result<(), Fault> {
        let mut bytes = value.to_le_bytes();
        self.raw(field, &mut bytes)?;
        *value = f32::from_le_bytes(bytes);
        Ok(())
    }

    /// Archives an `f64`.
    fn f64(&mut self, field: &'static str, value: &mut f64) -> Result<(), Fault> {
        let mut bytes = value.to_le_bytes();
        self.raw(field, &mut bytes)?;
        *value = f64::from_le_bytes(bytes);
        Ok(())
    }

    /// Archives a number that is an `i64` since some version and an `i32` before.
    fn i64_or_i32(&mut self, field: &'static str, wide: bool, value: &mut i64) -> Result<(), Fault> {
        if wide {
            return self.i64(field, value);
        }
        let at = self.offset();
        // Only a writer can fail here: what a reader fills in starts as 0.
        let mut narrow = i32::try_from(*value).map_err(|_| Fault {
            offset: at,
            field,
            kind: FaultKind::Unsupported { found: *value },
        })?;
        self.i32(field, &mut narrow)?;
        *value = narrow.into();
        Ok(())
    }

    /// Archives a four-byte flag; any value except 0 and 1 is damage.
    fn bool32(&mut self, field: &'static str, value: &mut bool) -> Result<(), Fault> {
        let at = self.offset();
        let mut number = u32::from(*value);
        self.u32(field, &mut number)?;
        *value = match number {
            0 => false,
            1 => true,
            // The engine writes only these two, so any other value is damage.
            found => {
                let kind = FaultKind::TooLarge { found: found.into(), limit: 1 };
                return Err(Fault { offset: at, field, kind });
            }
        };
        Ok(())
    }

    /// Archives an `FUtf8String`: an `i32` byte count without terminator, then UTF-8.
    fn utf8(&mut self, field: &'static str, value: &mut String) -> Result<(), Fault> {
        let at = self.offset();
        // The count is checked against the remaining bytes before anything is allocated.
        let len = self.count(field, value.len(), 1)?;
        // The allocation is reused; a writer gets the same bytes back.
        let mut bytes = std::mem::take(value).into_bytes();
        self.blob(field, &mut bytes, len)?;
        *value =
            String::from_utf8(bytes).map_err(|_| Fault { offset: at, field, kind: FaultKind::BadString })?;
        Ok(())
    }

    /// Archives a field that only some versions have.
    fn optional<T: Default>(
        &mut self,
        present: bool,
        value: &mut Option<T>,
        each: impl FnOnce(&mut Self, &mut T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        // Without the field the value stays as it is, in either direction.
        if present { each(self, value.get_or_insert_default()) } else { Ok(()) }
    }

    /// Archives a count, then that many elements of at least `min_len` bytes.
    fn list<T: Default>(
        &mut self,
        field: &'static str,
        items: &mut Vec<T>,
        min_len: usize,
        each: impl FnMut(&mut Self, &mut T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let count = self.count(field, items.len(), min_len)?;
        self.table(field, items, count, min_len, each)
    }

    /// Archives `count` elements of at least `min_len` bytes; the count is known from elsewhere.
    ///
    /// Elements read before a fault stay in `items`.
    fn table<T: Default>(
        &mut self,
        field: &'static str,
        items: &mut Vec<T>,
        count: usize,
        min_len: usize,
        mut each: impl FnMut(&mut Self, &mut T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        // Before the loop, so that a hostile count fails at once and not after filling memory.
        self.room(field, count, min_len)?;
        for index in 0..count {
            // A writer visits the existing elements; a reader starts from an empty list and pushes new ones.
            if let Some(item) = items.get_mut(index) {
                each(self, item)?;
            } else {
                let mut item = T::default();
                each(self, &mut item)?;
                items.push(item);
            }
        }
        Ok(())
    }
}

impl Archive for Reader<'_> {
    fn raw(&mut self, field: &'static str, bytes: &mut [u8]) -> Result<(), Fault> {
        bytes.copy_from_slice(self.bytes(field, bytes.len())?);
        Ok(())
    }

    fn string(&mut self, field: &'static str, value: &mut WireString) -> Result<(), Fault> {
        // The exact form is kept, since a rebuilt header must have the same bytes.
        *value = WireString::read(self, field)?;
        Ok(())
    }

    fn count(&mut self, field: &'static str, _len: usize, min_len: usize) -> Result<usize, Fault> {
        Reader::count(self, field, min_len)
    }

    fn blob(&mut self, field: &'static str, value: &mut Vec<u8>, len: usize) -> Result<(), Fault> {
        *value = self.bytes(field, len)?.to_vec();
        Ok(())
    }

    fn room(&self, field: &'static str, count: usize, min_len: usize) -> Result<(), Fault> {
        numbers::at_most(self, field, count as u64, self.remaining(), min_len).map(drop)
    }

    fn offset(&self) -> u64 {
        Reader::offset(self)
    }
}

impl Archive for Writer {
    fn raw(&mut self, _field: &'static str, bytes: &mut [u8]) -> Result<(), Fault> {
        self.bytes(bytes);
        Ok(())
    }

    fn string(&mut self, _field: &'static str, value: &mut WireString) -> Result<(), Fault> {
        value.write(self);
        Ok(())
    }

    fn count(&mut self, field: &'static str, len: usize, _min_len: usize) -> Result<usize, Fault> {
        // The count is signed in the file, so its limit is below that of `u32`.
        let kind = FaultKind::TooLarge { found: len as u64, limit: i32::MAX as u64 };
        let count = i32::try_from(len).map_err(|_| Fault { offset: self.len() as u64, field, kind })?;
        self.i32(count);
        Ok(len)
    }

    fn blob(&mut self, _field: &'static str, value: &mut Vec<u8>, _len: usize) -> Result<(), Fault> {
        self.bytes(value);
        Ok(())
    }

    fn room(&self, _field: &'static str, _count: usize, _min_len: usize) -> Result<(), Fault> {
        // The elements exist already, so there is nothing to protect.
        Ok(())
    }

    fn offset(&self) -> u64 {
        self.len() as u64
    }
}

/// A byte range of a file and the field in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Span {
    /// First byte.
    pub offset: u64,
    /// Number of bytes.
    pub len: u64,
    /// Field name.
    pub field: &'static str,
}

/// Another archive, plus a record of the byte range of every field that passed through it.
#[derive(Debug)]
pub struct Tracer<A> {
    inner: A,
    spans: Vec<Span>,
}

impl<A: Archive> Tracer<A> {
    /// Traces what passes through `inner`.
    pub const fn new(inner: A) -> Self {
        Self { inner, spans: Vec::new() }
    }

    /// Returns the archive and the fields, in order.
    pub fn finish(self) -> (A, Vec<Span>) {
        (self.inner, self.spans)
    }

    fn note<T>(
        &mut self,
        field: &'static str,
        step: impl FnOnce(&mut A) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let offset = self.inner.offset();
        // Failed fields leave no span: their end is unknown.
        let value = step(&mut self.inner)?;
        // The length of the field follows from the two positions, whatever its form.
        self.spans.push(Span { offset, len: self.inner.offset() - offset, field });
        Ok(value)
    }
}

impl<A: Archive> Archive for Tracer<A> {
    fn raw(&mut self, field: &'static str, bytes: &mut [u8]) -> Result<(), Fault> {
        self.note(field, |inner| inner.raw(field, bytes))
    }

    fn string(&mut self, field: &'static str, value: &mut WireString) -> Result<(), Fault> {
        self.note(field, |inner| inner.string(field, value))
    }

    fn count(&mut self, field: &'static str, len: usize, min_len: usize) -> Result<usize, Fault> {
        self.note(field, |inner| inner.count(field, len, min_len))
    }

    fn blob(&mut self, field: &'static str, value: &mut Vec<u8>, len: usize) -> Result<(), Fault> {
        self.note(field, |inner| inner.blob(field, value, len))
    }

    fn room(&self, field: &'static str, count: usize, min_len: usize) -> Result<(), Fault> {
        self.inner.room(field, count, min_len)
    }

    fn offset(&self) -> u64 {
        self.inner.offset()
    }
}
