//! References to objects, by index or by GUID.

use super::prelude::*;
use crate::id::Guid;
use crate::property::edit::guid_of;
use crate::property::json::{guid, object_name};
use crate::property::words::{guid_text, object_path};

describe! {
    ObjectValue(PackageIndex): indices(index, visit) { visit.object(index); };
    write(index, w) { w.i32(index.0); }
    text(index, scope) { Some(object_path(scope, *index).into()) }
    key(index, scope) { Some(object_name(scope, *index).into()) }
    shown(index, scope, s) { Reference { scope, index: *index }.serialize(s) }
    tree(index, tree, tag, s) { one(s, tag, &In(tree, index)) }
    from_tree(reader, part, _) { reader.object(part).map(Value::Object) }
    assign(index, c, wish) { *index = c.object(*index, wish)?; }
    is_zero(index, _) { *index == PackageIndex::NONE }
    property {
        // Interfaces were never seen with a zero bit.
        4, d => d.object(), Value::Object(PackageIndex::NONE), (plain, _) => plain != Plain::Interface
    }
}

describe! {
    GuidValue(Guid): leaf;
    write(guid, w) { w.bytes(&guid.0); }
    text(guid, _) { Some(guid_text(*guid).into()) }
    shown(guid, _, s) { guid_text(*guid).serialize(s) }
    tree(guid, _, tag, s) { one(s, tag, &guid.to_string()) }
    from_tree(_, part, _) { guid(part).map(Value::Guid) }
    assign(guid, _, wish) {
        *guid = guid_of(wish.given).ok_or_else(|| wish.refused("a GUID: 32 hex digits"))?;
    }
    is_zero(guid, _) { *guid == Guid::ZERO }
    property { 16, d => d.guid(), Value::Guid(Guid::ZERO), (_, _) => false }
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
