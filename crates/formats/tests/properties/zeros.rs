//! Zeros in lists without tags: which of them cookers write as bits.

use crate::sets::{Others, all, corpus, say};
use std::collections::BTreeMap;
use uncask_formats::id::Guid;
use uncask_formats::package::legacy::{Package, PackageIndex};
use uncask_formats::property::{Body, Kind, List, Object, Scope, SoftPath, Value};

/// Whether a value is all zeros in memory, as far as can be told.
fn is_zero(package: &Package, value: &Value) -> bool {
    let is_none = |name| package.text(name).to_string() == "None";
    match value {
        Value::Bool(value) | Value::Bool32(value) => !value,
        Value::Float(value) => value.to_bits() == 0,
        Value::Double(value) => value.to_bits() == 0,
        Value::Name(name) | Value::Enum(name) => is_none(*name),
        Value::Str(text) => text.as_str().is_empty(),
        Value::Utf8(text) => text.is_empty(),
        Value::Ansi(bytes) | Value::Bytes(bytes) => bytes.is_empty(),
        Value::Object(index) => *index == PackageIndex::NONE,
        Value::Guid(guid) => *guid == Guid::ZERO,
        Value::SoftPath(path) => match &**path {
            SoftPath::Text(text) => text.as_str().is_empty(),
            SoftPath::Asset(asset, sub) => is_none(*asset) && sub.as_str().is_empty(),
            SoftPath::TopLevel(package, asset, sub) => {
                is_none(*package) && is_none(*asset) && sub.as_str().is_empty()
            }
            SoftPath::Utf8(package, asset, sub) => is_none(*package) && is_none(*asset) && sub.is_empty(),
            SoftPath::Listed(_) => false,
        },
        Value::Multicast(found) => found.is_empty(),
        Value::Delegate(found) => found.object == PackageIndex::NONE,
        Value::Array(items) => items.is_empty(),
        Value::Set(set) => set.items.is_empty() && set.removed.is_empty(),
        Value::Map(map) => map.entries.is_empty() && map.removed.is_empty(),
        Value::Optional(value) => value.is_none(),
        Value::Struct(found) => match &found.body {
            Body::List(list) => list.members(package).all(|member| member.value.is_none_or(|value| is_zero(package, value))),
            Body::Native(record) => record.fields.iter().all(|(_, value)| is_zero(package, value)),
            Body::Empty => true,
        },
        value => value.whole() == Some(0),
    }
}

type Counts = BTreeMap<String, [usize; 3]>;

fn count(scope: &Scope<'_>, value: &Value, counts: &mut Counts) {
    match value {
        Value::Struct(found) => match &found.body {
            Body::List(list) => count_list(scope, list, counts),
            Body::Native(record) => record.fields.iter().for_each(|(_, value)| count(scope, value, counts)),
            Body::Empty => {}
        },
        Value::Optional(Some(value)) | Value::Sized(value) => count(scope, value, counts),
        Value::Map(map) => map.entries.iter().for_each(|(key, value)| {
            count(scope, key, counts);
            count(scope, value, counts);
        }),
        value => value.items().unwrap_or_default().iter().for_each(|value| count(scope, value, counts)),
    }
}

fn count_list(scope: &Scope<'_>, list: &List, counts: &mut Counts) {
    let List::Unversioned(_) = list else {
        return list.values().for_each(|value| count(scope, value, counts));
    };
    for member in list.members(scope.package) {
        let name = match member.kind {
            Some(Kind::Struct(of)) => {
                let form = match member.value {
                    Some(Value::Struct(found)) => match &found.body {
                        Body::List(_) => "list",
                        Body::Native(_) => "native",
                        Body::Empty => "empty",
                    },
                    _ => "-",
                };
                format!("Struct {} {form}", of.name)
            }
            Some(Kind::Plain(plain)) => plain.name(),
            Some(Kind::Byte(of)) => format!("Byte {}", of.is_some()),
            Some(kind) => format!("{kind:?}").split(['(', ' ']).next().unwrap().to_owned(),
            None => continue,
        };
        if ["BoolProperty", "Array", "ObjectProperty", "StrProperty"].contains(&&*name) {
            let List::Unversioned(l) = list else { continue };
            let kind = format!("{:?}", member.kind.unwrap());
            let at = match member.value { None => 0, Some(value) if is_zero(scope.package, value) => 1, _ => 2 };
            counts.entry(format!("  {} {} {:.60}", l.layout.names().next().unwrap_or_default(), member.name, kind)).or_default()[at] += 1;
        }
        let counts_of = counts.entry(name).or_default();
        match member.value {
            None => counts_of[0] += 1,
            Some(value) if is_zero(scope.package, value) => counts_of[1] += 1,
            Some(_) => counts_of[2] += 1,
        }
        if let Some(value) = member.value {
            count(scope, value, counts);
        }
    }
}

#[test]
fn cookers_write_zeros_as_bits() {
    let Some(corpus) = corpus() else { return };
    let mut counts = Counts::new();
    for set in all(&corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let loaded = set.load(file);
            let scope = loaded.scope(&others);
            for export in &loaded.package.exports {
                let object = Object::read(&scope, export);
                if let Some(list) = &object.properties {
                    count_list(&scope, list, &mut counts);
                }
                object.tail.fields.iter().for_each(|(_, value)| count(&scope, value, &mut counts));
            }
        }
    }
    for (name, counts) in counts.iter().filter(|(name, counts)| !name.starts_with(' ') || counts[1] > 0) {
        say(&format!("{name}: {counts:?}"));
    }
}
