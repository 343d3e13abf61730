//! Values in FModel's form.

use super::reference::{Reference, object_name};
use super::shown::Shown;
use crate::property::Scope;
use crate::property::from_value::whole;
use crate::property::kind::Kind;
use crate::property::list::{Member, text};
use crate::property::reference::{Delegate, FieldPath, SoftPath};
use crate::property::value::{Enumerator, List, Map, Value};
use crate::property::words::{enumerator_text, guid_text, latin, soft_path, soft_path_text};
use crate::property::zero::zero;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// The properties of a list, as an object.
impl Serialize for Shown<'_, '_, List> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for member in self.value.members(self.scope.package) {
            if member.element == 0 {
                map.serialize_key(&*member.name)?;
            } else {
                map.serialize_key(&format!("{}[{}]", member.name, member.element))?;
            }
            map.serialize_value(&MemberJson { scope: self.scope, member: &member })?;
        }
        map.end()
    }
}

struct MemberJson<'s, 'a> {
    scope: &'s Scope<'a>,
    member: &'s Member<'s>,
}

impl Serialize for MemberJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        match (self.member.value, self.member.kind) {
            (Some(value), _) => Shown { scope, value }.serialize(serializer),
            (None, Some(Kind::Unknown(name))) => {
                problem(format_args!("{name}: type of a property: not known"), serializer)
            }
            (None, Some(kind)) => Shown { scope, value: &zero(scope, kind) }.serialize(serializer),
            (None, None) => problem(format_args!("property of a schema: not known"), serializer),
        }
    }
}

impl Serialize for Shown<'_, '_, Value> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        match self.value {
            Value::Bool(value) | Value::Bool32(value) => serializer.serialize_bool(*value),
            Value::Int8(value) => serializer.serialize_i8(*value),
            Value::Int16(value) => serializer.serialize_i16(*value),
            Value::Int(value) => serializer.serialize_i32(*value),
            Value::Int64(value) => serializer.serialize_i64(*value),
            Value::Byte(value) => serializer.serialize_u8(*value),
            Value::UInt16(value) => serializer.serialize_u16(*value),
            Value::UInt32(value) => serializer.serialize_u32(*value),
            Value::UInt64(value) => serializer.serialize_u64(*value),
            Value::Float(value) => float(*value, serializer),
            Value::Double(value) => double(*value, serializer),
            Value::Name(name) | Value::Enum(name) => serializer.serialize_str(&text(scope.package, *name)),
            Value::Enumerator(found) => enumerator(found, serializer),
            Value::Str(text) => serializer.serialize_str(text.as_str()),
            Value::Utf8(text) => serializer.serialize_str(text),
            Value::Ansi(bytes) => serializer.collect_str(&latin(bytes)),
            Value::Text(text) => Shown { scope, value: &**text }.serialize(serializer),
            Value::Object(index) => Reference { scope, index: *index }.serialize(serializer),
            Value::Guid(guid) => serializer.serialize_str(&guid_text(*guid)),
            Value::SoftPath(path) => SoftPathJson { scope, path }.serialize(serializer),
            Value::Delegate(delegate) => DelegateJson { scope, delegate }.serialize(serializer),
            Value::Multicast(delegates) => {
                let list: Vec<_> =
                    delegates.iter().map(|delegate| DelegateJson { scope, delegate }).collect();
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("InvocationList", &list)?;
                map.end()
            }
            Value::FieldPath(path) => field_path(scope, path, serializer),
            Value::Array(items) => values(scope, items, serializer),
            Value::TaggedArray(array) => values(scope, &array.items, serializer),
            Value::Set(set) => values(scope, &set.items, serializer),
            Value::Map(map) => entries(scope, map, serializer),
            Value::Bytes(bytes) | Value::Fixed(bytes) => serializer.collect_seq(bytes.iter()),
            Value::Optional(None) => serializer.serialize_none(),
            Value::Raw(raw) => problem(format_args!("{raw}"), serializer),
            Value::Optional(Some(value)) | Value::Sized(value) => {
                Shown { scope, value: &**value }.serialize(serializer)
            }
            Value::Struct(found) => Shown { scope, value: &**found }.serialize(serializer),
        }
    }
}

/// In place of a value that is not understood: why it is not. FModel leaves such a value out without a word.
fn problem<S: Serializer>(reason: std::fmt::Arguments<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry("Problem", &reason)?;
    map.end()
}

fn values<S: Serializer>(scope: &Scope<'_>, items: &[Value], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(items.iter().map(|value| Shown { scope, value }))
}

/// A float: what JSON has no number for is a string.
fn float<S: Serializer>(value: f32, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() { serializer.serialize_f32(value) } else { double(value.into(), serializer) }
}

fn double<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        value if value.is_finite() => serializer.serialize_f64(value),
        value if value.is_nan() => serializer.serialize_str("NaN"),
        value if value > 0.0 => serializer.serialize_str("Infinity"),
        _ => serializer.serialize_str("-Infinity"),
    }
}

fn enumerator<S: Serializer>(found: &Enumerator, serializer: S) -> Result<S::Ok, S::Error> {
    if found.of.name.is_empty() {
        return serializer.serialize_i64(found.number);
    }
    serializer.serialize_str(&enumerator_text(found))
}

/// A soft path.
struct SoftPathJson<'s, 'a> {
    scope: &'s Scope<'a>,
    path: &'s SoftPath,
}

impl Serialize for SoftPathJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (asset, sub_path) = soft_path(self.scope, self.path);
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("AssetPathName", &asset)?;
        map.serialize_entry("SubPathString", &sub_path)?;
        map.end()
    }
}

/// A function of an object.
struct DelegateJson<'s, 'a> {
    scope: &'s Scope<'a>,
    delegate: &'s Delegate,
}

impl Serialize for DelegateJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("Object", &Reference { scope: self.scope, index: self.delegate.object })?;
        map.serialize_entry("FunctionName", &text(self.scope.package, self.delegate.function))?;
        map.end()
    }
}

fn field_path<S: Serializer>(scope: &Scope<'_>, path: &FieldPath, serializer: S) -> Result<S::Ok, S::Error> {
    if path.path.is_empty() {
        return serializer.serialize_none();
    }
    let names: Vec<_> = path.path.iter().map(|name| text(scope.package, *name)).collect();
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("Path", &names)?;
    map.serialize_entry("ResolvedOwner", &path.owner.map(|index| Reference { scope, index }))?;
    map.end()
}

fn entries<S: Serializer>(scope: &Scope<'_>, map: &Map, serializer: S) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(map.entries.len()))?;
    for (key, value) in &map.entries {
        list.serialize_element(&Entry { scope, key, value })?;
    }
    list.end()
}

/// A key and its value.
struct Entry<'s, 'a> {
    scope: &'s Scope<'a>,
    key: &'s Value,
    value: &'s Value,
}

impl Serialize for Entry<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        let mut map = serializer.serialize_map(Some(2))?;
        match key_text(scope, self.key) {
            Some(text) => map.serialize_entry("Key", &text)?,
            None => map.serialize_entry("Key", &Shown { scope, value: self.key })?,
        }
        map.serialize_entry("Value", &Shown { scope, value: self.value })?;
        map.end()
    }
}

/// The text of a key as it is shown; `None` for a struct, which is written as it is.
pub(in crate::property) fn key_text(scope: &Scope<'_>, key: &Value) -> Option<String> {
    let mut text = whole_key(scope, key)?;
    // FModel cuts the type off, which it writes in parentheses, and whatever else follows one.
    let cut = text.find('(').unwrap_or(text.len());
    text.truncate(text.get(..cut)?.trim_end().len());
    Some(text)
}

fn whole_key(scope: &Scope<'_>, key: &Value) -> Option<String> {
    Some(match key {
        Value::Struct(_) | Value::Guid(_) | Value::Array(_) | Value::Raw(_) => return None,
        Value::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Value::Float(value) => value.to_string(),
        Value::Double(value) => value.to_string(),
        Value::Name(name) | Value::Enum(name) => text(scope.package, *name).into_owned(),
        Value::Enumerator(found) => enumerator_text(found),
        Value::Str(text) => text.to_string(),
        Value::Utf8(text) => text.to_string(),
        Value::Ansi(bytes) => latin(bytes).into_owned(),
        Value::Object(index) => object_name(scope, *index),
        Value::SoftPath(path) => soft_path_text(scope, path),
        other => whole(other)?.to_string(),
    })
}
