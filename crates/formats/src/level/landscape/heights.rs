//! Heights and normals of a component.

use super::grid::Grid;
use crate::wire::{Fault, FaultKind};

/// Texels of a height map.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightPixels {
    /// Texels along the X axis.
    pub width: u32,
    /// Heights, row by row.
    pub heights: Vec<u16>,
    /// Two bytes for the X and Y of each normal; empty if they are not stored.
    pub normals: Vec<[u8; 2]>,
}

/// Heights of the vertices of a component, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Heights {
    /// Vertices along each side.
    pub side: u32,
    /// Heights.
    pub heights: Vec<u16>,
    /// Normals, of length 1; empty if they are not stored.
    pub normals: Vec<[f32; 3]>,
}

impl HeightPixels {
    /// Texels as textures hold them: blue, green, red, alpha.
    #[must_use]
    pub fn of_texels(width: u32, bytes: &[u8]) -> Self {
        let texels = bytes.as_chunks::<4>().0;
        let heights = texels.iter().map(|[_, green, red, _]| u16::from_be_bytes([*red, *green])).collect();
        let normals = texels.iter().map(|[blue, _, _, alpha]| [*blue, *alpha]).collect();
        Self { width, heights, normals }
    }

    fn row(&self, y: u32) -> usize {
        (y as usize).saturating_mul(self.width as usize)
    }
}

impl Heights {
    /// The vertices of a component. `bias` is where it starts in the texture, in fractions of its size.
    pub fn new(grid: Grid, bias: [f64; 2], pixels: &HeightPixels) -> Result<Self, Fault> {
        let height = pixels.heights.len() / (pixels.width as usize).max(1);
        let start_x = start(bias[0], f64::from(pixels.width));
        let start_y = start(bias[1], f64::from(u32::try_from(height).unwrap_or(u32::MAX)));
        let last = (start_x.saturating_add(grid.texels()), start_y.saturating_add(grid.texels()));
        if last.0 > pixels.width || last.1 as usize > height {
            let kind = FaultKind::out_of_range(last.0.max(last.1), height);
            return Err(Fault { offset: 0, field: "texels of a landscape", kind });
        }
        let side = grid.side();
        let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let places =
            places.map(|(x, y)| pixels.row(start_y + grid.texel(y)) + (start_x + grid.texel(x)) as usize);
        let places: Vec<usize> = places.collect();
        let heights = places.iter().filter_map(|at| pixels.heights.get(*at).copied()).collect();
        let normals = places.iter().filter_map(|at| pixels.normals.get(*at).copied().map(normal)).collect();
        Ok(Self { side, heights, normals })
    }

    /// The height of a vertex in the space of its component.
    #[must_use]
    pub fn z(&self, x: u32, y: u32) -> f64 {
        let at = (y as usize).saturating_mul(self.side as usize).saturating_add(x as usize);
        (f64::from(self.heights.get(at).copied().unwrap_or(MIDDLE)) - f64::from(MIDDLE)) / 128.0
    }
}

/// The height of the plane.
const MIDDLE: u16 = 32768;

/// The first texel of a component.
pub(super) fn start(bias: f64, size: f64) -> u32 {
    let found = (bias * size).round();
    if found.is_finite() && (0.0..=65536.0).contains(&found) { whole(found) } else { u32::MAX }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked by callers")]
pub(super) const fn whole(number: f64) -> u32 {
    number as u32
}

/// A normal by its X and Y.
fn normal(bytes: [u8; 2]) -> [f32; 3] {
    let [x, y] = bytes.map(|byte| f32::from(byte) / 127.5 - 1.0);
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    let length = (x * x + y * y + z * z).sqrt();
    [x / length, y / length, z / length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_red_and_green() {
        // Two by two vertices in a texture of two by two; the height of the plane, and one unit above.
        let texels = [[128, 0, 128, 128], [128, 128, 128, 128], [128, 0, 0, 128], [128, 255, 255, 128]];
        let pixels = HeightPixels::of_texels(2, texels.as_flattened());
        let grid = Grid { subsection_quads: 1, subsections: 1 };
        let heights = Heights::new(grid, [0.0; 2], &pixels).unwrap();
        assert_eq!(heights.heights, [0x8000, 0x8080, 0, 0xffff]);
        assert!((heights.z(0, 0) - 0.0).abs() < 1e-9 && (heights.z(1, 0) - 1.0).abs() < 1e-9);
        let [x, y, z] = heights.normals[0];
        assert!(x.abs() < 0.01 && y.abs() < 0.01 && z > 0.99, "up");
        assert!(Heights::new(grid, [0.5, 0.0], &pixels).is_err(), "beyond the texture");
        assert!(Heights::new(grid, [f64::NAN, 0.0], &pixels).is_err());
    }
}
