//! The values that unversioned lists record as zero, without their bytes.

use super::decode::Decoder;
use super::kind::Kind;
use super::scope::Scope;
use super::structs;
use super::value::{Body, Enumerator, Struct, Value};
use std::sync::Arc;

/// Bytes of the longest struct that is recorded as zero.
const ZEROS: [u8; 256] = [0; 256];

/// The zero of a type, as it is shown: the name `None`, which a package need not have, is a string.
pub(super) fn zero(scope: &Scope<'_>, kind: &Kind) -> Value {
    match kind {
        Kind::Plain(plain) => plain.zero(),
        Kind::Byte(None) => Value::Byte(0),
        Kind::Byte(of) | Kind::Enum(of, _) => {
            let of = scope.enumeration(of.as_ref());
            Value::Enumerator(Enumerator { of, number: 0, width: 1 })
        }
        Kind::Array(_) | Kind::Set(_) => Value::Array(Vec::new()),
        Kind::Map(..) => Value::Map(Box::default()),
        Kind::Optional(_) | Kind::Unknown(_) => Value::Optional(None),
        Kind::Struct(name) => match structs::read(&mut Decoder::new(scope, &ZEROS), name) {
            Ok(Some(value)) => value,
            _ => Value::Struct(Box::new(Struct { name: Some(Arc::clone(&name.name)), body: Body::Empty })),
        },
    }
}
