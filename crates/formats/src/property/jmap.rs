//! Schemas of a `.jmap`: the classes, structs and enums of a running game, as JSON.
//!
//! ```text
//! { "metadata": { "engine_version": { "major": 5, "minor": 1 }, … },
//!   "objects": { "/Script/Engine.Actor": { "type": "Class", "super_struct": "/Script/CoreUObject.Object",
//!       "properties": [ { "name": "bHidden", "type": "BoolProperty", "array_dim": 1, … }, … ] },
//!   "/Script/Engine.ENetRole": { "type": "Enum", "names": [ [ "ENetRole::ROLE_None", 0 ], … ] },
//!   "/Script/Engine.Default__Actor": { "type": "Object", "property_values": { "bHidden": false, … } }, … } }
//! ```
//!
//! Properties are in the order of unversioned lists. What else a dump has (addresses, functions) is not used.
//!
//! Verified on a dump of a 5.1 game, whose `.usmap` has the same schemas. Source: that file.

use super::kind::{Kind, StructName, bare};
use super::native_defaults::NativeDefaults;
use super::schema::{Enumeration, Schema, Slot};
use crate::version::Release;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// Schemas and enums of a dump, in its order.
#[derive(Debug, Default)]
pub(super) struct Dump {
    /// The release of the game, if it is known and recorded.
    pub(super) release: Option<&'static Release>,
    pub(super) structs: Vec<Schema>,
    pub(super) enums: Vec<Enumeration>,
    pub(super) defaults: NativeDefaults,
}

/// Parses a dump.
pub(super) fn parse(text: &[u8]) -> serde_json::Result<Dump> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        metadata: Metadata,
        objects: Objects,
    }
    let File { metadata, objects: Objects(dump) } = serde_json::from_slice(text)?;
    let name = |version: EngineVersion| format!("{}.{}", version.major, version.minor);
    let release = metadata.engine_version.and_then(|version| Release::from_name(&name(version)));
    Ok(Dump { release, ..dump })
}

/// Facts about the game, as far as they are used.
#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    engine_version: Option<EngineVersion>,
}

#[derive(Deserialize)]
struct EngineVersion {
    major: u16,
    minor: u16,
}

/// An object of the dump, without what is not used.
#[derive(Deserialize)]
struct Object<'j> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'j, str>,
    #[serde(default, borrow)]
    super_struct: Option<Cow<'j, str>>,
    #[serde(default, borrow)]
    properties: Vec<Property<'j>>,
    #[serde(default, borrow)]
    names: Vec<(Cow<'j, str>, i128)>,
    #[serde(default, borrow)]
    property_values: Option<&'j RawValue>,
}

/// A property, or the type of what it contains.
#[derive(Deserialize)]
struct Property<'j> {
    #[serde(borrow)]
    name: Cow<'j, str>,
    #[serde(rename = "type", borrow)]
    kind: Cow<'j, str>,
    #[serde(default)]
    array_dim: u16,
    #[serde(rename = "struct", default, borrow)]
    of_struct: Option<Cow<'j, str>>,
    #[serde(rename = "enum", default, borrow)]
    of_enum: Option<Cow<'j, str>>,
    /// Of an array or an optional.
    #[serde(default, borrow)]
    inner: Option<Box<Property<'j>>>,
    /// Of an enum: the number below it.
    #[serde(default, borrow)]
    container: Option<Box<Property<'j>>>,
    #[serde(default, borrow)]
    key_prop: Option<Box<Property<'j>>>,
    #[serde(default, borrow)]
    value_prop: Option<Box<Property<'j>>>,
}

/// Objects are turned into schemas one by one: a dump is long, and most of it is not used.
struct Objects(Dump);

impl<'de> Deserialize<'de> for Objects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Objects;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("objects by their paths")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Objects, A::Error> {
                let (mut dump, mut texts) = (Dump::default(), Texts::default());
                while let Some((path, object)) = map.next_entry::<Cow<'de, str>, Object<'de>>()? {
                    dump.add(&path, object, &mut texts);
                }
                Ok(Objects(dump))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// Shares equal texts.
#[derive(Default)]
struct Texts(HashSet<Arc<str>>);

impl Texts {
    fn of(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = text.into();
        self.0.insert(Arc::clone(&shared));
        shared
    }

    /// The name at the end of a path.
    fn name(&mut self, path: &str) -> Arc<str> {
        self.of(path.rsplit(['.', ':', '/']).next().unwrap_or(path))
    }

    fn struct_name(&mut self, path: &str) -> StructName {
        StructName { name: self.name(path), package: None }
    }

    fn kind(&mut self, property: Property<'_>) -> Kind {
        let mut inner = |of: Option<Box<Property<'_>>>| {
            Box::new(of.map_or(Kind::Unknown("".into()), |of| self.kind(*of)))
        };
        match bare(&property.kind) {
            "Array" => Kind::Array(inner(property.inner)),
            "Optional" => Kind::Optional(inner(property.inner.or(property.value_prop))),
            "Set" => Kind::Set(inner(property.key_prop)),
            "Map" => Kind::Map(inner(property.key_prop), inner(property.value_prop)),
            "Struct" => Kind::Struct(self.struct_name(&property.of_struct.unwrap_or_default())),
            "Enum" => {
                let under = inner(property.container);
                Kind::Enum(property.of_enum.map(|name| self.name(&name)), under)
            }
            // A byte with an enum is an enum in a byte.
            "Byte" => match property.of_enum {
                Some(name) => Kind::Enum(Some(self.name(&name)), Box::new(Kind::Byte(None))),
                None => Kind::Byte(None),
            },
            name => Kind::of_name(&self.of(name)),
        }
    }
}

impl Dump {
    fn add(&mut self, path: &str, object: Object<'_>, texts: &mut Texts) {
        match &*object.kind {
            "Class" | "ScriptStruct" => {
                let (mut slots, mut next) = (Vec::with_capacity(object.properties.len()), 0_u32);
                for property in object.properties {
                    let (name, elements) = (texts.of(&property.name), property.array_dim.max(1));
                    let kind = Arc::new(texts.kind(property));
                    slots.push(Slot { name, first: next, elements, kind, leads_to: None });
                    next = next.saturating_add(elements.into());
                }
                let base = object.super_struct.map(|base| texts.struct_name(&base));
                self.structs.push(Schema::new(texts.struct_name(path), base, slots, next as usize));
            }
            "Enum" => {
                // A number beyond 64 bits is that of another type: no value of the enum has it.
                let value = |(name, number): &(Cow<'_, str>, i128)| {
                    Some((i64::try_from(*number).ok()?, name.rsplit("::").next()?.into()))
                };
                let values = object.names.iter().filter_map(value).collect();
                self.enums.push(Enumeration::new(texts.name(path), values));
            }
            "Object" => {
                if let Some(values) = object.property_values {
                    self.defaults.add(path, values);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::ObjectPath;
    use crate::property::kind::Plain;

    #[test]
    fn classes_structs_and_enums_are_read_and_all_else_is_left_out() {
        let text = r#"{ "metadata": { "engine_version": { "major": 5, "minor": 1 }, "tool": "" }, "objects": {
            "/Script/Game": { "type": "Package", "children": [] },
            "/Script/Game.Door": { "type": "Class", "super_struct": "/Script/Engine.Actor", "properties": [
                { "name": "Sizes", "type": "FloatProperty", "array_dim": 3, "offset": 8 },
                { "name": "State", "type": "ByteProperty", "array_dim": 1, "enum": "/Script/Game.EState" },
                { "name": "Keys", "type": "MapProperty", "array_dim": 1,
                  "key_prop": { "name": "Keys_Key", "type": "NameProperty" },
                  "value_prop": { "name": "Keys", "type": "ArrayProperty",
                    "inner": { "name": "Keys", "type": "StructProperty", "struct": "/Script/Game.Key" } } } ] },
            "/Script/Game.EState": { "type": "Enum", "names": [["EState::Open", 1], ["EState::Shut", 0]] },
            "/Script/Game.Default__Door": { "type": "Object", "property_values": { "bOpen": true } },
            "/Game/Map.Door_1": { "type": "Object", "property_values": { "bOpen": false } },
            "/Script/Game.Door:Open": { "type": "Function", "properties": [] } } }"#;
        let Dump { release, structs, enums, defaults } = parse(text.as_bytes()).unwrap();
        let values = |path: &str| defaults.get(&ObjectPath::from_text(path));
        assert_eq!(values("/script/game.default__door").unwrap().0["bOpen"], true);
        assert!(values("/Game/Map.Door_1").is_none(), "no default");
        assert_eq!(release.map(|release| release.name), Some("5.1"));
        let [door] = &structs[..] else { panic!("{structs:?}") };
        assert_eq!((&*door.name.name, door.len), ("Door", 5));
        assert_eq!(door.base, Some(StructName::new("Actor")));
        let shown: Vec<_> = door.slots.iter().map(|slot| (&*slot.name, slot.first, slot.elements)).collect();
        assert_eq!(shown, [("Sizes", 0, 3), ("State", 3, 1), ("Keys", 4, 1)]);
        let kinds: Vec<&Kind> = door.slots.iter().map(|slot| &*slot.kind).collect();
        let plain = |name| Kind::Plain(Plain::from_name(name).unwrap());
        let keys = Kind::Array(Kind::Struct(StructName::new("Key")).into());
        assert_eq!(
            kinds,
            [
                &plain("Float"),
                &Kind::Enum(Some("EState".into()), Kind::Byte(None).into()),
                &Kind::Map(plain("Name").into(), keys.into())
            ]
        );
        assert_eq!(enums, [Enumeration::new("EState".into(), vec![(1, "Open".into()), (0, "Shut".into())])]);
        assert!(parse(b"{}").is_err() && parse(b"{ \"objects\": [] }").is_err());
    }
}
