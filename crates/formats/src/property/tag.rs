//! Tags: the data in front of a value in a tagged list.
//!
//! ```text
//! before 5.4   name │ type │ i32 size │ i32 element │ what the type needs │ u8, [GUID] (503) │ u8 … (1011)
//!              Struct: name, GUID (441) │ Bool: the value │ Byte, Enum: enum │ Array, Set, Optional: type │ Map: types
//! since 5.4    name │ type: nodes of { name, i32 parameters } │ i32 size │ u8 flags │ [i32 element] │ [GUID]
//!              │ [u8 extension, …]
//! ```

use super::kind::Kind;
use crate::id::Guid;
use crate::package::legacy::Name;
use crate::version::PackageFileVersion;
use crate::wire::Writer;
use std::sync::Arc;

/// `FPropertyTag`: name, type and size of a property.
#[doc(alias = "FPropertyTag")]
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    /// Name of the property.
    pub name: Name,
    /// Its type.
    pub kind: TagKind,
    /// Recorded length of the value, in bytes.
    pub len: i32,
    /// Element number in a static array.
    pub element: u32,
    /// GUID of the property.
    pub guid: TagGuid,
    /// Extension bytes, present only for overridden properties.
    pub extension: Box<[u8]>,
}

/// The type in a tag.
#[derive(Debug, Clone, PartialEq)]
pub enum TagKind {
    /// Before 5.4.
    Bare(BareKind),
    /// Since 5.4: a tree of names, depth first, and flags.
    Complete {
        /// The tree, shared by all properties of this type.
        of: Arc<CompleteType>,
        /// `EPropertyTagFlags`.
        flags: u8,
    },
}

/// The type in a tag since 5.4: names in depth-first order, each with its number of parameters.
#[derive(Debug, Clone)]
pub struct CompleteType {
    /// As in the file: index, number and parameter count of each node.
    pub(super) bytes: Box<[u8]>,
    pub(super) kind: Kind,
}

impl PartialEq for CompleteType {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl CompleteType {
    /// A type whose meaning is already known.
    pub(super) fn new(nodes: &[(Name, i32)], kind: Kind) -> Self {
        let mut w = Writer::new();
        for (node, count) in nodes {
            name(&mut w, *node);
            w.i32(*count);
        }
        Self { bytes: w.into_bytes().into(), kind }
    }

    /// The nodes: names and their numbers of parameters.
    pub fn nodes(&self) -> impl Iterator<Item = (Name, i32)> {
        self.bytes.as_chunks::<12>().0.iter().map(|node| {
            let [a, b, c, d, e, f, g, h, count @ ..] = *node;
            let name =
                Name { index: u32::from_le_bytes([a, b, c, d]), number: u32::from_le_bytes([e, f, g, h]) };
            (name, i32::from_le_bytes(count))
        })
    }
}

/// The type in a tag before 5.4. Types inside it have no parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BareKind {
    /// For example `IntProperty`.
    pub name: Name,
    /// The data after the name.
    pub more: BareMore,
}

/// The data after the name of a bare type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BareMore {
    /// Nothing.
    None,
    /// The value.
    Bool(u8),
    /// A struct, and since 441 its GUID (zero for native structs).
    Struct(Name, Option<Guid>),
    /// An enum, or the inner type.
    One(Name),
    /// The types of keys and values.
    Two(Name, Name),
}

/// The GUID field of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagGuid {
    /// The version has no such field.
    Absent,
    /// The property has no GUID.
    None,
    /// There is one.
    Some(Guid),
}

/// The tag inside an array of structs, before 5.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InnerTag {
    /// Name of the array.
    pub name: Name,
    /// `StructProperty`.
    pub kind: Name,
    /// Length of all elements, in bytes, as the file records it.
    pub len: i32,
    /// Always 0.
    pub element: i32,
    /// The struct.
    pub of: Name,
    /// Its GUID.
    pub of_guid: Guid,
    /// GUID of the property.
    pub guid: TagGuid,
}

// `EPropertyTagFlags` of 5.4 and later.
pub(super) const HAS_ELEMENT: u8 = 1;
pub(super) const HAS_GUID: u8 = 2;
pub(super) const HAS_EXTENSION: u8 = 4;
/// The struct's own serializer wrote the value.
pub(super) const IS_BINARY: u8 = 8;
pub(super) const IS_TRUE: u8 = 0x10;

impl Tag {
    /// Writes the tag for a value of `len` bytes.
    pub(super) fn write(&self, w: &mut Writer, len: i32) {
        name(w, self.name);
        match &self.kind {
            TagKind::Complete { of, flags } => {
                w.bytes(&of.bytes).i32(len).u8(*flags);
                if flags & HAS_ELEMENT != 0 {
                    w.u32(self.element);
                }
                // The flag is not derived from the GUID: it is part of `flags` already.
                if let TagGuid::Some(guid) = self.guid {
                    w.bytes(&guid.0);
                }
            }
            TagKind::Bare(BareKind { name: kind, more }) => {
                name(w, *kind);
                w.i32(len).u32(self.element);
                match more {
                    BareMore::None => {}
                    BareMore::Bool(value) => drop(w.u8(*value)),
                    BareMore::Struct(of, guid) => {
                        name(w, *of);
                        if let Some(guid) = guid {
                            w.bytes(&guid.0);
                        }
                    }
                    BareMore::One(one) => name(w, *one),
                    BareMore::Two(one, two) => {
                        name(w, *one);
                        name(w, *two);
                    }
                }
                self.guid.write(w);
            }
        }
        w.bytes(&self.extension);
    }

    /// Stores a bool in the tag itself.
    pub(super) fn set_bool(&mut self, value: bool) {
        match &mut self.kind {
            TagKind::Complete { flags, .. } => {
                *flags = *flags & !IS_TRUE | if value { IS_TRUE } else { 0 };
            }
            TagKind::Bare(BareKind { more, .. }) => *more = BareMore::Bool(value.into()),
        }
    }

    /// True if the struct's own serializer wrote the value; `None` if the tag does not record it.
    #[must_use]
    pub const fn is_binary(&self) -> Option<bool> {
        match &self.kind {
            TagKind::Complete { flags, .. } => Some(*flags & IS_BINARY != 0),
            TagKind::Bare(_) => None,
        }
    }
}

impl TagGuid {
    /// The field of a tag without GUID, in this version.
    pub(super) const fn none(objects: PackageFileVersion) -> Self {
        if objects.has_property_guids() { Self::None } else { Self::Absent }
    }

    fn write(self, w: &mut Writer) {
        match self {
            Self::Absent => {}
            Self::None => drop(w.u8(0)),
            Self::Some(guid) => drop(w.u8(1).bytes(&guid.0)),
        }
    }
}

impl InnerTag {
    pub(super) fn write(&self, w: &mut Writer, len: i32) {
        name(w, self.name);
        name(w, self.kind);
        w.i32(len).i32(self.element);
        name(w, self.of);
        w.bytes(&self.of_guid.0);
        self.guid.write(w);
    }
}

/// Writes a name.
pub(super) fn name(w: &mut Writer, name: Name) {
    w.u32(name.index).u32(name.number);
}
