//! Values: what a property, or a field of a struct with its own serializer, can hold.
//!
//! Every value knows how it lies in the file. So writing one asks nobody what it is, and what was read comes back as it was.

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

impl std::fmt::Display for Raw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.subject {
            Some(subject) => write!(f, "{subject}: {}", self.reason),
            None => self.reason.fmt(f),
        }
    }
}

/// An array of structs with a tag inside it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedArray {
    /// The tag.
    pub tag: InnerTag,
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

/// `FText`.
#[doc(alias = "FText")]
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// `ETextFlag`.
    pub flags: u32,
    /// `ETextHistoryType`.
    pub history: i8,
    /// What the history consists of, under the names that FModel gives it.
    pub fields: Record,
}

/// A list of properties.
#[derive(Debug, Clone, PartialEq)]
pub enum List {
    /// Each property says what it is.
    Tagged(TaggedList),
    /// A schema says it.
    Unversioned(UnversionedList),
}

/// Properties that say what they are, and a name that ends the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaggedList {
    /// Bytes in front: those of an object since object version 1011.
    pub control: Box<[u8]>,
    /// The properties.
    pub properties: Vec<Property>,
    /// The name `None`, wherever it stands in the table; not there if the list is cut off.
    pub end: Option<Name>,
}

/// A property with its tag.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// What it is.
    pub tag: Tag,
    /// Its value.
    pub value: Value,
}

/// Values in the order of a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct UnversionedList {
    /// What the values are.
    pub layout: Arc<Layout>,
    /// Which of them are there.
    pub header: Header,
    /// Those that are not zero; fewer than the header says if the list is cut off.
    pub values: Vec<Value>,
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
}
