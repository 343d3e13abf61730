//! Tails of components.
//!
//! ```text
//! StaticMeshComponent            i32 n │ n × level of detail │ painted texture (5.5)
//! level of detail                strip flags │ GUIDs of built lighting │ u8 has colours │ colours │ painted vertices
//! InstancedStaticMeshComponent   has instances (5.4) │ matrices │ custom data │ data for rendering
//! HierarchicalInstanced…         nodes of the tree of instances
//! ```
//!
//! Verified on 5.3, 5.4, 5.8 and 6.0. Source: the geometry sheet; painted vertices follow CUE4Parse.

use super::bulk::{bulk, bulk_list, element_size};
use super::context::{Context, Read};
use super::world::{VECTOR, cooked_object};
use crate::property::decode::Decoder;
use crate::property::from_value::FromValue;
use crate::property::structs::Field::{self, F32, Guid, I32, List as Many, Object, Real, U8, U32};
use crate::property::structs::{add, strip_flags};
use crate::property::value::{Record, Value};
use crate::wire::{Fault, FaultKind};

pub(super) const TABLE: &[(&str, Read)] = &[
    ("ActorComponent", component),
    ("SceneComponent", scene_component),
    ("StaticMeshComponent", static_mesh_component),
    ("InstancedStaticMeshComponent", instanced_static_mesh_component),
    ("HierarchicalInstancedStaticMeshComponent", hierarchical_component),
];

fn component(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    const MODIFIED: Field =
        Many(28, &[("MemberParent", Object), ("MemberName", Field::Name), ("MemberGuid", Guid)]);
    if !context.is_default && d.scope.versions.has_modified_properties() {
        tail.push("UCSModifiedProperties", MODIFIED.read(d)?);
    }
    Ok(())
}

fn scene_component(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    const BOUNDS: Field = Field::Record(&[("Origin", VECTOR), ("BoxExtent", VECTOR), ("SphereRadius", Real)]);
    let is_set = |name| {
        let member = context.list.and_then(|list| list.find(d.scope.package, name));
        member.and_then(|member| bool::from_value(member.value?)) == Some(true)
    };
    let has_bounds = is_set("bComputeBoundsOnceForGame") || is_set("bComputedBoundsOnceForGame");
    if !has_bounds || context.is_default || !d.scope.versions.has_component_bounds() {
        return Ok(());
    }
    let found = d.bool32()?;
    let is_cooked = found == Value::Bool32(true);
    tail.push("bIsCooked", found);
    if is_cooked {
        tail.push("Bounds", BOUNDS.read(d)?);
    }
    Ok(())
}

fn static_mesh_component(
    d: &mut Decoder<'_, '_>,
    tail: &mut Record,
    context: &Context<'_>,
) -> Result<(), Fault> {
    if context.is_default {
        return Ok(());
    }
    tail.push("LODData", d.list("levels of detail", 2, |d| d.enter(level_of_detail))?);
    if d.scope.versions.has_mesh_paint_texture() {
        cooked_object(d, tail, "bHasMeshPaintTexture", "MeshPaintTexture")?;
    }
    Ok(())
}

/// `FStaticMeshComponentLODInfo`: colours of vertices that differ from those of the mesh.
fn level_of_detail(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    let (versions, cooked) = (d.scope.versions, d.scope.package.form.cooked);
    let mut lod = Record::default();
    let at = d.r.clone();
    let [global, class] = d.r.clone().array("strip flags")?;
    lod.push("StripFlags", strip_flags(d)?);
    if global & 2 == 0 {
        if !versions.has_map_build_data() {
            return Err(at.fault("lighting in a component", FaultKind::Unknown));
        }
        lod.push("MapBuildDataId", d.guid()?);
        if cooked && versions.has_mesh_paint_texture() {
            lod.push("OriginalMapBuildDataId", d.guid()?);
        }
    }
    if class & 1 == 0 {
        let has_colors = d.byte()?;
        let is_there = has_colors == Value::Byte(1);
        lod.push("bHasOverrideVertexColors", has_colors);
        if is_there {
            lod.push("OverrideVertexColors", colors(d)?);
        }
    }
    if global & 1 == 0 {
        lod.push("PaintedVertices", painted_vertices(d)?);
    }
    Ok(Value::of_record(lod))
}

/// `FColorVertexBuffer`.
fn colors(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    let mut buffer = Record::default();
    buffer.push("StripFlags", strip_flags(d)?);
    add(d, &mut buffer, &[("Stride", I32), ("NumVertices", I32)])?;
    if buffer.get("NumVertices") != Some(&Value::Int(0)) {
        // Blue first, as the engine has them in memory.
        const COLOR: &[(&str, Field)] = &[("B", U8), ("G", U8), ("R", U8), ("A", U8)];
        bulk_list(d, &mut buffer, ["ElementSize", "Data"], 4, COLOR)?;
    }
    Ok(Value::of_record(buffer))
}

/// `FPaintedVertex`: colours by position, for another mesh to take them over in the editor.
fn painted_vertices(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    const COLOR: Field = Field::Record(&[("B", U8), ("G", U8), ("R", U8), ("A", U8)]);
    const NORMAL: Field = Field::Record(&[("X", Real), ("Y", Real), ("Z", Real), ("W", Real)]);
    if d.scope.versions.has_precise_painted_normals() {
        Many(20, &[("Position", VECTOR), ("Normal", NORMAL), ("Color", COLOR)]).read(d)
    } else {
        Many(20, &[("Position", VECTOR), ("Normal", U32), ("Color", COLOR)]).read(d)
    }
}

/// `FMatrix`: the axes with their scale, then the translation.
const MATRIX: &[(&str, Field)] =
    &[("XPlane", PLANE), ("YPlane", PLANE), ("ZPlane", PLANE), ("WPlane", PLANE)];
const PLANE: Field = Field::Record(&[("X", Real), ("Y", Real), ("Z", Real), ("W", Real)]);

/// An instance before 4.19: the place of its part in light maps follows.
const WITH_LIGHT_MAPS: &[(&str, Field)] = &[
    ("XPlane", PLANE),
    ("YPlane", PLANE),
    ("ZPlane", PLANE),
    ("WPlane", PLANE),
    ("LightmapUVBias", Field::Record(&[("X", F32), ("Y", F32)])),
    ("ShadowmapUVBias", Field::Record(&[("X", F32), ("Y", F32)])),
];
const OLD_INSTANCE: u32 = 80;
/// Names of the size of an instance, and of the instances.
const INSTANCES: [&str; 2] = ["PerInstanceSize", "PerInstanceSMData"];

fn instanced_static_mesh_component(
    d: &mut Decoder<'_, '_>,
    tail: &mut Record,
    context: &Context<'_>,
) -> Result<(), Fault> {
    let versions = d.scope.versions;
    if context.is_default {
        return Ok(());
    }
    let mut cooked = false;
    if versions.has_cooked_instances() {
        let found = d.bool32()?;
        cooked = found == Value::Bool32(true);
        tail.push("bInstancesAreCooked", found);
    }
    if versions.has_optional_instances() {
        let found = d.bool32()?;
        let is_there = found == Value::Bool32(true);
        tail.push("bHasPerInstanceData", found);
        if !is_there {
            return Ok(());
        }
    }
    let size = if versions.objects.has_large_worlds() { 128 } else { 64 };
    if d.r.clone().u32("size of an instance")? == OLD_INSTANCE {
        bulk_list(d, tail, INSTANCES, OLD_INSTANCE, WITH_LIGHT_MAPS)?;
    } else {
        bulk_list(d, tail, INSTANCES, size, MATRIX)?;
    }
    if versions.has_custom_instance_data() {
        element_size(d, tail, "PerInstanceCustomSize", 4)?;
        tail.push("PerInstanceSMCustomData", Field::Floats.read(d)?);
    }
    if cooked { render_data(d, tail) } else { Ok(()) }
}

/// Data that the graphics card takes as they are.
fn render_data(d: &mut Decoder<'_, '_>, tail: &mut Record) -> Result<(), Fault> {
    if !d.scope.versions.has_optional_instances() {
        let len = d.r.clone().u64("size of data for rendering")?;
        tail.push("RenderDataSize", d.uint64()?);
        let left = d.r.remaining();
        // A length beyond the file is refused by the read.
        let len = usize::try_from(len).unwrap_or(usize::MAX).min(left.saturating_add(1));
        tail.push("RenderData", d.fixed("data for rendering", len)?);
        return Ok(());
    }
    let found = d.bool32()?;
    let is_there = found == Value::Bool32(true);
    tail.push("bHasCookedRenderData", found);
    if is_there {
        for (size, data) in [("InstanceDataSize", "InstanceData"), ("CustomDataSize", "CustomData")] {
            tail.push(size, d.uint32()?);
            tail.push(data, bulk(d, tail)?);
        }
    }
    Ok(())
}

fn hierarchical_component(
    d: &mut Decoder<'_, '_>,
    tail: &mut Record,
    context: &Context<'_>,
) -> Result<(), Fault> {
    if !context.is_default {
        tail.push("ClusterTreeNodeSize", d.uint32()?);
        tail.push("ClusterTree", bulk(d, tail)?);
    }
    Ok(())
}
