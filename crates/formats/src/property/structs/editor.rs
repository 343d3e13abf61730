//! Structs of materials, fonts and graphs.

use super::field::Field::{self, Bool32, F32, I32, Name, Object, Str, U8, U32};
use super::field::record_of;
use super::native::Native::{self, Code};
use super::native::record;
use crate::property::decode::Decoder;
use crate::property::value::{Record, Value};
use crate::wire::Fault;

pub(super) const TABLE: &[(&str, Native)] = &[
    ("ExpressionInput", Code(|d| input(d, None))),
    ("MaterialAttributesInput", Code(|d| input(d, None))),
    ("ScalarMaterialInput", Code(|d| input(d, Some(F32)))),
    ("VectorMaterialInput", Code(|d| input(d, Some(VECTOR)))),
    ("Vector2MaterialInput", Code(|d| input(d, Some(VECTOR_2)))),
    ("ColorMaterialInput", Code(color_input)),
    ("ShadingModelMaterialInput", Code(|d| input(d, Some(U32)))),
    ("SubstrateMaterialInput", Code(|d| input(d, Some(U32)))),
    ("StrataMaterialInput", Code(|d| input(d, Some(U32)))),
    ("FontData", Code(font)),
    ("EdGraphPinType", Code(pin)),
];

const VECTOR: Field = Field::Record(&[("X", F32), ("Y", F32), ("Z", F32)]);
const VECTOR_2: Field = Field::Record(&[("X", F32), ("Y", F32)]);
const COLOR: Field = Field::Record(&[("B", U8), ("G", U8), ("R", U8), ("A", U8)]);
const LINEAR_COLOR: Field = Field::Record(&[("R", F32), ("G", F32), ("B", F32), ("A", F32)]);

fn color_input(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let linear = d.scope.versions.has_linear_material_colors();
    input(d, Some(if linear { LINEAR_COLOR } else { COLOR }))
}

/// Reads a material input, with the constant used when nothing is connected.
fn input(d: &mut Decoder<'_, '_>, constant: Option<Field>) -> Result<Option<Value>, Fault> {
    let (versions, cooked) = (d.scope.versions, d.scope.package.form.cooked);
    // A plain list before 4.12.
    if !versions.has_native_material_inputs() {
        return Ok(None);
    }
    let mut f = Record::default();
    // Cooked packages lack the expression before 5.1, and have its name instead before 5.2.
    if !cooked || versions.objects.has_top_level_asset_paths() {
        f.push("Expression", d.object()?);
    }
    f.push("OutputIndex", d.int()?);
    f.push("InputName", if versions.has_pin_names() { d.name("name of an input")? } else { d.string()? });
    let masks = &[("Mask", I32), ("MaskR", I32), ("MaskG", I32), ("MaskB", I32), ("MaskA", I32)];
    f.fields.extend(record_of(d, masks)?.fields);
    if cooked && !versions.objects.has_data_resources() {
        f.push("ExpressionName", d.name("name of an expression")?);
    }
    if let Some(constant) = constant {
        f.push("UseConstant", d.bool32()?);
        f.push("Constant", constant.read(d)?);
    }
    record(f)
}

fn font(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    // A plain list before 4.15.
    if !d.scope.versions.has_font_faces() {
        return Ok(None);
    }
    let mut f = Record::default();
    let has_face = d.bool32()?;
    let is_cooked = has_face == Value::Bool32(true);
    f.push("bIsCooked", has_face);
    if is_cooked {
        let face = d.scope.read_object(&mut d.r, "font face")?;
        f.push("LocalFontFaceAsset", Value::Object(face));
        // Without an asset the face is a file on disk.
        if face == crate::package::legacy::PackageIndex::NONE {
            let file = &[("FontFilename", Str), ("Hinting", U8), ("LoadingPolicy", U8)];
            f.fields.extend(record_of(d, file)?.fields);
        }
    }
    // 4.20 and later.
    if d.scope.versions.has_font_sub_faces() {
        f.push("SubFaceIndex", d.int()?);
    }
    record(f)
}

fn pin(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    record(pin_type(d)?)
}

/// Reads the type of a pin (`FEdGraphPinType`).
pub(in crate::property) fn pin_type(d: &mut Decoder<'_, '_>) -> Result<Record, Fault> {
    let versions = d.scope.versions;
    let mut f = Record::default();
    f.push("PinCategory", pin_word(d)?);
    f.push("PinSubCategory", pin_word(d)?);
    f.push("PinSubCategoryObject", d.object()?);
    if versions.has_pin_containers() {
        let container = d.r.u8("container of a pin")?;
        f.push("ContainerType", Value::Byte(container));
        // Only maps have a second type, that of their values.
        if container == MAP_PIN {
            terminal_type(d, &mut f)?;
        }
    } else {
        if versions.has_pin_maps() {
            let is_map = d.bool32()?;
            let has_values = is_map == Value::Bool32(true);
            f.push("bIsMap", is_map);
            if has_values {
                terminal_type(d, &mut f)?;
            }
            f.push("bIsSet", d.bool32()?);
        }
        f.push("bIsArray", d.bool32()?);
    }
    f.fields.extend(record_of(d, &[("bIsReference", Bool32), ("bIsWeakPointer", Bool32)])?.fields);
    let member = &[("MemberParent", Object), ("MemberName", Name), ("MemberGuid", Field::Guid)];
    f.push("PinSubCategoryMemberReference", Field::Record(member).read(d)?);
    f.push("bIsConst", d.bool32()?);
    if versions.has_pin_wrapper_flag() {
        f.push("bIsUObjectWrapper", d.bool32()?);
    }
    if !d.scope.package.form.cooked && versions.has_pin_float_flag() {
        f.push("bSerializeAsSinglePrecisionFloat", d.bool32()?);
    }
    Ok(f)
}

/// Container of pins that are maps.
const MAP_PIN: u8 = 3;

/// Reads a name of a pin, a string before 4.19.
pub(in crate::property) fn pin_word(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    if d.scope.versions.has_pin_names() { Name.read(d) } else { Str.read(d) }
}

/// Reads the type of the values of a map.
fn terminal_type(d: &mut Decoder<'_, '_>, f: &mut Record) -> Result<(), Fault> {
    f.push("TerminalCategory", pin_word(d)?);
    f.push("TerminalSubCategory", pin_word(d)?);
    let rest = &[
        ("TerminalSubCategoryObject", Object),
        ("bTerminalIsConst", Bool32),
        ("bTerminalIsWeakPointer", Bool32),
    ];
    f.fields.extend(record_of(d, rest)?.fields);
    if d.scope.versions.has_pin_wrapper_flag() {
        f.push("bTerminalIsUObjectWrapper", d.bool32()?);
    }
    Ok(())
}
