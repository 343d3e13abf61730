//! Tags: what stands in front of a value in a tagged list.
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

/// `FPropertyTag`.
#[doc(alias = "FPropertyTag")]
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    /// Name of the property.
    pub name: Name,
    /// Its type.
    pub kind: TagKind,
    /// Bytes of the value, as the file says it.
    pub len: i32,
    /// Which element of a static array it is.
    pub element: u32,
    /// GUID of the property.
    pub guid: TagGuid,
    /// More bytes, which only overridden properties have.
    pub extension: Box<[u8]>,
}

/// The type in a tag.
#[derive(Debug, Clone, PartialEq)]
pub enum TagKind {
    /// Before 5.4.
    Bare(BareKind),
    /// Since 5.4: a tree of names, depth first, and flags.
    Complete {
        /// The tree: properties of one type share it.
        of: Arc<CompleteType>,
        /// `EPropertyTagFlags`.
        flags: u8,
    },
}

/// The type in a tag since 5.4: names, depth first, each with the number of its parameters.
#[derive(Debug, Clone)]
pub struct CompleteType {
    /// As they are in the file: index, number and count of each.
    pub(super) bytes: Box<[u8]>,
    pub(super) kind: Kind,
}

impl PartialEq for CompleteType {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl CompleteType {
    /// A type that is known to be this one.
    pub(super) fn new(nodes: &[(Name, i32)], kind: Kind) -> Self {
        let mut w = Writer::new();
        for (node, count) in nodes {
            name(&mut w, *node);
            w.i32(*count);
        }
        Self { bytes: w.into_bytes().into(), kind }
    }

    /// Names and numbers of parameters.
    pub fn nodes(&self) -> impl Iterator<Item = (Name, i32)> {
        self.bytes.as_chunks::<12>().0.iter().map(|node| {
            let [a, b, c, d, e, f, g, h, count @ ..] = *node;
            let name =
                Name { index: u32::from_le_bytes([a, b, c, d]), number: u32::from_le_bytes([e, f, g, h]) };
            (name, i32::from_le_bytes(count))
        })
    }
}

/// The type in a tag before 5.4: names of types inside it have no parameters of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BareKind {
    /// Such as `IntProperty`.
    pub name: Name,
    /// What follows it.
    pub more: BareMore,
}

/// What follows the name of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BareMore {
    /// Nothing.
    None,
    /// The value.
    Bool(u8),
    /// A struct, and since 441 its GUID.
    Struct(Name, Option<Guid>),
    /// An enum, or the type of what is inside.
    One(Name),
    /// The types of keys and values.
    Two(Name, Name),
}

/// Whether a tag has a GUID, and which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagGuid {
    /// The version has no place for one.
    Absent,
    /// There is none.
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
    /// Bytes of all elements, as the file says it.
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

pub(super) const HAS_ELEMENT: u8 = 1;
pub(super) const HAS_GUID: u8 = 2;
pub(super) const HAS_EXTENSION: u8 = 4;
/// The value was written by the struct's own serializer.
pub(super) const IS_BINARY: u8 = 8;
pub(super) const IS_TRUE: u8 = 0x10;

impl Tag {
    /// Writes the tag, with a value of this length.
    pub(super) fn write(&self, w: &mut Writer, len: i32) {
        name(w, self.name);
        match &self.kind {
            TagKind::Complete { of, flags } => {
                w.bytes(&of.bytes).i32(len).u8(*flags);
                if flags & HAS_ELEMENT != 0 {
                    w.u32(self.element);
                }
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

    /// Puts a value into the tag itself.
    pub(super) fn set_bool(&mut self, value: bool) {
        match &mut self.kind {
            TagKind::Complete { flags, .. } => {
                *flags = *flags & !IS_TRUE | if value { IS_TRUE } else { 0 };
            }
            TagKind::Bare(BareKind { more, .. }) => *more = BareMore::Bool(value.into()),
        }
    }

    /// Whether the struct's own serializer wrote the value; `None` if the tag does not say.
    #[must_use]
    pub const fn is_binary(&self) -> Option<bool> {
        match &self.kind {
            TagKind::Complete { flags, .. } => Some(*flags & IS_BINARY != 0),
            TagKind::Bare(_) => None,
        }
    }
}

impl TagGuid {
    /// No GUID, as this version records it.
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
