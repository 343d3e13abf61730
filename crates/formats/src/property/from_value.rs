//! Conversion of values to Rust types.

use super::kind::{Kind, Plain};
use super::value::{Struct, Value};
use crate::id::Guid;
use crate::package::legacy::{Name, PackageIndex};

/// A Rust type that some values convert to.
///
/// ```
/// use uncask_formats::property::{FromValue, Value};
///
/// assert_eq!(f32::from_value(&Value::Float(1.5)), Some(1.5));
/// assert_eq!(i64::from_value(&Value::Byte(7)), Some(7));
/// assert_eq!(u8::from_value(&Value::Int(-1)), None);
/// ```
pub trait FromValue<'a>: Sized {
    /// Converts the value, if it has such a type and fits.
    fn from_value(value: &'a Value) -> Option<Self>;

    /// The value for a property that an unversioned list records as zero, without bytes; `None` if values
    /// of `kind` do not convert to this type.
    #[must_use]
    fn zero(_kind: &Kind) -> Option<Self> {
        None
    }
}

impl Value {
    /// The value as a whole number of any width; also the number of an enum value stored as one.
    #[must_use]
    pub fn whole(&self) -> Option<i128> {
        whole(self)
    }
}

/// A whole number of any width.
pub(crate) fn whole(value: &Value) -> Option<i128> {
    Some(match value {
        Value::Int8(number) => (*number).into(),
        Value::Int16(number) => (*number).into(),
        Value::Int(number) => (*number).into(),
        Value::Int64(number) => (*number).into(),
        Value::Byte(number) => (*number).into(),
        Value::UInt16(number) => (*number).into(),
        Value::UInt32(number) => (*number).into(),
        Value::UInt64(number) => (*number).into(),
        Value::Enumerator(found) => found.number.into(),
        _ => return None,
    })
}

/// Converts the zero of a type: there are no bytes to convert, so the displayed zero is used.
fn zero<T: for<'v> FromValue<'v>>(kind: &Kind) -> Option<T> {
    match kind {
        Kind::Plain(plain) => T::from_value(&plain.zero()),
        // Shown by its name, but as a Rust type it is the number 0.
        Kind::Byte(_) | Kind::Enum(..) => T::from_value(&Value::Byte(0)),
        _ => None,
    }
}

macro_rules! whole_numbers {
    ($($number:ident)*) => {$(
        impl<'a> FromValue<'a> for $number {
            fn from_value(value: &'a Value) -> Option<Self> {
                whole(value).and_then(|number| number.try_into().ok())
            }

            fn zero(kind: &Kind) -> Option<Self> {
                zero(kind)
            }
        }
    )*};
}

whole_numbers! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl<'a> FromValue<'a> for bool {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Bool(found) | Value::Bool32(found) => Some(*found),
            _ => None,
        }
    }

    fn zero(kind: &Kind) -> Option<Self> {
        zero(kind)
    }
}

impl<'a> FromValue<'a> for f64 {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Float(number) => Some((*number).into()),
            Value::Double(number) => Some(*number),
            // Only numbers that an `f64` holds exactly.
            _ => i32::from_value(value).map(Into::into),
        }
    }

    fn zero(kind: &Kind) -> Option<Self> {
        zero(kind)
    }
}

impl<'a> FromValue<'a> for f32 {
    #[expect(clippy::cast_possible_truncation, reason = "the caller asked for the nearest float")]
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Float(number) => Some(*number),
            _ => f64::from_value(value).map(|number| number as Self),
        }
    }

    fn zero(kind: &Kind) -> Option<Self> {
        zero(kind)
    }
}

impl<'a> FromValue<'a> for &'a str {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Str(text) => Some(text.as_str()),
            Value::Utf8(text) => Some(text),
            Value::Ansi(text) => std::str::from_utf8(text).ok(),
            // The author's text; a localized one is not in the package.
            Value::Text(text) => text.source(),
            _ => None,
        }
    }

    fn zero(kind: &Kind) -> Option<Self> {
        // Names are missing here: a zero name is `None`, not an empty text.
        matches!(kind, Kind::Plain(Plain::Str | Plain::Utf8 | Plain::Ansi)).then_some("")
    }
}

impl<'a> FromValue<'a> for PackageIndex {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Object(index) => Some(*index),
            _ => None,
        }
    }

    fn zero(kind: &Kind) -> Option<Self> {
        zero(kind)
    }
}

impl<'a> FromValue<'a> for Name {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Name(name) | Value::Enum(name) => Some(*name),
            _ => None,
        }
    }
}

impl<'a> FromValue<'a> for Guid {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Guid(guid) => Some(*guid),
            _ => None,
        }
    }
}

impl<'a> FromValue<'a> for &'a Struct {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Struct(found) => Some(found),
            _ => None,
        }
    }
}

impl<'a> FromValue<'a> for &'a [Value] {
    fn from_value(value: &'a Value) -> Option<Self> {
        value.items()
    }

    fn zero(kind: &Kind) -> Option<Self> {
        matches!(kind, Kind::Array(_) | Kind::Set(_)).then_some(&[])
    }
}

impl<'a> FromValue<'a> for &'a Value {
    fn from_value(value: &'a Value) -> Option<Self> {
        Some(value)
    }
}
