//! The engine's axes and units as those of glTF.

use super::super::skeleton::Transform;

/// Centimetres in metres.
const METRES: f32 = 0.01;

/// A direction: the same, with Y and Z swapped.
pub(super) const fn direction([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, y]
}

/// A position, or the difference of two.
pub(super) fn position(position: [f32; 3]) -> [f32; 3] {
    direction(position).map(|part| part * METRES)
}

/// A rotation, of length 1: glTF has no others.
pub(super) fn rotation([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if length.is_normal() { [-x, -z, -y, w].map(|part| part / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

/// Where something is, relative to its parent.
pub(super) fn transform(of: &Transform) -> Transform {
    let [x, y, z] = of.translation;
    let [scale_x, scale_y, scale_z] = of.scale;
    Transform {
        rotation: rotation(of.rotation),
        translation: [x, z, y].map(|part| part * 0.01),
        scale: [scale_x, scale_z, scale_y],
    }
}
