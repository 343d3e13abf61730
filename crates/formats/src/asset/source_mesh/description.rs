//! Mesh descriptions of 4.22 to 4.27.
//!
//! ```text
//! slots of vertices │ of vertex instances, each i32 vertex │ of edges, each 2 × i32 vertex
//! │ of polygons, each contour: i32 n, n × i32 instance │ (before Editor 30) i32 holes, each a contour │ i32 group
//! │ of groups │ 5 sets of attributes
//! │ (Editor 35) slots of triangles, each 3 × i32 instance, i32 polygon │ set of attributes
//! ```
//!
//! Slots are a bit array; elements follow for the bits that are set.

use super::attributes::{Attributes, Slots};
use super::shape::{Corner, Mesh, Triangle};
use crate::wire::{Fault, FaultKind, Reader};
use zerocopy::little_endian::F32;

/// Polygon: corners around it, and its group.
struct Polygon {
    contour: Vec<u32>,
    group: u32,
}

pub(super) fn read(bytes: &[u8], has_holes: bool, has_triangles: bool) -> Result<Mesh, Fault> {
    let mut r = Reader::new(bytes);
    Slots::read(&mut r, "vertices")?;
    let vertices = vertices(&mut r)?;
    for _ in Slots::read(&mut r, "edges")?.iter() {
        r.array::<8>("vertices of an edge")?;
    }
    let slots = Slots::read(&mut r, "polygons")?;
    let mut polygons = Vec::new();
    for at in slots.iter() {
        polygons.push((at, Polygon::read(&mut r, has_holes)?));
    }
    Slots::read(&mut r, "polygon groups")?;
    let mut sets = Vec::new();
    for _ in 0..5 {
        sets.push(Attributes::read(&mut r, false)?);
    }
    let [vertex, instance, _, _, mut group] = <[Attributes<'_>; 5]>::try_from(sets).unwrap_or_default();
    let triangles = if has_triangles {
        let found = triangles(&mut r, &polygons)?;
        Attributes::read(&mut r, false)?;
        found
    } else {
        polygons.iter().flat_map(|(_, polygon)| polygon.fan()).collect()
    };
    r.finish("mesh description")?;
    let groups = group.take_names("ImportedMaterialSlotName");
    let positions = vertex.values::<[F32; 3]>("Position", 0).iter().map(|part| part.map(F32::get)).collect();
    Ok(Mesh { positions, triangles, groups, ..of_instances(&instance, vertices) })
}

/// Reads the vertex of each instance; those of unused slots are none.
fn vertices(r: &mut Reader<'_>) -> Result<Vec<u32>, Fault> {
    let at = r.clone();
    let slots = Slots::read(r, "vertex instances")?;
    // Every slot has attributes below, so their number is bounded by the bytes.
    if slots.len > r.remaining() {
        let kind = FaultKind::TooLarge { found: slots.len as u64, limit: r.remaining() as u64 };
        return Err(at.fault("vertex instances", kind));
    }
    let mut vertices = vec![u32::MAX; slots.len];
    for at in slots.iter() {
        let vertex = r.u32("vertex of an instance")?;
        if let Some(slot) = vertices.get_mut(at) {
            *slot = vertex;
        }
    }
    Ok(vertices)
}

/// Reads the attributes of vertex instances, whose vertices are given.
pub(super) fn of_instances(attributes: &Attributes<'_>, vertices: Vec<u32>) -> Mesh {
    let normals: &[[F32; 3]] = attributes.values("Normal", 0);
    let tangents: &[[F32; 3]] = attributes.values("Tangent", 0);
    let signs: &[F32] = attributes.values("BinormalSign", 0);
    let vector = |of: &[[F32; 3]], at: usize| of.get(at).map(|part| part.map(F32::get)).unwrap_or_default();
    let corner = |(at, vertex)| Corner {
        vertex,
        normal: vector(normals, at),
        tangent: vector(tangents, at),
        sign: signs.get(at).copied().map(F32::get).unwrap_or_default(),
    };
    let count = vertices.len();
    let uvs = (0..attributes.channels("TextureCoordinate")).map(|channel| {
        let uvs: &[[F32; 2]] = attributes.values("TextureCoordinate", channel);
        uvs.iter().map(|uv| uv.map(F32::get)).collect()
    });
    // Colours are white by default: a mesh that has only those has none.
    let colors: &[[F32; 4]] = attributes.values("Color", 0);
    let is_white = colors.iter().flatten().all(|part| part.get().to_bits() == 1.0_f32.to_bits());
    Mesh {
        corners: vertices.into_iter().enumerate().map(corner).collect(),
        // A channel that lacks values is no channel.
        uvs: uvs.filter(|uvs: &Vec<_>| uvs.len() == count).collect(),
        colors: if is_white || colors.len() != count {
            Vec::new()
        } else {
            colors.iter().map(|color| color.map(F32::get)).collect()
        },
        ..Mesh::default()
    }
}

/// Reads triangles; each has the group of its polygon.
fn triangles(r: &mut Reader<'_>, polygons: &[(usize, Polygon)]) -> Result<Vec<Triangle>, Fault> {
    let slots = Slots::read(r, "triangles")?;
    let mut triangles = Vec::new();
    for _ in slots.iter() {
        let mut corners = [0; 3];
        for corner in &mut corners {
            *corner = r.u32("corner of a triangle")?;
        }
        let at = r.clone();
        let polygon = r.size("polygon of a triangle")?;
        let found = polygons.binary_search_by_key(&(polygon as usize), |(at, _)| *at).ok();
        let kind = FaultKind::out_of_range(polygon, polygons.len());
        let found = found.and_then(|found| polygons.get(found));
        let (_, found) = found.ok_or_else(|| at.fault("polygon of a triangle", kind))?;
        triangles.push(Triangle { corners, group: found.group });
    }
    Ok(triangles)
}

impl Polygon {
    fn read(r: &mut Reader<'_>, has_holes: bool) -> Result<Self, Fault> {
        let contour = r.list("corners of a polygon", 4, |r| r.u32("corner of a polygon"))?;
        if has_holes {
            let at = r.clone();
            let holes = r.u32("holes of a polygon")?;
            if holes != 0 {
                return Err(at.fault("holes of a polygon", FaultKind::Unsupported { found: holes.into() }));
            }
        }
        Ok(Self { contour, group: r.u32("group of a polygon")? })
    }

    /// Triangles around the first corner.
    fn fan(&self) -> impl Iterator<Item = Triangle> {
        let first = self.contour.first().copied().unwrap_or_default();
        self.contour.get(1..).unwrap_or_default().windows(2).filter_map(move |pair| {
            let [second, third] = *pair else { return None };
            Some(Triangle { corners: [first, second, third], group: self.group })
        })
    }
}
