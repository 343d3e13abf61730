//! Zeros in lists without tags: which of them cookers write as bits.

use crate::sets::{Others, all, corpus, say};
use std::collections::BTreeMap;
use uncask_formats::id::Guid;
use uncask_formats::package::legacy::{Package, PackageIndex};
use uncask_formats::property::edit::{Address, Editor, Names};
use uncask_formats::property::{Body, Kind, List, Object, Plain, Scope, SoftPath, Value};
use uncask_formats::wire::Writer;

/// Recognises values that are all zeros in memory, as far as is known.
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
            Body::List(list) => {
                list.members(package).all(|member| member.value.is_none_or(|value| is_zero(package, value)))
            }
            Body::Native(record) => record.fields.iter().all(|(_, value)| is_zero(package, value)),
            Body::Empty => true,
        },
        value => value.whole() == Some(0),
    }
}

/// Properties of lists without tags: recorded as zero, with a value that is zero, and with another one.
type Counts = BTreeMap<&'static str, [usize; 3]>;

/// A type by the rule that is tested; `None` for those whose zeros are always written out.
fn rule(kind: &Kind, is_old: bool) -> Option<&'static str> {
    Some(match kind {
        Kind::Byte(_) | Kind::Enum(..) => "enums",
        Kind::Array(_) if is_old => "arrays before 5.4",
        Kind::Plain(Plain::Str) if is_old => "strings before 5.4",
        // Those of C++ that share a byte are always written out.
        Kind::Plain(Plain::Bool) => "bools",
        Kind::Plain(Plain::Float | Plain::Double) => "floats",
        Kind::Plain(Plain::Name) => "names",
        Kind::Plain(Plain::Object | Plain::WeakObject) => "objects",
        Kind::Plain(plain) if plain.name().contains("Int") && *plain != Plain::Interface => "numbers",
        Kind::Struct(of) => match &*of.name {
            "Guid"
            | "Vector"
            | "Vector2D"
            | "Vector4"
            | "Rotator"
            | "Color"
            | "LinearColor"
            | "Box2f"
            | "DeprecateSlateVector2D"
            | "Vector_NetQuantize"
            | "Vector_NetQuantizeNormal" => "structs",
            _ => return None,
        },
        _ => return None,
    })
}

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
    for member in list.members(scope.package) {
        if let (List::Unversioned(_), Some(kind)) = (list, member.kind) {
            let is_old = scope.package.form.versions.ue5 < 1009;
            let [bits, values, others] = counts.entry(rule(kind, is_old).unwrap_or("others")).or_default();
            *match member.value {
                None => bits,
                Some(value) if is_zero(scope.package, value) => values,
                Some(_) => others,
            } += 1;
        }
        if let Some(value) = member.value {
            count(scope, value, counts);
        }
    }
}

/// Calls `each` with every package that has lists without tags.
fn each_package(corpus: &std::path::Path, mut each: impl FnMut(&str, &Scope<'_>)) {
    for set in all(corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let loaded = set.load(file);
            if loaded.package.form.unversioned_properties {
                each(&file.path, &loaded.scope(&others));
            }
        }
    }
}

#[test]
fn cookers_write_zeros_as_bits() {
    let Some(corpus) = corpus() else { return };
    let mut counts = Counts::new();
    each_package(&corpus, |_, scope| {
        for export in &scope.package.exports {
            let object = Object::read(scope, export);
            if let Some(list) = &object.properties {
                count_list(scope, list, &mut counts);
            }
            object.tail.fields.iter().for_each(|(_, value)| count(scope, value, &mut counts));
        }
    });
    for (name, [bits, values, others]) in &counts {
        say(&format!("{name}: {bits} bits, {values} zeros with bytes, {others} other values"));
        match *name {
            "others" => assert_eq!(*bits, 0, "what has no rule is never a bit"),
            "bools" | "objects" => assert!(values * 10 < *bits, "{name} {values} {bits}"),
            _ => assert!(*values == 0 && *bits > 0, "{name} {values} {bits}"),
        }
    }
    assert_eq!(counts.len(), 10, "{counts:?}");
}

/// A value that becomes another one and then zero again is what the cooker wrote.
#[test]
fn zeros_that_were_other_values_are_the_bytes_of_the_cooker() {
    let Some(corpus) = corpus() else { return };
    let (mut values, mut added) = (0, 0);
    each_package(&corpus, |file, scope| {
        let names = scope.package.names.iter().map(|name| name.text.as_str());
        let mut editor = Editor::new(scope, Names::new(names, usize::MAX));
        for (at, export) in scope.package.exports.iter().enumerate() {
            let before = Object::read(scope, export);
            let Some(list) = &before.properties else { continue };
            let bytes = |object: &Object| {
                let mut w = Writer::new();
                object.write(&mut w).unwrap();
                w.into_bytes()
            };
            let expected = bytes(&before);
            let zeros: Vec<String> = list
                .members(scope.package)
                .filter(|member| member.value.is_none())
                .filter(|member| {
                    let rule = member.kind.and_then(|kind| rule(kind, false));
                    rule.is_some_and(|rule| ["enums", "bools", "floats", "numbers"].contains(&rule))
                })
                .map(|member| match member.element {
                    0 => format!("#{at}.\"{}\"", member.name),
                    element => format!("#{at}.\"{}\"[{element}]", member.name),
                })
                .collect();
            for address in &zeros {
                let address: Address = address.parse().unwrap();
                // As it is read once it has bytes, which says what it can become.
                let mut object = before.clone();
                let Ok(_) = editor.set(&mut object, &address, "1") else { continue };
                assert_ne!(bytes(&object), expected, "{file} {address}");
                editor.set(&mut object, &address, "0").unwrap();
                assert_eq!(bytes(&object), expected, "{file} {address}");
                values += 1;
            }
            // A number that is not there is recorded as zero when it becomes one: two bits of the header, and no value.
            let Some(List::Unversioned(own)) = &before.properties else { continue };
            let there: Vec<usize> = own.header.members().map(|member| member.index).collect();
            let number = (0..own.layout.len()).find(|index| {
                let slot = own.layout.slot(*index);
                !there.contains(index)
                    && slot
                        .is_some_and(|(slot, element)| element == 0 && *slot.kind == Kind::Plain(Plain::Int))
            });
            let Some((slot, _)) = number.and_then(|index| own.layout.slot(index)) else { continue };
            let address: Address = format!("#{at}.\"{}\"", slot.name).parse().unwrap();
            let mut object = before.clone();
            editor.set(&mut object, &address, "0").unwrap();
            let Some(List::Unversioned(new)) = &object.properties else { unreachable!() };
            assert_eq!(new.values.len(), own.values.len(), "{file} {address}");
            assert_eq!(new.header.members().count(), there.len() + 1, "{file} {address}");
            added += 1;
        }
    });
    say(&format!("{values} zeros were other values, {added} were not there"));
    assert!(values >= 100 && added >= 500, "{values} {added}");
}
