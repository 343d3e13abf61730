//! Values recorded as zero in unversioned lists, without bytes.

use super::decode::Decoder;
use super::kind::Kind;
use super::scope::Scope;
use super::structs;
use super::value::{Body, Enumerator, Struct, Value};
use std::sync::Arc;

/// Zeros to read a native struct from; longer than any struct with a zero bit.
const ZEROS: [u8; 256] = [0; 256];

/// The zero of a type, for display. A package need not have the name `None`, so that is a string.
pub(crate) fn zero(scope: &Scope<'_>, kind: &Kind) -> Value {
    match kind {
        Kind::Plain(plain) => plain.zero(),
        Kind::Byte(None) => Value::Byte(0),
        Kind::Byte(of) | Kind::Enum(of, _) => {
            // A missing name falls back to the number.
            let of = scope.enumeration(of.as_ref());
            Value::Enumerator(Enumerator { of, number: 0, width: 1 })
        }
        Kind::Array(_) | Kind::Set(_) => Value::Array(Vec::new()),
        Kind::Map(..) => Value::Map(Box::default()),
        Kind::Optional(_) | Kind::Unknown(_) => Value::Optional(None),
        // A native struct is read from zero bytes, as if they were there.
        Kind::Struct(name) => match structs::read(&mut Decoder::new(scope, &ZEROS), name) {
            Ok(Some(value)) => value,
            // An ordinary struct is shown without members.
            _ => Value::Struct(Box::new(Struct { name: Some(Arc::clone(&name.name)), body: Body::Empty })),
        },
    }
}
