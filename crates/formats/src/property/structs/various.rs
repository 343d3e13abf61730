//! Structs whose bytes depend on the version or on preceding fields.

use super::field::Field::{self, F32, I32, Name, Object, Real, Str, U8, U16};
use super::field::record_of;
use super::native::Native::{self, Code};
use super::native::record;
use crate::property::decode::Decoder;
use crate::property::kind::StructName;
use crate::property::value::{Record, Value};
use crate::wire::Fault;

pub(super) const TABLE: &[(&str, Native)] = &[
    ("Guid", Code(|d| d.guid().map(Some))),
    ("SoftObjectPath", Code(|d| d.soft_path().map(Some))),
    ("SoftClassPath", Code(|d| d.soft_path().map(Some))),
    ("StringAssetReference", Code(|d| d.soft_path().map(Some))),
    ("StringClassReference", Code(|d| d.soft_path().map(Some))),
    ("Vector_NetQuantize", Code(quantized)),
    ("Vector_NetQuantize10", Code(quantized)),
    ("Vector_NetQuantize100", Code(quantized)),
    ("Vector_NetQuantizeNormal", Code(quantized)),
    ("GameplayTagContainer", Code(tags)),
    ("SmartName", Code(smart_name)),
    ("PerPlatformBool", Code(|d| per_platform(d, Field::Bool32))),
    ("PerPlatformFloat", Code(|d| per_platform(d, F32))),
    ("PerPlatformInt", Code(|d| per_platform(d, I32))),
    ("PerPlatformFString", Code(|d| per_platform(d, Str))),
    ("PerPlatformFrameRate", Code(|d| per_platform(d, FRAME_RATE))),
    ("PerQualityLevelInt", Code(|d| per_quality(d, I32))),
    ("PerQualityLevelFloat", Code(|d| per_quality(d, F32))),
    ("NiagaraVariableBase", Code(niagara_base)),
    ("NiagaraDataChannelVariable", Code(niagara_base)),
    ("NiagaraVariable", Code(niagara_variable)),
    ("NiagaraVariableWithOffset", Code(niagara_with_offset)),
    ("NiagaraDataInterfaceGPUParamInfo", Code(gpu_parameters)),
    ("SkeletalMeshSamplingRegionBuiltData", Code(sampled_region)),
    ("MaterialOverrideNanite", Code(nanite_override)),
    ("Spline", Code(spline)),
];

const FRAME_RATE: Field = Field::Record(&[("Numerator", I32), ("Denominator", I32)]);

/// Reads a network vector; a plain list before large world coordinates (5.0).
fn quantized(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    if d.scope.versions.objects.has_large_worlds() {
        record(record_of(d, &[("X", Real), ("Y", Real), ("Z", Real)])?)
    } else {
        Ok(None)
    }
}

fn tags(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    d.list("gameplay tags", 8, |d| d.name("gameplay tag")).map(Some)
}

fn smart_name(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let versions = d.scope.versions;
    let mut f = record_of(d, &[("DisplayName", Name)])?;
    // Before 4.17.
    if !versions.has_no_smart_name_id() {
        f.push("UID", U16.read(d)?);
    }
    // Before 4.18, in uncooked packages.
    if !d.scope.package.form.cooked && !versions.has_no_smart_name_guid() {
        f.push("Guid", d.guid()?);
    }
    record(f)
}

fn per_platform(d: &mut Decoder<'_, '_>, of: Field) -> Result<Option<Value>, Fault> {
    let mut f = Record::default();
    let is_cooked = d.bool32()?;
    // A cooked package holds only the value for its own platform.
    let has_platforms = is_cooked == Value::Bool32(false);
    f.push("bCooked", is_cooked);
    f.push("Default", of.read(d)?);
    if has_platforms {
        let platform = |d: &mut Decoder<'_, '_>| {
            let mut f = record_of(d, &[("Key", Name)])?;
            f.push("Value", of.read(d)?);
            Ok(Value::of_record(f))
        };
        f.push("PerPlatform", d.list("platforms", 12, platform)?);
    }
    record(f)
}

fn per_quality(d: &mut Decoder<'_, '_>, of: Field) -> Result<Option<Value>, Fault> {
    let mut f = record_of(d, &[("bCooked", Field::Bool32)])?;
    f.push("Default", of.read(d)?);
    let level = |d: &mut Decoder<'_, '_>| {
        let mut f = record_of(d, &[("Key", I32)])?;
        f.push("Value", of.read(d)?);
        Ok(Value::of_record(f))
    };
    f.push("PerQuality", d.list("quality levels", 8, level)?);
    record(f)
}

fn niagara_name(d: &mut Decoder<'_, '_>) -> Result<Record, Fault> {
    let mut f = record_of(d, &[("Name", Name)])?;
    f.push("TypeDefHandle", d.enter(|d| d.plain_struct(&StructName::new("NiagaraTypeDefinition")))?);
    Ok(f)
}

fn niagara_base(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    record(niagara_name(d)?)
}

fn niagara_variable(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let mut f = niagara_name(d)?;
    f.push("VarData", d.bytes("data of a Niagara variable")?);
    record(f)
}

fn niagara_with_offset(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let mut f = niagara_name(d)?;
    f.push("Offset", d.int()?);
    record(f)
}

fn gpu_parameters(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let versions = d.scope.versions;
    let mut f = record_of(d, &[("DataInterfaceHLSLSymbol", Str), ("DIClassName", Str)])?;
    // 4.25 and later.
    if versions.has_generated_functions() {
        let function = |d: &mut Decoder<'_, '_>| {
            let mut f = record_of(
                d,
                &[
                    ("DefinitionName", Name),
                    ("InstanceName", Str),
                    ("Specifiers", Field::List(16, &[("Key", Name), ("Value", Name)])),
                ],
            )?;
            // 5.2 and later.
            if versions.has_variadic_parameters() {
                const PARAMETER: Field = Field::List(12, &[("Key", Name), ("Value", Object)]);
                f.push("VariadicInputs", PARAMETER.read(d)?);
                f.push("VariadicOutputs", PARAMETER.read(d)?);
            }
            // 5.6 and later.
            if versions.has_usage_mask() {
                f.push("MiscUsageBitMask", U16.read(d)?);
            }
            Ok(Value::of_record(f))
        };
        f.push("GeneratedFunctions", d.list("generated functions", 16, function)?);
    }
    record(f)
}

fn sampled_region(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let mut f = record_of(d, &[("TriangleIndices", Field::Ints), ("BoneIndices", Field::Ints)])?;
    let sampler = &[("Prob", Field::Floats), ("Alias", Field::Ints), ("TotalWeight", F32)];
    f.push("AreaWeightedSampler", Field::Record(sampler).read(d)?);
    // 4.21 and later.
    if d.scope.versions.has_vertex_sampling() {
        f.push("Vertices", Field::Ints.read(d)?);
    }
    record(f)
}

fn nanite_override(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    // Before 5.3.
    if !d.scope.versions.has_editor_nanite_overrides() {
        return record(record_of(
            d,
            &[
                ("OverrideMaterialRef", Field::SoftPath),
                ("bEnableOverride", Field::Bool32),
                ("OverrideMaterial", Object),
            ],
        )?);
    }
    let mut f = Record::default();
    let is_cooked = d.bool32()?;
    let has_object = is_cooked == Value::Bool32(true);
    f.push("bSerializeAsCookedData", is_cooked);
    if has_object {
        f.push("OverrideMaterial", d.object()?);
    }
    f.push("Properties", d.enter(|d| d.plain_struct(&StructName::new("MaterialOverrideNanite")))?);
    record(f)
}

/// Reads a spline; only the empty implementation is known.
fn spline(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let at = d.r.clone();
    let f = record_of(d, &[("Implementation", U8)])?;
    if f.get("Implementation") == Some(&Value::Byte(0)) {
        return record(f);
    }
    Err(at.fault("implementation of a spline", crate::wire::FaultKind::Unknown))
}
