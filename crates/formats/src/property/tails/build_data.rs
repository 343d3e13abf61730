//! `UMapBuildDataRegistry`: the built lighting of a level.
//!
//! ```text
//! strip flags │ i32 n │ n × { GUID of a component's level of detail, its lighting } │ light of volumes, not read
//! lighting    u32 kind of light map (2: in textures) │ light map │ u32 kind of shadow map │ shadow map
//!             │ lights without effect │ places of instances
//! ```
//!
//! Verified on 5.8, without light maps; these follow CUE4Parse.

use super::bulk::bulk_list;
use super::context::{Context, Read};
use crate::property::decode::Decoder;
use crate::property::structs::Field::{self, Bool32, F32, List as Many, Object, Real};
use crate::property::structs::{add, strip_flags};
use crate::property::value::{Record, Value};
use crate::wire::{Fault, FaultKind};

pub(super) const TABLE: &[(&str, Read)] = &[("MapBuildDataRegistry", registry)];

const GUIDS: Field = Many(16, &[("Guid", Field::Guid)]);
const VECTOR_2D: Field = Field::Record(&[("X", Real), ("Y", Real)]);
const VECTOR_4: Field = Field::Record(&[("X", F32), ("Y", F32), ("Z", F32), ("W", F32)]);
const COEFFICIENT: Field = Field::Record(&[("Scale", VECTOR_4), ("Add", VECTOR_4)]);
const CHANNELS: Field = Field::Record(&[("R", Bool32), ("G", Bool32), ("B", Bool32), ("A", Bool32)]);

/// `FLightMap2D`.
const LIGHT_MAP: &[(&str, Field)] = &[
    ("LightGuids", GUIDS),
    ("Texture", Object),
    ("LowQualityTexture", Object),
    ("SkyOcclusionTexture", Object),
    ("AOMaterialMaskTexture", Object),
    ("HighQuality0", COEFFICIENT),
    ("HighQuality1", COEFFICIENT),
    ("LowQuality0", COEFFICIENT),
    ("LowQuality1", COEFFICIENT),
    ("CoordinateScale", VECTOR_2D),
    ("CoordinateBias", VECTOR_2D),
    ("ShadowChannelValid", CHANNELS),
    ("InvUniformPenumbraSize", VECTOR_4),
    ("VirtualTexture", Object),
];

/// `FShadowMap2D`.
const SHADOW_MAP: &[(&str, Field)] = &[
    ("LightGuids", GUIDS),
    ("Texture", Object),
    ("CoordinateScale", VECTOR_2D),
    ("CoordinateBias", VECTOR_2D),
    ("ChannelValid", CHANNELS),
    ("InvUniformPenumbraSize", VECTOR_4),
];

/// `FPerInstanceLightmapData`.
const INSTANCE: &[(&str, Field)] = &[
    ("LightmapUVBias", Field::Record(&[("X", F32), ("Y", F32)])),
    ("ShadowmapUVBias", Field::Record(&[("X", F32), ("Y", F32)])),
];

fn registry(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    // Light maps have another layout before 4.25.
    if context.is_default || !d.scope.versions.has_custom_instance_data() {
        return Ok(());
    }
    let [global, _] = d.r.clone().array("strip flags")?;
    tail.push("StripFlags", strip_flags(d)?);
    if global & 2 == 0 {
        tail.push("MeshBuildData", d.list("lighting of components", 40, |d| d.enter(entry))?);
    }
    Ok(())
}

fn entry(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    let mut entry = Record::default();
    entry.push("Key", d.guid()?);
    entry.push("Value", d.enter(lighting)?);
    Ok(Value::of_record(entry))
}

/// `FMeshMapBuildData`.
fn lighting(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    let mut lighting = Record::default();
    if in_textures(d, &mut lighting, "LightMapType")? {
        let mut map = Record::default();
        add(d, &mut map, LIGHT_MAP)?;
        if d.scope.versions.has_two_virtual_light_maps() {
            map.push("LowQualityVirtualTexture", d.object()?);
        }
        lighting.push("LightMap", Value::of_record(map));
    }
    if in_textures(d, &mut lighting, "ShadowMapType")? {
        lighting.push("ShadowMap", Field::Record(SHADOW_MAP).read(d)?);
    }
    lighting.push("IrrelevantLights", GUIDS.read(d)?);
    bulk_list(d, &mut lighting, ["PerInstanceSize", "PerInstanceLightmapData"], 16, INSTANCE)?;
    Ok(Value::of_record(lighting))
}

/// Reads the kind of a map: true if it is in textures, false if there is none.
fn in_textures(d: &mut Decoder<'_, '_>, lighting: &mut Record, name: &'static str) -> Result<bool, Fault> {
    let at = d.r.clone();
    let kind = d.uint32()?;
    let is_there = kind == Value::UInt32(2);
    let is_none = kind == Value::UInt32(0);
    lighting.push(name, kind);
    if is_there || is_none { Ok(is_there) } else { Err(at.fault("kind of a light map", FaultKind::Unknown)) }
}
