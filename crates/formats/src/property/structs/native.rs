//! How a struct with its own serializer is described.

use super::field::Field;
use crate::property::decode::Decoder;
use crate::property::value::{Record, Value};
use crate::wire::Fault;

/// Reads a struct; `None` if it is a list in this version.
pub(super) type Read = fn(&mut Decoder<'_, '_>) -> Result<Option<Value>, Fault>;

/// How a struct is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Native {
    /// Fields one after the other.
    Fields(&'static [(&'static str, Field)]),
    /// Anything else.
    Code(Read),
}

/// A record as what a reader gives.
#[expect(clippy::unnecessary_wraps, reason = "the form that all readers have")]
pub(super) fn record(record: Record) -> Result<Option<Value>, Fault> {
    Ok(Some(Value::of_record(record)))
}
