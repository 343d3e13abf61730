//! Mesh descriptions since 5.0.
//!
//! ```text
//! description  i32 kinds │ each: name │ i32 channels │ each: slots │ i32 holes │ set of attributes
//! ```
//!
//! Connections are attributes, too: `VertexIndex` of an instance, `VertexInstanceIndex` and `PolygonGroupIndex` of a
//! triangle. `SkinWeights` of a vertex are numbers: the bone above 16 bits, its share below.

use super::attributes::{Attributes, Slots};
use super::description::of_instances;
use super::shape::{BoneWeight, Mesh, Triangle};
use crate::wire::{Fault, FaultKind, Reader};
use std::collections::BTreeMap;
use zerocopy::little_endian::{F32, U32};

/// Name of the first kind, with its length.
const START: &[u8] = b"\x09\0\0\0Vertices\0";
/// Limit of bones that move a vertex, more than the engine has: lists may share their values.
const MAX_INFLUENCES: usize = 16;

/// True if these are the data of a description since 5.0.
pub(super) fn is_it(bytes: &[u8]) -> bool {
    bytes.get(4..).is_some_and(|rest| rest.starts_with(START))
}

pub(super) fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut r = Reader::new(bytes);
    let mut kinds = BTreeMap::new();
    // A name and a count at least.
    for _ in 0..r.count("kinds of elements", 8)? {
        let name = r.string("name of a kind of elements")?;
        for channel in 0..r.count("channels of elements", 16)? {
            let slots = Slots::read(&mut r, "elements")?;
            r.u32("holes among elements")?;
            let found = (slots, Attributes::read(&mut r, true)?);
            // Texture coordinates have one for each of theirs; nothing here needs the others.
            if channel == 0 {
                kinds.insert(name.clone(), found);
            }
        }
    }
    r.finish("mesh description")?;
    let mut take = |name: &str| {
        let (slots, attributes) = kinds.remove(name)?;
        Some((slots, attributes))
    };
    let none = || (Slots::default(), Attributes::default());
    let (_, vertices) = take("Vertices").unwrap_or_else(none);
    let (_, instances) = take("VertexInstances").unwrap_or_else(none);
    let (slots, triangles) = take("Triangles").unwrap_or_else(none);
    let (_, mut groups) = take("PolygonGroups").unwrap_or_else(none);
    let corners: &[[U32; 3]] = overlay(&triangles);
    let group: &[U32] = triangles.values("PolygonGroupIndex", 0);
    let triangle = |at: usize| {
        let corners = corners.get(at)?.map(U32::get);
        Some(Triangle { corners, group: group.get(at)?.get() })
    };
    let of_corner: &[U32] = instances.values("VertexIndex", 0);
    Ok(Mesh {
        positions: vertices.values::<[F32; 3]>("Position", 0).iter().map(|part| part.map(F32::get)).collect(),
        triangles: slots.iter().filter_map(triangle).collect(),
        groups: groups.take_names("ImportedMaterialSlotName"),
        weights: weights(&vertices)?,
        ..of_instances(&instances, of_corner.iter().map(|vertex| vertex.get()).collect())
    })
}

/// Corners of triangles, three each.
fn overlay<'a>(triangles: &Attributes<'a>) -> &'a [[U32; 3]] {
    let corners: &[U32] = triangles.values("VertexInstanceIndex", 0);
    let (corners, _) = corners.as_chunks();
    corners
}

/// Bones that move each vertex.
fn weights(vertices: &Attributes<'_>) -> Result<Vec<Vec<BoneWeight>>, Fault> {
    let weight = |packed: &U32| {
        let [low, high, bone_low, bone_high] = packed.get().to_le_bytes();
        BoneWeight {
            bone: u16::from_le_bytes([bone_low, bone_high]),
            weight: u16::from_le_bytes([low, high]),
        }
    };
    let lists = vertices.lists("SkinWeights").map(|list| {
        if list.len() > MAX_INFLUENCES {
            let kind = FaultKind::TooLarge { found: list.len() as u64, limit: MAX_INFLUENCES as u64 };
            return Err(Fault { offset: 0, field: "bones of a vertex", kind });
        }
        Ok(list.iter().map(weight).collect())
    });
    lists.collect()
}
