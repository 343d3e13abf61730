//! Conversion of the engine's axes and units to those of glTF.

use super::super::transform::Transform;

/// Metres in a centimetre.
const METRES: f32 = 0.01;

/// Converts a direction: swaps Y and Z.
pub(super) const fn direction([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, y]
}

/// Converts a position, or the difference of two.
pub(super) fn position(position: [f32; 3]) -> [f32; 3] {
    direction(position).map(|part| part * METRES)
}

/// Converts a rotation, normalised to length 1 as glTF requires.
pub(super) fn rotation([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    let length = (x * x + y * y + z * z + w * w).sqrt();
    // Swapping two axes mirrors space, which reverses the sense of rotation: hence the negated vector part.
    if length.is_normal() { [-x, -z, -y, w].map(|part| part / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

/// Converts a transform, relative to its parent.
pub(super) fn transform(of: &Transform) -> Transform {
    let [x, y, z] = of.translation;
    let [scale_x, scale_y, scale_z] = of.scale;
    Transform {
        rotation: rotation(of.rotation),
        translation: [x, z, y].map(|part| part * 0.01),
        scale: [scale_x, scale_z, scale_y],
    }
}
