//! Fields of native structs and of tails.

use crate::property::decode::Decoder;
use crate::property::value::{Record, Value};
use crate::wire::Fault;

/// The type of a field of a native struct or a tail.
#[derive(Debug, Clone, Copy)]
pub(in crate::property) enum Field {
    /// `double` with large world coordinates (5.0 and later), else `float`.
    Real,
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// `uint8`.
    U8,
    /// `uint16`.
    U16,
    /// `int32`.
    I32,
    /// `uint32`.
    U32,
    /// `int64`.
    I64,
    /// `uint64`.
    U64,
    /// Four bytes, 0 or 1.
    Bool32,
    /// `FName`.
    Name,
    /// `FString`.
    Str,
    /// A reference to an object.
    Object,
    /// `FGuid`.
    Guid,
    /// Filler bytes. Their contents may be garbage and are kept.
    Fill(usize),
    /// Nested fields, as a struct.
    Record(&'static [(&'static str, Self)]),
    /// A count, then structs of at least this many bytes.
    List(usize, &'static [(&'static str, Self)]),
    /// A count, then `int32`.
    Ints,
    /// A count, then `float`.
    Floats,
    /// A count, then bytes.
    Bytes,
    /// `FSoftObjectPath`.
    SoftPath,
}

/// Reads fields in order.
pub(in crate::property) fn record_of(
    d: &mut Decoder<'_, '_>,
    fields: &'static [(&'static str, Field)],
) -> Result<Record, Fault> {
    let mut record = Record { fields: Vec::with_capacity(fields.len()) };
    for (name, field) in fields {
        record.push(name, field.read(d)?);
    }
    Ok(record)
}

impl Field {
    pub(in crate::property) fn read(self, d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
        match self {
            Self::Real => d.real(),
            Self::F32 => d.float(),
            Self::F64 => d.double(),
            Self::U8 => d.byte(),
            Self::U16 => d.uint16(),
            Self::I32 => d.int(),
            Self::U32 => d.uint32(),
            Self::I64 => d.int64(),
            Self::U64 => d.uint64(),
            Self::Bool32 => d.bool32(),
            Self::Name => d.name("name in a struct"),
            Self::Str => d.string(),
            Self::Object => d.object(),
            Self::Guid => d.guid(),
            Self::Fill(len) => d.fixed("filler of a struct", len),
            Self::Record(fields) => record_of(d, fields).map(Value::of_record),
            Self::List(min_len, fields) => {
                d.list("list in a struct", min_len, |d| record_of(d, fields).map(Value::of_record))
            }
            Self::Ints => d.list("numbers in a struct", 4, Decoder::int),
            Self::Floats => d.list("numbers in a struct", 4, Decoder::float),
            Self::Bytes => d.bytes("bytes in a struct"),
            Self::SoftPath => d.soft_path(),
        }
    }
}

/// Reads fields into an existing record.
pub(in crate::property) fn add(
    d: &mut Decoder<'_, '_>,
    record: &mut Record,
    fields: &'static [(&'static str, Field)],
) -> Result<(), Fault> {
    record.fields.extend(record_of(d, fields)?.fields);
    Ok(())
}

/// `FStripDataFlags`: data that the cooker left out.
pub(in crate::property) fn strip_flags(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    record_of(d, &[("GlobalStripFlags", Field::U8), ("ClassStripFlags", Field::U8)]).map(Value::of_record)
}
