//! Arithmetic on values. Every product and sum rounds by itself, without fused operations, so that results
//! equal the library's to the last bit.

/// Restores w of a rotation, which is not negative.
pub(super) fn with_w([x, y, z]: [f32; 3]) -> [f32; 4] {
    // The order of subtractions matters for the last bit. The absolute value stands in for a clamp: quantised
    // components can have a length slightly above 1.
    [x, y, z, (((1.0 - x * x) - y * y) - z * z).abs().sqrt()]
}

/// Scales a value into a range.
#[inline]
pub(super) fn inside(value: [f32; 3], [lowest, width]: [[f32; 3]; 2]) -> [f32; 3] {
    let ([x, y, z], [lx, ly, lz], [wx, wy, wz]) = (value, lowest, width);
    [x * wx + lx, y * wy + ly, z * wz + lz]
}

/// Interpolates linearly between two values.
pub(super) fn between<const N: usize>(from: [f32; N], to: [f32; N], share: f32) -> [f32; N] {
    let mut value = from;
    for (value, to) in value.iter_mut().zip(to) {
        // This form, not `from + (to - from) * share`, is the library's: it rounds differently.
        *value = to * share + (*value - *value * share);
    }
    value
}

/// Interpolates between two rotations the short way round.
pub(super) fn turned(from: [f32; 4], to: [f32; 4], share: f32) -> [f32; 4] {
    // q and -q are the same rotation; the nearer one is taken. The sign bit counts, so -0.0 flips as well.
    let to = if dot(from, to).is_sign_negative() { to.map(|part| -part) } else { to };
    let turned = between(from, to, share);
    let factor = 1.0 / dot(turned, turned).sqrt();
    turned.map(|part| part * factor)
}

fn dot([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4]) -> f32 {
    ((ax * bx + ay * by) + az * bz) + aw * bw
}
