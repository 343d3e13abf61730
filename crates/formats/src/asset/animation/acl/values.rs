//! Arithmetic of values. Every product and every sum rounds by itself, so that results are the library's, to the last bit.

/// A rotation with its w, which is not negative.
pub(super) fn with_w([x, y, z]: [f32; 3]) -> [f32; 4] {
    [x, y, z, (((1.0 - x * x) - y * y) - z * z).abs().sqrt()]
}

/// A value inside a range.
#[inline]
pub(super) fn inside(value: [f32; 3], [lowest, width]: [[f32; 3]; 2]) -> [f32; 3] {
    let ([x, y, z], [lx, ly, lz], [wx, wy, wz]) = (value, lowest, width);
    [x * wx + lx, y * wy + ly, z * wz + lz]
}

/// The way from one value to the next.
pub(super) fn between<const N: usize>(from: [f32; N], to: [f32; N], share: f32) -> [f32; N] {
    let mut value = from;
    for (value, to) in value.iter_mut().zip(to) {
        *value = to * share + (*value - *value * share);
    }
    value
}

/// The short way from one rotation to the next.
pub(super) fn turned(from: [f32; 4], to: [f32; 4], share: f32) -> [f32; 4] {
    let to = if dot(from, to).is_sign_negative() { to.map(|part| -part) } else { to };
    let turned = between(from, to, share);
    let factor = 1.0 / dot(turned, turned).sqrt();
    turned.map(|part| part * factor)
}

fn dot([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4]) -> f32 {
    ((ax * bx + ay * by) + az * bz) + aw * bw
}
