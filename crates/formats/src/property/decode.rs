//! Single fields, and the limits that all readers share.

use super::cause::ReadCause;
use super::kind::StructName;
use super::scope::Scope;
use super::value::Value;
use crate::id::Guid;
use crate::wire::{Fault, FaultKind, Reader, WireString};
use std::sync::Arc;

/// Deepest nesting of values.
const MAX_DEPTH: u16 = 64;

/// Reads values at a position in an export.
pub(super) struct Decoder<'s, 'a> {
    pub(super) scope: &'s Scope<'a>,
    pub(super) r: Reader<'a>,
    /// True if lists have tags. Some structs hold tagged lists even in unversioned packages.
    pub(super) tagged: bool,
    /// The struct, type or property of the last fault.
    pub(super) subject: Option<Arc<str>>,
    /// The last fault with a known cause.
    cause: Option<(Fault, ReadCause)>,
    depth: u16,
    /// Steps left. Each alternative that is tried for a value costs its steps, so this bounds the total
    /// work.
    work: u64,
}

/// The context of a value: only members of unversioned lists store enums as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadPlace {
    /// The value of a property.
    Member,
    /// An element of an array or a set, or a key or value of a map.
    Element,
}

/// The struct or class that a list belongs to, if known.
pub(super) type Owner<'n> = Option<&'n StructName>;

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $variant:ident $kind:ty;)*) => {$(
        $(#[$doc])*
        pub(super) fn $name(&mut self) -> Result<Value, Fault> {
            self.r.array("value").map(<$kind>::from_le_bytes).map(Value::$variant)
        }
    )*};
}

/// One of several ways to read a value.
type Attempt<'f, D, T> = dyn Fn(&mut D) -> Result<T, Fault> + 'f;

impl<'s, 'a> Decoder<'s, 'a> {
    /// A decoder at the start of an export, or of a part of it.
    pub(super) fn new(scope: &'s Scope<'a>, bytes: &'a [u8]) -> Self {
        Self {
            scope,
            r: Reader::new(bytes),
            tagged: !scope.package.form.unversioned_properties,
            subject: None,
            cause: None,
            depth: 0,
            // Sixteen steps per byte are plenty for real data, with a base for short exports.
            work: 10_000 + 16 * bytes.len() as u64,
        }
    }

    /// Records the cause of a fault, unless an inner struct already did.
    pub(super) fn blame(&mut self, fault: Fault, cause: impl FnOnce() -> ReadCause) {
        // The same fault passes each struct on its way out; the innermost one knows best.
        if self.cause.as_ref().is_none_or(|(known, _)| *known != fault) {
            self.cause = Some((fault, cause()));
        }
    }

    /// Returns the cause of the fault that ended the reading. A recorded cause may belong to an earlier
    /// attempt, hence the comparison.
    pub(super) fn cause_of(&mut self, fault: &Fault) -> ReadCause {
        self.cause.take().filter(|(known, _)| known == fault).map_or(ReadCause::Other, |(_, cause)| cause)
    }

    /// Calls `read` one level deeper.
    pub(super) fn enter<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth == MAX_DEPTH {
            let kind = FaultKind::TooLarge { found: u64::from(MAX_DEPTH) + 1, limit: MAX_DEPTH.into() };
            return Err(self.r.fault("depth of values", kind));
        }
        self.step()?;
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Counts one step, and fails when the limit is used up.
    pub(super) fn step(&mut self) -> Result<(), Fault> {
        match self.work.checked_sub(1) {
            Some(left) => self.work = left,
            None => return Err(self.r.fault("number of values", FaultKind::TooLarge { found: 1, limit: 0 })),
        }
        Ok(())
    }

    /// Reads something that takes up all of `bytes`, which start at offset `base` of the export.
    pub(super) fn within<T>(
        &mut self,
        bytes: &'a [u8],
        base: u64,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let outer = std::mem::replace(&mut self.r, Reader::with_base(bytes, base));
        let result = read(self).and_then(|value| self.r.finish("value of a property").map(|()| value));
        self.r = outer;
        result
    }

    /// Returns the result of the first attempt that takes up all bytes; if none does, the fault of the
    /// first attempt.
    pub(super) fn first_of<T>(&mut self, attempts: &[&Attempt<'_, Self, T>]) -> Result<T, Fault> {
        let start = self.r.clone();
        let mut first = None;
        for attempt in attempts {
            self.r = start.clone();
            match attempt(self).and_then(|value| self.r.finish("value of a property").map(|()| value)) {
                Ok(value) => return Ok(value),
                // The first attempt is the likeliest form, so its fault says most.
                Err(fault) => drop(first.get_or_insert(fault)),
            }
        }
        Err(first.unwrap_or_else(|| start.fault("value of a property", FaultKind::Unknown)))
    }

    numbers! {
        /// `int8`.
        int8: Int8 i8;
        /// `int16`.
        int16: Int16 i16;
        /// `int32`.
        int: Int i32;
        /// `int64`.
        int64: Int64 i64;
        /// `uint8`.
        byte: Byte u8;
        /// `uint16`.
        uint16: UInt16 u16;
        /// `uint32`.
        uint32: UInt32 u32;
        /// `uint64`.
        uint64: UInt64 u64;
        /// `float`.
        float: Float f32;
        /// `double`.
        double: Double f64;
    }

    /// `double` with large world coordinates (5.0 and later), `float` before.
    pub(super) fn real(&mut self) -> Result<Value, Fault> {
        if self.scope.versions.objects.has_large_worlds() { self.double() } else { self.float() }
    }

    /// One byte, 0 or 1.
    pub(super) fn bool(&mut self) -> Result<Value, Fault> {
        // Any other value means that the reader is at the wrong place.
        let at = self.r.clone();
        match self.r.u8("bool")? {
            0 => Ok(Value::Bool(false)),
            1 => Ok(Value::Bool(true)),
            found => Err(at.fault("bool", FaultKind::TooLarge { found: found.into(), limit: 1 })),
        }
    }

    /// Four bytes, 0 or 1.
    pub(super) fn bool32(&mut self) -> Result<Value, Fault> {
        self.r.bool32("flag").map(Value::Bool32)
    }

    /// `FName`.
    pub(super) fn name(&mut self, field: &'static str) -> Result<Value, Fault> {
        self.scope.read_name(&mut self.r, field).map(Value::Name)
    }

    /// An enum value, stored as a name.
    pub(super) fn enum_name(&mut self) -> Result<Value, Fault> {
        self.scope.read_name(&mut self.r, "value of an enum").map(Value::Enum)
    }

    /// `FString`.
    pub(super) fn string(&mut self) -> Result<Value, Fault> {
        WireString::read(&mut self.r, "string").map(|text| Value::Str(Box::new(text)))
    }

    /// `FUtf8String`.
    pub(super) fn utf8(&mut self) -> Result<Value, Fault> {
        self.r.utf8("UTF-8 string").map(|text| Value::Utf8(text.into()))
    }

    /// `FAnsiString`.
    pub(super) fn ansi(&mut self) -> Result<Value, Fault> {
        self.counted_bytes("ANSI string").map(Value::Ansi)
    }

    /// A count, then bytes.
    pub(super) fn bytes(&mut self, field: &'static str) -> Result<Value, Fault> {
        self.counted_bytes(field).map(Value::Bytes)
    }

    fn counted_bytes(&mut self, field: &'static str) -> Result<Box<[u8]>, Fault> {
        let len = self.r.count(field, 1)?;
        self.r.bytes(field, len).map(Into::into)
    }

    /// Bytes of a known number.
    pub(super) fn fixed(&mut self, field: &'static str, len: usize) -> Result<Value, Fault> {
        self.r.bytes(field, len).map(|bytes| Value::Fixed(bytes.into()))
    }

    /// A reference to an object.
    pub(super) fn object(&mut self) -> Result<Value, Fault> {
        self.scope.read_object(&mut self.r, "object").map(Value::Object)
    }

    /// `FGuid`.
    pub(super) fn guid(&mut self) -> Result<Value, Fault> {
        self.r.array("GUID").map(|bytes| Value::Guid(Guid(bytes)))
    }

    /// A count, then that many values, each of at least `min_len` bytes.
    pub(super) fn list(
        &mut self,
        field: &'static str,
        min_len: usize,
        each: impl FnMut(&mut Self) -> Result<Value, Fault>,
    ) -> Result<Value, Fault> {
        self.values(field, min_len, each).map(Value::Array)
    }

    pub(super) fn values(
        &mut self,
        field: &'static str,
        min_len: usize,
        mut each: impl FnMut(&mut Self) -> Result<Value, Fault>,
    ) -> Result<Vec<Value>, Fault> {
        let count = self.r.count(field, min_len)?;
        // Each element takes at least a byte, which bounds the count; the capacity stays small until they
        // really come.
        let mut items = Vec::with_capacity(count.min(self.r.remaining() / min_len.max(8) + 1));
        for _ in 0..count {
            // Counted even for elements without bytes.
            self.step()?;
            items.push(each(self)?);
        }
        Ok(items)
    }

    /// Four bytes, true if a value follows; then the value.
    pub(super) fn optional(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Self) -> Result<Value, Fault>,
    ) -> Result<Value, Fault> {
        let value = if self.r.bool32(field)? { Some(Box::new(read(self)?)) } else { None };
        Ok(Value::Optional(value))
    }
}
