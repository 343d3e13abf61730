//! Transforms: scale, rotation and translation.

use super::Payload;
use crate::wire::Fault;

/// `FTransform`: a scale, followed by a rotation and a translation.
#[doc(alias = "FTransform")]
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Transform {
    /// Rotation as a quaternion: x, y, z, w.
    pub rotation: [f64; 4],
    /// Translation in centimetres.
    pub translation: [f64; 3],
    /// Scale along the axes before the rotation.
    pub scale: [f64; 3],
}

impl Transform {
    /// The identity.
    pub const IDENTITY: Self =
        Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3], scale: [1.0; 3] };

    /// Converts an `FRotator`, in degrees, to a quaternion: pitch up, yaw to the right, roll about the axis
    /// ahead.
    #[doc(alias = "FRotator")]
    #[must_use]
    pub fn rotation_of(pitch: f64, yaw: f64, roll: f64) -> [f64; 4] {
        let [(sp, cp), (sy, cy), (sr, cr)] =
            [pitch, yaw, roll].map(|angle| (angle / 2.0).to_radians().sin_cos());
        [
            cr * sp * sy - sr * cp * cy,
            -cr * sp * cy - sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ]
    }

    /// Converts a matrix whose rows are the axes, with their scale, and the translation.
    #[must_use]
    pub fn of_matrix(rows: [f64; 16]) -> Self {
        let [ax, ay, az, _, bx, by, bz, _, cx, cy, cz, _, x, y, z, _] = rows;
        let axes = [[ax, ay, az], [bx, by, bz], [cx, cy, cz]];
        let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
        let [mut scale_x, scale_y, scale_z] = axes.map(length);
        let determinant = ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
        // A mirrored instance has one negative scale; the engine takes that of X.
        if determinant < 0.0 {
            scale_x = -scale_x;
        }
        let scale = [scale_x, scale_y, scale_z];
        let unit =
            |axis: [f64; 3], scale: f64| if scale == 0.0 { axis } else { axis.map(|part| part / scale) };
        let [a, b, c] = axes;
        let rotation = quaternion([unit(a, scale_x), unit(b, scale_y), unit(c, scale_z)]);
        Self { rotation, translation: [x, y, z], scale }
    }

    /// The transform in the space around another one: the other comes after this one. As in the engine, scales are
    /// multiplied axis by axis, so that nothing is ever sheared.
    #[must_use]
    pub fn within(&self, outer: &Self) -> Self {
        let scaled = product(self.translation, outer.scale);
        let [x, y, z] = turned(outer.rotation, scaled);
        let [outer_x, outer_y, outer_z] = outer.translation;
        Self {
            rotation: multiplied(outer.rotation, self.rotation),
            translation: [outer_x + x, outer_y + y, outer_z + z],
            scale: product(self.scale, outer.scale),
        }
    }

    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        Ok(Self {
            rotation: payload.reals("rotation of a bone")?,
            translation: payload.reals("translation of a bone")?,
            scale: payload.reals("scale of a bone")?,
        })
    }
}

fn product([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a * x, b * y, c * z]
}

/// The product of two quaternions: the second rotation, then the first.
fn multiplied([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// A vector after a rotation.
fn turned([x, y, z, w]: [f64; 4], [vx, vy, vz]: [f64; 3]) -> [f64; 3] {
    // v + 2 w (q × v) + 2 q × (q × v)
    let cross = |[a, b, c]: [f64; 3]| [y * c - z * b, z * a - x * c, x * b - y * a];
    let once = cross([vx, vy, vz]).map(|part| 2.0 * part);
    let [tx, ty, tz] = once;
    let [ux, uy, uz] = cross(once);
    [vx + w * tx + ux, vy + w * ty + uy, vz + w * tz + uz]
}

/// The rotation that turns the axes to these, which have length 1 and are at right angles.
fn quaternion([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]: [[f64; 3]; 3]) -> [f64; 4] {
    // The largest part is found first: the others are divided by it.
    let trace = xx + yy + zz;
    let found = if trace > 0.0 {
        let s = (trace + 1.0).sqrt() * 2.0;
        [(yz - zy) / s, (zx - xz) / s, (xy - yx) / s, s / 4.0]
    } else if xx >= yy && xx >= zz {
        let s = (1.0 + xx - yy - zz).sqrt() * 2.0;
        [s / 4.0, (xy + yx) / s, (zx + xz) / s, (yz - zy) / s]
    } else if yy >= zz {
        let s = (1.0 + yy - xx - zz).sqrt() * 2.0;
        [(xy + yx) / s, s / 4.0, (yz + zy) / s, (zx - xz) / s]
    } else {
        let s = (1.0 + zz - xx - yy).sqrt() * 2.0;
        [(zx + xz) / s, (yz + zy) / s, s / 4.0, (xy - yx) / s]
    };
    if found.iter().all(|part| part.is_finite()) { found } else { Transform::IDENTITY.rotation }
}
