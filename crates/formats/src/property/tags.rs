//! Reading tags and the types they describe.

use super::kind::{Kind, Plain, StructName, Word};
use super::scope::Scope;
use super::tag::{
    BareKind, BareMore, CompleteType, HAS_ELEMENT, HAS_EXTENSION, HAS_GUID, IS_TRUE, InnerTag, Tag, TagGuid,
    TagKind,
};
use crate::id::Guid;
use crate::package::legacy::Name;
use crate::wire::{Fault, FaultKind, Reader};
use std::sync::Arc;

/// Upper bound on the nodes of a type. Real types have few.
const MAX_NODES: u32 = 64;
/// Deepest nesting of types.
const MAX_DEPTH: usize = 16;

impl Tag {
    /// Reads the tag after the name of a property.
    pub(super) fn read(r: &mut Reader<'_>, scope: &Scope<'_>, name: Name) -> Result<Self, Fault> {
        if scope.versions.objects.has_complete_type_names() {
            Self::read_complete(r, scope, name)
        } else {
            Self::read_bare(r, scope, name)
        }
    }

    fn read_complete(r: &mut Reader<'_>, scope: &Scope<'_>, name: Name) -> Result<Self, Fault> {
        // A property usually has the same type each time, which saves resolving its names again.
        let of = match scope.type_of_last(name, r.rest()) {
            Some(known) => {
                r.bytes("type of a property", known.bytes.len())?;
                known
            }
            None => scope.type_of(name, read_type(r, scope)?),
        };
        let len = r.i32("size of a property")?;
        let flags = r.u8("flags of a property tag")?;
        let element = if flags & HAS_ELEMENT == 0 { 0 } else { r.size("element of a static array")? };
        let guid = if flags & HAS_GUID == 0 {
            TagGuid::None
        } else {
            TagGuid::Some(Guid(r.array("property GUID")?))
        };
        let extension = if flags & HAS_EXTENSION == 0 { Box::default() } else { extension(r)? };
        let kind = TagKind::Complete { of, flags };
        Ok(Self { name, kind, len, element, guid, extension })
    }

    fn read_bare(r: &mut Reader<'_>, scope: &Scope<'_>, name: Name) -> Result<Self, Fault> {
        let objects = scope.versions.objects;
        let kind = scope.read_name(r, "type of a property")?;
        let len = r.i32("size of a property")?;
        let element = r.size("element of a static array")?;
        // The fields depend on the type, and for containers also on the version.
        let more = match scope.word(kind) {
            Word::Struct => {
                let of = scope.read_name(r, "struct of a property")?;
                let guid = r.when(objects.has_struct_guids(), |r| r.array("struct GUID").map(Guid))?;
                BareMore::Struct(of, guid)
            }
            Word::Plain(Plain::Bool) => BareMore::Bool(r.u8("value of a bool")?),
            Word::Byte | Word::Enum => BareMore::One(scope.read_name(r, "enum of a property")?),
            Word::Array if objects.has_array_inner_types() => {
                BareMore::One(scope.read_name(r, "type in an array")?)
            }
            Word::Set if objects.has_set_and_map_types() => {
                BareMore::One(scope.read_name(r, "type in a set")?)
            }
            Word::Optional => BareMore::One(scope.read_name(r, "type in an optional")?),
            Word::Map if objects.has_set_and_map_types() => {
                BareMore::Two(scope.read_name(r, "type of keys")?, scope.read_name(r, "type of values")?)
            }
            // An unknown type has no fields of its own; its size still leads to the next tag.
            _ => BareMore::None,
        };
        let guid = TagGuid::read(r, objects.has_property_guids())?;
        let extension = if objects.has_tag_extension() { extension(r)? } else { Box::default() };
        let kind = TagKind::Bare(BareKind { name: kind, more });
        Ok(Self { name, kind, len, element, guid, extension })
    }

    /// The value stored in the tag itself.
    pub(super) fn bool(&self) -> Option<bool> {
        match &self.kind {
            TagKind::Complete { of, flags } => {
                let is_bool = matches!(of.kind, Kind::Plain(Plain::Bool));
                // A bool with bytes is damaged or foreign: it is then read as a value of its size.
                (is_bool && self.len == 0).then_some(flags & IS_TRUE != 0)
            }
            TagKind::Bare(BareKind { more: BareMore::Bool(value @ 0..=1), .. }) if self.len == 0 => {
                Some(*value == 1)
            }
            TagKind::Bare(_) => None,
        }
    }

    /// The type of the value, as far as the tag describes it.
    pub(super) fn kind(&self, scope: &Scope<'_>) -> Kind {
        self.with_kind(scope, Kind::clone)
    }

    /// Calls `read` with the type of the value, as far as the tag describes it.
    pub(super) fn with_kind<T>(&self, scope: &Scope<'_>, read: impl FnOnce(&Kind) -> T) -> T {
        match &self.kind {
            TagKind::Complete { of, .. } => read(&of.kind),
            TagKind::Bare(kind) => read(&kind.kind(scope)),
        }
    }
}

/// Reads a type (5.4 and later) without resolving its names.
fn read_type<'a>(r: &mut Reader<'a>, scope: &Scope<'_>) -> Result<&'a [u8], Fault> {
    let before = r.rest();
    let (mut left, mut nodes) = (1_i64, 0);
    // Each node uses up one place and opens as many as it has parameters.
    while left > 0 {
        let at = r.clone();
        scope.read_name(r, "type of a property")?;
        let count = r.size("parameters of a type")?;
        left += i64::from(count) - 1;
        nodes += 1;
        if nodes > MAX_NODES || left > i64::from(MAX_NODES) {
            let kind = FaultKind::TooLarge { found: left.unsigned_abs(), limit: MAX_NODES.into() };
            return Err(at.fault("parameters of a type", kind));
        }
    }
    Ok(before.get(..before.len() - r.remaining()).unwrap_or_default())
}

impl CompleteType {
    /// Resolves a type from its bytes, whose names are all in the table.
    pub(super) fn of_bytes(bytes: &[u8], scope: &Scope<'_>) -> Self {
        let mut this = Self { bytes: bytes.into(), kind: Kind::Byte(None) };
        let nodes: Vec<(Name, i32)> = this.nodes().collect();
        this.kind = complete_kind(&mut nodes.iter(), scope, 0);
        this
    }
}

impl TagGuid {
    pub(super) fn read(r: &mut Reader<'_>, has: bool) -> Result<Self, Fault> {
        if !has {
            return Ok(Self::Absent);
        }
        let at = r.clone();
        match r.u8("flag of a property GUID")? {
            0 => Ok(Self::None),
            1 => r.array("property GUID").map(|guid| Self::Some(Guid(guid))),
            // Any other byte means that the reader has lost its place.
            found => {
                let kind = FaultKind::TooLarge { found: found.into(), limit: 1 };
                Err(at.fault("flag of a property GUID", kind))
            }
        }
    }
}

impl InnerTag {
    pub(super) fn read(r: &mut Reader<'_>, scope: &Scope<'_>) -> Result<Self, Fault> {
        Ok(Self {
            name: scope.read_name(r, "name in an array of structs")?,
            kind: scope.read_name(r, "type in an array of structs")?,
            len: r.i32("size of an array of structs")?,
            element: r.i32("element of an array of structs")?,
            of: scope.read_name(r, "struct of an array")?,
            of_guid: Guid(r.array("struct GUID")?),
            guid: TagGuid::read(r, scope.versions.objects.has_property_guids())?,
        })
    }
}

/// Reads an extension: flags; if bit 1 is set, the operation (u8) and a bool32.
fn extension(r: &mut Reader<'_>) -> Result<Box<[u8]>, Fault> {
    const HAS_OPERATION: u8 = 2;
    let before = r.rest();
    let flags = r.u8("extension of a property tag")?;
    if flags & HAS_OPERATION != 0 {
        r.array::<5>("operation of a property tag")?;
    }
    Ok(before.get(..before.len() - r.remaining()).unwrap_or_default().into())
}

impl BareKind {
    fn kind(&self, scope: &Scope<'_>) -> Kind {
        let inner = |name: Name| Box::new(inner_kind(name, scope));
        match (scope.word(self.name), self.more) {
            (Word::Plain(plain), _) => Kind::Plain(plain),
            (Word::Struct, BareMore::Struct(of, _)) => {
                Kind::Struct(StructName { name: scope.shared(of), package: None })
            }
            (Word::Byte, BareMore::One(of)) => Kind::Byte(some_enum(&scope.shared(of))),
            (Word::Enum, BareMore::One(of)) => {
                // Bare tags do not say the underlying type. It does not matter, as tagged values are names.
                Kind::Enum(some_enum(&scope.shared(of)), Kind::Byte(None).into())
            }
            (Word::Array, BareMore::One(of)) => Kind::Array(inner(of)),
            (Word::Set, BareMore::One(of)) => Kind::Set(inner(of)),
            (Word::Optional, BareMore::One(of)) => Kind::Optional(inner(of)),
            (Word::Map, BareMore::Two(key, value)) => Kind::Map(inner(key), inner(value)),
            _ => Kind::Unknown(scope.shared(self.name)),
        }
    }
}

/// A type inside another one, by its bare name. A struct has an empty name, as the tag omits it.
fn inner_kind(name: Name, scope: &Scope<'_>) -> Kind {
    match scope.word(name) {
        Word::Plain(plain) => Kind::Plain(plain),
        Word::Struct => Kind::Struct(StructName::new("")),
        Word::Byte => Kind::Byte(None),
        Word::Enum => Kind::Enum(None, Kind::Byte(None).into()),
        _ => Kind::Unknown(scope.shared(name)),
    }
}

fn some_enum(name: &Arc<str>) -> Option<Arc<str>> {
    (!name.eq_ignore_ascii_case("None")).then(|| Arc::clone(name))
}

/// Resolves the type at the next nodes.
fn complete_kind(nodes: &mut std::slice::Iter<'_, (Name, i32)>, scope: &Scope<'_>, depth: usize) -> Kind {
    let Some((name, count)) = nodes.next() else { return Kind::Unknown("".into()) };
    if depth == MAX_DEPTH {
        return Kind::Unknown(scope.shared(*name));
    }
    let inner = |nodes: &mut _| Box::new(complete_kind(nodes, scope, depth + 1));
    // Only parameters that the engine is known to write are consumed; the rest is skipped below.
    let (kind, used) = match (scope.word(*name), *count) {
        (Word::Plain(plain), _) => (Kind::Plain(plain), 0),
        (Word::Struct, 1..) => (Kind::Struct(named(nodes, scope)), 1),
        (Word::Byte, 1..) => (Kind::Byte(Some(named(nodes, scope).name)), 1),
        (Word::Byte, _) => (Kind::Byte(None), 0),
        // The enum, with its package, then the underlying type.
        (Word::Enum, 2..) => (Kind::Enum(Some(named(nodes, scope).name), inner(nodes)), 2),
        (Word::Array, 1..) => (Kind::Array(inner(nodes)), 1),
        (Word::Set, 1..) => (Kind::Set(inner(nodes)), 1),
        (Word::Optional, 1..) => (Kind::Optional(inner(nodes)), 1),
        (Word::Map, 2..) => (Kind::Map(inner(nodes), inner(nodes)), 2),
        _ => (Kind::Unknown(scope.shared(*name)), 0),
    };
    // Skips unknown parameters, such as the GUID of a user-defined struct.
    for _ in used..*count {
        skip(nodes);
    }
    kind
}

/// A struct or enum with its package, its first parameter.
fn named(nodes: &mut std::slice::Iter<'_, (Name, i32)>, scope: &Scope<'_>) -> StructName {
    let Some((name, count)) = nodes.next() else { return StructName::new("") };
    let mut package = None;
    for place in 0..*count {
        let Some((name, inner)) = nodes.next() else { break };
        if place == 0 {
            package = Some(scope.shared(*name));
        }
        (0..*inner).for_each(|_| skip(nodes));
    }
    StructName { name: scope.shared(*name), package }
}

/// Skips a node with everything below it.
fn skip(nodes: &mut std::slice::Iter<'_, (Name, i32)>) {
    let mut left = 1_i64;
    while left > 0 {
        let Some((_, count)) = nodes.next() else { return };
        left += i64::from(*count) - 1;
    }
}
