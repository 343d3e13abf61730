//! `UModel`: geometry of brushes, split into a tree of convex parts.
//!
//! ```text
//! strip flags │ bounds │ bulk arrays of vectors, points, nodes │ surfaces │ bulk array of vertices
//! │ i32 shared sides │ of the editor: polygons, hulls, leaves │ root is outside │ linked │ i32 unique vertices
//! │ vertices to draw, unless stripped │ GUID of lighting │ settings of lighting
//! ```
//!
//! Verified on 4.18 to 5.8. Source: CUE4Parse.

use super::bulk::{bulk, bulk_list};
use super::context::{Context, Read};
use super::world::VECTOR;
use crate::property::decode::Decoder;
use crate::property::structs::Field::{self, Bool32, F32, I32, List as Many, Object, Real, U8, U16, U32};
use crate::property::structs::{add, strip_flags};
use crate::property::value::Record;
use crate::wire::Fault;

pub(super) const TABLE: &[(&str, Read)] = &[("Model", model)];

const FLOATS_2: Field = Field::Record(&[("X", F32), ("Y", F32)]);
const FLOATS_3: Field = Field::Record(VECTOR_3F);
const FLOATS_4: Field = Field::Record(&[("X", F32), ("Y", F32), ("Z", F32), ("W", F32)]);
const VECTOR_3F: &[(&str, Field)] = &[("X", F32), ("Y", F32), ("Z", F32)];
const BOUNDS: Field = Field::Record(&[("Origin", VECTOR), ("BoxExtent", VECTOR), ("SphereRadius", Real)]);

/// `FBspNode`.
const NODE: &[(&str, Field)] = &[
    ("Plane", FLOATS_4),
    ("iVertPool", I32),
    ("iSurf", I32),
    ("iVertexIndex", I32),
    ("ComponentIndex", U16),
    ("ComponentNodeIndex", U16),
    ("ComponentElementIndex", I32),
    ("iBack", I32),
    ("iFront", I32),
    ("iPlane", I32),
    ("iCollisionBound", I32),
    ("iZone0", U8),
    ("iZone1", U8),
    ("NumVertices", U8),
    ("NodeFlags", U8),
    ("iLeaf0", I32),
    ("iLeaf1", I32),
];

/// `FBspSurf`.
const SURFACE: &[(&str, Field)] = &[
    ("Material", Object),
    ("PolyFlags", U32),
    ("pBase", I32),
    ("vNormal", I32),
    ("vTextureU", I32),
    ("vTextureV", I32),
    ("iBrushPoly", I32),
    ("Actor", Object),
    ("Plane", FLOATS_4),
    ("LightMapScale", F32),
    ("iLightmassIndex", I32),
];

/// `FVert`.
const VERTEX: &[(&str, Field)] =
    &[("pVertex", I32), ("iSide", I32), ("ShadowTexCoord", FLOATS_2), ("BackfaceShadowTexCoord", FLOATS_2)];

/// `FModelVertex`.
const DRAWN: &[(&str, Field)] = &[
    ("Position", FLOATS_3),
    ("TangentX", FLOATS_3),
    ("TangentZ", FLOATS_4),
    ("TexCoord", FLOATS_2),
    ("ShadowTexCoord", FLOATS_2),
];

/// `FModelVertex` before 4.20: packed tangents.
const OLD_DRAWN: &[(&str, Field)] = &[
    ("Position", FLOATS_3),
    ("TangentX", U32),
    ("TangentZ", U32),
    ("TexCoord", FLOATS_2),
    ("ShadowTexCoord", FLOATS_2),
];

/// `FLightmassPrimitiveSettings`.
const LIGHTMASS: &[(&str, Field)] = &[
    ("bUseTwoSidedLighting", Bool32),
    ("bShadowIndirectOnly", Bool32),
    ("FullyOccludedSamplesFraction", F32),
    ("bUseEmissiveForStaticLighting", Bool32),
    ("bUseVertexNormalForHemisphereGather", Bool32),
    ("EmissiveLightFalloffExponent", F32),
    ("EmissiveLightExplicitInfluenceRadius", F32),
    ("EmissiveBoost", F32),
    ("DiffuseBoost", F32),
];

fn model(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if context.is_default {
        return Ok(());
    }
    let [global, class] = d.r.clone().array("strip flags")?;
    tail.push("StripFlags", strip_flags(d)?);
    tail.push("Bounds", BOUNDS.read(d)?);
    bulk_list(d, tail, ["VectorSize", "Vectors"], 12, VECTOR_3F)?;
    bulk_list(d, tail, ["PointSize", "Points"], 12, VECTOR_3F)?;
    bulk_list(d, tail, ["NodeSize", "Nodes"], 64, NODE)?;
    tail.push("Surfs", Many(56, SURFACE).read(d)?);
    bulk_list(d, tail, ["VertSize", "Verts"], 24, VERTEX)?;
    tail.push("NumSharedSides", d.int()?);
    if !d.scope.package.form.cooked {
        tail.push("Polys", d.object()?);
        for [size, name] in [["LeafHullSize", "LeafHulls"], ["LeafSize", "Leaves"]] {
            tail.push(size, d.uint32()?);
            tail.push(name, bulk(d, tail)?);
        }
    }
    add(d, tail, &[("RootOutside", Bool32), ("Linked", Bool32), ("NumUniqueVertices", U32)])?;
    if global & 1 == 0 || class & 1 == 0 {
        if d.scope.versions.has_precise_painted_normals() {
            tail.push("VertexBuffer", Many(56, DRAWN).read(d)?);
        } else {
            bulk_list(d, tail, ["DrawnSize", "VertexBuffer"], 36, OLD_DRAWN)?;
        }
    }
    tail.push("LightingGuid", d.guid()?);
    tail.push("LightmassSettings", Many(36, LIGHTMASS).read(d)?);
    Ok(())
}
