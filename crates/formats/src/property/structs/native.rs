//! The description of a native struct.

use super::field::Field;
use crate::property::decode::Decoder;
use crate::property::value::{Record, Value};
use crate::wire::Fault;

/// A function that reads a struct; `None` if the struct is a list in this version.
pub(super) type Read = fn(&mut Decoder<'_, '_>) -> Result<Option<Value>, Fault>;

/// The way a struct is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Native {
    /// Fields in order, the same in all versions.
    Fields(&'static [(&'static str, Field)]),
    /// A function, for anything else.
    Code(Read),
}

/// Wraps a record as the result of a reader.
#[expect(clippy::unnecessary_wraps, reason = "all readers have this signature")]
pub(super) fn record(record: Record) -> Result<Option<Value>, Fault> {
    Ok(Some(Value::of_record(record)))
}
