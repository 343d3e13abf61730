//! Positions and directions of vertices, from how they are stored.

use super::cluster::Precision;
use super::decode::NaniteMesh;
use crate::asset::mesh::Basis;

impl Precision {
    /// Distance between two neighbouring positions, in centimetres.
    pub(super) fn step(self) -> f32 {
        // A power of two is nothing but its exponent.
        f32::from_bits((127 - self.position.clamp(-100, 100)).unsigned_abs() << 23)
    }
}

impl NaniteMesh {
    /// Returns the position of a vertex, in centimetres.
    #[must_use]
    pub fn position(&self, vertex: usize) -> Option<[f32; 3]> {
        let step = self.precision.step();
        #[expect(clippy::cast_precision_loss, reason = "positions have fewer bits than floats")]
        let real = |part: i32| part as f32 * step;
        self.vertices.get(vertex).map(|vertex| vertex.position.map(real))
    }

    /// Returns the tangent space of a vertex; the tangent is zero if it has none.
    #[must_use]
    pub fn basis(&self, vertex: usize) -> Option<Basis> {
        let vertex = self.vertices.get(vertex)?;
        let normal = normal(vertex.normal, self.precision.normal_bits);
        if !self.has_tangents {
            return Some(Basis { tangent: [0.0; 3], normal, sign: 1.0 });
        }
        let bits = self.precision.tangent_bits;
        let code = u32::from(vertex.tangent);
        let sign = if code >> bits & 1 == 0 { 1.0 } else { -1.0 };
        Some(Basis { tangent: tangent(normal, code & ((1 << bits) - 1), bits), normal, sign })
    }
}

/// A direction from coordinates on an octahedron whose lower half is unfolded.
fn normal(code: [u16; 2], bits: u32) -> [f32; 3] {
    let whole = f64::from((1_u32 << bits) - 1);
    let [a, b] = code.map(|part| f64::from(part) * 2.0 / whole.max(1.0) - 1.0);
    let z = 1.0 - a.abs() - b.abs();
    let below = (-z).clamp(0.0, 1.0);
    let folded = |part: f64| if part >= 0.0 { part - below } else { part + below };
    unit([folded(a), folded(b), z])
}

/// A direction at right angles to a normal, at an angle in parts of a full turn.
fn tangent([x, y, z]: [f32; 3], code: u32, bits: u32) -> [f32; 3] {
    let [x, y, z] = [x, y, z].map(f64::from);
    // The reference is at right angles to the Z axis, so a normal near that axis is turned first.
    let is_swapped = z.abs() > x.abs();
    let [nx, ny, nz] = if is_swapped { [z, y, x] } else { [x, y, z] };
    let reference = [-ny, nx, 0.0];
    let [rx, ry, _] = reference;
    let across = [-nz * ry, nz * rx, nx * ry - ny * rx];
    let (sin, cos) = (f64::from(code) * std::f64::consts::TAU / f64::from(1_u32 << bits)).sin_cos();
    let mut turned = [0.0; 3];
    for (turned, (along, across)) in turned.iter_mut().zip(reference.into_iter().zip(across)) {
        *turned = along * cos + across * sin;
    }
    let [tx, ty, tz] = turned;
    unit(if is_swapped { [tz, ty, tx] } else { [tx, ty, tz] })
}

#[expect(clippy::cast_possible_truncation, reason = "directions are single precision")]
fn unit(vector: [f64; 3]) -> [f32; 3] {
    let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 0.0 { vector.map(|part| (part / length) as f32) } else { [0.0; 3] }
}
