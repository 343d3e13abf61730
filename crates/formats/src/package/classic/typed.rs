//! Tagged properties of Unreal Engine 3 (223): the kind is a name.
//!
//! ```text
//! name │ type name │ i32 size │ i32 array index │ (struct) struct name │ (byte, 633) enum name │ (bool) u8, i32 to 672
//! │ value
//! ```
//!
//! The size counts the value only, and is 0 for a bool. Verified on every object of TestUC3 (868) only; the
//! gates at 322, 633 and 673 are not.

use super::{
    package::Package,
    properties::{Limits, Property, PropertyKind, Value, value},
    tables::{Cursor, Name},
};
use crate::wire::{Fault, Reader};

impl Package {
    pub(super) fn typed_property(
        &self,
        c: &mut Cursor<'_>,
        name: Name,
        limits: &mut Limits,
    ) -> Result<Property, Fault> {
        let type_name = c.name("property: type")?;
        let len = c.r.size("property: size")?;
        let array_index = c.r.size("property: array index")?;
        let type_text = self.text(type_name).to_string();
        let kind = kind(&type_text);
        let struct_name = match kind {
            Some(PropertyKind::Struct) => Some(c.name("property: struct name")?),
            _ => None,
        };
        if kind == Some(PropertyKind::Byte) && c.version.has_enum_names() {
            c.name("property: enum name")?;
        }
        // The value of a bool precedes the value bytes, whose length is then 0.
        let flag = match kind {
            Some(PropertyKind::Bool) if c.version.has_byte_bools() => Some(c.r.u8("property: bool")? != 0),
            Some(PropertyKind::Bool) => Some(c.r.i32("property: bool")? != 0),
            _ => None,
        };
        let start = c.r.offset();
        let data = c.r.bytes("property: value", len as usize)?;
        let mut inner = self.cursor_over(Reader::with_base(data, start));
        let value = match (flag, struct_name, kind) {
            (Some(flag), ..) => Value::Bool(flag),
            (_, Some(name), _) => self.structure(&inner, &self.text(name).to_string(), limits),
            // An enumerator is written as a name (8 bytes), a plain byte as one byte.
            (_, _, Some(PropertyKind::Byte)) if len > 1 => Value::Name(inner.name("property: enumerator")?),
            (_, _, Some(kind)) => value(&mut inner, kind)?,
            (_, _, None) => Value::Raw,
        };
        let kind = kind.unwrap_or(PropertyKind::Other);
        let bytes = start..c.r.offset();
        let type_name = Some(type_name);
        Ok(Property { name, kind, size_code: None, type_name, array_index, struct_name, value, bytes })
    }
}

/// Maps a type name to the kind of older versions; other types are left to the class.
fn kind(type_name: &str) -> Option<PropertyKind> {
    Some(match type_name {
        "ByteProperty" => PropertyKind::Byte,
        "IntProperty" => PropertyKind::Int,
        "BoolProperty" => PropertyKind::Bool,
        "FloatProperty" => PropertyKind::Float,
        "ObjectProperty" | "ComponentProperty" | "InterfaceProperty" => PropertyKind::Object,
        "ClassProperty" => PropertyKind::Class,
        "NameProperty" => PropertyKind::Name,
        "StrProperty" => PropertyKind::Str,
        "StructProperty" => PropertyKind::Struct,
        "ArrayProperty" => PropertyKind::Array,
        "MapProperty" => PropertyKind::Map,
        _ => return None,
    })
}
