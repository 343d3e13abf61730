//! Raw meshes, to 4.21.
//!
//! ```text
//! i32 version │ i32 version of the licensee │ arrays, each i32 n and n elements:
//! faces     i32 material │ u32 smoothing groups
//! vertices  3 × f32 position
//! wedges    u32 vertex │ 3 × f32 tangent │ bitangent │ normal │ 8 arrays of 2 × f32 texture coordinates │ B G R A
//! │ (version 1) i32 index of the imported material, of each material
//! ```

use super::shape::{Corner, Mesh, Triangle};
use crate::wire::{Fault, FaultKind, Reader};
use zerocopy::little_endian::{F32, U32};

const CHANNELS: usize = 8;

pub(super) fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut r = Reader::new(bytes);
    let at = r.clone();
    let lists_imports = match r.u32("version of a raw mesh")? {
        0 => false,
        1 => true,
        found => {
            let kind = FaultKind::Unsupported { found: found.into() };
            return Err(at.fault("version of a raw mesh", kind));
        }
    };
    r.u32("version of the licensee")?;
    let groups: &[U32] = r.counted_table("materials of faces")?;
    r.counted_table::<U32>("smoothing groups")?;
    let positions: &[[F32; 3]] = r.counted_table("positions")?;
    let at = r.clone();
    let wedges: &[U32] = r.counted_table("wedges")?;
    if wedges.len() as u64 != 3 * groups.len() as u64 {
        let kind = FaultKind::Unexpected { found: wedges.len() as u64, expected: 3 * groups.len() as u64 };
        return Err(at.fault("wedges", kind));
    }
    let tangents: &[[F32; 3]] = r.counted_table("tangents")?;
    let bitangents: &[[F32; 3]] = r.counted_table("bitangents")?;
    let normals: &[[F32; 3]] = r.counted_table("normals")?;
    let mut uvs = Vec::new();
    for _ in 0..CHANNELS {
        let found: &[[F32; 2]] = r.counted_table("texture coordinates")?;
        if !found.is_empty() && found.len() == wedges.len() {
            uvs.push(found.iter().map(|uv| uv.map(F32::get)).collect());
        }
    }
    let colors: &[[u8; 4]] = r.counted_table("colours of wedges")?;
    if lists_imports {
        r.counted_table::<U32>("imported materials")?;
    }
    r.finish("raw mesh")?;
    let vector = |of: &[[F32; 3]], at: usize| of.get(at).map(|part| part.map(F32::get)).unwrap_or_default();
    let corner = |(at, wedge): (usize, &U32)| {
        let [tangent, bitangent, normal] = [tangents, bitangents, normals].map(|of| vector(of, at));
        Corner { vertex: wedge.get(), normal, tangent, sign: handedness(normal, tangent, bitangent) }
    };
    let triangle = |(corners, group): ([u32; 3], &U32)| Triangle { corners, group: group.get() };
    let triples = (0..u32::MAX / 3).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]);
    let mesh = Mesh {
        positions: positions.iter().map(|part| part.map(F32::get)).collect(),
        corners: wedges.iter().enumerate().map(corner).collect(),
        uvs,
        colors: if colors.len() == wedges.len() {
            colors.iter().copied().map(linear).collect()
        } else {
            Vec::new()
        },
        triangles: triples.zip(groups).map(triangle).collect(),
        // Groups are slots of materials.
        groups: Vec::new(),
        weights: Vec::new(),
    };
    Ok(mesh)
}

/// Sign of the bitangent, compared with normal × tangent; 0 if one of them is zero.
fn handedness(normal: [f32; 3], tangent: [f32; 3], bitangent: [f32; 3]) -> f32 {
    let ([nx, ny, nz], [tx, ty, tz]) = (normal, tangent);
    let cross = [ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx];
    let dot: f32 = cross.iter().zip(bitangent).map(|(one, other)| one * other).sum();
    if dot == 0.0 { 0.0 } else { dot.signum() }
}

/// Linear components of a colour, whose blue is stored first.
fn linear([blue, green, red, alpha]: [u8; 4]) -> [f32; 4] {
    let part = |part: u8| {
        let part = f32::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    [part(red), part(green), part(blue), f32::from(alpha) / 255.0]
}
