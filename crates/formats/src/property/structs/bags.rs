//! Structs that hold a struct of any type, or their own set of properties.

use super::field::Field;
use super::native::Native::{self, Code};
use super::native::record;
use crate::package::legacy::PackageIndex;
use crate::property::decode::Decoder;
use crate::property::kind::{Kind, Plain, StructName};
use crate::property::layout::Layout;
use crate::property::schema::{Schema, Slot};
use crate::property::value::{Body, List, Raw, Record, Struct, Value};
use crate::wire::{Fault, FaultKind};
use std::sync::Arc;

pub(super) const TABLE: &[(&str, Native)] = &[
    ("InstancedStruct", Code(instanced)),
    ("TedInstancedStruct", Code(instanced)),
    ("InstancedStructContainer", Code(container)),
    ("InstancedStructArray", Code(container)),
    ("InstancedPropertyBag", Code(|d| bag(d).and_then(record))),
    ("RigVMPropertyBag", Code(|d| bag(d).and_then(record))),
    ("InstancedOverridablePropertyBag", Code(overridable)),
];

/// A magic number in front of instanced structs, in some versions before 5.3.
const EARLY: u32 = 0xABAB_ABAB;

fn instanced(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let mut f = Record::default();
    if !d.scope.versions.has_plain_instanced_structs() {
        // Optional even there, so it is only peeked at.
        if d.r.clone().u32("version of an instanced struct") == Ok(EARLY) {
            f.push("Magic", d.uint32()?);
        }
        f.push("Version", d.byte()?);
    }
    let index = d.scope.read_object(&mut d.r, "struct of an instanced struct")?;
    f.push("ScriptStruct", Value::Object(index));
    f.push("Data", sized(d, index)?);
    record(f)
}

fn container(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let mut f = Record::default();
    f.push("Version", d.byte()?);
    let items = d.values("structs of a container", 4, Decoder::object)?;
    let objects: Vec<PackageIndex> = items
        .iter()
        .map(|item| if let Value::Object(index) = item { *index } else { PackageIndex::NONE })
        .collect();
    f.push("ScriptStructs", Value::Array(items));
    // All struct references stand first, then all values.
    for index in objects {
        d.step()?;
        f.push("Data", sized(d, index)?);
    }
    // The key repeats; records keep repeated fields in order.
    record(f)
}

/// Reads a struct with its length in front. A struct that does not fit the length is kept raw.
fn sized(d: &mut Decoder<'_, '_>, of: PackageIndex) -> Result<Value, Fault> {
    let len = d.r.count("size of a struct", 1)?;
    let base = d.r.offset();
    let bytes = d.r.bytes("value of a struct", len)?;
    let name = d.scope.struct_name(of);
    let value = match &name {
        // A null struct has no bytes.
        None if bytes.is_empty() => Ok(Value::Struct(Box::new(Struct { name: None, body: Body::Empty }))),
        None => Err(d.r.fault("type of a struct", FaultKind::Unknown)),
        Some(name) => d.within(bytes, base, |d| {
            // A native struct first, then a list: the length decides.
            d.enter(|d| d.first_of(&[&|d: &mut _| structure(d, name), &|d: &mut _| plain(d, name)]))
        }),
    };
    Ok(Value::Sized(Box::new(value.unwrap_or_else(|reason| {
        let subject = d.subject.take();
        Value::Raw(Box::new(Raw { bytes: bytes.into(), reason, subject }))
    }))))
}

fn structure(d: &mut Decoder<'_, '_>, name: &StructName) -> Result<Value, Fault> {
    d.structure(name)
}

fn plain(d: &mut Decoder<'_, '_>, name: &StructName) -> Result<Value, Fault> {
    d.plain_struct(name)
}

/// A property of a bag, from its descriptor.
struct Descriptor {
    name: Arc<str>,
    kind: Option<Kind>,
}

fn bag(d: &mut Decoder<'_, '_>) -> Result<Record, Fault> {
    let mut f = Record::default();
    // Before 5.1.
    if !d.scope.versions.has_bag_containers() {
        f.push("Version", d.byte()?);
    }
    let has_data = d.bool32()?;
    let is_empty = has_data == Value::Bool32(false);
    f.push("bHasData", has_data);
    if is_empty {
        return Ok(f);
    }
    let mut descriptors = Vec::new();
    // At least 34 bytes: object, GUID, name, type, container, and the flag of the metadata.
    let list = d.list("properties of a bag", 34, |d| {
        let (record, descriptor) = descriptor(d)?;
        descriptors.push(descriptor);
        Ok(Value::of_record(record))
    })?;
    f.push("PropertyDescs", list);
    let len = d.r.count("size of a bag", 1)?;
    let base = d.r.offset();
    let bytes = d.r.bytes("values of a bag", len)?;
    // With a length in front, values that are not understood can be kept raw.
    let value = d.within(bytes, base, |d| d.enter(|d| values(d, descriptors)));
    f.push(
        "Values",
        Value::Sized(Box::new(value.unwrap_or_else(|reason| {
            let subject = d.subject.take();
            Value::Raw(Box::new(Raw { bytes: bytes.into(), reason, subject }))
        }))),
    );
    Ok(f)
}

/// Reads the values of a bag, with the descriptors as schema.
fn values(d: &mut Decoder<'_, '_>, descriptors: Vec<Descriptor>) -> Result<Value, Fault> {
    let name = StructName::new("PropertyBag");
    // Tagged values describe themselves.
    if d.tagged {
        return d.plain_struct(&name);
    }
    let len = descriptors.len();
    let slot = |(first, descriptor): (u32, Descriptor)| {
        // A property of unknown type leaves a gap, which is an error only if it has a value.
        let kind = Arc::new(descriptor.kind?);
        Some(Slot { name: descriptor.name, first, elements: 1, kind, leads_to: None })
    };
    let slots = (0..).zip(descriptors).filter_map(slot).collect();
    let schema = Arc::new(Schema::new(name, None, slots, len));
    let mut list = d.of_layout(Arc::new(Layout::new(schema, |_| None)))?;
    d.fill_unversioned(&mut list)?;
    Ok(Value::list(None, List::Unversioned(list)))
}

fn descriptor(d: &mut Decoder<'_, '_>) -> Result<(Record, Descriptor), Fault> {
    let versions = d.scope.versions;
    let mut f = Record::default();
    let of = d.scope.read_object(&mut d.r, "type of a property of a bag")?;
    f.push("ValueTypeObject", Value::Object(of));
    f.push("ID", d.guid()?);
    let name = d.scope.read_name(&mut d.r, "name of a property of a bag")?;
    f.push("Name", Value::Name(name));
    let kind = d.r.u8("type of a property of a bag")?;
    f.push("ValueType", Value::Byte(kind));
    let containers = if versions.has_bag_containers() {
        // Since 5.1 containers may nest; before, there is one byte.
        let count = d.r.u8("containers of a property of a bag")?;
        f.push("ContainerCount", Value::Byte(count));
        d.r.bytes("containers of a property of a bag", count.into())?
    } else {
        d.r.bytes("container of a property of a bag", 1)?
    };
    f.push("ContainerTypes", Value::Fixed(containers.into()));
    let metadata = d.optional("metadata of a property of a bag", |d| {
        Field::List(12, &[("Key", Field::Name), ("Value", Field::Str)]).read(d)
    })?;
    let has_metadata = metadata != Value::Optional(None);
    f.push("MetaData", metadata);
    // Written only together with metadata.
    if versions.has_bag_meta_class() && has_metadata {
        f.push("MetaClass", d.object()?);
    }
    if versions.has_bag_flags() {
        f.push("PropertyFlags", d.uint64()?);
    }
    if versions.has_bag_keys() {
        f.push("KeyType", d.byte()?);
        f.push("KeyTypeObject", d.object()?);
    }
    let kind = kind_of(d, kind, of, containers);
    Ok((f, Descriptor { name: d.scope.shared(name), kind }))
}

/// The type of a property, from `EPropertyBagPropertyType` and the container types.
fn kind_of(d: &Decoder<'_, '_>, kind: u8, of: PackageIndex, containers: &[u8]) -> Option<Kind> {
    const ARRAY: u8 = 1;
    const PLAIN: [Plain; 9] = [
        Plain::Bool,
        Plain::Bool,
        Plain::Int,
        Plain::Int64,
        Plain::Float,
        Plain::Double,
        Plain::Name,
        Plain::Str,
        Plain::Text,
    ];
    let name = || d.scope.struct_name(of);
    let mut found = match kind {
        // Byte has its own form of `Kind`; its entry in `PLAIN` is only a placeholder.
        2 => Kind::Byte(None),
        1 | 3..=9 => Kind::Plain(*PLAIN.get(usize::from(kind).checked_sub(1)?)?),
        10 => Kind::Enum(name().map(|name| name.name), Kind::Byte(None).into()),
        11 => Kind::Struct(name()?),
        // Object and class; their soft forms below.
        12 | 14 => Kind::Plain(Plain::Object),
        13 | 15 => Kind::Plain(Plain::SoftObject),
        16 => Kind::Plain(Plain::UInt32),
        17 => Kind::Plain(Plain::UInt64),
        _ => return None,
    };
    // The innermost container last; 0 stands for none.
    for container in containers.iter().filter(|container| **container != 0) {
        match *container {
            ARRAY => found = Kind::Array(found.into()),
            // Sets and maps are undescribed.
            _ => return None,
        }
    }
    Some(found)
}

fn overridable(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    // Before 5.7 it is a tagged list, even in unversioned packages.
    if !d.scope.versions.has_native_overridable_bags() {
        let name = StructName::new("InstancedOverridablePropertyBag");
        return d.tagged_list(&name).map(Some);
    }
    let mut f = bag(d)?;
    f.push("OverriddenPropertyIDs", d.list("overridden properties of a bag", 16, Decoder::guid)?);
    record(f)
}
