//! Properties of classes: fields since 4.25, separate objects before.

use crate::property::decode::Decoder;
use crate::property::kind;
use crate::property::structs::Field::{self, Bool32, I32, Name, Object, U8, U16, U64};
use crate::property::structs::add;
use crate::property::value::{Record, Value};
use crate::wire::Fault;

/// `FField`: its type by name, then its contents.
pub(super) fn field(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    let mut f = Record::default();
    let kind = d.scope.read_name(&mut d.r, "type of a field")?;
    f.push("Type", Value::Name(kind));
    // `None` stands for an absent field, such as an enum's underlying type.
    if d.scope.is_none(kind) {
        return Ok(Value::of_record(f));
    }
    d.enter(|d| fill(d, &mut f, &d.scope.shared(kind)))?;
    Ok(Value::of_record(f))
}

fn fill(d: &mut Decoder<'_, '_>, f: &mut Record, kind: &str) -> Result<(), Fault> {
    let cooked = d.scope.package.form.cooked;
    f.push("Name", d.name("name of a field")?);
    // Packages cooked by 5.8 and later omit the flags.
    if !d.scope.has_lean_fields() {
        f.push("Flags", d.uint32()?);
    }
    if !cooked {
        let metadata = d.optional("metadata of a field", |d| {
            Field::List(12, &[("Key", Name), ("Value", Field::Str)]).read(d)
        })?;
        f.push("MetaData", metadata);
    }
    add(
        d,
        f,
        &[
            ("ArrayDim", I32),
            ("ElementSize", I32),
            ("PropertyFlags", U64),
            ("RepIndex", U16),
            ("RepNotifyFunc", Name),
            ("BlueprintReplicationCondition", U8),
        ],
    )?;
    // Containers hold their inner fields completely.
    match kind::bare(kind) {
        "Array" | "VerseString" => f.push("Inner", field(d)?),
        "Set" => f.push("ElementProp", field(d)?),
        "Optional" => f.push("ValueProperty", field(d)?),
        "Map" => {
            f.push("KeyProp", field(d)?);
            f.push("ValueProp", field(d)?);
        }
        "Enum" => {
            f.push("Enum", d.object()?);
            f.push("UnderlyingProp", field(d)?);
        }
        "Bool" => add(
            d,
            f,
            &[
                ("FieldSize", U8),
                ("ByteOffset", U8),
                ("ByteMask", U8),
                ("FieldMask", U8),
                ("BoolSize", U8),
                ("bIsNativeBool", U8),
            ],
        )?,
        other => references(d, f, other)?,
    }
    Ok(())
}

/// Reads the objects that a type refers to.
fn references(d: &mut Decoder<'_, '_>, f: &mut Record, kind: &str) -> Result<(), Fault> {
    match kind {
        "Object" | "ObjectPtr" | "WeakObject" | "LazyObject" | "SoftObject" | "AssetObject" => {
            add(d, f, &[("PropertyClass", Object)])
        }
        "Interface" => add(d, f, &[("InterfaceClass", Object)]),
        "Class" | "ClassPtr" | "SoftClass" | "AssetClass" => {
            add(d, f, &[("PropertyClass", Object), ("MetaClass", Object)])
        }
        "VerseClass" => add(
            d,
            f,
            &[
                ("PropertyClass", Object),
                ("MetaClass", Object),
                ("bRequiresConcrete", Bool32),
                ("bRequiresCastable", Bool32),
            ],
        ),
        "Delegate"
        | "MulticastDelegate"
        | "MulticastInlineDelegate"
        | "MulticastSparseDelegate"
        | "VerseFunction" => add(d, f, &[("SignatureFunction", Object)]),
        "Struct" => add(d, f, &[("Struct", Object)]),
        "Byte" => add(d, f, &[("Enum", Object)]),
        "FieldPath" => add(d, f, &[("PropertyClassName", Name)]),
        // All other types add nothing.
        _ => Ok(()),
    }
}

/// True if a class is one of properties.
pub(super) fn is_field(class: &str) -> bool {
    let bare = kind::bare(class);
    // `Property` alone is the abstract base.
    bare.len() < class.len() && !bare.is_empty()
}

/// Reads a property that is a separate object, before 4.25.
pub(super) fn read(d: &mut Decoder<'_, '_>, tail: &mut Record, class: &str) -> Result<(), Fault> {
    let bare = kind::bare(class);
    if d.scope.versions.has_fields() {
        return Ok(());
    }
    // Before 4.18.
    if !d.scope.versions.has_no_next_field() {
        tail.push("Next", d.object()?);
    }
    add(d, tail, &[("ArrayDim", I32), ("PropertyFlags", U64), ("RepNotifyFunc", Name)])?;
    if d.scope.versions.has_replication_condition() {
        tail.push("BlueprintReplicationCondition", d.byte()?);
    }
    match bare {
        // Inner properties are exports themselves, so these are references.
        "Array" => add(d, tail, &[("Inner", Object)]),
        "Set" => add(d, tail, &[("ElementProp", Object)]),
        "Optional" => add(d, tail, &[("ValueProperty", Object)]),
        "Map" => add(d, tail, &[("KeyProp", Object), ("ValueProp", Object)]),
        "Enum" => add(d, tail, &[("Enum", Object), ("UnderlyingProp", Object)]),
        "Bool" => add(d, tail, &[("BoolSize", U8), ("bIsNativeBool", U8)]),
        other => references(d, tail, other),
    }
}
