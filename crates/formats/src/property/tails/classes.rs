//! Tails of structs, classes, functions and enums.

use super::context::{Context, Read};
use super::fields::field;
use crate::property::decode::Decoder;
use crate::property::kind::StructName;
use crate::property::layout::Layout;
use crate::property::structs::Field::{self, Bool32, I32, List as Many, Name, Object, U32};
use crate::property::structs::add;
use crate::property::value::{List, Record, Value};
use crate::wire::{Fault, FaultKind};

pub(super) const TABLE: &[(&str, Read)] = &[
    ("Field", next),
    ("Struct", structure),
    ("ScriptStruct", |d, tail, _| add(d, tail, &[("StructFlags", U32)])),
    ("UserDefinedStruct", user_defined),
    ("Function", function),
    ("SparseDelegateFunction", |d, tail, _| {
        add(d, tail, &[("OwningClassName", Name), ("DelegateName", Name)])
    }),
    ("Class", class),
    ("BlueprintGeneratedClass", blueprint),
    ("Enum", enumeration),
];

/// Reads the next field of the struct; before 4.18 fields were a linked list.
fn next(d: &mut Decoder<'_, '_>, tail: &mut Record, _: &Context<'_>) -> Result<(), Fault> {
    if !d.scope.versions.has_no_next_field() {
        tail.push("Next", d.object()?);
    }
    Ok(())
}

fn structure(d: &mut Decoder<'_, '_>, tail: &mut Record, _: &Context<'_>) -> Result<(), Fault> {
    let versions = d.scope.versions;
    tail.push("SuperStruct", d.object()?);
    // The same children: an array since 4.18, before that the first of the linked list.
    if versions.has_no_next_field() {
        tail.push("Children", d.list("children of a struct", 4, Decoder::object)?);
    } else {
        tail.push("FirstChild", d.object()?);
    }
    // Since 4.25 properties are fields of the struct instead of exports.
    if versions.has_fields() {
        tail.push("ChildProperties", d.list("properties of a struct", 16, field)?);
    }
    // The size in memory, then the size in the file with the bytes.
    tail.push("BytecodeSize", d.int()?);
    tail.push("ScriptBytecode", d.bytes("bytecode")?);
    Ok(())
}

fn user_defined(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    // `UserDefinedStruct` extends `ScriptStruct`, whose reader has already read the flags.
    let status = context.list.and_then(|list| list.find(d.scope.package, "Status"));
    let is_outdated = status.and_then(|member| member.value).is_some_and(|value| match value {
        Value::Enum(name) => !d.scope.shared(*name).ends_with("UpToDate"),
        Value::Enumerator(found) => found.number != 0,
        Value::Byte(number) => *number != 0,
        _ => false,
    });
    // Default values are written only for structs that compiled.
    if context.is_default || is_outdated {
        return Ok(());
    }
    if d.scope.versions.has_struct_defaults() {
        // The struct is the object being read: its schema is the tail just read.
        let name = StructName { name: "".into(), package: None };
        let list = if d.tagged { d.plain_struct(&name)? } else { own_defaults(d, tail)? };
        tail.push("DefaultProperties", list);
    }
    Ok(())
}

/// Reads the default values of a struct, with the fields in its tail as schema.
fn own_defaults(d: &mut Decoder<'_, '_>, tail: &Record) -> Result<Value, Fault> {
    let schema = d.scope.schema_of_fields(StructName::new(""), tail);
    let scope = d.scope;
    let layout = Layout::new(schema.into(), |base| scope.schema(base));
    let mut list = d.of_layout(layout.into())?;
    d.fill_unversioned(&mut list)?;
    Ok(Value::list(None, List::Unversioned(list)))
}

fn function(d: &mut Decoder<'_, '_>, tail: &mut Record, _: &Context<'_>) -> Result<(), Fault> {
    const NET: u32 = 0x40;
    let flags = d.r.u32("flags of a function")?;
    tail.push("FunctionFlags", Value::UInt32(flags));
    // Replicated functions only.
    if flags & NET != 0 {
        tail.push("RepOffset", d.uint16()?);
    }
    if d.scope.versions.objects.has_event_graph_functions() {
        add(d, tail, &[("EventGraphFunction", Object), ("EventGraphCallOffset", I32)])?;
    }
    Ok(())
}

fn class(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    // The default object of a class of classes describes no class.
    if context.is_default {
        return Ok(());
    }
    add(
        d,
        tail,
        &[
            ("FuncMap", Many(12, &[("Key", Name), ("Value", Object)])),
            ("ClassFlags", U32),
            ("ClassWithin", Object),
            ("ClassConfigName", Name),
            ("ClassGeneratedBy", Object),
            (
                "Interfaces",
                Many(12, &[("Class", Object), ("PointerOffset", I32), ("bImplementedByK2", Bool32)]),
            ),
            ("bDeprecatedForceScriptOrder", Bool32),
            ("Dummy", Name),
        ],
    )?;
    if d.scope.versions.objects.has_cooked_classes() {
        tail.push("bCooked", d.bool32()?);
    }
    tail.push("ClassDefaultObject", d.object()?);
    Ok(())
}

fn blueprint(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    const TAGS: Field = Many(12, &[("Key", Name), ("Value", Field::Str)]);
    let cooked = d.scope.package.form.cooked;
    // Some packages of these versions lack them all the same, so the bytes left decide.
    if cooked && !context.is_default && d.scope.versions.has_editor_tags() && d.r.remaining() > 0 {
        tail.push("EditorTags", TAGS.read(d)?);
    }
    Ok(())
}

fn enumeration(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    // `UEnum::ECppForm`: regular, namespaced, enum class.
    const FORMS: u8 = 3;
    let versions = d.scope.versions;
    if context.is_default {
        return Ok(());
    }
    // Values are bytes before 4.15.
    let names = if versions.has_long_enum_values() {
        Many(16, &[("Name", Name), ("Value", Field::I64)])
    } else {
        Many(9, &[("Name", Name), ("Value", Field::U8)])
    };
    tail.push("Names", names.read(d)?);
    let at = d.r.clone();
    let form = d.r.u8("form of an enum")?;
    // More would mean that the reader has lost its place.
    if form >= FORMS {
        let kind = FaultKind::TooLarge { found: form.into(), limit: u64::from(FORMS) - 1 };
        return Err(at.fault("form of an enum", kind));
    }
    tail.push("CppForm", Value::Byte(form));
    if versions.has_enum_type() {
        tail.push("UnderlyingType", d.byte()?);
    }
    Ok(())
}
