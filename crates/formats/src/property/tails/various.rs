//! Tails of sounds, animations, materials and effects, without payloads.

use super::context::{Context, Read};
use crate::property::decode::Decoder;
use crate::property::kind::StructName;
use crate::property::structs::{Field, strip_flags};
use crate::property::value::{Record, Value};
use crate::wire::Fault;

pub(super) const TABLE: &[(&str, Read)] = &[
    ("SoundNode", sound),
    ("SoundCue", sound),
    ("SoundNodeWavePlayer", wave_player),
    ("AnimationAsset", animation),
    ("MaterialInterface", material),
    ("MaterialInstance", material_instance),
    ("NiagaraSystem", niagara_system),
    ("MetaData", metadata),
    ("ObjectRedirector", redirector),
];

/// Metadata of an object, such as the category of a function.
const METADATA: Field = Field::List(12, &[("Key", Field::Name), ("Value", Field::Str)]);

/// Reads the metadata of each object of a package, and of the package; only the editor has it.
fn metadata(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    const OBJECTS: Field = Field::List(8, &[("Key", Field::Object), ("Value", METADATA)]);
    if context.is_default {
        return Ok(());
    }
    tail.push("ObjectMetaDataMap", OBJECTS.read(d)?);
    // Which version added it is not known, but the bytes that are left tell.
    if d.r.remaining() > 0 {
        tail.push("RootMetaDataMap", METADATA.read(d)?);
    }
    Ok(())
}

/// Reads the object that an asset was moved to. Redirectors to default objects are named like default objects.
fn redirector(d: &mut Decoder<'_, '_>, tail: &mut Record, _: &Context<'_>) -> Result<(), Fault> {
    if d.r.remaining() > 0 {
        tail.push("DestinationObject", d.object()?);
    }
    Ok(())
}

fn sound(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    // No version tells if they were written, but the bytes that are left do.
    if !context.is_default && d.r.remaining() > 0 {
        tail.push("StripFlags", strip_flags(d)?);
    }
    Ok(())
}

fn wave_player(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if !context.is_default && d.scope.versions.has_hard_sound_references() && d.r.remaining() > 0 {
        tail.push("SoundWave", d.object()?);
    }
    Ok(())
}

fn animation(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if !context.is_default {
        tail.push("SkeletonGuid", d.guid()?);
    }
    Ok(())
}

fn material(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if d.scope.versions.has_cached_material_data() {
        cached(d, tail, context, "bSavedCachedData", "CachedExpressionData", "MaterialCachedExpressionData")?;
    }
    Ok(())
}

fn material_instance(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if d.scope.versions.has_cached_material_data() {
        cached(d, tail, context, "bSavedInstanceData", "CachedData", "MaterialInstanceCachedData")?;
    }
    Ok(())
}

fn niagara_system(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    // 4.22 and later. The bytes that are left tell.
    if !context.is_default && d.r.remaining() > 0 {
        let name = StructName::new("NiagaraEmitterCompiledData");
        let emitters = d.list("compiled emitters", 4, |d| d.enter(|d| d.plain_struct(&name)))?;
        tail.push("EmitterCompiledStructs", emitters);
    }
    Ok(())
}

/// Reads a flag (four bytes), and a struct if it is set.
fn cached(
    d: &mut Decoder<'_, '_>,
    tail: &mut Record,
    context: &Context<'_>,
    flag: &'static str,
    name: &'static str,
    of: &str,
) -> Result<(), Fault> {
    if context.is_default {
        return Ok(());
    }
    let found = d.bool32()?;
    let is_there = found == Value::Bool32(true);
    tail.push(flag, found);
    if is_there {
        tail.push(name, d.enter(|d| d.plain_struct(&StructName::new(of)))?);
    }
    Ok(())
}
