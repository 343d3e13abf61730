//! Meshes bent along curves.

use super::super::spline::SplineBend;
use super::builder::Builder;
use super::part::MeshPart;

impl MeshPart {
    /// Bends the mesh: its vertices move, and their normals and tangents turn.
    pub fn bend(&mut self, bend: &SplineBend) {
        let attribute = |part: &Self, name: &str| {
            let of = part.primitives.first().and_then(|first| first.attributes.get(name)?.as_u64());
            of.and_then(|at| usize::try_from(at).ok())
        };
        let Some(positions) = attribute(self, "POSITION") else { return };
        let before: Vec<[f32; 3]> =
            self.builder.vectors(positions).iter().map(|of| centimetres(*of)).collect();
        let along = || before.iter().filter_map(|of| of.get(bend.axis).copied()).map(f64::from);
        let bounds = [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)];
        let vertex =
            |at: usize| bend.vertex(before.get(at).copied().unwrap_or_default().map(f64::from), bounds);
        self.builder.replace(positions, |at, _: [f32; 3]| metres(vertex(at).0));
        if let Some(normals) = attribute(self, "NORMAL") {
            self.builder.replace(normals, |at, of: [f32; 3]| {
                swapped(vertex(at).1(swapped(of.map(f64::from)))).map(single)
            });
        }
        if let Some(tangents) = attribute(self, "TANGENT") {
            self.builder.replace(tangents, |at, [x, y, z, sign]: [f32; 4]| {
                let [x, y, z] = swapped(vertex(at).1(swapped([x, y, z].map(f64::from)))).map(single);
                [x, y, z, sign]
            });
        }
    }
}

impl Builder {
    /// Vectors of an accessor whose bytes are here.
    fn vectors<const N: usize>(&self, accessor: usize) -> Vec<[f32; N]> {
        let (vectors, _) = self.bytes_of(accessor).as_chunks::<4>().0.as_chunks::<N>();
        vectors.iter().map(|of| of.map(f32::from_le_bytes)).collect()
    }

    /// Replaces vectors, and the bounds that they may have.
    fn replace<const N: usize>(&mut self, accessor: usize, with: impl Fn(usize, [f32; N]) -> [f32; N]) {
        let made: Vec<[f32; N]> =
            self.vectors(accessor).into_iter().enumerate().map(|(at, of)| with(at, of)).collect();
        self.overwrite(accessor, &made);
    }
}

/// A position as the engine has it.
fn centimetres([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, y].map(|part| part * 100.0)
}

/// A position as glTF has it.
fn metres(position: [f64; 3]) -> [f32; 3] {
    swapped(position).map(|part| single(part * 0.01))
}

/// Swaps Y and Z, as both ways between the engine and glTF do.
const fn swapped([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x, z, y]
}

/// A number of single precision; glTF forbids NaN and infinity.
#[expect(clippy::cast_possible_truncation, reason = "vertices are single precision")]
fn single(number: f64) -> f32 {
    let made = number as f32;
    if made.is_finite() { made } else { 0.0 }
}
