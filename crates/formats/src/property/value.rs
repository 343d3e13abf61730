//! Values of properties, and of fields of native structs.
//!
//! Every value knows its form in the file. Writing needs no context, and gives the bytes that were read.

use super::header::Header;
use super::layout::Layout;
use super::reference::{Delegate, FieldPath, SoftPath};
use super::rows::value_types;
use super::schema::Enumeration;
use super::tag::{InnerTag, Tag};
use crate::id::Guid;
use crate::package::legacy::{Name, PackageIndex};
use crate::wire::{Fault, WireString};
use std::sync::Arc;

macro_rules! define {
    ($($(#[$doc:meta])* $variant:ident($of:ty) $($tag:literal)* = $file:ident::$form:ident [$($plain:tt)*];)*) => {
        /// A value.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Value {
            $($(#[$doc])* $variant($of),)*
        }
    };
}

value_types!(define);

/// An enum value stored as a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Enumerator {
    /// The enum.
    pub of: Arc<Enumeration>,
    /// The number.
    pub number: i64,
    /// Width in the file, in bytes: 1, 2, 4 or 8.
    pub width: u8,
}

/// Bytes that are not understood, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Raw {
    /// The bytes.
    pub bytes: Box<[u8]>,
    /// The fault that the reader found.
    pub reason: Fault,
    /// The struct or type it concerns, if relevant.
    pub subject: Option<Arc<str>>,
}

impl std::fmt::Display for Raw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.subject {
            Some(subject) => write!(f, "{subject}: {}", self.reason),
            None => self.reason.fmt(f),
        }
    }
}

/// An array of structs with an inner tag (before 5.4).
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedArray {
    /// The tag.
    pub tag: InnerTag,
    /// The values.
    pub items: Vec<Value>,
}

/// A set, with the elements it removes from its parent's set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Set {
    /// Removed elements.
    pub removed: Vec<Value>,
    /// Elements.
    pub items: Vec<Value>,
}

/// A map, with the keys it removes from its parent's map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map {
    /// Removed keys.
    pub removed: Vec<Value>,
    /// Keys and values.
    pub entries: Vec<(Value, Value)>,
}

/// A struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Struct {
    /// Its name, if known.
    pub name: Option<Arc<str>>,
    /// Its contents.
    pub body: Body,
}

/// The contents of a struct.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// A property list.
    List(List),
    /// The fields that its own serializer writes.
    Native(Record),
    /// No bytes, not even an empty list.
    Empty,
}

/// Named values in a fixed order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// Names and values, in the order of the file.
    pub fields: Vec<(&'static str, Value)>,
}

/// `FText`: localized text.
#[doc(alias = "FText")]
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// `ETextFlag` bits.
    pub flags: u32,
    /// `ETextHistoryType`, from -1.
    pub history: i8,
    /// The fields of the history, with FModel's names.
    pub fields: Record,
}

/// A list of properties.
#[derive(Debug, Clone, PartialEq)]
pub enum List {
    /// A list with tags, which describe each property.
    Tagged(TaggedList),
    /// A list without tags, described by a schema.
    Unversioned(UnversionedList),
}

/// A list with tags, and the name that ends it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaggedList {
    /// Control bytes in front: only objects have them, since object version 1011.
    pub control: Box<[u8]>,
    /// The properties.
    pub properties: Vec<Property>,
    /// The name `None`, by its index in the table; absent if the list was cut off.
    pub end: Option<Name>,
}

/// A property with its tag.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// Its tag.
    pub tag: Tag,
    /// Its value.
    pub value: Value,
}

/// A list of values in schema order, without tags.
#[derive(Debug, Clone, PartialEq)]
pub struct UnversionedList {
    /// The flattened schema.
    pub layout: Arc<Layout>,
    /// The members present.
    pub header: Header,
    /// Nonzero values; fewer than the header says if the list was cut off.
    pub values: Vec<Value>,
}

impl Record {
    /// Adds a field.
    pub(crate) fn push(&mut self, name: &'static str, value: Value) {
        self.fields.push((name, value));
    }

    /// The first field with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// The records in the list field with this name; empty if there is no such list.
    pub fn records(&self, name: &str) -> impl Iterator<Item = &Self> {
        self.get(name).and_then(Value::items).unwrap_or_default().iter().filter_map(Value::record)
    }

    /// The object that a field refers to; null if there is no such field.
    #[must_use]
    pub fn object(&self, name: &str) -> PackageIndex {
        match self.get(name) {
            Some(Value::Object(index)) => *index,
            _ => PackageIndex::NONE,
        }
    }
}

impl Value {
    /// Wraps a record as a struct without a name.
    pub(crate) fn of_record(record: Record) -> Self {
        Self::native(None, record)
    }

    /// Wraps the fields of a native struct.
    pub(crate) fn native(name: Option<Arc<str>>, record: Record) -> Self {
        Self::Struct(Box::new(Struct { name, body: Body::Native(record) }))
    }

    /// Wraps a property list as a struct.
    pub(crate) fn list(name: Option<Arc<str>>, list: List) -> Self {
        Self::Struct(Box::new(Struct { name, body: Body::List(list) }))
    }
}
