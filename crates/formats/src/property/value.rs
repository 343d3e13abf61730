//! Values: what a property, or a field of a struct with its own serializer, can hold.
//!
//! Every value knows how it lies in the file. So writing one asks nobody what it is, and what was read comes back as it was.

use super::list::List;
use super::schema::Enumeration;
use super::text::Text;
use crate::id::Guid;
use crate::package::legacy::{Name, PackageIndex};
use crate::wire::{Fault, WireString};
use std::sync::Arc;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// One byte, or nothing at all where a tag says it.
    Bool(bool),
    /// Four bytes.
    Bool32(bool),
    /// `int8`.
    Int8(i8),
    /// `int16`.
    Int16(i16),
    /// `int32`.
    Int(i32),
    /// `int64`.
    Int64(i64),
    /// `uint8`.
    Byte(u8),
    /// `uint16`.
    UInt16(u16),
    /// `uint32`.
    UInt32(u32),
    /// `uint64`.
    UInt64(u64),
    /// `float`.
    Float(f32),
    /// `double`.
    Double(f64),
    /// `FName`.
    Name(Name),
    /// A value of an enum, by its name.
    Enum(Name),
    /// A value of an enum, by its number.
    Enumerator(Enumerator),
    /// `FString`.
    Str(Box<WireString>),
    /// `FUtf8String`: a count of bytes, then UTF-8.
    Utf8(Box<str>),
    /// `FAnsiString`: a count of bytes, then these.
    Ansi(Box<[u8]>),
    /// `FText`.
    Text(Box<Text>),
    /// A reference to an object.
    Object(PackageIndex),
    /// `FGuid`, or what refers to an object by one.
    Guid(Guid),
    /// `FSoftObjectPath`.
    SoftPath(Box<SoftPath>),
    /// `FScriptDelegate`.
    Delegate(Delegate),
    /// `FMulticastScriptDelegate`.
    Multicast(Vec<Delegate>),
    /// `FFieldPath`.
    FieldPath(Box<FieldPath>),
    /// A count, then values.
    Array(Vec<Self>),
    /// An array of structs, with the tag inside it that old packages have.
    TaggedArray(Box<TaggedArray>),
    /// A count, then bytes.
    Bytes(Box<[u8]>),
    /// Values without order.
    Set(Box<Set>),
    /// Values by key.
    Map(Box<Map>),
    /// Four bytes that say whether there is a value, then the value.
    Optional(Option<Box<Self>>),
    /// A struct.
    Struct(Box<Struct>),
    /// A count of bytes, then a value that takes up all of them.
    Sized(Box<Self>),
    /// Bytes whose number follows from elsewhere, such as a filler.
    Fixed(Box<[u8]>),
    /// Bytes that were not understood.
    Raw(Box<Raw>),
}

/// A value of an enum, by its number.
#[derive(Debug, Clone, PartialEq)]
pub struct Enumerator {
    /// The enum.
    pub of: Arc<Enumeration>,
    /// The number.
    pub number: i64,
    /// Bytes that it takes: 1, 2, 4 or 8.
    pub width: u8,
}

/// Bytes that were not understood, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Raw {
    /// The bytes.
    pub bytes: Box<[u8]>,
    /// What the reader ran into.
    pub reason: Fault,
    /// What it was about: the name of a struct or a type, where that matters.
    pub subject: Option<Arc<str>>,
}

/// `FSoftObjectPath`, in each of its forms.
#[derive(Debug, Clone, PartialEq)]
pub enum SoftPath {
    /// One string: before 4.18.
    Text(WireString),
    /// Path of the asset, and what follows the colon: before 5.1.
    Asset(Name, WireString),
    /// Package, asset, and what follows the colon: before 5.6.
    TopLevel(Name, Name, WireString),
    /// Package, asset, and what follows the colon, in UTF-8: since 5.6.
    Utf8(Name, Name, Box<str>),
    /// An index into the list of the package, which is not cooked.
    Listed(i32),
}

/// A function of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delegate {
    /// The object.
    pub object: PackageIndex,
    /// The function.
    pub function: Name,
}

/// `FFieldPath`: a field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldPath {
    /// Names, the innermost first.
    pub path: Vec<Name>,
    /// The struct, where the version says it.
    pub owner: Option<PackageIndex>,
}

/// An array of structs with a tag inside it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedArray {
    /// The tag.
    pub tag: super::tag::InnerTag,
    /// The values.
    pub items: Vec<Value>,
}

/// A set, and the elements that it takes away from that of its parent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Set {
    /// Elements that are taken away.
    pub removed: Vec<Value>,
    /// Elements that are there.
    pub items: Vec<Value>,
}

/// A map, and the keys that it takes away from that of its parent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map {
    /// Keys that are taken away.
    pub removed: Vec<Value>,
    /// Keys and values.
    pub entries: Vec<(Value, Value)>,
}

/// A struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Struct {
    /// Its name, as far as it is known.
    pub name: Option<Arc<str>>,
    /// What is in it.
    pub body: Body,
}

/// What is in a struct.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Properties.
    List(List),
    /// What its own serializer writes.
    Native(Record),
    /// Nothing, not even an empty list.
    Empty,
}

/// Named values that follow one another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// Names and values, in the order of the file.
    pub fields: Vec<(&'static str, Value)>,
}

impl Record {
    /// Adds a field.
    pub(crate) fn push(&mut self, name: &'static str, value: Value) {
        self.fields.push((name, value));
    }

    /// The first field of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// The records of a list of that name; none if there is no such list.
    pub fn records(&self, name: &str) -> impl Iterator<Item = &Self> {
        self.get(name).and_then(Value::items).unwrap_or_default().iter().filter_map(Value::record)
    }

    /// The object that a field of that name refers to; nothing if there is no such field.
    #[must_use]
    pub fn object(&self, name: &str) -> PackageIndex {
        match self.get(name) {
            Some(Value::Object(index)) => *index,
            _ => PackageIndex::NONE,
        }
    }
}

impl Value {
    /// A record as a value.
    pub(crate) fn of_record(record: Record) -> Self {
        Self::native(None, record)
    }

    /// A struct with its own serializer.
    pub(crate) fn native(name: Option<Arc<str>>, record: Record) -> Self {
        Self::Struct(Box::new(Struct { name, body: Body::Native(record) }))
    }

    /// A list of properties as a value.
    pub(crate) fn list(name: Option<Arc<str>>, list: List) -> Self {
        Self::Struct(Box::new(Struct { name, body: Body::List(list) }))
    }

    /// The elements of an array or a set.
    #[must_use]
    pub fn items(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            Self::TaggedArray(array) => Some(&array.items),
            Self::Set(set) => Some(&set.items),
            _ => None,
        }
    }

    /// What the own serializer of a struct wrote.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        match self {
            Self::Struct(found) => match &found.body {
                Body::Native(record) => Some(record),
                _ => None,
            },
            _ => None,
        }
    }

    /// The properties of a struct.
    #[must_use]
    pub fn properties(&self) -> Option<&List> {
        match self {
            Self::Struct(found) => match &found.body {
                Body::List(list) => Some(list),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A Rust type that some values convert into.
///
/// ```
/// use uncask_formats::property::{FromValue, Value};
///
/// assert_eq!(f32::from_value(&Value::Float(1.5)), Some(1.5));
/// assert_eq!(i64::from_value(&Value::Byte(7)), Some(7));
/// assert_eq!(u8::from_value(&Value::Int(-1)), None);
/// ```
pub trait FromValue<'a>: Sized {
    /// The value, if it is of such a type and fits into it.
    fn from_value(value: &'a Value) -> Option<Self>;
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

macro_rules! whole_numbers {
    ($($number:ident)*) => {$(
        impl<'a> FromValue<'a> for $number {
            fn from_value(value: &'a Value) -> Option<Self> {
                whole(value).and_then(|number| number.try_into().ok())
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
}

impl<'a> FromValue<'a> for f64 {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Float(number) => Some((*number).into()),
            Value::Double(number) => Some(*number),
            _ => i32::from_value(value).map(Into::into),
        }
    }
}

impl<'a> FromValue<'a> for f32 {
    #[expect(clippy::cast_possible_truncation, reason = "the nearest float is what was asked for")]
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Float(number) => Some(*number),
            _ => f64::from_value(value).map(|number| number as Self),
        }
    }
}

impl<'a> FromValue<'a> for &'a str {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Str(text) => Some(text.as_str()),
            Value::Utf8(text) => Some(text),
            Value::Ansi(text) => std::str::from_utf8(text).ok(),
            Value::Text(text) => text.source(),
            _ => None,
        }
    }
}

impl<'a> FromValue<'a> for PackageIndex {
    fn from_value(value: &'a Value) -> Option<Self> {
        match value {
            Value::Object(index) => Some(*index),
            _ => None,
        }
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
}

impl<'a> FromValue<'a> for &'a Value {
    fn from_value(value: &'a Value) -> Option<Self> {
        Some(value)
    }
}
