//! Bytes to values: single fields, and the bounds that everything keeps to.

use super::cause::ReadCause;
use super::kind::StructName;
use super::scope::Scope;
use super::value::Value;
use crate::id::Guid;
use crate::wire::{Fault, FaultKind, Reader, WireString};
use std::sync::Arc;

/// How deep values may lie in one another.
const MAX_DEPTH: u16 = 64;

/// Reads values at a place in an export.
pub(super) struct Decoder<'s, 'a> {
    pub(super) scope: &'s Scope<'a>,
    pub(super) r: Reader<'a>,
    /// Whether lists have tags; there are tagged lists in packages without tags.
    pub(super) tagged: bool,
    /// What the last fault was about.
    pub(super) subject: Option<Arc<str>>,
    /// A fault that a schema has to do with.
    cause: Option<(Fault, ReadCause)>,
    depth: u16,
    /// Steps that may still be taken: what is tried in several ways costs each of them.
    work: u64,
}

/// Where a value is: enums are written as numbers only as members of lists without tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadPlace {
    /// The value of a property.
    Member,
    /// Inside an array, a set or a map.
    Element,
}

/// The struct or class that a list belongs to, where that is known.
pub(super) type Owner<'n> = Option<&'n StructName>;

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $variant:ident $kind:ty;)*) => {$(
        $(#[$doc])*
        pub(super) fn $name(&mut self) -> Result<Value, Fault> {
            self.r.array("value").map(<$kind>::from_le_bytes).map(Value::$variant)
        }
    )*};
}

/// One way to read a value.
type Attempt<'f, D, T> = dyn Fn(&mut D) -> Result<T, Fault> + 'f;

impl<'s, 'a> Decoder<'s, 'a> {
    /// A decoder at the start of an export, or of a part of one.
    pub(super) fn new(scope: &'s Scope<'a>, bytes: &'a [u8]) -> Self {
        Self {
            scope,
            r: Reader::new(bytes),
            tagged: !scope.package.form.unversioned_properties,
            subject: None,
            cause: None,
            depth: 0,
            work: 10_000 + 16 * bytes.len() as u64,
        }
    }

    /// Keeps what caused a fault, unless a struct that lies deeper caused it.
    pub(super) fn blame(&mut self, fault: Fault, cause: impl FnOnce() -> ReadCause) {
        if self.cause.as_ref().is_none_or(|(known, _)| *known != fault) {
            self.cause = Some((fault, cause()));
        }
    }

    /// The cause of the fault that ended the reading; the one that is kept may be of an attempt before it.
    pub(super) fn cause_of(&mut self, fault: &Fault) -> ReadCause {
        self.cause.take().filter(|(known, _)| known == fault).map_or(ReadCause::Other, |(_, cause)| cause)
    }

    /// Goes one level deeper.
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

    /// Counts a step.
    pub(super) fn step(&mut self) -> Result<(), Fault> {
        match self.work.checked_sub(1) {
            Some(left) => self.work = left,
            None => return Err(self.r.fault("number of values", FaultKind::TooLarge { found: 1, limit: 0 })),
        }
        Ok(())
    }

    /// Reads something that takes up all of `bytes`, which lie at `base` in the export.
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

    /// The first attempt that takes up all bytes; what the first one ran into if none does.
    pub(super) fn first_of<T>(&mut self, attempts: &[&Attempt<'_, Self, T>]) -> Result<T, Fault> {
        let start = self.r.clone();
        let mut first = None;
        for attempt in attempts {
            self.r = start.clone();
            match attempt(self).and_then(|value| self.r.finish("value of a property").map(|()| value)) {
                Ok(value) => return Ok(value),
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

    /// A `double` in worlds of double precision, a `float` before.
    pub(super) fn real(&mut self) -> Result<Value, Fault> {
        if self.scope.versions.objects.has_large_worlds() { self.double() } else { self.float() }
    }

    /// One byte that is 0 or 1.
    pub(super) fn bool(&mut self) -> Result<Value, Fault> {
        let at = self.r.clone();
        match self.r.u8("bool")? {
            0 => Ok(Value::Bool(false)),
            1 => Ok(Value::Bool(true)),
            found => Err(at.fault("bool", FaultKind::TooLarge { found: found.into(), limit: 1 })),
        }
    }

    /// Four bytes that are 0 or 1.
    pub(super) fn bool32(&mut self) -> Result<Value, Fault> {
        self.r.bool32("flag").map(Value::Bool32)
    }

    /// `FName`.
    pub(super) fn name(&mut self, field: &'static str) -> Result<Value, Fault> {
        self.scope.read_name(&mut self.r, field).map(Value::Name)
    }

    /// A value of an enum, by its name.
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

    /// Bytes whose number is known.
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

    /// A count, then that many values of at least `min_len` bytes.
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
        // Each element takes at least a byte, so there can be no more than that; and memory grows as they come.
        let mut items = Vec::with_capacity(count.min(self.r.remaining() / min_len.max(8) + 1));
        for _ in 0..count {
            self.step()?;
            items.push(each(self)?);
        }
        Ok(items)
    }

    /// Four bytes that say whether a value follows.
    pub(super) fn optional(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Self) -> Result<Value, Fault>,
    ) -> Result<Value, Fault> {
        let value = if self.r.bool32(field)? { Some(Box::new(read(self)?)) } else { None };
        Ok(Value::Optional(value))
    }
}
