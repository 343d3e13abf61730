//! References to objects, by their places in the package or by GUID.

use super::description::describe;
use crate::id::Guid;
use crate::package::legacy::PackageIndex;
use crate::property::edit::guid_of;
use crate::property::json::{In, Reference, guid, object_name, one};
use crate::property::words::{guid_text, object_path};
use crate::property::{Plain, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

describe! {
    /// A reference to an object.
    ObjectValue(PackageIndex): leaf;
    write(index, w) { w.i32(index.0); }
    text(index, scope) { Some(object_path(scope, *index).into()) }
    key(index, scope) { Some(object_name(scope, *index).into()) }
    shown(index, scope, s) { Reference { scope, index: *index }.serialize(s) }
    tree(index, tree, tag, s) { one(s, tag, &In(tree, index)) }
    from_tree(reader, part, _) { reader.object(part).map(Value::Object) }
    assign(index, c, wish) { *index = c.object(*index, wish)?; }
    is_zero(index, _) { *index == PackageIndex::NONE }
    property {
        min_len 4;
        read(d) { d.object() }
        zero { Value::Object(PackageIndex::NONE) }
        has_zero_bit(plain, _) { plain != Plain::Interface }
    }
}

describe! {
    /// `FGuid`, or what refers to an object by one.
    GuidValue(Guid): leaf;
    write(guid, w) { w.bytes(&guid.0); }
    text(guid, _) { Some(guid_text(*guid).into()) }
    key(_, _) { None }
    shown(guid, _, s) { guid_text(*guid).serialize(s) }
    tree(guid, _, tag, s) { one(s, tag, &guid.to_string()) }
    from_tree(_, part, _) { guid(part).map(Value::Guid) }
    assign(guid, _, wish) {
        *guid = guid_of(wish.given).ok_or_else(|| wish.refused("a GUID: 32 hex digits"))?;
    }
    is_zero(guid, _) { *guid == Guid::ZERO }
    property {
        min_len 16;
        read(d) { d.guid() }
        zero { Value::Guid(Guid::ZERO) }
        has_zero_bit(_, _) { false }
    }
}

impl Serialize for In<'_, '_, '_, PackageIndex> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, index) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("index", &index.0)?;
        map.serialize_entry("object", &Reference { scope: tree.scope, index: **index })?;
        map.end()
    }
}
