//! Tails in FModel's form: the keys that follow a class's properties.

use super::flags::{flag_names, property_flags};
use super::reference::Reference;
use super::shown::Shown;
use crate::package::legacy::{Export, PackageIndex};
use crate::property::from_value::FromValue;
use crate::property::list::text;
use crate::property::value::{Record, Value};
use crate::property::{Scope, shown_names};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A tail, with the export it belongs to.
pub(super) struct Tail<'s, 'a> {
    pub scope: &'s Scope<'a>,
    pub export: &'s Export,
    pub tail: &'s Record,
}

/// Fields that FModel does not show.
const HIDDEN: [&str; 32] = [
    "ObjectGuid",
    "Next",
    "FirstChild",
    "BytecodeSize",
    "ScriptBytecode",
    "RowCount",
    "Dummy",
    "bDeprecatedForceScriptOrder",
    "StripFlags",
    "bIsCooked",
    "UCSModifiedProperties",
    "bHasMeshPaintTexture",
    "bInstancesAreCooked",
    "bHasPerInstanceData",
    "PerInstanceSize",
    "PerInstanceCustomSize",
    "RenderDataSize",
    "RenderData",
    "bHasCookedRenderData",
    "InstanceDataSize",
    "InstanceData",
    "CustomDataSize",
    "CustomData",
    "ClusterTreeNodeSize",
    "ClusterTree",
    "VectorSize",
    "PointSize",
    "NodeSize",
    "VertSize",
    "LeafHullSize",
    "LeafSize",
    "DrawnSize",
];

impl Tail<'_, '_> {
    pub(super) fn serialize<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let scope = self.scope;
        // A string table consists of one key, unlike any other tail.
        if self.tail.get("TableNamespace").is_some() {
            return map.serialize_entry("StringTable", &StringTable(self.tail));
        }
        for (name, value) in &self.tail.fields {
            match *name {
                name if HIDDEN.contains(&name) => {}
                // FModel leaves these out where there are none.
                "FuncMap"
                | "Children"
                | "ChildProperties"
                | "Interfaces"
                | "LODData"
                | "EmitterCompiledStructs"
                    if is_empty(value) => {}
                "ClassGeneratedBy" | "MeshPaintTexture"
                    if PackageIndex::from_value(value) == Some(PackageIndex::NONE) => {}
                "ClassFlags" => {
                    map.serialize_entry(
                        name,
                        &shown_names::class_flags(u32::from_value(value).unwrap_or_default()),
                    )?;
                }
                // Collected below, because FModel groups them under one key.
                "Row" => {}
                // Shown only if it differs from the export's own super, which is a key of the export.
                "SuperStruct" => {
                    let object = PackageIndex::from_value(value).unwrap_or_default();
                    if object != self.export.super_index {
                        map.serialize_entry(name, &Reference { scope, index: object })?;
                    }
                }
                "Rows" | "Names" => {
                    map.serialize_entry(name, &Pairs { scope, records: records(value), key: "Name" })?;
                }
                "FuncMap" | "EditorTags" => {
                    map.serialize_entry(name, &Pairs { scope, records: records(value), key: "Key" })?;
                }
                "ChildProperties" => {
                    let fields: Vec<_> =
                        records(value).into_iter().map(|record| FieldJson { scope, record }).collect();
                    map.serialize_entry(name, &fields)?;
                }
                // A number without a name is shown as a number.
                name => match shown_names::of_tail(name).and_then(|names| named(names, value)) {
                    Some(shown) => map.serialize_entry(name, shown)?,
                    None => map.serialize_entry(name, &Shown { scope, value })?,
                },
            }
        }
        let rows: Vec<&Record> = self
            .tail
            .fields
            .iter()
            .filter(|(name, _)| *name == "Row")
            .filter_map(|(_, row)| row.record())
            .collect();
        // An empty curve table still has the key.
        if self.tail.get("RowCount").is_some() {
            map.serialize_entry("Rows", &Pairs { scope, records: rows, key: "Name" })?;
        }
        Ok(())
    }
}

fn is_empty(value: &Value) -> bool {
    value.items().is_some_and(<[Value]>::is_empty)
}

fn records(value: &Value) -> Vec<&Record> {
    value.items().unwrap_or_default().iter().filter_map(Value::record).collect()
}

fn named(names: &[&'static str], value: &Value) -> Option<&'static str> {
    names.get(usize::from(u8::from_value(value)?)).copied()
}

/// Records as an object: one field gives the key, another the value.
struct Pairs<'s, 'a> {
    scope: &'s Scope<'a>,
    records: Vec<&'s Record>,
    key: &'static str,
}

impl Serialize for Pairs<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.records.len()))?;
        for record in &self.records {
            if let (Some(Value::Name(name)), Some(value)) = (record.get(self.key), record.get("Value")) {
                map.serialize_entry(&*text(self.scope.package, *name), &Shown { scope: self.scope, value })?;
            }
        }
        map.end()
    }
}

/// A string table.
struct StringTable<'s>(&'s Record);

impl Serialize for StringTable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let string = |record: &'_ Record, name| -> String {
            record.get(name).and_then(<&str>::from_value).unwrap_or_default().to_owned()
        };
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("TableNamespace", &string(self.0, "TableNamespace"))?;
        let entries =
            self.0.records("KeysToEntries").map(|entry| (string(entry, "Key"), string(entry, "Value")));
        map.serialize_entry("KeysToEntries", &Object(entries.collect()))?;
        let metadata = self.0.records("KeysToMetaData").map(|entry| {
            let pairs = entry.records("Value").map(|pair| string(pair, "Value"));
            (string(entry, "Key"), pairs.collect::<Vec<_>>())
        });
        map.serialize_entry("KeysToMetaData", &Object(metadata.collect()))?;
        map.end()
    }
}

/// Pairs as an object, in order. Keys may repeat, so a map type will not do.
struct Object<V>(Vec<(String, V)>);

impl<V: Serialize> Serialize for Object<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// A property of a class.
struct FieldJson<'s, 'a> {
    scope: &'s Scope<'a>,
    record: &'s Record,
}

/// Fields that hold further fields.
const INNER: [&str; 6] = ["Inner", "ElementProp", "KeyProp", "ValueProp", "UnderlyingProp", "ValueProperty"];

impl Serialize for FieldJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in &self.record.fields {
            match (*name, value) {
                // FModel omits these where they have their usual value.
                ("ArrayDim", Value::Int(1))
                | ("RepIndex", Value::UInt16(0))
                | ("BlueprintReplicationCondition", Value::Byte(0)) => {}
                ("RepNotifyFunc", Value::Name(found)) if scope.is_none(*found) => {}
                ("Flags", Value::UInt32(flags)) => {
                    map.serialize_entry(name, &flag_names(*flags))?;
                }
                ("PropertyFlags", Value::UInt64(flags)) => {
                    map.serialize_entry(name, &property_flags(*flags))?;
                }
                (name, value) if INNER.contains(&name) => {
                    map.serialize_entry(name, &value.record().map(|record| Self { scope, record }))?;
                }
                _ => map.serialize_entry(name, &Shown { scope, value })?,
            }
        }
        map.end()
    }
}
