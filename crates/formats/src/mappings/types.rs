use super::names::Names;
use crate::wire::{Fault, FaultKind, Reader};
use std::borrow::Cow;
use std::fmt;

/// Deepest nesting of types; known games need four.
const MAX_DEPTH: usize = 16;

/// Kind of a property (`EPropertyType`).
#[doc(alias = "EPropertyType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PropertyKind(
    /// Stored number.
    pub u8,
);

/// Names of the kinds, after the engine's property classes.
const NAMES: [&str; 34] = [
    "Byte",
    "Bool",
    "Int",
    "Float",
    "Object",
    "Name",
    "Delegate",
    "Double",
    "Array",
    "Struct",
    "Str",
    "Text",
    "Interface",
    "MulticastDelegate",
    "WeakObject",
    "LazyObject",
    "AssetObject",
    "SoftObject",
    "UInt64",
    "UInt32",
    "UInt16",
    "Int64",
    "Int16",
    "Int8",
    "Map",
    "Set",
    "Enum",
    "FieldPath",
    "Optional",
    "Utf8Str",
    "AnsiStr",
    "Class",
    "MulticastInlineDelegate",
    "SoftClass",
];

const ARRAY: u8 = 8;
const STRUCT: u8 = 9;
const MAP: u8 = 24;
const SET: u8 = 25;
const ENUM: u8 = 26;
const OPTIONAL: u8 = 28;

/// Type of a property, with its inner types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyType<'a> {
    /// A type without inner types.
    Plain(PropertyKind),
    /// A struct, by name.
    Struct(Option<Cow<'a, str>>),
    /// An enum, by name, and its storage type.
    Enum(Option<Cow<'a, str>>, Box<Self>),
    /// An array.
    Array(Box<Self>),
    /// A set.
    Set(Box<Self>),
    /// An optional value.
    Optional(Box<Self>),
    /// A map from key to value.
    Map(Box<Self>, Box<Self>),
}

impl PropertyKind {
    /// Returns the name of the kind, such as `SoftObject`; `None` for numbers that tools use for unknown
    /// kinds.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        NAMES.get(usize::from(self.0)).copied()
    }
}

impl<'a> PropertyType<'a> {
    /// Reads a type and its inner types.
    pub(super) fn read(r: &mut Reader<'_>, names: Names<'a>) -> Result<Self, Fault> {
        Self::read_at(r, names, 0)
    }

    fn read_at(r: &mut Reader<'_>, names: Names<'a>, depth: usize) -> Result<Self, Fault> {
        let at = r.clone();
        let kind = r.u8("property type")?;
        // Types nest by recursion, so the depth is bounded before reading on.
        if depth > MAX_DEPTH {
            let kind = FaultKind::TooLarge { found: depth as u64, limit: MAX_DEPTH as u64 };
            return Err(at.fault("depth of a property type", kind));
        }
        let inner = |r: &mut Reader<'_>| Self::read_at(r, names, depth + 1).map(Box::new);
        Ok(match kind {
            STRUCT => Self::Struct(names.read(r, "struct of a property")?),
            // The storage type precedes the name of the enum.
            ENUM => {
                let stored_as = inner(r)?;
                Self::Enum(names.read(r, "enum of a property")?, stored_as)
            }
            ARRAY => Self::Array(inner(r)?),
            SET => Self::Set(inner(r)?),
            OPTIONAL => Self::Optional(inner(r)?),
            MAP => Self::Map(inner(r)?, inner(r)?),
            // Unknown kinds are kept: tools number them differently, and the rest of the file is still
            // readable.
            kind => Self::Plain(PropertyKind(kind)),
        })
    }
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "kind {}", self.0),
        }
    }
}

impl fmt::Display for PropertyType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |name: &Option<Cow<'_, str>>| name.as_deref().unwrap_or("None").to_owned();
        match self {
            Self::Plain(kind) => kind.fmt(f),
            Self::Struct(name) => write!(f, "Struct {}", or_none(name)),
            Self::Enum(name, stored_as) => write!(f, "Enum {} as {stored_as}", or_none(name)),
            Self::Array(inner) => write!(f, "Array<{inner}>"),
            Self::Set(inner) => write!(f, "Set<{inner}>"),
            Self::Optional(inner) => write!(f, "Optional<{inner}>"),
            Self::Map(key, value) => write!(f, "Map<{key}, {value}>"),
        }
    }
}
